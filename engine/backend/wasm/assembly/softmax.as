// Softmax of a row: extremes, exponentials and their sum, one reciprocal. AssemblyScript.
import { multiply } from './pack';
import { madd } from './tile';

/** Four lanes of ones, four of zeros: read from 16 − 4·n, the first n lanes are ones. */
const lanes = memory.data<u32>([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 0], 16);
const spare = memory.data(16, 16);

/**
 * Each constant four times, so that a load makes a vector of it: as literals they cost V8 about four instructions at every use.
 * 1/ln 2, 1.5·2²³, −ln 2 in two parts (the first is short: its products are exact), the polynomial from its highest power, 1, lowest.
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

/**
 * The same where no result is subnormal: two thirds of the work, n a multiple of 4. Constants are read once, into locals, of which registers hold most.
 */
function exponentialsNormal(x: usize, out: usize, n: u32, top: v128): v128 {
  const perLog = constant(0), magic = constant(1), high = constant(2), low = constant(3);
  const p5 = constant(4), p4 = constant(5), p3 = constant(6), p2 = constant(7), p1 = constant(8), one = constant(9);
  let a = f32x4.splat(0);
  for (const end = x + 4 * n; x != end; x += 16, out += 16) {
    const d = f32x4.sub(v128.load(x), top);
    const shifted = madd(d, perLog, magic);
    const whole = f32x4.sub(shifted, magic);
    const r = madd(whole, low, madd(whole, high, d));
    const p = madd(madd(madd(madd(madd(p5, r, p4), r, p3), r, p2), r, p1), r, one);
    // A product and not a sum of bits: NaN has to stay NaN.
    const e = f32x4.mul(p, i32x4.add(i32x4.shl(shifted, 23), one));
    v128.store(out, e);
    a = f32x4.add(a, e);
  }
  return a;
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

/** out = softmax(x·scale) over n values, `fill` in the place of those whose byte at `mask` is not 0 (0: no mask). x may be out. */
export function softmaxRow(x: usize, out: usize, n: u32, scale: f32, mask: usize, fill: f32): void {
  if (mask || scale != 1) {
    multiply(x, out, n, scale);
    if (mask) hide(out, n, mask, fill);
    x = out;
  }
  const last = exponentialRow(x, out, n);
  multiply(out, out, n, last);
}
