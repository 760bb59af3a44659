// Matrix product, softmax and attention in float32, over pointers into the module's own memory. AssemblyScript; build.mjs compiles it.
// All matrices are row-major without gaps. `work` is scratch of as many bytes as the …Work function of the same name says.
import { packShares, multiply } from './pack';
import { packLeft, packRight, panels, up } from './panels';
import { blot, BOUND, exponentialRow, hide, powersOfTwo, softmaxRow } from './softmax';
import { COLUMNS, madd, ROWS } from './tile';

export { pool } from './pool';
export { survey, surveyWork } from './survey';

/** Sums run over blocks of KC terms (a panel of b stays in the first cache; the error grows by block), rows over blocks of MC. */
const KC: u32 = 512;
const MC: u32 = 192;

/** Where free memory begins. */
export function base(): usize {
  return __heap_base;
}

/** Bytes of scratch for `matmul`. */
export function matmulWork(n: u32, k: u32, m: u32): f64 {
  return 4.0 * <f64>min(k, KC) * (<f64>up(m, COLUMNS) + <f64>up(min(n, MC), ROWS));
}

/** c = a·b: a n×k, b k×m (m×k when `transposed`), c n×m. */
export function matmul(
  a: usize, b: usize, c: usize, n: u32, k: u32, m: u32, transposed: bool, work: usize,
): void {
  if (!k) memory.fill(c, 0, 4 * n * m);
  for (let from: u32 = 0; from < k; from += KC) {
    const terms = min(KC, k - from);
    packRight(b, k, m, transposed, from, terms, work);
    const left = work + 4 * terms * up(m, COLUMNS);
    for (let top: u32 = 0; top < n; top += MC) {
      const rows = min(MC, n - top);
      packLeft(a + 4 * (top * k + from), k, rows, terms, left);
      panels(left, work, c + 4 * top * m, rows, terms, m, from > 0);
    }
  }
}

/** out = softmax of each row of x·scale; x, out n×m, mask n×m bytes or 0. x may be out. */
export function softmax(x: usize, out: usize, n: u32, m: u32, scale: f32, mask: usize, fill: f32): void {
  for (let i: u32 = 0; i < n; i++)
    softmaxRow(x + 4 * i * m, out + 4 * i * m, m, scale, mask ? mask + i * m : 0, fill);
}

/** Rows of queries that are taken together in `attention`, and keys whose weights are packed together. */
const BLOCK: u32 = 4 * ROWS;
const KEYS: u32 = 512;

/** Bytes of scratch for `attention`. */
export function attentionWork(m: u32, d: u32, dv: u32): f64 {
  const right = <f64>up(m, COLUMNS) * <f64>d + <f64>up(dv, COLUMNS) * <f64>m;
  return 4.0 * (right + <f64>BLOCK * (<f64>d + <f64>KEYS + <f64>m + 1));
}

/** 1/ln 2. */
const PER_LOG: f32 = 1.44269504;

/** The largest square of a row's length (not less than 10⁻³⁰: smaller squares may be lost); NaN or +∞ where a row holds NaN or is too long. */
export function longest(x: usize, rows: u32, d: u32): f64 {
  let most: f32 = 1e-30;
  for (; rows; rows--, x += 4 * d) {
    let sum = f32x4.splat(0), j: u32 = 0;
    for (; j + 4 <= d; j += 4) sum = madd(v128.load(x + 4 * j), v128.load(x + 4 * j), sum);
    let total = f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
    for (; j < d; j++) total += load<f32>(x + 4 * j) * load<f32>(x + 4 * j);
    most = max(most, total);
  }
  return most;
}

/**
 * weights = softmax(q·kᵀ·scale), out = weights·v (Vaswani et al. 2017, equation 1), one block of rows after the other, so that
 * its scores are still in the cache when they become weights and then output. q n×d, k m×d, v m×dv, out n×dv,
 * weights n×m or 0 (then a block of them lives in `work`), mask n×m bytes or 0.
 */
export function attention(
  q: usize, k: usize, v: usize, out: usize, weights: usize, n: u32, m: u32, d: u32, dv: u32,
  scale: f32, mask: usize, fill: f32, work: usize,
): void {
  if (!m) memory.fill(out, 0, 4 * n * dv);
  packRight(k, d, m, true, 0, d, work);
  const values = work + 4 * up(m, COLUMNS) * d;
  for (let from: u32 = 0; from < m; from += KEYS)
    packRight(v, m, dv, false, from, min(KEYS, m - from), values + 4 * from * up(dv, COLUMNS));
  // No score is larger than the product of the lengths of its query and its key (Cauchy, Schwarz): where that is small enough, weights are
  // powers of 2 as they come, and 1/ln 2 goes into the queries' scale. What is hidden has to become 0 then.
  const bound = <f64>BOUND / (<f64>scale * PER_LOG);
  const reach = bound * bound / longest(k, m, d);
  const powers = !mask || fill == -f32(Infinity);
  const queries = values + 4 * up(dv, COLUMNS) * m;
  const left = queries + 4 * BLOCK * d;
  const shares = left + 4 * BLOCK * KEYS;
  const block = shares + 4 * BLOCK;
  for (let i: u32 = 0; i < n; i += BLOCK) {
    const rows = min(BLOCK, n - i);
    const w = weights ? weights + 4 * i * m : block;
    packLeft(q + 4 * i * d, d, rows, d, queries);
    const near = powers && longest(q + 4 * i * d, rows, d) < reach;
    const by = near ? scale * PER_LOG : scale;
    if (by != 1) multiply(queries, queries, up(rows, ROWS) * d, by);
    panels(queries, work, w, rows, d, m, false);
    for (let j: u32 = 0; j < rows; j++) {
      const row = w + 4 * j * m, hidden = mask ? mask + (i + j) * m : 0;
      let share: f32;
      if (near) {
        share = powersOfTwo(row, m);
        if (hidden) share = blot(row, m, hidden);
      } else {
        if (hidden) hide(row, m, hidden, fill);
        share = exponentialRow(row, row, m);
      }
      store<f32>(shares + 4 * j, share);
    }
    for (let from: u32 = 0; from < m; from += KEYS) {
      const terms = min(KEYS, m - from);
      for (let j: u32 = 0; j < rows; j += ROWS)
        packShares(w + 4 * (j * m + from), 4 * m, min(ROWS, rows - j), terms, shares + 4 * j, left + 4 * j * terms);
      panels(left, values + 4 * from * up(dv, COLUMNS), out + 4 * i * dv, rows, terms, dv, from > 0);
    }
  }
}
