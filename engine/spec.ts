import type { DType } from './tensor';

/** A JSON-safe number: JSON has no infinities, NaN or negative zero, so those are strings. */
export type SpecNumber = number | 'inf' | '-inf' | 'nan' | '-0';

/** Rows of a matrix, each of the same length. */
export type SpecMatrix = readonly (readonly SpecNumber[])[];

/** Where the computation begins. Everything before that point is absent from the plan. */
export type Start =
  /** Text, split into tokens and embedded. */
  | { readonly from: 'text'; readonly text: string; readonly tokenizer: 'words' | 'characters' }
  /** X: n tokens as rows, d_model columns. */
  | { readonly from: 'x'; readonly x: SpecMatrix }
  /** Q (n×d_k), K (m×d_k) and, if the walk goes past the weights, V (m×d_v). */
  | { readonly from: 'qkv'; readonly q: SpecMatrix; readonly k: SpecMatrix; readonly v?: SpecMatrix };

/**
 * How queries, keys and values come from X (ignored when starting from Q, K, V).
 * - `none`: Q = K = V = X
 * - `random`: W_q, W_k (d_model×d_k) and W_v (d_model×d_v) drawn from the spec's generator, divided by √d_model
 * - `given`: the matrices themselves, applied as `convention` says
 */
export type Projections =
  | { readonly from: 'none' }
  | { readonly from: 'random'; readonly dK: number; readonly dV: number }
  | { readonly from: 'given'; readonly wq: SpecMatrix; readonly wk: SpecMatrix; readonly wv: SpecMatrix };

/** `XW`: Q = X·W, W is d_model×d_k. `XWT`: Q = X·Wᵀ, W is d_k×d_model (`nn.Linear`; also W·x on column vectors). */
export type Convention = 'XW' | 'XWT';

export type Positions = 'none' | 'sinusoidal-interleaved' | 'sinusoidal-concatenated';

/** What the scores are divided by: √d_k (Vaswani et al. 2017, eq. 1), nothing, √d_model (a common mistake), or any number. */
export type Scale = 'sqrt_d_k' | 'none' | 'sqrt_d_model' | { readonly divideBy: number };

export type Mask = 'none' | 'causal';

/** Everything needed to get the same numbers again, anywhere. Plain JSON. */
export interface AttentionSpec {
  readonly version: 1;
  readonly dtype: DType;
  readonly start: Start;
  /** Width of the embedding; used only when starting from text. */
  readonly dModel: number;
  /** Used only when starting from text or X. */
  readonly positions: Positions;
  readonly projections: Projections;
  readonly convention: Convention;
  readonly heads: 1;
  readonly scale: Scale;
  readonly mask: Mask;
  /** What stands in a masked cell before the softmax. */
  readonly maskFill: '-inf' | -1e9;
  /** NumPy's legacy `np.random.seed(seed)`; draws in the order that the plan lists. */
  readonly random: { readonly generator: 'numpy.RandomState'; readonly seed: number };
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
