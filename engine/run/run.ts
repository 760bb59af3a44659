import { t } from '../text/l10n';
import { referenceKernels } from './backend/reference';
import type { Problem, Result } from '../text/problems';
import { fail, ok } from '../text/problems';
import { isSource, type CallOf, type OperationCall, type OperationName } from '../plan/operations';
import { deferredSteps, deferredTrace, heldBytes, heldLimit } from './large/index';
import { foreseen, observed } from '../explain/observations';
import { planOf } from '../plan/planner';
import { type Plan, type Step } from '../plan/plan';
import { sourceProducer } from './sources';
import type { AttentionSpec } from '../spec/spec';
import type { Tensor } from '../math/tensor';
import { traceOf, type AttentionTrace } from './trace';

/** A trace that would hold more bytes than this is refused before anything is allocated. */
export const memoryLimit = 1 << 30;

/** Bytes that a trace of this plan holds: of a large one without the steps that are computed when they are looked at, with what shows them. */
export const bytesHeld = (plan: Plan, dtype: AttentionSpec['dtype'], deferred = deferredOf(plan)): number =>
  heldBytes(plan, deferred, dtype);

const deferredOf = (plan: Plan): ReadonlySet<string> => (plan.bytes > heldLimit ? deferredSteps(plan) : new Set());

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
  const bytes = bytesHeld(plan, spec.dtype, deferred);
  if (bytes > memoryLimit) return fail(tooLarge(plan, bytes));
  const values = new Map<string, Tensor>();
  const produce = sourceProducer(spec, plan);
  plan.steps.forEach((step, i) => {
    if (!deferred.has(step.id))
      values.set(step.id, isSource(step.call) ? produce(step, step.call) : callKernel(spec, step, step.call, values));
    onStep?.(step, i + 1);
  });
  if (deferred.size) return ok(deferredTrace(spec, plan, values, foreseen(spec, plan, values)));
  return ok(traceOf(spec, plan, values, observed(spec, plan, values)));
}

function tooLarge(plan: Plan, bytes: number): Problem {
  const mb = (of: number): string => t('{0} MB', Math.ceil(of / 1e6));
  return {
    code: 'too-large',
    message: t('{0} tokens would need {1}, the limit is {2}', plan.tokens.length, mb(bytes), mb(memoryLimit)),
    hint: t('Select fewer tokens.'),
  };
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
