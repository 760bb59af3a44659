import { t, type Problem, finish, type Paced } from '../text';
import { insideString, isCut, isSubscript } from './candidate';
import type { ReadContext } from './formats/format-reader';
import { readAround, readByCharPaced, readByWordBeforePaced } from './formats/index';
import { opensFormula } from './formats/latex-name';
import { bracketAt, candidateAt, count, textLimit, windowSize } from './literals';
import type { Candidate, ParsedMatrix } from './matrix';
import { keywords, wordBefore } from './name-before';
import {
  code,
  isBlank,
  isCloser,
  isDigit,
  isDue,
  isLetter,
  isNewline,
  isOpener,
  isSign,
  isSpace,
  isWordPart,
  scannerOf,
  startOfLine,
  wordEnd,
  type Scanner,
} from './scanner';
import { withBooleansAndFactor } from './booleans-and-factors';

export type LiteralAt = { readonly matrix: ParsedMatrix } | { readonly problems: readonly Problem[] } | undefined;

/**
 * The outermost literal around an offset, with name and call, if it is rectangular and has at least two numbers; or its problems; or undefined
 * if there is no literal. Reads at most `windowSize` characters on either side.
 */
export const literalAt = (text: string, offset: number): LiteralAt => finish(literalAtPaced(text, offset));

/** The same as a generator that yields regularly. */
export function* literalAtPaced(text: string, offset: number): Paced<LiteralAt> {
  const at = Math.max(0, Math.min(offset, text.length));
  const from = Math.max(0, at - windowSize);
  const s = scannerOf(text, from, Math.min(text.length, at + windowSize));
  return yield* literalInWindowPaced(s, from, at);
}

/** The same within a scanner's window, which begins at `from`. */
export function* literalInWindowPaced(s: Scanner, from: number, at: number): Paced<LiteralAt> {
  const found = yield* literalAround(s, from, at);
  if (found || at === 0 || !closesLiteral(s.text.charCodeAt(at - 1))) return found;
  return yield* literalAround(s, from, at - 1);
}

function* literalAround(s: Scanner, from: number, at: number): Paced<LiteralAt> {
  const bracketed = yield* literalInBrackets(s, from, at);
  if (bracketed === 'index') return undefined;
  if (bracketed && 'matrix' in bracketed) return bracketed;
  const around = yield* readAround(s, at, { first: false, floor: from, rows: maxTableRows });
  yield;
  const table = around && candidateFrom(s, around, at);
  if (table && 'matrix' in table) return table;
  return bracketed ?? table ?? (yield* literalOfName(s, at, from));
}

function* literalInBrackets(s: Scanner, from: number, at: number): Paced<LiteralAt | 'index'> {
  const opens = yield* openBracketsAt(s, at, from);
  let index = false;
  for (const [i, open] of opens.entries()) {
    yield;
    const c = s.text.charCodeAt(open);
    // An index contains no literal, except in Mathematica's `f[{{1, 2}}]`.
    if (index && c !== code.openBrace) continue;
    const found = yield* literalFrom(s, open, at, { from, outermost: i === 0 });
    if (found) return found;
    index ||= c === code.openBracket && isSubscript(s.text, open) && !opensFormula(s.text, open) && !isEmpty(s, open);
  }
  return index ? 'index' : undefined;
}

/** Whether the bracket is empty: `float[] {` is a type. */
const isEmpty = (s: Scanner, open: number): boolean => s.text.charCodeAt(open + 1) === code.closeBracket;

/** Most rows of a table without outer brackets that are read above and below the cursor. */
const maxTableRows = 1000;

/** Most open brackets that are tried; a literal has at most four, plus calls around it. */
const maxOpenBrackets = 24;

/**
 * Searches the window backwards for the brackets that are open at the offset, outermost first. Comments are skipped; the brace of a block or
 * an object ends the search. A bracket at the offset itself counts as open.
 */
function* openBracketsAt(s: Scanner, at: number, from: number): Paced<number[]> {
  const { text } = s;
  const opens: number[] = [];
  let closed = 0;
  let end = at < s.end && opensLiteral(text.charCodeAt(at)) ? at + 1 : at;
  while (end > from) {
    const start = startOfLine(text, end, from);
    const stop = end >= at ? end : commentStart(text, start, end);
    s.steps += stop - start;
    if (isDue(s)) yield;
    for (let i = stop - 1; i >= start; i--) {
      if ((i - start) % charsAtOnce === charsAtOnce - 1) yield;
      const c = text.charCodeAt(i);
      if (closesLiteral(c)) closed++;
      else if (!opensLiteral(c)) continue;
      else if (closed > 0) closed--;
      else if (c === code.openBrace && !holdsItems(s, i)) return opens.reverse();
      else if (opens.push(i) >= maxOpenBrackets) return opens.reverse();
    }
    end = start - 1;
  }
  return opens.reverse();
}

/** Characters of one line between two yields: a line can fill the whole window. */
const charsAtOnce = 1 << 14;

const opensLiteral = (c: number): boolean => isOpener(c) || c === code.openBrace;
const closesLiteral = (c: number): boolean => isCloser(c) || c === code.closeBrace;

/** Whether a brace contains rows or numbers, rather than statements or keys. */
function holdsItems(s: Scanner, brace: number): boolean {
  const { text } = s;
  let at = brace + 1;
  const limit = Math.min(s.end, brace + longestGap);
  while (at < limit) {
    const c = text.charCodeAt(at);
    if (isSpace(c)) at++;
    else if (c === code.slash && text.charCodeAt(at + 1) === code.slash)
      while (at < limit && !isNewline(text.charCodeAt(at))) at++;
    else break;
  }
  const c = text.charCodeAt(at);
  if (!isLetter(c)) return isDigit(c) || isSign(c) || opensLiteral(c) || c === code.dot;
  const end = Math.min(limit, wordEnd(s, at));
  const word = text.slice(at, end);
  return !keywords.has(word) || word === 'new';
}

