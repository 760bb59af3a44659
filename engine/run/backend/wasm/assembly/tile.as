// One tile of a product: rows × 8 sums held in registers while k runs. AssemblyScript.
//
// Plain SIMD: 4 rows, 8 accumulators, 2 of b, 4 of a (TurboFan loads them before it multiplies; 5 and 6 rows spill) and a product.
// Relaxed SIMD: 6 rows, 12 accumulators, 2 of b and 1 of a: 15 of the 16 registers of x86-64. Unrolling over k spills, but for tile4's way.

export const ROWS: u32 = ASC_FEATURE_RELAXED_SIMD ? 6 : 4;
export const COLUMNS: u32 = 8;

/** Where a tile that hangs over an edge is computed: ROWS × COLUMNS floats. */
const edge = memory.data(192, 16);

/** x·y + z; relaxed SIMD rounds once where the processor does (no other difference is allowed to it here). */
// @ts-ignore: decorator
@inline
export function madd(x: v128, y: v128, z: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(x, y, z) : f32x4.add(f32x4.mul(x, y), z);
}

// @ts-ignore: decorator
@inline
function put(c: usize, x: v128, y: v128, add: bool): void {
  v128.store(c, add ? f32x4.add(v128.load(c), x) : x);
  v128.store(c, add ? f32x4.add(v128.load(c, 16), y) : y, 16);
}

// a: k×6 packed, b: k×8 packed, c: 6×8, rows `stride` bytes apart; c = ab, or c + ab
function tile6(k: u32, a: usize, b: usize, c: usize, stride: u32, add: bool): void {
  let c00 = f32x4.splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00;
  let c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;
  const end = b + ((<usize>k) << 5);
  while (b != end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load32_splat(a);
    c00 = madd(x, b0, c00);
    c01 = madd(x, b1, c01);
    x = v128.load32_splat(a, 4);
    c10 = madd(x, b0, c10);
    c11 = madd(x, b1, c11);
    x = v128.load32_splat(a, 8);
    c20 = madd(x, b0, c20);
    c21 = madd(x, b1, c21);
    x = v128.load32_splat(a, 12);
    c30 = madd(x, b0, c30);
    c31 = madd(x, b1, c31);
    x = v128.load32_splat(a, 16);
    c40 = madd(x, b0, c40);
    c41 = madd(x, b1, c41);
    x = v128.load32_splat(a, 20);
    c50 = madd(x, b0, c50);
    c51 = madd(x, b1, c51);
    a += 24;
    b += 32;
  }
  put(c, c00, c01, add);
  put((c += stride), c10, c11, add);
  put((c += stride), c20, c21, add);
  put((c += stride), c30, c31, add);
  put((c += stride), c40, c41, add);
  put((c += stride), c50, c51, add);
}

// a: k×4 packed, b: k×8 packed, c: 4×8, rows `stride` bytes apart; c = ab, or c + ab. Four terms a turn, with a way out after each: it keeps
// TurboFan from loading the operands of all four before the first product, for which there are no registers. `a` moves by itself: V8
// keeps the addresses of its four offsets, and adds any other one anew.
function tile4(k: u32, a: usize, b: usize, c: usize, stride: u32, add: bool): void {
  let c00 = f32x4.splat(0), c01 = c00, c10 = c00, c11 = c00;
  let c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  let b0 = c00, b1 = c00, x = c00;
  const end = b + ((<usize>k) << 5), one = end - 32, two = end - 64, three = end - 96;
  while (b != end) {
    b0 = v128.load(b);
    b1 = v128.load(b, 16);
    x = v128.load32_splat(a);
    c00 = madd(x, b0, c00);
    c01 = madd(x, b1, c01);
    x = v128.load32_splat(a, 4);
    c10 = madd(x, b0, c10);
    c11 = madd(x, b1, c11);
    x = v128.load32_splat(a, 8);
    c20 = madd(x, b0, c20);
    c21 = madd(x, b1, c21);
    x = v128.load32_splat(a, 12);
    c30 = madd(x, b0, c30);
    c31 = madd(x, b1, c31);
    if (b == one) break;
    a += 16;
    b0 = v128.load(b, 32);
    b1 = v128.load(b, 48);
    x = v128.load32_splat(a);
    c00 = madd(x, b0, c00);
    c01 = madd(x, b1, c01);
    x = v128.load32_splat(a, 4);
    c10 = madd(x, b0, c10);
    c11 = madd(x, b1, c11);
    x = v128.load32_splat(a, 8);
    c20 = madd(x, b0, c20);
    c21 = madd(x, b1, c21);
    x = v128.load32_splat(a, 12);
    c30 = madd(x, b0, c30);
    c31 = madd(x, b1, c31);
    if (b == two) break;
    a += 16;
    b0 = v128.load(b, 64);
    b1 = v128.load(b, 80);
    x = v128.load32_splat(a);
    c00 = madd(x, b0, c00);
    c01 = madd(x, b1, c01);
    x = v128.load32_splat(a, 4);
    c10 = madd(x, b0, c10);
    c11 = madd(x, b1, c11);
    x = v128.load32_splat(a, 8);
    c20 = madd(x, b0, c20);
    c21 = madd(x, b1, c21);
    x = v128.load32_splat(a, 12);
    c30 = madd(x, b0, c30);
    c31 = madd(x, b1, c31);
    if (b == three) break;
    a += 16;
    b0 = v128.load(b, 96);
    b1 = v128.load(b, 112);
    x = v128.load32_splat(a);
    c00 = madd(x, b0, c00);
    c01 = madd(x, b1, c01);
    x = v128.load32_splat(a, 4);
    c10 = madd(x, b0, c10);
    c11 = madd(x, b1, c11);
    x = v128.load32_splat(a, 8);
    c20 = madd(x, b0, c20);
    c21 = madd(x, b1, c21);
    x = v128.load32_splat(a, 12);
    c30 = madd(x, b0, c30);
    c31 = madd(x, b1, c31);
    a += 16;
    b += 128;
  }
  put(c, c00, c01, add);
  put((c += stride), c10, c11, add);
  put((c += stride), c20, c21, add);
  put((c += stride), c30, c31, add);
}

// @ts-ignore: decorator
@inline
function whole(k: u32, a: usize, b: usize, c: usize, stride: u32, add: bool): void {
  if (ASC_FEATURE_RELAXED_SIMD) tile6(k, a, b, c, stride, add);
  else tile4(k, a, b, c, stride, add);
}

/**
 * c = ab, or c + ab, for the first `rows` ≤ ROWS rows and `columns` ≤ COLUMNS columns of a tile.
 * a: k×ROWS packed, b: k×COLUMNS packed (beyond the edge: anything, it is dropped), c: rows `stride` bytes apart.
 */
export function tile(
  k: u32, a: usize, b: usize, c: usize, stride: u32, rows: u32, columns: u32, add: bool,
): void {
  if (rows == ROWS && columns == COLUMNS) return whole(k, a, b, c, stride, add);
  whole(k, a, b, edge, 4 * COLUMNS, false);
  let from: usize = edge;
  for (; rows; rows--, from += 4 * COLUMNS, c += stride) {
    if (columns == COLUMNS) put(c, v128.load(from), v128.load(from, 16), add);
    else for (let j: usize = 0; j < 4 * columns; j += 4) {
      const sum = load<f32>(from + j);
      store<f32>(c + j, add ? load<f32>(c + j) + sum : sum);
    }
  }
}
