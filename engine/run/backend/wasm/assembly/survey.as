// Attention that keeps no n×m matrix and still shows each of them: rows are pooled into blocks while they are in the cache. AssemblyScript.
import { longest } from './kernels';
import { packShares, multiply } from './pack';
import { packLeft, packRight, panels, up } from './panels';
import { BOUND, exponentialRow, powersOfTwo } from './softmax';
import { COLUMNS, ROWS, tile } from './tile';

/** 1/ln 2, and ln 2. */
const PER_LOG: f32 = 1.44269504, LOG: f32 = 0.693147182;

const BLOCK: u32 = 2 * ROWS;
const KEYS: u32 = 512;

/** What is known of a block: minimum and maximum (f32), sum (f64), how many cells are finite and how many NaN (u32). */
const TALLY: u32 = 24;

/** Each of a block's rows: the first key that its query sees, the one behind the last, and the largest score so far in four lanes. */
const seen = memory.data(8 * 12, 16);
const peaks = memory.data(16 * 12, 16);

/** Floats from a row of scores to the next: not a power of two, whose multiples lie in the same lines of a cache. */
function strideOf(m: u32): u32 {
  return up(m, 16) + 16;
}

/** Bytes of scratch for `survey`. */
export function surveyWork(m: u32, d: u32, dv: u32): f64 {
  const right = <f64>up(m, COLUMNS) * <f64>d + <f64>up(dv, COLUMNS) * <f64>m;
  return 4.0 * (right + <f64>BLOCK * (<f64>d + <f64>KEYS + <f64>strideOf(m) + 1));
}

/**
 * `attention` for n rows of which the first is query `first`: query i sees keys max(0, i − before) … min(visible, i + after + 1).
 * A linear bias −slope·|i − j| is part of the scores (Press et al. 2022), unless slope is 0.
 * Adds the scores (times scale), those of them that are seen, and the weights (0 where not seen) to tallies: for each 2^level rows
 * three rows of ⌈m/2^level⌉, after one another; where `tallies` is 0 nothing is pooled, nor computed of keys that are far from seen. sums are those of each row's exponentials, of its scores less what is in tops.
 * Scores and weights are pooled when they are computed, KEYS columns of a block of rows at a time: they are in the first cache then.
 */
