import { valuesOf, type AttentionTrace } from '../../run';
import type { Step } from '../../plan';
import { sizeOf } from '../../math';
import type { Parts } from './parts';

/** The step of that id, if the trace has it. */
export const findStep = (trace: AttentionTrace, id: string): Step | undefined =>
  trace.plan.steps.find((s) => s.id === id);

/** All values of a step, row-major; undefined where the trace has no such step. */
export const allValues = (trace: AttentionTrace, id: string): Float64Array | undefined => {
  const step = findStep(trace, id);
  return step && valuesOf(trace, step);
};

/** Cells that are processed between two pauses: a millisecond or two. */
export const cellsPerPart = 1 << 16;

/** The same as pausable work. */
export function* allValuesInParts(trace: AttentionTrace, id: string): Parts<Float64Array | undefined> {
  const step = findStep(trace, id);
  if (!step) return undefined;
  const out = new Float64Array(sizeOf(step.shape));
  yield* rowBlocks(trace, step, (values, at) => out.set(values, at));
  return out;
}

/** Blocks of rows of a step, none across two matrices; `at` is the row-major offset of the block's first cell. */
export function* rowBlocks(
  trace: AttentionTrace,
  step: Step,
  visit: (rows: Float64Array, at: number) => void,
): Parts<void> {
  const [n, m] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  const size = sizeOf(step.shape);
  const most = Math.max(1, Math.floor(cellsPerPart / Math.max(1, m)));
  for (let at = 0; at < size;) {
    const row = (at / m) % n;
    const rows = rowsAt(trace, step, at / m, Math.min(most, n - row));
    visit(rows, at);
    at += rows.length;
    yield;
  }
}

/** Rows of one matrix of a step; `first` counts rows over all its matrices. */
export function rowsAt(trace: AttentionTrace, { id, shape }: Step, first: number, count: number): Float64Array {
  const n = shape.at(-2) ?? 1;
  const heads = shape.at(-3) ?? 1;
  const matrix = Math.floor(first / n);
  const row = first % n;
  const [batch, head] = [Math.floor(matrix / heads), matrix % heads];
  // At level 0 a block is one cell, and its minimum is the cell.
  return trace.read(id, { batch, head, rows: [row, row + count] }).min;
}
