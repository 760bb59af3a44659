import { offsetOf, type AttentionTrace } from '../../run';
import { allOf, find } from './find';

/** A score as geometry: q·k = |q|·|k|·cos θ. */
export interface Meeting {
  readonly queryNorm: number;
  readonly keyNorm: number;
  /** −1 to 1; NaN when one of the vectors is zero. */
  readonly cosine: number;
  readonly product: number;
}

/** The query and key that meet in a cell of the scores; undefined where the scores were given. `index` as in `trace.value`. */
export function meetingAt(trace: AttentionTrace, index: readonly number[]): Meeting | undefined {
  const [qId, kId] = find(trace, 'scores')?.operands ?? [];
  if (qId === undefined || kId === undefined) return undefined;
  const [i = 0, j = 0] = index.slice(-2);
  const lead = index.slice(0, -2);
  const [q, k] = [rowAt(trace, qId, [...lead, i, 0]), rowAt(trace, kId, [...lead, j, 0])];
  const product = q.reduce((sum, x, t) => sum + x * (k[t] ?? NaN), 0);
  const [queryNorm, keyNorm] = [norm(q), norm(k)];
  return { queryNorm, keyNorm, cosine: product / (queryNorm * keyNorm), product };
}

function rowAt(trace: AttentionTrace, id: string, index: readonly number[]): Float64Array {
  const values = allOf(trace, id) ?? new Float64Array();
  const shape = find(trace, id)?.shape ?? [];
  const start = offsetOf(shape, index.slice(-shape.length));
  return values.subarray(start, start + (shape.at(-1) ?? 0));
}

const norm = (row: Float64Array): number => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
