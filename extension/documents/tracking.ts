import type { TextRange } from '../../engine/index';

/** One replacement in a document: `removed` UTF-16 units at `offset` became `text`. */
export interface TextChange {
  readonly offset: number;
  readonly removed: number;
  readonly text: string;
}

/**
 * The range after a change. Text that is typed at its edges becomes part of it up to the line break, so that a last number that is deleted and typed
 * again still belongs to it, and a new line after it does not. A change across an edge becomes part of it as a whole.
 */
export function moveRange({ start, end }: TextRange, { offset, removed, text }: TextChange): TextRange {
  const changedTo = offset + removed;
  const shift = text.length - removed;
  if (changedTo < start) return { start: start + shift, end: end + shift };
  if (offset > end) return { start, end };
  if (offset === end && start !== end) return { start, end: end + lineEnd(text) };
  if (changedTo === start && start !== end) return { start: offset + lineStart(text), end: end + shift };
  return { start: Math.min(start, offset), end: Math.max(end, changedTo) + shift };
}

const lineBreak = /[\r\n]/;

/** Length of a text before its first line break. */
function lineEnd(text: string): number {
  const at = text.search(lineBreak);
  return at < 0 ? text.length : at;
}

/** Length of a text up to and including its last line break. */
const lineStart = (text: string): number => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;

/**
 * The ranges after all changes of one event. VS Code lists these from the end of the document to its beginning; applied in that order, none moves
 * another.
 */
export const moveRanges = (ranges: readonly TextRange[], changes: readonly TextChange[]): TextRange[] =>
  ranges.map((range) => changes.reduce(moveRange, range));

/** Most occurrences of the text that are tried. */
const mostOccurrences = 64;

/**
 * The range of the explained text within the range that was tracked through edits, or beginning or ending with it. Undefined if the text was changed.
 * `read` returns the document's text in a range, clamped to the document.
 */
export function findAgain(
  range: TextRange,
  explained: string,
  read: (range: TextRange) => string,
): TextRange | undefined {
  const { start, end } = range;
  const length = explained.length;
  if (end - start > length) return findInside(range, explained, read(range));
  const exact = [start, end - length].find((at) => at >= 0 && read({ start: at, end: at + length }) === explained);
  return exact === undefined ? undefined : { start: exact, end: exact + length };
}

function findInside({ start }: TextRange, explained: string, text: string): TextRange | undefined {
  let at = text.indexOf(explained);
  for (let i = 0; at >= 0 && i < mostOccurrences; i++) {
    const end = at + explained.length;
    const whole = !belongTogether(text[at - 1], explained[0]) && !belongTogether(explained.at(-1), text[end]);
    if (whole) return { start: start + at, end: start + end };
    at = text.indexOf(explained, at + 1);
  }
  return undefined;
}

const wordPart = /[\p{L}\p{M}\p{N}_.\uD800-\uDFFF]/u;

/** Whether two neighbouring characters belong to one word or number. If so, text beside the range changes its meaning: `4` became `45`. */
const belongTogether = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && wordPart.test(left) && wordPart.test(right);

/** A text with its line ends converted to those of a document. */
export const withLineEnds = (text: string, lineEnd: '\n' | '\r\n'): string =>
  lineBreak.test(text) ? text.replace(/\r\n|\r|\n/g, lineEnd) : text;
