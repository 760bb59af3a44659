import type { Columns } from './columns';

/** Pieces of at most this many bytes are cached. */
const LONGEST = 128;
const ENTRIES = 1 << 15;
const SLOTS = 2 * ENTRIES;
const KEYS = 16 * ENTRIES;
const TOKENS = 4 * ENTRIES;

/**
 * A cache of pieces with their tokens, as words repeat. It has a fixed size of about 2 MB and is cleared when full. Keys are copied bytes: a
 * slice of a text would keep the whole text in memory.
 */
export interface Memo {
  count: number;
  /** Hash table with open addressing: entries, −1 if empty. */
  readonly slots: Int32Array;
  readonly hashes: Int32Array;
  /** Entry `e` has key bytes `keyStarts[e]` to `keyStarts[e + 1]` of `keys` and tokens `firsts[e]` to `firsts[e + 1]`. */
  readonly keyStarts: Int32Array;
  readonly firsts: Int32Array;
  readonly keys: Uint8Array;
  /** Of each token: its id and its UTF-16 offsets in the piece. */
  readonly ids: Int32Array;
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
}

export const emptyMemo = (): Memo => ({
  count: 0,
  slots: new Int32Array(SLOTS).fill(-1),
  hashes: new Int32Array(ENTRIES),
  keyStarts: new Int32Array(ENTRIES + 1),
  firsts: new Int32Array(ENTRIES + 1),
  keys: new Uint8Array(KEYS),
  ids: new Int32Array(TOKENS),
  starts: new Uint8Array(TOKENS),
  ends: new Uint8Array(TOKENS),
});

/** A piece of text as UTF-8, `bytes[0 … length − 1]`. One object is reused for all pieces of a text. */
export interface Piece {
  bytes: Uint8Array;
  length: number;
  /** `hashOf` of its bytes. */
  hash: number;
}

/** Adds the cached tokens of a piece that begins at `start`; false if it is not cached. */
export function addCachedTokens(memo: Memo, piece: Piece, start: number, found: Columns): boolean {
  if (piece.length > LONGEST) return false;
  const entry = entryOf(memo, piece);
  if (entry < 0) return false;
  const end = memo.firsts[entry + 1] as number;
  for (let i = memo.firsts[entry] as number; i < end; i++)
    found.add(memo.ids[i] as number, start + (memo.starts[i] as number), start + (memo.ends[i] as number));
  return true;
}

function entryOf({ slots, hashes, keyStarts, keys }: Memo, { bytes, length, hash }: Piece): number {
  for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const entry = slots[slot] as number;
    if (entry < 0) return -1;
    if (hashes[entry] !== hash) continue;
    const from = keyStarts[entry] as number;
    if ((keyStarts[entry + 1] as number) - from !== length) continue;
    let i = 0;
    while (i < length && keys[from + i] === bytes[i]) i++;
    if (i === length) return entry;
  }
}

/** Caches the tokens from index `first` on in `found` for a piece that is not cached yet. */
export function cacheTokens(memo: Memo, piece: Piece, start: number, found: Columns, first: number): void {
  const { bytes, length, hash } = piece;
  if (length > LONGEST) return;
  const tokens = found.count - first;
  if (memo.count === ENTRIES || keyEnd(memo) + length > KEYS || tokenEnd(memo) + tokens > TOKENS) clearCache(memo);
  const entry = memo.count++;
  const [key, token] = [memo.keyStarts[entry] as number, memo.firsts[entry] as number];
  for (let i = 0; i < length; i++) memo.keys[key + i] = bytes[i] as number;
  for (let i = 0; i < tokens; i++) {
    memo.ids[token + i] = found.ids[first + i] as number;
    memo.starts[token + i] = (found.starts[first + i] as number) - start;
    memo.ends[token + i] = (found.ends[first + i] as number) - start;
  }
  memo.keyStarts[entry + 1] = key + length;
  memo.firsts[entry + 1] = token + tokens;
  memo.hashes[entry] = hash;
  let slot = hash & (SLOTS - 1);
  while ((memo.slots[slot] as number) >= 0) slot = (slot + 1) & (SLOTS - 1);
  memo.slots[slot] = entry;
}

const keyEnd = (memo: Memo): number => memo.keyStarts[memo.count] as number;
const tokenEnd = (memo: Memo): number => memo.firsts[memo.count] as number;

function clearCache(memo: Memo): void {
  memo.count = 0;
  memo.slots.fill(-1);
}
