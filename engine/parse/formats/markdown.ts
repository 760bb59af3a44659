import type { Candidate } from '../matrix';
import type { Paced } from '../../text';
import { isBlank, isDue, type Scanner } from '../scanner';
import { lineReader, type RefuseUntil } from './line-reader';
import type { ReadContext, FormatReader } from './format-reader';
import { isLabelText, isRecord, isRestBlank, readGridPaced, type Grid, type GridRow } from './grid';
import { cellOf, lineAfter, lineAt, splitAt, points, textOf, type Cell, type Line } from './lines';

const bar = 124;

/**
 * Tables with bars (GitHub Flavored Markdown, section 4.10; rules of org-mode and psql too), with or without header and labels in the first
 * column. Emphasis, code marks and dollars around a number are ignored.
 */
export const markdown: FormatReader = lineReader('markdown', read);

interface BarRow {
  readonly cells: readonly Cell[];
  readonly start: number;
  readonly end: number;
  /** Whether it begins and ends with a bar. */
  readonly framed: boolean;
  /** `|---|:-:|` */
  readonly rule: boolean;
}

function* read(s: Scanner, c: ReadContext, refuse: RefuseUntil): Paced<Candidate | undefined> {
  const rows: BarRow[] = [];
  for (let line: Line | undefined = lineAt(s, s.at); line; line = lineAfter(s, line)) {
    const row = barRow(s, line);
    if (!row) break;
    rows.push(row);
    if (isDue(s)) yield;
  }
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return undefined;
  if (!rows.some((row) => row.rule) && !rows.every((row) => row.framed)) return refuse(last.end);
  const grid = gridOf(s, rows);
  if (!grid || (!(c.first && isRestBlank(s, last.end)) && grid.rows.some((row) => isRecord(row.label ?? ''))))
    return refuse(last.end);
  return (yield* readGridPaced(s, grid, c)) ?? refuse(last.end);
}

/** The cells of a line with bars; undefined if it has none. */
function barRow(s: Scanner, line: Line): BarRow | undefined {
  let [start, end] = [line.start, line.end];
  while (start < end && isBlank(s.text.charCodeAt(start))) start++;
  while (end > start && isBlank(s.text.charCodeAt(end - 1))) end--;
  const opens = s.text.charCodeAt(start) === bar;
  const closes = end > start + 1 && s.text.charCodeAt(end - 1) === bar;
  const fields = splitAt(s, opens ? start + 1 : start, closes ? end - 1 : end, bar, points);
  if (start >= end || (!opens && fields.length < 2)) return undefined;
  const cells = fields.map((cell) => withoutMarks(s, cell));
  const rule = cells.every((cell) => /^:?[-=]+(?:\+[-=]+)*:?$/.test(textOf(s, cell)));
  return { cells, start, end, framed: opens && closes, rule };
}

const marks = '*`$_~';

/** `**0.5**`, `` `0.5` ``, `$0.5$`. */
function withoutMarks(s: Scanner, cell: Cell): Cell {
  let { start, end } = cell;
  if (cell.kind !== 'text') return cell;
  while (start < end && marks.includes(s.text.charAt(start))) start++;
  while (end > start && marks.includes(s.text.charAt(end - 1))) end--;
  return start === cell.start && end === cell.end ? cell : cellOf(s, start, end);
}

function gridOf(s: Scanner, rows: readonly BarRow[]): Grid | undefined {
  const plain = rows.filter((row) => !row.rule);
  const rule = rows.findIndex((row) => row.rule);
  const [top] = plain;
  const last = rows.at(-1);
  if (!top || !last) return undefined;
  const header = (rule > 0 || plain.length > 1) && isHeader(top) ? top : undefined;
  const body = header ? plain.slice(1) : plain;
  if (body.length === 0) return undefined;
  const labelled = isLabelled(s, header, body);
  const split = body.map(({ cells, start, end }): GridRow => {
    const [first] = cells;
    if (!labelled || !first) return { cells, start, end };
    return { label: textOf(s, first), cells: cells.slice(1), start, end };
  });
  const names = header?.cells.slice(labelled ? 1 : 0).map((cell) => textOf(s, cell));
  return {
    rows: split,
    range: { start: rows[0]?.start ?? top.start, end: last.end },
    format: 'markdown',
    ...(names?.some((name) => name !== '') ? { columnLabels: names } : {}),
  };
}

/** Whether a row is a header: words or nothing (GFM requires the line), numbers only with an empty corner. */
const isHeader = ({ cells }: BarRow): boolean =>
  cells[0]?.kind === 'empty' || !cells.some((cell) => cell.kind === 'number');

function isLabelled(s: Scanner, header: BarRow | undefined, body: readonly BarRow[]): boolean {
  const corner =
    header !== undefined && header.cells[0]?.kind === 'empty' && header.cells.some((c) => c.kind !== 'empty');
  const words = body.reduce((n, { cells }) => n + (cells.length > 1 && isLabelText(s, cells[0]) ? 1 : 0), 0);
  // A single word among numbers is a mistake; words in most first columns are labels.
  return corner || 2 * words >= body.length;
}
