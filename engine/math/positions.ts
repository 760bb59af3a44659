import { cos, pow, sin } from './math';
import type { Tensor } from './tensor';
import { angleAt, timesOf, turnsOf, type Turning } from './turns';

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

/** Where rows stand: from a first position on, or at positions listed for each input of a batch, where one list serves all inputs. */
export type RowPositions = number | readonly (readonly number[])[];

/** The position of a row of an input; from 0 on where nothing is said. */
export const positionAt = (at: RowPositions = 0, row: number, input = 0): number =>
  typeof at === 'number' ? at + row : ((at[input] ?? at[0])?.[row] ?? NaN);

/** How many inputs have positions of their own. */
export const inputsOf = (at: RowPositions = 0): number => (typeof at === 'number' ? 1 : at.length);

/** The angle whose sine or cosine stands at (position, column) of a d-wide encoding; `round` is that of its precision. */
export function angleOf(
  layout: SinusoidalLayout,
  position: number,
  column: number,
  d: number,
  round: (x: number) => number = (x) => x,
): Angle {
  if (layout === 'interleaved') {
    const divisor = round(pow(10000, round((2 * Math.floor(column / 2)) / d)));
    return { position, fn: column % 2 === 0 ? 'sin' : 'cos', divisor, angle: round(position / divisor) };
  }
  const half = Math.floor(d / 2);
  const divisor = round(pow(10000, round((column % half) / (d / 2))));
  return { position, fn: column < half ? 'sin' : 'cos', divisor, angle: round(position / divisor) };
}

/**
 * The column of the other layout with the same numbers, d even: column 2i of the interleaved layout is column i of the
 * concatenated one, column 2i + 1 is column d/2 + i.
 */
export function columnInOtherLayout(layout: SinusoidalLayout, column: number, d: number): number {
  const half = d / 2;
  if (layout === 'interleaved') return (column % 2) * half + Math.floor(column / 2);
  return 2 * (column % half) + (column < half ? 0 : 1);
}

/** Whether positions are computed in float32, each operation rounded, or in float64. */
export type PositionsDtype = 'float64' | 'float32';

/** Rounds to a precision. */
export const roundingTo = (dtype?: PositionsDtype): ((x: number) => number) =>
  dtype === 'float32' ? Math.fround : (x) => x;

/** Fills an […inputs×]n×d tensor with the encoding of its rows' positions, computed in float64 unless it is said, and rounded to its dtype. */
export function sinusoidal(layout: SinusoidalLayout, out: Tensor, at?: RowPositions, dtype?: PositionsDtype): Tensor {
  const round = roundingTo(dtype);
  const [n, d] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  const columns = Array.from({ length: d }, (_, j) => angleOf(layout, 0, j, d, round));
  for (let i = 0; i < out.data.length; i++) {
    const column = columns[i % d];
    if (!column) break;
    const row = Math.floor(i / d);
    const angle = round(positionAt(at, row % n, Math.floor(row / n)) / column.divisor);
    out.data[i] = round(column.fn === 'sin' ? sin(angle) : cos(angle));
  }
  return out;
}

/**
 * What RoPE rotates by (Su et al. 2021, eq. 34): for position p and pair i, cos(p/10000^(2i/d)) in row 2p and the sine in
 * row 2p + 1, of the row that stands there where `at` says so, or as `turning` has them turn. `out` is […inputs×]2n×d/2.
 */
export function rotations(out: Tensor, at?: RowPositions, turning: Turning = {}): Tensor {
  const [rows, pairs] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  const [turns, times] = [turnsOf(pairs, turning), timesOf(turning)];
  const round = roundingTo(turning.float32 && 'float32');
  for (let i = 0; i < out.data.length; i++) {
    const row = Math.floor(i / pairs);
    const position = positionAt(at, (row % rows) >> 1, Math.floor(row / rows));
    const turn = turns[i % pairs];
    if (!turn) break;
    const angle = angleAt(turn, position);
    out.data[i] = round(round(row % 2 === 0 ? cos(angle) : sin(angle)) * round(times));
  }
  return out;
}

/** 10000^(2i/d) */
export const rotationDivisor = (pair: number, d: number): number => pow(10000, (2 * pair) / d);

/** Where queries and keys stand, and how many heads share the positions of an input. */
export interface Apart {
  readonly heads: number;
  readonly queries: RowPositions;
  readonly keys: RowPositions;
}

/**
 * −m·|i − j| (Press et al. 2022, section 3), or −m·|p_i − p_j| where positions are said. The slope m of head h of a power of two H is 2^(−8h/H), h from
 * 1; for other H the slopes of the next lower power of two come first, then every second one of the next higher. `out` is […inputs×][heads×]n×m.
 */
export function alibi(out: Tensor, at?: Apart): Tensor {
  const [n, m] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  const heads = at?.heads ?? out.data.length / (n * m || 1);
  const slopes = alibiSlopes(heads);
  for (let i = 0; i < out.data.length; i++) {
    const matrix = Math.floor(i / (n * m));
    const distance = distanceAt(at, Math.floor(i / m) % n, i % m, Math.floor(matrix / heads));
    out.data[i] = distance === 0 ? 0 : -(slopes[matrix % heads] as number) * distance;
  }
  return out;
}

/** How far apart a query and a key of an input stand. */
export const distanceAt = (at: Apart | undefined, query: number, key: number, input: number): number =>
  Math.abs(positionAt(at?.queries, query, input) - positionAt(at?.keys, key, input));

export function alibiSlopes(heads: number): number[] {
  const lower = 1 << (31 - Math.clz32(heads));
  const geometric = (count: number): number[] =>
    Array.from({ length: count }, (_, h) => pow(2, (-8 * (h + 1)) / count));
  if (lower === heads) return geometric(heads);
  const between = geometric(2 * lower).filter((_, i) => i % 2 === 0);
  return [...geometric(lower), ...between.slice(0, heads - lower)];
}
