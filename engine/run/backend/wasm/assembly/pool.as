// Pools cells into blocks: limits and sum over the finite values, counts. AssemblyScript. The same to the bit as engine/run/pool.ts in plain
// JavaScript: a block's sum is float64 in the order of its cells, and of two zeros the first stands for both.

/** Both blocks are done; one has a value that is not finite (or a sum); one has its first zero here, whose sign is that of the first in order. */
const DONE: u32 = 0, STRANGE: u32 = 1, ZERO: u32 = 2;

/**
 * Adds `rows` rows of `count` cells (f64 if `wide`, else f32) without gaps to one row of ⌈count/2^level⌉ blocks. `tally` has the blocks'
 * minimums, then maximums and sums (f64), then how many cells are finite and how many NaN (u32). `level` is at least 1.
 */
export function pool(data: usize, wide: bool, rows: u32, count: u32, level: u32, tally: usize): void {
  if (wide) poolAll<f64>(data, rows, count, level, tally);
  else poolAll<f32>(data, rows, count, level, tally);
}

function poolAll<T>(data: usize, rows: u32, count: u32, level: u32, tally: usize): void {
  const block: u32 = 1 << level, width = ((count - 1) >> level) + 1, stride = count * sizeof<T>();
  let at: u32 = 0;
  // A vector of each block at a time.
  if (block * sizeof<T>() >= 16) {
    for (const whole = count >> level; at + 1 < whole; at += 2) {
      const from = data + at * block * sizeof<T>();
      let state = pair<T>(from, stride, rows, block, tally, at, width, false);
      if (state == STRANGE) state = pair<T>(from, stride, rows, block, tally, at, width, true);
      if (state == DONE) continue;
      single<T>(from, stride, rows, block, tally, at, width);
      single<T>(from + block * sizeof<T>(), stride, rows, block, tally, at + 1, width);
    }
  }
  for (; at < width; at++)
    single<T>(data + at * block * sizeof<T>(), stride, rows, min(block, count - at * block), tally, at, width);
}

/**
 * Two neighbours at once, since each sum waits for the one before: one lane of `sum` each. `careful` leaves out what is not finite.
 * Stores nothing unless it is done.
 */
function pair<T>(
  from: usize, stride: u32, rows: u32, block: u32, tally: usize, at: u32, width: u32, careful: bool,
): u32 {
  const right: usize = block * sizeof<T>(), inf = v128.splat<T>(<T>Infinity), none = v128.splat<T>(<T>-Infinity);
  const lows = tally + 8 * at, highs = lows + 8 * width, sums = highs + 8 * width;
  const finites = tally + 24 * width + 4 * at, nans = finites + 4 * width;
  let lowA = inf, lowB = inf, highA = none, highB = none;
  let seenA: u32 = 0, seenB: u32 = 0, nanA: u32 = 0, nanB: u32 = 0;
  let sum = v128.load(sums);
  for (let y: u32 = 0; y < rows; y++, from += stride) {
    for (let x: usize = 0; x < right; x += 16) {
      let a = v128.load(from + x), b = v128.load(from + right + x);
      if (careful) {
        const zero = v128.splat<T>(0);
        const isA = v128.eq<T>(v128.sub<T>(a, a), zero), isB = v128.eq<T>(v128.sub<T>(b, b), zero);
        seenA += ones<T>(isA);
        seenB += ones<T>(isB);
        nanA += ones<T>(v128.ne<T>(a, a));
        nanB += ones<T>(v128.ne<T>(b, b));
        lowA = v128.pmin<T>(lowA, v128.bitselect(a, inf, isA));
        lowB = v128.pmin<T>(lowB, v128.bitselect(b, inf, isB));
        highA = v128.pmax<T>(highA, v128.bitselect(a, none, isA));
        highB = v128.pmax<T>(highB, v128.bitselect(b, none, isB));
        // A sum begins with +0: another one changes no bit of it.
        a = v128.and(a, isA);
        b = v128.and(b, isB);
      } else {
        lowA = v128.pmin<T>(lowA, a);
        lowB = v128.pmin<T>(lowB, b);
        highA = v128.pmax<T>(highA, a);
        highB = v128.pmax<T>(highB, b);
      }
      if (sizeof<T>() == 4) {
        const near = v128.shuffle<f32>(a, b, 0, 4, 1, 5), far = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
        sum = f64x2.add(sum, f64x2.promote_low_f32x4(near));
        sum = f64x2.add(sum, f64x2.promote_low_f32x4(v128.shuffle<f64>(near, near, 1, 1)));
        sum = f64x2.add(sum, f64x2.promote_low_f32x4(far));
        sum = f64x2.add(sum, f64x2.promote_low_f32x4(v128.shuffle<f64>(far, far, 1, 1)));
      } else {
        sum = f64x2.add(sum, v128.shuffle<f64>(a, b, 0, 2));
        sum = f64x2.add(sum, v128.shuffle<f64>(a, b, 1, 3));
      }
    }
  }
  if (!careful) {
    const rest = f64x2.sub(sum, sum);
    if (f64x2.extract_lane(rest, 0) != 0 || f64x2.extract_lane(rest, 1) != 0) return STRANGE;
    seenA = seenB = block * rows;
  }
  const leastA = least<T>(lowA), leastB = least<T>(lowB), mostA = most<T>(highA), mostB = most<T>(highB);
  if (firstZero(leastA, load<f64>(lows)) || firstZero(leastB, load<f64>(lows, 8))) return ZERO;
  if (firstZero(-mostA, -load<f64>(highs)) || firstZero(-mostB, -load<f64>(highs, 8))) return ZERO;
  if (leastA < load<f64>(lows)) store<f64>(lows, leastA);
  if (leastB < load<f64>(lows, 8)) store<f64>(lows, leastB, 8);
  if (mostA > load<f64>(highs)) store<f64>(highs, mostA);
  if (mostB > load<f64>(highs, 8)) store<f64>(highs, mostB, 8);
  v128.store(sums, sum);
  store<u32>(finites, load<u32>(finites) + seenA);
  store<u32>(finites, load<u32>(finites, 4) + seenB, 4);
  store<u32>(nans, load<u32>(nans) + nanA);
  store<u32>(nans, load<u32>(nans, 4) + nanB, 4);
  return DONE;
}

