import { t, fail, ok, type Result } from '../text';

/** The tokens of a byte-level encoding: each a string of bytes, numbered by rank. */
export interface Vocabulary {
  readonly count: number;
  /** Bytes of all tokens by id; token `id` is from `starts[id]` to `starts[id + 1]`. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** Length of the longest token in bytes. */
  readonly longest: number;
  /** Hash table with open addressing: ids, −1 if empty. Its length is a power of two. */
  readonly table: Int32Array;
  /** The id of each two-byte token (first · 256 + second), −1 if there is none: merging looks these up most. */
  readonly pairs: Int32Array;
}

/**
 * A vocabulary file: `TKV1`; then the number of tokens, the length of the last plane, and FNV-1a over all planes, each 32 bits
 * little-endian; then the planes. Tokens are sorted by bytes. For each: length of the prefix shared with the previous token (plane 0, one
 * byte), length of the rest (plane 1), id (planes 2 to 4: low, middle, high byte) and the rest (plane 5). Grouping bytes of one kind helps
 * deflate, which packs the extension: 184, 398 and 815 kB, against 210, 453 and 1,050 for tokens by id with their lengths.
 */
interface File {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Byte `i` of plane `p`. */
  readonly plane: (p: number, i: number) => number;
  /** Offset of plane 5. */
  readonly rests: number;
}

const HEADER = 16;
const PLANES = 5;

/** Reads a vocabulary file. A truncated or changed file is a Problem that says where; `name` is for its message. */
export function readVocabulary(name: string, bytes: Uint8Array): Result<Vocabulary> {
  const [magic, count, rest, sum] = [0, 4, 8, 12].map((at) => word(bytes, at)) as [number, number, number, number];
  const size = HEADER + PLANES * count + rest;
  if (bytes.length < HEADER) return damaged(name, t('ends at byte {0}, within the header', bytes.length));
  if (magic !== 0x31564b54) return damaged(name, t('no vocabulary, TKV1 expected at byte 0'));
  if (bytes.length !== size)
    return damaged(name, t('{0} bytes, expected {1} for {2} tokens', bytes.length, size, count));
  const found = checksum(bytes.subarray(HEADER));
  if (found !== sum)
    return damaged(name, t('checksum {0} of bytes {1} to {2}, expected {3}', hex(found), HEADER, size, hex(sum)));
  const plane = (p: number, i: number): number => bytes[HEADER + p * count + i] as number;
  return unpack(name, { bytes, count, plane, rests: HEADER + PLANES * count });
}

const damaged = (name: string, found: string): Result<never> =>
  fail({ code: 'vocabulary-damaged', message: `${name}: ${found}`, hint: t('Reinstall the extension.') });

const word = (bytes: Uint8Array, at: number): number =>
  [3, 2, 1, 0].reduce((sum, i) => sum * 256 + (bytes[at + i] ?? 0), 0);

const hex = (x: number): string => x.toString(16).padStart(8, '0');

/** FNV-1a, 32 bits. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

function unpack(name: string, file: File): Result<Vocabulary> {
  const starts = startsOf(file);
  if (typeof starts === 'string') return damaged(name, starts);
  const { bytes: from, count, plane } = file;
  const bytes = new Uint8Array(starts[count] as number);
  let rest = file.rests;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const start = starts[idAt(file, i)] as number;
    const shared = plane(0, i);
    const length = plane(1, i);
    bytes.copyWithin(start, before, before + shared);
    for (let j = 0; j < length; j++) bytes[start + shared + j] = from[rest + j] as number;
    rest += length;
    before = start;
  }
  return withTable(name, { count, bytes, starts });
}

const idAt = ({ plane }: File, i: number): number => plane(2, i) + 256 * plane(3, i) + 65536 * plane(4, i);

/** The start offsets of all tokens by id, or what is wrong with the first token that cannot be read. */
function startsOf(file: File): Uint32Array | string {
  const { bytes, count, plane } = file;
  const starts = new Uint32Array(count + 1);
  let rest = file.rests;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const id = idAt(file, i);
    const shared = plane(0, i);
    const length = shared + plane(1, i);
    rest += length - shared;
    if (shared > before || length === shared || rest > bytes.length) return t('token {0}: no bytes for it', i);
    if (id >= count || starts[id + 1]) return t('token {0}: id {1} twice, or not below {2}', i, id, count);
    starts[id + 1] = before = length;
  }
  for (let id = 0; id < count; id++) starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
  return starts;
}

function withTable(name: string, tokens: Omit<Vocabulary, 'table' | 'longest' | 'pairs'>): Result<Vocabulary> {
  const { count, starts, bytes } = tokens;
  let slots = 1024;
  while (slots < 2 * count) slots *= 2;
  const table = new Int32Array(slots).fill(-1);
  const pairs = new Int32Array(0x10000).fill(-1);
  let longest = 0;
  for (let id = 0; id < count; id++) {
    const [start, end] = [starts[id] as number, starts[id + 1] as number];
    longest = Math.max(longest, end - start);
    if (end === start + 2) pairs[(bytes[start] as number) * 256 + (bytes[start + 1] as number)] = id;
    let slot = hashOf(bytes, start, end) & (slots - 1);
    while (table[slot] !== -1) slot = (slot + 1) & (slots - 1);
    table[slot] = id;
  }
  const vocabulary = { ...tokens, table, longest, pairs };
  const single = (byte: number): boolean => findToken(vocabulary, Uint8Array.of(byte), 0, 1) < 0;
  const missing = Array.from({ length: 256 }, (_, byte) => byte).find(single);
  return missing === undefined ? ok(vocabulary) : damaged(name, t('no token for byte {0}', missing));
}

/** Hash of `bytes[start … end − 1]` for the table: FNV-1a, folded. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** The id of the token that is exactly `bytes[start … end − 1]`; −1 if there is none. */
export function findToken(vocabulary: Vocabulary, bytes: Uint8Array, start: number, end: number): number {
  if (end - start > vocabulary.longest) return -1;
  if (end - start === 2)
    return vocabulary.pairs[(bytes[start] as number) * 256 + (bytes[start + 1] as number)] as number;
  return findHashed(vocabulary, bytes, start, end, hashOf(bytes, start, end));
}

/** The same for bytes with a known hash. */
export function findHashed(
  vocabulary: Vocabulary,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const { table } = vocabulary;
  const mask = table.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = table[slot] as number;
    if (id < 0 || isToken(vocabulary, id, bytes, start, end)) return id;
  }
}

function isToken(vocabulary: Vocabulary, id: number, bytes: Uint8Array, start: number, end: number): boolean {
  const { bytes: pool, starts } = vocabulary;
  const first = starts[id] as number;
  if ((starts[id + 1] as number) - first !== end - start) return false;
  for (let i = start; i < end; i++) if (pool[first + i - start] !== bytes[i]) return false;
  return true;
}
