import type { Generator } from '../random/index';
import type { DType } from '../math/tensor';
import type { EncodingName } from '../tokens/encodings';

/** A JSON-safe number: JSON has no infinities, NaN or negative zero, so those are strings. */
export type SpecNumber = number | 'inf' | '-inf' | 'nan' | '-0';

/** Rows of a matrix, each of the same length. */
export type SpecMatrix = readonly (readonly SpecNumber[])[];

/** A matrix; one for each head; or for each head of each input of a batch. For X and the context: one, or one for each input. */
export type SpecHeads = SpecMatrix | readonly SpecMatrix[] | readonly (readonly SpecMatrix[])[];

/** How a text is cut without a vocabulary. */
export type SplitterName = 'words' | 'characters' | 'bytes';

/** A bundled encoding, or the name of a local tokenizer.json or vocab.txt, which is shown and never read. */
export type VocabularyName = EncodingName | { readonly file: string };

/**
 * A token of a text: its id, and its UTF-16 offsets, half-open, in the order of the text. `written` where the token is not
 * called by those characters: [CLS], `##ing`, a byte of a character as `\xE2`. `special` marks what is no text: [CLS], <|endoftext|>.
 */
export type Piece = readonly [id: number, start: number, end: number, written?: string, special?: true];

/** Most tokens of a text: what is held beside n×m steps stays under a gigabyte, and a row of weights takes about 20 ms. */
export const tokenLimit = 131_072;

/** Where the computation begins. Everything before that point is absent from the plan. */
export type Start =
  /**
   * Text, split into tokens and embedded. Words: punctuation marks are tokens, white space is none. Characters: white space
   * included. Bytes: of UTF-8; the id is the byte, and a random table has rows up to the largest.
   */
  | { readonly from: 'text'; readonly text: string; readonly tokenizer: SplitterName }
  /**
   * Text whose tokens a vocabulary decides. With `pieces` the spec needs no vocabulary; `withPieces` fills them in. A random table
   * has a row for each distinct token, in order of first appearance; in a given one the id is the row.
   */
  | {
      readonly from: 'text';
      readonly text: string;
      readonly tokenizer: VocabularyName;
      readonly pieces?: readonly Piece[];
    }
  /** Token ids, embedded; random tables have as many rows as the largest id needs. */
  | { readonly from: 'ids'; readonly ids: readonly number[] }
  /** X: n tokens as rows, d_model columns. With a context (m×d_model), keys and values come from it: cross-attention. */
  | { readonly from: 'x'; readonly x: SpecHeads; readonly context?: SpecHeads }
  /** Q (n×d_k), K (m×d_k) and, if the walk goes past the weights, V (m×d_v); or one of each for every head. */
  | { readonly from: 'qkv'; readonly q: SpecHeads; readonly k: SpecHeads; readonly v?: SpecHeads }
  /** QKᵀ (n×m), not yet scaled; `dK` is what the scale divides by the root of. */
  | { readonly from: 'scores'; readonly scores: SpecHeads; readonly dK: number; readonly v?: SpecHeads }
  /** Attention weights (n×m) and V (m×d_v). */
  | { readonly from: 'weights'; readonly weights: SpecHeads; readonly v: SpecHeads };

/** The embedding table (vocabulary×d_model) when starting from text or ids. */
export type Embedding = { readonly from: 'random' } | { readonly from: 'given'; readonly table: SpecMatrix };

/**
 * How queries, keys and values come from X (ignored when starting from Q, K, V or later).
 * - `none`: Q = K = V = X
 * - `random`: W_q (d_model×h·d_k), W_k, W_v drawn from the spec's generator, divided by √d_model; biases, when asked for, likewise
 * - `given`: the matrices themselves, applied as `convention` says; biases are rows
 */
export type Projections =
  | { readonly from: 'none' }
  | { readonly from: 'random'; readonly dK: number; readonly dV: number; readonly bias?: boolean }
  | {
      readonly from: 'given';
      readonly wq: SpecMatrix;
      readonly wk: SpecMatrix;
      readonly wv: SpecMatrix;
      readonly bq?: readonly SpecNumber[];
      readonly bk?: readonly SpecNumber[];
      readonly bv?: readonly SpecNumber[];
    };

/** W_O (h·d_v×d_model) after the heads are concatenated, and its bias. */
export type OutputProjection =
  | { readonly from: 'none' }
  | { readonly from: 'random'; readonly bias?: boolean }
  | { readonly from: 'given'; readonly wo: SpecMatrix; readonly bo?: readonly SpecNumber[] };

/** `XW`: Q = X·W, W is d_model×d_k. `XWT`: Q = X·Wᵀ, W is d_k×d_model (`nn.Linear`; also W·x on column vectors). */
export type Convention = 'XW' | 'XWT';

/**
 * Where order enters: sines and cosines added to the embedding (Vaswani et al. 2017, section 3.5; tensor2tensor's
 * layout), learned rows added (random here, or given: n×d_model), rotations of Q and K (Su et al. 2021: adjacent pairs, or
 * halves as in GPT-NeoX and Llama), or a bias on the scores that grows with distance (Press et al. 2022).
 */
