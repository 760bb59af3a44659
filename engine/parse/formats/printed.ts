import type { Candidate } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import { roleOf } from '../roles';
import { t, type Paced, type Problem } from '../../text';
import { sizeOf } from '../../math';
import { factorNote } from '../scale-factor';
import { code, endOfLineAbove, isDue, startOfLine, type Scanner } from '../scanner';
import { lineReader, type RefuseUntil } from './line-reader';
import type { ReadContext, FormatReader } from './format-reader';
import { beginsNumber, isBlankLine, lineAfter, lineAt, splitBlanks, wordsOf, type Cell, type Line } from './lines';
import { emptyPage, layoutOf, nextTextLine, unevenPage, type PageLayout } from './pages';
import { markOf, type FactorMark, type Mark, type PageHeading } from './printed-marks';
import { raggedProblem, readGridPaced, statedSizeProblem, type Grid, type GridRow } from './grid';

/**
 * Matrices as programs print them without brackets around rows, recognized by a line above or below: Octave's and MATLAB's `A =` (pages
 * `ans(:,:,1) =`, `Columns 1 through 8`, a common factor `1.0e+03 *`), Julia's `2×2 Matrix{Float64}:`, PyTorch's C++ printer and first
 * versions (`[ CPUFloatType{2,2} ]`, `(1,.,.) =`, `Columns 1 to 8`), R's vectors (`[1] 1 2 3`).
 */
export const printed: FormatReader = lineReader('printed', read);

/** A row that grows when further columns are printed below. */
interface OpenRow extends GridRow {
  readonly cells: Cell[];
  end: number;
}

/** Rows below the line of a page, or all rows where there is none. Columns that are printed further down are appended to them. */
interface Page {
  readonly mark?: PageHeading;
  readonly rows: OpenRow[];
}

interface Reading {
  readonly pages: Page[];
  readonly marks: Mark[];
  /** Index of the row that the next line of a further block of columns continues. */
  row: number;
  /** The number of the last column of the block, where the line above it states it. */
  lastColumn: number | undefined;
  /** The first row with another number of columns than is stated. */
  short: Problem | undefined;
  /** What the numbers that follow are multiplied by. */
  factor: FactorMark | undefined;
  /** The factors of the rows, `''` for none. */
  readonly factors: Set<string>;
  last: Line | undefined;
}

function* read(s: Scanner, c: ReadContext, refuse: RefuseUntil): Paced<Candidate | undefined> {
  const first = lineAt(s, s.at);
  const written = wordsOf(s, first, 300);
  if (written === '') return undefined;
  const vector = written.startsWith('[1] ') ? yield* readVector(s, first, c) : undefined;
  if (vector) return vector;
  const numbers = beginsNumber(s, first);
  if (!numbers && !markOf(s, first, written)) return undefined;
  const reading = yield* readAll(s, first);
  const { last, marks } = reading;
  if (!last) return undefined;
  const candidate = marks.length > 0 ? yield* candidateFrom(s, reading, first, c) : undefined;
  return candidate ?? refuse(last.end);
}

function* readAll(s: Scanner, first: Line): Paced<Reading> {
  const r: Reading = { pages: [], marks: [], row: 0, lastColumn: undefined, short: undefined, factor: undefined, factors: new Set(), last: undefined }; // prettier-ignore
  let line: Line | undefined = first;
  let open = false;
  while (line) {
    if (isDue(s)) yield;
    const mark = markOf(s, line, wordsOf(s, line, 300));
    if (mark ? !takeMark(s, r, mark) : !takeRow(s, r, line)) break;
    open = !mark || (mark.kind === 'columns' && r.row > 0);
    r.last = line;
    if (mark?.kind === 'footer') break;
    const below = lineAfter(s, line);
    // A blank line ends the matrix, unless a mark after it continues the matrix.
    if (!below || !isBlankLine(s, below)) line = below;
    else {
      const next = nextTextLine(s, below);
      line = next && (!open || markOf(s, next, wordsOf(s, next, 300))) ? next : undefined;
    }
  }
  endColumns(r);
  return r;
}

const hasRows = (r: Reading): boolean => r.pages.some((page) => page.rows.length > 0);

/** Applies a mark; false if it cannot be at this position. */
function takeMark(s: Scanner, r: Reading, mark: Mark): boolean {
  if (mark.kind === 'page') return takePage(r, mark);
  if (mark.kind === 'columns') return takeColumns(s, r, mark);
  // PyTorch and MATLAB print a factor for each page, PyTorch for each block of columns too.
  if (mark.kind === 'factor' && r.row === 0) r.factor = mark;
  else if (mark.kind !== 'footer' && hasRows(r)) return false;
  r.marks.push(mark);
  return true;
}

