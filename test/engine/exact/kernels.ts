import { add, divide, exp, multiply, pair, tanh, type Pair } from './double-double';
import { epsilon, size, tiniest, type Cells, type DType, type Made } from './cells';

/*
 * One step in double-double arithmetic from the operands that the trace has, with two figures beside it: how far the
 * engine's own arithmetic may be off (local), and how far the operands' errors reach (spread, a running error analysis:
 * Higham 2002, section 3.3).
 */

const at = (x: Float64Array, i: number): number => x[i] ?? NaN;

/** The same values in another place: `source[i]` is where cell i comes from. */
export function moved(a: Cells, shape: readonly number[], source: (flat: number) => number): Made {
  const from = Array.from({ length: size(shape) }, (_, i) => source(i));
  return {
    shape,
    exact: from.map((i) => pair(at(a.values, i))),
    rule: 'exact',
    spread: Float64Array.from(from, (i) => at(a.error, i)),
  };
}

export const same = (a: Cells): Made => moved(a, a.shape, (i) => i);

/** a·b or a·bᵀ over the last two axes; b's leading axes repeat when it has fewer. k terms: within 1·k·ε·Σ|terms|. */
export function product(a: Cells, b: Cells, transposed: boolean, dtype: DType): Made {
  const [n, k] = a.shape.slice(-2) as [number, number];
  const m = b.shape.at(transposed ? -2 : -1) ?? 0;
  const shape = [...a.shape.slice(0, -2), n, m];
  const sheets = size(b.shape.slice(0, -2));
  const exact: Pair[] = [];
  const local = new Float64Array(size(shape));
  const spread = new Float64Array(size(shape));
  for (let cell = 0; cell < local.length; cell++) {
    const column = cell % m;
    const row = Math.floor(cell / m);
    const sheet = Math.floor(row / n) % sheets;
    const left = Array.from({ length: k }, (_, t) => row * k + t);
    const right = left.map((_, t) => sheet * k * m + (transposed ? column * k + t : t * m + column));
    const dot = dotProduct(a, b, left, right);
    exact.push(dot.sum);
    local[cell] = k * (epsilon(dtype) * dot.magnitude + tiniest(dtype));
    spread[cell] = dot.spread;
  }
  return { shape, exact, rule: 'bound', local, spread };
}

interface Dot {
  readonly sum: Pair;
  /** Σ|terms| */
  readonly magnitude: number;
  readonly spread: number;
}

function dotProduct(a: Cells, b: Cells, left: readonly number[], right: readonly number[]): Dot {
  let sum = pair(0);
  let magnitude = 0;
  let spread = 0;
  left.forEach((l, t) => {
    const r = right[t] ?? -1;
    const [x, y] = [at(a.values, l), at(b.values, r)];
    const [ex, ey] = [at(a.error, l), at(b.error, r)];
    sum = add(sum, multiply(pair(x), pair(y)));
    magnitude += Math.abs(x * y);
    spread += times(x, ey) + times(y, ex) + ex * ey;
  });
  return { sum, magnitude, spread };
}

/** |x|·e, where no error stays none even beside an infinity. */
const times = (x: number, e: number): number => (e === 0 ? 0 : Math.abs(x) * e);

/** a + b; b's cells repeat when it has fewer (a bias row, one mask for all heads). */
export function sum(a: Cells, b: Cells): Made {
  const other = (i: number): number => i % b.values.length;
  return {
    shape: a.shape,
    exact: [...a.values].map((x, i) => add(pair(x), pair(at(b.values, other(i))))),
    rule: 'ulp',
    spread: a.error.map((e, i) => e + at(b.error, other(i))),
  };
}

export function quotient(a: Cells, by: Pair): Made {
  return {
    shape: a.shape,
    exact: [...a.values].map((x) => divide(pair(x), by)),
    rule: 'ulp',
    spread: a.error.map((e) => e / Math.abs(by.hi)),
  };
}

/**
 * softcap·tanh(a / softcap): a quotient, tanh within 1 ulp and a product, together within 3 ε of the value; a quotient or tanh that is
 * subnormal is off by steps of the smallest number, which the product multiplies.
 */
export function capped(a: Cells, softcap: number, dtype: DType): Made {
  const cap = pair(softcap);
  const exact = [...a.values].map((x) => multiply(cap, tanh(divide(pair(x), cap))));
  return {
    shape: a.shape,
    exact,
    rule: 'bound',
    local: Float64Array.from(exact, (x) => 3 * epsilon(dtype) * Math.abs(x.hi) + (2 * softcap + 1) * tiniest(dtype)),
    // |tanh′| ≤ 1
    spread: a.error,
  };
}

