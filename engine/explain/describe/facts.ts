import type { Fact } from './fact';
import { gridsOf, type Described } from './grid';
import { booleanFact, maskFact } from './mask-facts';
import { structureFacts } from './structure';
import { weightFacts } from './weights';

/**
 * What a matrix looks like: facts that hold for every number, and for each matrix of a tensor. Needs at least two values. The condition of
 * each fact is stated where it is computed:
 *
 * - `additive-mask`, `hidden-row`: `maskFact`; `boolean-mask`: `booleanFact`
 * - `weights`, `weights-in-columns`, `causal-weights`: `weightFacts`
 * - the others: `structureFacts`
 *
 * Linear in the number of values, except `orthogonal`, which is only checked for at most 64 rows.
 */
export function looksLike(matrix: Described): Fact[] {
  const grids = gridsOf(matrix);
  if (matrix.values.length < 2 || grids.length === 0) return [];
  const mask = [...maskFact(matrix, grids), ...booleanFact(matrix, grids)];
  if (mask.length > 0) return mask;
  const structure = structureFacts(matrix, grids);
  // These rows sum to 1 too, but the more specific fact is enough.
  const settled = structure.some(({ id }) => id === 'identity' || id === 'permutation' || id === 'one-hot');
  if (settled) return structure;
  const weights = weightFacts(matrix, grids);
  const isCausal = weights.some(({ id }) => id === 'causal-weights');
  return [...weights, ...structure.filter(({ id }) => !(isCausal && id === 'triangular'))];
}
