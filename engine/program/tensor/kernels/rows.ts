/** What runs along rows: sums and other reductions, softmax, norms, sorting. Sums add in index order, rounded at each step. */
import { exp, log } from '../../../math';
import type { Paced } from '../../../text';
import { NotComputed } from '../dense';
import { accumulator, rounding, type Round } from '../dtypes';
import { fromRows, needed, part, rowsAlong, type Kernel } from './support';

type Row = Float64Array;
/** One number of a row, given the rounding of its sums. */
type Reduction = (row: Row, round: Round, correction: number) => number;

function sum(row: Row, round: Round): number {
  let total = 0;
  for (const x of row) total = round(total + x);
  return total;
}

function product(row: Row, round: Round): number {
  let total = 1;
  for (const x of row) total = round(total * x);
  return total;
}

const mean: Reduction = (row, round) => round(sum(row, round) / row.length);

/** The mean of squared differences, over the row's length less the correction. */
const variance: Reduction = (row, round, correction) => {
  const middle = mean(row, round, 0);
  let total = 0;
  for (const x of row) total = round(total + round(round(x - middle) * round(x - middle)));
  return round(total / Math.max(0, row.length - correction));
};

const best =
  (wins: (x: number, y: number) => boolean) =>
  (row: Row): number => {
    let at = 0;
    for (let i = 1; i < row.length && !Number.isNaN(row[at] as number); i++)
      if (Number.isNaN(row[i] as number) || wins(row[i] as number, row[at] as number)) at = i;
    return at;
  };
const greatest = best((x, y) => x > y);
const least = best((x, y) => x < y);

const logSumExp: Reduction = (row, round) => {
  const top = row[greatest(row)] as number;
  if (Math.abs(top) === Infinity) return top;
  let total = 0;
  for (const x of row) total = round(total + round(exp(round(x - top))));
  return round(top + round(log(total)));
};

export const reductions = {
  sum,
  mean,
  prod: product,
  max: (row) => row[greatest(row)] as number,
  min: (row) => row[least(row)] as number,
  argmax: greatest,
  argmin: least,
  any: (row) => (row.some((x) => x !== 0) ? 1 : 0),
  all: (row) => (row.every((x) => x !== 0) ? 1 : 0),
  var: variance,
  std: (row, round, correction) => Math.sqrt(variance(row, round, correction)),
  norm: (row, round) =>
    Math.sqrt(
      sum(
        row.map((x) => round(x * x)),
        round,
      ),
    ),
  logsumexp: logSumExp,
  count_nonzero: (row) => row.reduce((n, x) => n + (x !== 0 ? 1 : 0), 0),
} satisfies Record<string, Reduction>;

export const reduce = (reduction: Reduction): Kernel =>
  function* ([operand], { dtype, attributes }) {
    const dense = needed(operand, 'an operand');
    const { data, rows, width } = yield* rowsAlong(dense, needed(attributes.axes, 'axes'));
    const out = new Float64Array(rows);
    const round = rounding[accumulator(dtype)];
    yield* eachRow(rows, width, (i) => {
      out[i] = rounding[dtype](reduction(data.subarray(i * width, (i + 1) * width), round, attributes.correction ?? 0));
    });
    if (dtype === 'int64' && out.some((x) => Math.abs(x) > Number.MAX_SAFE_INTEGER))
      throw new NotComputed('int64 beyond 2^53');
    return out;
  };

function* eachRow(rows: number, width: number, of: (i: number) => void): Paced<void> {
  let done = 0;
  for (let i = 0; i < rows; i++) {
    of(i);
    done += width + 1;
    if (done > part) {
      done = 0;
      yield;
    }
  }
}

/** A row of the result from a row of the operand, both along one axis. */
type RowMap = (row: Row, out: Row, round: Round) => void;

/** e^(x − max) over its sum (a row without a finite number gives NaN, as in NumPy and PyTorch). */
const softmaxRow: RowMap = (row, out, round) => {
  const top = row[greatest(row)] as number;
  let total = 0;
  for (let i = 0; i < row.length; i++) {
    out[i] = round(exp(round((row[i] as number) - top)));
    total = round(total + (out[i] as number));
  }
  for (let i = 0; i < row.length; i++) out[i] = round((out[i] as number) / total);
};