function takePage(r: Reading, mark: PageHeading): boolean {
  const first = r.pages[0]?.mark;
  if (first ? first.name !== mark.name || first.leading !== mark.leading : hasRows(r)) return false;
  endColumns(r);
  r.pages.push({ mark, rows: [] });
  r.marks.push(mark);
  r.factor = undefined;
  r.lastColumn = undefined;
  r.row = 0;
  return true;
}

/** `Columns 1 to 8 0.1 0.2 …`: PyTorch's C++ printer goes on with the numbers, or their factor, on the same line. */
function takeColumns(s: Scanner, r: Reading, mark: Mark & { kind: 'columns' }): boolean {
  endColumns(r);
  r.row = 0;
  r.lastColumn = mark.last;
  r.marks.push(mark);
  const line = { ...lineAt(s, mark.after), start: mark.after };
  if (isBlankLine(s, line)) return true;
  const beside = markOf(s, line, wordsOf(s, line, 300));
  return beside ? beside.kind === 'factor' && takeMark(s, r, beside) : takeRow(s, r, line);
}

/** Compares the columns that were read with the last one that the line above them states. */
function endColumns(r: Reading): void {
  const page = r.pages.at(-1);
  const at = page?.rows.findIndex((row) => row.cells.length !== r.lastColumn) ?? -1;
  const row = page?.rows[at];
  if (row && r.lastColumn !== undefined) r.short ??= raggedProblem(row, at, r.lastColumn);
}

function takeRow(s: Scanner, r: Reading, line: Line): boolean {
  if (!beginsNumber(s, line) && !beginsWord(s, line)) return false;
  const { factor } = r;
  const written = splitBlanks(s, line.start, line.end);
  const [first] = written;
  const last = written.at(-1);
  if (!first || !last || !isRow(s, written)) return false;
  const cells = factor ? written.map((cell) => times(s, cell, factor)) : written;
  r.factors.add(factor?.written ?? '');
  const page = r.pages.at(-1)?.rows ?? newPage(r);
  const above = r.lastColumn === undefined ? undefined : page[r.row];
  if (above) {
    for (const cell of cells) above.cells.push(cell);
    above.end = last.end;
  } else page.push({ cells, start: first.start, end: last.end });
  r.row++;
  return true;
}

function newPage(r: Reading): OpenRow[] {
  const rows: OpenRow[] = [];
  r.pages.push({ rows });
  return rows;
}

/** Whether a line begins with `Inf`, `NaN`, `NA`, `-Inf`, a truth value, or Julia's dots. */
const beginsWord = (s: Scanner, { start, end }: Line): boolean =>
  /^\s*(?:-?Inf|NaN|NA|[…⋮]|true|false)(?:\s|$)/.test(s.text.slice(start, Math.min(end, start + 200)));

/** Whether cells are only numbers and dots; complex numbers too, so that they can be reported. */
function isRow(s: Scanner, cells: readonly Cell[]): boolean {
  const odd = cells.filter((cell) => cell.kind === 'text');
  return odd.every(
    ({ start, end }) => end - start < 40 && /^(?:[-+]|[-+\d.e]+(?:im?|j))$/.test(s.text.slice(start, end)),
  );
}

function* candidateFrom(s: Scanner, r: Reading, first: Line, c: ReadContext): Paced<Candidate | undefined> {
  if (!r.last || !hasRows(r)) return undefined;
  const julia = r.marks.find((mark) => mark.kind === 'julia');
  const stated = julia ?? r.marks.find((mark) => mark.kind === 'footer');
  const { layout, fault } = pagesOf(r);
  const rows = (layout?.order ?? r.pages.map((_, page) => page)).flatMap((page) => r.pages[page]?.rows ?? []);
  const named = nameOf(r.marks);
  if (rows.length === 1 && rows[0]?.cells.length === 1) return undefined;
  const flat = stated?.sizes.length === 1 && rows.every((row) => row.cells.length === 1);
  const sizes = [rows.length / sizeOf(layout?.shape ?? []), rows[0]?.cells.length ?? 0];
  const shape = julia ? [...sizes, ...(layout?.shape.toReversed() ?? [])] : [...(layout?.shape ?? []), ...sizes];
  const wrong = fault ?? (stated && statedSizeProblem(stated, flat ? [rows.length] : shape));
  const grid: Grid = {
    rows: flat ? [flattened(rows)] : rows,
    range: { start: startOf(s, first, named), end: lastInk(s, r.last) },
    format: julia ? 'julia' : stated ? 'torch' : 'matlab',
    isCertain: true,
    ...(layout ? { pages: layout.shape } : {}),
    ...(flat ? { flat } : {}),
    ...(stated?.dtype ? { dtype: stated.dtype } : {}),
    ...(named ? { before: named } : julia ? { before: promptBefore(s, first) } : {}),
    ...(wrong ? { fault: wrong } : {}),
    notes: factorNotes(r.factors),
  };
  return yield* readGridPaced(s, grid, c);
}

