import type { TextRange } from '../../engine/index';

/** A text that is not copied as a whole: a document of many megabytes. */
export interface LongText {
  readonly length: number;
  slice(range: TextRange): string;
}

/** Part of a long text around an offset. */
export interface TextWindow extends TextRange {
  readonly text: string;
  /** The offset, within the window. */
  readonly at: number;
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** Up to `reach` UTF-16 units on both sides of an offset. */
export function windowAround(source: LongText, offset: number, reach: number): TextWindow {
  const around = Math.min(Math.max(0, offset), source.length);
  const [start, end] = [Math.max(0, around - reach), Math.min(source.length, around + reach)];
  const text = source.slice({ start, end });
  return { start, end, text, at: around - start, cutBefore: start > 0, cutAfter: end < source.length };
}

/**
 * Whether a literal may be a row of one that began before the window: nothing is open before it, and only other rows or
 * the cut edge stand beside it. What goes on after the window is noticed by who read the literal, for it never closes.
 */
export function mayBeRow({ text, cutBefore }: TextWindow, { start }: TextRange): boolean {
  if (!cutBefore) return false;
  const before = text.slice(0, start).trimEnd().at(-1);
  return (before === undefined || ',]'.includes(before)) && !isInBracket(text, start);
}

/** Whether at most a part of a line stands in the window before a literal. */
export const isNearStart = ({ text, cutBefore }: TextWindow, { start }: TextRange): boolean =>
  cutBefore && !twoLines.test(text.slice(0, start));

/** Whether a literal may have more rows after the window: at most a part of a line stands after it. */
export const mayGoOn = ({ text, cutAfter }: TextWindow, { end }: TextRange): boolean =>
  cutAfter && !twoLines.test(text.slice(end));

const twoLines = /\n[^\n]*\n/;

/** Does an opening bracket before an offset enclose it? */
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

/** Fewer than a quarter letters, and a digit, around the offset: there a literal may be larger than the window. */
export function isAmongNumbers({ text, at }: TextWindow): boolean {
  const near = text.slice(Math.max(0, at - neighbourhood), at + neighbourhood);
  const letters = near.match(/\p{L}/gu)?.length ?? 0;
  return /\d/.test(near) && letters * 4 < near.length;
}

/** A window's text from its first whole line on: half a name or half a literal at the cut edge is no matrix. */
export function fromWholeLine(text: string, start: number): { readonly text: string; readonly start: number } {
  if (start === 0) return { text, start };
  const line = text.indexOf('\n') + 1;
  return { text: text.slice(line), start: start + line };
}
