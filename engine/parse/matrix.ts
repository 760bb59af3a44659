import type { Problem, TextRange } from '../text';

/** What a name says about the part a matrix plays; `xi` is one token's vector (`x_3`, with its index). */
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

/** A matrix as it stands in a text: 1 to 4 dimensions, values row-major. */
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
  /** An expression around the literal that is not computed: `* 0.5`, `.T`. */
  readonly expression?: TextRange;
  /** Of what was computed or drawn rather than written out: `X @ W_q, lines 3 and 7`. */
  readonly derivation?: string;
  /** What was done to the digits as printed: `each number times 1000, as the line above the matrix says`. */
  readonly notes?: readonly string[];
}

/** A place where a matrix was attempted: it became one, or it has problems. */
export interface Candidate {
  readonly matrix?: ParsedMatrix;
  readonly problems: readonly Problem[];
  readonly name?: string;
  readonly role?: MatrixRole;
  /** From the name, if any, to the end of the call. */
  readonly whole: TextRange;
  /** Whether its writer plainly meant a matrix (a role, a constructor, rows of numbers), not a citation or an index. */
  readonly plain: boolean;
}
