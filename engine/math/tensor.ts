/** float64 as NumPy computes by default, float32 as PyTorch and TensorFlow do. */
export type DType = 'float64' | 'float32';

/** What the numbers of a spec are rounded to. Those of float16 and bfloat16 are held and computed in float32: see `half.ts`. */
export type Precision = DType | 'float16' | 'bfloat16';

/** A dense row-major array. `shape` has 1 to 4 dimensions; the last two are rows and columns, those before them batch and head. */
export interface Tensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: Float64Array | Float32Array;
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Bytes of all numbers of tensors of one precision. */
export const bytesOf = (dtype: Precision, tensors: readonly Pick<Tensor, 'shape'>[]): number =>
  (dtype === 'float64' ? 8 : 4) * tensors.reduce((sum, { shape }) => sum + sizeOf(shape), 0);

/** `6×8`, `2×4×6×6`; a scalar is `1`. */
export const formatShape = (shape: readonly number[]): string => (shape.length ? shape.join('×') : '1');

export function allocate(dtype: DType, shape: readonly number[]): Tensor {
  const n = sizeOf(shape);
  return { dtype, shape, data: dtype === 'float32' ? new Float32Array(n) : new Float64Array(n) };
}

/** A tensor over a copy of `values`, rounded to `dtype`. Throws (our bug, not a user's) when the count does not match the shape. */
export function tensor(dtype: DType, shape: readonly number[], values: ArrayLike<number>): Tensor {
  if (values.length !== sizeOf(shape))
    throw new Error(`tensor: ${values.length} values for shape ${formatShape(shape)}`);
  return { dtype, shape, data: dtype === 'float32' ? Float32Array.from(values) : Float64Array.from(values) };
}