export function survey(
  q: usize, k: usize, v: usize, out: usize, n: u32, m: u32, d: u32, dv: u32,
  scale: f32, slope: f32, first: u32, before: u32, after: u32, visible: u32, level: u32,
  tallies: usize, tops: usize, sums: usize, work: usize,
): void {
  packRight(k, d, m, true, 0, d, work);
  const values = work + 4 * up(m, COLUMNS) * d;
  for (let from: u32 = 0; from < m; from += KEYS)
    packRight(v, m, dv, false, from, min(KEYS, m - from), values + 4 * from * up(dv, COLUMNS));
  const queries = values + 4 * up(dv, COLUMNS) * m;
  const left = queries + 4 * BLOCK * d;
  const shares = left + 4 * BLOCK * KEYS;
  const block = shares + 4 * BLOCK;
  const stride = 4 * strideOf(m);
  const row3 = TALLY * (((m - 1) >> level) + 1);
  // As in `attention`: where no score can be far from 0, exponentials are powers of 2 and no largest score is taken from them.
  const bound = <f64>BOUND / (<f64>scale * PER_LOG);
  const near = slope == 0 && longest(q, n, d) < (bound * bound) / longest(k, m, d);
  const by = near ? scale * PER_LOG : scale;
  for (let i: u32 = 0; i < n; i += BLOCK) {
    const rows = min(BLOCK, n - i);
    packLeft(q + 4 * i * d, d, rows, d, queries);
    if (by != 1) multiply(queries, queries, up(rows, ROWS) * d, by);
    let least = m, most: u32 = 0;
    for (let j: u32 = 0; j < rows; j++) {
      const query = first + i + j;
      const low = query > before ? min(query - before, m) : 0;
      const end = min(min(visible, m), after < m ? query + after + 1 : m);
      const high = max(low, end);
      if (high > low) {
        least = min(least, low);
        most = max(most, high);
      }
      store<u32>(seen + 8 * j, low);
      store<u32>(seen + 8 * j, high, 4);
      v128.store(peaks + 16 * j, f32x4.splat(-f32(Infinity)));
    }
    // Chunks of keys that none of the rows sees are zeros, and add nothing.
    const begin = min(least, most) & ~(KEYS - 1), end = min(up(most, KEYS), m), last = tallies ? m : end;
    for (let from: u32 = tallies ? 0 : begin; from < last; from += KEYS) {
      const to = min(from + KEYS, last);
      scores(queries, work, block, rows, d, from, to, stride);
      if (slope != 0) for (let j: u32 = 0; j < rows; j++) tilt(block + stride * j, from, to, first + i + j, slope);
      poolScores(block, rows, from, to, stride, level, i, tallies, row3);
    }
    for (let j: u32 = 0; j < rows; j++) {
      const share = weigh(block + stride * j, load<u32>(seen + 8 * j), load<u32>(seen + 8 * j, 4), begin, end, near);
      store<f32>(shares + 4 * j, share);
      store<f32>(tops + 4 * (i + j), near ? 0 : highest(v128.load(peaks + 16 * j)));
      store<f32>(sums + 4 * (i + j), 1 / share);
    }
    if (tallies) poolHidden(shares, rows, 0, begin, level, i, tallies, row3);
    for (let from = begin; from < end; from += KEYS) {
      const terms = min(KEYS, end - from);
      for (let j: u32 = 0; j < rows; j += ROWS)
        packShares(block + stride * j + 4 * from, stride, min(ROWS, rows - j), terms, shares + 4 * j, left + 4 * j * terms);
      panels(left, values + 4 * from * up(dv, COLUMNS), out + 4 * i * dv, rows, terms, dv, from > begin);
      if (tallies) poolWeights(block, rows, from, from + terms, stride, level, i, tallies, row3);
    }
    if (tallies) poolHidden(shares, rows, end, m, level, i, tallies, row3);
    // Nothing is seen by any of them.
    if (begin == end) for (let c: u32 = 0; c < rows * dv; c++) store<f32>(out + 4 * (i * dv + c), f32(NaN));
  }
  if (near && tallies) for (let y: u32 = 0; y <= (n - 1) >> level; y++) natural(tallies + 3 * row3 * y, 2 * row3);
}

// Columns from … to of a block of rows of scores.
function scores(left: usize, right: usize, c: usize, rows: u32, d: u32, from: u32, to: u32, stride: u32): void {
  for (let j = from; j < to; j += COLUMNS) {
    let a = left;
    for (let i: u32 = 0; i < rows; i += ROWS, a += 4 * ROWS * d)
      tile(d, a, right + 4 * j * d, c + i * stride + 4 * j, stride, min(ROWS, rows - i), min(COLUMNS, to - j), false);
  }
}

// Adds −slope·|query − j| to columns from … to of a row, and to what may stand behind it in the gap.
function tilt(row: usize, from: u32, to: u32, query: u32, slope: f32): void {
  const down = f32x4.splat(-slope), four = f32x4.splat(4);
  let distance = f32x4.add(f32x4.splat(<f32>(<i32>from - <i32>query)), f32x4(0, 1, 2, 3));
  for (let at = row + 4 * from, end = row + 4 * to; at < end; at += 16, distance = f32x4.add(distance, four))
    v128.store(at, f32x4.add(v128.load(at), f32x4.mul(f32x4.abs(distance), down)));
}

// Tallies of scores over ln 2 become those of the scores.
function natural(tally: usize, bytes: u32): void {
  for (const end = tally + bytes; tally != end; tally += TALLY) {
    store<f32>(tally, load<f32>(tally) * LOG);
    store<f32>(tally, load<f32>(tally, 4) * LOG, 4);
    store<f64>(tally, load<f64>(tally, 8) * LOG, 8);
  }
}

