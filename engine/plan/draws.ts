import type { Plan } from './plan';
import { createStream, type RandomStream } from '../random';
import type { AttentionSpec } from '../spec';
import { sizeOf } from '../math';

/** The generator of a spec, at its first number. */
export function seeded(spec: AttentionSpec): RandomStream {
  const stream = createStream({ ...spec.random, dtype: spec.dtype });
  if (!stream.ok) throw new Error(`the plan let an invalid seed pass: ${stream.problems[0]?.message}`);
  return stream.value;
}

/** The step that was asked for last: a reader goes from cell to cell of one step, and millions of draws take a second. */
const kept = new WeakMap<AttentionSpec, { readonly stepId: string; readonly draws: ArrayLike<number> }>();

/**
 * What the generator gave for a random step, before it is divided and rounded: all steps draw from one stream, so those before it
 * are drawn again. Row-major, as many as the step has cells; throws on a step that draws nothing.
 */
export function drawsOf(spec: AttentionSpec, plan: Plan, stepId: string): ArrayLike<number> {
  const before = kept.get(spec);
  if (before?.stepId === stepId) return before.draws;
  const stream = seeded(spec);
  for (const { id, call, shape } of plan.steps) {
    if (call.op !== 'random') continue;
    const draws = stream.normal(sizeOf(shape));
    if (id !== stepId) continue;
    kept.set(spec, { stepId, draws });
    return draws;
  }
  throw new Error(`step ${stepId} draws nothing`);
}
