// Softmax of a row: extremes, exponentials and their sum, one reciprocal. AssemblyScript.
import { multiply } from './pack';
import { madd } from './tile';

/** Four lanes of ones, four of zeros: read from 16 − 4·n, the first n lanes are ones. */
const lanes = memory.data<u32>([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 0], 16);
const spare = memory.data(16, 16);

/**
 * Each constant four times, so that a load makes a vector of it: as literals they cost V8 about four instructions at every use.
 * 1/ln 2, 1.5·2²³, −ln 2 in two parts (the first is short: its products are exact), the polynomial from its highest power, 1, lowest;
 * the same polynomial for 2ˣ (times powers of ln 2), −ln 2 in one part (for fused products of |n| ≤ 60: 1.2·10⁻⁷ at most).
 */
const constants = memory.data<f32>([
  1.44269504, 1.44269504, 1.44269504, 1.44269504,
  12582912, 12582912, 12582912, 12582912,
  -0.693359375, -0.693359375, -0.693359375, -0.693359375,
  2.12194440e-4, 2.12194440e-4, 2.12194440e-4, 2.12194440e-4,
  8.2902740e-3, 8.2902740e-3, 8.2902740e-3, 8.2902740e-3,
  4.1897939e-2, 4.1897939e-2, 4.1897939e-2, 4.1897939e-2,
  0.16667637, 0.16667637, 0.16667637, 0.16667637,
  0.49999149, 0.49999149, 0.49999149, 0.49999149,
  0.99999971, 0.99999971, 0.99999971, 0.99999971,
  1, 1, 1, 1,
  -105, -105, -105, -105,
  1.32646621e-03, 1.32646621e-03, 1.32646621e-03, 1.32646621e-03,
  9.67151488e-03, 9.67151488e-03, 9.67151488e-03, 9.67151488e-03,
  5.55073401e-02, 5.55073401e-02, 5.55073401e-02, 5.55073401e-02,
  2.40222418e-01, 2.40222418e-01, 2.40222418e-01, 2.40222418e-01,
  6.93146980e-01, 6.93146980e-01, 6.93146980e-01, 6.93146980e-01,
  -0.693147182, -0.693147182, -0.693147182, -0.693147182,
], 16);

/** Where exp(x) is still a normal number; below it a row takes the longer road. */
const NORMAL: f32 = -87;

// @ts-ignore: decorator
@inline
function constant(i: u32): v128 {
  return v128.load(constants + 16 * i);
}


/**
 * exp(x) for x ≤ 0, −∞ or NaN, within 2 ulp, subnormal results rounded. n = round(x/ln 2) by adding 1.5·2²³, r = x − n·ln 2 in two parts,
 * a polynomial for eʳ (degree 5, minimax over |r| ≤ ln 2/2 with eʳ = 1 at 0: 9.5·10⁻⁸), and 2ⁿ as two factors, so that neither is subnormal.
 */
// @ts-ignore: decorator
@inline
function exp(x: v128): v128 {
  // pmax keeps a NaN in its first operand, and takes one instruction where max takes seven.
  x = f32x4.pmax(x, constant(10));
  const shifted = madd(x, constant(0), constant(1));
  const n = f32x4.sub(shifted, constant(1));
  const r = madd(n, constant(3), madd(n, constant(2), x));
  let p = madd(constant(4), r, constant(5));
  p = madd(p, r, constant(6));
  p = madd(p, r, constant(7));
  p = madd(p, r, constant(8));
  p = madd(p, r, constant(9));
  // 1.5·2²³ ends in zeros, so that n stands in the low bits of `shifted`; 2ⁿ is made of its halves by adding them to the exponent of 1.
  const exponent = i32x4.sub(shifted, constant(1));
  const half = i32x4.shr_s(exponent, 1);
  return f32x4.mul(f32x4.mul(p, power(half)), power(i32x4.sub(exponent, half)));
}

// 2ⁿ, n as integers from −126 to 127
// @ts-ignore: decorator
@inline
function power(n: v128): v128 {
  return i32x4.add(i32x4.shl(n, 23), constant(9));
}

// The n < 4 values at x as four lanes, those beyond taken from `other`.
function tail(x: usize, n: u32, other: v128): v128 {
  memory.copy(spare, x, 4 * n);
  return v128.bitselect(v128.load(spare), other, v128.load(lanes + 16 - 4 * n));
}

