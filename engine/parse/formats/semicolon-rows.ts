import { formatShape } from '../../math';
import { t, type Problem, type Paced, type TextRange } from '../../text';
import { problemsOf } from '../nested-problems';
import { noValues } from '../nested-state';
import { rangeOf, rangeProblem } from '../ranges';
import {
  code,
  ellipsisLength,
  isBlank,
  isDue,
  isLetter,
  isNewline,
  isQuote,
  isSign,
  peek,
  skipLine,
  wordEnd,
  type Scanner,
} from '../scanner';
import { readNumeral, type NumeralNotes } from './numerals';

/** Rows in one pair of brackets, or the first problem. */
export interface SemicolonRows {
  /** rows × columns, or × planes too; one size for a flat list with commas. Empty if there is a Problem. */
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly numbers: number;
  /** Number of semicolons that separate rows. */
  readonly semicolons: number;
  readonly commas: boolean;
  /** Whether lines end where NumPy's 75 columns would: then it is one wrapped vector. */
  readonly wrapped: boolean;
  /** Whether it contains a range such as `1:3`. */
  readonly ranges: boolean;
  readonly problem?: Problem;
}

interface Reading {
  readonly s: Scanner;
  readonly open: number;
  readonly seen: NumeralNotes;
  readonly values: number[];
  /** Length of each row. */
  readonly rows: number[];
  /** Number of rows before each plane. */
  readonly planes: number[];
  rowStart: number;
  count: number;
  semicolons: number;
  commas: boolean;
  wrapped: boolean;
  ranges: boolean;
  problem: Problem | undefined;
}

/**
 * Reads `[1 2; 3 4]` from its bracket: numbers separated by blanks or commas, rows by `;` or line ends, planes by `;;;`; comments begin with
 * `%` or `#`, and `...` continues a line. The cursor ends after the bracket, or at the problem.
 */
export function* readSemicolonRowsPaced(s: Scanner): Paced<SemicolonRows> {
  const r: Reading = {
    s,
    open: s.at,
    seen: {},
    values: [],
    rows: [],
    planes: [],
    rowStart: s.at,
    count: 0,
    semicolons: 0,
    commas: false,
    wrapped: false,
    ranges: false,
    problem: undefined,
  };
  s.at++;
  while (!r.problem && readItem(r)) if (isDue(s)) yield;
  return finish(r);
}

/** Reads one item; false at the closing bracket. */
function readItem(r: Reading): boolean {
  const { s } = r;
  const gap = readGap(r);
  if (r.problem) return false;
  const c = peek(s);
  if (c < 0) {
    r.problem = unclosed(r);
    return false;
  }
  if (c === code.closeBracket) {
    endRow(r);
    s.at++;
    return false;
  }
  if (gap === 'none' && r.count > 0) r.problem = joined(r);
  else readNumber(r, gap);
  return r.problem === undefined;
}

type Gap = 'none' | 'blank' | 'comma' | 'row';

/** White space, comments, commas and semicolons up to the next item. */
function readGap(r: Reading): Gap {
  const { s } = r;
  const start = s.at;
  let gap: Gap = r.count === 0 ? 'row' : 'none';
  for (;;) {
    const c = peek(s);
    if (isBlank(c)) {
      s.at++;
      if (gap === 'none') gap = 'blank';
    } else if (isNewline(c)) {
      if (gap !== 'comma') gap = rowEnd(r, start);
      s.at++;
    } else if (c === semicolon) {
      gap = readSemicolons(r);
    } else if (c === code.comma && gap !== 'comma' && r.count > 0) {
      gap = 'comma';
      r.commas = true;
      s.at++;
    } else if (c === percent || c === code.hash) skipLine(s);
    else if (continuesLine(s)) {
      skipContinued(s);
      if (gap === 'none') gap = 'blank';
    } else break;
    if (r.problem) break;
  }
  s.steps += s.at - start + 1;
  return gap;
}

/** Skips `...` with the rest of its line. */
function skipContinued(s: Scanner): void {
  skipLine(s);
  if (peek(s) === code.carriageReturn) s.at++;
  if (isNewline(peek(s))) s.at++;
}

const semicolon = 59;
const percent = 37;

/** Whether `...` is followed only by blanks or words on its line; NumPy's ellipsis has numbers after it. */
function continuesLine(s: Scanner): boolean {
  if (ellipsisLength(s) !== 3) return false;
  let at = s.at + 3;
  while (at < s.at + 200 && isBlank(s.text.charCodeAt(at))) at++;
  const c = at < s.end ? s.text.charCodeAt(at) : code.newline;
  return isNewline(c) || c === percent || c === code.hash || isLetter(c);
}

/** A line end ends the row; a line as long as NumPy's may also be wrapped. */
function rowEnd(r: Reading, end: number): Gap {
  if (r.count === 0) return 'row';
  const lineStart = r.rowStart;
  if (end - lineStart >= 55) r.wrapped = true;
  endRow(r);
  return 'row';
}

/** `;` between rows, `;;;` between planes. */
function readSemicolons(r: Reading): Gap {
  const { s } = r;
  const start = s.at;
  while (peek(s) === semicolon && s.at < start + 4) s.at++;
  const length = s.at - start;
  if (length === 1) r.semicolons++;
  endRow(r);
  if (length === 3) {
    r.semicolons++;
    r.planes.push(r.rows.length);
  } else if (length > 1) r.problem = unexpected(r, start);
  return 'row';
}

