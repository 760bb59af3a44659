/** What known mistakes give, on a question's own numbers. */
import { t } from '../text';
import { mistakenSteps, type Mistaken } from '../diagnose';
import { exp } from '../math';
import type { AttentionTrace } from '../run';
import { answerOf, tracesFor, type Answer, type Blocks } from './answer';
import { isNear } from './claim';
import { cellsOf, valueOf, type Quantity, type Take } from './quantity';
import type { Question } from './question';

/** Something that learners do. */
export interface Misconception {
  /** The same in every variant and language. */
  readonly id: string;
  /** What is done, in words. */
  readonly name: string;
}

/** What it gives on a question's numbers. */
export interface Mistake extends Misconception {
  /** The numbers that it gives for the question's cells, in their order. */
  readonly values: readonly number[];
  /** The numbers of the first cell's row; empty where the mistake is none of computing. */
  readonly row: readonly number[];
}

/** Mistakes of `engine/diagnose/` that are made by hand. */
const byHand: ReadonlySet<string> = new Set([
  'transposedWq', 'transposedWk', 'transposedWv', 'transposedAll', 'noBias', 'swapQK', 'swapKV', 'queriesAreX', 'keysAreX', 'valuesAreX',
  'noScale', 'scaleD', 'scaleModel', 'scaleKeys', 'scaleTimes', 'scaleAfter',
  'noMask', 'maskInverted', 'maskTransposed', 'maskAfter', 'maskZero', 'maskMinusOne', 'maskStrict', 'maskLoose',
  'softmaxQueries', 'softmaxWhole', 'noSoftmax', 'sumOnly', 'noSum', 'softmaxTwice', 'softmaxNegative', 'argmax',
  'weightsTransposed', 'meanOfValues', 'turnedKeysAsValues', 'headsReversed', 'headsAveraged', 'noWo', 'transposedWo', 'noBo',
]); // prettier-ignore

/** The step and the cells whose numbers a question asks for; undefined where it asks for something else. */
function askedOf(q: Question, answer: Answer): { step: string; cells: readonly (readonly number[])[] } | undefined {
  if (q.kind === 'number' && answer.kind === 'number' && q.of.cell && (q.of.take ?? 'value') === 'value')
    return { step: q.of.step, cells: [q.of.cell] };
  if (q.kind === 'matrix' && answer.kind === 'matrix')
    return { step: q.step, cells: answer.cells.map(({ index }) => index) };
  return undefined;
}

const traceOf = (q: Question, lesson: Blocks): AttentionTrace | undefined => {
  const trace = tracesFor(q, lesson)(q.kind === 'number' ? q.of.about : undefined);
  return trace.ok ? trace.value : undefined;
};

/** All mistakes that change the numbers that a question asks for. */
export function misconceptionsOf(q: Question, answer: Answer, lesson: Blocks): readonly Mistake[] {
  const trace = traceOf(q, lesson);
  if (!trace) return [];
  const { tolerance } = answer as Extract<Answer, { tolerance: number }>;
  const all =
    q.kind === 'number' && (q.of.take ?? 'value') !== 'value' ? ofTake(trace, q.of) : ofCells(q, answer, trace);
  return all.filter(({ values }) => values.every((x) => !Number.isNaN(x)) && !isRight(values, answer, 2 * tolerance));
}

/** Mistakes in what is made of several numbers: exponentials, sums, variances. */
function ofTake(trace: AttentionTrace, of: Quantity): readonly Mistake[] {
  const value = (take: Take): number => {
    const found = valueOf(trace, { ...of, take });
    return found.ok ? found.value : NaN;
  };
  const one = (id: string, name: string, x: number): Mistake => ({ id, name, values: [x], row: [] });
  switch (of.take) {
    case 'exponential':
    case 'denominator': {
      const scores = scoresOfRow(trace, of.cell ?? []);
      const at = scores[of.cell?.at(-1) ?? 0] ?? NaN;
      const seen = scores.filter((x) => x !== -Infinity);
      if (of.take === 'exponential')
        return [
          one('noMax', t('The largest score of the row is not subtracted'), exp(at)),
          one('noExp', t('The exponential is not taken'), at - Math.max(...seen)),
          one('weight', t('It is divided by the sum already: that is the weight'), value('exponential') / value('denominator')),
        ];
      return [
        one('noMax', t('The largest score of the row is not subtracted'), seen.reduce((sum, x) => sum + exp(x), 0)),
        one('noExp', t('The exponential is not taken'), seen.reduce((sum, x) => sum + x, 0)),
      ];
    }
    case 'variance': {
      const cells = cellsOf(trace, of);
      const n = cells.ok ? cells.value.length : NaN;
      return [
        one('unbiased', t('The variance is divided by n − 1'), (value('variance') * n) / (n - 1)),
        one('deviation', t('The root is taken: that is the standard deviation'), Math.sqrt(value('variance'))),
      ];
    }
    case 'mean':
      return [one('notDivided', t('The sum is not divided by the number of values'), value('sum'))];
    case 'gradient': {
      const [from, to] = [valueOf(trace, { step: of.step, cell: of.cell ?? [] }), valueOf(trace, { step: of.step, cell: [...(of.cell ?? []).slice(0, -1), of.to ?? 0] })]; // prettier-ignore
      const [a, b] = [from.ok ? from.value : NaN, to.ok ? to.value : NaN];
      return [
        one('sign', t('The sign is the other one'), -value('gradient')),
        one('otherCase', t('The case j = k is taken for j ≠ k, or the reverse'), of.to === of.cell?.at(-1) ? -a * b : a * (1 - a)),
      ];
    }
    default:
      return [];
  }
} // prettier-ignore

