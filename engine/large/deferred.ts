import type { Plan, Step } from '../plan';
import { sizeOf } from '../tensor';

/** Bytes of a plan from which on its widest steps are computed when they are looked at, and not held. */
export const heldLimit = 1 << 28;

/** Steps with fewer cells are held all the same. */
const fewCells = 1 << 16;

/**
 * The steps of a plan that are not held: products larger than their operands together (scores, n×m from n×d_k and m×d_k), biases
 * and masks that a rule gives, and whatever depends on one of them: all of n×m, and the output, which needs every weight.
 * `few`: steps with so many cells or fewer are held (for tests, 0).
 */
export function deferredSteps(plan: Plan, few = fewCells): ReadonlySet<string> {
  const deferred = new Set<string>();
  const cellsOf = (id: string): number => sizeOf(plan.steps.find((s) => s.id === id)?.shape ?? []);
  for (const step of plan.steps) {
    const inherits = step.operands.some((id) => deferred.has(id));
    if (inherits || (sizeOf(step.shape) > few && swells(step, cellsOf))) deferred.add(step.id);
  }
  return deferred;
}

function swells({ call, shape, operands }: Step, cellsOf: (id: string) => number): boolean {
  if (call.op === 'alibi' || call.op === 'patternMask') return true;
  return call.op === 'matmul' && sizeOf(shape) > operands.reduce((sum, id) => sum + cellsOf(id), 0);
}

/** Bytes that the held steps of a plan take, `width` bytes a number. */
export const heldBytes = ({ steps }: Plan, deferred: ReadonlySet<string>, width: number): number =>
  steps.reduce((sum, { id, shape }) => (deferred.has(id) ? sum : sum + width * sizeOf(shape)), 0);