/** Longest white space and comment between a brace and its first item. */
const longestGap = 300;

function commentStart(text: string, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    const comment = c === code.hash || (c === code.slash && text.charCodeAt(i + 1) === code.slash);
    if (comment && (i === start || isBlank(text.charCodeAt(i - 1)) || text.charCodeAt(i - 1) === code.comma)) return i;
  }
  return end;
}

interface Enclosure {
  /** Start of the window. */
  readonly from: number;
  /** Whether no other bracket of the window encloses this one. */
  readonly outermost: boolean;
}

/** The literal that begins at a bracket, if it encloses the offset and is more than an ordinary list in prose. */
function* literalFrom(s: Scanner, open: number, offset: number, { from, outermost }: Enclosure): Paced<LiteralAt> {
  const candidate = yield* literalOf(s, open, { first: false, floor: from, rows: maxTableRows });
  if (!candidate || !encloses(candidate, offset)) return undefined;
  if (candidate.problems.some((p) => p.code === 'too-large')) return { problems: candidate.problems };
  if (outermost && from > 0 && continuesLiteral(s.text, candidate.whole.start, from))
    return { problems: [beyondWindow(open)] };
  return candidateFrom(s, candidate, open);
}

/** The literal or its problems; `open` is the bracket where it was found. */
const candidateFrom = (s: Scanner, candidate: Candidate, open: number): LiteralAt =>
  isCut(s, candidate.whole.end) ? { problems: [beyondWindow(open)] } : literalOrProblems(s, candidate);

/** The literal of the bracket at `open`: the call of the word before it, or a literal that begins there. */
function* literalOf(s: Scanner, open: number, circumstances: ReadContext): Paced<Candidate | undefined> {
  const call = yield* readByWordBeforePaced(s, open, circumstances);
  if (call) return call;
  s.at = open;
  return yield* isOpener(s.text.charCodeAt(open)) ? bracketAt(s, circumstances) : readByCharPaced(s, circumstances);
}

function literalOrProblems(s: Scanner, candidate: Candidate): LiteralAt {
  const { matrix, problems, plain } = withBooleansAndFactor(s, candidate);
  if (problems.length > 0) return { problems };
  if (!matrix || matrix.values.length < 2 || !(plain || isListInCode(s.text, matrix))) return undefined;
  return { matrix };
}

/** Whether this is a later row of a literal that began before the window. */
function continuesLiteral(text: string, start: number, from: number): boolean {
  let at = start;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
  return at <= from || ',[]{'.includes(text.charAt(at - 1));
}

function beyondWindow(open: number): Problem {
  return {
    code: 'too-large',
    message: t('the literal is longer than {0} characters around the cursor', count(windowSize)),
    hint: t('Select it and run Explain Attention; up to {0} characters are read.', count(textLimit)),
    range: { start: open, end: open + 1 },
  };
}

/** Whether a flat list is where code would have one: after `=`, `(`, `,`, `:` or a keyword, not after a word of prose or in a string. */
function isListInCode(text: string, { range, format }: ParsedMatrix): boolean {
  if (format === 'rust' || text.charCodeAt(range.start) !== code.openBracket || insideString(text, range)) return false;
  let at = range.start;
  while (at > 0 && range.start - at < 200 && isSpace(text.charCodeAt(at - 1))) at--;
  if (text.charAt(at - 1) === '(' && sizeCalls.has(wordEndingAt(text, at - 1))) return false;
  if (at === 0 || '=(,[:{?'.includes(text.charAt(at - 1))) return true;
  const word = wordBefore(text, at, Math.max(0, at - 40));
  const name = word ? text.slice(word.start, word.end) : '';
  return (
    keywords.has(name) &&
    (name !== 'in' || text.slice(startOfLine(text, at, Math.max(0, at - 200)), at).includes('for '))
  );
}

function wordEndingAt(text: string, at: number): string {
  const word = wordBefore(text, at, Math.max(0, at - 40));
  return word ? text.slice(word.start, word.end).replace(/^.*\./, '') : '';
}

/** Calls whose arguments are sizes. */
const sizeCalls = new Set(
  'Size TensorShape shape reshape view zeros ones empty full rand randn permute transpose expand'.split(' '),
);

/** The literal after the name or constructor word at the offset, if the name is its own. */
function* literalOfName(s: Scanner, offset: number, from: number): Paced<LiteralAt> {
  const { text } = s;
  let lines = 0;
  let i = startOfWord(text, offset, from);
  while (i < s.end && i < offset + 200 && lines < 3) {
    const c = text.charCodeAt(i);
    if (c === code.newline) lines++;
    s.at = i;
    const candidate = yield* candidateAt(s, { first: false, floor: from, rows: maxTableRows });
    if (candidate) return encloses(candidate, offset) ? candidateFrom(s, candidate, i) : undefined;
    if (isOpener(c) && !(c === code.openBracket && isSubscript(text, i))) return undefined;
    i = Math.max(i + 1, s.at);
  }
  return undefined;
}

const encloses = ({ whole }: Candidate, offset: number): boolean => whole.start <= offset && offset <= whole.end;

function startOfWord(text: string, offset: number, from: number): number {
  let at = offset;
  while (at > from && offset - at < 64 && isNamePart(text.charCodeAt(at - 1))) at--;
  return at;
}

const isNamePart = (c: number): boolean => isWordPart(c) || c === code.dot;
