import { fieldControls, t, wholeFrom, type Problem } from '../../engine/index';
import { groups, type PageControl, type PageQuantity } from './groups';
import type { ControlValues } from '../choices';

export { groupNote, groups, type PageChoice, type PageControl, type PageQuantity } from './groups';

const digits: PageQuantity = {
  id: 'digits',
  group: 'numbers',
  kind: 'number',
  label: () => t('Digits shown'),
  limit: wholeFrom(0, 15),
  explain: () => t('After the decimal point; display only.'),
  paths: [],
  applies: () => true,
  get: (s) => String(s.digits),
  set: (_, digits) => ({ digits }),
  brief: (text) => (text === '1' ? t('1 digit') : t('{0} digits', text)),
};

/** Controls of display settings, which change no spec. */
const displayControls: readonly PageControl[] = [digits];

/** Whether a control changes how numbers are shown, and none of them. */
export const isOfDisplay = (control: PageControl): boolean => displayControls.includes(control);

const order = Object.keys(groups);
const place = ({ group, order: behind }: PageControl): number => 2 * order.indexOf(group) + (behind ?? 0);

/** All controls in the order in which they are shown. */
export const controls: readonly PageControl[] = [...fieldControls, ...displayControls].sort(
  (a, b) => place(a) - place(b),
);

/** Whether a control's value differs from the input's own. */
export function isChanged({ part, get }: PageControl, switches: ControlValues, defaults: ControlValues): boolean {
  return part ? JSON.stringify(switches[part]) !== JSON.stringify(defaults[part]) : get(switches) !== get(defaults);
}

/** Number of controls whose values differ from the input's own. */
export const countChanged = (switches: ControlValues, defaults: ControlValues): number =>
  controls.filter((control) => (control.part ?? control.id) === control.id && isChanged(control, switches, defaults))
    .length;

/** The text of a number field as a number, or a problem. */
export function readQuantity({ label, limit }: PageQuantity, text: string): number | Problem {
  const value = text.trim() === '' ? NaN : Number(text.trim().replace('−', '-'));
  const fits = limit.whole ? Number.isInteger(value) : Number.isFinite(value) && (value !== 0 || limit.least === 0);
  if (fits && value >= limit.least && value <= limit.most) return value;
  return { code: 'value', message: t('{0}: expected {1}, found “{2}”', label(), limit.expected(), text) };
}

/** The problems that belong to a control. */
export const problemsAt = (control: PageControl, problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ path }) => path !== undefined && control.paths.includes(path));
