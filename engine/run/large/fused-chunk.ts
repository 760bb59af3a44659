import type { CallOf } from '../../plan';
import type { Tensor } from '../../math';

/** The inputs of the fused kernel. Plain data, which can be sent to another worker. */
export interface FusedInputs {
  /** float32: q …×n×d, k …×m×d, v …×m×dv. */
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** Factor of the scores. */
  readonly scale: number;
  readonly mask: CallOf<'patternMask'>;
}

export interface FusedChunk {
  /** Leading index (batch, head) of the weights. */
  readonly leading: readonly number[];
  readonly rows: readonly [number, number];
  /** Scores and weights are pooled into blocks of 2^level × 2^level cells; without a level they are not pooled. */
  readonly level?: number;
}