function endRow(r: Reading): void {
  if (r.count === 0) return;
  const expected = r.rows[0];
  r.rows.push(r.count);
  if (expected !== undefined && expected !== r.count && !r.problem) r.problem = ragged(r, expected);
  r.count = 0;
}

function readNumber(r: Reading, gap: Gap): void {
  const { s } = r;
  const start = s.at;
  if (r.count === 0) r.rowStart = start;
  const kind = readNumeral(s, 'julia', r.seen, gap !== 'blank');
  if (kind === 'number') return peek(s) === code.colon ? readRange(r, start) : addNumber(r, s.value);
  const problems = problemsOf(s.text);
  if (kind !== 'none') problems.leaf(kind, start, s.at);
  else if (isQuote(peek(s))) problems.leaf('string', start, start + 1);
  else if (ellipsisLength(s) > 0) problems.elided(start, start + ellipsisLength(s));
  else if (r.values.length > 0 && /^[\w.]{1,40} *[=(:]/.test(s.text.slice(start, start + 48)) && gap === 'row')
    problems.unclosed(r.open, start);
  else if (isLetter(peek(s)))
    problems.unknownName(start, wordEnd(s), s.text.slice(start, Math.min(wordEnd(s), start + 40)));
  else problems.unexpected(start);
  r.problem = problems.list()[0];
}

function addNumber(r: Reading, value: number): void {
  r.values.push(value);
  r.count++;
}

/** Reads `1:3`, `6:-2:0` and `0:0.5:2` after their first number. */
function readRange(r: Reading, start: number): void {
  const { s } = r;
  const parts = [s.value];
  while (peek(s) === code.colon && parts.length < 3) {
    s.at++;
    if (readNumeral(s, 'matlab', r.seen, true) !== 'number') {
      r.problem = unexpected(r, s.at);
      return;
    }
    parts.push(s.value);
  }
  const [first = 0, step = 1, last = 0] = parts.length === 2 ? [parts[0], 1, parts[1]] : parts;
  const values = rangeOf(first, step, last);
  const written = s.text.slice(start, Math.min(s.at, start + 40));
  if (!values) r.problem = rangeProblem(written, { start, end: s.at });
  else for (const x of values) addNumber(r, x);
  r.ranges = true;
}

/** The problem of text directly after a number: arithmetic, or the rest of a complex number. */
function joined(r: Reading): Problem | undefined {
  const { s } = r;
  const problems = problemsOf(s.text);
  const rest = isSign(peek(s)) ? /^[+-] ?[\d.]+(?:e[+-]?\d+)?(?:im|[ij])/i.exec(s.text.slice(s.at, s.at + 40)) : null;
  if (rest) problems.leaf('complex', s.at, s.at + rest[0].length);
  else problems.joined(s.at);
  return problems.list()[0];
}

function unexpected(r: Reading, at: number): Problem | undefined {
  const problems = problemsOf(r.s.text);
  problems.unexpected(at);
  return problems.list()[0];
}

function unclosed(r: Reading): Problem | undefined {
  const problems = problemsOf(r.s.text);
  problems.unclosed(r.open, r.s.at);
  return problems.list()[0];
}

function ragged(r: Reading, expected: number): Problem | undefined {
  const problems = problemsOf(r.s.text);
  const index = r.rows.length;
  let end = r.s.at;
  while (end > r.rowStart && (r.s.text.charCodeAt(end - 1) === semicolon || isBlank(r.s.text.charCodeAt(end - 1))))
    end--;
  problems.ragged({ start: r.rowStart, end }, { index, count: r.count, expected, seen: index - 1 }, false);
  return problems.list()[0];
}

/** The problem of a plane of another size, which MATLAB and Julia refuse to join. */
export const unevenPlane = (
  range: TextRange,
  at: number,
  found: readonly number[],
  expected: readonly number[],
): Problem => ({
  code: 'ragged',
  message: t('page {0} is {1}, expected {2}', at + 1, formatShape(found), formatShape(expected)),
  hint: t('Give each page as many rows and columns as the first.'),
  range,
});

function unevenPlaneOf({ s, open, rows, planes }: Reading): Problem | undefined {
  const counts = [...planes, rows.length].map((end, i) => end - (planes[i - 1] ?? 0));
  const [first = 0] = counts;
  const at = counts.findIndex((count) => count !== first);
  const [found, expected] = [counts[at], first].map((count = 0) => [count, rows[0] ?? 0]);
  return found && expected && at > 0 ? unevenPlane({ start: open, end: s.at }, at, found, expected) : undefined;
}

function finish(r: Reading): SemicolonRows {
  const { values, semicolons, commas, wrapped, ranges, problem = unevenPlaneOf(r) } = r;
  const base = { numbers: values.length, semicolons, commas, wrapped, ranges };
  if (problem) return { ...base, shape: [], values: noValues, problem };
  return { ...base, ...arranged(r) };
}

function arranged(r: Reading): { shape: readonly number[]; values: Float64Array } {
  const { values, rows, commas } = r;
  const columns = rows[0] ?? 0;
  if (rows.length === 1 && commas) return { shape: [columns], values: new Float64Array(values) };
  const planes = r.planes.length + 1;
  if (planes === 1) return { shape: [rows.length, columns], values: new Float64Array(values) };
  const size = values.length / planes;
  const turned = values.map((_, i) => values[(i % planes) * size + Math.floor(i / planes)] ?? NaN);
  return { shape: [rows.length / planes, columns, planes], values: new Float64Array(turned) };
}
