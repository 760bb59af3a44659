import type { Plan } from './plan';
import { createStream, type RandomStream } from '../random';
import type { AttentionSpec } from '../spec';
import { heldAs, sizeOf } from '../math';

/** The spec's random generator, before its first draw. */
export function seededStream(spec: AttentionSpec): RandomStream {
  const stream = createStream({ ...spec.random, dtype: heldAs(spec.dtype) });
  if (!stream.ok) throw new Error(`the plan let an invalid seed pass: ${stream.problems[0]?.message}`);
  return stream.value;
}

/** The last answer for each spec: readers go from cell to cell of one step, and millions of draws take a second. */
const drawsCache = new WeakMap<AttentionSpec, { readonly stepId: string; readonly draws: ArrayLike<number> }>();

/**
 * The numbers drawn for a random step, before they are divided and rounded: row-major, one for each cell. All steps draw from one stream,
 * so the draws of earlier steps are repeated. Throws for a step that is not random.
 */
export function drawsOf(spec: AttentionSpec, plan: Plan, stepId: string): ArrayLike<number> {
  const before = drawsCache.get(spec);
  if (before?.stepId === stepId) return before.draws;
  const stream = seededStream(spec);
  for (const { id, call, shape } of plan.steps) {
    if (call.op !== 'random') continue;
    const draws = stream.normal(sizeOf(shape));
    if (id !== stepId) continue;
    drawsCache.set(spec, { stepId, draws });
    return draws;
  }
  throw new Error(`step ${stepId} draws nothing`);
}
