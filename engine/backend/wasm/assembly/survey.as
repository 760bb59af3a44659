// Attention that keeps no n×m matrix and still shows each of them: rows are pooled into blocks while they are in the cache. AssemblyScript.
import { packShares, multiply } from './pack';
import { packLeft, packRight, panels, up } from './panels';
import { exponentialRow } from './softmax';
import { COLUMNS, ROWS } from './tile';

const BLOCK: u32 = 2 * ROWS;
const KEYS: u32 = 512;

/** What is known of a block: minimum and maximum (f32), sum (f64), how many cells are finite and how many NaN (u32). */
const TALLY: u32 = 24;

/** Bytes of scratch for `survey`. */
export function surveyWork(m: u32, d: u32, dv: u32, level: u32): f64 {
  const right = <f64>up(m, COLUMNS) * <f64>d + <f64>up(dv, COLUMNS) * <f64>m;
  return 4.0 * (right + <f64>BLOCK * (<f64>d + <f64>KEYS + <f64>m + 1)) + <f64>TALLY * (<f64>(m >> level) + 2) + 8;
}

/**
 * `attention` for n rows of which the first is query `first`: query i sees keys max(0, i − before) … min(visible, i + after + 1).
 * Adds the scores (times scale), those of them that are seen, and the weights (0 where not seen) to tallies: for each 2^level rows
 * three rows of ⌈m/2^level⌉, after one another. tops and sums are each row's maximum and the sum of its exponentials.
 */
export function survey(
  q: usize, k: usize, v: usize, out: usize, n: u32, m: u32, d: u32, dv: u32,
  scale: f32, first: u32, before: u32, after: u32, visible: u32, level: u32,
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
  const part = (block + 4 * BLOCK * m + 7) & ~7;
  const row3 = TALLY * (((m - 1) >> level) + 1);
  for (let i: u32 = 0; i < n; i += BLOCK) {
    const rows = min(BLOCK, n - i);
    packLeft(q + 4 * i * d, d, rows, d, queries);
    if (scale != 1) multiply(queries, queries, up(rows, ROWS) * d, scale);
    panels(queries, work, block, rows, d, m, false);
    let least = m, most: u32 = 0;
    for (let j: u32 = 0; j < rows; j++) {
      const query = first + i + j, row = block + 4 * j * m;
      const low = query > before ? min(query - before, m) : 0;
      const end = min(min(visible, m), after < m ? query + after + 1 : m);
      const high = max(low, end);
      least = min(least, low);
      most = max(most, high);
      poolRow(row, 0, m, level, part);
      const into = tallies + 3 * row3 * ((i + j) >> level);
      mergeAll(part, into, row3);
      const top = mergeSeen(row, part, into + row3, low, high, level);
      const share = weigh(row, low, high, m);
      store<f32>(shares + 4 * j, share);
      store<f32>(tops + 4 * (i + j), top);
      store<f32>(sums + 4 * (i + j), 1 / share);
      poolWeights(row, part, into + 2 * row3, m, share, level);
    }
    let added = false;
    for (let from: u32 = 0; from < m; from += KEYS) {
      const terms = min(KEYS, m - from);
      // Keys that none of the rows sees add nothing.
      if (from + terms <= least || from >= most) continue;
      for (let j: u32 = 0; j < rows; j += ROWS)
        packShares(block + 4 * (j * m + from), 4 * m, min(ROWS, rows - j), terms, shares + 4 * j, left + 4 * j * terms);
      panels(left, values + 4 * from * up(dv, COLUMNS), out + 4 * i * dv, rows, terms, dv, added);
      added = true;
    }
    // Nothing is seen by any of them.
    if (!added) for (let c: u32 = 0; c < rows * dv; c++) store<f32>(out + 4 * (i * dv + c), f32(NaN));
  }
}

// Exponentials of the seen cells, 0 for the others; NaN for all where none is seen. Returns what to multiply them by.
function weigh(row: usize, low: u32, high: u32, m: u32): f32 {
  if (high == low) {
    for (let j: u32 = 0; j < m; j++) store<f32>(row + 4 * j, f32(NaN));
    return f32(NaN);
  }
  if (low) memory.fill(row, 0, 4 * low);
  if (high < m) memory.fill(row + 4 * high, 0, 4 * (m - high));
  const share = exponentialRow(row + 4 * low, row + 4 * low, high - low);
  return share;
}

// Cells from … to of a row to the blocks they lie in, the first tally being that of cell `from`'s block.
function poolRow(row: usize, from: u32, to: u32, level: u32, into: usize): void {
  const size: u32 = 1 << level;
  while (from < to) {
    const end = min(to, (from & ~(size - 1)) + size);
    pool(row + 4 * from, end - from, into);
    from = end;
    into += TALLY;
  }
}

