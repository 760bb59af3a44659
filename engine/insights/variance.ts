import type { AttentionTrace } from '../trace';
import { allOf, find } from './find';

/** Population variance (NumPy's `var()`), of the finite values, in their order: two passes, and nothing is copied. */
export function variance(values: Float64Array): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (!Number.isFinite(x)) continue;
    sum += x;
    count++;
  }
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (Number.isFinite(x)) squares += (x - mean) * (x - mean);
  }
  return squares / count;
}

export interface ScoreVariance {
  readonly query: number;
  readonly key: number;
  readonly scores: number;
  readonly scaled: number;
  /** d_k: the variance of a sum of d_k products of independent unit-variance numbers (Vaswani et al. 2017, footnote 4). */
  readonly predictedForUnitVariance: number;
  /** d_k·var(Q)·var(K): the same for the variances that Q and K have. */
  readonly predicted: number;
}

/** Variance of the scores before and after scaling, against what theory predicts; undefined without Q and K. */
export function scoreVariance(trace: AttentionTrace): ScoreVariance | undefined {
  const scoresStep = find(trace, 'scores');
  const [qId, kId] = scoresStep?.operands ?? [];
  const [q, k] = [qId, kId].map((id) => (id === undefined ? undefined : allOf(trace, id)));
  const [scores, scaled] = [allOf(trace, 'scores'), allOf(trace, 'scaled')];
  if (!q || !k || !scores || !scaled || qId === undefined) return undefined;
  const dK = find(trace, qId)?.shape.at(-1) ?? 0;
  const [query, key] = [variance(q), variance(k)];
  return {
    query,
    key,
    scores: variance(scores),
    scaled: variance(scaled),
    predictedForUnitVariance: dK,
    predicted: dK * query * key,
  };
}
