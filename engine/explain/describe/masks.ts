import { everyCell, type Described, type Grid } from './grid';

/** The cells that a mask selects, the same in every matrix. `start` and `end` differ if the numbers of queries and keys do. */
export type Pattern =
  /** Cells above the diagonal: j > i (`start`), j > i + m − n (`end`). */
  | { readonly kind: 'above'; readonly alignment: 'start' | 'end' }
  /** The diagonal and above: j ≥ i. */
  | { readonly kind: 'on-and-above' }
  /** Cells below the diagonal: j < i. */
  | { readonly kind: 'below' }
  /** The same columns in each row. */
  | { readonly kind: 'columns'; readonly columns: readonly number[] }
  /** Cells further than `size` from the diagonal: |i − j| > size. */
  | { readonly kind: 'far'; readonly size: number }
  /** Later cells, and cells more than `size` before the diagonal: j > i or i − j > size. */
  | { readonly kind: 'far-or-later'; readonly size: number };

type Cells = (i: number, j: number) => boolean;

/** The pattern of exactly those cells for which `picked` holds, in every matrix; undefined if there is none. */
export function patternOf(grids: readonly Grid[], picked: (x: number) => boolean): Pattern | undefined {
  const [first] = grids;
  if (!first) return undefined;
  const is = (cells: Cells): boolean => everyCell(grids, (x, i, j) => picked(x) === cells(i, j));
  if (everyCell(grids, picked) || everyCell(grids, (x) => !picked(x))) return undefined;
  return (
    (first.rows > 1 ? triangle(first, is) : undefined) ?? columnsOf(first, picked, is) ?? windowOf(first, picked, is)
  );
}

function triangle({ rows, columns }: Grid, is: (cells: Cells) => boolean): Pattern | undefined {
  if (is((i, j) => j > i)) return { kind: 'above', alignment: 'start' };
  if (rows !== columns && is((i, j) => j > i + columns - rows)) return { kind: 'above', alignment: 'end' };
  if (rows !== columns) return undefined;
  if (is((i, j) => j >= i)) return { kind: 'on-and-above' };
  return is((i, j) => j < i) ? { kind: 'below' } : undefined;
}

function columnsOf(first: Grid, picked: (x: number) => boolean, is: (cells: Cells) => boolean): Pattern | undefined {
  const columns = indices(first.columns).filter((j) => picked(first.at(0, j)));
  const set = new Set(columns);
  return is((_, j) => set.has(j)) ? { kind: 'columns', columns } : undefined;
}

/** The window whose size the first row gives, if all other rows agree. */
function windowOf(first: Grid, picked: (x: number) => boolean, is: (cells: Cells) => boolean): Pattern | undefined {
  const { rows, columns, at } = first;
  if (rows !== columns || rows < 3) return undefined;
  const back = indices(rows).filter((i) => !picked(at(i, 0))).length - 1;
  if (back < 0 || back >= rows - 1) return undefined;
  if (is((i, j) => Math.abs(i - j) > back)) return { kind: 'far', size: back };
  return is((i, j) => j > i || i - j > back) ? { kind: 'far-or-later', size: back } : undefined;
}

const indices = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** A finite fill of an additive mask is at most this. */
const leastHidden = -1e4;

/** The fill of an additive mask: −∞ or one number of at most −10,000, beside exact zeros; undefined for all other matrices. */
export function fillOf({ values }: Described): number | undefined {
  let fill: number | undefined;
  let zeros = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (x === 0) zeros++;
    else if (!(x <= leastHidden) || (fill !== undefined && fill !== x)) return undefined;
    else fill = x;
  }
  return zeros > 0 ? fill : undefined;
}

/** Both 0 and 1 occur, and nothing else. */
export function isBinary({ values }: Described): boolean {
  const seen = new Set<number>();
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (x !== 0 && x !== 1) return false;
    seen.add(x === 0 ? 0 : 1);
  }
  return seen.size === 2;
}

export const isBoolean = ({ dtype }: Described): boolean => dtype === 'bool' || dtype === 'bool_';
