import type { Plan, Step } from '../../plan';
import { sizeOf } from '../../math';

/** For a plan with more bytes than this, the n×m steps are deferred: computed when they are read, and not held. */
export const heldLimit = 1 << 28;

/** Steps with this many cells or fewer are held all the same. */
const fewCells = 1 << 16;

/**
 * Ids of the steps that are deferred: products that are larger than their operands together (scores, n×m from n×d_k and m×d_k), biases
 * and masks that are given by a formula, and all steps that depend on these, so every n×m step and the output. Queries, keys and values
 * are always held: every row of scores needs all keys. `few`: most cells of a step that is held regardless (0 in tests).
 */
export function deferredSteps({ steps }: Plan, few = fewCells): ReadonlySet<string> {
  const deferred = new Set<string>();
  const cellsOf = (id: string): number => sizeOf(steps.find((s) => s.id === id)?.shape ?? []);
  const scores = steps.findIndex(({ id }) => id === 'scores');
  for (const step of scores < 0 ? [] : steps.slice(scores)) {
    const inherits = step.operands.some((id) => deferred.has(id));
    if (inherits || (sizeOf(step.shape) > few && exceedsOperands(step, cellsOf))) deferred.add(step.id);
  }
  return deferred;
}

/** Sources that are given by a rule or by a number for each row. */
const ruled: ReadonlySet<string> = new Set(['alibi', 'buckets', 'patternMask', 'listMask']);

function exceedsOperands({ call, shape, operands }: Step, cellsOf: (id: string) => number): boolean {
  if (ruled.has(call.op)) return true;
  return call.op === 'matmul' && sizeOf(shape) > operands.reduce((sum, id) => sum + cellsOf(id), 0);
}

/** Ids of the operands of deferred steps. */
export const operandsOf = ({ steps }: Plan, deferred: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(steps.flatMap(({ id, operands }) => (deferred.has(id) ? operands : [])));
