import { exactExp } from './exact';
import { nearestInteger, productError, sumError } from './pair';
import { entriesPerLn2, ln2Over1024High, ln2Over1024Low, makeExpTable, powersOfTwo } from './tables';

let expTable: Float64Array | undefined;

/**
 * e^(x + low) = 2^k · (out[0] + out[1]) with out[0] in [0.99, 2), out[1] at most half an ulp of it, error below 2^-72.
 * Tang 1989: x + low = n·(ln 2/1024) + r with |r| ≤ 2^-11.5, so e^(…) = 2^⌊n/1024⌋ · 2^(n mod 1024 / 1024) · e^r.
 * Returns k. For |x| < 800.
 */
export function expPair(x: number, low: number, out: Float64Array): number {
  const table = (expTable ??= makeExpTable());
  const n = nearestInteger(x * entriesPerLn2);
  // r = rh + rl: the first product is exact, so is the first difference; the second difference keeps its error.
  const r1 = x - n * ln2Over1024High;
  const r2 = low - n * ln2Over1024Low;
  const rh = r1 + r2;
  const rl = sumError(r1, r2, rh);
  // e^r − 1 − rh, in plain arithmetic since it is below 2^-23.
  const q = rl + rh * rh * (0.5 + rh * (1 / 6 + rh * (1 / 24 + rh * (1 / 120))));

  const index = 2 * (n & 1023);
  const th = table[index] as number;
  const tl = table[index + 1] as number;
  const product = th * rh;
  const sum = th + product;
  const small = th - sum + product + (productError(th, rh, product) + (tl + tl * rh + th * q));
  const high = sum + small;
  out[0] = high;
  out[1] = sum - high + small;
  return n >> 10;
}

const parts = new Float64Array(2);

/**
 * e^x, correctly rounded: NaN for NaN, 0 for −∞ and below −745.13, ∞ above 709.78. The rounding is tested after Ziv
 * 1991: when the error bound leaves two candidates (1 argument in 2^15), integer arithmetic decides.
 */
export function exp(x: number): number {
  if (!(x < 709.782712893384 && x > -745.1332191019412)) return expBeyond(x);
  const k = expPair(x, 0, parts);
  const high = parts[0] as number;
  const low = parts[1] as number;
  const result = high + (low + bound);
  if (result !== high + (low - bound)) return exactExp(x);
  if (k > -1022 && k < 1024) return result * (powersOfTwo[k + 1074] as number);
  if (k > 0) return result * (powersOfTwo[2097] as number) * 2;
  return roundSubnormal(high, low, k, bound) ?? exactExp(x);
}

const bound = 8.470329472543003e-22; // 2^-70

function expBeyond(x: number): number {
  if (x > 0) return x > 709.782712893384 ? Infinity : exactExp(x);
  if (x < 0) return x < -745.1332191019412 ? 0 : exactExp(x);
  return x;
}

/**
 * (high + low)·2^k for a result below 2^-1021, rounded once to a multiple of 2^-1074; undefined when the bound on the
 * error leaves two candidates.
 */
export function roundSubnormal(high: number, low: number, k: number, bound: number): number | undefined {
  // k = −1022 is at the border: a normal result unless high is just below 1.
  if (k === -1022) return high >= 1 ? (high + low) * (powersOfTwo[52] as number) : undefined;
  // The last place of the result, before the multiplication by 2^k: at most 4. Adding 2^52 of them rounds to it.
  const unit = powersOfTwo[-k] as number;
  const grid = 4503599627370496 * unit;
  const nearest = high + grid - grid;
  const rest = high - nearest + low;
  if (Math.abs(Math.abs(rest) - unit / 2) <= bound) return undefined;
  const rounded = rest > unit / 2 ? nearest + unit : rest < -unit / 2 ? nearest - unit : nearest;
  return (rounded / unit) * 5e-324;
}
