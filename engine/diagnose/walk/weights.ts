import { log } from '../../math';
import { exponentials, quickExp } from './exp';
import { flipped, grid, isSquareGrid, mapped, meanOf, passing, productOfRows, rowwise, zeros, type Grid } from './grid';
import { roundsTo, type Choice, type Inputs, type Next, type Stage } from './stage';

/* Softmax, and the sum of values. */

function largestOf(row: readonly number[]): number {
  let most = -Infinity;
  for (let j = 0; j < row.length; j++) {
    const x = row[j] as number;
    if (x > most || Number.isNaN(x)) most = x;
  }
  return most;
}

/** Exponentials over their sum; NaN where every key is hidden, as softmax has it in NumPy and PyTorch. */
function softmaxOf(row: number[], out: number[], extra = 0): void {
  const most = largestOf(row);
  const total = exponentials(row, most, out) + (extra === 1 ? quickExp(-most) : extra);
  for (let j = 0; j < row.length; j++) (out[j] as number) /= total;
}

/** float32 ends here: exp of more is infinite. */
const mostExponent = 88.72283905206835;

function noMax(row: number[], out: number[]): void {
  let total = 0;
  for (let j = 0; j < row.length; j++) {
    const x = row[j] as number;
    out[j] = x > mostExponent ? Infinity : quickExp(x);
    total += out[j] as number;
  }
  for (let j = 0; j < row.length; j++) (out[j] as number) /= total;
}

function sumOnly(row: number[], out: number[]): void {
  let total = 0;
  for (const x of row) total += Number.isFinite(x) ? x : 0;
  for (let j = 0; j < row.length; j++) {
    const x = row[j] as number;
    out[j] = (Number.isFinite(x) ? x : 0) / total;
  }
}

function largest(row: number[], out: number[]): void {
  let best = 0;
  row.forEach((x, j) => {
    if (x > (row[best] as number)) best = j;
  });
  out[best] = 1;
}

const twice = (row: number[], out: number[]): void => {
  const once = zeros(row.length);
  softmaxOf(row, once);
  softmaxOf(once, out);
};

/** 2^x in place of e^x. */
function baseTwo(row: number[], out: number[]): void {
  softmaxOf(
    row.map((x) => x * Math.LN2),
    out,
  );
}

function logOf(row: number[], out: number[]): void {
  softmaxOf(row, out);
  for (let j = 0; j < out.length; j++) out[j] = log(out[j] as number);
}

type Row = (row: number[], out: number[]) => void;
const each =
  (of: (x: number) => number): Row =>
  (row, out) => {
    for (let j = 0; j < row.length; j++) out[j] = of(row[j] as number);
  };

/** What is done to a row of scores instead of softmax. */
const rows: Readonly<Record<string, Row>> = {
  noSoftmax: each((x) => (x === -Infinity ? 0 : x)),
  sigmoid: each((x) => 1 / (1 + quickExp(-x))),
  relu: each((x) => (x > 0 ? x : 0)),
  sumOnly,
  noSum: each(quickExp),
  softmaxTwice: twice,
  softmaxBaseTwo: baseTwo,
  softmaxPlusOne: (row, out) => softmaxOf(row, out, 1),
  softmaxEpsilon: (row, out) => softmaxOf(row, out, 1e-6),
  softmaxEpsilonLarge: (row, out) => softmaxOf(row, out, 1e-3),
  softmaxNegative: (row, out) => softmaxOf(row.map((x) => (x === -Infinity ? x : -x)), out),
  logSoftmax: logOf,
  argmax: largest,
  noMax,
  weightsRounded2: (row, out) => {
    softmaxOf(row, out);
    for (let j = 0; j < out.length; j++) out[j] = roundsTo(out[j] as number, 2);
  },
  weightsRounded1: (row, out) => {
    softmaxOf(row, out);
    for (let j = 0; j < out.length; j++) out[j] = roundsTo(out[j] as number, 1);
  },
  weightsWhole: (row, out) => {
    softmaxOf(row, out);
    for (let j = 0; j < out.length; j++) out[j] = Math.trunc(out[j] as number);
  },
}; // prettier-ignore

