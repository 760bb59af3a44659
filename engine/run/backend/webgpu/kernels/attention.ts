import { sizeOf } from '../../../../math';
import { launchesOf, type Launches, type Target } from '../kernel';
import { matmul, scaledProduct } from './matmul';
import { scratchOf, softmaxLaunches } from './softmax';

type Shape = readonly number[];

/** softmax(Q·Kᵀ / by, hidden cells filled)·V. */
export interface FusedCall {
  /** What the scores are divided by; 1 where they are not. */
  readonly by: number;
  readonly fill: number;
  readonly masked: boolean;
  readonly emptyRow: 'nan' | 'zero';
}

/** Whether these shapes can be fused: one K and V for each Q or for all, and no batch that only K has. */
export const canFuse = (q: Shape, weights: Shape): boolean =>
  sizeOf(weights) > 0 && sizeOf(q.slice(0, -1)) === sizeOf(weights.slice(0, -1));

/**
 * Attention with nothing in memory but its weights and its output. q: batches×n×d, k: batches×m×d, v: batches×m×dv (k, v, or both
 * one for all batches); hidden: the weights' shape or its last dimensions; weights: batches×n×m; output: batches×n×dv.
 *
 * Scores are divided and masked in registers and stored once, where they become the weights; then the product with V. Four launches and
 * no barrier. One launch, with a workgroup for 8 rows and its reductions in workgroup memory, was built and dropped: on SwiftShader it
 * took twice as long, and 4 s to compile.
 *
 * Bounds: each operand < 2³² values. Errors as of divide, mask, softmax and matmul one after the other (see there).
 */
export function fusedLaunches(
  call: FusedCall,
  [q = [], k = [], v = [], hidden]: readonly Shape[],
  weights: Shape,
  output: Shape,
  target: Target,
): Launches {
  const product = launchesOf(matmul, { op: 'matmul', transposeB: false }, [weights, v], output, target);
  return {
    list: [
      scaledProduct(call, [q, k, hidden], weights, target),
      ...softmaxLaunches(call.emptyRow, weights, 'result'),
      ...product.list.map((launch) => ({ ...launch, binds: ['result', 2, 'output'] as const })),
    ],
    scratch: scratchOf(weights),
  };
}