// Exponentials of the seen cells, 0 for the others from begin to end. Returns what to multiply them by: NaN where none is seen or one is NaN.
function weigh(row: usize, low: u32, high: u32, begin: u32, end: u32, near: bool): f32 {
  let share = f32(NaN);
  if (high > low) {
    const from = row + 4 * low;
    share = near ? powersOfTwo(from, high - low) : exponentialRow(from, from, high - low);
  }
  if (low > begin) memory.fill(row + 4 * begin, 0, 4 * (low - begin));
  if (high < end) memory.fill(row + 4 * high, 0, 4 * (end - high));
  return share;
}

// Of rows from row `at` on: how many, of those up to `rows`, lie in the same row of blocks.
// @ts-ignore: decorator
@inline
function together(at: u32, rows: u32, level: u32): u32 {
  const size: u32 = 1 << level;
  return min(rows, size - (at & (size - 1)));
}

// Columns from … to of a block of scores, whose first row is row i.
function poolScores(
  block: usize, rows: u32, from: u32, to: u32, stride: u32, level: u32, i: u32, tallies: usize, row3: u32,
): void {
  for (let j: u32 = 0; j < rows;) {
    const group = together(i + j, rows - j, level), into = tallies + 3 * row3 * ((i + j) >> level);
    // Keys that all of the group see, and those that any does.
    let low: u32 = 0, high = u32.MAX_VALUE, least = u32.MAX_VALUE, most: u32 = 0;
    for (let y = j; y < j + group; y++) {
      const a = load<u32>(seen + 8 * y), b = load<u32>(seen + 8 * y, 4);
      low = max(low, a);
      high = min(high, b);
      least = min(least, a);
      most = max(most, b);
    }
    const size = min(<u32>1 << level, KEYS);
    for (let x = from; x < to; x += size) {
      const n = min(size, to - x), cells = block + stride * j + 4 * x;
      const at = tallies ? into + TALLY * (x >> level) : 0, other = tallies ? at + row3 : 0;
      if (x >= low && x + n <= high) poolRows(cells, stride, group, n, at, other, peaks + 16 * j);
      else {
        if (tallies) poolRows(cells, stride, group, n, at, 0, 0);
        if (x < most && x + n > least) poolSeen(block, stride, j, group, x, n, other);
      }
    }
    j += group;
  }
}

// A piece of which some cells are seen, row by row.
function poolSeen(block: usize, stride: u32, j: u32, group: u32, x: u32, n: u32, into: usize): void {
  for (let y = j; y < j + group; y++) {
    const low = max(x, load<u32>(seen + 8 * y)), high = min(x + n, load<u32>(seen + 8 * y, 4));
    if (high > low) poolRows(block + stride * y + 4 * low, stride, 1, high - low, 0, into, peaks + 16 * y);
  }
}

// Columns from … to of a block of weights.
function poolWeights(
  block: usize, rows: u32, from: u32, to: u32, stride: u32, level: u32, i: u32, tallies: usize, row3: u32,
): void {
  for (let j: u32 = 0; j < rows;) {
    const group = together(i + j, rows - j, level), into = tallies + 3 * row3 * ((i + j) >> level) + 2 * row3;
    const size = min(<u32>1 << level, KEYS);
    for (let x = from; x < to; x += size)
      poolRows(block + stride * j + 4 * x, stride, group, min(size, to - x), into + TALLY * (x >> level), 0, 0);
    j += group;
  }
}

// Weights of columns from … to, which no row sees: 0, or NaN in a row whose share is.
function poolHidden(shares: usize, rows: u32, from: u32, to: u32, level: u32, i: u32, tallies: usize, row3: u32): void {
  if (from >= to) return;
  for (let j: u32 = 0; j < rows;) {
    const group = together(i + j, rows - j, level), into = tallies + 3 * row3 * ((i + j) >> level) + 2 * row3;
    let finite: u32 = 0;
    for (let y = j; y < j + group; y++) finite += u32(load<f32>(shares + 4 * y) == load<f32>(shares + 4 * y));
    for (let x = from, next: u32 = 0; x < to; x = next) {
      next = min(to, ((x >> level) + 1) << level);
      const at = into + TALLY * (x >> level), n = next - x;
      if (finite) add(at, 0, 0, 0, finite * n, (group - finite) * n);
      else add(at, f32(Infinity), -f32(Infinity), 0, 0, group * n);
    }
    j += group;
  }
}

