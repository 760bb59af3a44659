import { referenceKernelsIn } from './backend';
import { type Result, fail, ok, finish, type Paced } from '../text';
import { isSource, type CallOf, type OperationCall, type OperationName, planOf, type Plan, type Step } from '../plan';
import { deferredOf, overBudget } from './budget';
import { deferredTrace } from './large/index';
import { problemsInInputs, problemsInValues } from './trace-problems';
import { createSourceComputer } from './sources';
import type { AttentionSpec } from '../spec';
import { heldAs, type DType, type Tensor } from '../math';
import { traceOf, type AttentionTrace } from './trace';

/** Plans a spec and computes its trace in the calling thread, on the reference backend. For small specs; the page uses a worker for large ones. */
export function explainAttention(spec: AttentionSpec): Result<AttentionTrace> {
  const planned = planOf(spec);
  if (!planned.ok) return planned;
  return runReference(spec, planned.value);
}

/**
 * Runs a plan on the reference backend. `onStep` is called after each step, with the number of steps done. Steps in `deferred` are
 * computed when they are read; by default these are the n×m steps of a plan above `heldLimit` bytes, and the steps that depend on them.
 */
export function runReference(
  spec: AttentionSpec,
  plan: Plan,
  onStep?: (step: Step, done: number) => void,
  deferred: ReadonlySet<string> = deferredOf(plan),
): Result<AttentionTrace> {
  return finish(runReferencePaced(spec, plan, onStep, deferred));
}

/** The same as a generator, which yields after each step and between random draws so that the caller can pause or cancel. */
export function* runReferencePaced(
  spec: AttentionSpec,
  plan: Plan,
  onStep?: (step: Step, done: number) => void,
  deferred: ReadonlySet<string> = deferredOf(plan),
): Paced<Result<AttentionTrace>> {
  const tooMuch = overBudget(plan, spec.dtype, deferred);
  if (tooMuch) return fail(tooMuch);
  const values = new Map<string, Tensor>();
  const produce = createSourceComputer(spec, plan);
  const valuesOf = function* (step: Step): Paced<Tensor> {
    return isSource(step.call) ? yield* produce(step, step.call) : callKernel(spec, step, step.call, values);
  };
  for (const [i, step] of plan.steps.entries()) {
    if (!deferred.has(step.id)) values.set(step.id, yield* valuesOf(step));
    onStep?.(step, i + 1);
    yield;
  }
  if (deferred.size) return ok(deferredTrace(spec, plan, values, problemsInInputs(spec, plan, values)));
  return ok(traceOf(spec, plan, values, problemsInValues(spec, plan, values)));
}

/** What the reference makes of a step from other values of its operands, by their ids. Throws for a source, which has none. */
export function recomputed(spec: AttentionSpec, step: Step, operands: ReadonlyMap<string, Tensor>): Tensor {
  if (isSource(step.call)) throw new Error(`${step.id} has no operands`);
  return callKernel(spec, step, step.call, operands);
}

function callKernel(spec: AttentionSpec, step: Step, call: OperationCall, values: ReadonlyMap<string, Tensor>): Tensor {
  const operands = step.operands.map((id) => values.get(id)).filter((t) => t !== undefined);
  const kernel = referenceKernelsIn(spec.dtype)[call.op as OperationName] as (
    call: CallOf<OperationName>,
    operands: readonly Tensor[],
    shape: readonly number[],
    dtype: DType,
  ) => Tensor;
  return kernel(call as CallOf<OperationName>, operands, step.shape, heldAs(spec.dtype));
}
