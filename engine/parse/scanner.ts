import { stride } from '../text';

/**
 * A cursor over text with UTF-16 offsets. Every function here moves forward over what it reads and never back, so that
 * a reader built on them takes time linear in the text; `steps` counts the characters that were looked at.
 */
export interface Scanner {
  readonly text: string;
  /** Half-open limit: nothing at or after it is read. */
  readonly end: number;
  at: number;
  /** Characters looked at since the start, also those read twice: what the tests hold to a multiple of the length. */
  steps: number;
  /** Once `steps` has passed this, a reader stops for a moment (`isDue`). */
  due: number;
  /** The number that was last read (see numbers.ts): a field rather than a result, for speed. */
  value: number;
  /** From here on there is no end of a block comment; found once, so that a text full of openers stays linear. */
  noBlockEndFrom: number;
  /** The same for brackets that are never closed. */
  noCloserFrom: number;
}

export const scannerOf = (text: string, at = 0, end = text.length): Scanner => ({
  text,
  at,
  end: Math.min(end, text.length),
  steps: 0,
  due: stride,
  value: 0,
  noBlockEndFrom: Infinity,
  noCloserFrom: Infinity,
});

/** Whether as much was looked at as is at a stretch: `if (isDue(s)) yield;` in every loop over rows or items. */
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

/** Letters, `_` and `$`. Beyond ASCII everything but punctuation, arrows and mathematical signs counts as a letter. */
export function isLetter(c: number): boolean {
  if (c < 128) return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === code.underscore || c === 36;
  return (
    c >= 0xc0 && c !== 0xd7 && c !== 0xf7 && !(c >= 0x2000 && c < 0x2c00) && !(c >= 0x3000 && c < 0x3040) && c < 0xfe00
  );
}
/** Subscript digits as in x₁ belong to a word. */
export const isWordPart = (c: number): boolean => isLetter(c) || isDigit(c) || (c >= 0x2080 && c <= 0x2089);

/** What a skip over white space and comments passed. */
export type Gap = 'none' | 'blank' | 'line';

/**
 * Skips white space, `# …`, `// …` and block comments, line continuations, and doctest's `... ` at the start of a line
 * when the literal that is read (from `literal` on) stands after `>>> `. Says whether it passed nothing, blanks, or the end of a line.
 */
export function skipGap(s: Scanner, literal = -1): Gap {
  const start = s.at;
  let gap: Gap = 'none';
  for (;;) {
    const c = peek(s);
    if (isNewline(c)) {
      gap = 'line';
      s.at++;
      if (literal >= 0) skipPrompt(s, literal);
    } else if (isWrittenNewline(s.text, s.at)) {
      gap = 'line';
      s.at = afterWrittenNewline(s);
    } else if (isBlank(c) || (c === code.backslash && isNewline(peek(s, 1)))) s.at++;
    else if (!skipComment(s)) break;
  }
  s.steps += s.at - start + 1;
  return gap === 'line' ? gap : s.at > start ? 'blank' : 'none';
}

/** `\\n` as two characters: the end of a line inside of a JSON string, as in the file of a notebook. */
export const isWrittenNewline = (text: string, at: number): boolean =>
  text.charCodeAt(at) === code.backslash && text.charCodeAt(at + 1) === 110;

/** A notebook keeps each line in a string of its own: `\\n",⏎    "`. */
function afterWrittenNewline(s: Scanner): number {
  const next = s.at + 2;
  if (s.text.charCodeAt(next) !== code.doubleQuote) return next;
  let i = next + 1;
  while (i < s.end && (isSpace(s.text.charCodeAt(i)) || s.text.charCodeAt(i) === code.comma)) i++;
  s.steps += i - next;
  return i < s.end && s.text.charCodeAt(i) === code.doubleQuote ? i + 1 : next;
}

/** `... [3, 4]])`: doctest's continuation, which is no elision where the literal began after `>>> `. */
function skipPrompt(s: Scanner, literal: number): void {
  let i = s.at;
  while (i < s.end && isBlank(s.text.charCodeAt(i))) i++;
  s.steps += i - s.at;
  if (!s.text.startsWith('... ', i)) return;
  const line = startOfLine(s.text, literal, Math.max(0, literal - longestPrompt));
  s.steps += literal - line;
  if (s.text.slice(line, literal).trimStart().startsWith('>>> ')) s.at = i + 3;
}

/** How far before a literal its doctest prompt is looked for. */
const longestPrompt = 200;

/** Start of the line that `at` stands in, also where lines are written `\\n` in a string; not before `floor`. */
export function startOfLine(text: string, at: number, floor = 0): number {
  let i = at;
  for (; i > floor; i--) {
    const c = text.charCodeAt(i - 1);
    // Nearly every character is neither: one comparison each.
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
  if (peek(s, 1) === code.slash) return s.at > 0 && isWordPart(s.text.charCodeAt(s.at - 1)) ? false : skipLine(s);
  return peek(s, 1) === code.star && skipBlock(s);
}

export function skipLine(s: Scanner): true {
  while (s.at < s.end && !isNewline(s.text.charCodeAt(s.at))) s.at++;
  return true;
}

/** From `/*` to behind its end; false where it has none, which is remembered. */
export function skipBlock(s: Scanner): boolean {
  if (s.at >= s.noBlockEndFrom) return false;
  for (let i = s.at + 2; i + 1 < s.end; i++) {
    if (s.text.charCodeAt(i) !== code.star || s.text.charCodeAt(i + 1) !== code.slash) continue;
    s.at = i + 2;
    return true;
  }
  s.steps += s.end - s.at;
  s.noBlockEndFrom = s.at;
  return false;
}

/** End of the dotted word that starts at `from` (`np.float32`, `self.W_q`), or `from` when none does. */
export function wordEnd(s: Scanner, from = s.at): number {
  const { text, end } = s;
  let i = from;
  if (i >= end || !isLetter(text.charCodeAt(i))) return from;
  for (i++; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === code.dot ? !(i + 1 < end && isLetter(text.charCodeAt(i + 1))) : !isWordPart(c)) break;
  }
  s.steps += i - from;
  return i;
}

/** End of the quoted text that starts at the cursor: after its closing quote, or at the end of the line when it has none. */
export function quotedEnd(s: Scanner): number {
  const quote = peek(s);
  let i = s.at + 1;
  for (; i < s.end; i++) {
    const c = s.text.charCodeAt(i);
    if (c === quote || isNewline(c)) break;
    if (c === code.backslash) i++;
  }
  s.steps += i - s.at;
  const closed = i < s.end && s.text.charCodeAt(i) === quote;
  return Math.min(closed ? i + 1 : i, s.end);
}

/** `...` or `…` at the cursor: its length, or 0. */
export function ellipsisLength(s: Scanner): number {
  if (peek(s) === code.ellipsis) return 1;
  return peek(s) === code.dot && peek(s, 1) === code.dot && peek(s, 2) === code.dot ? 3 : 0;
}
