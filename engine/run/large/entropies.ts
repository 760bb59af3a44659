import { log } from '../../math/math';
import { matrixOf } from '../tile';
import { seenKeys } from './pattern';
import type { Road } from './road';
import { matrixAt, type Survey } from './survey';

/** Rows that are gone over at once. */
const stripeCells = 1 << 24;

/**
 * The entropy of every row of weights along a road, in float32, some rows at a time: log Σ exp(s − max) − Σ w·(s − max), where Σ w·s is the
 * query times what the weights make of the keys. NaN where nothing is seen, and where only one key is: there is no choice.
 */
export function* entropiesAlong(survey: Survey, road: Road, lead: readonly number[]): Generator<void, Float64Array> {
  const run = survey.own.survey;
  if (!run) throw new Error('the kernels survey nothing');
  const [[rows, m], d] = [matrixOf(road.weights.shape), matrixOf(road.q.shape)[1]];
  const [q, k] = [matrixAt(survey, road.q, lead), matrixAt(survey, road.k, lead)];
  const height = Math.max(12, Math.floor(stripeCells / m));
  const out = new Float64Array(rows).fill(NaN);
  for (let first = 0; first < rows; first += height) {
    const n = Math.min(height, rows - first);
    const queries = q.subarray(first * d, (first + n) * d);
    const of = { q: queries, k, v: k, n, m, d, dv: d, scale: road.scale, first, ...road.mask };
    const { output, tops, sums } = run(of);
    for (let i = 0; i < n; i++) {
      const [low, high] = seenKeys(road.mask, first + i, m);
      if (high - low < 2) continue;
      let mean = 0;
      for (let c = 0; c < d; c++) mean += (queries[i * d + c] as number) * (output[i * d + c] as number);
      out[first + i] = log(sums[i] as number) - (mean * road.scale - (tops[i] as number));
    }
    yield;
  }
  return out;
}
