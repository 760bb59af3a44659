/**
 * Arithmetic on unevaluated sums hi + lo of two doubles (Dekker 1971): about 106 bits from + − × ÷ alone. Functions
 * return the error of an operation; the caller holds the rounded result, so that nothing is allocated.
 */

const splitter = 134217729; // 2^27 + 1

/** a·b − p exactly, for p = fl(a·b); |a|, |b| below 2^970 and p not subnormal. */
export function productError(a: number, b: number, p: number): number {
  const ta = splitter * a;
  const ah = ta - (ta - a);
  const al = a - ah;
  const tb = splitter * b;
  const bh = tb - (tb - b);
  const bl = b - bh;
  return ah * bh - p + ah * bl + al * bh + al * bl;
}

/** a + b − s exactly, for s = fl(a + b), whichever is larger (Knuth). */
export function sumError(a: number, b: number, s: number): number {
  const bb = s - a;
  return a - (s - bb) + (b - bb);
}

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
// Endianness of the platform's typed arrays: 1 where the high word is the second.
float[0] = -1;
const high = words[1] === 0 ? 0 : 1;

/** The upper 32 bits of a double: sign, exponent, 20 bits of fraction. */
export function highWord(x: number): number {
  float[0] = x;
  return words[high] as number;
}

/** The lower 32 bits of a double. */
export function lowWord(x: number): number {
  float[0] = x;
  return words[1 - high] as number;
}

export function fromWords(highBits: number, lowBits: number): number {
  words[high] = highBits;
  words[1 - high] = lowBits;
  return float[0] as number;
}

/** 2^k for −1022 ≤ k ≤ 1023. */
export const powerOfTwo = (k: number): number => fromWords((k + 1023) << 20, 0);

/** (hi + lo)·2^k, rounded once, also where the result is subnormal; 0.5 ≤ hi < 4, |lo| < hi. */
export function scaled(hi: number, lo: number, k: number): number {
  if (k > 1022) return (hi + lo) * powerOfTwo(1022) * powerOfTwo(Math.min(k - 1022, 1023));
  if (k > -1022 || (k === -1022 && hi + lo >= 1)) return (hi + lo) * powerOfTwo(k);
  if (k < -1076) return 0;
  const sum = hi + lo;
  return roundToGrid(sum, lo - (sum - hi), powerOfTwo(-1074 - k)) * powerOfTwo(k + 1000) * powerOfTwo(-1000);
}

/** hi + lo rounded to a multiple of `unit` (a power of two), ties to even. */
function roundToGrid(hi: number, lo: number, unit: number): number {
  const big = 6755399441055744 * unit; // 1.5·2^52: the sum has `unit` as its last place
  const near = hi + big - big;
  const rest = hi - near;
  const half = unit / 2;
  if (rest + lo > half || (rest === half && lo > 0)) return near + unit;
  if (rest + lo < -half || (rest === -half && lo < 0)) return near - unit;
  return near;
}
