/**
 * Elementary functions in float64 from + − × ÷ alone, which IEEE 754 defines to the last bit: the same bytes in every
 * JavaScript engine and on every processor. Each is evaluated to about 2^−67 relative before the one rounding, so results are
 * correctly rounded but for about one argument in ten thousand, and then within 0.5001 ulp.
 *
 * For float32 round the result with Math.fround: rounding twice differs from once only where the float64 result lies
 * within 2^−29 relative of the middle between two float32.
 *
 * Method: argument reduction to a table entry and a short polynomial (Tang 1989, 1990), tables by
 * `test/reference/math_tables.py`; large arguments of sin and cos by Payne & Hanek (1983) in integers.
 */
import { productError, scaled, sumError, highWord, lowWord, fromWords } from './math/pair';
import { cosines, halfPi, ln2, logarithms, powersOfTwo, sines, twoOverPi } from './math/tables';

const at = (table: readonly number[], i: number): number => table[i] as number;

const perLn2 = 92.33248261893024; // 64 / log(2)
const [stepHigh, stepMiddle, stepLow] = [ln2[0] / 64, ln2[1] / 64, ln2[2] / 64];

/** eˣ. exp(−∞) = 0, exp(NaN) = NaN; subnormal results are rounded once. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  return expPair(x, 0);
}

/** e^(x + tail), |tail| ≤ ulp(x)/2. */
function expPair(x: number, tail: number): number {
  if (x > 709.782712893385) return Infinity;
  if (x < -745.1332191019416) return 0;
  const n = Math.round(x * perLn2);
  const j = n & 63;
  // x − n·log(2)/64 in two parts; the first two products are exact.
  const rest = x - n * stepHigh;
  const middle = n * stepMiddle;
  const r = rest - middle;
  const rTail = sumError(rest, -middle, r) - n * stepLow + tail;
  const poly =
    rTail + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040 + r * (1 / 40320)))))));
  const t = at(powersOfTwo, 2 * j);
  const p = t * r;
  const hi = t + p;
  const lo = p - (hi - t) + (productError(t, r, p) + (at(powersOfTwo, 2 * j + 1) * (1 + r) + t * poly));
  return scaled(hi, lo, (n - j) / 64);
}

/** log(x) as hi + lo: `hi` is returned, `lo` is left in `logTail`. For finite x > 0. */
function logPair(x: number): number {
  const subnormal = x < 2.2250738585072014e-308;
  const y = subnormal ? x * 18014398509481984 : x;
  const top = highWord(y);
  // The mantissa in [√½, √2): 0x3fe6a09e is the high word of √½.
  const k = (top - 0x3fe6a09e) >> 20;
  const m = fromWords(top - (k << 20), lowWord(y));
  const exponent = subnormal ? k - 54 : k;
  const j = Math.round((m - 1) * 128);
  const f = 1 + j / 128;
  const d = m - f;
  const r = d / f;
  const rTail = (d - r * f - productError(r, f, r * f)) / f;
  // log1p(r + rTail) = r − r²/2 + r³/3 − …, the square in two parts.
  const square = r * r;
  const squareTail = productError(r, r, square);
  const series = r * square * (1 / 3 - r * (1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7 - r * (1 / 8 - r / 9))))));
  const tableHigh = at(logarithms, 2 * (j + 38));
  let hi = exponent * ln2[0];
  let lo = exponent * ln2[2] + at(logarithms, 2 * (j + 38) + 1);
  for (const part of [exponent * ln2[1], tableHigh, r, -square / 2]) {
    const sum = hi + part;
    lo += sumError(hi, part, sum);
    hi = sum;
  }
  lo += series - squareTail / 2 + rTail * (1 - r);
  const whole = hi + lo;
  logTail = lo - (whole - hi);
  return whole;
}
let logTail = 0;

/** Natural logarithm. log(0) = −∞, log of a negative number is NaN. */
export function log(x: number): number {
  if (x === 0) return -Infinity;
  if (!(x > 0)) return NaN;
  return x === Infinity ? x : logPair(x);
}

/**
 * xʸ for x > 0, by e^(y·log x) with the product in two parts. x ≤ 0 follows IEEE 754 for integer y and is NaN
 * otherwise. Within 0.51 ulp while |y·log x| < 50, 1 ulp elsewhere.
 */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (x === 1) return 1;
  if (x < 0 || Object.is(x, -0)) return negativePower(x, y);
  if (x === 0) return y > 0 ? 0 : Infinity;
  if (x === Infinity) return y > 0 ? Infinity : 0;
  if (!Number.isFinite(y)) return x > 1 === y > 0 ? Infinity : 0;
  const l = logPair(x);
  const p = y * l;
  if (Math.abs(p) > 800) return p > 0 ? Infinity : 0;
  return expPair(p, productError(y, l, p) + y * logTail);
}

