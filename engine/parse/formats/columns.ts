import type { Candidate } from '../matrix';
import type { Paced } from '../../text';
import { code, startOfLine, type Scanner } from '../scanner';
import { lineReader, type RefuseUntil } from './line-reader';
import { readBlockPaced, wrapsOnto, type Block } from './block';
import type { ReadContext, FormatReader } from './format-reader';
import { isBlankLine, lineAfter, lineAt, textOf, wordsOf, type Cell, type Line } from './lines';
import { readPagesPaced } from './pages';
import { isRecord, isRestBlank, readGridPaced, statedSizeProblem, type Grid } from './grid';

/**
 * Columns of numbers separated by blanks, with or without header and labels: output of pandas and R (also wrapped, and R's arrays page by
 * page), and tables aligned by hand.
 */
export const columns: FormatReader = lineReader('columns', read);

function* read(s: Scanner, c: ReadContext, refuse: RefuseUntil): Paced<Candidate | undefined> {
  const line = lineAt(s, s.at);
  if (isBlankLine(s, line)) return undefined;
  if (s.text.startsWith(', , ', line.start)) return yield* pagesOf(s, line, c, refuse);
  const first = yield* readBlockPaced(s, line);
  if (!first) return undefined;
  const { block, end } = yield* wrapped(s, first);
  const alone = c.first && isRestBlank(s, end.end);
  if ((!alone || !isWide(block)) && isForeign(s, block, alone)) return first.header ? undefined : refuse(end.end);
  const found = yield* readGridPaced(s, gridOf(s, block, end), c);
  return found ?? (first.header && !beginsNumbered(block) ? undefined : refuse(end.end));
}

/** Joins the further blocks of columns of a wide matrix, and the size that pandas prints below. */
function* wrapped(s: Scanner, first: Block): Paced<{ block: Block; end: Line }> {
  let block = first;
  for (;;) {
    const below = lineAfter(s, block.last);
    const from = block.continued && below && isBlankLine(s, below) ? lineAfter(s, below) : below;
    const more = from && block.labels ? yield* readBlockPaced(s, from) : undefined;
    if (!more || !wrapsOnto(block, more)) break;
    const rows = block.rows.map((row, i) => ({ ...row, cells: [...row.cells, ...(more.rows[i]?.cells ?? [])] }));
    block = { ...more, header: [...(block.header ?? []), ...(more.header ?? [])], rows, start: first.start };
  }
  return withFooter(s, block);
}

/** `[2 rows x 3 columns]` after a blank line; `Name: x, dtype: float64` below a series. */
function withFooter(s: Scanner, block: Block): { block: Block; end: Line } {
  const below = lineAfter(s, block.last);
  const none = { block, end: block.last };
  if (!below) return none;
  const series = /^(?:Name: .*, )?(?:Length: \d+, )?dtype: (\w+)$/.exec(wordsOf(s, below, 100));
  if (series && block.rows.every((row) => row.cells.length <= 2))
    return { block: { ...block, printer: 'series', dtype: series[1] ?? '' }, end: below };
  const after = isBlankLine(s, below) ? lineAfter(s, below) : undefined;
  const size = after && /^\[(\d+) rows x (\d+) columns\]$/.exec(wordsOf(s, after, 100));
  if (!after || !size) return none;
  const stated = { sizes: [Number(size[1]), Number(size[2])], range: { start: after.start, end: lastInk(s, after) } };
  return { block: { ...block, printer: 'pandas', stated }, end: after };
}

/** Whether a table is a list of things rather than a matrix: labels without a header, dates, versions. */
function isForeign(s: Scanner, { printer, header, labels, rows }: Block, alone: boolean): boolean {
  if (printer && printer !== 'pandas') return false;
  if (labels && !header && !alone) return true;
  if (
    !header &&
    rows.some((row) => row.cells.some((cell) => isTruth(s, cell)) && !row.cells.every((cell) => isTruth(s, cell)))
  )
    return true;
  return rows.some((row) => row.label !== undefined && isRecord(row.label));
}

const isWide = ({ rows }: Block): boolean => (rows[0]?.cells.length ?? 0) > 1;

