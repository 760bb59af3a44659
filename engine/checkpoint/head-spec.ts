import { matrixDefaults, type AttentionSpec } from '../spec';
import type { LayerAttention } from './forward';

/** How the tokens of queries and keys are written. */
export interface Labels {
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

/**
 * One head as a spec of its own: its real q, k and v (queries × d_k, keys × d_k, after norms and RoPE) as given numbers, with its scale, mask, bias and cap.
 * Its digits come from the fixed-order path, in float32, and are the same on every machine.
 */
export function specOfHead(attention: LayerAttention, head: number, labels: Labels): AttentionSpec {
  const { part, heads, table } = attention;
  const values = heads[head];
  if (!values) throw new RangeError(`no head ${head}`);
  const rows = (x: Float32Array): number[][] => rowsOf(x, part.headWidth);
  const { buckets } = part;
  return {
    ...matrixDefaults,
    dtype: 'float32',
    start: { from: 'qkv', q: rows(values.q), k: rows(values.k), v: rows(values.v) },
    scale: scaleOf(part.scale, part.headWidth),
    mask: maskOf(attention),
    ...(part.softcap !== undefined && { softcap: part.softcap }),
    ...(buckets &&
      table && {
        relativeBias: {
          bidirectional: buckets.bidirectional,
          buckets: buckets.count,
          maxDistance: buckets.maxDistance,
          table: rowsOf(table, part.heads).map((row) => [row[head] as number]),
        },
      }),
    labels: { queries: labels.queries, keys: labels.keys },
  };
}

const rowsOf = (x: Float32Array, width: number): number[][] =>
  Array.from({ length: x.length / width }, (_, i) => Array.from(x.subarray(i * width, (i + 1) * width)));

function scaleOf(scale: number, width: number): AttentionSpec['scale'] {
  if (scale === 1) return 'none';
  return scale === 1 / Math.sqrt(width) ? 'sqrt_d_k' : { divideBy: 1 / scale };
}

function maskOf({ part: { causal, window }, keys }: LayerAttention): AttentionSpec['mask'] {
  if (window !== undefined && window < keys) return { kind: 'window', size: window, causal, counts: 'self' };
  return causal ? 'causal' : 'none';
}
