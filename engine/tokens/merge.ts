/** Which adjacent parts can merge; smaller ranks merge first. */
export interface Pairs {
  /** The rank of merging the part at `left` with the one at `right`, which ends at `end`; −1 if they cannot merge. */
  readonly rank: (left: number, right: number, end: number) => number;
  /** Called once for each merge, before ranks are asked that involve its result. */
  readonly merge?: (left: number, right: number, rank: number) => void;
}

/**
 * Byte-pair encoding (Sennrich et al. 2016, algorithm 1) of `count` parts, numbered from 0: always the merge with the smallest rank, the
 * leftmost of equals. Returns for each remaining part the index of the next one (`next[i]`, from part 0 to `count`), valid until the next
 * call, and the number of rank queries.
 *
 * Up to SHORT parts the smallest rank is found by linear search; beyond that by a priority queue of at most 3·count entries, O(log count)
 * each. The original libraries always search, which is quadratic: minutes for a megabyte without blanks.
 */
export function mergeAll(count: number, pairs: Pairs): { next: Int32Array; asked: number } {
  return count <= SHORT ? mergeShort(count, pairs) : mergeLong(count, pairs);
}

const SHORT = 48;

const NEVER = 0x7fffffff;

const at = (array: Int32Array, i: number): number => array[i] as number;

// Reused arrays: texts have many short pieces, and allocating arrays for each took longer than merging. No content survives a call.
const shortNext = new Int32Array(SHORT);
const shortPrevious = new Int32Array(SHORT);
const shortRanks = new Int32Array(SHORT);

/** Parts that were merged into another have the rank NEVER. The result is valid until the next call. */
function mergeShort(count: number, pairs: Pairs): { next: Int32Array; asked: number } {
  const [next, previous, ranks] = [shortNext, shortPrevious, shortRanks];
  linkAll(count, next, previous);
  let asked = 0;
  for (let i = 0; i < count; i++) {
    ranks[i] = rankOf(i, count, next, pairs);
    asked++;
  }
  for (let left = lowest(count, ranks, next); left >= 0; left = lowest(count, ranks, next)) {
    const right = at(next, left);
    pairs.merge?.(left, right, at(ranks, left));
    unlinkNext(count, left, next, previous);
    ranks[right] = NEVER;
    const before = at(previous, left);
    if (before >= 0) ranks[before] = rankOf(before, count, next, pairs);
    ranks[left] = rankOf(left, count, next, pairs);
    asked += 2;
  }
  return { next, asked };
}

function rankOf(left: number, count: number, next: Int32Array, pairs: Pairs): number {
  const right = at(next, left);
  const rank = right < count ? pairs.rank(left, right, at(next, right)) : -1;
  return rank < 0 ? NEVER : rank;
}

function lowest(count: number, ranks: Int32Array, next: Int32Array): number {
  let best = -1;
  let rank = NEVER;
  for (let i = 0; i < count; i = at(next, i)) {
    if (at(ranks, i) >= rank) continue;
    rank = at(ranks, i);
    best = i;
  }
  return best;
}

/** A queue entry is rank · POSITIONS + position; 2^27 ranks · 2^26 positions are exact in a double. */
const POSITIONS = 0x4000000;

function mergeLong(count: number, pairs: Pairs): { next: Int32Array; asked: number } {
  const [next, previous, ranks] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  linkAll(count, next, previous);
  const queue: number[] = [];
  let asked = 0;
  const ask = (left: number): void => {
    const right = at(next, left);
    if (right >= count) return;
    asked++;
    const rank = pairs.rank(left, right, at(next, right));
    ranks[left] = rank;
    if (rank >= 0) push(queue, rank * POSITIONS + left);
  };
  for (let i = 0; i < count; i++) ask(i);
  for (let key = pop(queue); key >= 0; key = pop(queue)) {
    const left = key % POSITIONS;
    const rank = (key - left) / POSITIONS;
    const right = at(next, left);
    // An entry is stale when its part was merged away or has other neighbours since.
    if (right < 0 || right >= count || at(ranks, left) !== rank) continue;
    pairs.merge?.(left, right, rank);
    unlinkNext(count, left, next, previous);
    next[right] = -1;
    const before = at(previous, left);
    if (before >= 0) ask(before);
    ask(left);
  }
  return { next, asked };
}

function linkAll(count: number, next: Int32Array, previous: Int32Array): void {
  for (let i = 0; i < count; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
}

function unlinkNext(count: number, left: number, next: Int32Array, previous: Int32Array): void {
  const after = at(next, at(next, left));
  next[left] = after;
  if (after < count) previous[after] = left;
}

/** Adds to a binary heap, smallest first. */
function push(heap: number[], key: number): void {
  let i = heap.length;
  heap.push(key);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const above = heap[parent] as number;
    if (above <= key) break;
    heap[i] = above;
    i = parent;
  }
  heap[i] = key;
}

/** Removes the smallest entry; −1 if there is none. */
function pop(heap: number[]): number {
  const last = heap.pop();
  const top = heap[0];
  if (last === undefined || top === undefined) return last ?? -1;
  let i = 0;
  for (let child = 1; child < heap.length; child = 2 * i + 1) {
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    const below = heap[child] as number;
    if (below >= last) break;
    heap[i] = below;
    i = child;
  }
  heap[i] = last;
  return top;
}
