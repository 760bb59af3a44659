import { t } from '../text';
import { readArguments, wrapperAt } from './constructor-calls';
import { addNumber, open, problemsIn, separate, stop, unclosed, type Frame, type Reader } from './nested-state';
import { readNumber } from './numbers';
import {
  code,
  ellipsisLength,
  isBlank,
  isCloser,
  isLetter,
  isNewline,
  isOpener,
  isQuote,
  isSign,
  peek,
  quotedEnd,
  wordEnd,
  type Gap,
  type Scanner,
} from './scanner';

/** Reads `(-1.5)` inside a literal as a number. */
export function readScalarInParentheses(r: Reader, top: Frame, gap: Gap): boolean {
  const { s } = r;
  if (peek(s) !== code.open) return false;
  const start = s.at;
  s.at++;
  while (isBlank(peek(s))) s.at++;
  const kind = readNumber(s, true);
  while (isBlank(peek(s))) s.at++;
  if (kind !== 'number' || peek(s) !== code.close) {
    s.at = start;
    return false;
  }
  s.at++;
  addNumber(r, top, gap, start, s.value);
  return true;
}

export function readLeaf(r: Reader, top: Frame, c: number, gap: Gap): void {
  const { s } = r;
  const start = s.at;
  const kind = readNumber(s, top.ready);
  if (kind === 'number') {
    // In `1+2j` the imaginary part follows the number directly.
    if (isImaginaryNext(s)) return leafProblem(r, top, gap, start, 'complex');
    if (isOctalElsewhere(s, start)) return leafProblem(r, top, gap, start, 'malformed');
    return addNumber(r, top, gap, start, s.value);
  }
  if (kind !== 'none') return leafProblem(r, top, gap, start, kind);
  if (isQuote(c)) {
    s.at = quotedEnd(s);
    return leafProblem(r, top, gap, start, 'string');
  }
  const dots = ellipsisLength(s);
  // `[...names]` is JavaScript's spread: report the word after the dots.
  if (dots > 0 && isLetter(peek(s, dots))) s.at += dots;
  else if (dots > 0) return readEllipsis(r, top, dots);
  if (isLetter(peek(s))) return readWord(r, top, gap);
  if (gap === 'line' && !top.ready && r.numbers > 0 && !isSign(c)) return unclosed(r);
  stop(r, start);
}

/** Whether the number before the cursor is another one where a leading 0 means octal, as in JavaScript, PHP and Ruby: `010`, but not `07`. */
function isOctalElsewhere({ text, at }: Scanner, start: number): boolean {
  let from = start;
  while (isSign(text.charCodeAt(from)) || isBlank(text.charCodeAt(from))) from++;
  if (text.charCodeAt(from) !== 48 || at < from + 3) return false;
  const written = text.slice(from, at);
  return /^0[0-7]+$/.test(written) && parseInt(written, 8) !== Number(written);
}

/** Moves past `+2j` or `+ 2j`, if that follows. */
function isImaginaryNext(s: Scanner): boolean {
  const [at, value] = [s.at, s.value];
  skipBlanks(s);
  if (isSign(peek(s)) && readNumber(s, true) === 'complex') return true;
  s.at = at;
  s.value = value;
  return false;
}

/** Reports an item that is no number, and counts it, so that rows keep their length. */
function leafProblem(
  r: Reader,
  top: Frame,
  gap: Gap,
  start: number,
  kind: 'complex' | 'malformed' | 'string' | 'null',
): void {
  separate(r, top, gap, start);
  top.count++;
  top.numbers = true;
  problemsIn(r).leaf(kind, start, r.s.at);
  // A long list of strings is other data: reading all of it would be a waste.
  if (++r.oddities > mostOddities && r.oddities * 2 > r.numbers) r.stopped = true;
}

const mostOddities = 64;

function readEllipsis(r: Reader, top: Frame, length: number): void {
  problemsIn(r).elided(r.s.at, r.s.at + length);
  top.elided = true;
  top.ready = false;
  r.s.at += length;
}

const nulls = new Set(['null', 'None', 'undefined', 'nil', 'NULL', 'NA']);

function readWord(r: Reader, top: Frame, gap: Gap): void {
  const { s } = r;
  const start = s.at;
  const end = wordEnd(s);
  const word = s.text.slice(start, Math.min(end, start + 64));
  const wrapper = wrapperAt(s, end);
  if (wrapper !== undefined) return openCall(r, top, gap, wrapper);
  if (gap === 'line' && (!top.ready || startsStatement(s, end)) && r.numbers > 0) return unclosed(r);
  s.at = end;
  if (nulls.has(word)) return leafProblem(r, top, gap, start, 'null');
  problemsIn(r).unknownName(start, end, word);
  skipBlanks(s);
  // A single name is skipped; anything else (a call, a sentence, a comprehension) ends the reading.
  if (peek(s) === code.comma || isCloser(peek(s))) return addPlace(top);
  r.prose = isLetter(peek(s));
  r.stopped = true;
  s.at = end;
}

function addPlace(top: Frame): void {
  top.ready = false;
  top.numbers = true;
  top.count++;
}

function skipBlanks(s: Scanner): void {
  while (isBlank(peek(s))) s.at++;
}

/** Whether `K =` or `K:` begins a line: it is the next statement, so a bracket before it was left open. */
function startsStatement(s: Scanner, end: number): boolean {
  let i = end;
  while (isBlank(s.text.charCodeAt(i))) i++;
  const c = i < s.end ? s.text.charCodeAt(i) : -1;
  return c === code.equals || c === code.colon || (isNewline(c) && isOpener(s.text.charCodeAt(i + 1)));
}

function openCall(r: Reader, top: Frame, gap: Gap, openAt: number): void {
  if (readScalarCall(r, top, gap, openAt)) return;
  separate(r, top, gap, r.s.at);
  if (top.numbers) problemsIn(r).mixedDepth(r.s.at, t('a row'), t('a number'));
  top.brackets = true;
  r.nested = true;
  r.s.at = openAt;
  open(r, true);
}

/** Reads `tensor(0.5)` inside a literal as a number. */
function readScalarCall(r: Reader, top: Frame, gap: Gap, openAt: number): boolean {
  const { s } = r;
  const start = s.at;
  s.at = openAt + 1;
  const found = readNumber(s, true) === 'number';
  const { value } = s;
  if (!found || !readArguments(s).closed) {
    s.at = start;
    return false;
  }
  addNumber(r, top, gap, start, value);
  return true;
}
