/** Attention part by part with at most one mistake in each; rows are computed when they are asked for. */
export { cell, complete, flipped, gridOf, isLight, isSameSize, matrixOf, settle, type Grid } from './grid';
export { walker, type Walk, type Walker } from './walker';
export type { Choice, Inputs, Next, Stage } from './stage';
