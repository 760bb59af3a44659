import { t, counted, type Problem, type TextRange, type Paced } from '../../text';
import type { Candidate } from '../matrix';
import type { Before } from '../name-before';
import { code, isBlank, isDue, isLetter, isSpace, type Scanner } from '../scanner';
import type { ReadContext, FormatReader } from './format-reader';
import { latexNumber } from './latex-number';
import { latexBefore, latexAfter } from './latex-name';
import { shortened } from './grid';
import { nameAndRole } from '../name-and-role';

/** Environments of amsmath, mathtools and LaTeX for matrices. */
const environments = new Set(
  ['', 'p', 'b', 'B', 'v', 'V']
    .flatMap((fence) => [`${fence}matrix`, `${fence}matrix*`, `${fence}smallmatrix`, `${fence}smallmatrix*`])
    .concat('array'),
);

/** `\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}` and similar environments, with the name before the equals sign. */
export const latex: FormatReader = { name: 'latex', chars: '\\', read, startBefore };

const opening = '\\begin{';
const closing = '\\end{';

/** A cell: the trimmed text between `&`, `\\` and the ends. */
interface Cell extends TextRange {
  /** Undefined if the cell is no number; NaN counts as one. */
  readonly value: number | undefined;
}

interface Body {
  readonly rows: readonly (readonly Cell[])[];
  /** After `\end{…}`; undefined if the environment is not closed. */
  readonly end: number | undefined;
  /** Offset where reading stopped. */
  readonly stopped: number;
}

function* read(s: Scanner, { first }: ReadContext): Paced<Candidate | undefined> {
  const start = openingAfter(s, s.at);
  const environment = environmentAt(s, start);
  if (!environment) return undefined;
  const body = yield* readBody(s, environment, isDoubled(s.text, start));
  const counts = yield* countsOf(s, body.rows);
  const before = latexBefore(s, start);
  const meant = before.before.role !== undefined || first;
  if (!isMatrix(body, counts, meant)) return undefined;
  const after = latexAfter(s, body.end ?? body.stopped);
  const range = { start: before.start, end: after.end };
  s.at = Math.max(after.end, start + 1);
  const rows = counts.commas ? withDecimalCommas(s, body.rows) : body.rows;
  const problems = body.end === undefined ? [unclosed(start, environment)] : problemsOf(s, rows, counts);
  const plain = meant || problems.every((problem) => problem.code !== 'malformed');
  if (problems.length > 0) return { problems, plain, ...nameAndRole(range, before.before).candidatePart };
  return yield* matrixOf(s, rows, range, { ...before, expression: before.expression ?? after.expression });
}

interface Counts {
  readonly cells: number;
  readonly numbers: number;
  /** Number of cells that contain anything else. */
  readonly odd: number;
  /** The first cell with dots that stand for omitted numbers. */
  readonly dots: Cell | undefined;
  /** Whether a cell has a decimal comma, as `0{,}5`. */
  readonly commas: boolean;
}

/** A `{,}` that separates no thousands: after a zero, or before other than three digits. `1{,}000` alone is a thousand. */
const decimalComma = /(?<!\d)0\s*\{,\}|\{,\}\s*(?!\d{3}(?!\d))\d/;

const withDecimalCommas = (s: Scanner, rows: Body['rows']): Body['rows'] =>
  rows.map((row) =>
    row.map((cell) => {
      const written = s.text.slice(cell.start, Math.min(cell.end, cell.start + longestCell));
      return written.includes('{,}') ? { ...cell, value: latexNumber(written.replaceAll('{,}', '.')) } : cell;
    }),
  );

function* countsOf(s: Scanner, rows: Body['rows']): Paced<Counts> {
  let [cells, numbers, odd]: [number, number, number] = [0, 0, 0];
  let dots: Cell | undefined;
  let commas = false;
  for (const row of rows) {
    cells += row.length;
    for (const cell of row) {
      commas ||= decimalComma.test(s.text.slice(cell.start, Math.min(cell.end, cell.start + longestCell)));
      if (cell.value !== undefined) numbers++;
      else if (dotsIn(s, cell)) dots ??= cell;
      else if (cell.end > cell.start) odd++;
    }
    s.steps += row.length;
    if (isDue(s)) yield;
  }
  return { cells, numbers, odd, dots, commas };
}

function* valuesOf(s: Scanner, rows: Body['rows']): Paced<Float64Array> {
  const columns = rows[0]?.length ?? 0;
  const values = new Float64Array(rows.length * columns);
  for (const [i, row] of rows.entries()) {
    row.forEach((cell, j) => (values[i * columns + j] = cell.value ?? NaN));
    s.steps += columns;
    if (isDue(s)) yield;
  }
  return values;
}

