import { t, type Paced, type Problem } from '../../text';
import { code, isBlank, isDue, isNewline, type Scanner } from '../scanner';
import { lineReader, type RefuseUntil } from './line-reader';
import type { ReadContext, FormatReader } from './format-reader';
import { isLabelText, isRecord, isRestBlank, readGridPaced, type Grid, type GridRow } from './grid';
import { lineAfter, lineAt, points, splitAt, textOf, type Cell, type Line, type Writing } from './lines';
import type { Candidate } from '../matrix';

const semicolon = 59;

/**
 * Fields separated by tabs, semicolons or commas (RFC 4180, and what spreadsheets write in countries with a decimal comma), with or without a
 * header and labels in the first column. Decimal commas are accepted if the separator is a tab or a semicolon.
 */
export const delimited: FormatReader = lineReader('delimited', read);

function* read(s: Scanner, c: ReadContext, refuse: RefuseUntil): Paced<Candidate | undefined> {
  const first = withoutHash(s, lineAt(s, s.at));
  const separator = separatorOf(s, first);
  if (separator === undefined || beginsCode(s, first)) return undefined;
  const writing = separator === code.comma ? points : { decimalComma: true };
  const cells = splitAt(s, first.start, first.end, separator, writing);
  const second = lineAfter(s, first);
  const header = isRow(s, cells) && !isIndexHeader(cells) ? undefined : cells;
  if (header && !(second && isHeader(s, header) && isRow(s, splitAt(s, second.start, second.end, separator, writing))))
    return undefined;
  const rows = yield* readRows(s, header ? second : first, separator, writing);
  const last = rows.at(-1);
  if (!last) return undefined;
  const grid = gridOf(s, { rows, header, start: first.start });
  const alone = c.first && isRestBlank(s, last.end);
  if (!alone && isForeign(s, rows, separator)) return refuse(last.end);
  const mixed = yield* commaAndPoint(s, grid, writing);
  const candidate = yield* readGridPaced(s, grid, c);
  if (!candidate) return refuse(last.end);
  return mixed && candidate.matrix ? withProblem(candidate, mixed) : candidate;
}

/** The header `# x, y` of np.savetxt, without the hash. */
function withoutHash(s: Scanner, line: Line): Line {
  let at = line.start;
  if (s.text.charCodeAt(at) !== code.hash) return line;
  for (at++; at < line.end && isBlank(s.text.charCodeAt(at));) at++;
  return { ...line, start: at };
}

/** The separator of a line: a tab before a semicolon before a comma. */
function separatorOf(s: Scanner, { start, end }: Line): number | undefined {
  let found: number | undefined;
  s.steps += end - start;
  for (let at = start; at < end; at++) {
    const c = s.text.charCodeAt(at);
    if (c === code.tab && hasInk(s, start, at)) return c;
    if (c === semicolon) found = c;
    else if (c === code.comma) found ??= c;
  }
  return found;
}

/** Whether there is anything but blanks: blanks before the first word indent a line and separate nothing. */
function hasInk(s: Scanner, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBlank(s.text.charCodeAt(at))) return true;
  s.steps += end - start;
  return start === end;
}

