import { exp, roundTo, type Precision } from '../../math';

/** A softmax that does not subtract the maximum, computed exactly as the formula says. */
export interface NaiveSoftmax {
  readonly exponentials: readonly number[];
  readonly sum: number;
  /** NaN where the sum is infinite (∞/∞) or 0 (0/0). */
  readonly weights: readonly number[];
}

/** exp(xᵢ) / Σ exp(xⱼ) with every operation rounded to `dtype`, overflows included. */
export function naiveSoftmax(row: ArrayLike<number>, dtype: Precision): NaiveSoftmax {
  const round = roundTo(dtype);
  const exponentials = Array.from(row, (x) => round(exp(round(x))));
  const sum = exponentials.reduce((total, x) => round(total + x), 0);
  return { exponentials, sum, weights: exponentials.map((x) => round(x / sum)) };
}
