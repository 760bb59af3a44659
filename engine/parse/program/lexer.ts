import { isDigit, isLetter, isSpace, code } from '../scanner';

/** Python's tokens, one at a time; what is read was measured to be one statement, so that line ends are blanks. */
export interface Lexer {
  readonly text: string;
  readonly end: number;
  /** The token at the cursor and its place. */
  kind: 'name' | 'number' | 'string' | 'operator' | 'end' | 'bad';
  start: number;
  stop: number;
  /** Of a number token. */
  value: number;
  /** Characters that were looked at. */
  steps: number;
  /** Where long literals end, by their bracket (numbers-only.ts). */
  readonly literals: ReadonlyMap<number, number>;
}

const noLiterals: ReadonlyMap<number, number> = new Map();

export function lexerOf(text: string, start: number, end: number, literals = noLiterals): Lexer {
  const lexer: Lexer = { text, end, kind: 'bad', start, stop: start, value: 0, steps: 0, literals };
  advance(lexer);
  return lexer;
}

/** Moves to the next token. */
export function advance(l: Lexer): void {
  const before = l.stop;
  l.start = skipBlanks(l, l.stop);
  if (l.start >= l.end) {
    l.kind = 'end';
    l.stop = l.end;
  } else readToken(l, l.text.charCodeAt(l.start));
  l.steps += l.stop - before + 1;
}

export const wordOf = (l: Lexer): string => l.text.slice(l.start, l.stop);
export const isAt = (l: Lexer, operator: string): boolean =>
  l.kind === 'operator' && l.stop - l.start === operator.length && l.text.startsWith(operator, l.start);
export const isWord = (l: Lexer, word: string): boolean =>
  l.kind === 'name' && l.stop - l.start === word.length && l.text.startsWith(word, l.start);

/** Moves past an operator when it stands at the cursor. */
export function take(l: Lexer, operator: string): boolean {
  const found = isAt(l, operator);
  if (found) advance(l);
  return found;
}

/** Blanks, comments, line ends in brackets with doctest's prompt after them. */
function skipBlanks({ text, end }: Lexer, from: number): number {
  let at = from;
  while (at < end) {
    const c = text.charCodeAt(at);
    if (c === code.hash) while (at < end && text.charCodeAt(at) !== code.newline) at++;
    else if (c === code.newline && text.startsWith('... ', at + 1)) at += 5;
    else if (isSpace(c) || (c === code.backslash && isSpace(text.charCodeAt(at + 1)))) at++;
    else break;
  }
  return at;
}

function readToken(l: Lexer, c: number): void {
  const quote = stringStart(l.text, l.start);
  if (quote >= 0) {
    l.kind = 'string';
    l.stop = Math.min(stringEnd(l.text, quote, l.end), l.end);
  } else if (isDigit(c) || (c === code.dot && isDigit(l.text.charCodeAt(l.start + 1)))) readNumber(l);
  else if (isLetter(c)) {
    l.kind = 'name';
    l.stop = wordStop(l.text, l.start, l.end);
  } else readOperator(l);
}

function wordStop(text: string, from: number, end: number): number {
  let at = from + 1;
  while (at < end && (isLetter(text.charCodeAt(at)) || isDigit(text.charCodeAt(at)))) at++;
  return at;
}

const number = /0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;

function readNumber(l: Lexer): void {
  number.lastIndex = l.start;
  const written = number.exec(l.text)?.[0] ?? '';
  l.stop = Math.min(l.start + written.length, l.end);
  l.value = Number(written.replaceAll('_', ''));
  // `2j`, `12px`
  l.kind = l.stop > l.start && !isLetter(l.text.charCodeAt(l.stop)) ? 'number' : 'bad';
  if (l.kind === 'bad') l.stop = wordStop(l.text, l.start, l.end);
}

const operators = [
  '**=',
  '//=',
  '>>=',
  '<<=',
  '...',
  ...'** // == != <= >= -> += -= *= /= @= %= |= &= ^= := << >>'.split(' '),
];
const singles = '+-*/%@=<>()[]{},:.~&|^;!';

function readOperator(l: Lexer): void {
  const long = operators.find((o) => l.text.startsWith(o, l.start));
  l.stop = l.start + (long?.length ?? 1);
  l.kind = long !== undefined || singles.includes(l.text.charAt(l.start)) ? 'operator' : 'bad';
}

/** Offset of the quote of a string that starts at `at`, past its prefix (`r`, `f`, `b`); −1 where none does. */
export function stringStart(text: string, at: number): number {
  for (let i = at; i < at + 3; i++) {
    const c = text.charCodeAt(i);
    if (c === code.quote || c === code.doubleQuote) return i;
    if (!'rRbBfFuU'.includes(text.charAt(i)) || i >= text.length) return -1;
  }
  return -1;
}

/** After a string's closing quotes; the end of the line where a string in single quotes has none, `end` for three. */
export function stringEnd(text: string, quote: number, end: number): number {
  const mark = text.charAt(quote);
  const triple = text.startsWith(mark.repeat(3), quote);
  for (let i = quote + (triple ? 3 : 1); i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === code.backslash) i++;
    else if (!triple && c === code.newline) return i;
    else if (text.charAt(i) === mark && (!triple || text.startsWith(mark.repeat(3), i))) return i + (triple ? 3 : 1);
  }
  return end;
}
