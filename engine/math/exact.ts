/**
 * Correct rounding by integer arithmetic: the last resort of every function here. Numbers are big integers over a power
 * of two, functions are their Taylor series, and the precision is raised until the interval that must hold the true
 * value rounds to one double (Ziv 1991). Slow (tens of microseconds) and called for about one argument in ten thousand.
 */
import { powerOfTwo } from './powers';

/** The real number value · 2^exponent, known to within ± `error` units of `value`. */
export interface Approximation {
  readonly value: bigint;
  readonly exponent: number;
  readonly error: bigint;
}

const firstPrecision = 192;
/** Beyond this, a value that still straddles a rounding boundary lies on it exactly (powers only; 2^-700 from it otherwise). */
const lastPrecision = 768;

/** The double nearest to what `evaluate` approximates, ties to even. */
function roundCorrectly(evaluate: (precision: number) => Approximation): number {
  for (let precision = firstPrecision; ; precision *= 2) {
    const { value, exponent, error } = evaluate(precision);
    const low = roundScaled(value - error, exponent);
    const high = roundScaled(value + error, exponent);
    if (low === high) return low;
    if (precision >= lastPrecision) return roundScaled(snap(value, precision >> 1), exponent);
  }
}

/** value · 2^exponent rounded to the nearest double, ties to even; gradual underflow, overflow to infinity. */
export function roundScaled(value: bigint, exponent: number): number {
  if (value < 0n) return -roundScaled(-value, exponent);
  const shift = Math.max(bitLength(value) - 53, -1074 - exponent);
  if (shift <= 0) return scaleExactly(Number(value), exponent);
  const kept = value >> BigInt(shift);
  const rest = value - (kept << BigInt(shift));
  const half = 1n << BigInt(shift - 1);
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  return scaleExactly(Number(up ? kept + 1n : kept), exponent + shift);
}

const snap = (value: bigint, bits: number): bigint =>
  ((value + (1n << BigInt(bits - 1))) >> BigInt(bits)) << BigInt(bits);

const view = new DataView(new ArrayBuffer(8));

/** Number of binary digits; 0 for 0n. */
export function bitLength(value: bigint): number {
  if (value >> 1000n) return 1000 + bitLength(value >> 1000n);
  if (value === 0n) return 0;
  // The exponent of the nearest double: one too many where that rounds up to a power of two.
  view.setFloat64(0, Number(value));
  const length = (view.getUint16(0) >> 4) - 1022;
  return value >> BigInt(length - 1) ? length : length - 1;
}

// In steps that stay exact: the caller has already rounded to what the result can hold.
function scaleExactly(x: number, exponent: number): number {
  let scaled = x;
  let left = exponent;
  for (; left > 1000; left -= 1000) scaled *= powerOfTwo(1000);
  for (; left < -1000; left += 1000) scaled *= powerOfTwo(-1000);
  return scaled * powerOfTwo(left);
}

/** A finite double as integer · 2^exponent, exactly. */
function decompose(x: number): { readonly integer: bigint; readonly exponent: number } {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n) & 0x7ff;
  const fraction = bits & 0xfffffffffffffn;
  const integer = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { integer: x < 0 ? -integer : integer, exponent: Math.max(biased, 1) - 1075 };
}

/** x · 2^bits, rounded towards −∞ when x has bits below. */
export function fixedOf(x: number, bits: number): bigint {
  const { integer, exponent } = decompose(x);
  const shift = exponent + bits;
  return shift >= 0 ? integer << BigInt(shift) : integer >> BigInt(-shift);
}

const constants = new Map<string, bigint>();

/** ln 2 · 2^bits, within one unit. */
export const ln2Fixed = (bits: number): bigint =>
  constantFixed(
    'ln2',
    bits,
    (b) => 18n * inverseSeries(26n, b, 1n) - 2n * inverseSeries(4801n, b, 1n) + 8n * inverseSeries(8749n, b, 1n),
  );

/** π · 2^bits, within one unit (Machin 1706). */
export const piFixed = (bits: number): bigint =>
  constantFixed('pi', bits, (b) => 16n * inverseSeries(5n, b, -1n) - 4n * inverseSeries(239n, b, -1n));

// Kept at a few round precisions and shifted, since the reduction of huge angles asks for many.
function constantFixed(name: string, bits: number, compute: (bits: number) => bigint): bigint {
  const stored = Math.ceil((bits + 32) / 512) * 512;
  const key = `${name}@${stored}`;
  const value = constants.get(key) ?? compute(stored);
  constants.set(key, value);
  return value >> BigInt(stored - bits);
}

/** Σ sign^k / ((2k+1) n^(2k+1)): atanh(1/n) for sign 1, atan(1/n) for sign −1. */
export function inverseSeries(n: bigint, bits: number, sign: 1n | -1n): bigint {
  let power = (1n << BigInt(bits)) / n;
  let sum = 0n;
  for (let k = 1n, s = 1n; power > 0n; k += 2n, s *= sign) {
    sum += (s * power) / k;
    power /= n * n;
  }
  return sum;
}