/** Whether a line begins like code (`Q = [1, 2, …`), tested before a line of a million characters is split into fields. */
function beginsCode(s: Scanner, { start, end }: Line): boolean {
  const head = s.text.slice(start, Math.min(end, start + longestLabel));
  s.steps += head.length;
  return end - start > longestLabel && /^(?=[^"\t;,]*[[\](){}])[^"\t;,]*[={}<>|\\]/.test(head);
}

/** Whether at least half of the fields are numbers, and only the first is a word. */
function isRow(s: Scanner, cells: readonly Cell[]): boolean {
  if (cells.length < 2 || cells.some((cell) => cell.kind === 'text' && isCode(s, cell))) return false;
  const numbers = cells.reduce((n, cell) => n + (cell.kind === 'number' || cell.kind === 'elided' ? 1 : 0), 0);
  return numbers > 0 && 2 * numbers >= cells.length;
}

/** Whether a cell has brackets outside quotes. */
const isCode = (s: Scanner, cell: Cell): boolean =>
  s.text.charCodeAt(cell.end) !== code.doubleQuote &&
  /[[\](){}]/.test(s.text.slice(cell.start, Math.min(cell.end, cell.start + longestLabel)));

const longestLabel = 400;

/** Whether a header is `,0,1,2`: numbers over the columns, and nothing over the labels. */
const isIndexHeader = (cells: readonly Cell[]): boolean =>
  cells[0]?.kind === 'empty' && cells.slice(1).every((cell) => cell.kind === 'number' && Number.isInteger(cell.value));

/** Whether cells are words over columns rather than code. */
function isHeader(s: Scanner, cells: readonly Cell[]): boolean {
  if (isIndexHeader(cells)) return true;
  return cells.length > 1 && cells.every((cell, i) => isHeading(s, cell, i));
}

function isHeading(s: Scanner, cell: Cell, i: number): boolean {
  if (cell.kind === 'empty') return i === 0;
  const quoted = s.text.charCodeAt(cell.end) === code.doubleQuote;
  return cell.kind === 'text' && cell.end - cell.start <= 80 && (quoted || !/[={}<>;|\\]/.test(textOf(s, cell)));
}

interface Fields {
  readonly cells: readonly Cell[];
  readonly start: number;
  readonly end: number;
}

function* readRows(s: Scanner, from: Line | undefined, separator: number, writing: Writing): Paced<Fields[]> {
  const rows: Fields[] = [];
  for (let line = from; line; line = lineAfter(s, line)) {
    const cells = splitAt(s, line.start, line.end, separator, writing);
    if (!isRow(s, cells)) break;
    rows.push({ cells, start: cells[0]?.start ?? line.start, end: lastInk(s, line) });
    if (isDue(s)) yield;
  }
  const closed = rows.length > 0 && rows.every(({ cells }) => cells.length > 2 && cells.at(-1)?.kind === 'empty');
  return closed ? rows.map((row) => ({ ...row, cells: row.cells.slice(0, -1) })) : rows;
}

function lastInk(s: Scanner, { start, end }: Line): number {
  let at = end;
  while (at > start && isBlank(s.text.charCodeAt(at - 1))) at--;
  return at;
}

/** Whether rows are those of a list in code (`1, 2, 3,`), a log or an inventory. */
function isForeign(s: Scanner, rows: readonly Fields[], separator: number): boolean {
  const open = rows.some(({ end }) => s.text.charCodeAt(end - 1) === separator);
  return open || rows.some(({ cells: [first] }) => first?.kind === 'text' && !isLabel(s, first));
}

const isLabel = (s: Scanner, cell: Cell): boolean => {
  const written = textOf(s, cell);
  return written.length <= 60 && !/[\n[\](){}]/.test(written) && !isRecord(written);
};

interface Parts {
  readonly rows: readonly Fields[];
  readonly header: readonly Cell[] | undefined;
  readonly start: number;
}

function gridOf(s: Scanner, { rows, header, start }: Parts): Grid {
  const words = rows.reduce((n, { cells }) => n + (isLabelText(s, cells[0]) ? 1 : 0), 0);
  // A single word among numbers is a mistake; words in most first columns are labels.
  const labelled = header?.[0]?.kind === 'empty' || 2 * words >= rows.length;
  const split = rows.map(({ cells, start: from, end }): GridRow => {
    const [first] = cells;
    if (!labelled || !first) return { cells, start: from, end };
    return { label: textOf(s, first), cells: cells.slice(1), start: from, end };
  });
  const columns = split[0]?.cells.length ?? 0;
  const named = header && header.length > columns ? header.slice(header.length - columns) : header;
  return {
    rows: split,
    range: { start: skipBlanksFrom(s, start), end: rows.at(-1)?.end ?? start },
    format: 'delimited',
    ...(named ? { columnLabels: named.map((cell) => unquoted(textOf(s, cell))) } : {}),
  };
}

const unquoted = (written: string): string => written.replaceAll('""', '"');

function skipBlanksFrom(s: Scanner, start: number): number {
  let at = start;
  while (isBlank(s.text.charCodeAt(at)) && !isNewline(s.text.charCodeAt(at))) at++;
  return at;
}

/** The problem of `1,5;2.5`, where it is unclear whether the comma or the point is the decimal separator. */
function* commaAndPoint(s: Scanner, { rows }: Grid, { decimalComma }: Writing): Paced<Problem | undefined> {
  if (!decimalComma) return undefined;
  let [comma, point]: (Cell | undefined)[] = [];
  for (const { cells } of rows) {
    comma ??= cells.find((cell) => cell.kind === 'number' && textOf(s, cell).includes(','));
    point ??= cells.find((cell) => cell.kind === 'number' && textOf(s, cell).includes('.'));
    if (comma && point) break;
    s.steps += cells.length;
    if (isDue(s)) yield;
  }
  if (!comma || !point) return undefined;
  return {
    code: 'decimal-sign',
    message: t('{0} has a comma, {1} a point', textOf(s, comma), textOf(s, point)),
    hint: t('Write all numbers with the same decimal sign.'),
    range: { start: comma.start, end: comma.end },
  };
}

const withProblem = ({ matrix: _, ...candidate }: Candidate, problem: Problem): Candidate => ({
  ...candidate,
  problems: [problem],
});
