import { valuesOf, type AttentionTrace } from '../../run';
import type { Step } from '../../plan';
import { sizeOf } from '../../math';
import type { Parts } from './parts';

/** The step of that id, if the trace has it. */
export const find = (trace: AttentionTrace, id: string): Step | undefined => trace.plan.steps.find((s) => s.id === id);

/** All values of a step, row-major; undefined where the trace has no such step. */
export const allOf = (trace: AttentionTrace, id: string): Float64Array | undefined => {
  const step = find(trace, id);
  return step && valuesOf(trace, step);
};

/** Cells that are gone through at a stretch: a millisecond or two. */
export const cellsAtOnce = 1 << 16;

/** The same, read a part at a time. */
export function* allInParts(trace: AttentionTrace, id: string): Parts<Float64Array | undefined> {
  const step = find(trace, id);
  if (!step) return undefined;
  const out = new Float64Array(sizeOf(step.shape));
  yield* goThrough(trace, step, (values, at) => out.set(values, at));
  return out;
}

/** Some rows at a time, never of two matrices; `at` is the place of their first cell among all cells. */
export function* goThrough(
  trace: AttentionTrace,
  step: Step,
  visit: (rows: Float64Array, at: number) => void,
): Parts<void> {
  const [n, m] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  const size = sizeOf(step.shape);
  const most = Math.max(1, Math.floor(cellsAtOnce / Math.max(1, m)));
  for (let at = 0; at < size;) {
    const row = (at / m) % n;
    const rows = rowsAt(trace, step, at / m, Math.min(most, n - row));
    visit(rows, at);
    at += rows.length;
    yield;
  }
}

/** Rows of one matrix of a step, of which `first` is counted over all of its matrices. */
export function rowsAt(trace: AttentionTrace, { id, shape }: Step, first: number, count: number): Float64Array {
  const n = shape.at(-2) ?? 1;
  const heads = shape.at(-3) ?? 1;
  const matrix = Math.floor(first / n);
  const row = first % n;
  const [batch, head] = [Math.floor(matrix / heads), matrix % heads];
  // The minimum of a block of one cell is the cell.
  return trace.read(id, { batch, head, rows: [row, row + count] }).min;
}
