import { decodeNumber, type AttentionTrace, type SpecNumber } from '../../../engine/index';
import type { Pair } from './double-double';

/** What is compared here in float16 and bfloat16: none; test/engine/half.test.ts does. */
export type DType = 'float32' | 'float64' | 'float16' | 'bfloat16';

/** A step's values, row-major, and how far each may be from what exact arithmetic on the spec's numbers would give. */
export interface Cells {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly error: Float64Array;
}

/**
 * What a step should be, given its operands as the trace has them.
 * `rule` says how near: `exact`; `ulp`: within 1 ulp of the correctly rounded value; `bound`: within `local`.
 */
export interface Made {
  readonly shape: readonly number[];
  readonly exact: readonly Pair[];
  readonly rule: 'exact' | 'ulp' | 'bound';
  /** Allowed distance from `exact`, for `bound`. */
  readonly local?: Float64Array;
  /** What the errors of the operands can do to this step. */
  readonly spread: Float64Array;
}

/** 2⁻⁵² or 2⁻²³: the distance from 1 to the next number. */
export const epsilon = (dtype: DType): number =>
  ({ float64: 2 ** -52, float32: 2 ** -23, float16: 2 ** -10, bfloat16: 2 ** -7 })[dtype];

/** The smallest number above zero. */
export const tiniest = (dtype: DType): number =>
  ({ float64: 2 ** -1074, float32: 2 ** -149, float16: 2 ** -24, bfloat16: 2 ** -133 })[dtype];

export const round = (x: number, dtype: DType): number => (dtype === 'float32' ? Math.fround(x) : x);

/** The distance from |x| to the next number of the dtype above it. */
export function ulp(x: number, dtype: DType): number {
  const lowest = dtype === 'float32' ? -126 : -1022;
  if (x === 0) return tiniest(dtype);
  let exponent = Math.max(lowest, Math.floor(Math.log2(Math.abs(x))));
  if (2 ** exponent > Math.abs(x)) exponent = Math.max(lowest, exponent - 1);
  return Math.max(tiniest(dtype), 2 ** exponent * epsilon(dtype));
}

export const size = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** `[batch, head, row, column]` of a flat position. */
export function indexOf(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (let axis = shape.length - 1, rest = flat; axis >= 0; axis--) {
    const length = shape[axis] ?? 1;
    index.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return index;
}

export function valuesOf(trace: AttentionTrace, id: string, shape: readonly number[]): Float64Array {
  return Float64Array.from({ length: size(shape) }, (_, i) => trace.value(id, indexOf(i, shape)));
}

export type Nested = readonly (SpecNumber | Nested)[];

/** Nested lists as a fixture or a spec has them, rounded to the dtype. */
export function readNested(nested: Nested, dtype: DType): { shape: number[]; values: Float64Array } {
  const shape: number[] = [];
  for (let level: Nested | SpecNumber | undefined = nested; Array.isArray(level); level = level[0])
    shape.push(level.length);
  const flat = nested.flat(8) as SpecNumber[];
  return { shape, values: Float64Array.from(flat, (x) => round(decodeNumber(x), dtype)) };
}