function store4(to: usize, x: v128, n: u32): void {
  v128.store(spare, x);
  memory.copy(to, spare, 4 * n);
}

// @ts-ignore: decorator
@inline
function sum(x: v128): f32 {
  return f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}

// @ts-ignore: decorator
@inline
function most(x: v128): v128 {
  x = f32x4.pmax(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.pmax(x, v128.shuffle<f32>(x, x, 1, 0, 3, 2));
}

// @ts-ignore: decorator
@inline
function least(x: v128): v128 {
  x = f32x4.pmin(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.pmin(x, v128.shuffle<f32>(x, x, 1, 0, 3, 2));
}

/** `fill` in the place of those of n values whose byte at `mask` is not 0. */
export function hide(x: usize, n: u32, mask: usize, fill: f32): void {
  const hidden = f32x4.splat(fill), zero = i32x4.splat(0);
  let i: u32 = 0;
  for (; i + 4 <= n; i += 4) {
    const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(mask + i)));
    v128.store(x + 4 * i, v128.bitselect(v128.load(x + 4 * i), hidden, i32x4.eq(bytes, zero)));
  }
  for (; i < n; i++) if (load<u8>(mask + i)) store<f32>(x + 4 * i, fill);
}

// out = exp(x − top); returns the sum
function exponentials(x: usize, out: usize, n: u32, top: v128): f32 {
  let a = f32x4.splat(0);
  for (const end = x + 4 * (n & ~3); x != end; x += 16, out += 16) {
    const e = exp(f32x4.sub(v128.load(x), top));
    v128.store(out, e);
    a = f32x4.add(a, e);
  }
  if (n & 3) {
    const e = exp(f32x4.sub(tail(x, n & 3, f32x4.splat(-f32(Infinity))), top));
    store4(out, e, n & 3);
    a = f32x4.add(a, e);
  }
  return sum(a);
}

/** Vectors whose exponentials are computed together, in two steps. */
const TOGETHER: u32 = 32;
/** 2ⁿ of each of them, as bits. */
const powers = memory.data(512, 64);

/**
 * The same where no result is subnormal, n a multiple of 4. In two steps, with the remainders at `out` and the powers in memory between
 * them: the processor looks about a hundred operations ahead, and one step alone waits for itself most of the time.
 */
function exponentialsNormal(x: usize, out: usize, n: u32, top: v128): v128 {
  let a = f32x4.splat(0);
  for (const stop = x + 4 * n; x != stop; ) {
    const bytes = min(<usize>16 * TOGETHER, stop - x);
    reduce(x, out, bytes, top);
    a = f32x4.add(a, raise(out, bytes));
    x += bytes;
    out += bytes;
  }
  return a;
}

// x − top = n·ln 2 + r: r to `out`, 2ⁿ to `powers`
// @ts-ignore: decorator
@inline
function reduce(x: usize, out: usize, bytes: usize, top: v128): void {
  const perLog = constant(0), magic = constant(1), high = constant(2), low = constant(3), one = constant(9);
  let to: usize = powers;
  for (const end = x + bytes; x != end; x += 16, out += 16, to += 16) {
    const d = f32x4.sub(v128.load(x), top);
    const shifted = madd(d, perLog, magic);
    const whole = f32x4.sub(shifted, magic);
    v128.store(to, i32x4.add(i32x4.shl(shifted, 23), one));
    v128.store(out, madd(whole, low, madd(whole, high, d)));
  }
}

// r at `out` becomes eʳ·2ⁿ; returns the sums
// @ts-ignore: decorator
@inline
function raise(out: usize, bytes: usize): v128 {
  const p5 = constant(4), p4 = constant(5), p3 = constant(6), p2 = constant(7), p1 = constant(8), one = constant(9);
  let a = f32x4.splat(0), from: usize = powers;
  for (const end = out + bytes; out != end; out += 16, from += 16) {
    const r = v128.load(out);
    // A product and not a sum of bits: NaN has to stay NaN.
    const e = f32x4.mul(polynomial(r, p5, p4, p3, p2, p1, one), v128.load(from));
    v128.store(out, e);
    a = f32x4.add(a, e);
  }
  return a;
}

