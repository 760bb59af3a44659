import type { CodeLine } from '../../operations';
import type { Step } from '../../plan';
import type { Token } from '../../text';
import type { AttentionSpec } from '../../spec';

/** What a line of the program may refer to. */
export interface Line extends CodeLine {
  readonly spec: AttentionSpec;
  readonly step: Step;
  readonly tokens: readonly Token[];
}

/** How one library writes what is around operations, each of which says itself how it is written (`engine/operations/`). */
export type Dialect = {
  readonly name: 'NumPy' | 'PyTorch';
  /** `dtype = np.float64` */
  readonly dtype: (dtype: AttentionSpec['dtype']) => string;
  /** How many digits are printed. */
  readonly print: (digits: number) => string;
  /** An array of the dtype from nested lists. */
  readonly array: (list: string) => string;
  /** An array of truth values from an array of numbers of whatever kind. */
  readonly integers: (list: string) => string;
  /** A float64 NumPy array or PyTorch tensor, made by the generator's own library, as an array of the dtype. */
  readonly from: (values: string, library: 'numpy' | 'torch') => string;
  /** Functions of NumPy or PyTorch with the same name and meaning: `np`, `torch`. */
  readonly module: string;
  readonly library: 'numpy' | 'torch';
};

/** In parentheses where a method would otherwise apply to the last term alone. */
export const grouped = (values: string): string => (values.includes(' / ') ? `(${values})` : values);
