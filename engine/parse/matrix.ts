import type { Problem, TextRange } from '../text';

/** The role of a matrix, as its name tells. `xi` is one token's vector (`x_3`, with its index). */
export type MatrixRole =
  'q' | 'k' | 'v' | 'x' | 'xi' | 'wq' | 'wk' | 'wv' | 'wo' | 'bq' | 'bk' | 'bv' | 'bo' | 'mask' | 'bias';

/** How a literal was written. */
export type MatrixFormat =
  | 'brackets'
  | 'printed'
  | 'numpy'
  | 'torch'
  | 'tensorflow'
  | 'jax'
  | 'javascript'
  | 'table'
  | 'labelled-table'
  | 'matlab'
  | 'julia'
  | 'r'
  | 'braces'
  | 'rust'
  | 'go'
  | 'latex'
  | 'markdown'
  | 'delimited'
  | 'pandas';

/** A matrix in a text: 1 to 4 dimensions, values row-major. */
export interface ParsedMatrix {
  readonly name?: string;
  readonly role?: MatrixRole;
  /** 3 in `x_3`. */
  readonly index?: number;
  readonly shape: readonly number[];
  readonly values: Float64Array;
  /** As written, without the module: `float32`. */
  readonly dtype?: string;
  readonly format: MatrixFormat;
  /** The literal with its call: `np.array([[1, 2]])`. */
  readonly range: TextRange;
  readonly nameRange?: TextRange;
  readonly rowLabels?: readonly string[];
  readonly columnLabels?: readonly string[];
  /** An expression around the literal that is not evaluated: `* 0.5`, `.T`. */
  readonly expression?: TextRange;
  /** How the matrix was computed or drawn, if it is no literal: `X @ W_q, lines 3 and 7`. */
  readonly derivation?: string;
  /** Changes to the printed digits: `each number times 1000, as the line above the matrix says`. */
  readonly notes?: readonly string[];
}

/** An attempt to read a matrix: either a matrix or problems. */
export interface Candidate {
  readonly matrix?: ParsedMatrix;
  readonly problems: readonly Problem[];
  readonly name?: string;
  readonly role?: MatrixRole;
  /** From the name, if any, to the end of the call. */
  readonly whole: TextRange;
  /** Whether a matrix is clearly meant (a role, a constructor, rows of numbers), not a citation or an index. */
  readonly plain: boolean;
}