const logSoftmaxRow: RowMap = (row, out, round) => {
  const top = row[greatest(row)] as number;
  let total = 0;
  for (const x of row) total = round(total + round(exp(round(x - top))));
  const norm = round(log(total));
  for (let i = 0; i < row.length; i++) out[i] = round(round((row[i] as number) - top) - norm);
};

const running =
  (step: (a: number, b: number) => number): RowMap =>
  (row, out, round) => {
    let total = NaN;
    for (let i = 0; i < row.length; i++) {
      total = i === 0 ? (row[0] as number) : round(step(total, row[i] as number));
      out[i] = total;
    }
  };

/** (x − mean)/√(variance + eps). */
const layerNormRow =
  (eps: number): RowMap =>
  (row, out, round) => {
    const middle = mean(row, round, 0);
    const scale = round(1 / Math.sqrt(variance(row, round, 0) + eps));
    for (let i = 0; i < row.length; i++) out[i] = round(round((row[i] as number) - middle) * scale);
  };

/** x/√(mean of squares + eps). */
const rmsNormRow =
  (eps: number): RowMap =>
  (row, out, round) => {
    const scale = round(
      1 /
        Math.sqrt(
          mean(
            row.map((x) => round(x * x)),
            round,
            0,
          ) + eps,
        ),
    );
    for (let i = 0; i < row.length; i++) out[i] = round((row[i] as number) * scale);
  };

export const rowMaps = {
  softmax: () => softmaxRow,
  log_softmax: () => logSoftmaxRow,
  cumsum: () => running((a, b) => a + b),
  cumprod: () => running((a, b) => a * b),
  cummax: () => running(Math.max),
  layer_norm: layerNormRow,
  rms_norm: rmsNormRow,
} satisfies Record<string, (eps: number) => RowMap>;

export const mapRows = (make: (eps: number) => RowMap): Kernel =>
  function* ([operand], { dtype, attributes }) {
    const dense = needed(operand, 'an operand');
    const axes = attributes.axes ?? [needed(attributes.axis, 'axis')];
    const { data, rows, width } = yield* rowsAlong(dense, axes);
    const out = new Float64Array(data.length);
    const of = make(attributes.eps ?? 0);
    const round = rounding[accumulator(dtype)];
    yield* eachRow(rows, width * 4, (i) => {
      const [from, to] = [i * width, (i + 1) * width];
      of(data.subarray(from, to), out.subarray(from, to), round);
    });
    if (accumulator(dtype) !== dtype) for (let i = 0; i < out.length; i++) out[i] = rounding[dtype](out[i] as number);
    return axes.length === 1 ? yield* fromRows(out, dense.shape, axes[0] as number) : out;
  };

/** Places of a row in order, the first of equals first; NaN as the greatest. */
function order(row: Row, descending: boolean): number[] {
  const key = (i: number): number => (Number.isNaN(row[i] as number) ? Infinity : (row[i] as number));
  const places = Array.from(row, (_, i) => i);
  return places.sort((i, j) => (descending ? 1 : -1) * (key(j) > key(i) ? 1 : key(j) < key(i) ? -1 : 0) || i - j);
}

/** The first `value` places (or all) of each row in order. */
export const sorted = (asPlaces: boolean): Kernel =>
  function* ([operand], { attributes, shape }) {
    const dense = needed(operand, 'an operand');
    const axis = needed(attributes.axis, 'axis');
    const { data, rows, width } = yield* rowsAlong(dense, [axis]);
    const kept = shape[axis] as number;
    const out = new Float64Array(rows * kept);
    yield* eachRow(rows, width * 16, (i) => {
      const row = data.subarray(i * width, (i + 1) * width);
      const places = order(row, attributes.descending ?? false).slice(0, kept);
      out.set(asPlaces ? places : places.map((j) => row[j] as number), i * kept);
    });
    return yield* fromRows(out, shape, axis);
  };
