import type { Result } from '../text';
import type { FileProblem, ReadProgress } from './source';

/** Bytes `start` to `end` − 1 of a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type TensorFormat = 'npy' | 'npz' | 'safetensors' | 'json' | 'csv' | 'live';

/** A tensor as the file's header describes it; its numbers are not read yet. */
export interface TensorEntry {
  /** Unique in its file. A `.npy` file has one, with an empty name. */
  readonly name: string;
  readonly shape: readonly number[];
  /** `float16`; the file's own name for a type that cannot be read. */
  readonly dtype: string;
  /** Range of its numbers in the file; of the compressed bytes in a `.npz`. */
  readonly byteRange: ByteRange;
  /** Row labels, where the file has them. */
  readonly labels?: readonly string[];
  /** Why its numbers cannot be read, in a file that is otherwise valid. */
  readonly problem?: FileProblem;
}

/** The part of a tensor to read; all of it by default. */
export interface TensorSlice {
  /** For each axis before rows and columns, the chosen index (which drops the axis) or `null` for all. */
  readonly index?: readonly (number | null)[];
  /** Rows `start` to `end` − 1, on the last axis but one. */
  readonly rows?: { readonly start: number; readonly end: number };
}

export interface TensorValues {
  /** Without the axes for which an index was chosen. */
  readonly shape: readonly number[];
  /** Row-major and converted exactly; exceptions are in `notes`. */
  readonly values: Float64Array;
  /** Caveats, one sentence each, such as integers that float64 cannot hold. */
  readonly notes: readonly string[];
}

/** A file of named tensors; only the requested bytes are read. */
export interface TensorFile {
  readonly format: TensorFormat;
  readonly tensors: readonly TensorEntry[];
  /** The text metadata of a safetensors file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Problems: unknown name, slice out of range, missing bytes, `cancelled`. */
  read(name: string, slice?: TensorSlice, watch?: ReadProgress): Promise<Result<TensorValues>>;
}

/** Most numbers in one read: 512 MB as float64. */
export const readLimit = 1 << 26;
/** Most tensors that one file may hold. */
export const tensorLimit = 100_000;
/** Most dimensions: NumPy allows 32, and safetensors files have no more in practice. */
export const rankLimit = 32;

/** Number of elements of a shape; NaN if float64 does not hold it as an integer. */
export function countOf(shape: readonly number[]): number {
  if (shape.includes(0)) return 0;
  const n = shape.reduce((a, b) => a * b, 1);
  return Number.isSafeInteger(n) ? n : NaN;
}
