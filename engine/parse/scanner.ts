import { stride } from '../text';

/**
 * A cursor over text with UTF-16 offsets. Its functions only move forward, so readers built on them take linear time; `steps` counts the
 * characters read.
 */
export interface Scanner {
  /** The text as far as it is to be read, so that no reader can look further. */
  readonly text: string;
  /** Its length. */
  readonly end: number;
  /** Code of the character that follows where the whole text goes on, else −1. */
  readonly follows: number;
  at: number;
  /** Number of characters read, repeated reads included. Tests limit it to a multiple of the text's length. */
  steps: number;
  /** A reader yields when `steps` passes this number (`isDue`). */
  due: number;
  /** Result of the last `readNumber` (numbers.ts); a field instead of a return value, for speed. */
  value: number;
  /** No block comment ends after this offset. Remembered, so that a text full of comment openers takes linear time. */
  noBlockEndFrom: number;
  /** The same for brackets that are never closed. */
  noCloserFrom: number;
}

export const scannerOf = (text: string, at = 0, end = text.length): Scanner => ({
  text: text.slice(0, end),
  at,
  end: Math.min(end, text.length),
  follows: end < text.length ? text.charCodeAt(end) : -1,
  steps: 0,
  due: stride,
  value: 0,
  noBlockEndFrom: Infinity,
  noCloserFrom: Infinity,
});

/** Whether it is time to yield. Every loop over rows or items says `if (isDue(s)) yield;`. */
export function isDue(s: Scanner): boolean {
  if (s.steps <= s.due) return false;
  s.due = s.steps + stride;
  return true;
}

/** UTF-16 codes by name. */
export const code = {
  tab: 9,
  newline: 10,
  carriageReturn: 13,
  space: 32,
  doubleQuote: 34,
  hash: 35,
  quote: 39,
  open: 40,
  close: 41,
  star: 42,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  colon: 58,
  less: 60,
  equals: 61,
  greater: 62,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  underscore: 95,
  backtick: 96,
  openBrace: 123,
  closeBrace: 125,
  unicodeMinus: 0x2212,
  ellipsis: 0x2026,
  arrow: 0x2192,
} as const;

/** The code at the cursor plus `ahead`, −1 at the end. */
export const peek = (s: Scanner, ahead = 0): number => (s.at + ahead < s.end ? s.text.charCodeAt(s.at + ahead) : -1);

export const isDigit = (c: number): boolean => c >= 48 && c <= 57;
export const isNewline = (c: number): boolean => c === code.newline || c === code.carriageReturn;
export const isQuote = (c: number): boolean => c === code.doubleQuote || c === code.quote || c === code.backtick;
export const isOpener = (c: number): boolean => c === code.openBracket || c === code.open;
export const isCloser = (c: number): boolean => c === code.closeBracket || c === code.close;
export const isSign = (c: number): boolean => c === code.minus || c === code.plus || c === code.unicodeMinus;
/** Blanks within a line: space, tab, no-break space, byte order mark. */
export const isBlank = (c: number): boolean => c === code.space || c === code.tab || c === 0xa0 || c === 0xfeff;
export const isSpace = (c: number): boolean => isBlank(c) || isNewline(c);

/** Whether a code is a letter, `_` or `$`. Beyond ASCII all but punctuation, arrows and mathematical signs count as letters. */
export function isLetter(c: number): boolean {
  if (c < 128) return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === code.underscore || c === 36;
  return (
    c >= 0xc0 && c !== 0xd7 && c !== 0xf7 && !(c >= 0x2000 && c < 0x2c00) && !(c >= 0x3000 && c < 0x3040) && c < 0xfe00
  );
}
/** Subscript digits as in x₁ belong to a word. */
export const isWordPart = (c: number): boolean => isLetter(c) || isDigit(c) || (c >= 0x2080 && c <= 0x2089);

/** What a skip over white space and comments has passed: nothing, blanks, or a line end. */
export type Gap = 'none' | 'blank' | 'line';

/**
 * Skips white space, `# …`, `// …`, block comments and line continuations; also doctest's `... ` at the start of a line, if the literal
 * at offset `literal` follows `>>> `.
 */
export function skipGap(s: Scanner, literal?: number): Gap {
  const start = s.at;
  let line = false;
  for (;;) {
    const c = peek(s);
    if (isNewline(c)) {
      line = true;
      s.at++;
      if (literal !== undefined) skipPrompt(s, literal);
    } else if (isWrittenNewline(s.text, s.at)) {
      line = true;
      s.at = afterWrittenNewline(s);
    } else if (isBlank(c) || (c === code.backslash && isNewline(peek(s, 1)))) s.at++;
    else if (!skipComment(s)) break;
  }
  s.steps += s.at - start + 1;
  return line ? 'line' : s.at > start ? 'blank' : 'none';
}

