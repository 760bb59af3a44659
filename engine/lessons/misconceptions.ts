/** Which known mistakes give the numbers of a wrong answer, on the question's own numbers. */
import { t } from '../text';
import { mistakenSteps, type Mistaken } from '../diagnose';
import { exp } from '../math';
import type { AttentionTrace } from '../run';
import { decodeNumber, type SpecNumber } from '../spec';
import { answerOf, tracesFor, type Answer, type Blocks } from './answer';
import { isNear } from './claim';
import { showNumber } from './fill';
import { cellsOf, valueOf, type Quantity, type Take } from './quantity';
import type { Question } from './question';

/** Something that learners do, and what it gives. */
export interface Misconception {
  /** The same in every variant and language. */
  readonly id: string;
  /** What is done, in words. */
  readonly name: string;
  /** The numbers that it gives for the question's cells, in their order. */
  readonly values: readonly number[];
  /** The numbers of the first cell's row; empty where the mistake is none of computing. */
  readonly row: readonly number[];
}

/** What is said of a wrong answer: mistakes that all give its numbers, and the sentences about them, which say nothing of the right answer. */
export interface Explained {
  readonly misconceptions: readonly Misconception[];
  readonly says: string;
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
export function misconceptionsOf(q: Question, answer: Answer, lesson: Blocks): readonly Misconception[] {
  const trace = traceOf(q, lesson);
  if (!trace) return [];
  const { tolerance } = answer as Extract<Answer, { tolerance: number }>;
  const all =
    q.kind === 'number' && (q.of.take ?? 'value') !== 'value' ? ofTake(trace, q.of) : ofCells(q, answer, trace);
  return all.filter(({ values }) => values.every((x) => !Number.isNaN(x)) && !isRight(values, answer, 2 * tolerance));
}

/** Mistakes in what is made of several numbers: exponentials, sums, variances. */
function ofTake(trace: AttentionTrace, of: Quantity): readonly Misconception[] {
  const value = (take: Take): number => {
    const found = valueOf(trace, { ...of, take });
    return found.ok ? found.value : NaN;
  };
  const one = (id: string, name: string, x: number): Misconception => ({ id, name, values: [x], row: [] });
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

function ofCells(q: Question, answer: Answer, trace: AttentionTrace): readonly Misconception[] {
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
    .map(({ mistake, at }): Misconception => {
      const row = Array.from({ length: width }, (_, j) => at([...first.slice(0, -1), j]) ?? NaN);
      return { id: mistake.id, name: mistake.name(), values: asked.cells.map((cell) => at(cell) ?? NaN), row };
    });
  const undivided = asked.step === 'weights' ? [undividedOf(trace, asked.cells)] : [];
  return [...found, ...undivided, ...misread(asked.cells, (cell) => cellOf(trace, step, cell))];
}

/** e^(z − max) in the place of the weights. */
const undividedOf = (trace: AttentionTrace, cells: readonly (readonly number[])[]): Misconception => ({
  id: 'undivided',
  name: t('The exponential is not divided by the sum of its row'),
  values: cells.map((cell) => {
    const found = valueOf(trace, { step: 'weights', cell, take: 'exponential' });
    return found.ok ? found.value : NaN;
  }),
  row: [],
});

/** Numbers that were taken from another cell, or with the other sign. */
function misread(
  cells: readonly (readonly number[])[],
  of: (cell: readonly number[]) => number,
): readonly Misconception[] {
  const one = (id: string, name: string, value: (cell: readonly number[]) => number): Misconception => ({
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

const truthsOf = (answer: Answer): readonly number[] =>
  answer.kind === 'number' ? [answer.value] : answer.kind === 'matrix' ? answer.cells.map(({ value }) => value) : [];

const isRight = (values: readonly number[], answer: Answer, within: number): boolean =>
  truthsOf(answer).every((truth, i) => isNear(values[i] ?? NaN, truth, within));

/** Most that a number of this kind may be expected to meet one of the mistakes by chance. */
const allowedChance = 0.1;

/**
 * How many of the mistakes' numbers an arbitrary number between the smallest and the largest of them is expected to meet: the count of different ones
 * times the width of the interval, over the span; for several cells the product.
 */
function chanceOf(all: readonly Misconception[], truths: readonly number[], within: number): number {
  const different = all.filter(
    ({ values }, i) => !all.slice(0, i).some((other) => isSame(other.values, values, within)),
  );
  return truths.reduce((chance, truth, i) => {
    const numbers = [truth, ...different.map(({ values }) => values[i] ?? NaN)].filter((x) => Number.isFinite(x));
    const span = Math.max(...numbers) - Math.min(...numbers);
    return chance * Math.min(1, span > 0 ? (2 * within) / span : 1);
  }, different.length);
}

const isSame = (a: readonly number[], b: readonly number[], within: number): boolean =>
  a.every((x, i) => isNear(x, b[i] ?? NaN, within));

/** Whole numbers are compared as they are: half a unit is too wide, nearly any cell would match. */
const withinOf = ({ digits, tolerance }: { readonly digits: number; readonly tolerance: number }): number =>
  digits === 0 && tolerance === 0.5 ? 1e-9 : tolerance;
/** The interval that is counted for the chance: whole numbers are one apart. */
const widthOf = (within: number): number => (within === 1e-9 ? 0.5 : within);

/** Which mistakes give a wrong answer's numbers. Undefined if none does, or if one might by chance. */
export function explainedWrong(q: Question, answer: Answer, lesson: Blocks, response: unknown): Explained | undefined {
  if (answer.kind !== 'number' && answer.kind !== 'matrix') return undefined;
  const given = numbersIn(response, answer);
  if (!given) return undefined;
  const within = withinOf(answer);
  const rounded = roundedTo(given, answer);
  if (rounded) return rounded;
  const all = misconceptionsOf(q, answer, lesson);
  const misconceptions = all.filter(({ values }) => isSame(values, given, within));
  if (misconceptions.length === 0 || chanceOf(all, truthsOf(answer), widthOf(within)) > allowedChance) return undefined;
  return { misconceptions, says: saysOf(misconceptions, given, answer.digits) };
}

/** The numbers of a response, one for each cell; undefined where one is missing. */
function numbersIn(response: unknown, answer: Answer): readonly number[] | undefined {
  const all: readonly unknown[] = Array.isArray(response) ? response : [response];
  if (all.length !== truthsOf(answer).length || all.some((x) => x === null)) return undefined;
  const numbers = all.map((x) => decodeNumber(x as SpecNumber));
  return numbers.every((x) => Number.isFinite(x)) ? numbers : undefined;
}

/** An answer that is the right one with fewer digits after the point, at least one. */
function roundedTo(given: readonly number[], answer: Extract<Answer, { digits: number }>): Explained | undefined {
  for (let digits = answer.digits - 1; digits >= 1; digits--) {
    const isRounded = truthsOf(answer).every((truth, i) => showNumber(truth, digits) === showNumber(given[i] ?? NaN, digits) && Number((given[i] ?? NaN).toFixed(digits)) === given[i]); // prettier-ignore
    if (!isRounded) continue;
    const name = t('The result is rounded to fewer digits than are asked');
    const says = t('This is rounded to {0} after the point; {1} are asked.', digits, answer.digits);
    return { misconceptions: [{ id: 'rounded', name, values: given, row: [] }], says };
  }
  return undefined;
}

const mostInRow = 8;

function saysOf(misconceptions: readonly Misconception[], given: readonly number[], digits: number): string {
  const written = given.map((x) => String(x)).join(', ');
  const names = misconceptions.map(({ name }) => name);
  const [only] = misconceptions;
  if (names.length > 1 || !only) return t('{0} comes out with any of these mistakes: {1}.', written, names.join('; '));
  const says = t('{0} comes out with this mistake: {1}.', written, only.name);
  if (only.row.length < 2) return says;
  const row = only.row.slice(0, mostInRow).map((x) => showNumber(x, digits));
  const more = only.row.length > mostInRow ? ['…'] : [];
  return [says, t('With it the row is {0}.', [...row, ...more].join('  '))].join(' ');
}

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
