/** An attention that was found in a program's graph. */
import type { Node } from '../tensor';
import type { SoftmaxSite } from './softmax';

export type PartName =
  | 'x' | 'context' | 'wq' | 'wk' | 'wv' | 'bq' | 'bk' | 'bv'
  | 'q' | 'k' | 'v' | 'scores' | 'scaled' | 'mask' | 'masked' | 'weights' | 'attended' | 'wo' | 'bo' | 'output'; // prettier-ignore

export interface Attention {
  readonly site: SoftmaxSite;
  /** What each part is in the graph. */
  readonly parts: Readonly<Partial<Record<PartName, Node>>>;
  /** Rows of weights times V, or V times columns of weights: over which axis of the weights a softmax is to run, counted from the end. */
  readonly keys: 'rows' | 'columns';
  /** Whether softmax sums to 1 over the keys of each query; undefined where that does not follow. */
  readonly normalised: boolean | undefined;
  /** The last node that belongs to it. */
  readonly last: Node;
  readonly heads: number | undefined;
  /** The axes of queries and keys in the weights, where they are not the last two: `ibhd,jbhd->ijbh`. */
  readonly apart?: readonly [queries: readonly number[], keys: readonly number[]];
  /** Where the walk starts: X, a context, or Q, K and V that no layer made. */
  readonly starts: readonly Node[];
  /** Of one whose sizes stand in, what was read with their names. */
  readonly named?: Attention;
  /** Of one whose sizes stand in, what the code itself computes there: too large to be given in numbers. */
  readonly own?: Attention;
  /** The product that a weight or bias is for. */
  readonly layers: ReadonlyMap<PartName, Node>;
}
