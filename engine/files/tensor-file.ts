import type { Result } from '../text';
import type { FileProblem, Watch } from './source';

/** Bytes `start` to `end` − 1 of a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type TensorFormat = 'npy' | 'npz' | 'safetensors' | 'json' | 'csv';

/** A tensor as its file announces it; its numbers are not read yet. */
export interface TensorEntry {
  /** Unique in its file. A `.npy` file has one, with an empty name. */
  readonly name: string;
  readonly shape: readonly number[];
  /** `float16`; the file's own word where it is not read. */
  readonly dtype: string;
  /** Where its numbers stand in the file; compressed ones in a `.npz`. */
  readonly byteRange: ByteRange;
  /** Names of its rows, where the file has them. */
  readonly labels?: readonly string[];
  /** Why its numbers cannot be read, though the file is sound otherwise. */
  readonly problem?: FileProblem;
}

/** Which part of a tensor is read; all of it by default. */
export interface TensorSlice {
  /** For each axis before rows and columns, the index that is taken (the axis is then dropped) or `null` for all. */
  readonly index?: readonly (number | null)[];
  /** Rows `start` to `end` − 1 of the last axis but one. */
  readonly rows?: { readonly start: number; readonly end: number };
}

export interface TensorValues {
  /** Without the axes that an index was taken of. */
  readonly shape: readonly number[];
  /** Row-major, each converted exactly; what is not is in `notes`. */
  readonly values: Float64Array;
  /** What is to be known, one sentence each: integers that float64 does not hold. */
  readonly notes: readonly string[];
}

/** A file of named tensors, of which only the bytes that are asked for are read. */
export interface TensorFile {
  readonly format: TensorFormat;
  readonly tensors: readonly TensorEntry[];
  /** Texts that a safetensors file carries beside its tensors. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Problems: no tensor of this name, a slice outside of it, bytes that are not there, `cancelled`. */
  read(name: string, slice?: TensorSlice, watch?: Watch): Promise<Result<TensorValues>>;
}

/** Most numbers that are read at once: 512 MB as float64. */
export const readLimit = 1 << 26;
/** Most tensors that one file may hold. */
export const tensorLimit = 100_000;
/** NumPy has at most 32 dimensions, safetensors no more in practice. */
export const rankLimit = 32;

/** Count of numbers in a shape; NaN when it is no whole number that float64 holds. */
export function countOf(shape: readonly number[]): number {
  if (shape.includes(0)) return 0;
  const n = shape.reduce((a, b) => a * b, 1);
  return Number.isSafeInteger(n) ? n : NaN;
}
