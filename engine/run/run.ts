import { referenceKernels } from './backend/reference';
import type { Result } from '../text/problems';
import { fail, ok } from '../text/problems';
import { finish, type Paced } from '../text/pace';
import { isSource, type CallOf, type OperationCall, type OperationName } from '../plan/operations';
import { deferredOf, overBudget } from './budget';
import { deferredTrace } from './large/index';
import { foreseen, observed } from './observations';
import { planOf } from '../plan/planner';
import { type Plan, type Step } from '../plan/plan';
import { sourceProducer } from './sources';
import type { AttentionSpec } from '../spec/spec';
import type { Tensor } from '../math/tensor';
import { traceOf, type AttentionTrace } from './trace';

/** Plans and computes at once, in the calling thread, on the reference backend. Meant for small specs; the page uses a worker for large ones. */
export function explainAttention(spec: AttentionSpec): Result<AttentionTrace> {
  const planned = planOf(spec);
  if (!planned.ok) return planned;
  return runReference(spec, planned.value);
}

/**
 * Runs a plan on the reference backend. `onStep` is told of each finished step (for progress). Steps in `deferred` are computed when
 * they are looked at: of a plan above `heldLimit` bytes those that are n×m, and what follows from them.
 */
export function runReference(
  spec: AttentionSpec,
  plan: Plan,
  onStep?: (step: Step, done: number) => void,
  deferred: ReadonlySet<string> = deferredOf(plan),
): Result<AttentionTrace> {
  return finish(runningReference(spec, plan, onStep, deferred));
}

/** The same with a place to stop after each step, and between draws. */
export function* runningReference(
  spec: AttentionSpec,
  plan: Plan,
  onStep?: (step: Step, done: number) => void,
  deferred: ReadonlySet<string> = deferredOf(plan),
): Paced<Result<AttentionTrace>> {
  const tooMuch = overBudget(plan, spec.dtype, deferred);
  if (tooMuch) return fail(tooMuch);
  const values = new Map<string, Tensor>();
  const produce = sourceProducer(spec, plan);
  const valuesOf = function* (step: Step): Paced<Tensor> {
    return isSource(step.call) ? yield* produce(step, step.call) : callKernel(spec, step, step.call, values);
  };
  for (const [i, step] of plan.steps.entries()) {
    if (!deferred.has(step.id)) values.set(step.id, yield* valuesOf(step));
    onStep?.(step, i + 1);
    yield;
  }
  if (deferred.size) return ok(deferredTrace(spec, plan, values, foreseen(spec, plan, values)));
  return ok(traceOf(spec, plan, values, observed(spec, plan, values)));
}

function callKernel(spec: AttentionSpec, step: Step, call: OperationCall, values: ReadonlyMap<string, Tensor>): Tensor {
  const operands = step.operands.map((id) => values.get(id)).filter((t) => t !== undefined);
  const kernel = referenceKernels[call.op as OperationName] as (
    call: CallOf<OperationName>,
    operands: readonly Tensor[],
    shape: readonly number[],
    dtype: AttentionSpec['dtype'],
  ) => Tensor;
  return kernel(call as CallOf<OperationName>, operands, step.shape, spec.dtype);
}
