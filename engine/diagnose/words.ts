import { t } from '../text';
import { parts, type Mistake, type Part } from './catalogue';
import type { Evidence, Named } from './printed';
import { tellingChance, type Checked, type FoundStep } from './result';

/** What is said of a printed result: one sentence a line, the finding first. `name` is the result's own. */
export function wordsOf(checked: Checked, name: string, cells: number): readonly string[] {
  const { digits } = checked;
  switch (checked.is) {
    case 'step':
      return [...checked.steps.map((found) => stepWords(found, name, digits)), ...few(checked.chance)];
    case 'mistake':
      return [
        t('{0}: a mistake gives all {1} numbers to {2} digits after the point.', name, cells, digits),
        ...namedWords(checked.named),
      ];
    case 'several':
      return [
        t('{0}: several mistakes give these numbers to {1} digits after the point; they cannot be told apart here.', name, digits),
        ...checked.named.flatMap(namedWords),
        ...few(checked.chance),
      ]; // prettier-ignore
    case 'none':
      return noneWords(checked, name);
  }
}

const few = (chance: number): readonly string[] =>
  chance > tellingChance ? [t('So few digits may agree by chance.')] : [];

function stepWords({ step, form, head }: FoundStep, name: string, digits: number): string {
  const [symbol, what] = [step.symbol, step.words.name];
  if (form === 'averaged') return t('{0} is {1}, {2}, averaged over heads: every number, to {3} digits after the point.', name, symbol, what, digits); // prettier-ignore
  const place = head === undefined ? what : t('{0}, head {1}', what, head);
  return form === 'transposed'
    ? t('{0} is {1}, {2}, transposed: every number, to {3} digits after the point.', name, symbol, place, digits)
    : t('{0} is {1}, {2}: every number, to {3} digits after the point.', name, symbol, place, digits);
}

function namedWords({ mistakes, evidence, part }: Named): readonly string[] {
  return mistakes.flatMap((set) => [
    ...set.map((one) => t('mistake: {0}', one.name())),
    t('first step that differs: {0}', partName(firstOf(set))),
    ...evidenceWords(evidence, partName(part)),
    ...[...new Set(set.map(({ fix }) => fix))].map((fix) => t('write instead: {0}', fix)),
    ...[...new Set(set.map(({ cause }) => cause()))].map((cause) => t('why it happens: {0}', cause)),
    ...[...new Set(set.map(({ look }) => look()))],
  ]);
}

/** How these mistakes come about, and what is seen of them. */
export const causesOf = (set: readonly Mistake[]): readonly string[] => [
  ...new Set(set.flatMap(({ cause, look }) => [cause(), look()])),
];

/** The part that the earliest of these mistakes is in. */
export const firstOf = (set: readonly Mistake[]): Part =>
  parts.find((part) => set.some((one) => one.part === part)) ?? 'out';

export function evidenceWords(
  { cells, differing, row, column, mine, right }: Evidence,
  what: string,
): readonly string[] {
  // Without a right step of that shape there is nothing to compare with.
  if (Number.isNaN(right)) return [];
  return [t('{0} of {1} numbers agree with the right {2}; [{3}, {4}] differs most: {5}, right is {6}', cells - differing, cells, what, row, column, mine, shown(right))]; // prettier-ignore
}

function noneWords(checked: Checked & { is: 'none' }, name: string): readonly string[] {
  const { nearest, notTried } = checked;
  const found = t('{0} is no step of this attention, and no mistake that is known gives its numbers.', name);
  const untried = t('{0} is no step of this attention.', name);
  return [
    notTried ? untried : found,
    ...(notTried ? [t('Mistakes were not tried: {0}', notTried.message)] : []),
    ...(nearest
      ? [t('nearest step: {0}, {1}', nearest.step.symbol, nearest.step.words.name), ...evidenceWords(nearest.evidence, nearest.step.words.name)]
      : [t('No step has its shape.')]),
  ]; // prettier-ignore
}

const shown = (x: number): string => String(Number(x.toPrecision(6)));

/** A part of attention as the matrix that it gives. */
export function partName(part: Part): string {
  switch (part) {
    case 'input':
      return t('input X');
    case 'norm':
      return t('normalised input');
    case 'project':
    case 'cut':
      return t('Q, K and V');
    case 'turn':
      return t('scores QKᵀ');
    case 'scale':
      return t('scaled scores');
    case 'mask':
      return t('masked scores');
    case 'softmax':
      return t('weights');
    case 'mix':
      return t('weighted sum of V');
    case 'merge':
      return t('joined heads');
    case 'out':
      return t('output');
    case 'sum':
      return t('output with its residual');
  }
}