// e^r for |r| < 1: the argument is divided by 2^12, the Taylor sum squared 12 times. Error below 2^16 units.
function expSeries(r: bigint, bits: number): bigint {
  const one = 1n << BigInt(bits);
  const small = r >> 12n;
  let sum = one;
  for (let k = 1n, term = one; ; k++) {
    term = (term * small) / (k << BigInt(bits));
    if (term === 0n) break;
    sum += term;
  }
  for (let i = 0; i < 12; i++) sum = (sum * sum) >> BigInt(bits);
  return sum;
}

/** e^(x·2^-bits) as an approximation, for |x·2^-bits| < 2^11. */
export function expFixed(x: bigint, bits: number): Approximation {
  const ln2 = ln2Fixed(bits);
  const k = x / ln2;
  return { value: expSeries(x - k * ln2, bits), exponent: Number(k) - bits, error: 1n << 20n };
}

/** e^x, correctly rounded, for −746 < x < 710. */
export const exactExp = (x: number): number =>
  roundCorrectly((precision) => expFixed(fixedOf(x, precision + 64), precision + 64));

/** ln x · 2^bits within 2^14 units, for positive finite x: ln 2 times the exponent plus 2·atanh((m−1)/(m+1)). */
export function logFixed(x: number, bits: number): bigint {
  const { integer, exponent } = decompose(x);
  const length = bitLength(integer);
  // m in [1/2, 1), moved to [3/4, 3/2) so that arguments near 1 have exponent 0.
  const top = length >= 2 && ((integer >> BigInt(length - 2)) & 1n) === 1n;
  const k = exponent + length - (top ? 0 : 1);
  const m = shiftLeft(integer, bits - (k - exponent));
  const one = 1n << BigInt(bits);
  return BigInt(k) * ln2Fixed(bits) + 2n * atanhSeries(((m - one) << BigInt(bits)) / (m + one), bits);
}

const shiftLeft = (value: bigint, by: number): bigint => (by >= 0 ? value << BigInt(by) : value >> BigInt(-by));

function atanhSeries(y: bigint, bits: number): bigint {
  const square = (y * y) >> BigInt(bits);
  let sum = 0n;
  for (let k = 1n, power = y; ; k += 2n) {
    const term = power / k;
    if (term === 0n) return sum;
    sum += term;
    power = (power * square) / (1n << BigInt(bits));
  }
}

/** ln x, correctly rounded, for positive finite x ≠ 1. */
export const exactLog = (x: number): number =>
  roundCorrectly((precision) => ({ value: logFixed(x, precision + 96), exponent: -precision - 96, error: 1n << 16n }));

/** x^y, correctly rounded, for positive finite x ≠ 1 and |y·ln x| < 1100. */
export function exactPow(x: number, y: number): number {
  const { integer, exponent } = decompose(y);
  // y can be as large as 2^63 when x is next to 1: 64 bits more for the product.
  return roundCorrectly((precision) => {
    const bits = precision + 192;
    const product = shiftLeft(integer * logFixed(x, bits), exponent);
    return { ...expFixed(product, bits), error: 1n << 96n };
  });
}

/** tanh x = (e^2x − 1)/(e^2x + 1), correctly rounded, for 2^-30 < x < 30. */
export const exactTanh = (x: number): number =>
  roundCorrectly((precision) => {
    const bits = precision + 128;
    const e = expFixed(fixedOf(2 * x, bits), bits);
    const power = shiftLeft(e.value, e.exponent + bits);
    const one = 1n << BigInt(bits);
    return { value: ((power - one) << BigInt(bits)) / (power + one), exponent: -bits, error: 1n << 24n };
  });

/** sin(x + turns·π/2), correctly rounded, for any finite x of at least 2^-30 in size. */
export const exactSine = (x: number, turns: number): number =>
  roundCorrectly((precision) => {
    const bits = precision + 128;
    // n·(π/2) carries n units of error, so a huge x needs as many more bits of π as it has before the point.
    const { integer, exponent } = decompose(x);
    const wide = bits + Math.max(0, bitLength(integer < 0n ? -integer : integer) + exponent);
    const halfPi = piFixed(wide - 1);
    const fixed = shiftLeft(integer, exponent + wide);
    const quarters = floorDivide(2n * fixed + halfPi, 2n * halfPi);
    const r = (fixed - quarters * halfPi) >> BigInt(wide - bits);
    const quadrant = Number((((quarters + BigInt(turns)) % 4n) + 4n) % 4n);
    const value = quadrant % 2 === 0 ? sineSeries(r, bits, 1n) : sineSeries(r, bits, 0n);
    return { value: quadrant < 2 ? value : -value, exponent: -bits, error: 1n << 16n };
  });

function floorDivide(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}

/** Σ (−1)^j r^(2j+first)/(2j+first)!: the sine for first = 1, the cosine for first = 0; |r| ≤ π/4. */
export function sineSeries(r: bigint, bits: number, first: 0n | 1n): bigint {
  const square = (r * r) >> BigInt(bits);
  let term = first === 1n ? r : 1n << BigInt(bits);
  let sum = term;
  for (let k = first + 1n; ; k += 2n) {
    term = (-term * square) / ((k * (k + 1n)) << BigInt(bits));
    if (term === 0n) return sum;
    sum += term;
  }
}
