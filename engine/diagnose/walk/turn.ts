import { cos, pow, sin } from '../../math';
import { rowwise, type Grid } from './grid';
import type { Inputs, Rope, Stage } from './stage';

/* RoPE: pairs of columns are turned by the position times a frequency. */

interface Turning {
  readonly layout: Rope['layout'];
  /** Whether each column has the angle of the adjacent pair that it stands in, whatever it is turned with. */
  readonly isMixed: boolean;
  readonly start: number;
  /** Cosine and sine for each pair at a position, one after the other. */
  readonly at: (position: number) => readonly number[];
}

/** A head with its columns turned; `at` gives the position of a row. */
function turn(m: Grid, { layout, isMixed, at: factors }: Turning, at: (row: number) => number): Grid {
  const half = m.width / 2;
  const [step, apart] = layout === 'half' ? [1, half] : [2, 1];
  return rowwise(m, (row, out, i) => {
    const by = factors(at(i));
    for (let pair = 0; pair < half; pair++) {
      const [a, b] = [pair * step, pair * step + apart];
      const [first, second] = isMixed ? [a >> 1, b >> 1] : [pair, pair];
      out[a] = (row[a] as number) * (by[2 * first] as number) - (row[b] as number) * (by[2 * first + 1] as number);
      out[b] = (row[b] as number) * (by[2 * second] as number) + (row[a] as number) * (by[2 * second + 1] as number);
    }
  });
}

/** How fast pairs turn, with one mistake. */
function angleOf({ base }: Rope, id: string | undefined, d: number, width: number): (position: number, pair: number) => number {
  const exponent = (pair: number): number => {
    if (id === 'ropeExponent') return pair / d;
    if (id === 'ropeByWidth') return (2 * pair) / width;
    return (2 * pair) / d;
  };
  const used = id === 'ropeBase' ? (base === 10000 ? 500000 : 10000) : base;
  const sign = id === 'ropeBackwards' ? -1 : 1;
  return (position, pair) => {
    const by = pow(used, exponent(pair));
    return sign * (id === 'ropeTimes' ? position * by : position / by);
  };
} // prettier-ignore

/** Cosines and sines of each kind of turning, computed once for all candidates. */
const known = new WeakMap<Rope, Map<string, (position: number) => readonly number[]>>();

function factorsOf(rope: Rope, id: string | undefined, d: number, width: number): (position: number) => readonly number[] {
  const all = known.get(rope) ?? new Map<string, (position: number) => readonly number[]>();
  known.set(rope, all);
  const key = `${turningIds.has(id ?? '') ? (id ?? '') : ''} ${d} ${width}`;
  const found = all.get(key);
  if (found) return found;
  const angle = angleOf(rope, id, d, width);
  const rows = new Map<number, readonly number[]>();
  const made = (position: number): readonly number[] => {
    const row = rows.get(position) ?? Array.from({ length: d / 2 }, (_, pair) => angle(position, pair)).flatMap((x) => [cos(x), sin(x)]);
    rows.set(position, row);
    return row;
  };
  all.set(key, made);
  return made;
} // prettier-ignore

/** Those that turn by other angles. */
const turningIds: ReadonlySet<string> = new Set([
  'ropeExponent',
  'ropeByWidth',
  'ropeBase',
  'ropeBackwards',
  'ropeTimes',
]);

function turningOf(rope: Rope, id: string | undefined, d: number, width: number): Turning {
  const { layout, start } = rope;
  const other = layout === 'half' ? 'interleaved' : 'half';
  const isMixed = id === 'ropeMixed';
  return {
    layout: isMixed ? 'half' : id === 'ropeLayout' ? other : layout,
    isMixed,
    at: factorsOf(rope, id, d, width),
    start,
  };
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
    k: id === 'ropeQueriesOnly' ? k : distinct(k, (m) => apply(m, id === 'ropeOpposite' ? (row) => -row : from(0))),
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
