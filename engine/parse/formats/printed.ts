import type { Candidate } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import { roleOf } from '../roles';
import type { Paced } from '../../text';
import { factorNote, powerOf } from '../scale-factor';
import { code, isDue, startOfLine, type Scanner } from '../scanner';
import { lineReader, type RefuseUntil } from './line-reader';
import type { ReadContext, FormatReader } from './format-reader';
import { beginsNumber, isBlankLine, lineAfter, lineAt, splitBlanks, wordsOf, type Cell, type Line } from './lines';
import { boxOf, nextTextLine } from './pages';
import { readGridPaced, type Grid, type GridRow } from './grid';

/**
 * Matrices as programs print them without brackets around rows, recognized by a line above or below: Octave's and MATLAB's `A =` (pages
 * `ans(:,:,1) =`, `Columns 1 through 8`, a common factor `1.0e+03 *`), Julia's `2×2 Matrix{Float64}:`, PyTorch's C++ printer and first
 * versions (`[ CPUFloatType{2,2} ]`, `(1,.,.) =`, `Columns 1 to 8`), R's vectors (`[1] 1 2 3`).
 */
export const printed: FormatReader = lineReader('printed', read);

/** The meaning of a line that describes the rows below it. */
type Mark =
  | { readonly kind: 'name'; readonly name: string; readonly start: number }
  | { readonly kind: 'page'; readonly index: readonly string[]; readonly name?: string; readonly start: number }
  | { readonly kind: 'columns'; readonly after: number }
  | { readonly kind: 'factor'; readonly factor: number; readonly power: number | undefined; readonly written: string }
  | { readonly kind: 'julia'; readonly flat: boolean; readonly dtype: string }
  | { readonly kind: 'footer'; readonly dtype: string }
  | { readonly kind: 'kind' };

/** A row that grows when further columns are printed below. */
interface OpenRow extends GridRow {
  readonly cells: Cell[];
  end: number;
}

interface Reading {
  /** Rows by page; columns printed further down are appended to them. */
  readonly pages: OpenRow[][];
  readonly indices: (readonly string[])[];
  readonly marks: Mark[];
  /** Index of the row that the next line of a further block of columns continues. */
  row: number;
  /** The mark of the first page. */
  page: Mark | undefined;
  /** Whether columns were printed in blocks. */
  columns: boolean;
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

const patterns: readonly (readonly [RegExp, (m: RegExpExecArray, line: Line, indent: number) => Mark])[] = [
  [/^([A-Za-z_]\w*) =$/, (m, line, indent) => ({ kind: 'name', name: m[1] ?? '', start: line.start + indent })],
  [
    /^([A-Za-z_]\w*)\(:,:,(\d+(?:,\d+)*)\) =$/,
    (m, line, indent) => ({
      kind: 'page',
      name: m[1] ?? '',
      index: (m[2] ?? '').split(','),
      start: line.start + indent,
    }),
  ],
  [/^\((\d+(?:,\d+)*),\.,\.\) =$/, (m, line) => ({ kind: 'page', index: (m[1] ?? '').split(','), start: line.start })],
  [
    /^\[:, :, (\d+(?:, \d+)*)\] =$/,
    (m, line) => ({ kind: 'page', index: (m[1] ?? '').split(', '), start: line.start }),
  ],
  [
    /^Columns? \d+(?: (?:through|to|and) \d+)?:?/,
    (m, line, indent) => ({ kind: 'columns', after: line.start + indent + m[0].length }),
  ],
  [
    /^([-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?) +\*$/,
    (m) => ({ kind: 'factor', factor: Number(m[1]), power: powerOf(m[1] ?? ''), written: m[1] ?? '' }),
  ],
  [
    /^\d+(?:×\d+)+ .*(?:Matrix|Array)\{(\w+)[,}].*:$/,
    (m) => ({ kind: 'julia', flat: false, dtype: (m[1] ?? '').toLowerCase() }),
  ],
  [
    /^\d+-element .*(?:Vector|Array)\{(\w+)[,}].*:$/,
    (m) => ({ kind: 'julia', flat: true, dtype: (m[1] ?? '').toLowerCase() }),
  ],
  [
    /^\[ ?(?:torch\.)?(?:CPU|CUDA|XPU|MPS)?(\w+?)(?:Type|Tensor)(?: of size \d+(?:x\d+)*.*|\{\d+(?:,\d+)*\}) ?\]$/,
    (m) => ({ kind: 'footer', dtype: torchTypes.get(m[1] ?? '') ?? '' }),
  ],
  [/^(?:Diagonal|Permutation) Matrix$/, () => ({ kind: 'kind' })],
];

const torchTypes = new Map([
  ['Float', 'float32'],
  ['Double', 'float64'],
  ['Half', 'float16'],
  ['Long', 'int64'],
  ['Int', 'int32'],
]);

function markOf(s: Scanner, line: Line, written: string): Mark | undefined {
  if (!/[=:*\]x]$/.test(written) && !written.startsWith('Column')) return undefined;
  const indent = s.text.slice(line.start, line.end).indexOf(written.charAt(0));
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(written);
    if (match) return make(match, line, indent);
  }
  return undefined;
}

