// Panels: what a tile reads, in the order in which it reads it. AssemblyScript.
import { ROWS } from './tile';

/**
 * `width` rows of k floats, `stride` bytes apart, become k×width, row after row; rows from `rows` on become zeros.
 * Packs the left operand, and the right one of A·Bᵀ, so that nobody transposes K first.
 */
export function packRows(from: usize, stride: u32, rows: u32, k: u32, to: usize, width: u32): void {
  let i: u32 = 0;
  for (; i + 4 <= width && i + 4 <= rows; i += 4) four(from + i * stride, stride, k, to + 4 * i, 4 * width);
  for (; i < width; i++) {
    if (i < rows) one(from + i * stride, k, to + 4 * i, 4 * width);
    else zeros(k, to + 4 * i, 4 * width);
  }
}

function one(from: usize, k: u32, to: usize, step: u32): void {
  for (const end = from + 4 * k; from != end; from += 4, to += step) store<f32>(to, load<f32>(from));
}

function zeros(k: u32, to: usize, step: u32): void {
  for (; k; k--, to += step) store<f32>(to, 0);
}

function four(from: usize, stride: u32, k: u32, to: usize, step: u32): void {
  const quarters = k & ~3;
  for (const end = from + 4 * quarters; from != end; from += 16, to += 4 * step) transposed(from, stride, to, step);
  for (let i: u32 = 0; i < 4; i++) one(from + i * stride, k - quarters, to + 4 * i, step);
}

// @ts-ignore: decorator
@inline
function transposed(from: usize, stride: u32, to: usize, step: u32): void {
  const x = v128.load(from);
  const y = v128.load(from + stride);
  const z = v128.load(from + 2 * stride);
  const w = v128.load(from + 3 * stride);
  storeTransposed(x, y, z, w, to, step);
}

// @ts-ignore: decorator
@inline
function storeTransposed(x: v128, y: v128, z: v128, w: v128, to: usize, step: u32): void {
  const xyLow = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
  const xyHigh = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
  const zwLow = v128.shuffle<f32>(z, w, 0, 4, 1, 5);
  const zwHigh = v128.shuffle<f32>(z, w, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(xyLow, zwLow, 0, 2));
  v128.store(to + step, v128.shuffle<f64>(xyLow, zwLow, 1, 3));
  v128.store(to + 2 * step, v128.shuffle<f64>(xyHigh, zwHigh, 0, 2));
  v128.store(to + 3 * step, v128.shuffle<f64>(xyHigh, zwHigh, 1, 3));
}

/** `columns` ≤ 8 columns of k rows, `stride` bytes apart, become k×8; columns from `columns` on become zeros. */
export function packColumns(from: usize, stride: u32, columns: u32, k: u32, to: usize): void {
  for (; k; k--, from += stride, to += 32) {
    if (columns == 8) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
    } else {
      for (let j: u32 = 0; j < 8; j++) store<f32>(to + 4 * j, j < columns ? load<f32>(from + 4 * j) : 0);
    }
  }
}

/** out = x·by, n values. x may be out. */
export function multiply(x: usize, out: usize, n: u32, by: f32): void {
  const all = f32x4.splat(by);
  let i: u32 = 0;
  for (; i + 16 <= n; i += 16, x += 64, out += 64) {
    v128.store(out, f32x4.mul(v128.load(x), all));
    v128.store(out, f32x4.mul(v128.load(x, 16), all), 16);
    v128.store(out, f32x4.mul(v128.load(x, 32), all), 32);
    v128.store(out, f32x4.mul(v128.load(x, 48), all), 48);
  }
  for (; i < n; i++, x += 4, out += 4) store<f32>(out, load<f32>(x) * by);
}

/**
 * Rows of exponentials become weights where they stand (each multiplied by its number at `shares`), and the same values become a
 * panel of the left operand, as `packRows` packs it: one way through memory for both.
 */
export function packShares(from: usize, stride: u32, rows: u32, k: u32, shares: usize, to: usize): void {
  let i: u32 = 0;
  for (; i + 4 <= ROWS && i + 4 <= rows; i += 4)
    fourShares(from + i * stride, stride, k, shares + 4 * i, to + 4 * i);
  if (ROWS == 6 && rows == 6) {
    twoShares(from + 4 * stride, stride, k, shares + 16, to + 16);
    return;
  }
  for (; i < ROWS; i++) {
    if (i < rows) oneShare(from + i * stride, k, load<f32>(shares + 4 * i), to + 4 * i);
    else zeros(k, to + 4 * i, 4 * ROWS);
  }
}

function oneShare(from: usize, k: u32, share: f32, to: usize): void {
  for (const end = from + 4 * k; from != end; from += 4, to += 4 * ROWS) {
    const x = load<f32>(from) * share;
    store<f32>(from, x);
    store<f32>(to, x);
  }
}

function fourShares(from: usize, stride: u32, k: u32, shares: usize, to: usize): void {
  const a = v128.load32_splat(shares), b = v128.load32_splat(shares, 4);
  const c = v128.load32_splat(shares, 8), d = v128.load32_splat(shares, 12);
  const quarters = k & ~3;
  for (const end = from + 4 * quarters; from != end; from += 16, to += 16 * ROWS) {
    const x = f32x4.mul(v128.load(from), a);
    v128.store(from, x);
    const y = f32x4.mul(v128.load(from + stride), b);
    v128.store(from + stride, y);
    const z = f32x4.mul(v128.load(from + 2 * stride), c);
    v128.store(from + 2 * stride, z);
    const w = f32x4.mul(v128.load(from + 3 * stride), d);
    v128.store(from + 3 * stride, w);
    storeTransposed(x, y, z, w, to, 4 * ROWS);
  }
  for (let i: u32 = 0; i < 4; i++) oneShare(from + i * stride, k - quarters, load<f32>(shares + 4 * i), to + 4 * i);
}

function twoShares(from: usize, stride: u32, k: u32, shares: usize, to: usize): void {
  const a = v128.load32_splat(shares), b = v128.load32_splat(shares, 4);
  const quarters = k & ~3;
  for (const end = from + 4 * quarters; from != end; from += 16, to += 16 * ROWS) {
    const x = f32x4.mul(v128.load(from), a);
    v128.store(from, x);
    const y = f32x4.mul(v128.load(from + stride), b);
    v128.store(from + stride, y);
    const low = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
    const high = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
    v128.store_lane<u64>(to, low, 0);
    v128.store_lane<u64>(to + 4 * ROWS, low, 1);
    v128.store_lane<u64>(to + 8 * ROWS, high, 0);
    v128.store_lane<u64>(to + 12 * ROWS, high, 1);
  }
  for (let i: u32 = 0; i < 2; i++) oneShare(from + i * stride, k - quarters, load<f32>(shares + 4 * i), to + 4 * i);
}