// By pairs of powers (Estrin): one product more than Horner's way, and half of its latency.
// @ts-ignore: decorator
@inline
function polynomial(r: v128, p5: v128, p4: v128, p3: v128, p2: v128, p1: v128, p0: v128): v128 {
  const square = f32x4.mul(r, r);
  return madd(madd(madd(p5, r, p4), square, madd(p3, r, p2)), square, madd(p1, r, p0));
}

/**
 * out = exp(x − max x) over n values; returns what to multiply them by: 1/Σ. x may be out.
 * A row that is −∞ throughout, or holds +∞ or NaN, becomes NaN, as in NumPy.
 */
export function exponentialRow(x: usize, out: usize, n: u32): f32 {
  let high = f32x4.splat(-f32(Infinity)), low = f32x4.splat(f32(Infinity)), high2 = high, low2 = low;
  // pmax and pmin keep their first operand when the second is NaN; it comes back as x − maximum.
  let i: u32 = 0;
  for (; i + 8 <= n; i += 8) {
    const s = v128.load(x + 4 * i), t = v128.load(x + 4 * i, 16);
    high = f32x4.pmax(high, s);
    low = f32x4.pmin(low, s);
    high2 = f32x4.pmax(high2, t);
    low2 = f32x4.pmin(low2, t);
  }
  for (; i < n; i += 4) {
    const left = n - i;
    const s = left >= 4 ? v128.load(x + 4 * i) : tail(x + 4 * i, left, v128.load32_splat(x + 4 * i));
    high = f32x4.pmax(high, s);
    low = f32x4.pmin(low, s);
  }
  const top = most(f32x4.pmax(high, high2));
  const span = f32x4.extract_lane(least(f32x4.pmin(low, low2)), 0) - f32x4.extract_lane(top, 0);
  // False for NaN too.
  if (!(span >= NORMAL)) return 1 / exponentials(x, out, n, top);
  const fours = n & ~3;
  let total = exponentialsNormal(x, out, fours, top);
  if (n & 3) {
    const e = exp(f32x4.sub(tail(x + 4 * fours, n & 3, f32x4.splat(-f32(Infinity))), top));
    store4(out + 4 * fours, e, n & 3);
    total = f32x4.add(total, e);
  }
  return 1 / sum(total);
}

/** Bits of 1.5·2²³ + n, n from −60 to 60: what `guess` takes. */
const LEAST: u32 = 0x4b400000 - 60;
const MOST: u32 = 0x4b400000 + 60;
/** 60·ln 2, or a little less. */
const FAR: f32 = 41;

/**
 * out = exp(x) over n values, without looking for the largest before: returns their sum, or NaN when a value was too far from 0 for that
 * or not a number (then `out` holds nothing of use).
 */
function guess(x: usize, out: usize, n: u32): f32 {
  const fours = n & ~3;
  const total = guessFours(x, out, fours);
  if (fours == n) return total;
  for (let i = fours; i < n; i++) if (!(abs(load<f32>(x + 4 * i)) < FAR)) return f32(NaN);
  const e = exp(tail(x + 4 * fours, n - fours, f32x4.splat(-f32(Infinity))));
  store4(out + 4 * fours, e, n - fours);
  return total + sum(e);
}

function guessFours(x: usize, out: usize, n: u32): f32 {
  let a = f32x4.splat(0);
  let most = constant(1), least = most;
  if (ASC_FEATURE_RELAXED_SIMD) {
    const perLog = constant(0), magic = constant(1), log = constant(16);
    const p5 = constant(4), p4 = constant(5), p3 = constant(6), p2 = constant(7), p1 = constant(8), one = constant(9);
    for (const end = x + 4 * n; x != end; x += 16, out += 16) {
      const d = v128.load(x);
      const shifted = madd(d, perLog, magic);
      most = i32x4.max_u(most, shifted);
      least = i32x4.min_u(least, shifted);
      const r = madd(f32x4.sub(shifted, magic), log, d);
      const p = madd(madd(madd(madd(madd(p5, r, p4), r, p3), r, p2), r, p1), r, one);
      const e = i32x4.add(p, i32x4.shl(shifted, 23));
      v128.store(out, e);
      a = f32x4.add(a, e);
    }
  } else {
    const perLog = constant(0), magic = constant(1), high = constant(2), low = constant(3), one = constant(9);
    for (const stop = x + 4 * n; x != stop; ) {
      const bytes = min(<usize>16 * TOGETHER, stop - x);
      let to: usize = powers, o = out;
      for (const end = x + bytes; x != end; x += 16, o += 16, to += 16) {
        const d = v128.load(x);
        const shifted = madd(d, perLog, magic);
        const whole = f32x4.sub(shifted, magic);
        most = i32x4.max_u(most, shifted);
        least = i32x4.min_u(least, shifted);
        v128.store(to, i32x4.add(i32x4.shl(shifted, 23), one));
        v128.store(o, madd(whole, low, madd(whole, high, d)));
      }
      a = f32x4.add(a, raise(out, bytes));
      out += bytes;
    }
  }
  const far = v128.or(i32x4.gt_u(most, i32x4.splat(MOST)), i32x4.lt_u(least, i32x4.splat(LEAST)));
  return v128.any_true(far) ? f32(NaN) : sum(a);
}

