import { log } from '../../math';
import { matrixShape } from '../tile';
import { visibleKeys } from './pattern-mask';
import type { FusedPath } from './fused-path';
import { heldMatrix, type OverviewContext } from './overview-context';

/** Cells of the rows that are computed in one call. */
const stripeCells = 1 << 24;

/**
 * The entropy (in nats) of every row of weights on a fused path, in float32. Yields between groups of rows. The formula is
 * log Σ exp(s − max) − Σ w·(s − max); Σ w·s is the query times the weighted sum of the keys, which the fused kernel gives with the keys in
 * place of the values. NaN for a row that sees no key or only one.
 */
export function* rowEntropies(
  context: OverviewContext,
  path: FusedPath,
  leading: readonly number[],
): Generator<void, Float64Array> {
  const run = context.wasm.pooledAttention;
  if (!run) throw new Error('the kernels context nothing');
  const [[rows, m], d] = [matrixShape(path.weights.shape), matrixShape(path.q.shape)[1]];
  const [q, k] = [heldMatrix(context, path.q, leading), heldMatrix(context, path.k, leading)];
  const height = Math.max(12, Math.floor(stripeCells / m));
  const out = new Float64Array(rows).fill(NaN);
  for (let first = 0; first < rows; first += height) {
    const n = Math.min(height, rows - first);
    const queries = q.subarray(first * d, (first + n) * d);
    const of = { q: queries, k, v: k, n, m, d, dv: d, scale: path.scale, first, ...path.mask };
    const { output, rowMaxima: tops, rowSums: sums } = run(of);
    for (let i = 0; i < n; i++) {
      const [low, high] = visibleKeys(path.mask, first + i, m);
      if (high - low < 2) continue;
      let mean = 0;
      for (let c = 0; c < d; c++) mean += (queries[i * d + c] as number) * (output[i * d + c] as number);
      out[first + i] = log(sums[i] as number) - (mean * path.scale - (tops[i] as number));
    }
    yield;
  }
  return out;
}
