import type { Paced } from '../../text';
import type { Scanner } from '../scanner';
import type { Block } from './block';
import { isBlankLine, lineAfter, wordsOf, type Line } from './lines';

interface Pages {
  readonly blocks: readonly Block[];
  /** Sizes of the leading dimensions, slowest first. */
  readonly shape: readonly number[] | undefined;
  readonly end: Line;
}

/** Reads R's pages: `, , 1, 2` followed by a table, repeatedly. No shape if pages are missing. */
export function* readPagesPaced(
  s: Scanner,
  first: Line,
  readingTable: (line: Line) => Paced<{ block: Block; end: Line } | undefined>,
): Paced<Pages> {
  const blocks: Block[] = [];
  const indices: (readonly string[])[] = [];
  let end = first;
  for (let line: Line | undefined = first; line; line = pageAfter(s, end)) {
    const index = /^, , (.+)$/.exec(wordsOf(s, line, 200))?.[1]?.split(', ');
    const from = index && nextTextLine(s, line);
    const table = from && !s.text.startsWith(', , ', from.start) ? yield* readingTable(from) : undefined;
    if (!index || !table || !alike(blocks[0], table.block)) break;
    blocks.push(table.block);
    indices.push(index);
    end = table.end;
  }
  return { blocks, shape: boxOf(indices), end };
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

const alike = (a: Block | undefined, b: Block): boolean =>
  a === undefined || (a.rows.length === b.rows.length && a.rows[0]?.cells.length === b.rows[0]?.cells.length);

/** The sizes of the leading dimensions from the pages' indices, slowest first; undefined if pages are missing. At most two. */
export function boxOf(indices: readonly (readonly string[])[]): readonly number[] | undefined {
  const rank = indices[0]?.length ?? 0;
  if (rank < 1 || rank > 2 || indices.some((index) => index.length !== rank)) return undefined;
  const sizes = Array.from({ length: rank }, (_, i) => new Set(indices.map((index) => index[i])).size);
  const filled = sizes.reduce((a, b) => a * b, 1) === indices.length;
  return filled ? sizes.reverse() : undefined;
}
