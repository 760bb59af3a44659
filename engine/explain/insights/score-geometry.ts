import { offsetOf, type AttentionTrace } from '../../run';
import { allValues, findStep } from './trace-values';

/** The geometry of a score: q·k = |q|·|k|·cos θ. */
export interface ScoreGeometry {
  readonly queryNorm: number;
  readonly keyNorm: number;
  /** −1 to 1; NaN when one of the vectors is zero. */
  readonly cosine: number;
  readonly product: number;
}

/** The geometry of the query and key of a score; undefined where scores were given. `index` as in `trace.value`. */
export function scoreGeometryAt(trace: AttentionTrace, index: readonly number[]): ScoreGeometry | undefined {
  const step = findStep(trace, 'scores');
  const [qId, kId] = step?.call.op === 'matmul' ? step.operands : [];
  if (qId === undefined || kId === undefined) return undefined;
  const [i = 0, j = 0] = index.slice(-2);
  const lead = index.slice(0, -2);
  const [q, k] = [rowAt(trace, qId, [...lead, i, 0]), rowAt(trace, kId, [...lead, j, 0])];
  const product = q.reduce((sum, x, t) => sum + x * (k[t] ?? NaN), 0);
  const [queryNorm, keyNorm] = [norm(q), norm(k)];
  return { queryNorm, keyNorm, cosine: product / (queryNorm * keyNorm), product };
}

function rowAt(trace: AttentionTrace, id: string, index: readonly number[]): Float64Array {
  const values = allValues(trace, id) ?? new Float64Array();
  const shape = findStep(trace, id)?.shape ?? [];
  const start = offsetOf(shape, index.slice(-shape.length));
  return values.subarray(start, start + (shape.at(-1) ?? 0));
}

const norm = (row: Float64Array): number => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