interface Named {
  readonly before: Before;
  readonly expression: TextRange | undefined;
}

function* matrixOf(s: Scanner, rows: Body['rows'], range: TextRange, { before, expression }: Named): Paced<Candidate> {
  const { matrixPart, candidatePart } = nameAndRole(range, before);
  const matrix = {
    shape: [rows.length, rows[0]?.length ?? 0],
    values: yield* valuesOf(s, rows),
    format: 'latex' as const,
    range,
    ...matrixPart,
    ...(expression ? { expression } : {}),
  };
  return { matrix, problems: [], plain: true, ...candidatePart };
}

/** Whether most cells are numbers: matrices of symbols and aligned equations are not read. */
function isMatrix({ end }: Body, { cells, numbers, odd }: Counts, meant: boolean): boolean {
  if (end === undefined) return meant && numbers > 1 && odd === 0;
  return numbers > 0 && (odd === 0 || 2 * numbers > cells);
}

/** Longest text between `\\left[` or `\\[` and the matrix: at most a name. */
const longestLead = 100;
const lead = /^\\(?:(?:left|[bB]igg?l?)\s*\\?[[({|.]|\[)/;

/** Offset of the environment after `\\left[` or `\\[ Q =` at the offset; else the offset itself. */
function openingAfter(s: Scanner, at: number): number {
  const text = s.text.slice(at, at + longestLead);
  s.steps += 8;
  if (!lead.test(text)) return at;
  s.steps += longestLead;
  const found = text.indexOf(opening, 1);
  return found > 0 && !/[\r\n]\s*[\r\n]|\\\]/.test(text.slice(0, found)) ? at + found : at;
}

interface Environment {
  readonly name: string;
  /** After its name and arguments. */
  readonly after: number;
}

const longestName = 16;

function environmentAt(s: Scanner, start: number): Environment | undefined {
  s.steps += opening.length;
  if (!s.text.startsWith(opening, start)) return undefined;
  const from = start + opening.length;
  const close = s.text.slice(from, from + longestName).indexOf('}');
  if (close < 0) return undefined;
  const name = s.text.slice(from, from + close);
  if (!environments.has(name)) return undefined;
  return { name, after: afterArguments(s, from + close + 1) };
}

const longestArgument = 100;

/** `[r]`, `{c|cc}`, `{@{}rr@{}}`, `{*{3}{c}}`; not the braces of a number. */
const argument = /^(?:\[[tblcrm\s]*\]|\{(?![-\d.]*\})(?:[tblcrm|@!*\s\d]|\{[^{}]*\})*\})/;

/** End of the arguments of an array. */
function afterArguments(s: Scanner, from: number): number {
  let at = from;
  for (let tries = 0; tries < 2; tries++) {
    while (isBlank(s.text.charCodeAt(at))) at++;
    const found = argument.exec(s.text.slice(at, at + longestArgument));
    if (!found) return at;
    at += found[0].length;
  }
  return at;
}

/** Reads cells up to the end of the environment; another environment, a blank line or a dollar stops it. */
function* readBody(s: Scanner, { after: from, name }: Environment, doubled: boolean): Paced<Body> {
  const { text } = s;
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let [at, cell] = [from, from];
  const endCell = (): void => {
    row.push(cellBetween(s, cell, at));
  };
  const endRow = (): void => {
    endCell();
    if (row.length > 1 || row.some((c) => c.end > c.start)) rows.push(row);
    row = [];
  };
  while (at < s.end) {
    const c = text.charCodeAt(at);
    if (c === 38) {
      endCell();
      cell = ++at;
      if (isDue(s)) yield;
    } else if (
      c === code.backslash &&
      text.startsWith(closing, at + (text.charCodeAt(at + 1) === code.backslash ? 1 : 0))
    ) {
      endRow();
      return finish(s, { rows, at, name });
    } else if (
      c === code.backslash &&
      text.charCodeAt(at + 1) === code.backslash &&
      !(doubled && isLetter(text.charCodeAt(at + 2)))
    ) {
      endRow();
      at = afterRow(s, at);
      cell = at;
    } else if (c === code.backslash && text.startsWith(opening, at)) break;
    else if (c === 37) {
      // Skip a comment; the cell before it is complete.
      while (at < s.end && text.charCodeAt(at) !== code.newline) at++;
    } else if (c === 36) break;
    else at += c === code.backslash ? 2 : 1;
  }
  return { rows, end: undefined, stopped: Math.min(at, s.end) };
}

/** Whether commands have two backslashes, as in strings of other languages (`"\\frac{1}{2}"`). */
const isDoubled = (text: string, start: number): boolean => start > 0 && text.charCodeAt(start - 1) === code.backslash;

function finish(s: Scanner, { rows, at, name }: { rows: Cell[][]; at: number; name: string }): Body {
  const start = s.text.indexOf('{', at) + 1;
  const closed = s.text.startsWith(`${name}}`, start);
  return { rows, end: closed ? start + name.length + 1 : undefined, stopped: at };
}

/** End of `\\`, `\\\\` in a string, `\\[2pt]`, `\\*`, and rules. */
function afterRow(s: Scanner, from: number): number {
  let at = from;
  while (s.text.charCodeAt(at) === code.backslash && s.text.charCodeAt(at + 1) === code.backslash) at += 2;
  if (s.text.charCodeAt(at) === code.star) at++;
  const space = /^\[[-\d.]+\s*[a-z]+\]/.exec(s.text.slice(at, at + 20));
  if (space) at += space[0].length;
  return at;
}

const longestCell = 400;

function cellBetween(s: Scanner, from: number, to: number): Cell {
  let [start, end] = [from, to];
  const { text } = s;
  const trim = (): void => {
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  };
  trim();
  const rule = /^(?:\\hline|\\(?:top|mid|bottom)rule|\\cline\{[-\d]*\}|\s)+/.exec(
    text.slice(start, Math.min(end, start + longestCell)),
  );
  if (rule) start += rule[0].length;
  trim();
  s.steps += 2 * (to - from);
  return { start, end, value: end - start > longestCell ? undefined : latexNumber(text.slice(start, end)) };
}

const dotsIn = (s: Scanner, { start, end }: TextRange): boolean =>
  /^(?:\\(?:[cvdl]?dots|iddots|dotsc|dotsb|ldots)|\.\.\.|…)$/.test(s.text.slice(start, Math.min(end, start + 20)));

const mostProblems = 20;

function problemsOf(s: Scanner, rows: Body['rows'], { dots }: Counts): Problem[] {
  if (dots) return [elided(s, dots)];
  const expected = rows[0]?.length ?? 0;
  const problems: Problem[] = [];
  for (const [i, row] of rows.entries()) {
    const bad = row.find((cell) => cell.value === undefined);
    if (bad) problems.push(badCell(s, bad, i));
    else if (row.length !== expected) problems.push(ragged(row, i, expected));
    if (problems.length >= mostProblems) break;
  }
  return problems;
}

const elided = (s: Scanner, { start, end }: TextRange): Problem => ({
  code: 'elided',
  message: t('{0} stands for numbers that are not written', s.text.slice(start, end)),
  hint: t('Write out the whole matrix.'),
  range: { start, end },
});

function badCell(s: Scanner, { start, end }: TextRange, row: number): Problem {
  const range = { start, end };
  if (start === end)
    return {
      code: 'missing-number',
      message: t('row {0} has an empty cell', row + 1),
      hint: t('Write its number.'),
      range,
    };
  const written = shortened(s.text.slice(start, Math.min(end, start + longestCell)).replace(/\s+/g, ' '));
  return {
    code: 'malformed',
    message: t('{0} is not a number', written),
    hint: t('Write a number in each cell.'),
    range,
  };
}

function ragged(row: readonly Cell[], i: number, expected: number): Problem {
  const have = row.length;
  return {
    code: 'ragged',
    message: t('row {0} has {1}, expected {2}', i + 1, counted(have, 'number'), expected),
    hint: t('Give each row {0}.', counted(expected, 'number')),
    range: { start: row[0]?.start ?? 0, end: row.at(-1)?.end ?? 0 },
  };
}

const unclosed = (start: number, { name }: Environment): Problem => ({
  code: 'unbalanced',
  message: t('\\begin{{0}} is never closed', name),
  hint: t('Add \\end{{0}}.', name),
  range: { start, end: start + opening.length + name.length + 1 },
});

/** Start of the last environment that begins before the offset, or on the rest of its line, as the cursor may be on the name. */
function* startBefore(s: Scanner, at: number, { floor }: ReadContext): Paced<number | undefined> {
  const limit = Math.min(s.end, at + longestCell);
  const line = s.text.slice(at, limit).search(/[\r\n]|$/);
  const next = s.text.slice(at, at + line).indexOf(opening);
  s.steps += limit - at;
  for (const from of next >= 0 && next < 80 ? [at, at + next] : [at]) {
    const start = s.text.lastIndexOf(opening, from);
    if (start < floor) continue;
    yield;
    s.steps += from - start;
    s.at = start;
    const found = yield* read(s, { first: false, floor, rows: Infinity });
    if (found && found.whole.start <= at && at <= found.whole.end) return start;
  }
  return undefined;
}
