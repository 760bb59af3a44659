// What the kernels take and give back, whichever build runs.

/** Room for numbers in the kernels' own memory (`hold`): as an operand it is not copied. */
export interface Held {
  readonly length: number;
  /** A view, good until the next call: memory that grows moves. */
  values(): Float32Array;
}

export type Operand = Float32Array | Held;

export interface MatmulOperands<T = Operand> {
  /** n×k. */
  readonly a: T;
  /** k×m; m×k when `transposed`. */
  readonly b: T;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  /** a·bᵀ: no transpose is made. */
  readonly transposed?: boolean;
}

interface Softened {
  /** What scores are multiplied by; 1 when left out. */
  readonly scale?: number;
  /** n×m; what is not 0 hides: the cell is `fill` before the softmax. */
  readonly mask?: Uint8Array;
  /** −∞ when left out. */
  readonly fill?: number;
}

export interface SoftmaxOperands<T = Operand> extends Softened {
  /** n×m. */
  readonly x: T;
  readonly n: number;
  readonly m: number;
}

export interface AttentionOperands<T = Operand> extends Softened {
  /** n×d. */
  readonly q: T;
  /** m×d. */
  readonly k: T;
  /** m×dv. */
  readonly v: T;
  readonly n: number;
  readonly m: number;
  readonly d: number;
  readonly dv: number;
}

export interface Attended {
  /** n×dv. */
  readonly output: Float32Array;
  /** n×m. */
  readonly weights?: Float32Array;
}

export interface SurveyOperands<T = Operand> extends Pick<
  AttentionOperands<T>,
  'q' | 'k' | 'v' | 'n' | 'm' | 'd' | 'dv' | 'scale'
> {
  /** Of linear biases: −slope·|i − j| is added to the scores. None when left out. */
  readonly slope?: number;
  /** Which query the first row is: a multiple of 2^level. */
  readonly first: number;
  /** Query i sees keys i − before … i + after, of the first `visible`. Infinity for no bound. */
  readonly before: number;
  readonly after: number;
  readonly visible: number;
  /** Cells are pooled 2^level × 2^level. When left out, none is, and keys far from those that are seen take no time. */
  readonly level?: number;
}

/**
 * What is known of blocks: for each block 3 float64, of which the second is the sum; 6 float32, the first two the minimum and the
 * maximum; 6 uint32, the last two how many cells are finite and how many NaN. For each 2^level rows a row of blocks of all scores (times
 * scale), one of those that are seen, one of the weights.
 */
export interface Tallies {
  readonly limits: Float32Array;
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

export interface Surveyed {
  /** n×dv. */
  readonly output: Float32Array;
  readonly tallies: Tallies;
  /** Each row's maximum, and the sum of exp(score − maximum). */
  readonly tops: Float32Array;
  readonly sums: Float32Array;
}
