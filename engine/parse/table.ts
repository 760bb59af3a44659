import { t, type TextRange, type Paced } from '../text';
import type { Candidate } from './matrix';
import { keywords, nameBefore } from './name-before';
import { readNumber } from './numbers';
import { roleOf } from './roles';
import {
  code,
  isBlank,
  isCloser,
  isDue,
  isNewline,
  isOpener,
  isQuote,
  isSpace,
  peek,
  quotedEnd,
  skipGap,
  endOfLineAbove,
  startOfLine,
  type Scanner,
} from './scanner';
import { tableOf, type Row } from './table-matrix';

/**
 * Reads a table of numbers without brackets, if it is the whole text: one row on each line, separated by blanks, commas or tabs. If not, the
 * cursor stays.
 */
export function* readTablePaced(s: Scanner): Paced<Candidate | undefined> {
  const start = s.at;
  const rows: Row[] = [];
  if (yield* hasDecimalCommas(s)) return undefined;
  for (;;) {
    skipGap(s);
    if (s.at >= s.end) break;
    const row = readPlainRow(s);
    if (!row) {
      s.at = start;
      return undefined;
    }
    rows.push(row);
    if (isDue(s)) yield;
  }
  const numbers = rows.reduce((n, row) => n + row.values.length, 0);
  if (numbers < 2 || isNumbered(rows)) {
    s.at = start;
    return undefined;
  }
  return tableOf(rows, commentAbove(s, rows[0]), 'table');
}

