import { t, type Problem, finish, type Paced } from '../text';
import { isSubscript, readCandidatePaced } from './candidate';
import type { ReadContext } from './formats/format-reader';
import { startsFormat, readByCharPaced, readByLinePaced, readByWordPaced } from './formats/index';
import type { Candidate, ParsedMatrix } from './matrix';
import {
  isBlank,
  isCloser,
  isDigit,
  code,
  isDue,
  isLetter,
  isNewline,
  isOpener,
  isSpace,
  isWordPart,
  scannerOf,
  wordEnd,
  type Scanner,
} from './scanner';
import { maxDimensions } from './nested-state';
import { readTablePaced, tableAround } from './table';
import { withBooleansAndFactor } from './booleans-and-factors';

/** Longest text that is parsed, in UTF-16 units. */
export const textLimit = 2_000_000;
/** How far around an offset a literal is searched for. */
export const windowSize = 200_000;

export interface Matrices {
  readonly matrices: readonly ParsedMatrix[];
  readonly problems: readonly Problem[];
}

/**
 * The matrices in a selection, in order, and the problems of failed attempts. Code, prose and comments around them are skipped. Never throws; linear
 * time.
 */
export const parseMatrices = (text: string): Matrices => finish(parseMatricesPaced(text));

/** The same as a generator that yields regularly. */
export function* parseMatricesPaced(text: string): Paced<Matrices> {
  const tooLarge = checkSize(text);
  if (tooLarge) return { matrices: [], problems: [tooLarge] };
  const candidates = yield* scanCandidatesPaced(scannerOf(text));
  return {
    matrices: candidates.flatMap((c) => (c.matrix ? [c.matrix] : [])),
    problems: candidates.flatMap((c) => c.problems),
  };
}

/** The Problem of a text that is too long; undefined if it is not. */
export function checkSize(text: string): Problem | undefined {
  if (text.length <= textLimit) return undefined;
  return {
    code: 'too-large',
    message: t('{0} characters are selected, the limit is {1}', count(text.length), count(textLimit)),
    hint: t('Select the part that holds the matrix.'),
    range: { start: 0, end: text.length },
  };
}

/** `12,345` */
export const count = (n: number): string => n.toString().replace(/\B(?=(\d{3})+$)/g, ',');

/** Every clear matrix, and every clear attempt at one, in the scanner's text. */
export const scanCandidates = (s: Scanner): Candidate[] => finish(scanCandidatesPaced(s));

/** The same as a generator that yields regularly. */
export function* scanCandidatesPaced(s: Scanner): Paced<Candidate[]> {
  const table = yield* readTablePaced(s);
  if (table) return [withBooleansAndFactor(s, table)];
  const found: Candidate[] = [];
  let first = true;
  let subscript = 0;
  let opened = 0;
  while (s.at < s.end) {
    if (isDue(s)) yield;
    const c = s.text.charCodeAt(s.at);
    s.steps++;
    // An index contains no literal, except in Mathematica's `f[{{1, 2}}]`.
    if (subscript > 0 && c !== code.openBrace) {
      if (c === code.openBracket) subscript++;
      else if (c === code.closeBracket || isNewline(c)) subscript = isNewline(c) ? 0 : subscript - 1;
      s.at++;
      continue;
    }
    // Rows above were read already, so a table begins here.
    const start = s.at;
    const candidate = yield* candidateAt(s, { first, floor: start, rows: Infinity });
    first &&= isSpace(c);
    if (candidate?.plain) addCandidate(found, withStrayBracket(s, withBooleansAndFactor(s, candidate), opened));
    if (candidate || s.at > start) continue;
    if (startsComment(s)) {
      skipLine(s);
      continue;
    }
    if (c === code.openBracket && isSubscript(s.text, s.at)) subscript = 1;
    else if (c === code.openBracket) opened++;
    else if (c === code.closeBracket && opened > 0) opened--;
    s.at++;
  }
  return found;
}

/** Adds a candidate in place of those inside it: `[1]64{{1, 2}}` is one literal, and `[1]` is not another one. */
function addCandidate(found: Candidate[], candidate: Candidate): void {
  const { start } = candidate.whole;
  for (let last = found.at(-1); last && last.whole.start >= start; last = found.at(-1)) found.pop();
  if ((found.at(-1)?.whole.end ?? 0) <= start) found.push(candidate);
}

/** The candidate at the cursor. If there is none, the cursor stays, except that it skips a word. */
export function* candidateAt(s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const isStart = s.at === 0 || isNewline(s.text.charCodeAt(s.at - 1));
  const line = isStart ? yield* lineAt(s, circumstances) : undefined;
  return line ?? (yield* itemAt(s, circumstances));
}

