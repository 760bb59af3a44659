import { t } from '../text';
import { parts, type Mistake, type Part } from './catalogue';
import type { AttentionSpec } from '../spec';
import type { Evidence, Named } from './printed';
import type { Separation } from './separate';
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
        ...separationWords(checked.separation),
      ];
    case 'several':
      return [
        t('{0}: several mistakes give these numbers to {1} digits after the point; they cannot be told apart here.', name, digits),
        ...checked.named.flatMap(namedWords),
        ...separationWords(checked.separation),
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
  if (form === 'filled') return t('{0} is {1}, {2}, with a large negative number for −∞: right, as e to it is 0 too. Every number, to {3} digits after the point.', name, symbol, place, digits); // prettier-ignore
  if (form === 'undivided') return t('{0} is {1}, {2}, before each row is divided by its sum, with the largest score subtracted: right so far. Every number, to {3} digits after the point.', name, symbol, place, digits); // prettier-ignore
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

/** An input that tells mistakes apart, as NumPy would have it, and what each of them prints of it. */
export function separationWords(separation: Separation | 'none' | undefined): readonly string[] {
  if (!separation) return [];
  if (separation === 'none') return [t('On every small input that was tried, these mistakes print the same numbers too.')];
  const { spec, prints, isPartial } = separation;
  return [
    isPartial
      ? t('The smallest input found that tells some of them apart: run your code with it.')
      : t('The smallest input found that tells them apart: run your code with it.'),
    ...inputLines(spec),
    ...prints.map(({ mistakes, rows }) => t('{0}: prints {1}', mistakes.map((one) => one.name()).join('; '), JSON.stringify(rows))),
  ];
} // prettier-ignore

/** The matrices of an input by their names in code. */
function inputLines({ start, projections, outputProjection, heads }: AttentionSpec): readonly string[] {
  const given: readonly (readonly [string, unknown])[] = [
    ['heads', heads],
    ...(start.from === 'x' ? [['X', start.x] as const, ['context', start.context] as const] : []),
    ...(start.from === 'qkv' ? [['Q', start.q] as const, ['K', start.k] as const, ['V', start.v] as const] : []),
    ...(projections.from === 'given' && start.from === 'x'
      ? ([['W_q', projections.wq], ['W_k', projections.wk], ['W_v', projections.wv], ['b_q', projections.bq], ['b_k', projections.bk], ['b_v', projections.bv]] as const)
      : []),
    ...(outputProjection?.from === 'given' ? [['W_o', outputProjection.wo] as const, ['b_o', outputProjection.bo] as const] : []),
  ];
  return given.flatMap(([name, value]) => (value === undefined ? [] : [`${name} = ${JSON.stringify(value)}`]));
} // prettier-ignore

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
