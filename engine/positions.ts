import { cos, pow, sin } from './math';
import type { Tensor } from './tensor';

/**
 * `interleaved`: Vaswani et al. 2017, section 3.5: PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(the same).
 * `concatenated`: tensor2tensor's layout, d even: the d/2 sines first, then the d/2 cosines, at pos / 10000^(i/(d/2)).
 */
export type SinusoidalLayout = 'interleaved' | 'concatenated';

export interface Angle {
  readonly position: number;
  readonly fn: 'sin' | 'cos';
  /** 10000^(2i/d) */
  readonly divisor: number;
  readonly angle: number;
}

/** The angle whose sine or cosine stands at (position, column) of a d-wide encoding. */
export function angleOf(layout: SinusoidalLayout, position: number, column: number, d: number): Angle {
  if (layout === 'interleaved') {
    const divisor = pow(10000, (2 * Math.floor(column / 2)) / d);
    return { position, fn: column % 2 === 0 ? 'sin' : 'cos', divisor, angle: position / divisor };
  }
  const half = Math.floor(d / 2);
  const divisor = pow(10000, (column % half) / (d / 2));
  return { position, fn: column < half ? 'sin' : 'cos', divisor, angle: position / divisor };
}

/** Fills an n×d tensor with the encoding of positions 0 … n−1, computed in float64 and rounded to its dtype. */
export function sinusoidal(layout: SinusoidalLayout, out: Tensor): Tensor {
  const d = out.shape[1] ?? 0;
  const columns = Array.from({ length: d }, (_, j) => angleOf(layout, 0, j, d));
  for (let i = 0; i < out.data.length; i++) {
    const column = columns[i % d];
    if (!column) break;
    const angle = Math.floor(i / d) / column.divisor;
    out.data[i] = column.fn === 'sin' ? sin(angle) : cos(angle);
  }
  return out;
}
