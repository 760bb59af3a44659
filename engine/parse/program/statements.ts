import type { TextRange } from '../../text/problems';
import { code, isBlank, isDigit, isLetter, isNewline } from '../scanner';
import { stride, type Paced } from '../../text/pace';
import { stringEnd, stringStart } from './lexer';

/** One logical line: without its prompt and its indentation, up to where its brackets are closed. */
export interface Statement extends TextRange {
  /** Columns before it; a prompt counts as none. */
  readonly indent: number;
  /** Its first word, if any. */
  readonly word: string;
  /** In a text with Markdown's fences: whether it stands in one. */
  readonly fenced: boolean;
}

export interface Statements {
  readonly list: readonly Statement[];
  /** Characters that were looked at. */
  readonly steps: number;
}

/**
 * The logical lines of a program, or of a text that has one in it, between two offsets. Linear: brackets that are never
 * closed end with their line, and looking for their ends is given up once it has cost a multiple of the text.
 */
export function* readingStatements(text: string, from: number, end: number): Paced<Statements> {
  const list: Statement[] = [];
  const look: Look = { text, end, steps: 0, spare: 8 * (end - from) + 1000 };
  let fenced = false;
  let next = stride;
  for (let at = from; at < end;) {
    if (look.steps > next) {
      next = look.steps + stride;
      yield;
    }
    const line = lineOf(text, at, end);
    look.steps += line.end - at + 1;
    if (text.startsWith('```', line.start)) fenced = !fenced;
    if (isStatement(text, line)) {
      const stop = Math.max(yield* logicalEnd(look, line.start), line.start + 1);
      for (const part of yield* parts(text, line.start, stop)) list.push({ ...part, indent: line.indent, fenced });
      at = nextLine(text, stop, end);
    } else at = nextLine(text, line.end, end);
  }
  return { list, steps: look.steps };
}

interface Line extends TextRange {
  readonly indent: number;
}

const prompt = /[ \t]*(?:>>>|\.\.\.|In \[\d*\]:) /y;

/** The line at `at` without its indentation and prompt. */
function lineOf(text: string, at: number, limit: number): Line {
  let end = at;
  while (end < limit && !isNewline(text.charCodeAt(end))) end++;
  prompt.lastIndex = at;
  const prompted = prompt.exec(text)?.[0].length ?? 0;
  let start = Math.min(at + prompted, end);
  let indent = 0;
  for (; start < end && isBlank(text.charCodeAt(start)); start++) indent += text.charCodeAt(start) === code.tab ? 8 : 1;
  return { start, end, indent };
}

function isStatement(text: string, { start, end }: Line): boolean {
  if (start >= end || text.charCodeAt(start) === code.hash) return false;
  const c = text.charAt(start);
  // Magic commands of notebooks, fences, Markdown's lists, quotes and tables.
  return !(c === '%' || c === '!' || c === '`' || c === '|' || c === '>' || text.startsWith('- ', start));
}

function nextLine(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isNewline(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === code.carriageReturn && text.charCodeAt(at + 1) === code.newline ? at + 2 : at + 1;
}

/** Characters of one statement between two places to stop. */
const pause = 1 << 13;

interface Look {
  readonly text: string;
  readonly end: number;
  steps: number;
  /** What may still be spent on looking for brackets that turn out not to be closed. */
  spare: number;
}

/** Where the logical line that begins at `start` ends: at the end of the first line that leaves no bracket open. */
function* logicalEnd(look: Look, start: number): Paced<number> {
  const { text, end } = look;
  let depth = 0;
  let firstLine = -1;
  let at = start;
  let rest = at + pause;
  for (; at < end; at++) {
    const c = text.charCodeAt(at);
    if (at > rest) {
      rest = at + pause;
      yield;
    }
    if (isPartOfNumber(c)) continue;
    const last = lastOfProse(text, at, end);
    if (last > at) at = last;
    else if (opens(c)) depth++;
    else if (closes(c)) depth = Math.max(0, depth - 1);
    else if (c === code.backslash && isNewline(text.charCodeAt(at + 1))) at++;
    else if (isNewline(c)) {
      if (depth === 0) break;
      if (firstLine < 0) firstLine = at;
      if (look.spare <= 0 || text.startsWith('```', at + 1) || text.startsWith('>>> ', at + 1)) break;
    }
  }
  look.steps += at - start;
  const closed = depth === 0 || firstLine < 0;
  if (!closed) look.spare -= at - start;
  return closed ? Math.min(at, end) : firstLine;
}

const opens = (c: number): boolean => c === code.open || c === code.openBracket || c === code.openBrace;
const closes = (c: number): boolean => c === code.close || c === code.closeBracket || c === code.closeBrace;

/** The last character of the string or comment that begins at `at`; `at` where none does. */
function lastOfProse(text: string, at: number, end: number): number {
  const c = text.charCodeAt(at);
  if (c === code.hash) return lineEnd(text, at, end) - 1;
  const quote = isQuoteOrPrefix(c) && !isInWord(text, at) ? stringStart(text, at) : -1;
  return quote < 0 ? at : Math.max(at, stringEnd(text, quote, end) - 1);
}

/** Digits, signs, points, commas and blanks: nearly all of a long statement. */
const isPartOfNumber = (c: number): boolean => (c >= 43 && c <= 57 && c !== code.slash) || c === code.space;

/** r, b, f and u before a string, in either case. */
const prefixes = new Set([114, 82, 98, 66, 102, 70, 117, 85]);
/** Digits, signs and separators, of which matrices consist, are told apart before the set is asked. */
const isQuoteOrPrefix = (c: number): boolean => (c < 66 ? c === code.quote || c === code.doubleQuote : prefixes.has(c));
const isInWord = (text: string, at: number): boolean => {
  const before = at > 0 ? text.charCodeAt(at - 1) : -1;
  return isLetter(before) || isDigit(before);
};

function lineEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isNewline(text.charCodeAt(at))) at++;
  return at;
}

/** `a = 1; b = 2`: the statements of a logical line. Strings and brackets are looked at again, once. */
function* parts(text: string, start: number, end: number): Paced<(TextRange & { readonly word: string })[]> {
  const found: (TextRange & { readonly word: string })[] = [];
  let depth = 0;
  let from = start;
  const push = (to: number): void => {
    while (from < to && isBlank(text.charCodeAt(from))) from++;
    if (to > from) found.push({ start: from, end: to, word: firstWord(text, from, to) });
  };
  let rest = start + pause;
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at);
    if (at > rest) {
      rest = at + pause;
      yield;
    }
    if (isPartOfNumber(c)) continue;
    const last = lastOfProse(text, at, end);
    if (last > at) at = last;
    else if (opens(c)) depth++;
    else if (closes(c)) depth--;
    else if (c === 59 && depth <= 0) {
      push(at);
      from = at + 1;
    }
  }
  push(end);
  return found;
}

function firstWord(text: string, start: number, end: number): string {
  let at = start;
  while (at < end && at < start + 40 && (isLetter(text.charCodeAt(at)) || (at > start && isDigit(text.charCodeAt(at)))))
    at++;
  return text.slice(start, at);
}
