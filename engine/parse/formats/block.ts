import type { Paced } from '../../text';
import { isBlank, isDue, type Scanner } from '../scanner';
import { isBlankLine, lineAfter, splitBlanks, textOf, type Cell, type Line } from './lines';
import type { GridRow, StatedSize } from './grid';

/** Consecutive lines of numbers with their header and labels. */
export interface Block {
  readonly header?: readonly string[];
  readonly rows: readonly GridRow[];
  readonly labels: boolean;
  /** First character, including the header. */
  readonly start: number;
  /** The last line. */
  readonly last: Line;
  /** Whether the header ends with a backslash, with which pandas announces further columns below. */
  readonly continued: boolean;
  /** The program that printed it, if recognized. */
  readonly printer?: 'pandas' | 'r' | 'series';
  readonly dtype?: string;
  readonly stated?: StatedSize;
  /** Length of the first row in characters. */
  readonly width: number;
}

/** The words of a line. */
interface Words {
  readonly line: Line;
  readonly cells: readonly Cell[];
  /** How many words at the end are numbers or ellipses. */
  readonly tail: number;
}

function wordsAt(s: Scanner, line: Line): Words {
  const cells = splitBlanks(s, line.start, line.end);
  let tail = 0;
  while (tail < cells.length && isValue(cells[cells.length - 1 - tail])) tail++;
  return { line, cells, tail };
}

const isValue = (cell: Cell | undefined): boolean => cell?.kind === 'number' || cell?.kind === 'elided';

/** The block that begins on a line, which is a row or a header; undefined if it is neither. */
export function* readBlockPaced(s: Scanner, line: Line): Paced<Block | undefined> {
  const below = lineAfter(s, line);
  if (!endsInValue(s, line) && !(below && mayHoldRow(s, below))) return undefined;
  const top = wordsAt(s, line);
  if (top.cells.length === 0) return undefined;
  const next = below && wordsAt(s, below);
  const named = next && (yield* blockUnderHeader(s, top, next));
  if (named) return named;
  if (top.tail === 0 || !isRowLead(top)) return undefined;
  const block = yield* rowsFrom(s, top, { count: top.tail, labelled: top.tail < top.cells.length });
  return block.rows.length > 0 ? block : undefined;
}

/** Whether a line can be a row, or the line of one word that pandas prints between header and rows. */
function mayHoldRow(s: Scanner, line: Line): boolean {
  if (endsInValue(s, line)) return true;
  const below = isBlank(s.text.charCodeAt(line.end - 1)) ? lineAfter(s, line) : undefined;
  return below !== undefined && endsInValue(s, below);
}

const longestValue = 400;
/** First and last characters of numbers, `inf`, `NaN`, `True` and ellipses. */
const begins = '0123456789+-.\u2212inNIFTtf<"\'\u2026\u22ee\u22f1\u22ef';
const ends = '0123456789.fynNAeE>"\'\u2026\u22ee\u22f1\u22ef\u22f0';

/** Whether the last word of a line may be a number: a quick test before all words are read. */
function endsInValue(s: Scanner, { start, end }: Line): boolean {
  const { text } = s;
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last--;
  if (last === start || !(ends.includes(text.charAt(last - 1)) || text.charCodeAt(last - 1) === 92)) return false;
  let first = last;
  while (first > start && last - first < longestValue && !isBlank(text.charCodeAt(first - 1))) first--;
  s.steps += end - first;
  return text.charCodeAt(last - 1) === 92 || begins.includes(text.charAt(first));
}

/** A label has at most four words. */
const isRowLead = ({ cells, tail }: Words): boolean => cells.length - tail <= 4;