const bySoftmax = (m: Grid): Grid => rowwise(m, (row, out) => softmaxOf(row, out));

/** The largest of scores, and the sum of their exponentials beside it, for each of some columns or for all as one. */
interface Sums {
  readonly most: number[];
  readonly total: number[];
}

function sumsOf(m: Grid, width: number, place: (column: number) => number): Sums {
  const [most, total] = [zeros(width).fill(-Infinity), zeros(width)];
  for (let i = 0; i < m.height; i++) {
    const row = m.row(i);
    for (let j = 0; j < row.length; j++) {
      const x = row[j] as number;
      if (x === -Infinity) continue;
      const to = place(j);
      const before = most[to] as number;
      if (x <= before) (total[to] as number) += quickExp(x - before);
      else {
        total[to] = (total[to] as number) * quickExp(before - x) + 1;
        most[to] = x;
      }
    }
  }
  return { most, total };
} // prettier-ignore

/** Softmax over more than a row: the sums are computed once. */
function softmaxOver(m: Grid, width: number, place: (column: number) => number): Grid {
  let sums: Sums | undefined;
  return grid(
    m.height,
    m.width,
    (i, out) => {
      const { most, total } = (sums ??= passing(() => sumsOf(m, width, place)));
      const row = m.row(i);
      for (let j = 0; j < out.length; j++)
        out[j] = quickExp((row[j] as number) - (most[place(j)] as number)) / (total[place(j)] as number);
    },
    { from: [m] },
  );
}

/** Exponentials as softmax over rows has them, by the sums of columns. */
function byMixedSums(m: Grid): Grid {
  const made = rowwise(m, (row, out) => void exponentials(row, largestOf(row), out));
  let total: number[] | undefined;
  const sums = (): number[] => {
    const found = zeros(m.width);
    for (let i = 0; i < m.height; i++) made.row(i).forEach((x, j) => ((found[j] as number) += x));
    return found;
  };
  return grid(
    m.height,
    m.width,
    (i, out) => {
      total ??= passing(sums);
      const row = made.row(i);
      for (let j = 0; j < out.length; j++) out[j] = (row[j] as number) / (total[j] as number);
    },
    { from: [made] },
  );
}

/** Softmax whose largest scores, sums or both lost their axis (no keepdims): number j of them meets column j, not row j. */
function unkept(m: Grid, { most, sum }: { readonly most: boolean; readonly sum: boolean }): Grid {
  let kept: { readonly most: readonly number[]; readonly total: readonly number[] } | undefined;
  const at = (of: readonly number[], i: number): number => of[i] as number;
  const find = (): NonNullable<typeof kept> => {
    const all = Array.from({ length: m.height }, (_, i) => largestOf(m.row(i)));
    const total = all.map((own, i) => m.row(i).reduce((so, x, j) => so + quickExp(x - (most ? at(all, j) : own)), 0));
    return { most: all, total };
  };
  return grid(
    m.height,
    m.width,
    (i, out) => {
      const of = (kept ??= passing(find));
      const row = m.row(i);
      for (let j = 0; j < out.length; j++)
        out[j] = quickExp((row[j] as number) - at(of.most, most ? j : i)) / at(of.total, sum ? j : i);
    },
    { from: [m] },
  );
}

const unkeptOf: Readonly<Record<string, { readonly most: boolean; readonly sum: boolean }>> = {
  maxUnkept: { most: true, sum: false },
  sumUnkept: { most: false, sum: true },
  bothUnkept: { most: true, sum: true },
};

/** As a row: one number for each query. */
const logSumsOf = (m: Grid): Grid =>
  grid(
    1,
    m.height,
    (_, out) => {
      for (let i = 0; i < out.length; i++) {
        const row = m.row(i);
        const most = largestOf(row);
        out[i] = most + log(exponentials(row, most, zeros(row.length)));
      }
    },
    { whole: [m] },
  );

const bySoftmaxOfColumns = (m: Grid): Grid => softmaxOver(m, m.width, (column) => column);
const bySoftmaxOfAll = (m: Grid): Grid => softmaxOver(m, 1, () => 0);

