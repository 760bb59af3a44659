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

/** Every notation beside nested brackets, in the order in which they are tried at one place. The contract is in family.ts. */
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

/** Longest word that families are chosen by. */
const longestWord = Math.max(0, ...[...byWord.keys()].map((word) => word.length));

/** The first of the families that reads something at the cursor; the cursor stays where none does. */
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

/** What begins with the character at the cursor. */
export const readByCharPaced = (s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> =>
  firstOf(byChar.get(s.text.charCodeAt(s.at)) ?? none, s, circumstances);

/** Whether some family begins with this character. */
export const startsFormat = (c: number): boolean => byChar.has(c);

/** What begins with the word at the cursor, which ends at `end`. */
export function* readByWordPaced(s: Scanner, end: number, circumstances: ReadContext): Paced<Candidate | undefined> {
  if (end - s.at > longestWord || !opensAfter(s, end)) return undefined;
  return yield* firstOf(byWord.get(s.text.slice(s.at, end)) ?? none, s, circumstances);
}

/** `(`, `[`, `{`, `!` or `<` after a word, blanks between. */
function opensAfter(s: Scanner, end: number): boolean {
  let at = end;
  while (at < s.end && at < end + 4 && isBlank(s.text.charCodeAt(at))) at++;
  return at < s.end && '([{!<'.includes(s.text.charAt(at));
}

/** What begins with the line at the cursor. */
export const readByLinePaced = (s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> =>
  firstOf(byLine, s, circumstances);

/** What begins with the word before a bracket and holds it: `matrix(`, `vec![`. */
export function* readByWordBeforePaced(
  s: Scanner,
  open: number,
  circumstances: ReadContext,
): Paced<Candidate | undefined> {
  const start = wordStart(s.text, open, circumstances.floor);
  if (start === open) return undefined;
  s.at = start;
  const candidate = yield* readByWordPaced(s, wordEnd(s), circumstances);
  if (candidate && s.at > open) return candidate;
  s.at = open;
  return undefined;
}

/** Start of the word before a bracket, of `vec` in `vec![` too; `open` where there is none. */
function wordStart(text: string, open: number, floor: number): number {
  let end = open;
  while (end > floor && end > open - 4 && isBlank(text.charCodeAt(end - 1))) end--;
  if (end > floor && text.charCodeAt(end - 1) === 33) end--;
  let at = end;
  while (at > floor && end - at <= longestWord && isNamePart(text.charCodeAt(at - 1))) at--;
  return at < end ? at : open;
}

const isNamePart = (c: number): boolean => isWordPart(c) || c === code.dot;

/** What families without brackets find around an offset: the outermost of those that enclose it. */
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