/** The leading dimensions of pages, or what is wrong with them. */
function pagesOf({ pages, short }: Reading): { layout?: PageLayout; fault?: Problem } {
  const [first] = pages;
  for (const { mark, rows } of pages) {
    if (mark && rows.length === 0) return { fault: emptyPage(mark) };
    const [expected, found] = [first?.rows ?? [], rows].map((list) => [list.length, list[0]?.cells.length ?? 0]);
    if (mark && expected && found && String(expected) !== String(found))
      return { fault: unevenPage(mark, found, expected) };
  }
  if (short) return { fault: short };
  const marks = pages.flatMap(({ mark }) => mark ?? []);
  return layoutOf(marks, { leading: first?.mark?.leading === true }) ?? {};
}

/** Applies the common factor by shifting decimal exponents: `0.0003` times `1.0e+04` is 3, not 2.9999999999999996. */
function times(s: Scanner, cell: Cell, { factor, power }: FactorMark): Cell {
  if (cell.kind !== 'number') return cell;
  const digits = s.text.slice(cell.start, cell.end);
  const plain = power !== undefined && /^[-+]?[\d.]{1,40}$/.test(digits);
  return { ...cell, value: plain ? Number(`${digits}e${power}`) : cell.value * factor };
}

function factorNotes(factors: ReadonlySet<string>): string[] {
  const [only = ''] = factors;
  if (factors.size > 1) return [t('Each number as printed times the factor that stands above its page.')];
  return only === '' ? [] : [factorNote(only)];
}

function flattened(rows: readonly GridRow[]): GridRow {
  const cells = rows.flatMap((row) => row.cells);
  return { cells, start: rows[0]?.start ?? 0, end: rows.at(-1)?.end ?? 0 };
}

/** The name before `=` in the first mark; `ans` only if there is no other. */
function nameOf(marks: readonly Mark[]): Before | undefined {
  const mark = marks.find((m) => m.kind === 'name' || (m.kind === 'page' && m.name !== undefined));
  if (!mark || (mark.kind !== 'name' && mark.kind !== 'page') || mark.name === undefined) return undefined;
  const start = mark.kind === 'name' ? mark.start : mark.range.start;
  const range = { start, end: start + mark.name.length };
  return { how: 'heading', name: mark.name, range, startsStatement: true, ...roleOf(mark.name) };
}

/** Start of the literal: the first character after its name. */
function startOf(s: Scanner, first: Line, named: Before | undefined): number {
  const from = named?.range ? named.range.end : first.start;
  let at = from;
  while (at < s.end && ' \t\r\n'.includes(s.text.charAt(at))) at++;
  s.steps += at - from;
  return at;
}

/** The name in `julia> Q` on the line above. */
function promptBefore(s: Scanner, line: Line): Before {
  const end = endOfLineAbove(s.text, line.start);
  const above = startOfLine(s.text, end, Math.max(0, end - 200));
  const match = /^julia> (\w+)(?: = .*)?\s*$/.exec(s.text.slice(above, end));
  if (!match?.[1]) return nameBefore(s.text, line.start);
  const start = above + 'julia> '.length;
  return {
    how: 'heading',
    name: match[1],
    range: { start, end: start + match[1].length },
    startsStatement: true,
    ...roleOf(match[1]),
  };
}

function lastInk(s: Scanner, { start, end }: Line): number {
  let at = end;
  while (at > start && (s.text.charCodeAt(at - 1) === code.space || s.text.charCodeAt(at - 1) === code.tab)) at--;
  return at;
}

/** Reads R's ` [1]  0.5  1.5⏎ [3]  2.5`, where each line begins with the index of its first number. */
function* readVector(s: Scanner, first: Line, c: ReadContext): Paced<Candidate | undefined> {
  const cells: Cell[] = [];
  let last: Line | undefined;
  for (let line: Line | undefined = first; line; line = lineAfter(s, line)) {
    const [place, ...numbers] = splitBlanks(s, line.start, line.end);
    if (!place || s.text.slice(place.start, place.end) !== `[${cells.length + 1}]`) break;
    // A word in a later line is a fault: a vector of strings has them from the first on.
    if (numbers.length === 0 || (!last && numbers.some((cell) => cell.kind !== 'number'))) break;
    cells.push(...numbers);
    last = line;
    if (isDue(s)) yield;
  }
  const [head] = cells;
  const tail = cells.at(-1);
  if (!last || !head || !tail || cells.length < 2) return undefined;
  const range = { start: startOf(s, first, undefined), end: tail.end };
  return yield* readGridPaced(
    s,
    { rows: [{ cells, start: head.start, end: tail.end }], range, format: 'r', flat: true, isCertain: true },
    c,
  );
}
