import type { Plan, Step } from './plan';

/** What a dimension before rows and columns counts. */
export type Leading = 'batch' | 'head';

/**
 * The names of a step's leading dimensions, outermost first: none for a matrix, `head` or `batch` for one of three dimensions, both for
 * four. Q, K and V before they are cut into heads, and the output after they are joined, have a batch alone.
 */
export function leadingOf(plan: Plan, heads: number, { id, shape }: Step): readonly Leading[] {
  const count = shape.length - 2;
  if (count <= 0) return [];
  if (count >= 2) return ['batch', 'head'];
  if (heads === 1) return ['batch'];
  // One for each head, whatever the batch.
  if (id === 'alibi' || id === 'mask') return ['head'];
  return plan.steps.some((step) => step.shape.length > 3) ? ['batch'] : ['head'];
}

/** One matrix of a step with several. Heads count as query heads do, also where several of them share a key head. */
export interface Slice {
  readonly batch: number;
  readonly head: number;
}

/**
 * The leading part of an index into a step for a slice: [], [head], [batch] or [batch, head], each within the step's own size. With fewer
 * key heads than query heads it is the key head that the query head shares.
 */
export function leadAt(plan: Plan, heads: number, step: Step, slice: Slice): readonly number[] {
  return leadingOf(plan, heads, step).map((name, i) => {
    const size = step.shape[i] ?? 1;
    const at = name === 'head' ? Math.floor((slice.head * size) / Math.max(1, heads)) : slice.batch;
    return Math.max(0, Math.min(at, size - 1));
  });
}
