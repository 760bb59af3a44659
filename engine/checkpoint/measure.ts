import { ok, type Result } from '../text';
import { exp } from '../math';
import { runForward, type ForwardKernels, type LayerAttention } from './forward';
import type { Checkpoint } from './open';

/** How far a pass with the kernels is from the same pass with sums in float64. */
export interface Measured {
  /** First tokens of the text that were run twice. */
  readonly tokens: number;
  /** Largest difference of a weight, over all heads. */
  readonly weights: number;
  /** Largest difference of a score of the vocabulary, relative to the largest score; absent in a model without a head on it. */
  readonly logits?: number;
}

/** Enough to have sums over several keys; a pass in float64 is slow. */
const mostTokens = 8;

/** Runs the first tokens twice, with the kernels and with float64, and compares. Problems: those of `runForward`. */
export async function measureKernels(
  { architecture, weights }: Checkpoint,
  ids: readonly number[],
  kernels: ForwardKernels,
  cancelled: () => boolean,
): Promise<Result<Measured>> {
  const begin = ids.slice(0, mostTokens);
  const decoderIds = architecture.stacks.length > 1 ? [architecture.start ?? 0] : undefined;
  const through = async (own: ForwardKernels) => {
    const heads: (readonly Float32Array[])[] = [];
    const onAttention = (one: LayerAttention): void => void heads.push(one.weights);
    const options = { kernels: own, onAttention, cancelled, ...(decoderIds && { decoderIds }) };
    const result = await runForward(architecture, weights, begin, options);
    return result.ok ? ok({ cells: heads.flat(), logits: result.value.logits?.[0] }) : result;
  };
  const quick = await through(kernels);
  if (!quick.ok) return quick;
  const slow = await through(float64Kernels);
  if (!slow.ok) return slow;
  const { cells, logits } = slow.value;
  return ok({
    tokens: begin.length,
    weights: cells.reduce((most, exact, i) => Math.max(most, apart(quick.value.cells[i] ?? [], exact)), 0),
    ...(logits && { logits: apart(quick.value.logits ?? [], logits) / logits.reduce((a, x) => Math.max(a, Math.abs(x)), 0) }), // prettier-ignore
  });
}

const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let most = 0;
  for (let i = 0; i < b.length; i++) most = Math.max(most, Math.abs((a[i] as number) - (b[i] as number)));
  return most;
};

/** Sums in float64, in order; results are rounded to float32 as those of the kernels are. */
const float64Kernels: ForwardKernels = {
  matmul: ({ a, b, n, k, m, transposed = false }) => Float32Array.from(product(a as Float32Array, b as Float32Array, [n, k, m], transposed)), // prettier-ignore
  softmax: (o) => Float32Array.from(softmaxOf(o.x as Float32Array, o)),
  attention({ q, k, v, n, m, d, dv, ...o }) {
    const scores = product(q as Float32Array, k as Float32Array, [n, d, m], true);
    const weights = softmaxOf(scores, { n, m, ...o });
    return { output: Float32Array.from(product(weights, v as Float32Array, [n, m, dv], false)), weights: Float32Array.from(weights) }; // prettier-ignore
  },
};

type Numbers = Float32Array | Float64Array;

/** n×k by k×m, or by m×k if transposed. */
function product(a: Numbers, b: Numbers, [n, k, m]: readonly [number, number, number], transposed: boolean): Float64Array {
  const y = new Float64Array(n * m);
  const [down, across] = transposed ? [1, k] : [m, 1];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      let sum = 0;
      for (let t = 0; t < k; t++) sum += (a[i * k + t] as number) * (b[t * down + j * across] as number);
      y[i * m + j] = sum;
    }
  return y;
} // prettier-ignore

type SoftmaxShape = Omit<Parameters<ForwardKernels['softmax']>[0], 'x'>;

function softmaxOf(x: Numbers, { n, m, scale = 1, mask, fill = -Infinity }: SoftmaxShape): Float64Array {
  const y = Float64Array.from(x, (value, i) => (mask?.[i] ? fill : value * scale));
  for (let i = 0; i < n; i++) {
    const row = y.subarray(i * m, (i + 1) * m);
    const max = row.reduce((most, value) => Math.max(most, value), -Infinity);
    row.forEach((value, j) => (row[j] = exp(value - max)));
    const sum = row.reduce((a, value) => a + value, 0);
    row.forEach((value, j) => (row[j] = value / sum));
  }
  return y;
}