/** The scores that softmax has of a row of the weights: those of the last step before it. */
function scoresOfRow(trace: AttentionTrace, cell: readonly number[]): readonly number[] {
  const step = trace.plan.steps.find(({ id }) => id === 'weights')?.operands[0];
  const shape = trace.plan.steps.find(({ id }) => id === step)?.shape;
  if (step === undefined || !shape) return [];
  return Array.from({ length: shape.at(-1) ?? 0 }, (_, j) => trace.value(step, [...cell.slice(0, -1), j]));
}

function ofCells(q: Question, answer: Answer, trace: AttentionTrace): readonly Mistake[] {
  const asked = askedOf(q, answer);
  const step = trace.plan.steps.find(({ id }) => id === asked?.step);
  if (!asked || !step) return [];
  const width = step.shape.at(-1) ?? 0;
  const first = asked.cells[0] ?? [];
  // Before the weights it is the same as no division.
  const isOf = ({ mistake: { id } }: Mistaken): boolean =>
    id !== 'scaleAfter' || !['scaled', 'masked'].includes(step.id);
  const found = mistakenSteps(trace, asked.step, byHand)
    .filter(isOf)
    .map(({ mistake, at }): Mistake => {
      const row = Array.from({ length: width }, (_, j) => at([...first.slice(0, -1), j]) ?? NaN);
      return { id: mistake.id, name: mistake.name(), values: asked.cells.map((cell) => at(cell) ?? NaN), row };
    });
  const undivided = asked.step === 'weights' ? [undividedOf(trace, asked.cells)] : [];
  return [...found, ...undivided, ...misread(asked.cells, (cell) => cellOf(trace, step, cell))];
}

/** e^(z − max) in the place of the weights. */
const undividedOf = (trace: AttentionTrace, cells: readonly (readonly number[])[]): Mistake => ({
  id: 'undivided',
  name: t('The exponential is not divided by the sum of its row'),
  values: cells.map((cell) => {
    const found = valueOf(trace, { step: 'weights', cell, take: 'exponential' });
    return found.ok ? found.value : NaN;
  }),
  row: [],
});

/** Numbers that were taken from another cell, or with the other sign. */
function misread(cells: readonly (readonly number[])[], of: (cell: readonly number[]) => number): readonly Mistake[] {
  const one = (id: string, name: string, value: (cell: readonly number[]) => number): Mistake => ({
    id,
    name,
    values: cells.map(value),
    row: [],
  });
  const moved = (cell: readonly number[], change: (row: number, column: number) => number[]): number[] => {
    const [row = 0, column = 0] = cell.slice(-2);
    return [...cell.slice(0, -2), ...change(row, column)];
  };
  return [
    one('exchanged', t('Row and column are exchanged'), (cell) => of(moved(cell, (i, j) => [j, i]))),
    one('fromOne', t('Rows and columns are counted from 1'), (cell) => of(moved(cell, (i, j) => [i - 1, j - 1]))),
    one('sign', t('The sign is the other one'), (cell) => -of(cell)),
  ];
}

function cellOf(
  trace: AttentionTrace,
  { id, shape }: { readonly id: string; readonly shape: readonly number[] },
  cell: readonly number[],
): number {
  const lead = shape.length - cell.length;
  const isThere = lead >= 0 && cell.every((i, d) => i >= 0 && i < (shape[lead + d] ?? 0));
  return isThere ? trace.value(id, cell) : NaN;
}

export const truthsOf = (answer: Answer): readonly number[] =>
  answer.kind === 'number' ? [answer.value] : answer.kind === 'matrix' ? answer.cells.map(({ value }) => value) : [];

const isRight = (values: readonly number[], answer: Answer, within: number): boolean =>
  truthsOf(answer).every((truth, i) => isNear(values[i] ?? NaN, truth, within));

export const isSame = (a: readonly number[], b: readonly number[], within: number): boolean =>
  a.every((x, i) => isNear(x, b[i] ?? NaN, within));

/** Whole numbers are compared as they are: half a unit is too wide, nearly any cell would match. */
export const withinOf = ({ digits, tolerance }: { readonly digits: number; readonly tolerance: number }): number =>
  digits === 0 && tolerance === 0.5 ? 1e-9 : tolerance;
/** The mistakes that variants keep apart (extension/lessons/README.md). */
const keptApart: ReadonlySet<string> = new Set([
  'swapQK', 'noScale', 'noMask', 'maskInverted', 'maskAfter', 'softmaxQueries', 'noSoftmax', 'sumOnly', 'weightsTransposed', 'meanOfValues',
]); // prettier-ignore

/**
 * Pairs of mistakes, or of a mistake and the right answer, that give the same numbers within the tolerance on these numbers: `right=noScale`. In a
 * variant there should be no more of them than in the lesson as it is written.
 */
export function confusionsOf(q: Question, lesson: Blocks): ReadonlySet<string> {
  const answer = answerOf(q, lesson);
  if (!answer.ok || (answer.value.kind !== 'number' && answer.value.kind !== 'matrix')) return new Set();
  const within = 2 * withinOf(answer.value);
  const trace = traceOf(q, lesson);
  const asked = askedOf(q, answer.value);
  if (!trace || !asked) return new Set();
  const all = [
    { id: 'right', values: truthsOf(answer.value) },
    ...mistakenSteps(trace, asked.step, keptApart).map(({ mistake, at }) => ({
      id: mistake.id,
      values: asked.cells.map((cell) => at(cell) ?? NaN),
    })),
  ];
  return new Set(
    all.flatMap((a, i) =>
      all.slice(0, i).flatMap((b) => (isSame(a.values, b.values, within) ? [`${b.id}=${a.id}`] : [])),
    ),
  );
}
