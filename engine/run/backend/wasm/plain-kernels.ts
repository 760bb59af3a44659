import { exp } from '../../../math';
import type { AttentionResult, AttentionOperands, MatmulOperands, SoftmaxOperands } from './types';

/** The kernels in plain JavaScript, for hosts that refuse WebAssembly: sums in float64 in index order, results rounded to float32. */
export const plainKernels = { matmul, softmax, attention };

// a: n×k, b: k×m (m×k when transposed), out: n×m
function matmul({ a, b, n, k, m, transposed = false }: MatmulOperands<Float32Array>): Float32Array {
  const out = new Float32Array(n * m);
  const [along, across] = transposed ? [1, k] : [m, 1];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let sum = 0;
      for (let t = 0; t < k; t++) sum += (a[i * k + t] as number) * (b[j * across + t * along] as number);
      out[i * m + j] = sum;
    }
  }
  return out;
}

// x, mask, out: n×m
function softmax({ x, n, m, scale = 1, mask, fill = -Infinity }: SoftmaxOperands<Float32Array>): Float32Array {
  const out = new Float32Array(n * m);
  for (let i = 0; i < n * m; i++) out[i] = mask?.[i] ? fill : (x[i] as number) * scale;
  for (let i = 0; i < n; i++) softmaxRow(out.subarray(i * m, (i + 1) * m));
  return out;
}

function softmaxRow(row: Float32Array): void {
  let top = -Infinity;
  for (const x of row) if (x > top) top = x;
  let sum = 0;
  for (let j = 0; j < row.length; j++) sum += row[j] = exp(Math.fround((row[j] as number) - top));
  for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) / sum;
}

function attention(
  { q, k, v, n, m, d, dv, ...softened }: AttentionOperands<Float32Array>,
  weights: boolean,
): AttentionResult {
  const scores = matmul({ a: q, b: k, n, k: d, m, transposed: true });
  const shares = softmax({ ...softened, x: scores, n, m });
  const output = matmul({ a: shares, b: v, n, k: m, m: dv });
  return weights ? { output, weights: shares } : { output };
}
