import { exp, tanh } from '../math';
import type { Paced } from '../text';
import { spreadAt, type CapturedHead } from './read-head';

/** What is done otherwise than the file says, to find what a process did. */
export interface Variant {
  readonly scale?: number;
  readonly causal?: number | null;
  /** The mask as it is, not applied, or the other way round. */
  readonly mask?: 'none' | 'inverted';
}

/** A head in float64, with how far rounding can take a result of its type away from it. */
export interface ExactHead {
  /** n×m. A row whose keys are all hidden is NaN, as softmax gives. */
  readonly weights: Float64Array;
  /** n×d_v. */
  readonly out: Float64Array;
  /** Σ over keys of weight·|v|, n×d_v. */
  readonly mixed: Float64Array;
  /** For each query the largest Σ|q·k|·|scale| and |score| over the keys that it sees. */
  readonly sizes: Float64Array;
  readonly scores: Float64Array;
  /** For each column of V the sum of |v|. */
  readonly totals: Float64Array;
  /** Rows whose keys are all hidden, without a sink: softmax gives NaN. */
  readonly empty: readonly number[];
}

/** Computes a head row by row; each row is a part. */
export function* exactHead(head: CapturedHead, variant: Variant = {}): Paced<ExactHead> {
  const { n, m, v } = head;
  const [weights, out, mixed] = [new Float64Array(n * m), new Float64Array(n * v.columns), new Float64Array(n * v.columns)];
  const [sizes, scores, totals] = [new Float64Array(n), new Float64Array(n), new Float64Array(v.columns)];
  const empty: number[] = [];
  for (let j = 0; j < v.values.length; j++) totals[j % v.columns] = (totals[j % v.columns] as number) + Math.abs(v.values[j] as number); // prettier-ignore
  for (let i = 0; i < n; i++) {
    const row = weights.subarray(i * m, (i + 1) * m);
    const { size, largest, sees } = scoreRow(head, variant, i, row);
    sizes[i] = size;
    scores[i] = largest;
    if (!sees && head.sink === undefined) empty.push(i);
    softmaxRow(row, head.sink);
    mixRow(row, head, i, out, mixed);
    yield undefined;
  }
  return { weights, out, mixed, sizes, scores, totals, empty };
} // prettier-ignore

/** Fills a row with scores as softmax gets them. */
function scoreRow(head: CapturedHead, variant: Variant, i: number, row: Float64Array): { size: number; largest: number; sees: boolean } {
  const { about, q, k, scores, hidden, bias, m } = head;
  const scale = variant.scale ?? about.scale;
  const causal = variant.causal === undefined ? about.causal : variant.causal;
  const last = causal === null ? m : i + about.rows[0] + causal;
  let [size, largest, sees] = [0, 0, false];
  for (let j = 0; j < m; j++) {
    let [score, sum] = [0, 0];
    if (q && k)
      for (let c = 0; c < q.columns; c++) {
        const term = (q.values[i * q.columns + c] as number) * (k.values[j * k.columns + c] as number);
        score += term;
        sum += Math.abs(term);
      }
    score *= scale;
    if (scores) score = scores.values[i * m + j] as number;
    if (about.softcap !== null && !scores) score = about.softcap * tanh(score / about.softcap);
    if (bias && variant.mask !== 'none') score += spreadAt(bias, i, j);
    const flag = hidden !== undefined && variant.mask !== 'none' && (spreadAt(hidden, i, j) !== 0) !== (variant.mask === 'inverted');
    if (flag) score = about.fill === '-inf' ? -Infinity : about.fill;
    if (j > last) score = -Infinity;
    row[j] = score;
    if (score === -Infinity) continue;
    sees = true;
    size = Math.max(size, sum * Math.abs(scale));
    if (!flag) largest = Math.max(largest, Math.abs(score));
  }
  return { size, largest, sees };
} // prettier-ignore

/** A sink is one more term of the sum. */
function softmaxRow(row: Float64Array, sink = -Infinity): void {
  let top = sink;
  for (const score of row) if (!(score <= top)) top = score;
  let total = sink === -Infinity ? 0 : exp(sink - top);
  for (let j = 0; j < row.length; j++) total += row[j] = exp((row[j] as number) - top);
  for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) / total;
}

function mixRow(row: Float64Array, { v }: CapturedHead, i: number, out: Float64Array, mixed: Float64Array): void {
  for (let j = 0; j < row.length; j++) {
    const weight = row[j] as number;
    if (weight === 0) continue;
    for (let c = 0; c < v.columns; c++) {
      const term = weight * (v.values[j * v.columns + c] as number);
      const at = i * v.columns + c;
      out[at] = (out[at] as number) + term;
      mixed[at] = (mixed[at] as number) + Math.abs(term);
    }
  }
}
