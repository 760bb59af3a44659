import type { Plan, Step } from '../../../plan';
import { sizeOf } from '../../../math';
import type { AttentionTrace } from '../../trace';
import { saturate } from './kernel';

/** How far two computations of one step are apart. */
export interface StepDifference {
  readonly step: string;
  /** Largest |GPU − CPU|; infinite where only one of the two is NaN or infinite. */
  readonly maxAbs: number;
  /** Where: batch and head if the step has them, row, column. */
  readonly index: readonly number[];
}

export interface Difference {
  /** The largest of all steps, and the step it is in. */
  readonly value: number;
  readonly step: string;
  /** In the plan's order. */
  readonly perStep: readonly StepDifference[];
}

/**
 * Compares what a GPU gave with the exact values, cell by cell. Two NaN are equal, and so are two infinities of one sign
 * (masked cells). Throws (our bug) when there is nothing to compare or a count of values does not fit its step.
 */
export function compareWithTrace(
  plan: Plan,
  trace: AttentionTrace,
  gpuValues: ReadonlyMap<string, Float32Array>,
): Difference {
  const perStep = plan.steps.flatMap((step) => {
    const values = gpuValues.get(step.id);
    return values ? [compareStep(step, trace, values)] : [];
  });
  const [first, ...rest] = perStep;
  if (!first) throw new Error('no step of the plan to compare');
  const worst = rest.reduce((a, b) => (b.maxAbs > a.maxAbs ? b : a), first);
  return { value: worst.maxAbs, step: worst.step, perStep };
}

/** Cells read at a time: a tile costs 32 bytes a cell. */
const bandCells = 1 << 16;

function compareStep(step: Step, trace: AttentionTrace, values: Float32Array): StepDifference {
  if (values.length !== sizeOf(step.shape)) throw new Error(`${step.id}: ${values.length} values for ${step.shapes}`);
  return comparePart(trace, step, 0, values);
}

/**
 * The same of a part of a step: whole rows, the first of which begins at value `from`, so that a comparison can stream what a GPU holds.
 */
export function comparePart(trace: AttentionTrace, step: Step, from: number, values: Float32Array): StepDifference {
  const [rows, columns] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  if (from % columns || values.length % columns) throw new Error(`${step.id}: no whole rows at ${from}`);
  const band = Math.max(1, Math.floor(bandCells / columns));
  let [maxAbs, at] = [0, from];
  for (let start = from; start < from + values.length;) {
    const matrix = Math.floor(start / (rows * columns));
    const row = (start / columns) % rows;
    const end = Math.min(row + band, rows, row + (from + values.length - start) / columns);
    const { mean } = trace.read(step.id, { ...matrixAt(step.shape, matrix), rows: [row, end] });
    for (let i = 0; i < mean.length; i++) {
      const apart = difference(values[start - from + i] as number, mean[i] as number);
      if (apart > maxAbs) [maxAbs, at] = [apart, start + i];
    }
    start += mean.length;
  }
  return { step: step.id, maxAbs, index: indexOf(step.shape, at) };
}

function difference(a: number, exact: number): number {
  const b = saturate(exact); // a mask's fill may be the lowest float64
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const apart = Math.abs(a - b);
  return Number.isNaN(apart) ? Infinity : apart;
}

/** The batch and head of the i-th matrix, as `trace.read` takes them. */
function matrixAt(shape: readonly number[], i: number): { batch: number; head: number } {
  const heads = shape.length > 2 ? (shape.at(-3) ?? 1) : 1;
  return { batch: Math.floor(i / heads), head: i % heads };
}

function indexOf(shape: readonly number[], offset: number): number[] {
  const index: number[] = [];
  let rest = offset;
  for (const size of [...shape].reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}
