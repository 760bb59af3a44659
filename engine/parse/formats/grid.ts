import { formatShape } from '../../math';
import { t, counted, type Problem, type TextRange, type Paced } from '../../text';
import { nameAndRole } from '../name-and-role';
import type { Candidate, MatrixFormat } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import { isSpace, type Scanner } from '../scanner';
import type { ReadContext } from './format-reader';
import { textOf, type Cell } from './lines';

/** One row of a table: its label, if any, and the other cells. */
export interface GridRow {
  readonly label?: string;
  readonly cells: readonly Cell[];
  readonly start: number;
  readonly end: number;
}

/** A size that a program prints beside the numbers, and where. */
export interface StatedSize {
  readonly sizes: readonly number[];
  readonly range: TextRange;
}

/** A table in the text. */
export interface Grid {
  readonly rows: readonly GridRow[];
  readonly columnLabels?: readonly string[];
  /** Range of the table with header and footer. */
  readonly range: TextRange;
  readonly format: MatrixFormat;
  /** Leading dimensions, if the rows belong to several pages. */
  readonly pages?: readonly number[];
  readonly dtype?: string;
  readonly notes?: readonly string[];
  /** A name found by the reader; otherwise it is searched for before the range. */
  readonly before?: Before;
  /** Whether only programs that print matrices write this format, so that even `1×1` is a matrix. */
  readonly isCertain?: boolean;
  /** Whether its only row is a flat list. */
  readonly flat?: boolean;
  /** What its reader finds wrong with it as a whole, said where its rows have no problem. */
  readonly fault?: Problem;
}

/**
 * Makes a candidate of a table: a matrix, or Problems with ranges; undefined if it is not clearly numeric. Among other text, a table without
 * a name that has a role needs two rows and two columns. Leaves the cursor after the table.
 */
export function* readGridPaced(s: Scanner, grid: Grid, { first }: ReadContext): Paced<Candidate | undefined> {
  const before = grid.before ?? nameBefore(s.text, grid.range.start);
  const alone = first && isRestBlank(s, grid.range.end);
  const meant = alone || grid.isCertain === true || before.role !== undefined;
  const problems = yield* problemsOf(s, grid);
  const columns = Math.max(0, ...grid.rows.slice(0, 2).map((row) => row.cells.length));
  const numbers = countOf(grid, 'number');
  if (!(meant ? numbers >= 1 && (alone ? numbers + problems.length > 1 : true) : grid.rows.length > 1 && columns > 1))
    return undefined;
  const { matrixPart, candidatePart } = nameAndRole(grid.range, before);
  s.at = grid.range.end;
  if (problems.length > 0) {
    if (!grid.isCertain && !isAttempt(grid, meant)) return undefined;
    const plain = meant || problems.some((problem) => problem.code === 'elided');
    return { problems, plain, ...candidatePart };
  }
  return {
    matrix: { ...(yield* matrixOf(grid, columns)), ...matrixPart },
    problems: [],
    plain: true,
    ...candidatePart,
  };
}

function* matrixOf(grid: Grid, columns: number): Paced<NonNullable<Candidate['matrix']>> {
  const { rows, pages = [] } = grid;
  const values = yield* valuesOf(rows);
  const count = pages.reduce((a, b) => a * b, 1);
  const labels = rows.slice(0, rows.length / count).map((row) => row.label ?? '');
  return {
    shape: grid.flat ? [columns] : [...pages, rows.length / count, columns],
    values,
    format: grid.format,
    range: grid.range,
    ...(labels.some((label) => label !== '') ? { rowLabels: labels } : {}),
    ...(grid.columnLabels ? { columnLabels: grid.columnLabels } : {}),
    ...(grid.dtype === undefined ? {} : { dtype: grid.dtype }),
    ...(grid.notes && grid.notes.length > 0 ? { notes: grid.notes } : {}),
  };
}

/** Rows between two yields. */
const rowsAtOnce = 256;

function* valuesOf(rows: readonly GridRow[]): Paced<Float64Array> {
  const values = new Float64Array(rows.reduce((n, row) => n + row.cells.length, 0));
  let at = 0;
  for (const [i, row] of rows.entries()) {
    for (const cell of row.cells) values[at++] = cell.value;
    if (i % rowsAtOnce === 0) yield;
  }
  return values;
}

/** The problem of a table whose program states another size beside it. */
export const statedSizeProblem = ({ sizes, range }: StatedSize, found: readonly number[]): Problem | undefined =>
  sizes.join() === found.join()
    ? undefined
    : {
        code: 'shape-mismatch',
        message: t('{0} is stated, {1} stands there', formatShape(sizes), formatShape(found)),
        hint: t('Copy all rows and columns, or leave out the line that states the size.'),
        range,
      };

