/** What is known so far of the blocks of a tile, row-major: `sum` over the finite values, and how many of these there are. */
export interface Pooled {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  readonly finite: Uint32Array;
  readonly nan: Uint32Array;
  readonly masked: Uint32Array;
}