/** Lanes were compared out of order, which only the sign of a zero tells. */
// @ts-ignore: decorator
@inline
function firstZero(value: f64, known: f64): bool {
  return value == 0 && known > 0;
}

// @ts-ignore: decorator
@inline
function ones<T>(mask: v128): u32 {
  return popcnt<u32>(sizeof<T>() == 4 ? i32x4.bitmask(mask) : i64x2.bitmask(mask));
}

// @ts-ignore: decorator
@inline
function least<T>(x: v128): f64 {
  if (sizeof<T>() == 8) return <f64>v128.extract_lane<T>(v128.pmin<T>(x, v128.shuffle<f64>(x, x, 1, 0)), 0);
  const two = f32x4.pmin(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return <f64>f32x4.extract_lane(f32x4.pmin(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2)), 0);
}

// @ts-ignore: decorator
@inline
function most<T>(x: v128): f64 {
  if (sizeof<T>() == 8) return <f64>v128.extract_lane<T>(v128.pmax<T>(x, v128.shuffle<f64>(x, x, 1, 0)), 0);
  const two = f32x4.pmax(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return <f64>f32x4.extract_lane(f32x4.pmax(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2)), 0);
}

/** One block of `columns` columns, a cell at a time. */
function single<T>(from: usize, stride: u32, rows: u32, columns: u32, tally: usize, at: u32, width: u32): void {
  const lows = tally + 8 * at, highs = lows + 8 * width, sums = highs + 8 * width;
  const finites = tally + 24 * width + 4 * at, nans = finites + 4 * width;
  let low = load<f64>(lows), high = load<f64>(highs), sum = load<f64>(sums), seen: u32 = 0, nan: u32 = 0;
  for (let y: u32 = 0; y < rows; y++, from += stride) {
    for (let x: u32 = 0; x < columns; x++) {
      const v = <f64>load<T>(from + x * sizeof<T>());
      if (v != v) nan++;
      else if (v - v == 0) {
        if (v < low) low = v;
        if (v > high) high = v;
        sum += v;
        seen++;
      }
    }
  }
  store<f64>(lows, low);
  store<f64>(highs, high);
  store<f64>(sums, sum);
  store<u32>(finites, load<u32>(finites) + seen);
  store<u32>(nans, load<u32>(nans) + nan);
}