function countOf(grid: Grid, kind: Cell['kind']): number {
  return grid.rows.reduce((n, row) => n + row.cells.reduce((m, cell) => m + (cell.kind === kind ? 1 : 0), 0), 0);
}

/** Whether a faulty table was meant as numbers. One with words inside was not, unless its name has a role. */
function isAttempt(grid: Grid, meant: boolean): boolean {
  const numbers = countOf(grid, 'number');
  const text = countOf(grid, 'text');
  if (meant) return numbers >= text && numbers > 0;
  return text === 0 && numbers >= 4 && numbers >= 3 * countOf(grid, 'empty');
}

/** At most this many Problems are reported. */
const mostProblems = 20;

function* problemsOf(s: Scanner, grid: Grid): Paced<Problem[]> {
  const problems: Problem[] = [];
  const expected = commonLength(grid);
  for (const [i, row] of grid.rows.entries()) {
    if (i % rowsAtOnce === 0) yield;
    const elided = row.cells.find((cell) => cell.kind === 'elided');
    if (elided) return [elidedProblem(s, elided)];
  }
  for (const [i, row] of grid.rows.entries()) {
    if (i % rowsAtOnce === 0) yield;
    if (problems.length >= mostProblems) break;
    const bad = row.cells.find((cell) => isComplex(s, cell)) ?? row.cells.find((cell) => cell.kind !== 'number');
    if (bad) problems.push(cellProblem(s, bad, i, row));
    else if (row.cells.length !== expected) problems.push(raggedProblem(row, i, expected));
  }
  return problems.length === 0 && grid.fault ? [grid.fault] : problems;
}

/** The length of the header, or of the first row. */
const commonLength = (grid: Grid): number => grid.columnLabels?.length ?? grid.rows[0]?.cells.length ?? 0;

const elidedProblem = (s: Scanner, { start, end }: TextRange): Problem => ({
  code: 'elided',
  message: t('{0} stands for numbers that were not printed', s.text.slice(start, end)),
  hint: t('Print the whole matrix (NumPy: np.set_printoptions(threshold=sys.maxsize), pandas: df.to_string()).'),
  range: { start, end },
});

function cellProblem(s: Scanner, cell: Cell, row: number, { start, end }: TextRange): Problem {
  if (cell.kind === 'empty') {
    const place = cell.start < end ? { start: cell.start, end: cell.start } : { start, end };
    return {
      code: 'missing-number',
      message: t('row {0} has an empty cell', row + 1),
      hint: t('Write its number, or nan.'),
      range: place,
    };
  }
  const written = shortened(textOf(s, cell));
  const range = { start: cell.start, end: cell.end };
  if (isComplex(s, cell))
    return {
      code: 'complex',
      message: t('{0} is a complex number', written),
      hint: t('Attention is over real numbers.'),
      range,
    };
  const thousands = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(written);
  return {
    code: 'malformed',
    message: thousands ? t('{0} may be a thousand or a fraction', written) : t('{0} is not a number', written),
    hint: thousands ? t('Write it without the comma, or with a point.') : t('Write a number, or leave the column out.'),
    range,
  };
}

const isComplex = (s: Scanner, cell: Cell): boolean =>
  cell.kind === 'text' && /^\(?[-+]?\d[-+\d.e]*(?:im?|j)\)?$/.test(shortened(textOf(s, cell)));

export const shortened = (written: string): string => (written.length > 40 ? `${written.slice(0, 39)}…` : written);

export function raggedProblem({ cells, start, end }: GridRow, at: number, expected: number): Problem {
  const have = cells.length;
  return {
    code: 'ragged',
    message: t('row {0} has {1}, expected {2}', at + 1, counted(have, 'number'), expected),
    hint: t('Give each row {0}.', counted(expected, 'number')),
    range: { start, end },
  };
}

export function isRestBlank(s: Scanner, from: number): boolean {
  let at = from;
  while (isSpace(s.text.charCodeAt(at))) at++;
  s.steps += at - from;
  return at >= s.end && s.follows < 0;
}

/** Whether a text cell can be a label, not a mistyped number such as `1,234` or `12%`. */
export const isLabelText = (s: Scanner, cell: Cell | undefined): boolean =>
  cell?.kind === 'text' && !/^[-+\d.,%]+$/.test(shortened(textOf(s, cell)));

/** Whether a label is a date, a time, a version, an address or a bullet, which do not label rows of a matrix. */
export const isRecord = (label: string): boolean =>
  /\d[-/:.]\d+([-/:.]\d|$)/.test(label) ||
  /^[-*+#>•·]+$/.test(label) ||
  /[={}<>;]|:\/\//.test(label) ||
  label.endsWith(':');
