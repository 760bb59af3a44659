import type { TextRange } from '../text';
import { code, isNewline, isQuote, isWordPart, startOfLine } from './scanner';

/** How far before a literal the beginning of an enclosing string is searched for. */
export const longestString = 300;

/** Whether a range is inside a string with other words: `"shape [[2, 3]] expected"`. A literal that is all of a string does not count. */
export function insideString(text: string, range: TextRange): boolean {
  const floor = Math.max(0, range.start - longestString);
  let quote = -1;
  let since = floor;
  for (let i = startOfLine(text, range.start, floor); i < range.start; i++) {
    const c = text.charCodeAt(i);
    if (c === code.backslash) i++;
    else if (quote < 0 && isQuote(c) && !isApostrophe(text, i)) [quote, since] = [c, i];
    else if (c === quote) quote = -1;
  }
  return quote >= 0 && !(since === range.start - 1 && text.charCodeAt(range.end) === quote);
}

/** Whether `at` is in a line of a notebook's file: `    "Q = [[1, 2],\\n",`. */
export function isNotebookLine(text: string, at: number): boolean {
  let start = Math.max(0, at - longestString);
  for (let i = at; i > start; i--) if (isNewline(text.charCodeAt(i - 1))) start = i;
  let end = at;
  while (end < text.length && end < at + longestString && !isNewline(text.charCodeAt(end))) end++;
  const line = text.slice(start, end).trim();
  return line.startsWith('"') && (line.endsWith('\\n",') || line.endsWith('"'));
}

const isApostrophe = (text: string, at: number): boolean =>
  text.charCodeAt(at) === code.quote && at > 0 && isWordPart(text.charCodeAt(at - 1));
