import type { DType, Half, RowPositions } from '../../math';
import type { CodeLine } from '../../operations';
import type { Step } from '../../plan';
import type { Token } from '../../text';
import type { AttentionSpec } from '../../spec';

/** The step that a line of the program computes, and the steps it may refer to. */
export interface Line extends CodeLine {
  readonly spec: AttentionSpec;
  readonly step: Step;
  readonly tokens: readonly Token[];
}

/** How one library writes everything except operations, which declare their own code (`engine/operations/`). */
export type Dialect = {
  readonly name: 'NumPy' | 'PyTorch';
  /** `dtype = np.float64` */
  readonly dtype: (dtype: DType) => string;
  /** A function `half` that rounds to float16 or bfloat16 what is held in float32. */
  readonly half: (precision: Half) => string;
  /** The statement that sets the number of printed digits. */
  readonly print: (digits: number) => string;
  /** An array of the dtype from nested lists. */
  readonly array: (list: string) => string;
  /** An array of integers from nested lists. */
  readonly integers: (list: string) => string;
  /** Converts a float64 NumPy array or PyTorch tensor, as the generator made it, to an array of the dtype. */
  readonly from: (values: string, library: 'numpy' | 'torch') => string;
  /** The module's name in code, for functions with the same name and meaning in both: `np`, `torch`. */
  readonly module: string;
  readonly library: 'numpy' | 'torch';
};

/** Adds parentheses around a quotient or a product, so that a method call applies to all of it. */
export const parenthesized = (values: string): string => (/ [/*] /.test(values) ? `(${values})` : values);

/** Whole numbers from 0 on. */
export const range = ({ module }: Dialect, count: number | string, dtype = 'float64'): string =>
  `${module}.arange(${count}, dtype=${module}.${dtype})`;

/** Converts float64 values to the program's dtype. */
export const rounded = ({ module }: Dialect, values: string): string =>
  `${values}${module === 'np' ? '.astype(dtype)' : '.to(dtype)'}`;

/** Positions of `count` rows as a column, …×count×1, from 0 on where nothing is said. */
export function column(dialect: Dialect, at: RowPositions | undefined, count: number, dtype = 'float64'): string {
  const m = dialect.module;
  if (at === undefined) return `${range(dialect, count, dtype)}[:, None]`;
  if (typeof at === 'number') return `${m}.arange(${at}, ${at + count}, dtype=${m}.${dtype})[:, None]`;
  const lists = at.map((list) => `[${list.join(', ')}]`);
  const values = lists.length === 1 ? lists.join() : `[${lists.join(', ')}]`;
  return `${m}.${m === 'np' ? 'array' : 'tensor'}(${values}, dtype=${m}.${dtype})[..., None]`;
}