// Sets a tally to that of n values: four at a time, and again one by one where one of them is not finite.
function pool(x: usize, n: u32, into: usize): void {
  let low = f32x4.splat(f32(Infinity)), high = f32x4.splat(-f32(Infinity)), sum = f32x4.splat(0);
  let low2 = low, high2 = high, sum2 = sum;
  let i: u32 = 0;
  for (; i + 8 <= n; i += 8, x += 32) {
    const s = v128.load(x), t = v128.load(x, 16);
    low = f32x4.pmin(low, s);
    high = f32x4.pmax(high, s);
    sum = f32x4.add(sum, s);
    low2 = f32x4.pmin(low2, t);
    high2 = f32x4.pmax(high2, t);
    sum2 = f32x4.add(sum2, t);
  }
  low = f32x4.pmin(low, low2);
  high = f32x4.pmax(high, high2);
  sum = f32x4.add(sum, sum2);
  let least = min(min(f32x4.extract_lane(low, 0), f32x4.extract_lane(low, 1)), min(f32x4.extract_lane(low, 2), f32x4.extract_lane(low, 3)));
  let most = max(max(f32x4.extract_lane(high, 0), f32x4.extract_lane(high, 1)), max(f32x4.extract_lane(high, 2), f32x4.extract_lane(high, 3)));
  let total = <f64>f32x4.extract_lane(sum, 0) + <f64>f32x4.extract_lane(sum, 1) + (<f64>f32x4.extract_lane(sum, 2) + <f64>f32x4.extract_lane(sum, 3));
  for (; i < n; i++, x += 4) {
    const s = load<f32>(x);
    least = min(least, s);
    most = max(most, s);
    total += s;
  }
  if (total - total != 0) return poolSlowly(x - 4 * n, n, into);
  write(into, least, most, total, n, 0);
}

function poolSlowly(x: usize, n: u32, into: usize): void {
  let least = f32(Infinity), most = -f32(Infinity), total: f64 = 0, finite: u32 = 0, nan: u32 = 0;
  for (const end = x + 4 * n; x != end; x += 4) {
    const s = load<f32>(x);
    if (s != s) nan++;
    else if (s - s == 0) {
      least = min(least, s);
      most = max(most, s);
      total += s;
      finite++;
    }
  }
  write(into, least, most, total, finite, nan);
}

function write(into: usize, least: f32, most: f32, total: f64, finite: u32, nan: u32): void {
  store<f32>(into, least);
  store<f32>(into, most, 4);
  store<f64>(into, total, 8);
  store<u32>(into, finite, 16);
  store<u32>(into, nan, 20);
}

// @ts-ignore: decorator
@inline
function merge(part: usize, into: usize): void {
  store<f32>(into, min(load<f32>(into), load<f32>(part)));
  store<f32>(into, max(load<f32>(into, 4), load<f32>(part, 4)), 4);
  store<f64>(into, load<f64>(into, 8) + load<f64>(part, 8), 8);
  store<u32>(into, load<u32>(into, 16) + load<u32>(part, 16), 16);
  store<u32>(into, load<u32>(into, 20) + load<u32>(part, 20), 20);
}

function mergeAll(part: usize, into: usize, bytes: u32): void {
  for (const end = part + bytes; part != end; part += TALLY, into += TALLY) merge(part, into);
}

// What is seen of a row whose blocks are at `part`: blocks at the ends are pooled anew, into themselves. Returns the largest value.
function mergeSeen(row: usize, part: usize, into: usize, low: u32, high: u32, level: u32): f32 {
  let top = -f32(Infinity);
  const size: u32 = 1 << level;
  while (low < high) {
    const b = low >> level, start = b << level, end = min(high, start + size);
    const at = part + TALLY * b;
    const ragged = low > start || end < start + size;
    if (ragged) pool(row + 4 * low, end - low, at);
    merge(at, into + TALLY * b);
    top = max(top, load<f32>(at, 4));
    low = end;
  }
  return top;
}

function poolWeights(row: usize, part: usize, into: usize, m: u32, share: f32, level: u32): void {
  poolRow(row, 0, m, level, part);
  const end = part + TALLY * (((m - 1) >> level) + 1);
  for (; part != end; part += TALLY, into += TALLY) {
    if (load<u32>(part, 16)) {
      store<f32>(part, load<f32>(part) * share);
      store<f32>(part, load<f32>(part, 4) * share, 4);
      store<f64>(part, load<f64>(part, 8) * share, 8);
    }
    merge(part, into);
  }
}