function weightsOf(now: readonly Grid[], id: string | undefined): readonly Grid[] | undefined {
  if (id === undefined) return now.map(bySoftmax);
  if (id === 'softmaxQueries') return now.map(bySoftmaxOfColumns);
  const lost = unkeptOf[id];
  if (lost) return now.every(isSquareGrid) ? now.map((m) => unkept(m, lost)) : undefined;
  if (id === 'softmaxMixed') return now.map(byMixedSums);
  if (id === 'softmaxWhole') return now.map(bySoftmaxOfAll);
  if (id === 'logSumExp') return now.map(logSumsOf);
  if (id === 'softmaxHeads') return now.length > 1 ? acrossHeads(now) : undefined;
  if (id === 'headsMeanFirst') {
    if (now.length === 1) return undefined;
    const one = bySoftmax(meanOf(now));
    return now.map(() => one);
  }
  const row = rows[id];
  return row && now.map((m) => rowwise(m, row));
}

const acrossHeads = (now: readonly Grid[]): readonly Grid[] =>
  now.map((m, head) =>
    grid(
      m.height,
      m.width,
      (i, out) => {
        const all = now.map((one) => one.row(i));
        const [cells, made] = [zeros(now.length), zeros(now.length)];
        for (let j = 0; j < out.length; j++) {
          for (let h = 0; h < cells.length; h++) cells[h] = all[h]?.[j] ?? NaN;
          softmaxOf(cells, made);
          out[j] = made[head] as number;
        }
      },
      { from: now },
    ),
  );

export function softmax(
  _inputs: Inputs,
  { softmax: id }: Choice,
  { hideAfter, fillAfter = 0, divideAfter, ...stage }: Stage,
): Next {
  const made = weightsOf(stage.now, id);
  if (!made) return undefined;
  if (id === 'logSumExp' && (hideAfter || divideAfter !== undefined)) return undefined;
  if (!hideAfter && divideAfter === undefined) return { ...stage, now: made };
  const after = (x: number, i: number, j: number): number => {
    const seen = hideAfter?.row(i)[j] === 1 ? fillAfter : x;
    return divideAfter === undefined ? seen : seen / divideAfter;
  };
  return { ...stage, now: made.map((m) => mapped(m, after)) };
}

// --- the sum of values --------------------------------------------------------------

const isSquare = (m: Grid | undefined): boolean => m !== undefined && m.height === m.width;

export function mix(_inputs: Inputs, { mix: id }: Choice, stage: Stage): Next {
  const { now, v, k } = stage;
  // What is no weight for each key is printed, and goes no further.
  if (now[0]?.width !== v[0]?.height) return undefined;
  if (id === 'weightsTransposed') return isSquare(now[0]) ? summed(stage, now.map(flipped), v) : undefined;
  if (id === 'valuesTransposed') return isSquare(v[0]) ? summed(stage, now, v.map(flipped)) : undefined;
  if (id === 'turnedKeysAsValues') return v[0]?.width === k[0]?.width ? summed(stage, now, k) : undefined;
  if (id === 'elementwise') {
    const [a, b] = [now[0], v[0]];
    if (a?.height !== b?.height || a?.width !== b?.width) return undefined;
    return { ...stage, now: now.map((m, head) => mapped(m, (x, i, j) => x * (v[head]?.row(i)[j] ?? NaN))) };
  }
  if (id === 'meanOfValues') return { ...stage, now: now.map((m, head) => meanRow(m, v[head] ?? m)) };
  return summed(stage, now, v);
}

const summed = (stage: Stage, weights: readonly Grid[], v: readonly Grid[]): Stage => ({
  ...stage,
  now: weights.map((m, head) => productOfRows(m, v[head] ?? m)),
});

/** Every value alike. */
function meanRow(weights: Grid, v: Grid): Grid {
  const equal = grid(weights.height, weights.width, (_, out) => {
    out.fill(1 / weights.width);
  });
  return productOfRows(equal, v);
}