/** `\\n` as two characters: a line end inside a JSON string, as in notebook files. */
export const isWrittenNewline = (text: string, at: number): boolean =>
  text.charCodeAt(at) === code.backslash && text.charCodeAt(at + 1) === 110;

/** Notebook files have each line in a string of its own: `\\n",⏎    "`. */
function afterWrittenNewline(s: Scanner): number {
  const next = s.at + 2;
  if (s.text.charCodeAt(next) !== code.doubleQuote) return next;
  let i = next + 1;
  while (isSpace(s.text.charCodeAt(i)) || s.text.charCodeAt(i) === code.comma) i++;
  s.steps += i - next;
  return s.text.charCodeAt(i) === code.doubleQuote ? i + 1 : next;
}

/** Skips `... ` in `... [3, 4]])`: doctest's continuation prompt, not an ellipsis, if the literal began after `>>> `. */
function skipPrompt(s: Scanner, literal: number): void {
  let i = s.at;
  while (isBlank(s.text.charCodeAt(i))) i++;
  s.steps += i - s.at;
  if (!s.text.startsWith('... ', i)) return;
  const line = startOfLine(s.text, literal, Math.max(0, literal - longestPrompt));
  s.steps += literal - line;
  if (s.text.slice(line, literal).trimStart().startsWith('>>> ')) s.at = i + 3;
}

/** How far before a literal its doctest prompt is searched for. */
const longestPrompt = 200;

/** End of the line above one that begins at `line`: before its line break, which has two characters on Windows. */
export const endOfLineAbove = (text: string, line: number): number =>
  text.startsWith('\r\n', line - 2) ? line - 2 : Math.max(0, line - 1);

/** Start of the line that contains `at`, not before `floor`. `\\n` in a string also ends a line. */
export function startOfLine(text: string, at: number, floor = 0): number {
  let i = at;
  for (; i > floor; i--) {
    const c = text.charCodeAt(i - 1);
    // Fast path: nearly every character needs only this comparison.
    if (c > 13 && c !== 110) continue;
    if (isNewline(c) || (c === 110 && text.charCodeAt(i - 2) === code.backslash)) break;
  }
  return i;
}

function skipComment(s: Scanner): boolean {
  const c = peek(s);
  if (c === code.hash) return skipLine(s);
  if (c !== code.slash) return false;
  // `7//2` is Python's floor division, not a comment: the caller reports it.
  if (peek(s, 1) === code.slash) return !isWordPart(s.text.charCodeAt(s.at - 1)) && skipLine(s);
  return peek(s, 1) === code.star && skipBlock(s);
}

export function skipLine(s: Scanner): true {
  while (s.at < s.end && !isNewline(s.text.charCodeAt(s.at))) s.at++;
  return true;
}

/** Skips a block comment; false if it has no end, which is remembered. */
export function skipBlock(s: Scanner): boolean {
  if (s.at >= s.noBlockEndFrom) return false;
  for (let i = s.at + 2; i < s.end; i++) {
    if (s.text.charCodeAt(i) !== code.star || s.text.charCodeAt(i + 1) !== code.slash) continue;
    s.at = i + 2;
    return true;
  }
  s.steps += s.end - s.at;
  s.noBlockEndFrom = s.at;
  return false;
}

/** End of the dotted word at `from` (`np.float32`, `self.W_q`), or `from` if there is none. */
export function wordEnd(s: Scanner, from = s.at): number {
  const { text } = s;
  let i = from;
  if (!isLetter(text.charCodeAt(i))) return from;
  for (i++; ; i++) {
    const c = text.charCodeAt(i);
    if (c === code.dot ? !isLetter(text.charCodeAt(i + 1)) : !isWordPart(c)) break;
  }
  s.steps += i - from;
  return i;
}

/** End of the quoted text at the cursor: after its closing quote, or the end of the line if it has none. */
export function quotedEnd(s: Scanner): number {
  const quote = peek(s);
  let i = s.at + 1;
  for (; i < s.end; i++) {
    const c = s.text.charCodeAt(i);
    if (c === quote || isNewline(c)) break;
    if (c === code.backslash) i++;
  }
  s.steps += i - s.at;
  const closed = s.text.charCodeAt(i) === quote;
  return Math.min(closed ? i + 1 : i, s.end);
}

/** Length of `...` or `…` at the cursor, or 0. */
export function ellipsisLength(s: Scanner): number {
  if (peek(s) === code.ellipsis) return 1;
  return peek(s) === code.dot && peek(s, 1) === code.dot && peek(s, 2) === code.dot ? 3 : 0;
}
