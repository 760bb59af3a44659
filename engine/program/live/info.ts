/** What is known of a value of a running process, without its numbers. */
export type LiveInfo =
  | LiveTensorInfo
  /** A number, a truth value, a text or None. */
  | { readonly kind: 'value'; readonly type: string; readonly value: LiveScalar }
  /** A layer or another object, with what can be read of it without running anything. */
  | {
      readonly kind: 'object';
      readonly type: string;
      readonly module: string;
      readonly nn: boolean;
      readonly has: Readonly<Record<string, LiveInfo>>;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other'; readonly type: string };

export type LiveScalar = number | string | boolean | null;

export interface LiveTensorInfo {
  readonly kind: 'tensor';
  /** `torch`, `numpy`, `jax`, `tensorflow`, `cupy`, `array` (any other with `__array__`), `list`. */
  readonly library: string;
  readonly type: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
  readonly device?: string;
  /** The number type of the bytes that are read, where it is another. */
  readonly wire?: string;
  /** Why its numbers are not read. */
  readonly no?: string;
  /** The items of a short list or tuple. */
  readonly items?: readonly LiveScalar[];
}

/** A process that is stopped in a line of a text, with what its names are there. */
export interface Stopped {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly names: Readonly<Record<string, LiveInfo>>;
  /** Numbers by path (`q`, `self.w_q.weight`), in row-major order, as far as they were read. */
  readonly numbers: Readonly<Record<string, ArrayLike<number>>>;
}