/** The block under a header, if `top` is one. */
function* blockUnderHeader(s: Scanner, top: Words, next: Words): Paced<Block | undefined> {
  const under = indexName(s, top, next) ?? next;
  if (under.tail === 0 || !isRowLead(under)) return undefined;
  const { names, continued } = namesOf(s, top);
  if (!names) return undefined;
  const plan = fit(names, top, under) ?? fitLong(s, names, top, under);
  if (!plan) return undefined;
  const block = yield* rowsFrom(s, under, plan);
  if (block.rows.length === 0) return undefined;
  const start = top.cells[0]?.start ?? top.line.start;
  const header = plan.header;
  const printer = printerOf(header, block.rows, under !== next || continued);
  return { ...block, header, start: quoteBefore(s, start), continued, ...(printer ? { printer } : {}) };
}

const quoteBefore = (s: Scanner, start: number): number =>
  `"'`.includes(s.text.charAt(start - 1)) && start > 0 ? start - 1 : start;

/** pandas prints the name of the index on a line of its own, under the header. */
function indexName(s: Scanner, top: Words, next: Words): Words | undefined {
  const [name] = next.cells;
  if (next.tail > 0 || next.cells.length !== 1 || !name || !/^[A-Za-z_]\w*$/.test(textOf(s, name))) return undefined;
  const below = lineAfter(s, next.line);
  const words = below && wordsAt(s, below);
  // It is padded to the width of the table, unlike a sentence of one word.
  const columns = words ? words.tail - top.cells.length : -1;
  return words && (columns === 0 || columns === 1) && isBlank(s.text.charCodeAt(next.line.end - 1)) ? words : undefined;
}

interface Names {
  readonly names?: readonly (readonly string[])[];
  readonly continued: boolean;
}

const longestName = 40;

/** The column names, split both at every blank and at two or more; none for a sentence or code. */
function namesOf(s: Scanner, { line, cells }: Words): Names {
  const from = cells[0]?.start ?? line.start;
  if (cells.some(isValue) && !isCount(s, cells)) return { continued: false };
  let written = s.text.slice(quoteBefore(s, from), Math.min(line.end, from + 20_000)).trimEnd();
  const continued = /\s\\$/.test(written);
  if (continued) written = written.slice(0, -1).trimEnd();
  const words = written.split(/\s+/).map(unquoted);
  const fit = words.every((word) => word.length <= longestName && isName(word));
  if (!fit) return { continued };
  const wide = written.split(/\s{2,}|\t/).map(unquoted);
  // In `New York   Boston` names contain blanks and are separated by several.
  return {
    names: wide.length === words.length || wide.length < 2 || cells.some(isValue) ? [words] : [wide, words],
    continued,
  };
}

/** Whether cells are column numbers: growing integers, after at most one word. */
function isCount(s: Scanner, cells: readonly Cell[]): boolean {
  const numbers = cells.slice(cells[0]?.kind === 'text' ? 1 : 0).filter((cell) => textOf(s, cell) !== '\\');
  let last = -1;
  for (const cell of numbers) {
    if (cell.kind === 'elided') continue;
    if (!/^\d{1,9}$/.test(textOf(s, cell)) || cell.value <= last) return false;
    last = cell.value;
  }
  return true;
}

