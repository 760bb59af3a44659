import { encodeMatrix, encodeNumber, matrixDefaults, type AttentionSpec, type Mask } from '../spec';
import { spreadAt, type CapturedHead, type HeadMatrix } from './read-head';

const types: readonly string[] = ['float64', 'float32', 'float16', 'bfloat16'];

/** A head as a spec of its own: its Q, K and V, or its scores and V, with its scale, mask and cap. */
export function specOfCaptured(head: CapturedHead): AttentionSpec {
  const { about, q, k, v, scores, sink } = head;
  const matrix = ({ rows, columns, values }: HeadMatrix) => encodeMatrix([rows, columns], values);
  const dtype = (types.includes(about.dtype) ? about.dtype : 'float32') as AttentionSpec['dtype'];
  const common = { ...matrixDefaults, dtype, ...labelsOf(head), ...(sink !== undefined && { sink: { from: 'given', logits: [encodeNumber(sink)] } as const }) }; // prettier-ignore
  if (scores || !q || !k)
    return { ...common, start: { from: 'scores', scores: matrix(scores ?? v), dK: 1, v: matrix(v) }, scale: 'none' };
  return {
    ...common,
    start: { from: 'qkv', q: matrix(q), k: matrix(k), v: matrix(v) },
    scale: scaleOf(about.scale, q.columns),
    mask: maskOf(head),
    maskFill: about.fill,
    ...(about.softcap !== null && { softcap: about.softcap }),
  };
}

function scaleOf(scale: number, width: number): AttentionSpec['scale'] {
  if (scale === 1) return 'none';
  return Math.abs(scale * Math.sqrt(width) - 1) < 1e-15 ? 'sqrt_d_k' : { divideBy: 1 / scale };
}

/** One mask from up to three: keys that are hidden, numbers that are added, later keys. */
function maskOf({ about, n, m, hidden, bias }: CapturedHead): Mask {
  const { causal, rows } = about;
  const offset = causal === null ? m : causal + rows[0];
  if (!hidden && !bias && causal !== null && offset === 0) return 'causal';
  if (!hidden && !bias && causal !== null && offset === m - n) return { kind: 'causal', alignment: 'end' };
  if (!hidden && !bias && causal === null) return 'none';
  const isHidden = (i: number, j: number): boolean => j > i + offset || (hidden !== undefined && spreadAt(hidden, i, j) !== 0); // prettier-ignore
  const cells = <T>(of: (i: number, j: number) => T): T[][] => Array.from({ length: n }, (_, i) => Array.from({ length: m }, (__, j) => of(i, j))); // prettier-ignore
  if (bias) return { kind: 'additive', values: cells((i, j) => encodeNumber(isHidden(i, j) ? -Infinity : spreadAt(bias, i, j))) }; // prettier-ignore
  return { kind: 'boolean', trueMeans: 'hidden', values: cells((i, j) => Number(isHidden(i, j))) };
}

/** Rows have their numbers in the process, where the file does not begin with the first. */
function labelsOf({ about, n, m }: CapturedHead): Pick<AttentionSpec, 'labels'> {
  const [start] = about.rows;
  if (start === 0) return {};
  const numbers = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(from + i));
  return { labels: { queries: numbers(start, n), keys: numbers(0, m) } };
}
