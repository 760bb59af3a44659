import { exactLog } from './exact';
import { productError, sumError } from './pair';
import { ln2High, ln2Low, makeLogTable } from './tables';

let logTable: Float64Array | undefined;

const view = new DataView(new ArrayBuffer(8));

/**
 * ln x = out[0] + out[1] with a relative error below 2^-69, for positive finite x ≠ 1. Tang 1990: x = 2^k·m,
 * j = round(512/m), ln x = k·ln 2 − ln(j/512) + ln(1 + r), r = m·j/512 − 1 without rounding, |r| ≤ 2^-9.5.
 */
export function logPair(x: number, out: Float64Array): void {
  const table = (logTable ??= makeLogTable());
  const subnormal = x < 2.2250738585072014e-308;
  view.setFloat64(0, subnormal ? x * 18014398509481984 : x);
  const top = view.getUint32(0);
  // m in [1, 2) at first; from √2 on it is halved, so that arguments on both sides of 1 have k = 0.
  const carry = (top & 0xfffff) > 0x6a09e ? 1 : 0;
  const k = (top >>> 20) - 1023 + carry - (subnormal ? 54 : 0);
  view.setUint32(0, (top & 0xfffff) | ((1023 - carry) << 20));
  const m = view.getFloat64(0);
  const j = Math.floor(512 / m + 0.5);
  // 24 and 29 bits times 10 bits: both products are exact, and so is the first less 1.
  const inverse = j / 512;
  const mh = Math.fround(m);
  const r1 = mh * inverse - 1;
  const r2 = (m - mh) * inverse;
  const rh = r1 + r2;
  const rl = sumError(r1, r2, rh);
  // ln(1 + r) = r − r²/2 + tail
  const square = rh * rh;
  const tail = rh * square * (1 / 3 - rh * (1 / 4 - rh * (1 / 5 - rh * (1 / 6 - rh * (1 / 7 - rh * (1 / 8))))));
  const small = rl - rh * rl - 0.5 * productError(rh, rh, square) + tail + (table[2 * j + 1] as number) + k * ln2Low;
  // The large terms k·ln 2 − ln(j/512) + r − r²/2, each sum with its error.
  const base = k * ln2High;
  const entry = table[2 * j] as number;
  const a = base + entry;
  const b = a + rh;
  const s = b - 0.5 * square;
  const low = sumError(base, entry, a) + sumError(a, rh, b) + sumError(b, -0.5 * square, s) + small;
  const high = s + low;
  out[0] = high;
  out[1] = s - high + low;
}

const parts = new Float64Array(2);

/** ln x, correctly rounded: NaN for NaN and below 0, −∞ for ±0, ∞ for ∞. */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  if (x === 1) return 0;
  logPair(x, parts);
  const high = parts[0] as number;
  const low = parts[1] as number;
  const bound = Math.abs(high) * 3.3881317890172014e-21; // 2^-68
  const result = high + (low + bound);
  return result === high + (low - bound) ? result : exactLog(x);
}
