import type { AttentionTrace } from '../../run';
import { allValuesInParts, cellsPerPart, findStep } from './trace-values';
import { runToEnd, type Parts } from './parts';

/** Population variance (NumPy's `var()`) of the finite values: two passes in index order, without a copy. */
export const variance = (values: Float64Array): number => runToEnd(varianceParts(values));

/** The same as pausable work. */
function* varianceParts(values: Float64Array): Parts<number> {
  let [sum, count, squares] = [0, 0, 0];
  for (const part of chunks(values)) {
    for (const x of part) {
      if (!Number.isFinite(x)) continue;
      sum += x;
      count++;
    }
    yield;
  }
  const mean = sum / count;
  for (const part of chunks(values)) {
    for (const x of part) if (Number.isFinite(x)) squares += (x - mean) * (x - mean);
    yield;
  }
  return squares / count;
}

/** Consecutive views of at most `cellsAtOnce` values. */
function* chunks(values: Float64Array): Generator<Float64Array> {
  for (let at = 0; at < values.length; at += cellsPerPart) yield values.subarray(at, at + cellsPerPart);
}

export interface ScoreVariance {
  readonly query: number;
  readonly key: number;
  readonly scores: number;
  readonly scaled: number;
  /** d_k: the variance of a sum of d_k products of independent unit-variance numbers (Vaswani et al. 2017, footnote 4). */
  readonly predictedForUnitVariance: number;
  /** d_k·var(Q)·var(K): the prediction for the actual variances of Q and K. */
  readonly predicted: number;
}

/** Variance of the scores before and after scaling, with the theoretical prediction; undefined without Q and K. */
export const scoreVariance = (trace: AttentionTrace): ScoreVariance | undefined => runToEnd(scoreVarianceParts(trace));

/** The same as pausable work. */
export function* scoreVarianceParts(trace: AttentionTrace): Parts<ScoreVariance | undefined> {
  const step = findStep(trace, 'scores');
  if (step?.call.op === 'additiveScores') return undefined;
  const [qId = '', kId = ''] = step?.operands ?? [];
  const variances: number[] = [];
  for (const id of [qId, kId, 'scores', 'scaled']) {
    const values = yield* allValuesInParts(trace, id);
    if (!values) return undefined;
    variances.push(yield* varianceParts(values));
  }
  const [query = NaN, key = NaN, scores = NaN, scaled = NaN] = variances;
  const dK = findStep(trace, qId)?.shape.at(-1) ?? 0;
  return { query, key, scores, scaled, predictedForUnitVariance: dK, predicted: dK * query * key };
}
