// Operands and results of the kernels, the same for all builds.

/** Numbers in the kernels' own memory (from `allocate`). As an operand it is not copied. */
export interface WasmBuffer {
  readonly length: number;
  /** A view, valid until the next call: memory moves when it grows. */
  values(): Float32Array;
}

export type Operand = Float32Array | WasmBuffer;

export interface MatmulOperands<T = Operand> {
  /** n×k. */
  readonly a: T;
  /** k×m; m×k when `transposed`. */
  readonly b: T;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  /** Computes a·bᵀ without building the transpose. */
  readonly transposed?: boolean;
}

interface SoftmaxOptions {
  /** Factor of the scores; 1 when left out. */
  readonly scale?: number;
  /** n×m. A cell whose mask is not 0 is set to `fill` before the softmax. */
  readonly mask?: Uint8Array;
  /** −∞ when left out. */
  readonly fill?: number;
}

export interface SoftmaxOperands<T = Operand> extends SoftmaxOptions {
  /** n×m. */
  readonly x: T;
  readonly n: number;
  readonly m: number;
}

export interface AttentionOperands<T = Operand> extends SoftmaxOptions {
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

export interface AttentionResult {
  /** n×dv. */
  readonly output: Float32Array;
  /** n×m. */
  readonly weights?: Float32Array;
}

export interface PooledAttentionOperands<T = Operand> extends Pick<
  AttentionOperands<T>,
  'q' | 'k' | 'v' | 'n' | 'm' | 'd' | 'dv' | 'scale'
> {
  /** Slope of linear biases (ALiBi): −slope·|i − j| is added to the scores. None when left out. */
  readonly slope?: number;
  /** Position of the first row's query; a multiple of 2^level. */
  readonly first: number;
  /** Query i sees the keys i − before … i + after among the first `visible` keys. Infinity for no bound. */
  readonly before: number;
  readonly after: number;
  readonly visible: number;
  /** Cells are pooled into blocks of 2^level × 2^level. When left out, nothing is pooled, and keys that no query sees are skipped. */
  readonly level?: number;
}

/**
 * Statistics of blocks, as three views of the same bytes, 24 per block: float32 0 and 1 are the minimum and maximum (`limits`), float64 1
 * is the sum (`sums`), uint32 4 and 5 are the numbers of finite cells and of NaN (`counts`). For every 2^level rows there are three rows
 * of blocks: all scores (times scale), the visible scores, the weights.
 */
export interface BlockStats {
  readonly limits: Float32Array;
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

export interface PooledAttentionResult {
  /** n×dv. */
  readonly output: Float32Array;
  readonly blockStats: BlockStats;
  /** Each row's maximum, and the sum of exp(score − maximum). */
  readonly rowMaxima: Float32Array;
  readonly rowSums: Float32Array;
}