/** The header `# x, y` above the rows, as np.savetxt writes it: one word for each column, else none. */
function commentAbove(s: Scanner, first: Row | undefined): string[] {
  if (!first) return [];
  const end = endOfLineAbove(s.text, first.start);
  const line = s.text.slice(startOfLine(s.text, end, Math.max(0, end - longestLine)), end).trim();
  const words = line.startsWith('#') ? line.replace(/^#\s*/, '').split(/\s*[,;\t]\s*|\s+/) : [];
  return words.length === first.values.length ? words : [];
}

/** Whether columns and rows are numbered, as pandas prints them: other format readers read those. */
function isNumbered([header, ...rows]: readonly Row[]): boolean {
  const columns = header?.values ?? [];
  const counted = columns.every((x, i) => Number.isInteger(x) && x >= 0 && (i === 0 || x > (columns[i - 1] ?? 0)));
  return counted && rows.length > 0 && rows.every((row) => row.values.length === columns.length + 1);
}

/** Characters of a line between two yields. */
const lineAtOnce = 8192;

/** Whether the first line is separated by semicolons or tabs and contains a comma. Decimal commas are read by formats/delimited.ts. */
function* hasDecimalCommas(s: Scanner): Paced<boolean> {
  let at = s.at;
  while (isSpace(s.text.charCodeAt(at))) at++;
  let [comma, other] = [false, false];
  const start = at;
  for (; at < s.end && !isNewline(s.text.charCodeAt(at)); at++) {
    if (((at - start) & (lineAtOnce - 1)) === lineAtOnce - 1) {
      s.steps += lineAtOnce;
      yield;
    }
    const c = s.text.charCodeAt(at);
    if (c === code.comma) comma = true;
    else if (c === code.tab || c === 59) other = true;
  }
  s.steps += (at - start) & (lineAtOnce - 1);
  return comma && other;
}

/** Numbers up to the end of the line; undefined if there is anything else. */
function readPlainRow(s: Scanner): Row | undefined {
  const start = s.at;
  const values = readNumbers(s);
  const end = s.at;
  skipBlanks(s);
  const c = peek(s);
  if (values.length === 0 || !(c < 0 || isNewline(c) || c === code.hash)) return undefined;
  return { start, end, values };
}

/** Numbers separated by blanks, a comma, or a comma and blanks. The cursor ends after the last of them. */
function readNumbers(s: Scanner): number[] {
  const values: number[] = [];
  for (;;) {
    const before = s.at;
    if (values.length > 0 && !skipSeparator(s)) return values;
    if (readNumber(s, false) !== 'number') {
      s.at = before;
      return values;
    }
    values.push(s.value);
  }
}

function skipSeparator(s: Scanner): boolean {
  const start = s.at;
  skipBlanks(s);
  if (peek(s) === code.comma || peek(s) === 59) {
    s.at++;
    skipBlanks(s);
  }
  return s.at > start;
}

function skipBlanks(s: Scanner): void {
  const start = s.at;
  while (isBlank(peek(s))) s.at++;
  s.steps += s.at - start;
}

/** How far a table is read. */
export interface TableLimits {
  /** No row above this offset. */
  readonly floor: number;
  /** Most rows above and below the bracket; a longer table is a Problem. */
  readonly rows: number;
}

/**
 * The table whose row contains the bracket at `open`: consecutive lines `The [ 2.1 1.2 ]`, possibly below a line with one word for each
 * column; or at least two bare rows `[1 2]`. Moves past the table; undefined, with the cursor unmoved, if the bracket is no such row.
 */
export function* tableAround(s: Scanner, open: number, reach: TableLimits): Paced<Candidate | undefined> {
  const at = s.at;
  const top = yield* topRow(s, open, reach);
  const rows = top ? yield* readRows(s, top.line, reach.rows) : [];
  const last = rows.at(-1);
  s.at = at;
  if (!top || !last || (rows.length < 2 && !top.cut) || (last.end < open && !top.cut)) return undefined;
  if (top.cut || rows.length > 2 * reach.rows)
    return tooLong(open, { start: top.line, end: Math.max(open + 1, last.end) }, reach);
  s.at = last.end;
  const header =
    last.label === undefined ? { words: [], start: top.line } : headerAbove(s, top.line, last.values.length);
  const format = last.label === undefined ? 'table' : 'labelled-table';
  return tableOf(rows, header.words, format, nameBefore(s.text, header.start));
}

const tooLong = (open: number, whole: TextRange, { rows }: TableLimits): Candidate => ({
  problems: [
    {
      code: 'too-large',
      message: t('the table has more than {0} rows around the cursor', rows),
      hint: t('Select it and run Explain Attention.'),
      range: { start: open, end: open + 1 },
    },
  ],
  whole,
  plain: true,
});

/** Rows from the line at `top` on, all labelled or all not; at most one more than twice `most`. */
function* readRows(s: Scanner, top: number, most: number): Paced<Row[]> {
  const rows: Row[] = [];
  s.at = top;
  for (let row = readLabelledRow(s); row && rows.length <= 2 * most; row = nextRow(s)) {
    if (rows[0] && (rows[0].label === undefined) !== (row.label === undefined)) break;
    rows.push(row);
    if (isDue(s)) yield;
  }
  return rows;
}

/** Longest line above a row that is searched. */
const longestLine = 2000;

interface Top {
  readonly line: number;
  readonly cut: boolean;
}

/** Start of the first line of the table to which the row with this bracket belongs. */
function* topRow(s: Scanner, open: number, { floor, rows }: TableLimits): Paced<Top | undefined> {
  const own = rowStart(s, open);
  const row = own === undefined ? undefined : rowAt(s, own);
  if (own === undefined || !row) return undefined;
  let line = own;
  let passed = 0;
  while (line > floor) {
    const above = startOfLine(s.text, endOfLineAbove(s.text, line), Math.max(0, line - longestLine));
    const other = above < line && above >= floor ? rowAt(s, above) : undefined;
    if (!other || (other.label === undefined) !== (row.label === undefined)) break;
    line = above;
    if (isDue(s)) yield;
    if (++passed >= rows) return { line, cut: true };
  }
  return { line, cut: false };
}

/** Start of a row's line, if at most a label precedes the bracket. */
function rowStart(s: Scanner, open: number): number | undefined {
  const floor = Math.max(0, open - 100);
  for (let i = open; i >= floor; i--) {
    const c = i > 0 ? s.text.charCodeAt(i - 1) : code.newline;
    s.steps++;
    if (isNewline(c)) return i;
    if (isOpener(c) || isCloser(c) || c === code.equals || c === code.colon) return undefined;
  }
  return undefined;
}

function rowAt(s: Scanner, line: number): Row | undefined {
  s.at = line;
  return readLabelledRow(s);
}

function nextRow(s: Scanner): Row | undefined {
  if (peek(s) === code.carriageReturn) s.at++;
  if (peek(s) !== code.newline) return undefined;
  s.at++;
  return readLabelledRow(s);
}

/** `  "sat"  [ 0.9 4.0 2.8 ]` up to the end of its line. */
function readLabelledRow(s: Scanner): Row | undefined {
  skipBlanks(s);
  const start = s.at;
  const label = readLabel(s);
  if (label === undefined || peek(s) !== code.openBracket) return undefined;
  s.at++;
  skipBlanks(s);
  const values = readNumbers(s);
  skipBlanks(s);
  if (values.length < 2 || peek(s) !== code.closeBracket) return undefined;
  s.at++;
  const end = s.at;
  if (peek(s) === code.comma) s.at++;
  skipBlanks(s);
  if (!(peek(s) < 0 || isNewline(peek(s)))) return undefined;
  return { start, end, values, ...(label === '' ? {} : { label }) };
}

/** The label before a row's bracket, with the blanks after it skipped; '' for none or a bullet; undefined if it cannot be a label. */
function readLabel(s: Scanner): string | undefined {
  const start = s.at;
  if (peek(s) === code.openBracket) return '';
  if (isQuote(peek(s))) s.at = quotedEnd(s);
  else while (isLabelPart(peek(s)) && s.at - start < 40) s.at++;
  const end = s.at;
  skipBlanks(s);
  // Without a blank in between, `a[0, 1]` is an index.
  if (s.at === end) return undefined;
  const written = s.text.slice(start, Math.min(end, start + 40));
  const label = isQuote(written.charCodeAt(0)) ? written.slice(1, -1) : written;
  if (label === '-' || label === '*') return '';
  return /^(?:[>#/|]|\.\.\.$)/.test(label) || keywords.has(label) || roleOf(label) !== undefined ? undefined : label;
}

const isLabelPart = (c: number): boolean =>
  c >= 0 &&
  !isBlank(c) &&
  !isNewline(c) &&
  c !== code.openBracket &&
  c !== code.equals &&
  c !== code.colon &&
  c !== code.arrow;

interface Header {
  readonly words: readonly string[];
  readonly start: number;
}

/** The header on the line above, if it has one word for each column. */
function headerAbove(s: Scanner, top: number, columns: number): Header {
  const none = { words: [], start: top };
  if (top === 0) return none;
  const end = endOfLineAbove(s.text, top);
  const start = startOfLine(s.text, end, Math.max(0, end - longestLine));
  const words = s.text.slice(start, end).trim().split(/\s+/);
  return words.length === columns && words.every((word) => !/[[\]=:()]/.test(word)) ? { words, start } : none;
}