function negativePower(x: number, y: number): number {
  if (!Number.isFinite(y)) return x === -1 ? 1 : pow(-x, y);
  if (!Number.isInteger(y)) return x === 0 || x === -Infinity ? pow(Math.abs(x), y) : NaN;
  const result = pow(-x, y);
  return y % 2 === 0 ? result : -result;
}

/** Sine of x radians. */
export function sin(x: number): number {
  if (!Number.isFinite(x)) return NaN;
  if (Math.abs(x) < 1e-8) return x;
  return quadrant(reduce(x), 0);
}

/** Cosine of x radians. */
export function cos(x: number): number {
  if (!Number.isFinite(x)) return NaN;
  return quadrant(reduce(x), 1);
}

/** x − n·π/2 in `reduced` + `reducedTail`, |reduced| ≤ π/4; returns n modulo 4. */
function reduce(x: number): number {
  const n = Math.round(x * 0.6366197723675814);
  if (n === 0) {
    [reduced, reducedTail] = [x, 0];
    return 0;
  }
  if (Math.abs(n) > 1e5) return reduceLarge(x);
  const rest = x - n * halfPi[0];
  const middle = n * halfPi[1];
  const r = rest - middle;
  const tail = sumError(rest, -middle, r) - n * halfPi[2];
  // Close to a multiple of π/2 the three parts are too few.
  if (Math.abs(r) < 1e-5) return reduceLarge(x);
  reduced = r + tail;
  reducedTail = tail - (reduced - r);
  return n & 3;
}
let reduced = 0;
let reducedTail = 0;

function reduceLarge(x: number): number {
  const top = highWord(Math.abs(x));
  const fraction = (BigInt((top & 0xfffff) | 0x100000) << 32n) | BigInt(lowWord(x));
  const point = 1280n - BigInt((top >>> 20) - 1075);
  const turns = fraction * twoOverPi;
  const whole = (turns + (1n << (point - 1n))) >> point;
  // What is left of the nearest whole number, with 200 bits after the point.
  const part = point > 200n ? (turns - (whole << point)) >> (point - 200n) : (turns - (whole << point)) << (200n - point);
  const unit = 6.223015277861142e-61; // 2^−200
  const hi = Number(part) * unit;
  const lo = Number(part - BigInt(hi / unit)) * unit;
  const p = hi * 1.5707963267948966;
  const tail = productError(hi, 1.5707963267948966, p) + hi * 6.123233995736766e-17 + lo * 1.5707963267948966;
  const sign = x < 0 ? -1 : 1;
  reduced = sign * (p + tail);
  reducedTail = sign * (tail - (p + tail - p));
  return Number(whole & 3n) * sign;
}

/** sin (shift 0) or cos (shift 1) of the reduced argument plus n quarter turns. */
function quadrant(n: number, shift: 0 | 1): number {
  const turn = (n + shift) & 3;
  const y = (turn & 1) === 0 ? sinReduced() : cosReduced();
  return turn < 2 ? y : -y;
}

/** sin(a + b) = sin a·cos b + cos a·sin b, a = j/64 from the table, |b| ≤ 1/128. */
function sinReduced(): number {
  const sign = reduced < 0 ? -1 : 1;
  const x = sign * reduced;
  const tail = sign * reducedTail;
  const j = Math.round(x * 64);
  const b = x - j / 64;
  const [s, c] = [at(sines, 2 * j), at(cosines, 2 * j)];
  const p = c * b;
  const hi = s + p;
  const rest =
    s * cosineLess1(b, tail) + c * sineLessB(b, tail) + (at(sines, 2 * j + 1) + at(cosines, 2 * j + 1) * b);
  return sign * (hi + (p - (hi - s) + (productError(c, b, p) + rest)));
}

/** cos(a + b) = cos a·cos b − sin a·sin b. */
function cosReduced(): number {
  const x = Math.abs(reduced);
  const tail = reduced < 0 ? -reducedTail : reducedTail;
  const j = Math.round(x * 64);
  const b = x - j / 64;
  const [s, c] = [at(sines, 2 * j), at(cosines, 2 * j)];
  const p = -s * b;
  const hi = c + p;
  const rest =
    c * cosineLess1(b, tail) - s * sineLessB(b, tail) + (at(cosines, 2 * j + 1) - at(sines, 2 * j + 1) * b);
  return hi + (p - (hi - c) + (productError(-s, b, p) + rest));
}

const cosineLess1 = (b: number, tail: number): number => {
  const z = b * b;
  return z * (-0.5 + z * (1 / 24 - z * (1 / 720 - z / 40320))) - b * tail;
};

const sineLessB = (b: number, tail: number): number => {
  const z = b * b;
  return b * z * (-1 / 6 + z * (1 / 120 - z * (1 / 5040 - z / 362880))) + tail;
};
