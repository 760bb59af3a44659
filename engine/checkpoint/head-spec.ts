import { matrixDefaults, type AttentionSpec } from '../spec';
import type { ComputedHead } from './computed-head';

/**
 * One head as a spec of its own: its real q, k and v (queries × d_k, keys × d_k, after norms and RoPE) as given numbers, with its scale, mask, bias and cap.
 * Its digits come from the fixed-order path, in float32, and are the same on every machine.
 */
export function specOfHead({
  q,
  k,
  v,
  headWidth,
  scale,
  softcap,
  bias,
  labels,
  ...masking
}: ComputedHead): AttentionSpec {
  const rows = (x: Float32Array): number[][] =>
    Array.from({ length: x.length / headWidth }, (_, i) => Array.from(x.subarray(i * headWidth, (i + 1) * headWidth)));
  return {
    ...matrixDefaults,
    dtype: 'float32',
    start: { from: 'qkv', q: rows(q), k: rows(k), v: rows(v) },
    scale: scaleOf(scale, headWidth),
    mask: maskOf(masking),
    ...(softcap !== undefined && { softcap }),
    ...(bias && {
      relativeBias: {
        bidirectional: bias.bidirectional,
        buckets: bias.column.length,
        maxDistance: bias.maxDistance,
        table: bias.column.map((x) => [x]),
      },
    }),
    labels,
  };
}

function scaleOf(scale: number, width: number): AttentionSpec['scale'] {
  if (scale === 1) return 'none';
  return scale === 1 / Math.sqrt(width) ? 'sqrt_d_k' : { divideBy: 1 / scale };
}

function maskOf({ causal, window }: Pick<ComputedHead, 'causal' | 'window'>): AttentionSpec['mask'] {
  if (window !== undefined) return { kind: 'window', size: window, causal, counts: 'self' };
  return causal ? 'causal' : 'none';
}