function* readAll(s: Scanner, first: Line): Paced<Reading> {
  const r: Reading = { pages: [], indices: [], marks: [], row: 0, page: undefined, columns: false, last: undefined };
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
  return r;
}

const hasRows = (r: Reading): boolean => r.pages.some((page) => page.length > 0);

/** Applies a mark; false if it cannot be at this position. */
function takeMark(s: Scanner, r: Reading, mark: Mark): boolean {
  const hasNumbers = hasRows(r);
  if (mark.kind === 'page') {
    const earlier = r.page;
    if ((hasNumbers && !earlier) || (earlier && earlier.kind === 'page' && earlier.name !== mark.name)) return false;
    r.page ??= mark;
    r.indices.push(mark.index);
    r.pages.push([]);
    r.row = 0;
  } else if (mark.kind === 'columns') {
    r.row = 0;
    r.columns = true;
    r.marks.push(mark);
    return takeColumns(s, r, mark.after);
  } else if (mark.kind !== 'footer' && hasNumbers) return false;
  r.marks.push(mark);
  return true;
}

/** `Columns 1 to 8 0.1 0.2 …`: PyTorch's C++ printer goes on with the numbers on the same line. */
function takeColumns(s: Scanner, r: Reading, after: number): boolean {
  const line = { ...lineAt(s, after), start: after };
  return isBlankLine(s, line) || takeRow(s, r, line);
}

function takeRow(s: Scanner, r: Reading, line: Line): boolean {
  if (!beginsNumber(s, line) && !beginsWord(s, line)) return false;
  const cells = splitBlanks(s, line.start, line.end);
  const [first] = cells;
  const last = cells.at(-1);
  if (!first || !last || !isRow(s, cells)) return false;
  const page = r.pages.at(-1) ?? newPage(r);
  const above = r.columns ? page[r.row] : undefined;
  if (above) {
    for (const cell of cells) above.cells.push(cell);
    above.end = last.end;
  } else page.push({ cells, start: first.start, end: last.end });
  r.row++;
  return true;
}

function newPage(r: Reading): OpenRow[] {
  const page: OpenRow[] = [];
  r.pages.push(page);
  return page;
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
  const footer = r.marks.find((mark) => mark.kind === 'footer');
  const factor = r.marks.find((mark) => mark.kind === 'factor');
  const shape = r.indices.length > 0 ? boxOf(r.indices) : [];
  const rows = factor?.kind === 'factor' ? r.pages.flat().map((row) => times(s, row, factor)) : r.pages.flat();
  const named = nameOf(r.marks);
  if (!shape || (rows.length === 1 && rows[0]?.cells.length === 1)) return undefined;
  const even = r.pages.every((page) => page.length === r.pages[0]?.length);
  const dtype = julia?.kind === 'julia' ? julia.dtype : footer?.kind === 'footer' ? footer.dtype : '';
  const grid: Grid = {
    rows: julia?.kind === 'julia' && julia.flat ? [flattened(rows)] : rows,
    range: { start: startOf(s, first, named), end: lastInk(s, r.last) },
    format: julia ? 'julia' : footer ? 'torch' : 'matlab',
    isCertain: true,
    ...(shape.length > 0 && even ? { pages: shape } : {}),
    ...(julia?.kind === 'julia' && julia.flat ? { flat: true } : {}),
    ...(dtype === '' ? {} : { dtype }),
    ...(named ? { before: named } : julia ? { before: promptBefore(s, first) } : {}),
    ...(factor?.kind === 'factor' ? { notes: [factorNote(factor.written)] } : {}),
  };
  return yield* readGridPaced(s, grid, c);
}

/** Applies the common factor by shifting decimal exponents: `0.0003` times `1.0e+04` is 3, not 2.9999999999999996. */
function times(s: Scanner, row: GridRow, { factor, power }: { factor: number; power: number | undefined }): GridRow {
  const cells = row.cells.map((cell) => {
    if (cell.kind !== 'number') return cell;
    const digits = s.text.slice(cell.start, cell.end);
    const plain = power !== undefined && /^[-+]?[\d.]{1,40}$/.test(digits);
    return { ...cell, value: plain ? Number(`${digits}e${power}`) : cell.value * factor };
  });
  return { ...row, cells };
}

function flattened(rows: readonly GridRow[]): GridRow {
  const cells = rows.flatMap((row) => row.cells);
  return { cells, start: rows[0]?.start ?? 0, end: rows.at(-1)?.end ?? 0 };
}

/** The name before `=` in the first mark; `ans` only if there is no other. */
function nameOf(marks: readonly Mark[]): Before | undefined {
  const mark = marks.find((m) => m.kind === 'name' || (m.kind === 'page' && m.name !== undefined));
  if (!mark || (mark.kind !== 'name' && mark.kind !== 'page') || mark.name === undefined) return undefined;
  const range = { start: mark.start, end: mark.start + mark.name.length };
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
  const end = Math.max(0, line.start - 1);
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
