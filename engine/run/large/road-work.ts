import type { CallOf } from '../../plan/operations';
import type { Tensor } from '../../math/tensor';

/** What the rows of a road are computed from: plain data, which another worker can be sent. */
export interface RoadWork {
  /** float32, …×n×d, …×m×d and …×m×dv. */
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** The scores are multiplied by it. */
  readonly scale: number;
  readonly mask: CallOf<'patternMask'>;
}

export interface RoadPart {
  /** Leading index of the weights. */
  readonly lead: readonly number[];
  readonly rows: readonly [number, number];
  /** Cells are pooled 2^level × 2^level; not at all where there is none. */
  readonly level?: number;
}
