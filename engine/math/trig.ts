import { exactSine } from './exact';
import { nearestInteger, productError, sumError } from './pair';
import { entriesPerPi, makeSineTable, piOver1024A, piOver1024B, piOver1024C, piOver1024D } from './tables';

let sineTable: Float64Array | undefined;

/** Up to here the products of n with the first three pieces of π/1024 are exact; beyond, integers reduce the angle. */
const fastLimit = 400000;
const tiny = 7.450580596923828e-9; // 2^-27

/** sin x (x in radians), correctly rounded; ±0 for ±0, NaN for NaN and infinities. */
export const sin = (x: number): number => (Math.abs(x) < tiny ? x : turnedSine(x, 0));

/** cos x (x in radians), correctly rounded; NaN for NaN and infinities. */
export const cos = (x: number): number => (Math.abs(x) < tiny ? 1 : turnedSine(x, 1));

const parts = new Float64Array(2);

// sin(x + turns·π/2)
function turnedSine(x: number, turns: 0 | 1): number {
  if (!(Math.abs(x) <= fastLimit)) return Math.abs(x) < Infinity ? exactSine(x, turns) : NaN;
  if (!sinePair(x, turns, parts)) return exactSine(x, turns);
  const high = parts[0] as number;
  const low = parts[1] as number;
  const bound = Math.abs(high) * 6.776263578034403e-21; // 2^-67
  const result = high + (low + bound);
  return result === high + (low - bound) ? result : exactSine(x, turns);
}

/**
 * sin(x + turns·π/2) = out[0] + out[1] with a relative error below 2^-69, for 2^-27 ≤ |x| ≤ 400000. False when x is so
 * near a zero that the reduction has lost too many bits. Cody & Waite 1980 with a table: x = n·(π/1024) + r,
 * |r| ≤ π/2048, in two doubles.
 */
export function sinePair(x: number, turns: 0 | 1, out: Float64Array): boolean {
  const n = nearestInteger(x * entriesPerPi);
  const r1 = x - n * piOver1024A;
  const t2 = -n * piOver1024B;
  const r2 = r1 + t2;
  const t3 = -n * piOver1024C;
  const r3 = r2 + t3;
  const rest = sumError(r1, t2, r2) + sumError(r2, t3, r3) - n * piOver1024D;
  const rh = r3 + rest;
  const step = n + 512 * turns;
  if ((step & 511) === 0 && n !== 0 && Math.abs(rh) < 1e-12) return false;
  sineOfSum(step, rh, r3 - rh + rest, out);
  return true;
}

// sin(step·π/1024 + r) = S·cos r + C·sin r; with a quarter turn more, S is a cosine and C a negative sine.
function sineOfSum(step: number, rh: number, rl: number, out: Float64Array): void {
  const table = (sineTable ??= makeSineTable());
  const quarter = (step >> 9) & 3;
  const i = quarter & 1 ? 512 - (step & 511) : step & 511;
  const signS = quarter < 2 ? 1 : -1;
  const signC = quarter === 0 || quarter === 3 ? 1 : -1;
  const sh = signS * (table[2 * i] as number);
  const sl = signS * (table[2 * i + 1] as number);
  const ch = signC * (table[1024 - 2 * i] as number);
  const cl = signC * (table[1025 - 2 * i] as number);
  // 1 − cos r and r − sin r, in plain arithmetic since they are below 2^-19 and 2^-30.
  const square = rh * rh;
  const versine = square * (0.5 - square * (1 / 24 - square * (1 / 720)));
  const excess = rh * square * (1 / 6 - square * (1 / 120 - square * (1 / 5040)));
  const product = ch * rh;
  const small = sl + cl * rh + ch * rl - sh * rh * rl - sh * versine - ch * excess;
  const sum = sh + product;
  const low = sh - sum + product + (productError(ch, rh, product) + small);
  const high = sum + low;
  out[0] = high;
  out[1] = sum - high + low;
}
