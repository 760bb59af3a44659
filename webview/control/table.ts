import { t, type Problem } from '../../engine/index';
import { headsControls } from './heads';
import { inputControls } from './input';
import type { Control, Quantity } from './kinds';
import { numbersControls } from './numbers';
import { projectionsControls } from './projections';
import { scoresControls } from './scores';
import type { Switches } from '../page/switches';

export { groupNote, groups, type Choice, type Control, type GroupId, type Option, type Quantity } from './kinds';

/** Every control, in the order in which they stand. */
export const controls: readonly Control[] = [
  ...inputControls,
  ...projectionsControls,
  ...headsControls,
  ...scoresControls,
  ...numbersControls,
];

/** Controls of a part of a switch: they are changed where the switch is. */
const parts: Partial<Readonly<Record<Control['id'], keyof Switches>>> = {
  scale: 'scale',
  divideBy: 'scale',
  mask: 'mask',
  windowSize: 'mask',
  visible: 'mask',
};

/** Whether a switch differs from what the input came with. */
export function isChanged({ id, get }: Control, switches: Switches, defaults: Switches): boolean {
  const whole = parts[id];
  return whole ? JSON.stringify(switches[whole]) !== JSON.stringify(defaults[whole]) : get(switches) !== get(defaults);
}

/** How many switches differ from those the input came with. */
export const countChanged = (switches: Switches, defaults: Switches): number =>
  controls.filter(
    (control) => !(control.id in parts && control.id !== parts[control.id]) && isChanged(control, switches, defaults),
  ).length;

/** The text of a number field as a number, or what is wrong with it. */
export function readQuantity(control: Quantity, text: string): number | Problem {
  const value = text.trim() === '' ? NaN : Number(text.trim().replace('−', '-'));
  const fits = control.whole ? Number.isInteger(value) : Number.isFinite(value) && (value !== 0 || control.min === 0);
  if (fits && value >= control.min && value <= control.max) return value;
  return { code: 'value', message: t('{0}: expected {1}, found “{2}”', control.label, control.expected, text) };
}

/** The problems that belong to a control. */
export const problemsAt = (control: Control, problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ path }) => path !== undefined && control.paths.includes(path));
