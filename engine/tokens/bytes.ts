import { Columns } from './columns';
import type { EncodingName, EncodingRules } from './encodings';
import { emptyMemo, addCachedTokens, cacheTokens, type Memo, type Piece } from './memo';
import { mergeAll } from './merge';
import type { TextToken, TokenizeOptions, TokenizerFacts } from './types';
import { sequenceLength, readableText, toUtf8 } from './utf8';
import { findHashed, findToken, hashOf, type Vocabulary } from './vocabulary';

/** A byte-level BPE encoding as in OpenAI's tiktoken. */
export interface ByteEncoding extends TokenizerFacts, EncodingRules {
  readonly kind: 'bytes';
  readonly name: EncodingName;
  readonly vocabulary: Vocabulary;
}

/**
 * Ids and offsets of a text's tokens. Never throws; a lone surrogate counts as U+FFFD, as in tiktoken. With `specials`, text that spells
 * a special token is that token.
 */
export function encodeBytes(encoding: ByteEncoding, text: string, specials: boolean): Columns {
  const found = new Columns((text.length >> 2) + 16);
  const cutter: TokenizerState = { ...encoding, memo: memoOf(encoding.vocabulary), piece: emptyPiece() };
  let start = 0;
  for (const match of specials ? text.matchAll(patternOf(encoding.specials)) : []) {
    addText(cutter, text, start, match.index, found);
    start = match.index + match[0].length;
    found.add(encoding.specials.get(match[0]) ?? 0, match.index, start);
  }
  addText(cutter, text, start, text.length, found);
  return found;
}

/** The bytes of tokens, one after the other; undefined where an id has none. */
export function bytesOf({ vocabulary, specials }: ByteEncoding, ids: readonly number[]): Uint8Array | undefined {
  const { bytes, starts, count } = vocabulary;
  const named = new Map([...specials].map(([text, id]) => [id, new TextEncoder().encode(text)]));
  const parts = ids.map((id) => (id < count ? bytes.subarray(starts[id], starts[id + 1]) : named.get(id)));
  if (!parts.every((part) => part !== undefined)) return undefined;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

export function tokenizeBytes(encoding: ByteEncoding, text: string, options: TokenizeOptions): TextToken[] {
  const { ids, starts, ends, count } = encodeBytes(encoding, text, options.specials === 'special');
  const tokens = new Array<TextToken>(count);
  for (let i = 0; i < count; i++) {
    const [id, start, end] = [ids[i] as number, starts[i] as number, ends[i] as number];
    const special = id >= encoding.vocabulary.count;
    const said = (special ? undefined : spelling(encoding.vocabulary, id)) ?? text.slice(start, end);
    tokens[i] = special ? { text: said, id, start, end, special } : { text: said, id, start, end };
  }
  return tokens;
}

/** The escaped spelling of a token that ends or begins inside a character; undefined for all others. */
function spelling({ bytes, starts }: Vocabulary, id: number): string | undefined {
  const [from, to] = [starts[id] as number, starts[id + 1] as number];
  let last = to - 1;
  while (last > from && sequenceLength(bytes[last] as number) === 0) last--;
  const whole = sequenceLength(bytes[from] as number) > 0 && last + sequenceLength(bytes[last] as number) === to;
  return whole ? undefined : readableText(bytes, from, to);
}

/** A pattern that matches any special token. `|` is the only character in them that needs escaping. */
const patternOf = (specials: ReadonlyMap<string, number>): RegExp =>
  new RegExp([...specials.keys()].map((s) => s.replaceAll('|', '\\|')).join('|'), 'g');

/** What tokenizing needs at hand. */
interface TokenizerState {
  readonly scan: ByteEncoding['scan'];
  readonly vocabulary: Vocabulary;
  readonly memo: Memo;
  readonly piece: Piece;
}

const memos = new WeakMap<Vocabulary, Memo>();

/** The cache of a vocabulary: created at first use, freed with it. */
function memoOf(vocabulary: Vocabulary): Memo {
  const memo = memos.get(vocabulary) ?? emptyMemo();
  memos.set(vocabulary, memo);
  return memo;
}

const emptyPiece = (): Piece => ({ bytes: new Uint8Array(256), length: 0, hash: 0 });

function addText(cutter: TokenizerState, text: string, from: number, to: number, found: Columns): void {
  const { scan, vocabulary, memo, piece } = cutter;
  for (let start = from; start < to;) {
    const end = scan(text, start, to);
    fillPiece(piece, text, start, end);
    const id = findHashed(vocabulary, piece.bytes, 0, piece.length, piece.hash);
    if (id >= 0) found.add(id, start, end);
    else if (!addCachedTokens(memo, piece, start, found)) {
      const first = found.count;
      addMerged(vocabulary, piece, start, found);
      cacheTokens(memo, piece, start, found, first);
    }
    start = end;
  }
}

/** Fills in a piece's bytes and, while they are ASCII, their hash. */
function fillPiece(piece: Piece, text: string, start: number, end: number): void {
  // Grows when a piece is longer than any before.
  if (piece.bytes.length < 3 * (end - start)) piece.bytes = new Uint8Array(6 * (end - start));
  const { bytes } = piece;
  let hash = 0x811c9dc5 | 0;
  let i = start;
  for (let unit = 0; i < end && (unit = text.charCodeAt(i)) < 0x80; i++) {
    bytes[i - start] = unit;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  const ascii = i === end;
  piece.length = ascii ? end - start : toUtf8(text, start, end, bytes);
  piece.hash = ascii ? hash ^ (hash >>> 15) : hashOf(bytes, 0, piece.length);
}

/** Adds the tokens of a piece that is not a single token. */
function addMerged(vocabulary: Vocabulary, { bytes, length }: Piece, start: number, found: Columns): void {
  const { next } = mergeAll(length, { rank: (left, _, end) => findToken(vocabulary, bytes, left, end) });
  const cursor = { byte: 0, char: start };
  for (let from = 0; from < length; from = next[from] as number) {
    const to = next[from] as number;
    moveTo(cursor, bytes, from);
    const first = cursor.char;
    moveTo(cursor, bytes, to - 1);
    const last = cursor.char + (sequenceLength(bytes[cursor.byte] as number) === 4 ? 2 : 1);
    found.add(findToken(vocabulary, bytes, from, to), first, last);
  }
}

/** A position in a text: byte offset and UTF-16 offset of a character. */
interface Cursor {
  byte: number;
  char: number;
}
/** Moves the cursor forward to the character that contains a byte. */
function moveTo(cursor: Cursor, bytes: Uint8Array, byte: number): void {
  for (;;) {
    const length = sequenceLength(bytes[cursor.byte] as number);
    if (cursor.byte + length > byte) return;
    cursor.byte += length;
    cursor.char += length === 4 ? 2 : 1;
  }
}
