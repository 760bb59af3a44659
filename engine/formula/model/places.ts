/** Places of a document in reading order: formulas, lines of code and written numbers, each with the steps that it stands for, and a sentence. */
import { positionAt, t, type TextRange } from '../../text';
import type { OpenDocument } from '../whole';
import { bare, partsOf, statements, type Expression } from '../tree';
import { writtenPlainly } from '../written';
import type { DocumentPlace, ModelledAttention, PlacePart } from './types';

export function placesOf(
  document: OpenDocument,
  attentions: readonly (ModelledAttention | undefined)[],
  chosen: number,
  parts: readonly PlacePart[],
): readonly DocumentPlace[] {
  const groups = new Map<
    string,
    { range: TextRange; kind: PlacePart['kind']; parts: PlacePart[]; isStop: boolean; isDisplay: boolean }
  >();
  for (const part of parts) {
    const around = aroundOf(document, part);
    const key = `${part.kind} ${around.key}`;
    const group = groups.get(key) ?? {
      range: around.range,
      kind: part.kind,
      parts: [],
      isStop: around.isStop,
      isDisplay: around.isDisplay,
    };
    groups.set(key, group);
    group.range = { start: Math.min(group.range.start, around.range.start), end: Math.max(group.range.end, around.range.end) }; // prettier-ignore
    const isKnown = group.parts.some((one) => one.attention === part.attention && one.step === part.step && one.range.start === part.range.start && one.range.end === part.range.end); // prettier-ignore
    if (!isKnown) group.parts.push(part);
  }
  return [...groups.values()]
    .map((group) => placeOf(document, attentions, chosen, group))
    .sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** What a part belongs to: its formula, its line of code, its matrix. */
function aroundOf(
  { text, found: { formulas } }: OpenDocument,
  { kind, range }: PlacePart,
): { readonly key: string | number; readonly range: TextRange; readonly isStop: boolean; readonly isDisplay: boolean } {
  if (kind === 'numbers') return { key: range.start, range, isStop: true, isDisplay: true };
  const own = kind === 'formula' ? formulas.find(({ outer }) => outer.start <= range.start && range.end <= outer.end) : undefined; // prettier-ignore
  if (own)
    return {
      key: own.outer.start,
      range: own.outer,
      isStop: own.display || !isNames(own.expression),
      isDisplay: own.display,
    };
  return { key: positionAt(text, range.start).line, range, isStop: true, isDisplay: true };
}

/** `$Q$`, `$x_1, x_2$`: names alone. */
const isNames = (of: Expression | undefined): boolean =>
  of === undefined || partsAreNames(of) || (of.kind === 'group' && isNames(of.of)) || (of.kind === 'list' && of.items.every(isNames)); // prettier-ignore

const partsAreNames = ({ kind }: Expression): boolean => kind === 'symbol' || kind === 'dots' || kind === 'words';

function placeOf(
  { text, found: { formulas } }: OpenDocument,
  attentions: readonly (ModelledAttention | undefined)[],
  chosen: number,
  group: Pick<DocumentPlace, 'range' | 'kind' | 'parts' | 'isStop' | 'isDisplay'>,
): DocumentPlace {
  const { range, kind, parts } = group;
  const ofChosen = parts.filter(({ attention }) => attention === chosen);
  const last = Math.max(...parts.map(({ attention }) => attention));
  const own = ofChosen.length > 0 ? ofChosen : parts.filter(({ attention }) => attention === last);
  const main = mainOf(own, attentions);
  const { attention, step } = main;
  const lines = [
    positionAt(text, range.start).line,
    positionAt(text, Math.max(range.start, range.end - 1)).line,
  ] as const;
  const formula = kind === 'formula' ? formulas.find(({ outer }) => outer.start === range.start) : undefined;
  const written = formula?.expression && writtenPlainly(formula.expression, 100);
  const name = nameOf(attentions, main);
  const title = kind === 'numbers' ? numbersTitle(name, main, isGiven(attentions, main)) : written === undefined ? name : formulaTitle(written, formula?.expression, main); // prettier-ignore
  return { ...group, lines, attention, step, title, says: sayOf(attentions, main) };
}

/** x_1 in y_2 = w_21 x_1 + …, where what is said is said of x_1 alone, and not of one side. */
function formulaTitle(written: string, of: Expression | undefined, { range }: PlacePart): string {
  const isIt = (one: Expression): boolean => one.range.start === range.start && one.range.end === range.end;
  const part = of && [...partsOf(of)].find(isIt);
  const isSide = of === undefined || statements(of).some((one) => isIt(one) || (one.kind === 'relation' ? one.sides : [bare(one)]).some(isIt)); // prettier-ignore
  const own = part && !isSide && part.kind === 'symbol' ? writtenPlainly(part, 40) : undefined;
  return own === undefined ? written : t('{0} in {1}', own, written);
}

export const nameOf = (
  attentions: readonly (ModelledAttention | undefined)[],
  { attention, step }: PlacePart,
): string => attentions[attention]?.plan.steps.find(({ id }) => id === step)?.words.name ?? step;

/** What a part says: its step in a sentence, and how its numbers are those of the step. */
export function sayOf(attentions: readonly (ModelledAttention | undefined)[], part: PlacePart): string {
  const words = attentions[part.attention]?.plan.steps.find(({ id }) => id === part.step)?.words;
  if (!words) return '';
  return `${words.why} ${part.kind === 'numbers' ? numbersSay(part) : words.what}`.trim();
}

/** Of several parts the one that the others are inside; of these the last step. */
export function mainOf(parts: readonly PlacePart[], attentions: readonly (ModelledAttention | undefined)[]): PlacePart {
  const at = ({ attention, step }: PlacePart): number => attentions[attention]?.plan.steps.findIndex(({ id }) => id === step) ?? -1; // prettier-ignore
  const size = ({ range }: PlacePart): number => range.end - range.start;
  return parts.reduce((a, b) => (size(b) > size(a) || (size(b) === size(a) && at(b) > at(a)) ? b : a));
}

/** A step that is not computed. */
const isGiven = (attentions: readonly (ModelledAttention | undefined)[], { attention, step }: PlacePart): boolean =>
  attentions[attention]?.plan.steps.find(({ id }) => id === step)?.operands.length === 0;

function numbersTitle(name: string, { match, partly }: PlacePart, given: boolean): string {
  if (partly) return t('{0}: {1} of {2} numbers are written here', name, partly.written, partly.of);
  if (!match) return name;
  const { form, at: [row = 0, column = 0] = [], head, count, isExact } = match; // prettier-ignore
  const of = head === undefined ? name : t('{0}, head {1}', name, head + 1);
  if (form === 'cell') return t('{0}, row {1}, column {2}', of, row + 1, column + 1);
  const part = form === 'row' ? t('row {0} of {1}', row + 1, of) : form === 'column' ? t('column {0} of {1}', row + 1, of) : form === 'transposed' ? t('{0} transposed', of) : of; // prettier-ignore
  if (given) return t('{0}, as the document gives it', part);
  return isExact ? t('{0}: all {1} numbers agree', part, count) : t('{0}: all {1} numbers agree to 6 digits', part, count); // prettier-ignore
}

function numbersSay({ match, partly }: PlacePart): string {
  if (partly) return t('The text breaks off after {0} of {1} numbers; the others stand in.', partly.written, partly.of);
  if (!match) return '';
  const { form, at: [row = 0, column = 0] = [], count, isExact } = match; // prettier-ignore
  if (form === 'cell') return t('Here stands its number in row {0}, column {1}.', row + 1, column + 1);
  const which = form === 'row' ? t('Here stands row {0}.', row + 1) : form === 'column' ? t('Here stands column {0}.', row + 1) : form === 'transposed' ? t('Here rows and columns are exchanged.') : ''; // prettier-ignore
  const agree = isExact ? t('All {0} numbers agree to every written digit.', count) : t('All {0} numbers agree to 6 digits; the last ones differ by rounding.', count); // prettier-ignore
  return `${which} ${agree}`.trim();
}
