import type { Apart, Bucketing, DType, PositionsDtype, RowPositions, Tensor, Turning } from '../math';
import type { Weight } from '../models';
import { operations, type BackendCall, type OperationName, type Shape } from '../operations';

export { operationOf, operations, type BackendCall, type OnGpu, type OperationName } from '../operations';

/**
 * A call of an operation: what a backend is asked to do. Operations know nothing of attention.
 * Shapes: leading dimensions (batch, head) are equal in all operands; rows and columns come last.
 */
export type OperationCall = SourceCall | BackendCall;

/** Values that come from the spec or a generator: produced by the engine itself, never by a backend. */
export type SourceCall =
  /** Values given in the spec at this path. */
  | { readonly op: 'given'; readonly path: string }
  /** Weights of the spec's trained model. `path`: where the spec that is filled with them has them. */
  | { readonly op: 'weight'; readonly path: string; readonly weight: Weight }
  /** Token ids, n×1. With `rows` n×2: the second column is the id's row in the table, numbered by first appearance. */
  | { readonly op: 'tokens'; readonly rows: boolean }
  /**
   * Standard normal draws from the spec's generator, each divided by `divideBy`, or multiplied by `times`. `inFloat32`: draws and the other
   * number are float32, and so is the result before it is rounded further.
   */
  | {
      readonly op: 'random';
      readonly divideBy: number;
      readonly divideByLatex: string;
      readonly times?: number;
      readonly inFloat32?: true;
    }
  /** Vaswani et al. 2017, section 3.5 (interleaved), or tensor2tensor's layout (concatenated). `at`: where rows stand, else from 0 on. */
  | {
      readonly op: 'sinusoidal';
      readonly layout: 'interleaved' | 'concatenated';
      readonly at?: RowPositions;
      readonly dtype?: PositionsDtype;
    }
  /** cos (row 2i) and sin (row 2i + 1) of the position of row i times each pair's frequency, as RoPE needs them. [inputs×]2n×d/2 of the d columns that turn. */
  | { readonly op: 'rotations'; readonly at?: RowPositions; readonly turning?: Turning }
  /** −slope·|i − j| for each head, slope 2^(−8·head/h), heads from 1 (Press et al. 2022). [inputs×]h×n×m. `at`: where queries and keys stand. */
  | { readonly op: 'alibi'; readonly at?: Apart }
  /** The bucket of the distance of each query and key: see `bucketOf`. [inputs×]n×m. */
  | { readonly op: 'buckets'; readonly bucketing: Bucketing; readonly at?: Apart }
  /** 1 where hidden: column − row > `after`, or row − column > `before`, or column ≥ `visible`. */
  | { readonly op: 'patternMask'; readonly after: number; readonly before: number; readonly visible: number }
  /**
   * 1 where hidden, by a number for each key (and query), a list for all inputs or one for each: keys of 0 (`zero`), of 1 (`one`), or of another number than
   * the query's (`unequal`).
   */
  | ListMask
  /** A boolean mask of the spec as 1 (hidden) and 0. */
  | { readonly op: 'givenMask'; readonly path: string; readonly hiddenIs: 0 | 1 };

export interface ListMask {
  readonly op: 'listMask';
  readonly hides: 'zero' | 'one' | 'unequal';
  readonly keys: readonly (readonly number[])[];
  /** Of `unequal`. */
  readonly queries?: readonly (readonly number[])[];
}

export type SourceName = SourceCall['op'];
export type CallOf<O extends OperationCall['op']> = Extract<OperationCall, { op: O }>;

export const isSource = (call: OperationCall): call is SourceCall => !(call.op in operations);

/** Kernels of a synchronous backend: operands in, a new tensor of `shape` and `dtype` out. */
export type Kernels = {
  readonly [O in OperationName]: (call: CallOf<O>, operands: readonly Tensor[], shape: Shape, dtype: DType) => Tensor;
};
