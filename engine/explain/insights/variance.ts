import type { AttentionTrace } from '../../run';
import { allInParts, cellsAtOnce, find } from './find';
import { atOnce, type Parts } from './parts';

/** Population variance (NumPy's `var()`), of the finite values, in their order: two passes, and nothing is copied. */
export const variance = (values: Float64Array): number => atOnce(varianceParts(values));

/** The same, a part at a time. */
function* varianceParts(values: Float64Array): Parts<number> {
  let [sum, count, squares] = [0, 0, 0];
  for (const part of stretches(values)) {
    for (const x of part) {
      if (!Number.isFinite(x)) continue;
      sum += x;
      count++;
    }
    yield;
  }
  const mean = sum / count;
  for (const part of stretches(values)) {
    for (const x of part) if (Number.isFinite(x)) squares += (x - mean) * (x - mean);
    yield;
  }
  return squares / count;
}

/** Views of some thousand values each. */
function* stretches(values: Float64Array): Generator<Float64Array> {
  for (let at = 0; at < values.length; at += cellsAtOnce) yield values.subarray(at, at + cellsAtOnce);
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
    variances.push(yield* varianceParts(values));
  }
  const [query = NaN, key = NaN, scores = NaN, scaled = NaN] = variances;
  const dK = find(trace, qId)?.shape.at(-1) ?? 0;
  return { query, key, scores, scaled, predictedForUnitVariance: dK, predicted: dK * query * key };
}
