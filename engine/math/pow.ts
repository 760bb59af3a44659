import { exactPow } from './exact';
import { expPair, roundPair } from './exp';
import { logPair } from './log';
import { productError } from './pair';

const parts = new Float64Array(2);

/**
 * x^y, correctly rounded, with the special values of C99 (annex F) and so of Python and NumPy: pow(x, ±0) = 1 even for
 * NaN, pow(1, y) = 1 even for NaN, pow(−1, ±∞) = 1 (JavaScript's `**` gives NaN for the last two), NaN for a negative
 * finite x with a y that is not an integer.
 */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (Math.abs(y) === Infinity) return powOfInfiniteExponent(x, y);
  const odd = isOddInteger(y);
  if (x === 0 || Math.abs(x) === Infinity) return powOfZeroOrInfinity(x, y, odd);
  if (x > 0) return powOfPositive(x, y);
  if (y !== Math.floor(y)) return NaN;
  const size = x === -1 ? 1 : powOfPositive(-x, y);
  return odd ? -size : size;
}

const isOddInteger = (y: number): boolean => y === Math.floor(y) && Math.abs(y % 2) === 1;

function powOfInfiniteExponent(x: number, y: number): number {
  const size = Math.abs(x);
  if (size === 1) return 1;
  return size > 1 === y > 0 ? Infinity : 0;
}

function powOfZeroOrInfinity(x: number, y: number, odd: boolean): number {
  const size = (x === 0) === y > 0 ? 0 : Infinity;
  const negative = odd && (x < 0 || Object.is(x, -0));
  return negative ? -size : size;
}

// y·ln x as a pair, then the exponential of the pair.
function powOfPositive(x: number, y: number): number {
  logPair(x, parts);
  const lh = parts[0] as number;
  const ll = parts[1] as number;
  const product = y * lh;
  if (product > 746) return Infinity;
  if (product < -747) return 0;
  if (Math.abs(product) < 2.7755575615628914e-17) return 1; // 2^-55
  const k = expPair(product, productError(y, lh, product) + y * ll, parts);
  // The logarithm is relatively right to 2^-69, so its product is absolutely wrong by up to 2^-69 times its size.
  const bound = 1.6940658945086007e-21 + Math.abs(product) * 3.3881317890172014e-21; // 2^-69, 2^-68
  return roundPair(parts, k, bound) ?? exactPow(x, y);
}