const unquoted = (word: string): string => (/^(["']).*\1$/.test(word) && word.length > 1 ? word.slice(1, -1) : word);

/** Whether a word can be a column name, as `[,1]` and `x.1`, rather than code or the end of a sentence. */
const isName = (word: string): boolean =>
  /^\[,\d+\]$/.test(word) || !/[={}<>;\\[\]|]|[,:;!?]$|^\W+$|\w\.$/.test(word) || word === '...';

interface Plan {
  readonly header: readonly string[];
  readonly count: number;
  readonly labelled: boolean;
}

/** How a header matches the first row: it has as many names as numbers, one less (numbered labels), or one more (a corner). */
function fit(splits: readonly (readonly string[])[], top: Words, first: Words): Plan | undefined {
  const words = first.cells.length - first.tail;
  const numeric = top.tail === top.cells.length;
  for (const names of splits) {
    const plan = words > 0 ? fitLabelled(names, first.tail) : fitNumbers(names, first, numeric);
    if (plan) return plan;
  }
  // In `a 1` the label ends with a number.
  const longer = words > 0 && splits.find((names) => names.length === first.tail - 1);
  return longer ? { header: longer, count: longer.length, labelled: true } : undefined;
}

function fitLabelled(names: readonly string[], tail: number): Plan | undefined {
  const n = names.length;
  if (tail === n) return { header: names, count: n, labelled: true };
  return tail === n - 1 && n > 2 ? { header: names.slice(1), count: n - 1, labelled: true } : undefined;
}

function fitNumbers(names: readonly string[], { cells, tail }: Words, numeric: boolean): Plan | undefined {
  const n = names.length;
  if (tail === n + 1 && isIndexed(cells)) return { header: names, count: n, labelled: true };
  return tail === n && !numeric ? { header: names, count: n, labelled: false } : undefined;
}

/** A frame, rows numbered from 0 left of its header, whose first row has more numbers than the header has names: its problem is named, and it is no table of its own. */
function fitLong(s: Scanner, [names = []]: readonly (readonly string[])[], top: Words, first: Words): Plan | undefined {
  const [header, number] = [top.cells[0], first.cells[0]];
  const below = lineAfter(s, first.line);
  const next = below && wordsAt(s, below);
  const isFrame = firstWord(s, first.cells) === '0' && next !== undefined && firstWord(s, next.cells) === '1';
  if (!isFrame || !header || !number || names.length === 0 || top.tail > 0) return undefined;
  const isRight = header.start - top.line.start > number.end - first.line.start;
  return isRight && first.tail === first.cells.length && first.tail > names.length + 1
    ? { header: names, count: names.length, labelled: true }
    : undefined;
}

/** Whether a row begins with its number. Under column numbers, which grow, other integers are data. */
const isIndexed = ([first]: readonly Cell[]): boolean =>
  first?.kind === 'elided' || (first?.kind === 'number' && Number.isInteger(first.value));

interface Columns {
  readonly count: number;
  readonly labelled: boolean;
}

function* rowsFrom(s: Scanner, first: Words, columns: Columns): Paced<Block> {
  const rows: GridRow[] = [];
  let last = first.line;
  for (let words: Words | undefined = first; words; words = nextWords(s, words)) {
    if (!isRow(words, first, columns) && !isNumbered(s, words, rows)) break;
    const row = rowOf(s, words, first, columns);
    if (isCode(row.label ?? '') || (rows[0] && !follows(rows[0], row, rows.length))) break;
    rows.push(row);
    last = words.line;
    if (isDue(s)) yield;
  }
  if (hasNumberTooMany(s, first, columns, rows)) rows[0] = unlabelled(s, first, rows[0] as GridRow);
  const start = quoteBefore(s, first.cells[0]?.start ?? first.line.start);
  const width = (rows[0]?.end ?? 0) - first.line.start;
  const labels = columns.labelled;
  const indexed = labels && rows.every((row) => isRowIndex(row.label ?? ''));
  return { rows, labels, start, last, continued: false, width, ...(indexed ? { printer: 'r' as const } : {}) };
}

/** Whether R numbers a row, which then has no name: `[2,]`. */
export const isRowIndex = (label: string): boolean => /^\[\d+,\]$/.test(label);

/** Whether a line has the next of R's numbers, `[2,]` after `[1,]`: a word in it is a fault in a row, and not the end of the matrix. */
const isNumbered = (s: Scanner, { cells }: Words, rows: readonly GridRow[]): boolean =>
  rows[0]?.label === '[1,]' && firstWord(s, cells) === `[${rows.length + 1},]`;

const firstWord = (s: Scanner, [cell]: readonly Cell[]): string => (cell ? textOf(s, cell) : '');

/** Whether a row continues R's numbering `[1,]`, `[2,]`; `[1]` begins a vector, `, , 2` the next page. */
function follows(first: GridRow, { label = '' }: GridRow, at: number): boolean {
  if (isRowIndex(first.label ?? '')) return label === `[${at + 1},]`;
  return !/^\[\d+,?\]|^,/.test(label);
}

/** Whether a label is code, or rows in brackets, which other readers read. */
const isCode = (label: string): boolean => /[[\](){}=;<>\\]/.test(label) && !isRowIndex(label);

function nextWords(s: Scanner, { line }: Words): Words | undefined {
  const next = lineAfter(s, line);
  return next && !isBlankLine(s, next) ? wordsAt(s, next) : undefined;
}

/** Whether a line ends with numbers and begins like the first row; with more words and fewer numbers it is a sentence. */
function isRow({ cells, tail }: Words, first: Words, { count, labelled }: Columns): boolean {
  const lead = cells.length - tail;
  if (tail === 0 || lead > 4 || (tail < count && lead > first.cells.length - first.tail)) return false;
  return labelled ? lead > 0 || tail >= count : lead === 0;
}

function rowOf(s: Scanner, words: Words, first: Words, columns: Columns): GridRow {
  const { cells, line } = words;
  const start = cells[0]?.start ?? line.start;
  const end = cells.at(-1)?.end ?? line.end;
  if (!columns.labelled) return { cells, start, end };
  const length = labelLength(s, words, first, columns.count);
  const [from, to] = [cells[0], cells[length - 1]];
  const written = from && to ? textOf(s, { start: from.start, end: to.end }) : '';
  // The sign of a list in Markdown names no row.
  const label = written === '-' || written === '*' ? '' : written;
  return { label, cells: cells.slice(length), start, end };
}

/** Whether only the first row's label would end with a number, as in `x 1 2 3` above `y 3 4`, and no other row has its word, as `head 0` and `head 1` have. */
const hasNumberTooMany = (s: Scanner, first: Words, { count, labelled }: Columns, rows: readonly GridRow[]): boolean =>
  labelled &&
  rows.length > 1 &&
  first.tail > count &&
  first.tail < first.cells.length &&
  rows.slice(1).every(({ label = '' }) => !/\s\S*\d\S*$/.test(label)) &&
  !isRowIndex(firstWord(s, first.cells));

const unlabelled = (s: Scanner, { cells, tail }: Words, row: GridRow): GridRow => {
  const words = cells.slice(0, cells.length - tail);
  const [from, to] = [words[0], words.at(-1)];
  return {
    ...row,
    cells: cells.slice(words.length),
    ...(from && to ? { label: textOf(s, { start: from.start, end: to.end }) } : {}),
  };
};

/**
 * How many words of a row are its label. It ends with as many numbers as that of the first row, or is a number alone: a further number is one too many
 * for the columns, and no part of the label.
 */
function labelLength(s: Scanner, { cells, tail }: Words, first: Words, count: number): number {
  const words = cells.length - tail;
  const inFirst = first.tail - count;
  const begin = firstWord(s, cells);
  if (isRowIndex(begin)) return 1;
  if (words === 0) return tail > count ? 1 : inFirst;
  // Among `head 0` and `head 1`, `mean` has no number.
  const isAlike = tail > count || begin === firstWord(s, first.cells);
  return words + (isAlike ? inFirst : 0);
}

function printerOf(header: readonly string[], rows: readonly GridRow[], pandas: boolean): Block['printer'] {
  if (pandas) return 'pandas';
  const marked = header.every((name) => /^\[,\d+\]$/.test(name)) || rows.every((row) => isRowIndex(row.label ?? ''));
  return marked ? 'r' : undefined;
}

/** The line width that R fills; a narrower matrix is not wrapped. */
const fullLine = 60;

/** Whether a block continues the one above with further columns: it has the same row labels. */
export function wrapsOnto(above: Block, below: Block): boolean {
  if (!below.header || !above.header || below.rows.length !== above.rows.length || !below.labels) return false;
  if (!below.rows.every((row, i) => row.label === above.rows[i]?.label)) return false;
  const [last, next] = [above.header.at(-1) ?? '', below.header[0] ?? ''];
  const numbered = /^\[,(\d+)\]$/.exec(last);
  if (numbered) return next === `[,${Number(numbered[1]) + 1}]`;
  return above.continued || (above.width >= fullLine && !above.header.includes(next));
}
