import type { Plan, Step } from '../../engine/index';
import { sliceRequest, stepOf, type TraceHandle } from '../trace';

/** The part of a trace handle that comparing needs. */
export type Readable = Pick<TraceHandle, 'spec' | 'plan' | 'read'>;

/** The result of comparing a step of two traces. */
export type Outcome =
  | { readonly kind: 'same' }
  /** `index` is the cell with the largest absolute difference. A number against NaN counts as infinite. */
  | { readonly kind: 'differs'; readonly largest: number; readonly index: readonly number[] }
  /** Pooled tiles differ. Which cell differs most has not been computed. */
  | { readonly kind: 'somewhere' }
  /** The other trace has no such step. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'shape'; readonly then: readonly number[] };

/** `a − b`, but 0 for equal infinities and for two NaN. */
export const difference = (a: number, b: number): number =>
  a === b || (Number.isNaN(a) && Number.isNaN(b)) ? 0 : a - b;

/** All leading indices of a shape; only `[]` for a matrix. */
function leadingIndices(shape: readonly number[]): readonly (readonly number[])[] {
  return shape
    .slice(0, -2)
    .reduce<readonly (readonly number[])[]>(
      (leads, size) => leads.flatMap((lead) => Array.from({ length: size }, (_, i) => [...lead, i])),
      [[]],
    );
}

/** Steps with more cells are compared by pooled tiles, unless they are the current step. */
const maxExactCells = 262_144;

const sizeOf = ({ shape }: Step): number => shape.reduce((a, b) => a * b, 1);
const lengths = ({ shape }: Step): readonly [number, number] => [shape.at(-2) ?? 1, shape.at(-1) ?? 1];

/** Compares a step of two traces. `exact` reads every cell, however many there are. */
export async function compareStep(now: Readable, then: Readable, step: Step, exact: boolean): Promise<Outcome> {
  const other = stepOf(then.plan, step.id);
  if (!other) return { kind: 'absent' };
  if (String(other.shape) !== String(step.shape)) return { kind: 'shape', then: other.shape };
  return exact || sizeOf(step) <= maxExactCells ? everyCell(now, then, step) : pooled(now, then, step);
}

async function everyCell(now: Readable, then: Readable, step: Step): Promise<Outcome> {
  let [largest, index]: [number, readonly number[]] = [0, []];
  const columns = lengths(step)[1];
  for (const lead of leadingIndices(step.shape)) {
    await eachDifference(now, then, step, lead, (row, d) => {
      for (let i = 0; i < d.length; i++) {
        const size = sizeOfDifference(d[i] as number);
        if (size > largest) [largest, index] = [size, [...lead, row + Math.floor(i / columns), i % columns]];
      }
    });
  }
  return largest > 0 ? { kind: 'differs', largest, index } : { kind: 'same' };
}

const sizeOfDifference = (d: number): number => (Number.isNaN(d) ? Infinity : Math.abs(d));

/** Cells per chunk of rows. */
const cellsPerChunk = 65_536;

type RowChunk = (row: number, values: Float64Array) => void;

/** Reads a matrix, or its rows `from` (inclusive) to `end` (exclusive), in chunks of rows. */
export async function eachRowChunk(
  a: Readable,
  step: Step,
  lead: readonly number[],
  take: RowChunk,
  [from, end]: readonly [number, number] = [0, lengths(step)[0]],
): Promise<void> {
  const height = Math.max(1, Math.floor(cellsPerChunk / lengths(step)[1]));
  for (let row = from; row < end; row += height) {
    const part = [row, Math.min(end, row + height)] as const;
    const { max, nan } = await a.read(step.id, { ...sliceRequest(lead), rows: part });
    take(
      row,
      max.map((x, i) => ((nan[i] ?? 0) > 0 ? NaN : x)),
    );
  }
}

/** Calls `take` with the differences a − b of two matrices, in chunks of rows. */
async function eachDifference(
  a: Readable,
  b: Readable,
  step: Step,
  lead: readonly number[],
  take: RowChunk,
): Promise<void> {
  const [rows, columns] = lengths(step);
  const then = new Float64Array(rows * columns);
  await eachRowChunk(b, step, lead, (row, values) => then.set(values, row * columns));
  await eachRowChunk(a, step, lead, (row, values) =>
    take(
      row,
      values.map((x, i) => difference(x, then[row * columns + i] as number)),
    ),
  );
}

/** The differences now − then of a matrix, row-major. */
export async function differenceOf(
  now: Readable,
  then: Readable,
  step: Step,
  lead: readonly number[],
): Promise<Float64Array> {
  const [rows, columns] = lengths(step);
  const values = new Float64Array(rows * columns);
  await eachDifference(now, then, step, lead, (row, difference) => values.set(difference, row * columns));
  return values;
}

async function pooled(now: Readable, then: Readable, step: Step): Promise<Outcome> {
  const level = Math.max(1, Math.ceil(Math.log2(Math.max(...lengths(step)) / 64)));
  for (const lead of leadingIndices(step.shape)) {
    const request = { ...sliceRequest(lead), level };
    const [a, b] = await Promise.all([now.read(step.id, request), then.read(step.id, request)]);
    const parts = ['min', 'max', 'mean', 'nan'] as const;
    if (parts.some((part) => a[part].some((x, i) => difference(x, b[part][i] as number) !== 0)))
      return { kind: 'somewhere' };
  }
  return { kind: 'same' };
}

/** All steps of a plan, the current one first. */
export const inOrder = (plan: Plan, current: string): readonly Step[] => {
  const here = stepOf(plan, current);
  return here ? [here, ...plan.steps.filter((step) => step !== here)] : plan.steps;
};
