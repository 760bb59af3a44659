/* Readers of matrices in all notations except nested brackets, in the order in which they are tried at a position. */
import type { Candidate } from '../matrix';
import { code, isBlank, isWordPart, wordEnd, type Scanner } from '../scanner';
import type { Paced } from '../../text';
import { braces } from './braces';
import { columns } from './columns';
import { delimited } from './delimited';
import type { ReadContext, FormatReader } from './format-reader';
import { latex } from './latex';
import { linearAlgebra } from './linear-algebra';
import { markdown } from './markdown';
import { pandas } from './pandas';
import { printed } from './printed';
import { r } from './r';
import { rust } from './rust';
import { ranges } from './ranges';
import { semicolons } from './semicolons';

/** All notations except nested brackets, in the order in which they are tried at a position. The contract is in format-reader.ts. */
export const formatReaders: readonly FormatReader[] = [
  braces,
  semicolons,
  ranges,
  rust,
  linearAlgebra,
  r,
  latex,
  pandas,
  markdown,
  printed,
  delimited,
  columns,
];

const byChar = new Map<number, FormatReader[]>();
const byWord = new Map<string, FormatReader[]>();
const byLine: FormatReader[] = formatReaders.filter((family) => family.lines);
const withStart: FormatReader[] = formatReaders.filter((family) => family.startBefore);

for (const family of formatReaders) {
  for (const char of family.chars ?? '') addReader(byChar, char.charCodeAt(0), family);
  for (const word of family.words ?? []) addReader(byWord, word, family);
}

function addReader<K>(map: Map<K, FormatReader[]>, key: K, family: FormatReader): void {
  const list = map.get(key);
  if (list) list.push(family);
  else map.set(key, [family]);
}

/** Longest word that selects a format reader. */
const longestWord = Math.max(0, ...[...byWord.keys()].map((word) => word.length));

/** The result of the first reader that reads something at the cursor; the cursor stays if none does. */
function* firstOf(list: readonly FormatReader[], s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const start = s.at;
  for (const family of list) {
    s.at = start;
    const candidate = yield* family.read(s, circumstances);
    if (candidate) return candidate;
  }
  s.at = start;
  return undefined;
}

const none: readonly FormatReader[] = [];

/** Reads a literal that begins with the character at the cursor. */
export const readByCharPaced = (s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> =>
  firstOf(byChar.get(s.text.charCodeAt(s.at)) ?? none, s, circumstances);

/** Whether a format can begin with this character. */
export const startsFormat = (c: number): boolean => byChar.has(c);

/** Reads a literal that begins with the word from the cursor to `end`. */
export function* readByWordPaced(s: Scanner, end: number, circumstances: ReadContext): Paced<Candidate | undefined> {
  if (end - s.at > longestWord || !opensAfter(s, end)) return undefined;
  return yield* firstOf(byWord.get(s.text.slice(s.at, end)) ?? none, s, circumstances);
}

/** Whether `(`, `[`, `{`, `!` or `<` follows a word, possibly after blanks. */
function opensAfter(s: Scanner, end: number): boolean {
  let at = end;
  while (at < end + 4 && isBlank(s.text.charCodeAt(at))) at++;
  return at < s.end && '([{!<'.includes(s.text.charAt(at));
}

/** Reads a literal that begins with the line at the cursor. */
export const readByLinePaced = (s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> =>
  firstOf(byLine, s, circumstances);

/** Reads a literal that begins with the word before a bracket and contains it: `matrix(`, `vec![`. */
export function* readByWordBeforePaced(
  s: Scanner,
  open: number,
  circumstances: ReadContext,
): Paced<Candidate | undefined> {
  s.at = wordStart(s.text, open, circumstances.floor);
  const candidate = yield* readByWordPaced(s, wordEnd(s), circumstances);
  if (candidate && s.at > open) return candidate;
  s.at = open;
  return undefined;
}

/** Start of the word before a bracket, also of `vec` in `vec![`; `open` if there is none. */
function wordStart(text: string, open: number, floor: number): number {
  let end = open;
  while (end > floor && end > open - 4 && isBlank(text.charCodeAt(end - 1))) end--;
  if (end > floor && text.charCodeAt(end - 1) === 33) end--;
  let at = end;
  while (at > floor && end - at <= longestWord && isNamePart(text.charCodeAt(at - 1))) at--;
  return at < end ? at : open;
}

const isNamePart = (c: number): boolean => isWordPart(c) || c === code.dot;

/** The outermost literal around an offset, in the notations without brackets. */
export function* readAround(s: Scanner, at: number, circumstances: ReadContext): Paced<Candidate | undefined> {
  let found: Candidate | undefined;
  for (const family of withStart) {
    yield;
    const start = family.startBefore && (yield* family.startBefore(s, at, circumstances));
    if (start === undefined) continue;
    s.at = start;
    const candidate = yield* family.read(s, circumstances);
    if (!candidate || candidate.whole.start > at || candidate.whole.end < at) continue;
    if (!found || (!found.matrix && candidate.matrix)) found = candidate;
  }
  return found;
}
