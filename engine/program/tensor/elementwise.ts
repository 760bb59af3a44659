/** Functions of one, two and three numbers, by operation. Each gives what is then rounded to the result's type. */
import { cos, exp, log, pow, sin, tanh } from '../../math';
import type { Attributes } from './graph';
import type { Round } from './dtypes';
import { erf } from './erf';

const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)));
/** e^x − 1: the series where the difference would lose digits. */
function expm1(x: number): number {
  if (Math.abs(x) > 0.5) return exp(x) - 1;
  let [sum, term] = [0, x];
  for (let n = 2; n < 24; n++) {
    sum += term;
    term *= x / n;
  }
  return x === 0 ? x : sum;
}
/** log(1 + x), with the digits that 1 + x loses given back (Goldberg 1991, theorem 4). */
function log1p(x: number): number {
  const sum = 1 + x;
  return sum === 1 ? x : sum === Infinity ? x : (log(sum) * x) / (sum - 1);
}
const half = Math.SQRT1_2;
const gelu = (x: number, a: Attributes): number =>
  a.approximate === 'tanh'
    ? 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    : 0.5 * x * (1 + erf(x * half));
/** To the nearest integer, ties to even. */
function rint(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  const near = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
  return near === 0 && (x < 0 || Object.is(x, -0)) ? -0 : near;
}
const truth = (x: boolean): number => (x ? 1 : 0);

/** `round` rounds to the result's type if that is a float, for what a library computes in more than one step. */
export type Unary = (x: number, attributes: Attributes, round: Round) => number;

/** To a number of decimals as NumPy and PyTorch compute it: scaled in the array's own type, rounded, scaled back. So cos(0.01) to four decimals is 1.0000 in float32, where it times 10⁴ is 9999.5. */
function decimals(x: number, places: number, round: Round): number {
  const scale = pow(10, Math.abs(places));
  return places > 0 ? rint(round(x * scale)) / scale : rint(round(x / scale)) * scale;
}

/** Functions whose result has the operand's type. */
export const sameType = {
  negative: (x) => -x,
  absolute: (x) => Math.abs(x),
  sign: (x) => Math.sign(x),
  floor: (x) => Math.floor(x),
  ceil: (x) => Math.ceil(x),
  trunc: (x) => Math.trunc(x),
  round: (x, { value = 0 }, round) => (value === 0 ? rint(x) : decimals(x, value, round)),
  square: (x) => x * x,
  relu: (x) => (x > 0 || Number.isNaN(x) ? x : 0),
  clip: (x, { low = -Infinity, high = Infinity }) => (x < low ? low : x > high ? high : x),
} satisfies Record<string, Unary>;

/** Functions whose result is a float. */
export const floating = {
  exp: (x) => exp(x),
  exp2: (x) => pow(2, x),
  expm1: (x) => expm1(x),
  log: (x) => log(x),
  log1p: (x) => log1p(x),
  log2: (x) => log(x) / Math.LN2,
  log10: (x) => log(x) / Math.LN10,
  sqrt: (x) => Math.sqrt(x),
  rsqrt: (x) => 1 / Math.sqrt(x),
  reciprocal: (x) => 1 / x,
  sin: (x) => sin(x),
  cos: (x) => cos(x),
  tan: (x) => sin(x) / cos(x),
  sinh: (x) => (Math.abs(x) < 0.5 ? (expm1(x) - expm1(-x)) / 2 : (exp(x) - exp(-x)) / 2),
  cosh: (x) => (exp(x) + exp(-x)) / 2,
  tanh: (x) => tanh(x),
  erf: (x) => erf(x),
  sigmoid: (x) => sigmoid(x),
  silu: (x) => x * sigmoid(x),
  gelu,
  softplus: (x) => (x > 20 ? x : log1p(exp(x))),
  logsigmoid: (x) => Math.min(0, x) - log1p(exp(-Math.abs(x))),
  elu: (x, { value = 1 }) => (x > 0 ? x : value * expm1(x)),
  leaky_relu: (x, { value = 0.01 }) => (x >= 0 ? x : value * x),
  mish: (x) => x * tanh(x > 20 ? x : log1p(exp(x))),
  degrees: (x) => x * (180 / Math.PI),
  radians: (x) => x * (Math.PI / 180),
} satisfies Record<string, Unary>;

/** Functions whose result is a truth value. */
export const testing = {
  logical_not: (x) => truth(x === 0),
  isnan: (x) => truth(Number.isNaN(x)),
  isinf: (x) => truth(Math.abs(x) === Infinity),
  isfinite: (x) => truth(Number.isFinite(x)),
} satisfies Record<string, Unary>;

export type Binary = (x: number, y: number) => number;

/** Operations on the common type of both operands. */
export const arithmetic = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  floor_divide: (x, y) => Math.floor(x / y),
  remainder: (x, y) => (y === 0 ? NaN : x - Math.floor(x / y) * y),
  power: (x, y) => pow(x, y),
  maximum: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : Math.max(x, y)),
  minimum: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : Math.min(x, y)),
  bitwise_and: (x, y) => Number(BigInt(x) & BigInt(y)),
  bitwise_or: (x, y) => Number(BigInt(x) | BigInt(y)),
  bitwise_xor: (x, y) => Number(BigInt(x) ^ BigInt(y)),
  left_shift: (x, y) => x * pow(2, y),
  right_shift: (x, y) => Math.floor(x / pow(2, y)),
} satisfies Record<string, Binary>;

export const comparing = {
  equal: (x, y) => truth(x === y),
  not_equal: (x, y) => truth(x !== y),
  less: (x, y) => truth(x < y),
  less_equal: (x, y) => truth(x <= y),
  greater: (x, y) => truth(x > y),
  greater_equal: (x, y) => truth(x >= y),
  logical_and: (x, y) => truth(x !== 0 && y !== 0),
  logical_or: (x, y) => truth(x !== 0 || y !== 0),
  logical_xor: (x, y) => truth((x !== 0) !== (y !== 0)),
} satisfies Record<string, Binary>;

export const divide: Binary = (x, y) => x / y;
