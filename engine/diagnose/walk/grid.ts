import type { Paced } from '../../text';
import type { Matrix } from '../matrices';

/**
 * A matrix whose rows are computed when they are asked for, once. A row may need a row of another grid (`from`) or all its rows (`whole`): that
 * `settle` knows, so that no single row is much work.
 */
export interface Grid {
  readonly height: number;
  readonly width: number;
  readonly row: (i: number) => number[];
  readonly from: readonly Grid[];
  readonly whole: readonly Grid[];
  /** Rows that are computed, and whether a row is known to be little work. */
  readonly state: { rows: number; isLight: boolean };
}

export interface Needs {
  readonly from?: readonly Grid[];
  readonly whole?: readonly Grid[];
}

export function grid(
  height: number,
  width: number,
  fill: (i: number, out: number[]) => void,
  { from = [], whole = [] }: Needs = {},
): Grid {
  const rows: (number[] | undefined)[] = [];
  const state = { rows: 0, isLight: false };
  const row = (i: number): number[] => {
    const known = rows[i];
    if (known) return known;
    const made = new Array<number>(width).fill(0);
    fill(i, made);
    rows[i] = made;
    state.rows++;
    return made;
  };
  return { height, width, row, from, whole, state };
}

/** Copies a row to a place in another. */
export function put(out: number[], row: readonly number[], at: number): void {
  for (let j = 0; j < row.length; j++) out[at + j] = row[j] as number;
}

export function gridOf(m: Matrix): Grid {
  const made = grid(m.length, m[0]?.length ?? 0, (i, out) => {
    put(out, m[i] ?? [], 0);
  });
  m.forEach((_, i) => made.row(i));
  return made;
}

/** Made anew at each call. */
export const matrixOf = (g: Grid): Matrix => Array.from({ length: g.height }, (_, i) => [...g.row(i)]);

/** Whether a row of a grid is little work: all that it needs whole is there. */
export function isLight({ state, from, whole }: Grid): boolean {
  state.isLight ||= from.every(isLight) && whole.every((one) => one.state.rows === one.height);
  return state.isLight;
}

/** Computes what a row of a grid needs whole, in short stretches: after it, no row is much work. */
export function* settle(g: Grid): Paced<void> {
  if (isLight(g)) return;
  for (const one of g.from) yield* settle(one);
  for (const one of g.whole) {
    yield* settle(one);
    for (let i = 0; i < one.height; i++) {
      one.row(i);
      yield;
    }
  }
}

export const cell = (g: Grid, row: number, column: number): number => g.row(row)[column] as number;

export const mapped = (g: Grid, of: (x: number, row: number, column: number) => number): Grid =>
  grid(
    g.height,
    g.width,
    (i, out) => {
      const row = g.row(i);
      for (let j = 0; j < out.length; j++) out[j] = of(row[j] as number, i, j);
    },
    { from: [g] },
  );

/** Every row by itself; of the same width, unless another is given. */
export const rowwise = (g: Grid, of: (row: number[], out: number[], i: number) => void, width = g.width): Grid =>
  grid(g.height, width, (i, out) => of(g.row(i), out, i), { from: [g] });

/** a · b, summed in the order of the index, as the engine's reference does. */
export const product = (a: Grid, b: Grid): Grid =>
  grid(
    a.height,
    b.width,
    (i, out) => {
      const left = a.row(i);
      for (let k = 0; k < b.height; k++) {
        const [by, right] = [left[k] as number, b.row(k)];
        for (let j = 0; j < out.length; j++) (out[j] as number) += by * (right[j] as number);
      }
    },
    { from: [a], whole: [b] },
  );

/** a · bᵀ */
export const productTransposed = (a: Grid, b: Grid): Grid =>
  grid(
    a.height,
    b.height,
    (i, out) => {
      const left = a.row(i);
      for (let j = 0; j < out.length; j++) {
        const right = b.row(j);
        let sum = 0;
        for (let k = 0; k < left.length; k++) sum += (left[k] as number) * (right[k] as number);
        out[j] = sum;
      }
    },
    { from: [a], whole: [b] },
  );

export const flipped = (g: Grid): Grid =>
  grid(
    g.width,
    g.height,
    (i, out) => {
      for (let j = 0; j < out.length; j++) out[j] = cell(g, j, i);
    },
    { whole: [g] },
  );

/** Any cells of other grids in new places. */
export const placed = (
  height: number,
  width: number,
  sources: readonly Grid[],
  of: (row: number, column: number) => number,
): Grid =>
  grid(
    height,
    width,
    (i, out) => {
      for (let j = 0; j < out.length; j++) out[j] = of(i, j);
    },
    { whole: sources },
  );

/** Columns of a grid, those of each row in a new order. */
export const columnsOf = (g: Grid, width: number, column: (j: number) => number): Grid =>
  rowwise(
    g,
    (row, out) => {
      for (let j = 0; j < out.length; j++) out[j] = row[column(j)] as number;
    },
    width,
  );

/** The same numbers in reading order, cut into rows of another width. */
export const reshaped = (sources: readonly Grid[], height: number, width: number, start = 0): Grid => {
  const [{ height: tall, width: wide } = { height: 1, width: 1 }] = sources;
  return grid(
    height,
    width,
    (i, out) => {
      for (let j = 0; j < width; j++) {
        const at = start + i * width + j;
        const source = sources[Math.floor(at / (tall * wide))];
        out[j] = source ? cell(source, Math.floor(at / wide) % tall, at % wide) : NaN;
      }
    },
    { from: sources },
  );
};

export const sum = (a: Grid, b: Grid): Grid =>
  grid(
    a.height,
    a.width,
    (i, out) => {
      const [left, right] = [a.row(i), b.row(i)];
      for (let j = 0; j < out.length; j++) out[j] = (left[j] as number) + (right[j] as number);
    },
    { from: [a, b] },
  );

export const meanOf = (all: readonly Grid[], by: number = all.length): Grid => {
  const [{ height, width } = { height: 0, width: 0 }] = all;
  return grid(
    height,
    width,
    (i, out) => {
      for (const one of all) {
        const row = one.row(i);
        for (let j = 0; j < out.length; j++) (out[j] as number) += row[j] as number;
      }
      for (let j = 0; j < out.length; j++) (out[j] as number) /= by;
    },
    { from: all },
  );
};

export const isSquareGrid = (g: Grid): boolean => g.height === g.width;
export const isSameSize = (a: Grid, b: Grid): boolean => a.height === b.height && a.width === b.width;