/** A table or a printed block at the start of a line, unless the line begins with a literal. */
function* lineAt(s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const start = s.at;
  while (isBlank(s.text.charCodeAt(s.at))) s.at++;
  s.steps += s.at - start;
  const literal = s.at < s.end ? yield* itemAt(s, circumstances) : undefined;
  if (literal?.plain && literal.matrix) return literal;
  const end = s.at;
  s.at = start;
  // `[,1]` in a table that R prints is no malformed list.
  const line = yield* readByLinePaced(s, circumstances);
  if (line || !literal?.plain) return line;
  s.at = end;
  return literal;
}

function* itemAt(s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const { at, text } = s;
  const c = text.charCodeAt(at);
  if (isOpener(c)) return yield* bracketAt(s, circumstances);
  if (isLetter(c) && !(at > 0 && isWordPart(text.charCodeAt(at - 1)))) return yield* wordAt(s, circumstances);
  return startsFormat(c) ? yield* readByCharPaced(s, circumstances) : undefined;
}

function* wordAt(s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const end = wordEnd(s);
  const candidate = yield* readByWordPaced(s, end, circumstances);
  if (!candidate) s.at = end;
  return candidate;
}

/** Nested brackets or a table of them; if that gives no matrix, another notation that begins with the bracket. */
export function* bracketAt(s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const open = s.at;
  if (!circumstances.first && isTooDeep(s, open)) return undefined;
  const table = s.text.charCodeAt(open) === code.openBracket ? yield* tableAround(s, open, circumstances) : undefined;
  const candidate = table ?? (yield* readCandidatePaced(s, circumstances));
  if (table || !startsFormat(s.text.charCodeAt(open)) || isSettled(candidate)) return candidate;
  const end = s.at;
  s.at = open;
  const other = yield* readByCharPaced(s, circumstances);
  if (!other) s.at = end;
  return other ?? candidate;
}

/**
 * Whether a bracket begins an item (`[[[[[`, `[1, [1, [1, [1, [1,`) in which more brackets are open than a matrix has dimensions. No literal begins
 * there, and trying each of 100,000 would take long.
 */
function isTooDeep(s: Scanner, open: number): boolean {
  const { text } = s;
  let at = open - 1;
  while (open - at < 4 && isSpace(text.charCodeAt(at))) at--;
  const before = text.charCodeAt(at);
  if (!isOpener(before) && before !== code.comma) return false;
  let depth = 1;
  for (at = open + 1; depth > 0 && depth <= maxDimensions && at < Math.min(s.end, open + deepest); at++) {
    const c = text.charCodeAt(at);
    if (isOpener(c)) depth++;
    else if (isCloser(c)) depth--;
    else if (!isNumeric(c)) break;
  }
  s.steps += at - open;
  return depth > maxDimensions;
}

/** Most characters that are searched for these brackets. */
const deepest = 40;

const isNumeric = (c: number): boolean =>
  isSpace(c) || isDigit(c) || c === code.comma || c === code.dot || c === code.minus;

/** Whether a candidate is a matrix in any notation. Numbers in a single pair of brackets without commas may be rows elsewhere. */
const isSettled = (candidate: Candidate | undefined): boolean =>
  candidate?.matrix !== undefined &&
  (candidate.matrix.shape.length > 1 || (candidate.matrix.format !== 'printed' && candidate.matrix.values.length > 1));

/** Adds the problem of a surplus closing bracket, as in `[[1, 2]]]`. */
function withStrayBracket(s: Scanner, candidate: Candidate, opened: number): Candidate {
  let at = s.at;
  while (isSpace(s.text.charCodeAt(at))) at++;
  s.steps += at - s.at;
  if (opened > 0 || s.text.charCodeAt(at) !== code.closeBracket || !candidate.matrix) return candidate;
  const range = { start: at, end: at + 1 };
  const problem = {
    code: 'unbalanced',
    message: t('] closes nothing'),
    range,
    hint: t('Remove it, or select from its [ on.'),
  };
  s.at = at + 1;
  return withoutMatrix(candidate, problem);
}

function withoutMatrix({ whole, plain, name, role }: Candidate, problem: Problem): Candidate {
  return { whole, plain, problems: [problem], ...(name === undefined ? {} : { name }), ...(role ? { role } : {}) };
}

/** Whether `# …` or `// …` begins a comment: after a blank or at the start of a line, unlike `https://` and `a#b`. */
function startsComment(s: Scanner): boolean {
  const c = s.text.charCodeAt(s.at);
  if (c !== code.hash && !(c === code.slash && s.text.charCodeAt(s.at + 1) === code.slash)) return false;
  return s.at === 0 || isSpace(s.text.charCodeAt(s.at - 1)) || s.text.charCodeAt(s.at - 1) === 59;
}

function skipLine(s: Scanner): void {
  const from = s.at;
  while (s.at < s.end && !isNewline(s.text.charCodeAt(s.at))) s.at++;
  s.steps += s.at - from;
}
