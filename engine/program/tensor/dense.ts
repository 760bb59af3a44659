import type { DType } from './dtypes';

/** A tensor's values in row-major order. Every type's values are held as float64, in which each is exact (int64 up to 2^53). */
export interface Dense {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Row-major strides. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let i = shape.length - 2; i >= 0; i--) strides[i] = (strides[i + 1] as number) * (shape[i + 1] as number);
  return strides;
}

/** What was not computed although its operands are known: too much, or beyond what we hold. */
export class NotComputed extends Error {}
