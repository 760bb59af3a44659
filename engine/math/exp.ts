import { exactExp } from './exact';
import { nearestInteger, productError, sumError } from './pair';
import { powerOfTwo } from './powers';
import { entriesPerLn2, ln2Over1024High, ln2Over1024Low, makeExpTable } from './tables';

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
  return roundPair(parts, k, 8.470329472543003e-22) ?? exactExp(x); // 2^-70
}

function expBeyond(x: number): number {
  if (x > 0) return x > 709.782712893384 ? Infinity : exactExp(x);
  if (x < 0) return x < -745.1332191019412 ? 0 : exactExp(x);
  return x;
}

/**
 * (pair[0] + pair[1] ± bound)·2^k rounded to the nearest double, for pair[0] in [0.99, 2); undefined when the bound leaves
 * two candidates.
 */
export function roundPair(pair: Float64Array, k: number, bound: number): number | undefined {
  const high = pair[0] as number;
  const low = pair[1] as number;
  if (k < -1021) return roundSmall(high, low, k, bound);
  const result = high + (low + bound);
  if (result !== high + (low - bound)) return undefined;
  return k < 1024 ? result * powerOfTwo(k) : result * powerOfTwo(1023) * powerOfTwo(k - 1023);
}

// The same near and below the least normal number, 2^-1022: rounded once, to a multiple of 2^-1074.
function roundSmall(high: number, low: number, k: number, bound: number): number | undefined {
  if (k === -1022) {
    const result = high + (low + bound);
    return high >= 1 && result === high + (low - bound) ? result * powerOfTwo(k) : undefined;
  }
  // The last place of the result, before the multiplication by 2^k: at most 4. Adding 2^52 of them rounds to it.
  const unit = powerOfTwo(-1074 - k);
  const grid = 4503599627370496 * unit;
  const nearest = high + grid - grid;
  const rest = high - nearest + low;
  if (Math.abs(Math.abs(rest) - unit / 2) <= bound) return undefined;
  const rounded = rest > unit / 2 ? nearest + unit : rest < -unit / 2 ? nearest - unit : nearest;
  return (rounded / unit) * 5e-324;
}
