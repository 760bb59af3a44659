/** Specs for matrices, by what they start from; used for selections and files. */
import { t } from '../text';
import { matrixDefaults, type AttentionSpec, type Projections, type SpecHeads } from '../spec';

type Labels = Pick<AttentionSpec, 'labels'>;

/** Labels of queries and keys, if any. */
export const labelsFrom = (queries: readonly string[] | undefined, keys: readonly string[] | undefined): Labels =>
  queries || keys ? { labels: { ...(queries ? { queries } : {}), ...(keys ? { keys } : {}) } } : {};

interface OfQkv {
  readonly q: SpecHeads;
  readonly k: SpecHeads;
  readonly v: SpecHeads | undefined;
  readonly heads: number;
  readonly kvHeads: number;
}

export const specOfQkv = ({ q, k, v, heads, kvHeads }: OfQkv): AttentionSpec => ({
  ...matrixDefaults,
  start: { from: 'qkv', q, k, ...(v ? { v } : {}) },
  heads,
  ...(kvHeads === heads ? {} : { kvHeads }),
});

interface OfScores {
  readonly scores: SpecHeads;
  readonly v: SpecHeads | undefined;
  readonly heads: number;
  readonly dK: number;
  /** Whether the scores are already divided by √d_k. */
  readonly divided: boolean;
}

export const specOfScores = ({ scores, v, heads, dK, divided }: OfScores): AttentionSpec => ({
  ...matrixDefaults,
  start: { from: 'scores', scores, dK, ...(v ? { v } : {}) },
  heads,
  scale: divided ? 'none' : 'sqrt_d_k',
});

export const specOfWeights = (weights: SpecHeads, v: SpecHeads, heads: number): AttentionSpec => ({
  ...matrixDefaults,
  start: { from: 'weights', weights, v },
  heads,
});

/** Q = K = V = X, or K and V from a context. */
export const specOfX = (x: SpecHeads, context?: SpecHeads): AttentionSpec => ({
  ...matrixDefaults,
  start: { from: 'x', x, ...(context ? { context } : {}) },
});

export const specOfWeighted = (
  x: AttentionSpec,
  given: Omit<Extract<Projections, { from: 'given' }>, 'from'>,
  convention: AttentionSpec['convention'],
): AttentionSpec => ({ ...x, projections: { from: 'given', ...given }, convention });

/** `Q, V without K` */
export const withoutWords = (have: readonly string[], missing: readonly string[]): string =>
  t('{0} without {1}', have.join(', ') || t('nothing'), missing.join(', '));
