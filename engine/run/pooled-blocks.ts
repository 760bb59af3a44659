/**
 * Running statistics of the blocks of a tile, row-major: minimum, maximum, sum and count (`finite`) of the finite values, and the
 * number of NaN and of masked cells.
 */
export interface PooledBlocks {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  readonly finite: Uint32Array;
  readonly nan: Uint32Array;
  readonly masked: Uint32Array;
}
