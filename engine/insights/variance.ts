import type { AttentionTrace } from '../trace';
import { allInParts, find } from './find';
import { atOnce, type Parts } from './parts';

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
export const scoreVariance = (trace: AttentionTrace): ScoreVariance | undefined => atOnce(scoreVarianceParts(trace));

/** The same, a part at a time. */
export function* scoreVarianceParts(trace: AttentionTrace): Parts<ScoreVariance | undefined> {
  const [qId = '', kId = ''] = find(trace, 'scores')?.operands ?? [];
  const variances: number[] = [];
  for (const id of [qId, kId, 'scores', 'scaled']) {
    const values = yield* allInParts(trace, id);
    if (!values) return undefined;
    variances.push(variance(values));
    yield;
  }
  const [query = NaN, key = NaN, scores = NaN, scaled = NaN] = variances;
  const dK = find(trace, qId)?.shape.at(-1) ?? 0;
  return { query, key, scores, scaled, predictedForUnitVariance: dK, predicted: dK * query * key };
}
