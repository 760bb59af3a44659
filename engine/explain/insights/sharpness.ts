import { valuesOf, type AttentionTrace } from '../../run';
import { exp, log } from '../../math';
import { findStep } from './trace-values';
import { softmaxOf } from './softmax';

export interface RowSharpness {
  readonly head: number;
  readonly row: number;
  /** −Σ p·log p in nats: 0 when one key has all the weight, log m when all m are equal. */
  readonly entropy: number;
  readonly largest: number;
  readonly largestAt: number;
  /** √Σ J², J being the row's softmax Jacobian: 0 when softmax is saturated and passes no gradient. */
  readonly jacobianNorm: number;
}

/** Entropy, largest weight and Jacobian norm of every row of the weights. */
export function rowSharpness(trace: AttentionTrace): RowSharpness[] {
  const step = findStep(trace, 'weights');
  if (!step) return [];
  const values = valuesOf(trace, step);
  const [n, m] = [step.shape.at(-2) ?? 0, step.shape.at(-1) ?? 0];
  return Array.from({ length: values.length / m }, (_, i) => {
    const p = values.subarray(i * m, (i + 1) * m);
    return { head: Math.floor(i / n), row: i % n, ...sharpness(p) };
  });
}

/** The same for one row of weights; NaN for a row with NaN. */
export function sharpness(p: Float64Array): Omit<RowSharpness, 'head' | 'row'> {
  if (p.some(Number.isNaN)) return { entropy: NaN, largest: NaN, largestAt: 0, jacobianNorm: NaN };
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
 * The same for softmax(row / divideBy), with one logarithm for the row: with z = x − max ≤ 0, e = exp(z) and S = Σ e, the entropy is
 * log S + Σ e·(−z) / S. No part of it is negative, so there is no cancellation.
 */
export function sharpnessOfLogits(row: Float64Array, divideBy: number): Omit<RowSharpness, 'head' | 'row'> {
  const p = new Float64Array(row.length);
  let largestAt = 0;
  for (let j = 0; j < p.length; j++) {
    const x = (p[j] = (row[j] as number) / divideBy);
    if (x > (p[largestAt] as number)) largestAt = j;
  }
  const max = p[largestAt] as number;
  let [others, spread] = [0, 0];
  for (let j = 0; j < p.length; j++) {
    const z = (p[j] as number) - max;
    const e = (p[j] = exp(z));
    if (j !== largestAt) others += e;
    // For z = −∞ the limit of e·z is 0; computed, it would be NaN.
    if (e > 0) spread -= e * z;
  }
  const sum = 1 + others;
  if (!Number.isFinite(max + sum)) return sharpness(softmaxOf(row, divideBy));
  for (let j = 0; j < p.length; j++) p[j] = (p[j] as number) / sum;
  const largest = p[largestAt] ?? NaN;
  return {
    entropy: logOfMore(others) + spread / sum,
    largest,
    largestAt,
    jacobianNorm: jacobianNorm(p, largest, largestAt),
  };
}

/** log(1 + x) for x ≥ 0, accurate even where 1 + x is rounded (Goldberg 1991, theorem 4). */
function logOfMore(x: number): number {
  const u = 1 + x;
  return u === 1 ? x : (log(u) * x) / (u - 1);
}

/**
 * √(Σ_i (p_i(1 − p_i))² + Σ_(i≠j) (p_i·p_j)²). For the largest weight, 1 − p is computed as the sum of the others: subtraction would cancel
 * when it is near 1.
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
