import type { Plan, Step } from '../../plan/plan';
import { sizeOf } from '../../math/tensor';

/** Bytes of a plan from which on its widest steps are computed when they are looked at, and not held. */
export const heldLimit = 1 << 28;

/** Steps with fewer cells are held all the same. */
const fewCells = 1 << 16;

/**
 * The steps of a plan that are not held: products larger than their operands together (scores, n×m from n×d_k and m×d_k), biases
 * and masks that a rule gives, and whatever depends on one of them: all of n×m, and the output, which needs every weight. Queries, keys and
 * values are held whatever their width: every row of scores needs all keys.
 * `few`: steps with so many cells or fewer are held (for tests, 0).
 */
export function deferredSteps({ steps }: Plan, few = fewCells): ReadonlySet<string> {
  const deferred = new Set<string>();
  const cellsOf = (id: string): number => sizeOf(steps.find((s) => s.id === id)?.shape ?? []);
  const scores = steps.findIndex(({ id }) => id === 'scores');
  for (const step of scores < 0 ? [] : steps.slice(scores)) {
    const inherits = step.operands.some((id) => deferred.has(id));
    if (inherits || (sizeOf(step.shape) > few && swells(step, cellsOf))) deferred.add(step.id);
  }
  return deferred;
}

function swells({ call, shape, operands }: Step, cellsOf: (id: string) => number): boolean {
  if (call.op === 'alibi' || call.op === 'patternMask') return true;
  return call.op === 'matmul' && sizeOf(shape) > operands.reduce((sum, id) => sum + cellsOf(id), 0);
}

/** Steps that deferred ones are computed from. */
export const operandsOf = ({ steps }: Plan, deferred: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(steps.flatMap(({ id, operands }) => (deferred.has(id) ? operands : [])));
