import type { TextRange } from '../../engine/index';

/** A text that is too long to be copied as a whole, such as a document of many megabytes. */
export interface LongText {
  readonly length: number;
  slice(range: TextRange): string;
}

/** The part of a long text around an offset. `start` and `end` are offsets in the long text. */
export interface TextWindow extends TextRange {
  readonly text: string;
  /** The offset, relative to the window's start. */
  readonly at: number;
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** The window of up to `reach` UTF-16 units to each side of an offset. */
export function windowAround(source: LongText, offset: number, reach: number): TextWindow {
  const around = Math.min(Math.max(0, offset), source.length);
  const [start, end] = [Math.max(0, around - reach), Math.min(source.length, around + reach)];
  const text = source.slice({ start, end });
  return { start, end, text, at: around - start, cutBefore: start > 0, cutAfter: end < source.length };
}

/**
 * Whether a literal may be a row of one that begins before the window: no bracket in the window encloses it, and only another row or the window's
 * edge precedes it. That a literal goes on after the window needs no such test: its reader finds it unclosed.
 */
export function mayBeRow({ text, cutBefore }: TextWindow, { start }: TextRange): boolean {
  if (!cutBefore) return false;
  const before = text.slice(0, start).trimEnd().at(-1);
  return (before === undefined || ',]'.includes(before)) && !isInBracket(text, start);
}

/** Whether at most part of a line precedes a literal in a window that is cut there. */
export const isNearStart = ({ text, cutBefore }: TextWindow, { start }: TextRange): boolean =>
  cutBefore && !twoLines.test(text.slice(0, start));

/** Whether a literal may have more rows after the window: at most part of a line follows it. */
export const mayContinue = ({ text, cutAfter }: TextWindow, { end }: TextRange): boolean =>
  cutAfter && !twoLines.test(text.slice(end));

const twoLines = /\n[^\n]*\n/;

/** Whether an opening bracket before an offset encloses it. */
function isInBracket(text: string, offset: number): boolean {
  let closed = 0;
  for (let i = offset - 1; i >= 0; i--) {
    const c = text.charAt(i);
    if (c === ']' || c === ')') closed++;
    else if ((c === '[' || c === '(') && --closed < 0) return true;
  }
  return false;
}

const neighbourhood = 256;

/** Whether the text around the offset has a digit and less than a quarter letters. There a literal may be larger than the window. */
export function isAmongNumbers({ text, at }: TextWindow): boolean {
  const near = text.slice(Math.max(0, at - neighbourhood), at + neighbourhood);
  const letters = near.match(/\p{L}/gu)?.length ?? 0;
  return /\d/.test(near) && letters * 4 < near.length;
}

/** The text of a window from its first whole line on, because half a name or half a literal at the edge would be misread. */
export function fromWholeLine(text: string, start: number): { readonly text: string; readonly start: number } {
  if (start === 0) return { text, start };
  const line = text.indexOf('\n') + 1;
  return { text: text.slice(line), start: start + line };
}
