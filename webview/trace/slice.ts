import { leadingIndexAt, leadingDimensions, type Slice, type Step } from '../../engine/index';
import type { TraceHandle } from './trace-handle';

export const firstSlice: Slice = { batch: 0, head: 0 };

/** The leading indices ([input, head] or fewer) of a step's matrix for a slice. */
export function leadingIndex(
  { plan, spec }: Pick<TraceHandle, 'plan' | 'spec'>,
  step: Step,
  slice: Slice,
): readonly number[] {
  return leadingIndexAt(plan, spec.heads, step, slice);
}

/** Leading indices as fields of a read request. */
export const sliceRequest = (lead: readonly number[]): { batch?: number; head?: number } =>
  lead.length === 2 ? { batch: lead[0] ?? 0, head: lead[1] ?? 0 } : lead.length === 1 ? { head: lead[0] ?? 0 } : {};

/** The slice for leading indices; `now` gives the parts that they do not name. */
export function sliceOf({ plan, spec }: TraceHandle, step: Step, lead: readonly number[], now: Slice): Slice {
  const parts = leadingDimensions(plan, spec.heads, step);
  if (lead.length !== parts.length) return now;
  return parts.reduce((slice, part, i) => {
    const at = lead[i] ?? 0;
    // Several query heads can share a key head: if the present one does, it stays.
    const shared = part === 'head' && leadingIndex({ plan, spec }, step, now)[i] === at;
    return shared ? slice : { ...slice, [part]: part === 'head' ? queryHead(part, at, step, { spec }) : at };
  }, now);
}

/** For a key head `at` of a step with fewer heads than queries have: the first query head that uses it. Inputs are returned unchanged. */
export function queryHead(part: keyof Slice, at: number, step: Step, { spec }: Pick<TraceHandle, 'spec'>): number {
  const size = step.shape.at(-3) ?? 1;
  return part === 'head' && spec.heads > size ? Math.ceil((at * spec.heads) / size) : at;
}