export type Positions =
  | 'none'
  | 'sinusoidal-interleaved'
  | 'sinusoidal-concatenated'
  | 'learned-random'
  | { readonly learned: SpecMatrix }
  | 'rope-interleaved'
  | 'rope-half'
  | 'alibi';

/** What the scores are divided by: √d_k (Vaswani et al. 2017, eq. 1), nothing, √d_model (a common mistake), or any number. */
export type Scale = 'sqrt_d_k' | 'none' | 'sqrt_d_model' | { readonly divideBy: number };

/**
 * Which keys a query may not see.
 * - `causal`: those after it; `alignment` says where query 0 stands when m ≠ n: beside key 0 (`start`, torch.tril) or so that
 *   the last query sees the last key (`end`, a decoder with a cache). Default `start`.
 * - `padding`: all keys from `visible` on
 * - `window`: those further than `size` away, and the later ones if `causal`
 * - `boolean`: `values` 0 or 1; `trueMeans` states the polarity (`hidden`: PyTorch's MultiheadAttention; `visible`:
 *   scaled_dot_product_attention)
 * - `additive`: added to the scaled scores, usually 0 and −inf
 *
 * Given values are n×m for all, or have the last dimensions of the scores: one matrix for each head (for each input, with one head
 * in a batch of X), or for each head of each input.
 */
export type Mask =
  | 'none'
  | 'causal'
  | { readonly kind: 'causal'; readonly alignment: 'start' | 'end' }
  | { readonly kind: 'padding'; readonly visible: number }
  | { readonly kind: 'window'; readonly size: number; readonly causal: boolean }
  | { readonly kind: 'boolean'; readonly values: SpecHeads; readonly trueMeans: 'hidden' | 'visible' }
  | { readonly kind: 'additive'; readonly values: SpecHeads };

/** Everything needed to get the same numbers again, anywhere. Plain JSON. */
export interface AttentionSpec {
  readonly version: 1;
  readonly dtype: DType;
  readonly start: Start;
  /** Width of a random embedding; where there is no X, also what √d_model and the width of a random W_O mean. */
  readonly dModel: number;
  readonly embedding?: Embedding;
  readonly positions: Positions;
  readonly projections: Projections;
  readonly convention: Convention;
  /** Query heads h. */
  readonly heads: number;
  /** Key and value heads; a divisor of `heads` (grouped-query attention; 1: multi-query). Default: `heads`. */
  readonly kvHeads?: number;
  readonly outputProjection?: OutputProjection;
  readonly scale: Scale;
  /** softcap·tanh(scores/softcap) before the mask (Gemma 2). */
  readonly softcap?: number;
  /** The scaled scores are divided by this once more before softmax. */
  readonly temperature?: number;
  readonly mask: Mask;
  /** What stands in a masked cell before the softmax; `min`: the dtype's lowest finite number. */
  readonly maskFill: '-inf' | 'min' | number;
  /** The weights of a row whose keys are all hidden with −inf: NaN (softmax in NumPy and PyTorch) or zero (some kernels). Default NaN. */
  readonly fullyMasked?: 'nan' | 'zero';
  /** Draws in the order in which the plan lists its random steps. A seed beyond 2^53 − 1 is a text of decimal digits, since JSON numbers are not exact there. */
  readonly random: { readonly generator: Generator; readonly seed: number | string };
  /** Names of the rows of X or Q (tokens), and of K and V where they differ. */
  readonly labels?: { readonly queries?: readonly string[]; readonly keys?: readonly string[] };
}

/** The defaults of the command, for text (issue: words, d_model 16, one head, d_k 8, …). Each is visible and changeable in the panel. */
export const textDefaults = {
  version: 1,
  dtype: 'float64',
  dModel: 16,
  positions: 'sinusoidal-interleaved',
  projections: { from: 'random', dK: 8, dV: 8 },
  convention: 'XW',
  heads: 1,
  scale: 'sqrt_d_k',
  mask: 'none',
  maskFill: '-inf',
  random: { generator: 'numpy.RandomState', seed: 0 },
} as const satisfies Omit<AttentionSpec, 'start'>;

/** The defaults for a matrix: no positions, Q = K = V = X. */
export const matrixDefaults = {
  ...textDefaults,
  positions: 'none',
  projections: { from: 'none' },
} as const satisfies Omit<AttentionSpec, 'start'>;

export function encodeNumber(x: number): SpecNumber {
  if (Number.isNaN(x)) return 'nan';
  if (x === Infinity) return 'inf';
  if (x === -Infinity) return '-inf';
  return Object.is(x, -0) ? '-0' : x;
}

export function decodeNumber(x: SpecNumber): number {
  if (typeof x === 'number') return x;
  return x === 'nan' ? NaN : x === 'inf' ? Infinity : x === '-inf' ? -Infinity : -0;
}

/** Row-major values to the rows of a spec. */
export function encodeMatrix(shape: readonly [number, number], values: ArrayLike<number>): SpecNumber[][] {
  const [rows, columns] = shape;
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => encodeNumber(values[i * columns + j] as number)),
  );
}
