import type { Plan, Step } from './plan';

/** What a dimension before rows and columns stands for. */
export type LeadingDimension = 'batch' | 'head';

/**
 * The names of a step's leading dimensions, outermost first: none for a matrix, `head` or `batch` for one of three dimensions, both for
 * four. Q, K and V before they are cut into heads, and the output after they are joined, have a batch alone.
 */
export function leadingDimensions(plan: Plan, heads: number, { id, shape }: Step): readonly LeadingDimension[] {
  const count = shape.length - 2;
  if (count <= 0) return [];
  if (count >= 2) return ['batch', 'head'];
  if (heads === 1) return ['batch'];
  // One for each head, whatever the batch.
  if (/^(?:layer\d+_)?(?:alibi|relative|mask|wholeMask)$/.test(id)) return ['head'];
  return plan.steps.some((step) => step.shape.length > 3) ? ['batch'] : ['head'];
}

/** One matrix of a step that has several. `head` is the query head, also where several query heads share a key head. */
export interface Slice {
  readonly batch: number;
  readonly head: number;
}

/**
 * The leading indices of a slice in a step: [], [head], [batch] or [batch, head], each clamped to the step's size. In a step with fewer
 * key heads than query heads, it is the key head that serves the query head.
 */
export function leadingIndexAt(plan: Plan, heads: number, step: Step, slice: Slice): readonly number[] {
  return leadingDimensions(plan, heads, step).map((name, i) => {
    const size = step.shape[i] ?? 1;
    const at = name === 'head' ? Math.floor((slice.head * size) / Math.max(1, heads)) : slice.batch;
    return Math.max(0, Math.min(at, size - 1));
  });
}