// Adds rows of n cells to one or two tallies (0: none), and to each row's largest at `peak` (0: none). In vectors, and again one by one where one of them is not finite.
function poolRows(x: usize, stride: u32, rows: u32, n: u32, into: usize, other: usize, peak: usize): void {
  const none = f32x4.splat(-f32(Infinity)), eights = n & ~7;
  let low = f32x4.splat(f32(Infinity)), high = none, sum = f32x4.splat(0);
  let low2 = low, sum2 = sum, last = none;
  for (let y: u32 = 0, row = x; y < rows; y++, row += stride) {
    let top = none, top2 = none, at = row;
    for (const end = row + 4 * eights; at != end; at += 32) {
      const s = v128.load(at), t = v128.load(at, 16);
      low = f32x4.pmin(low, s);
      top = f32x4.pmax(top, s);
      sum = f32x4.add(sum, s);
      low2 = f32x4.pmin(low2, t);
      top2 = f32x4.pmax(top2, t);
      sum2 = f32x4.add(sum2, t);
    }
    for (const end = row + 4 * n; at != end; at += 4) {
      // A lane of its own; the others stay as they are.
      last = v128.load32_zero(at);
      low = f32x4.pmin(low, v128.shuffle<f32>(last, low, 0, 5, 6, 7));
      top = f32x4.pmax(top, v128.shuffle<f32>(last, none, 0, 5, 6, 7));
      sum = f32x4.add(sum, last);
    }
    top = f32x4.pmax(top, top2);
    high = f32x4.pmax(high, top);
    if (peak) v128.store(peak + 16 * y, f32x4.pmax(v128.load(peak + 16 * y), top));
  }
  low = f32x4.pmin(low, low2);
  const total = total4(f32x4.add(sum, sum2));
  if (total - total != 0) return poolSlowly(x, stride, rows, n, into, other);
  const least = -highest(f32x4.neg(low)), most = highest(high);
  if (into) add(into, least, most, total, rows * n, 0);
  if (other) add(other, least, most, total, rows * n, 0);
}

function poolSlowly(x: usize, stride: u32, rows: u32, n: u32, into: usize, other: usize): void {
  let least = f32(Infinity), most = -f32(Infinity), total: f64 = 0, finite: u32 = 0, nan: u32 = 0;
  for (let y: u32 = 0; y < rows; y++, x += stride) {
    for (let at = x, end = x + 4 * n; at != end; at += 4) {
      const s = load<f32>(at);
      if (s != s) nan++;
      else if (s - s == 0) {
        least = min(least, s);
        most = max(most, s);
        total += s;
        finite++;
      }
    }
  }
  if (into) add(into, least, most, total, finite, nan);
  if (other) add(other, least, most, total, finite, nan);
}

// @ts-ignore: decorator
@inline
function total4(x: v128): f64 {
  return <f64>f32x4.extract_lane(x, 0) + <f64>f32x4.extract_lane(x, 1) + (<f64>f32x4.extract_lane(x, 2) + <f64>f32x4.extract_lane(x, 3));
}

// @ts-ignore: decorator
@inline
function highest(x: v128): f32 {
  x = f32x4.pmax(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmax(x, v128.shuffle<f32>(x, x, 1, 0, 3, 2)), 0);
}

// Adds to a tally.
// @ts-ignore: decorator
@inline
function add(into: usize, least: f32, most: f32, total: f64, finite: u32, nan: u32): void {
  if (least < load<f32>(into)) store<f32>(into, least);
  if (most > load<f32>(into, 4)) store<f32>(into, most, 4);
  store<f64>(into, load<f64>(into, 8) + total, 8);
  store<u32>(into, load<u32>(into, 16) + finite, 16);
  store<u32>(into, load<u32>(into, 20) + nan, 20);
}
