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
  /** What it is a product of, for whom that is less work than its rows: see `productTransposed`. */
  readonly linear?: Linear;
}

/** Some columns of left · right + bias. */
interface Linear {
  readonly left: Grid;
  readonly right: Grid;
  readonly bias?: readonly number[];
  /** The product of which these are columns from `first` on. */
  readonly product: Grid;
  readonly first: number;
}

export interface Needs {
  readonly from?: readonly Grid[];
  readonly whole?: readonly Grid[];
}

const blank = new Map<number, number[]>();

/** A copy of an array that holds doubles already: one that is filled with whole numbers first is made twice. */
export function zeros(width: number): number[] {
  const known = blank.get(width) ?? new Array<number>(width).fill(0.5).fill(0);
  blank.set(width, known);
  return known.slice();
}

const nothing: readonly Grid[] = [];

let isPassing = false;

/** Work that asks for many rows once: those that are not there are computed and forgotten, so that thousands of candidates do not fill the memory. */
export function passing<T>(work: () => T): T {
  const before = isPassing;
  isPassing = true;
  try {
    return work();
  } finally {
    isPassing = before;
  }
}

export function grid(
  height: number,
  width: number,
  fill: (i: number, out: number[]) => void,
  { from = nothing, whole = nothing }: Needs = {},
): Grid {
  // Of most candidates one row is computed, and then they are rejected.
  let [first, at] = [undefined as number[] | undefined, -1];
  let rows: (number[] | undefined)[] | undefined;
  const state = { rows: 0, isLight: false };
  const row = (i: number): number[] => {
    const known = i === at ? first : rows?.[i];
    if (known) return known;
    const made = zeros(width);
    fill(i, made);
    if (isPassing) return made;
    if (first) (rows ??= new Array<number[] | undefined>(height).fill(undefined))[i] = made;
    else [first, at] = [made, i];
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
  state.isLight ||= from.every(isLight) && whole.every(isWhole);
  return state.isLight;
}

const isWhole = (g: Grid): boolean => g.state.rows === g.height;

/** Computes what a row of a grid needs whole, in short stretches: after it, no row is much work. */
export function* settle(g: Grid): Paced<void> {
  if (isLight(g)) return;
  for (const one of g.from) yield* settle(one);
  for (const one of g.whole) yield* complete(one);
}

/** Numbers that are computed at a stretch. */
const stretch = 1024;

/** Computes every row. */
export function* complete(g: Grid): Paced<void> {
  if (isWhole(g)) return;
  yield* settle(g);
  for (let i = 0, numbers = 0; i < g.height; i++) {
    g.row(i);
    numbers += g.width;
    if (numbers < stretch) continue;
    numbers = 0;
    yield;
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
      sumOfRows(a.row(i), b, out);
    },
    { from: [a], whole: [b] },
  );

function sumOfRows(left: readonly number[], b: Grid, out: number[]): void {
  for (let k = 0; k < b.height; k++) {
    const [by, right] = [left[k] as number, b.row(k)];
    for (let j = 0; j < out.length; j++) (out[j] as number) += by * (right[j] as number);
  }
}

/** source · weight + bias, the bias as often as asked. */
export function linear(source: Grid, weight: Grid, bias: readonly number[] | undefined, times = 1): Grid {
  const plain = product(source, weight);
  const made = bias ? biased(plain, bias, times) : plain;
  const all = bias && times === 2 ? bias.map((x) => x + x) : bias;
  return { ...made, linear: { left: source, right: weight, ...(all && { bias: all }), product: made, first: 0 } };
}

export const biased = (g: Grid, bias: readonly number[], times = 1): Grid =>
  rowwise(g, (row, out) => {
    for (let j = 0; j < out.length; j++) {
      out[j] = (row[j] as number) + (bias[j] as number);
      if (times === 2) (out[j] as number) += bias[j] as number;
    }
  });

/** Columns side by side. */
export function slice(g: Grid, first: number, width: number): Grid {
  const made = rowwise(
    g,
    (row, out) => {
      for (let j = 0; j < width; j++) out[j] = row[first + j] as number;
    },
    width,
  );
  return g.linear ? { ...made, linear: { ...g.linear, first: g.linear.first + first } } : made;
}

/** What is not computed yet, as what it is the product of. */
const unmade = ({ linear: by }: Grid): Linear | undefined => (by && !isWhole(by.product) ? by : undefined);

/** What has to be whole for sums over all rows of a grid. */
const neededOf = (g: Grid): readonly Grid[] => {
  const by = unmade(g);
  return by ? [by.left, by.right] : [g];
};

/** row · bᵀ for b = left · right + bias, as left · (right · row) + bias · row. */
function timesUnmade(row: readonly number[], { left, right, bias, first }: Linear, out: number[]): void {
  const turned = zeros(right.height);
  for (let k = 0; k < turned.length; k++) {
    const weights = right.row(k);
    let sum = 0;
    for (let c = 0; c < row.length; c++) sum += (weights[first + c] as number) * (row[c] as number);
    turned[k] = sum;
  }
  let beside = 0;
  if (bias) for (let c = 0; c < row.length; c++) beside += (bias[first + c] as number) * (row[c] as number);
  for (let j = 0; j < out.length; j++) {
    const source = left.row(j);
    let sum = beside;
    for (let k = 0; k < turned.length; k++) sum += (source[k] as number) * (turned[k] as number);
    out[j] = sum;
  }
}

/** weights · b for b = left · right + bias, as (weights · left) · right + (the weights' sum) · bias. */
function sumOfUnmade(weights: readonly number[], { left, right, bias, first }: Linear, out: number[]): void {
  const mixed = zeros(right.height);
  let total = 0;
  for (let j = 0; j < weights.length; j++) {
    const [by, source] = [weights[j] as number, left.row(j)];
    total += by;
    for (let k = 0; k < mixed.length; k++) (mixed[k] as number) += by * (source[k] as number);
  }
  for (let k = 0; k < mixed.length; k++) {
    const [by, row] = [mixed[k] as number, right.row(k)];
    for (let c = 0; c < out.length; c++) (out[c] as number) += by * (row[first + c] as number);
  }
  if (bias) for (let c = 0; c < out.length; c++) (out[c] as number) += total * (bias[first + c] as number);
}

/** a · b, of all that b is made of where b is not made. */
export const productOfRows = (a: Grid, b: Grid): Grid =>
  b.linear
    ? grid(
        a.height,
        b.width,
        (i, out) => {
          const by = unmade(b);
          if (by) sumOfUnmade(a.row(i), by, out);
          else sumOfRows(a.row(i), b, out);
        },
        { from: [a], whole: neededOf(b) },
      )
    : product(a, b);

/** a · bᵀ */
export const productTransposed = (a: Grid, b: Grid): Grid =>
  grid(
    a.height,
    b.height,
    (i, out) => {
      const left = a.row(i);
      const by = unmade(b);
      if (by) {
        timesUnmade(left, by, out);
        return;
      }
      for (let j = 0; j < out.length; j++) {
        const right = b.row(j);
        let sum = 0;
        for (let k = 0; k < left.length; k++) sum += (left[k] as number) * (right[k] as number);
        out[j] = sum;
      }
    },
    { from: [a], whole: neededOf(b) },
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
