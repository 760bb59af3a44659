// Panels: what a tile reads, in the order in which it reads it. AssemblyScript.

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
