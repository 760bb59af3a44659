import type { Plan, Step } from '../../plan/plan';
import { bytesOf, sizeOf, type DType } from '../../math/tensor';
import { matrixOf } from '../tile';
import { operandsOf } from './deferred';
import { levelFor, picturedSteps, pictureBytes } from './level';
import { roadOf } from './road';
import { rowBytes } from './rows';

/**
 * Bytes that a trace of this plan holds, the most that its overview comes to included. Not what ends with the overview: the rows of a stripe, and its helper's copy of the operands.
 */
export function heldBytes(plan: Plan, deferred: ReadonlySet<string>, dtype: DType): number {
  const held = plan.steps.filter(({ id }) => !deferred.has(id));
  return bytesOf(dtype, held) + (deferred.size ? besideBytes(plan, deferred, dtype) : 0);
}

/** float32 */
const narrow = 4;

/** What makes deferred steps quick to look at: operands in float32, rows, pictures, and what stays of each row. */
function besideBytes(plan: Plan, deferred: ReadonlySet<string>, dtype: DType): number {
  const wanted = operandsOf(plan, deferred);
  const operands = plan.steps.filter(({ id }) => wanted.has(id) && !deferred.has(id));
  const rows = bytesOf(
    dtype,
    plan.steps.filter(({ id }) => deferred.has(id)),
  );
  return (
    (dtype === 'float32' ? 0 : bytesOf('float32', operands)) +
    Math.min(rowBytes, rows) +
    pictures(plan, deferred) +
    rowsKept(plan) +
    inKernels(plan)
  );
}

/** Steps of a road that differ by a factor have one picture. */
function pictures(plan: Plan, deferred: ReadonlySet<string>): number {
  const road = roadOf(plan, deferred);
  const shared = new Set([...(road?.open.slice(1).map(({ step }) => step) ?? []), ...(road?.masked.slice(1) ?? [])]);
  const pictured = picturedSteps(plan, deferred);
  return pictureBytes(
    pictured.filter((step) => !shared.has(step)),
    levelFor(pictured),
  );
}

/** Of each row of the weights its output, largest score and sum, and whether it is there. */
function rowsKept({ steps }: Plan): number {
  const { weights, values } = ends(steps);
  return weights
    ? (sizeOf(weights.shape) / matrixOf(weights.shape)[1]) * (narrow * widthOf(values) + 2 * narrow + 1)
    : 0;
}

/** Keys and values of one head in the memory of the kernels, and once more as they are packed for their loops. */
function inKernels({ steps }: Plan): number {
  const { keys, values } = ends(steps);
  return 2 * narrow * [keys, values].reduce((sum, step) => sum + (step ? sizeOf(matrixOf(step.shape)) : 0), 0);
}

/** Keys, values and weights, as far as there are any. */
function ends(steps: readonly Step[]): Partial<Record<'keys' | 'values' | 'weights', Step>> {
  const stepOf = (id: string | undefined): Step | undefined => steps.find((step) => step.id === id);
  const weights = steps.find(({ role }) => role === 'weights');
  const product = steps.find(({ operands, call }) => call.op === 'matmul' && operands[0] === weights?.id);
  const [keys, values] = [stepOf(stepOf('scores')?.operands[1]), stepOf(product?.operands[1])];
  return { ...(keys && { keys }), ...(values && { values }), ...(weights && { weights }) };
}

const widthOf = (step: Step | undefined): number => (step ? matrixOf(step.shape)[1] : 0);
