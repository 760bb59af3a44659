import { t, fail, ok, type Problem, type Result } from '../text';
import { explainCell } from '../explain';
import { exp, formatShape, sizeOf } from '../math';
import { type Step, workOf } from '../plan';
import { fullIndex, offsetOf, type AttentionTrace, valuesOf } from '../run';
import { cell, nearestHint, oneOf, recordOf, text, wholeNumber, type Check } from './fields';

/** What a quantity asks of a step. */
export const takes = [
  'value', 'sum', 'mean', 'variance', 'min', 'max', 'rows', 'columns', 'cells', 'multiplyAdds',
  'exponential', 'denominator', 'gradient', 'overAll',
] as const; // prettier-ignore
export type Take = (typeof takes)[number];

/** A part of a step: a row, a column, a head, or all of it. */
export interface Part {
  readonly step: string;
  readonly row?: number;
  readonly column?: number;
  readonly head?: number;
  /** The id of a block; by default the question's. */
  readonly about?: string;
}

/** A number that the engine computes. */
export interface Quantity extends Part {
  readonly cell?: readonly number[];
  readonly take?: Take;
  /** For `gradient`: the column of the score that changes. */
  readonly to?: number;
}

/** The optional `about`, for quantities of another block. */
const otherBlockFields = { about: text };
export const partFields = { row: wholeNumber, column: wholeNumber, head: wholeNumber };
const ofWhole: readonly unknown[] = ['rows', 'columns', 'cells', 'multiplyAdds'];
const overParts: readonly unknown[] = ['sum', 'mean', 'variance', 'min', 'max'];

/** `take` determines the other fields of a quantity, so that no field is ignored. */
export const quantity: Check = recordOf(({ take }) => {
  const required = { step: text };
  const optional = { ...otherBlockFields, take: oneOf(...takes) };
  if (ofWhole.includes(take)) return { required, optional };
  if (overParts.includes(take)) return { required, optional: { ...optional, ...partFields } };
  return { required: { ...required, cell, ...(take === 'gradient' ? { to: wholeNumber } : {}) }, optional };
});

export interface CellNumber {
  readonly index: readonly number[];
  readonly value: number;
}

export function stepNamed(trace: AttentionTrace, id: string): Result<Step> {
  const { steps } = trace.plan;
  const step = steps.find((s) => s.id === id);
  const known = steps.map((s) => s.id);
  return step ? ok(step) : fail({ code: 'unknown-step', message: t('no step {0}', id.slice(0, 40)), hint: nearestHint(id, known) });
} // prettier-ignore

/** The index with all dimensions of the step, or a Problem if it is out of range. */
export function indexIn(step: Step, at: readonly number[]): Result<readonly number[]> {
  const lead = step.shape.length - at.length;
  const inside = lead >= 0 && at.every((i, d) => i < (step.shape[lead + d] ?? 0));
  if (inside) return ok(fullIndex(step.shape, at));
  return fail({
    code: 'outside',
    message: t('{0}[{1}] is outside of {2}', step.id, at.join(','), formatShape(step.shape)),
  });
}

/** The cells of a part of a step, row-major, with their indices. */
export function cellsOf(trace: AttentionTrace, part: Part): Result<readonly CellNumber[]> {
  const found = stepNamed(trace, part.step);
  if (!found.ok) return found;
  const { shape } = found.value;
  const wanted = [part.column, part.row, part.head];
  const over = wanted.findIndex((i, d) => i !== undefined && i >= (shape.at(-1 - d) ?? 0));
  if (over >= 0) return fail({ code: 'outside', message: noPart(part.step, shape, over, wanted[over] ?? 0) });
  const all: CellNumber[] = [];
  valuesOf(trace, found.value).forEach((value, at) => {
    const index = indexOf(shape, at);
    if (wanted.every((i, d) => i === undefined || index.at(-1 - d) === i)) all.push({ index, value });
  });
  return ok(all);
}

/** The message that a step has no such column, row or head. */
function noPart(step: string, shape: readonly number[], over: number, at: number): string {
  const dims = formatShape(shape);
  if (over === 0) return t('{0} is {1}: no column {2}', step, dims, at);
  return over === 1 ? t('{0} is {1}: no row {2}', step, dims, at) : t('{0} is {1}: no head {2}', step, dims, at);
}

/** The index of a cell, by its place in row-major order. */
export function indexOf(shape: readonly number[], offset: number): number[] {
  let rest = offset;
  return [...shape]
    .reverse()
    .map((size) => {
      const i = rest % size;
      rest = (rest - i) / size;
      return i;
    })
    .reverse();
}