/** Whether a cell is a boolean; `1 false` without a header is a list of answers. */
const isTruth = (s: Scanner, { start, end }: Cell): boolean =>
  /^(?:true|false)$/i.test(s.text.slice(start, Math.min(end, start + 6)));

function gridOf(s: Scanner, block: Block, end: Line): Grid {
  const { printer, header, labels, stated } = block;
  const range = { start: block.start, end: lastInk(s, end) };
  if (printer === 'series') return seriesOf(s, block, range);
  const indexed = printer === 'r';
  const fault = stated && statedSizeProblem(stated, [block.rows.length, block.rows[0]?.cells.length ?? 0]);
  return {
    rows: indexed ? block.rows.map(({ label: _, ...row }) => row) : block.rows,
    range,
    format: printer ?? (header || labels ? 'labelled-table' : 'table'),
    ...(fault ? { fault } : {}),
    isCertain:
      (printer !== undefined || isNumberedFrame(s, block)) &&
      block.rows.length * (block.rows[0]?.cells.length ?? 0) > 1,
    ...(header && !(indexed && header.every(isIndex)) ? { columnLabels: header } : {}),
    ...(indexed && !block.rows.every((row) => isIndex(row.label ?? '')) ? { rows: block.rows } : {}),
  };
}

/** Whether rows are numbered from 0 below a header: then the first column is labels, or it is not clear whether it is. */
const isNumbered = ({ header, labels, rows }: Block): boolean =>
  labels && header !== undefined && rows.length > 1 && rows.every(({ label }, i) => label === String(i));

/** Whether the first row is numbered 0 below a header: its number is a label, also where later rows have other names. */
const beginsNumbered = ({ header, labels, rows }: Block): boolean =>
  labels && header !== undefined && rows.length > 1 && rows[0]?.label === '0';

/** Whether pandas prints it so, also with a single column: rows numbered from 0, columns too, or the header ends where they end. */
function isNumberedFrame(s: Scanner, block: Block): boolean {
  if (!isNumbered(block)) return false;
  if (block.header?.every((word, i) => word === String(i))) return true;
  const column = (at: number): number => at - startOfLine(s.text, at, Math.max(0, at - longestFrameLine));
  const end = column(lastInk(s, lineAt(s, block.start)));
  return block.rows.every((row) => column(row.end) === end);
}

/** Longest line of a frame: pandas wraps at 80 characters unless it is told otherwise. */
const longestFrameLine = 400;

const isIndex = (label: string): boolean => /^\[(?:,\d+|\d+,)\]$/.test(label);

/** A series as one row, with its index over the columns. */
function seriesOf(s: Scanner, { rows, dtype, start }: Block, range: { start: number; end: number }): Grid {
  const cells = rows.flatMap((row) => row.cells.slice(-1));
  const labels = rows.map(({ label, cells: [first] }) => label ?? (first ? textOf(s, first) : ''));
  return {
    rows: [{ cells, start, end: range.end }],
    range,
    format: 'pandas',
    isCertain: true,
    flat: true,
    ...(labels.every((label) => label !== '') ? { columnLabels: labels } : {}),
    ...(dtype ? { dtype } : {}),
  };
}

function lastInk(s: Scanner, { start, end }: Line): number {
  let at = end;
  while (at > start && (s.text.charCodeAt(at - 1) === code.space || s.text.charCodeAt(at - 1) === code.tab)) at--;
  return at;
}

/** Reads `, , 1`, a page of an array in R, followed by its table. */
function* pagesOf(s: Scanner, line: Line, c: ReadContext, refuse: RefuseUntil): Paced<Candidate | undefined> {
  const pages = yield* readPagesPaced(s, line, function* (from) {
    const block = yield* readBlockPaced(s, from);
    return block && (yield* wrapped(s, block));
  });
  const [first] = pages.blocks;
  const { layout, fault } = pages;
  if (!first || !(layout || fault)) return refuse(pages.end.end);
  const rows = pages.blocks.flatMap((block) => block.rows);
  const grid = gridOf(s, { ...first, printer: 'r', rows, start: line.start }, pages.end);
  return yield* readGridPaced(s, { ...grid, ...(fault ? { fault } : { pages: layout?.shape ?? [] }) }, c);
}
