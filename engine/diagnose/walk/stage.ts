import type { Part } from '../catalogue';
import type { Grid } from './grid';

/** What attention is computed from; a missing X or W means that Q, K and V were given. Weights are those of X·W. */
export interface Inputs {
  readonly q: Grid;
  readonly k: Grid;
  readonly v: Grid;
  readonly heads: number;
  readonly kvHeads: number;
  /** Of the scores, where it is not √d_k. */
  readonly divisor?: number;
  /** Whether query i does not see key j. */
  readonly hidden?: Grid;
  /** What stands in a hidden cell before softmax. */
  readonly fill: number;
  /** How many keys beside its own a query sees on each side that it sees. */
  readonly window?: { readonly reach: number; readonly causal: boolean };
  /** What the mask is for, where that is known. */
  readonly isCausal: boolean;
  /** With positions, without a norm. */
  readonly x?: Grid;
  /** Where positions are added to X. */
  readonly embedded?: Embedded;
  /** What keys and values are computed from, if not X. */
  readonly context?: Grid;
  readonly w?: Readonly<Record<Branch, Projection>>;
  readonly rope?: Rope;
  readonly wo?: Grid;
  readonly bo?: number[];
  readonly block?: Block;
}

export type Branch = 'q' | 'k' | 'v';

export interface Projection {
  readonly weight: Grid;
  readonly bias?: number[];
}

export interface Embedded {
  /** X before positions are added. */
  readonly given: Grid;
  readonly positions: Grid;
  /** Layout of sines and cosines; undefined for others. */
  readonly layout?: 'interleaved' | 'concatenated';
}

export interface Rope {
  readonly layout: 'half' | 'interleaved';
  readonly base: number;
  /** Position of query 0; keys count from 0. */
  readonly start: number;
}

export interface Block {
  readonly norm: 'before' | 'after' | 'none';
  readonly of: 'layer' | 'rms';
  readonly epsilon: number;
  readonly gains?: number[];
  readonly biases?: number[];
}

/** At most one mistake in each part. */
export type Choice = Readonly<Partial<Record<Part, string>>>;

/** The values after one part: a matrix for each head in `now`, and what later parts need. */
export interface Stage {
  /** What goes into attention; none where Q, K and V were given. */
  readonly x?: Grid;
  readonly normed?: Grid;
  readonly q: readonly Grid[];
  readonly k: readonly Grid[];
  readonly v: readonly Grid[];
  readonly now: readonly Grid[];
  /** A mask that is applied after softmax, and a divisor of the weights. */
  readonly hideAfter?: Grid;
  /** What then stands in hidden cells, if not 0. */
  readonly fillAfter?: number;
  readonly divideAfter?: number;
}

/** Undefined where shapes do not let a mistake happen, or the attention has not the part that it is in. */
export type Next = Stage | undefined;

export const roundsTo = (x: number, digits: number): number => {
  const unit = Number(`1e${digits}`);
  return Math.round(x * unit) / unit;
};