/** The value of a quantity in a trace. A Problem if the step or cell does not exist, or the quantity has no meaning there. */
export function valueOf(trace: AttentionTrace, q: Quantity): Result<number> {
  const step = stepNamed(trace, q.step);
  if (!step.ok) return step;
  const take = q.take ?? 'value';
  if (take === 'rows' || take === 'columns' || take === 'cells' || take === 'multiplyAdds')
    return ok(sizes[take](step.value, trace.plan.steps));
  return take === 'value' || take in ofCell ? atCell(trace, step.value, q, take) : valueOverPart(trace, q, take);
}

const sizes = {
  rows: ({ shape }: Step) => shape.at(-2) ?? 1,
  columns: ({ shape }: Step) => shape.at(-1) ?? 1,
  cells: ({ shape }: Step) => sizeOf(shape),
  multiplyAdds: workOf,
};

function valueOverPart(trace: AttentionTrace, q: Quantity, take: Take): Result<number> {
  const cells = cellsOf(trace, q);
  if (!cells.ok) return cells;
  return ok(
    overPart(
      take,
      Float64Array.from(cells.value, (c) => c.value),
    ),
  );
}

/** What a quantity over a part of a step is of its cells. */
export function overPart(take: Take, values: Float64Array): number {
  const sum = (xs: Float64Array): number => xs.reduce((a, b) => a + b, 0);
  const mean = sum(values) / values.length;
  switch (take) {
    case 'sum':
      return sum(values);
    case 'mean':
      return mean;
    // Divided by n, as by np.var.
    case 'variance':
      return sum(values.map((x) => (x - mean) * (x - mean))) / values.length;
    case 'min':
      return values.reduce((a, b) => Math.min(a, b), Infinity);
    default:
      return values.reduce((a, b) => Math.max(a, b), -Infinity);
  }
}

type OfCell = (trace: AttentionTrace, step: Step, index: readonly number[], q: Quantity) => Result<number>;

const ofCell: Readonly<Partial<Record<Take, OfCell>>> = {
  exponential: (trace, step, index) => softmaxAt(trace, step, index, ({ terms }) => terms[index.at(-1) ?? 0]?.exponential ?? NaN), // prettier-ignore
  denominator: (trace, step, index) => softmaxAt(trace, step, index, ({ sum }) => sum),
  // ∂a_j/∂z_k = a_j·(δ_jk − a_k)
  gradient: (trace, step, index, { to }) => {
    if (to === undefined) return fail({ code: 'field', message: t('gradient needs "to": the column of the score that changes') });
    const other = indexIn(step, [...index.slice(0, -1), to]);
    if (!other.ok) return other;
    return softmaxAt(trace, step, index, () => {
      const [a, b] = [trace.value(step.id, index), trace.value(step.id, other.value)];
      return a * ((index.at(-1) === to ? 1 : 0) - b);
    });
  },
  overAll: (trace, step, index) => softmaxAt(trace, step, index, () => shareOfAll(trace, step, index)),
}; // prettier-ignore

function softmaxAt(
  trace: AttentionTrace,
  step: Step,
  index: readonly number[],
  pick: (made: Extract<ReturnType<typeof explainCell>, { kind: 'softmax' }>) => number,
): Result<number> {
  const made = explainCell(trace, step.id, index);
  if (made.kind === 'softmax') return ok(pick(made));
  return fail({ code: 'field', message: t('{0} is not made by softmax: take value, or step weights', step.id) });
}

/** e^z over the sum of the whole matrix: what softmax gives in a program that forgets the axis. */
function shareOfAll(trace: AttentionTrace, step: Step, index: readonly number[]): number {
  const from = trace.plan.steps.find((s) => s.id === step.operands[0]);
  if (!from) return NaN;
  const values = valuesOf(trace, from);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const all = values.reduce((sum, x) => sum + exp(x - most), 0);
  return exp((values[offsetOf(from.shape, index)] as number) - most) / all;
}

function atCell(trace: AttentionTrace, step: Step, q: Quantity, take: Take): Result<number> {
  if (!q.cell) return fail({ code: 'field', message: t('{0} of {1} needs "cell": [row, column]', take, step.id) });
  const index = indexIn(step, q.cell);
  if (!index.ok) return index;
  return ofCell[take]?.(trace, step, index.value, q) ?? ok(trace.value(step.id, index.value));
}

export const inPath = (problem: Problem, path: string): Problem => ({
  ...problem,
  path: problem.path === undefined ? path : `${path}.${problem.path}`,
});
