import { matrixShape } from '../tile';
import { broadcastIndex } from '../trace';
import { slopeOf } from './blocks';
import type { Rectangle } from './rectangle';
import type { AlibiPath } from './fused-path';
import { heldMatrix, type OverviewContext } from './overview-context';

/** Computes and stores the summaries of some rows, faster than step by step. */
export type SummariseRows = (leading: readonly number[], rows: Rectangle['rows']) => void;

/**
 * Summaries of rows of weights with linear biases, by the fused kernel: each row's largest score and sum of exponentials, from which any
 * rectangle of the weights can be computed. Keys that are too far away for a nonzero weight are left out.
 */
export function alibiSummariser(context: OverviewContext, path: AlibiPath): SummariseRows | undefined {
  const run = context.wasm.pooledAttention;
  const { q, k, v, bias, weights, scale, mask } = path;
  if (!run) return undefined;
  const [m, d, dv] = [matrixShape(weights.shape)[1], matrixShape(q.shape)[1], matrixShape(v.shape)[1]];
  const longest = new Map<string, number>();
  return (leading, [first, last]) => {
    const queries = heldMatrix(context, q, leading).subarray(first * d, last * d);
    const keys = heldMatrix(context, k, leading);
    const most = longest.get(leading.join()) ?? largestNorm(keys, d);
    longest.set(leading.join(), most);
    const slope = slopeOf(bias.shape, broadcastIndex(bias.shape, leading));
    // The largest distance from a query to the nearest key that it sees.
    const away = Math.max(0, last - Math.min(m, mask.visible));
    const reach = nonzeroDistance(largestNorm(queries, d) * most * scale, slope) + away;
    const [before, after] = [Math.min(mask.before, reach), Math.min(mask.after, reach)];
    const of = { q: queries, k: keys, v: heldMatrix(context, v, leading), n: last - first, m, d, dv };
    const { rowMaxima: tops, rowSums: sums } = run({
      ...of,
      scale,
      slope,
      first,
      before,
      after,
      visible: mask.visible,
    });
    context.summaries.storeSums(weights, leading, first, tops, sums);
  };
}

/** exp(x) is 0 in float32 for x at or below this. */
const expUnderflow = -104;

/**
 * The largest distance beyond the nearest visible key at which a weight can be nonzero in float32, if all scores are within ±bound: the
 * bias falls by `slope` per position. Infinity if an operand is not finite.
 */
function nonzeroDistance(bound: number, slope: number): number {
  const reach = Math.ceil((2.001 * bound + 1 - expUnderflow) / slope);
  return Number.isFinite(reach) ? reach : Infinity;
}

/** The largest Euclidean norm of the rows; NaN if a row has a NaN. */
function largestNorm(values: Float32Array, d: number): number {
  let most = 0;
  for (let row = 0; row < values.length; row += d) {
    let sum = 0;
    for (let c = row; c < row + d; c++) sum += (values[c] as number) * (values[c] as number);
    if (!(sum <= most)) most = sum;
    if (Number.isNaN(sum)) break;
  }
  return Math.sqrt(most);
}
