import { valuesOf } from '../hash';
import { log } from '../math';
import type { AttentionTrace } from '../trace';
import { find } from './find';

export interface RowSharpness {
  readonly head: number;
  readonly row: number;
  /** −Σ p·log p in nats: 0 when one key has all the weight, log m when all are equal. */
  readonly entropy: number;
  readonly largest: number;
  readonly largestAt: number;
  /** √Σ J², J the row's softmax Jacobian: 0 when saturated, so that no gradient passes. */
  readonly jacobianNorm: number;
}

/** Entropy, largest weight and Jacobian norm of every row of the weights. */
export function rowSharpness(trace: AttentionTrace): RowSharpness[] {
  const step = find(trace, 'weights');
  if (!step) return [];
  const values = valuesOf(trace, step);
  const [n, m] = [step.shape.at(-2) ?? 0, step.shape.at(-1) ?? 0];
  return Array.from({ length: values.length / m }, (_, i) => {
    const p = values.subarray(i * m, (i + 1) * m);
    return { head: Math.floor(i / n), row: i % n, ...sharpness(p) };
  });
}

/** Of one row of weights. */
export function sharpness(p: Float64Array): Omit<RowSharpness, 'head' | 'row'> {
  let [entropy, largestAt] = [0, 0];
  for (let j = 0; j < p.length; j++) {
    const x = p[j] as number;
    if (x > 0) entropy -= x * log(x);
    if (x > (p[largestAt] as number)) largestAt = j;
  }
  const largest = p[largestAt] ?? NaN;
  return { entropy, largest, largestAt, jacobianNorm: jacobianNorm(p, largest, largestAt) };
}

/**
 * √(Σ_i (p_i(1 − p_i))² + Σ_(i≠j) (p_i·p_j)²). The largest weight is kept apart, so that nothing cancels when it is near 1; its
 * 1 − p is the sum of the others.
 */
function jacobianNorm(p: Float64Array, largest: number, largestAt: number): number {
  let [others, squares, fourths, diagonal] = [0, 0, 0, 0];
  for (let j = 0; j < p.length; j++) {
    if (j === largestAt) continue;
    const x = p[j] as number;
    others += x;
    squares += x * x;
    fourths += x * x * x * x;
    diagonal += x * (1 - x) * (x * (1 - x));
  }
  diagonal += largest * others * (largest * others);
  return Math.sqrt(diagonal + 2 * largest * largest * squares + Math.max(0, squares * squares - fourths));
}

/** The softmax Jacobian of one row of weights, m×m: p_i(1 − p_i) on the diagonal, −p_i·p_j elsewhere. */
export function softmaxJacobian(p: ArrayLike<number>): Float64Array {
  const m = p.length;
  const out = new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    const pi = p[i] as number;
    for (let j = 0; j < m; j++) out[i * m + j] = i === j ? pi * (1 - pi) : -pi * (p[j] as number);
  }
  return out;
}
