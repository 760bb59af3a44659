// Softmax of a row: maximum, exponentials and their sum, division. AssemblyScript.
import { madd } from './tile';

/** Four lanes of ones, four of zeros: read from 16 − 4·n, the first n lanes are ones. */
const lanes = memory.data<u32>([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 0], 16);
const spare = memory.data(16, 16);

/**
 * Each constant four times: as literals they cost V8 about four instructions at every use, and sixteen registers do not hold them.
 * lowest, 1/ln 2, 1.5·2²³, −ln 2 in two parts, the polynomial from its highest power, 1.
 */
const constants = memory.data<f32>([
  -105, -105, -105, -105,
  1.44269504, 1.44269504, 1.44269504, 1.44269504,
  12582912, 12582912, 12582912, 12582912,
  -0.693359375, -0.693359375, -0.693359375, -0.693359375,
  2.12194440e-4, 2.12194440e-4, 2.12194440e-4, 2.12194440e-4,
  1.9875691500e-4, 1.9875691500e-4, 1.9875691500e-4, 1.9875691500e-4,
  1.3981999507e-3, 1.3981999507e-3, 1.3981999507e-3, 1.3981999507e-3,
  8.3334519073e-3, 8.3334519073e-3, 8.3334519073e-3, 8.3334519073e-3,
  4.1665795894e-2, 4.1665795894e-2, 4.1665795894e-2, 4.1665795894e-2,
  1.6666665459e-1, 1.6666665459e-1, 1.6666665459e-1, 1.6666665459e-1,
  5.0000001201e-1, 5.0000001201e-1, 5.0000001201e-1, 5.0000001201e-1,
  1, 1, 1, 1,
], 16);

// @ts-ignore: decorator
@inline
function constant(i: u32): v128 {
  return v128.load(constants + 16 * i);
}

/**
 * exp(x) for x ≤ 0, −∞ or NaN, within 2 ulp. n = round(x/ln 2) by adding 1.5·2²³, r = x − n·ln 2 in two parts, the polynomial
 * of Cephes' expf for eʳ, and 2ⁿ as two factors, so that subnormal results come out rounded instead of as zero.
 */
// @ts-ignore: decorator
@inline
function exp(x: v128): v128 {
  // pmax keeps a NaN in its first operand, and takes one instruction where max takes seven.
  x = f32x4.pmax(x, constant(0));
  const shifted = madd(x, constant(1), constant(2));
  const n = f32x4.sub(shifted, constant(2));
  const r = madd(n, constant(4), madd(n, constant(3), x));
  let p = madd(constant(5), r, constant(6));
  p = madd(p, r, constant(7));
  p = madd(p, r, constant(8));
  p = madd(p, r, constant(9));
  p = madd(p, r, constant(10));
  p = f32x4.add(madd(p, f32x4.mul(r, r), r), constant(11));
  // 1.5·2²³ ends in zeros, so that n stands in the low bits of `shifted`; 2ⁿ is made of its halves by adding them to the exponent of 1.
  const exponent = i32x4.sub(shifted, constant(2));
  const half = i32x4.shr_s(exponent, 1);
  return f32x4.mul(f32x4.mul(p, power(half)), power(i32x4.sub(exponent, half)));
}

// 2ⁿ, n as integers from −126 to 127
// @ts-ignore: decorator
@inline
function power(n: v128): v128 {
  return i32x4.add(i32x4.shl(n, 23), constant(11));
}

// out = x·scale, or `fill` where the byte at `mask` is not 0
function hide(x: usize, out: usize, n: u32, scale: f32, mask: usize, fill: f32): void {
  for (let i: u32 = 0; i < n; i++)
    store<f32>(out + 4 * i, load<u8>(mask + i) ? fill : load<f32>(x + 4 * i) * scale);
}

// The n < 4 values at x, scaled, as four lanes, −∞ in those beyond.
function tail(x: usize, n: u32, scale: v128): v128 {
  memory.copy(spare, x, 4 * n);
  const s = f32x4.mul(v128.load(spare), scale);
  return v128.bitselect(s, f32x4.splat(-f32(Infinity)), v128.load(lanes + 16 - 4 * n));
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

// The largest of n scaled values; NaN is passed over, and comes back as x − maximum.
function maximum(x: usize, n: u32, scale: v128): v128 {
  let a = f32x4.splat(-f32(Infinity)), b = a;
  const eights = n & ~7;
  for (const end = x + 4 * eights; x != end; x += 32) {
    a = f32x4.pmax(a, f32x4.mul(v128.load(x), scale));
    b = f32x4.pmax(b, f32x4.mul(v128.load(x, 16), scale));
  }
  if (n & 4) {
    a = f32x4.pmax(a, f32x4.mul(v128.load(x), scale));
    x += 16;
  }
  if (n & 3) b = f32x4.pmax(b, tail(x, n & 3, scale));
  return most(f32x4.pmax(a, b));
}

// out = exp(x·scale − top); returns the sum
function exponentials(x: usize, out: usize, n: u32, scale: v128, top: v128): f32 {
  let a = f32x4.splat(0), b = a;
  const eights = n & ~7;
  for (const end = x + 4 * eights; x != end; x += 32, out += 32) {
    const e = exp(f32x4.sub(f32x4.mul(v128.load(x), scale), top));
    const f = exp(f32x4.sub(f32x4.mul(v128.load(x, 16), scale), top));
    v128.store(out, e);
    v128.store(out, f, 16);
    a = f32x4.add(a, e);
    b = f32x4.add(b, f);
  }
  if (n & 4) {
    const e = exp(f32x4.sub(f32x4.mul(v128.load(x), scale), top));
    v128.store(out, e);
    a = f32x4.add(a, e);
    x += 16;
    out += 16;
  }
  if (n & 3) {
    const e = exp(f32x4.sub(tail(x, n & 3, scale), top));
    store4(out, e, n & 3);
    b = f32x4.add(b, e);
  }
  return sum(f32x4.add(a, b));
}

/**
 * out = softmax(x·scale) over n values, `fill` in the place of those whose byte at `mask` is not 0 (0: no mask). x may be out.
 * A row that is −∞ throughout, or holds +∞ or NaN, becomes NaN, as in NumPy.
 */
export function softmaxRow(x: usize, out: usize, n: u32, scale: f32, mask: usize, fill: f32): void {
  if (mask) {
    hide(x, out, n, scale, mask, fill);
    x = out;
    scale = 1;
  }
  const by = f32x4.splat(scale);
  const share = f32x4.splat(1 / exponentials(x, out, n, by, maximum(x, n, by)));
  const fours = n & ~3;
  for (let i: u32 = 0; i < fours; i += 4) v128.store(out + 4 * i, f32x4.mul(v128.load(out + 4 * i), share));
  const last = f32x4.extract_lane(share, 0);
  for (let i = fours; i < n; i++) store<f32>(out + 4 * i, load<f32>(out + 4 * i) * last);
}
