import { formatShape } from '../../math';
import { t, type Paced, type Problem, type TextRange } from '../../text';
import type { Scanner } from '../scanner';
import { isRowIndex, type Block } from './block';
import { isBlankLine, lineAfter, wordsOf, type Line } from './lines';

/** The line above a page, which says its place among the leading dimensions: `ans(:,:,2) =`, `(1,2,.,.) =`, `, , 2`. */
export interface PageMark {
  readonly index: readonly string[];
  readonly range: TextRange;
}

/** How leading dimensions are laid out. All programs print the pages of the first index first. */
export interface PageStyle {
  /** Whether the pages' indices stand before those of row and column, as in PyTorch, so that the first of them is the slowest. */
  readonly leading: boolean;
  /** Where an index may be a name, as in R (`, , b`): whether rows have names there too. */
  readonly names?: PageNames;
}

type PageNames = 'rows with names' | 'rows without names';

export interface PageLayout {
  /** Sizes of the leading dimensions, slowest first. */
  readonly shape: readonly number[];
  /** For each page of the tensor, its place among those that are printed. */
  readonly order: readonly number[];
}

interface Pages {
  readonly blocks: readonly Block[];
  readonly layout: PageLayout | undefined;
  readonly fault: Problem | undefined;
  readonly end: Line;
}

/** Reads R's pages: `, , 1, 2` followed by a table, repeatedly. */
export function* readPagesPaced(
  s: Scanner,
  first: Line,
  readingTable: (line: Line) => Paced<{ block: Block; end: Line } | undefined>,
): Paced<Pages> {
  const blocks: Block[] = [];
  const marks: PageMark[] = [];
  let fault: Problem | undefined;
  let end = first;
  for (let line: Line | undefined = first; line && !fault; line = pageAfter(s, end)) {
    const index = /^, , (.+)$/.exec(wordsOf(s, line, 200))?.[1]?.split(', ');
    if (!index) break;
    const mark = { index, range: { start: line.start, end: line.end } };
    const from = nextTextLine(s, line);
    const table = from && !s.text.startsWith(', , ', from.start) ? yield* readingTable(from) : undefined;
    fault = table ? differenceOf(mark, blocks[0], table.block) : emptyPage(mark);
    end = table?.end ?? line;
    if (!table) break;
    blocks.push(table.block);
    marks.push(mark);
  }
  const labelled = blocks[0]?.rows.some(({ label }) => label !== undefined && !isRowIndex(label));
  const found = layoutOf(marks, { leading: false, names: labelled ? 'rows with names' : 'rows without names' });
  return { blocks, end, layout: found?.layout, fault: fault ?? found?.fault };
}

/** The next line with text, after at most two blank ones. */
export function nextTextLine(s: Scanner, line: Line): Line | undefined {
  let next = lineAfter(s, line);
  for (let blanks = 0; next && blanks < 2 && isBlankLine(s, next); blanks++) next = lineAfter(s, next);
  return next && !isBlankLine(s, next) ? next : undefined;
}

function pageAfter(s: Scanner, end: Line): Line | undefined {
  const next = nextTextLine(s, end);
  return next && s.text.startsWith(', , ', next.start) ? next : undefined;
}

/** What tells a page of R from the first one: its size, or its labels. */
function differenceOf(mark: PageMark, first: Block | undefined, page: Block): Problem | undefined {
  if (!first) return undefined;
  const [expected, found] = [first, page].map(({ rows }) => [rows.length, rows[0]?.cells.length ?? 0] as const);
  if (expected && found && String(expected) !== String(found)) return unevenPage(mark, found, expected);
  const labelsOf = ({ header, rows }: Block): string => JSON.stringify([header, rows.map((row) => row.label)]);
  if (labelsOf(first) === labelsOf(page)) return undefined;
  return pageProblem(mark, t('page {0} has other labels than the first one', nameOf(mark.index)));
}

export const unevenPage = (mark: PageMark, found: readonly number[], expected: readonly number[]): Problem => ({
  ...pageProblem(
    mark,
    t('page {0} is {1}, expected {2}', nameOf(mark.index), formatShape(found), formatShape(expected)),
  ),
  code: 'ragged',
});

export const emptyPage = (mark: PageMark): Problem =>
  pageProblem(mark, t('page {0} has no numbers', nameOf(mark.index)));

const nameOf = (index: readonly string[]): string => index.join(', ');

const pageProblem = ({ range }: PageMark, message: string): Problem => ({
  code: 'malformed',
  message,
  hint: t('Print all pages in order, or select one of them.'),
  range,
});

/** The leading dimensions of pages, or what is wrong with their indices; undefined without pages. */
export function layoutOf(
  marks: readonly PageMark[],
  style: PageStyle,
): { layout?: PageLayout; fault?: Problem } | undefined {
  const rank = marks[0]?.index.length ?? 0;
  const last = marks.at(-1);
  if (rank < 1 || !last) return undefined;
  if (rank > 2) return { fault: tooDeep(marks[0] ?? last, rank + 2) };
  const values = Array.from({ length: rank }, (_, i) => [...new Set(marks.map(({ index }) => index[i] ?? ''))]);
  const count = values.reduce((product, list) => product * list.length, 1);
  for (let page = 0; page < Math.max(count, marks.length); page++) {
    const expected = indexOf(page, values, style);
    const mark = marks[page];
    if (style.names && page >= count && mark) return { fault: pageProblem(mark, t('page {0} stands there twice', nameOf(mark.index))) }; // prettier-ignore
    if (!mark) return { fault: pageProblem(last, t('page {0} is missing', nameOf(expected))) };
    if (mark.index.join() !== expected.join())
      return { fault: pageProblem(mark, t('page {0} is expected here, not {1}', nameOf(expected), nameOf(mark.index))) }; // prettier-ignore
  }
  return { layout: { shape: shapeOf(values, style), order: orderOf(values, style) } };
}

/** The index of the page that is printed at a place: the first index runs fastest. Numbers go on from the first page's, also in R. */
function indexOf(page: number, values: readonly (readonly string[])[], { names }: PageStyle): string[] {
  let rest = page;
  return values.map((list) => {
    const at = rest % list.length;
    rest = Math.floor(rest / list.length);
    if (names && !isCounted(list, names)) return list[at] ?? '';
    // After the last page of all there would be a further one.
    return String(Number(list[0]) + at + (list === values.at(-1) ? rest * list.length : 0));
  });
}

/**
 * Whether R counts these pages: where rows have no names, and where the first is 1. Beside named rows other numbers are names too (`, , 4` and `, , 16`
 * cylinders), and so are years.
 */
const isCounted = (list: readonly string[], names: PageNames): boolean =>
  list.every((index) => /^\d{1,3}$/.test(index)) && (names === 'rows without names' || list[0] === '1');

const shapeOf = (values: readonly (readonly string[])[], { leading }: PageStyle): number[] => {
  const sizes = values.map((list) => list.length);
  return leading ? sizes : sizes.reverse();
};

function orderOf(values: readonly (readonly string[])[], { leading }: PageStyle): number[] {
  const [first = 1, second = 1] = values.map((list) => list.length);
  const pages = Array.from({ length: first * second }, (_, page) => page);
  return leading ? pages.map((page) => (page % second) * first + Math.floor(page / second)) : pages;
}

const tooDeep = ({ range }: PageMark, dimensions: number): Problem => ({
  code: 'too-deep',
  message: t('{0} dimensions', dimensions),
  hint: t('A matrix has 1 to 4 dimensions: batch, head, row, column.'),
  range,
});
