/** Ranks of pairs of ids in a typed array. A Map with numeric keys would box most of the numbers as objects. */
export interface PairRanks {
  /** Hash table with open addressing: left id, right id and rank of each slot; rank −1 if empty. The length is 3 · 2ᵏ. */
  readonly slots: Int32Array;
}

/** A table for `count` pairs, at most half full. */
export function emptyPairs(count: number): PairRanks {
  let size = 16;
  while (size < 2 * count) size *= 2;
  return { slots: new Int32Array(3 * size).fill(-1) };
}

/** Sets the rank of a pair; replaces an earlier one. */
export function setPair({ slots }: PairRanks, left: number, right: number, rank: number): void {
  const slot = slotOf(slots, left, right);
  slots[slot] = left;
  slots[slot + 1] = right;
  slots[slot + 2] = rank;
}

/** The rank of a pair; −1 if it has none. */
export const pairRank = ({ slots }: PairRanks, left: number, right: number): number =>
  slots[slotOf(slots, left, right) + 2] as number;

/** The pair's slot, or the empty slot where it would be stored. */
function slotOf(slots: Int32Array, left: number, right: number): number {
  const mask = slots.length / 3 - 1;
  const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  for (let i = (hash ^ (hash >>> 15)) & mask; ; i = (i + 1) & mask) {
    const slot = 3 * i;
    if ((slots[slot] === left && slots[slot + 1] === right) || (slots[slot + 2] as number) < 0) return slot;
  }
}