/** Whether products keep their digits until the sum is taken: relaxed SIMD leaves it to the processor. */
function fused(): bool {
  const x = f32x4.splat(1.000244140625);
  return f32x4.extract_lane(madd(x, x, f32x4.splat(-1.00048828125)), 0) != 0;
}

/** out = softmax(x·scale) over n values, `fill` in the place of those whose byte at `mask` is not 0 (0: no mask). x may be out. */
export function softmaxRow(x: usize, out: usize, n: u32, scale: f32, mask: usize, fill: f32): void {
  if (mask || scale != 1) {
    multiply(x, out, n, scale);
    if (mask) hide(out, n, mask, fill);
    x = out;
  }
  // What a guess got wrong is computed anew from x: in place there is none.
  const total: f32 = x != out && (!ASC_FEATURE_RELAXED_SIMD || fused()) ? guess(x, out, n) : f32(NaN);
  const share: f32 = total == total ? <f32>1 / total : exponentialRow(x, out, n);
  multiply(out, out, n, share);
}

/** How far from 0 a power of 2 may be for `powersOfTwo`: sums of 2³² of them are finite, and no single one is subnormal. */
export const BOUND: f32 = 60;

/** x becomes 2ˣ over n values, all within ±BOUND; returns what to multiply them by: 1/Σ. No largest value is looked for: none is needed. */
export function powersOfTwo(x: usize, n: u32): f32 {
  const magic = constant(1), one = constant(9);
  const p5 = constant(11), p4 = constant(12), p3 = constant(13), p2 = constant(14), p1 = constant(15);
  let a = f32x4.splat(0);
  for (const end = x + 4 * (n & ~3); x != end; x += 16) {
    const s = v128.load(x);
    const shifted = f32x4.add(s, magic);
    const r = f32x4.sub(s, f32x4.sub(shifted, magic));
    const e = i32x4.add(polynomial(r, p5, p4, p3, p2, p1, one), i32x4.shl(shifted, 23));
    v128.store(x, e);
    a = f32x4.add(a, e);
  }
  if (n & 3) {
    const s = tail(x, n & 3, f32x4.splat(0));
    const shifted = f32x4.add(s, magic);
    const r = f32x4.sub(s, f32x4.sub(shifted, magic));
    const e = i32x4.add(polynomial(r, p5, p4, p3, p2, p1, one), i32x4.shl(shifted, 23));
    store4(x, e, n & 3);
    a = f32x4.add(a, tail(x, n & 3, f32x4.splat(0)));
  }
  return 1 / sum(a);
}

/** 0 in the place of those of n values whose byte at `mask` is not 0; returns 1/Σ of the others. */
export function blot(x: usize, n: u32, mask: usize): f32 {
  const zero = i32x4.splat(0);
  let a = f32x4.splat(0), i: u32 = 0;
  for (; i + 4 <= n; i += 4) {
    const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(mask + i)));
    const e = v128.and(v128.load(x + 4 * i), i32x4.eq(bytes, zero));
    v128.store(x + 4 * i, e);
    a = f32x4.add(a, e);
  }
  let total = sum(a);
  for (; i < n; i++) {
    if (load<u8>(mask + i)) store<f32>(x + 4 * i, 0);
    else total += load<f32>(x + 4 * i);
  }
  return 1 / total;
}
