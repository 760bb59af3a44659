import { cos, pow, sin } from '../../math';
import { rowwise, type Grid } from './grid';
import type { Inputs, Rope, Stage } from './stage';

/* RoPE: pairs of columns are turned by the position times a frequency. */

interface Turning {
  readonly layout: Rope['layout'];
  readonly angle: (position: number, pair: number) => number;
  readonly start: number;
}

/** A head with its columns turned; `at` gives the position of a row. */
function turn(m: Grid, { layout, angle }: Turning, at: (row: number) => number): Grid {
  const half = m.width / 2;
  return rowwise(m, (row, out, i) => {
    for (let pair = 0; pair < half; pair++) {
      const [a, b] = layout === 'half' ? [pair, pair + half] : [2 * pair, 2 * pair + 1];
      const by = angle(at(i), pair);
      const [c, s] = [cos(by), sin(by)];
      out[a] = (row[a] as number) * c - (row[b] as number) * s;
      out[b] = (row[b] as number) * c + (row[a] as number) * s;
    }
  });
}

/** Angles that are asked for again and again are computed once. */
function kept(angle: (position: number, pair: number) => number): (position: number, pair: number) => number {
  const known = new Map<number, number>();
  return (position, pair) => {
    const key = position * 65536 + pair;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = angle(position, pair);
    known.set(key, made);
    return made;
  };
}

/** How fast pairs turn, with one mistake. */
function turningOf({ layout, base, start }: Rope, id: string | undefined, d: number, width: number): Turning {
  const exponent = (pair: number): number => {
    if (id === 'ropeExponent') return pair / d;
    if (id === 'ropeByWidth') return (2 * pair) / width;
    return (2 * pair) / d;
  };
  const used = id === 'ropeBase' ? (base === 10000 ? 500000 : 10000) : base;
  const sign = id === 'ropeBackwards' ? -1 : 1;
  const other = layout === 'half' ? 'interleaved' : 'half';
  const angle = (position: number, pair: number): number => {
    const by = pow(used, exponent(pair));
    return sign * (id === 'ropeTimes' ? position * by : position / by);
  };
  return { layout: id === 'ropeLayout' ? other : layout, angle: kept(angle), start };
}

/** Which of Q, K and V are turned, how often, and from which position on. */
const queriesFrom: Readonly<Record<string, (start: number) => number>> = {
  ropeCacheRestart: () => 0,
  ropeQueriesFromOne: (start) => start + 1,
};

export function turned({ rope, q: whole, heads }: Inputs, id: string | undefined, stage: Stage): Stage | undefined {
  if (!rope || id === 'noRope') return stage;
  const { q, k, v } = stage;
  const d = q[0]?.width ?? NaN;
  if (d % 2 !== 0) return undefined;
  if (id === 'ropeByWidth' && heads === 1) return undefined;
  const turning = turningOf(rope, id, d, whole.width);
  const start = queriesFrom[id ?? '']?.(turning.start) ?? turning.start;
  if (id === 'ropeByHead')
    return {
      ...stage,
      q: q.map((m, head) => turn(m, turning, () => head)),
      k: k.map((m, head) => turn(m, turning, () => head)),
    };
  const times = id === 'ropeTwice' ? 2 : 1;
  const apply = (m: Grid, at: (row: number) => number): Grid =>
    Array.from({ length: times }).reduce<Grid>((made) => turn(made, turning, at), m);
  const from = (first: number) => (row: number) => first + row;
  return {
    ...stage,
    q: id === 'ropeKeysOnly' ? q : distinct(q, (m) => apply(m, from(start))),
    k: id === 'ropeQueriesOnly' ? k : distinct(k, (m) => apply(m, from(0))),
    v: id === 'ropeValues' && (v[0]?.width ?? 1) % 2 === 0 ? distinct(v, (m) => apply(m, from(0))) : v,
  };
}

/** Heads that share keys share what becomes of them. */
function distinct(all: readonly Grid[], of: (m: Grid) => Grid): readonly Grid[] {
  const made = new Map<Grid, Grid>();
  return all.map((m) => {
    const found = made.get(m) ?? of(m);
    made.set(m, found);
    return found;
  });
}
