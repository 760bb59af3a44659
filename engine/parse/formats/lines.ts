import { readNumber } from '../numbers';
import { code, isBlank, isDigit, isNewline, isSign, type Scanner } from '../scanner';

/** A line without its line end; `next` is the start of the following line, or the scanner's end. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

export type CellKind = 'number' | 'text' | 'empty' | 'elided';

/** A field of a line, without surrounding blanks and quotes. */
export interface Cell {
  readonly kind: CellKind;
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** The line that begins at the offset. */
export function lineAt(s: Scanner, start: number): Line {
  const { text } = s;
  let end = start;
  while (end < s.end && !isNewline(text.charCodeAt(end))) end++;
  s.steps += end - start + 1;
  const pair = text.charCodeAt(end) === code.carriageReturn && text.charCodeAt(end + 1) === code.newline;
  return { start, end, next: Math.min(s.end, end + (pair ? 2 : 1)) };
}

/** The next line; undefined at the end of the text, and if the window cuts it off. */
export function lineAfter(s: Scanner, line: Line): Line | undefined {
  if (line.next <= line.end || line.next >= s.end) return undefined;
  const after = lineAt(s, line.next);
  const isCut = after.end === s.end && s.follows >= 0 && !isNewline(s.follows);
  return isCut ? undefined : after;
}

/** Whether nothing but blanks stands on a line. */
export function isBlankLine(s: Scanner, { start, end }: Line): boolean {
  let at = start;
  while (at < end && isBlank(s.text.charCodeAt(at))) at++;
  s.steps += at - start + 1;
  return at === end;
}

/** The trimmed line, up to `most` characters: no line that readers recognize is longer. */
export function wordsOf(s: Scanner, line: Line, most = 400): string {
  const length = line.end - line.start;
  s.steps += Math.min(length, most);
  return length > most ? '' : s.text.slice(line.start, line.end).trim();
}

/** How numbers are written. */
export interface Writing {
  readonly decimalComma: boolean;
}

export const points: Writing = { decimalComma: false };

/** The field between two offsets: trimmed, unquoted and read. */
export function cellOf(s: Scanner, from: number, to: number, writing: Writing = points): Cell {
  const { text } = s;
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  s.steps += to - from;
  const quote = text.charCodeAt(start);
  if (end - start > 1 && isFieldQuote(quote) && text.charCodeAt(end - 1) === quote) {
    start++;
    end--;
  }
  if (start >= end) return { kind: 'empty', value: NaN, start, end: start };
  const value = numberBetween(s, start, end, writing);
  if (value !== undefined) return { kind: 'number', value, start, end };
  return { kind: isElision(text, start, end) ? 'elided' : 'text', value: NaN, start, end };
}

const isFieldQuote = (c: number): boolean => c === code.doubleQuote || c === code.quote;

/** `...`, `..`, `…` and Julia's `⋮`, `⋱`, `⋯` stand for numbers that were not printed. */
function isElision(text: string, start: number, end: number): boolean {
  if (end - start > 3) return false;
  const written = text.slice(start, end);
  return written === '...' || written === '..' || (written.length === 1 && '…⋮⋱⋯⋰'.includes(written));
}

/** Booleans and missing values as R, pandas and Octave print them. A missing value is NaN, as these convert it. */
const others = new Map([
  ['TRUE', 1],
  ['FALSE', 0],
  ['NA', NaN],
  ['<NA>', NaN],
]);

/** The number that fills a range; undefined if the range contains anything else. */
function numberBetween(s: Scanner, start: number, end: number, { decimalComma }: Writing): number | undefined {
  if (decimalComma) {
    const value = commaNumber(s, start, end);
    if (value !== undefined) return value;
  }
  if (end - start > longestNumber) return undefined;
  const other = end - start <= 5 ? others.get(s.text.slice(start, end)) : undefined;
  if (other !== undefined) return other;
  s.at = start;
  if (readNumber(s, false) === 'number' && s.at === end) return s.value;
  // Characters after the range could seem to belong to the number: the second dollar in `$1.5$`.
  const written = s.text.slice(start, end);
  return decimal.test(written) ? Number(written) : undefined;
}

const longestNumber = 400;
const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** `1,5` and `-0,25e3`; undefined without a comma. */
function commaNumber(s: Scanner, start: number, end: number): number | undefined {
  if (end - start > longestNumber) return undefined;
  const written = s.text.slice(start, end).replace('\u2212', '-');
  if (!/^[-+]?\d*,\d+(?:[eE][-+]?\d+)?$/.test(written)) return undefined;
  return Number(written.replace(',', '.'));
}

/** The words of a line as cells, separated by blanks; text in quotes is one word. */
export function splitBlanks(s: Scanner, from: number, to: number): Cell[] {
  const { text } = s;
  const cells: Cell[] = [];
  let at = from;
  while (at < to) {
    while (at < to && isBlank(text.charCodeAt(at))) at++;
    if (at >= to) break;
    const start = at;
    if (isFieldQuote(text.charCodeAt(at))) at = quoteEnd(text, at, to);
    while (at < to && !isBlank(text.charCodeAt(at))) at++;
    cells.push(cellOf(s, start, at));
  }
  s.steps += to - from;
  return cells;
}

/** Offset after the closing quote if there is one before `to`, else after the opening one. */
function quoteEnd(text: string, open: number, to: number): number {
  const quote = text.charCodeAt(open);
  for (let at = open + 1; at < to && at - open < longestNumber; at++) if (text.charCodeAt(at) === quote) return at + 1;
  return open + 1;
}

/** The fields of a line between separators. Inside quotes a separator is text, and `""` is a quote. */
export function splitAt(s: Scanner, from: number, to: number, separator: number, writing: Writing): Cell[] {
  const { text } = s;
  const cells: Cell[] = [];
  let start = from;
  let quote = -1;
  for (let at = from; at < to; at++) {
    const c = text.charCodeAt(at);
    if (quote >= 0) {
      if (c === quote) quote = -1;
    } else if (c === code.doubleQuote && isFieldStart(text, start, at)) quote = c;
    else if (c === code.backslash) at++;
    else if (c === separator) {
      cells.push(cellOf(s, start, at, writing));
      start = at + 1;
    }
  }
  cells.push(cellOf(s, start, to, writing));
  s.steps += to - from;
  return cells;
}

function isFieldStart(text: string, start: number, at: number): boolean {
  for (let i = at - 1; i >= start && i > at - 8; i--) if (!isBlank(text.charCodeAt(i))) return false;
  return at - start < 8;
}

/** Whether the first non-blank character of a line can begin a number. */
export function beginsNumber(s: Scanner, { start, end }: Line): boolean {
  let at = start;
  while (at < end && isBlank(s.text.charCodeAt(at))) at++;
  s.steps += at - start + 1;
  const c = s.text.charCodeAt(at);
  return at < end && (isDigit(c) || isSign(c) || c === code.dot);
}

export const textOf = (s: Scanner, { start, end }: { start: number; end: number }): string => s.text.slice(start, end);