/** Hidden cells hold the fill. */
export function filled(a: Cells, hidden: Cells, fill: number): Made {
  const isHidden = (i: number): boolean => at(hidden.values, i % hidden.values.length) === 1;
  return {
    shape: a.shape,
    exact: [...a.values].map((x, i) => pair(isHidden(i) ? fill : x)),
    rule: 'exact',
    spread: a.error.map((e, i) => (isHidden(i) ? 0 : e)),
  };
}

/**
 * Row-wise softmax, e^(x_j − max) / Σ e^(x_i − max). With M the maximum and w the weights, the rounded differences are off by ½ε|x − M|,
 * each exponential by 1 ulp, the sum by ½ε a term, the quotient by ½ε: within w·ε·(m + 4 + |x_j − M| + Σ w_i|x_i − M|).
 * An error δ_i in each operand moves w_j by no more than w_j·(e^(δ_j + max δ) − 1).
 */
export function softmax(a: Cells, zeroWhenHidden: boolean, dtype: DType): Made {
  const m = a.shape.at(-1) ?? 1;
  const exact: Pair[] = [];
  const local = new Float64Array(a.values.length);
  const spread = new Float64Array(a.values.length);
  for (let start = 0; start < a.values.length; start += m) {
    const row = [...a.values.subarray(start, start + m)];
    const errors = [...a.error.subarray(start, start + m)];
    const made = softmaxRow(row, errors, zeroWhenHidden, dtype);
    made.forEach((cell, j) => {
      exact.push(cell.exact);
      local[start + j] = cell.local;
      spread[start + j] = cell.spread;
    });
  }
  return { shape: a.shape, exact, rule: 'bound', local, spread };
}

interface Weight {
  readonly exact: Pair;
  readonly local: number;
  readonly spread: number;
}

function softmaxRow(
  row: readonly number[],
  errors: readonly number[],
  zeroWhenHidden: boolean,
  dtype: DType,
): Weight[] {
  if (zeroWhenHidden && row.every((x) => x === -Infinity))
    return row.map(() => ({ exact: pair(0), local: 0, spread: 0 }));
  const max = Math.max(...row);
  const differences = row.map((x) => add(pair(x), pair(-max)));
  const exponentials = differences.map(exp);
  const total = exponentials.reduce(add, pair(0));
  const weights = exponentials.map((e) => (Number.isNaN(total.hi) ? pair(NaN) : divide(e, total)));
  const mean = differences.reduce((s, d, i) => s + times(d.hi, weights[i]?.hi ?? 0), 0);
  const worst = Math.max(...errors);
  return weights.map((exact, j) => ({
    exact,
    local:
      exact.hi === 0
        ? 2 * tiniest(dtype)
        : exact.hi * epsilon(dtype) * (row.length + 4 + distance(differences[j]) + mean) + 2 * tiniest(dtype),
    spread: exact.hi === 0 ? 0 : Math.min(1, exact.hi * Math.expm1(Math.min(700, (errors[j] ?? 0) + worst))),
  }));
}

const distance = (d: Pair | undefined): number => Math.abs(d?.hi ?? NaN);

/** Rotation of pairs of columns: (a cos − b sin, a sin + b cos), sums of two products each. */
export function rotated(a: Cells, rotations: Cells, half: boolean, dtype: DType): Made {
  const [n, d] = a.shape.slice(-2) as [number, number];
  const turnedBack = negativeSines(rotations, d / 2);
  const exact: Pair[] = [];
  const local = new Float64Array(a.values.length);
  const spread = new Float64Array(a.values.length);
  for (let cell = 0; cell < a.values.length; cell++) {
    const column = cell % d;
    const p = Math.floor(cell / d) % n;
    const turn = half ? column % (d / 2) : column >> 1;
    const isFirst = half ? column < d / 2 : column % 2 === 0;
    const partner = cell + (isFirst ? 1 : -1) * (half ? d / 2 : 1);
    const cos = 2 * p * (d / 2) + turn;
    const dot = dotProduct(a, isFirst ? turnedBack : rotations, [cell, partner], [cos, cos + d / 2]);
    exact.push(dot.sum);
    local[cell] = 2 * (epsilon(dtype) * dot.magnitude + tiniest(dtype));
    spread[cell] = dot.spread;
  }
  return { shape: a.shape, exact, rule: 'bound', local, spread };
}

function negativeSines(rotations: Cells, width: number): Cells {
  return { ...rotations, values: rotations.values.map((x, i) => (Math.floor(i / width) % 2 === 1 ? -x : x)) };
}
