import type { Plan, Step } from '../../plan';
import { bytesOf, sizeOf, type Precision } from '../../math';
import { matrixShape } from '../tile';
import { operandsOf } from './deferred';
import { levelFor, overviewSteps, overviewBytes } from './overview-level';
import { fusedPathOf } from './fused-path';
import { rowBytes } from './row-cache';

/**
 * Most bytes that a trace of this plan holds, including its complete overview. Not counted is what exists only while the overview is
 * computed: the rows of a stripe, and the helper's copy of the operands.
 */
export function heldBytes(plan: Plan, deferred: ReadonlySet<string>, dtype: Precision): number {
  const held = plan.steps.filter(({ id }) => !deferred.has(id));
  return bytesOf(dtype, held) + (deferred.size ? cacheBytes(plan, deferred, dtype) : 0);
}

const float32Bytes = 4;

/** Bytes of what makes reading deferred steps fast: float32 operands, cached rows, overview pyramids and row summaries. */
function cacheBytes(plan: Plan, deferred: ReadonlySet<string>, dtype: Precision): number {
  const wanted = operandsOf(plan, deferred);
  const operands = plan.steps.filter(({ id }) => wanted.has(id) && !deferred.has(id));
  const rows = bytesOf(
    dtype,
    plan.steps.filter(({ id }) => deferred.has(id)),
  );
  return (
    (dtype !== 'float64' ? 0 : bytesOf('float32', operands)) +
    Math.min(rowBytes, rows) +
    pyramidBytes(plan, deferred) +
    rowSummaryBytes(plan) +
    wasmBytes(plan)
  );
}

/** Bytes of the overview pyramids. Steps on a fused path that differ only by a factor share one pyramid. */
function pyramidBytes(plan: Plan, deferred: ReadonlySet<string>): number {
  const path = fusedPathOf(plan, deferred);
  const shared = new Set([
    ...(path?.unmasked.slice(1).map(({ step }) => step) ?? []),
    ...(path?.masked.slice(1) ?? []),
  ]);
  const pictured = overviewSteps(plan, deferred);
  return overviewBytes(
    pictured.filter((step) => !shared.has(step)),
    levelFor(pictured),
  );
}

/** Bytes of the row summaries: for each row of the weights its output, largest score, sum of exponentials and a flag. */
function rowSummaryBytes({ steps }: Plan): number {
  const { weights, values } = attentionSteps(steps);
  return weights
    ? (sizeOf(weights.shape) / matrixShape(weights.shape)[1]) * (float32Bytes * widthOf(values) + 2 * float32Bytes + 1)
    : 0;
}

/** Bytes in WebAssembly's memory: keys and values of one head, and a second copy packed for the kernels' loops. */
function wasmBytes({ steps }: Plan): number {
  const { keys, values } = attentionSteps(steps);
  return 2 * float32Bytes * [keys, values].reduce((sum, step) => sum + (step ? sizeOf(matrixShape(step.shape)) : 0), 0);
}

/** The steps with the keys, values and weights, as far as the plan has them. */
function attentionSteps(steps: readonly Step[]): Partial<Record<'keys' | 'values' | 'weights', Step>> {
  const stepOf = (id: string | undefined): Step | undefined => steps.find((step) => step.id === id);
  const weights = steps.find(({ role }) => role === 'weights');
  const product = steps.find(({ operands, call }) => call.op === 'matmul' && operands[0] === weights?.id);
  const [keys, values] = [stepOf(stepOf('scores')?.operands[1]), stepOf(product?.operands[1])];
  return { ...(keys && { keys }), ...(values && { values }), ...(weights && { weights }) };
}

const widthOf = (step: Step | undefined): number => (step ? matrixShape(step.shape)[1] : 0);
