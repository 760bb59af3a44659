import type { TextRange } from '../../text/problems';
import type { Paced } from '../../text/pace';
import { code, isDigit, isSpace } from '../scanner';

/** Statements of more characters are measured before they are parsed, so that the parser passes their literals in one step. */
export const longStatement = 1 << 14;

/** Characters between two places to stop. */
const pause = 1 << 13;

export interface NumbersOnly {
  /** After the closing bracket; 0 when something else is in the brackets. */
  readonly end: number;
  /** Characters that were looked at. */
  readonly steps: number;
}

/**
 * The end of the brackets at `start` when they hold brackets (or, for `[`, at least a comma) and nothing but numbers, blanks and
 * comments. `inf` and `True` are left to the parser.
 */
export function* readingNumbersOnly(text: string, start: number, end: number): Paced<NumbersOnly> {
  let [depth, brackets, at, rest] = [0, 0, start, start + pause];
  for (; at < end; at++) {
    const c = text.charCodeAt(at);
    if (at > rest) {
      rest = at + pause;
      yield;
    }
    if (isDigit(c) || c === code.comma || c === code.space || c === code.dot || c === code.minus) continue;
    if (c === code.openBracket) {
      depth++;
      brackets++;
    } else if (c === code.open) depth++;
    else if (c === code.closeBracket || c === code.close) {
      if (--depth === 0) return { end: brackets > 0 ? at + 1 : 0, steps: at - start };
    } else if (c === code.hash) while (at + 1 < end && text.charCodeAt(at + 1) !== code.newline) at++;
    else if (!isSpace(c) && c !== code.plus && !isInNumber(text, at, c)) break;
  }
  return { end: 0, steps: at - start };
}

/** `e` after a digit or a point, `_` after a digit. */
function isInNumber(text: string, at: number, c: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (c === 101 || c === 69) return isDigit(before) || before === code.dot;
  return c === code.underscore && isDigit(before);
}

/** A bracket that is open. */
interface Open {
  readonly at: number;
  /** `[` in it, itself included. */
  brackets: number;
  /** Characters in it that belong to literals. */
  inside: number;
}

export interface Measured {
  /** Characters outside of literals. */
  readonly outside: number;
  /** More than one comma outside of all brackets and no equals sign there: values beside each other, which are given to no name. */
  readonly several: boolean;
}

/** Shorter brackets are measured when the parser comes to them. */
const longBracket = 1024;

/**
 * Puts the ends of the long literals of a statement into `literals`, 0 for long brackets that hold something else, and says what
 * stands outside of literals. One pass, however deep brackets stand in each other.
 */
export function* measureLiterals(
  text: string,
  { start, end }: TextRange,
  literals: Map<number, number>,
): Paced<Measured> {
  const outer: Open = { at: start, brackets: 0, inside: 0 };
  const stack: Open[] = [outer];
  let [odd, rest, commas, equals] = [start - 1, start + pause, 0, 0];
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at);
    if (at > rest) {
      rest = at + pause;
      yield;
    }
    if (stack.length === 1) {
      if (c === code.comma) commas++;
      else if (c === code.equals) equals++;
    }
    if (isDigit(c) || c === code.comma || c === code.space || c === code.dot || c === code.minus) continue;
    if (c === code.openBracket || c === code.open)
      stack.push({ at, brackets: c === code.openBracket ? 1 : 0, inside: 0 });
    else if (c === code.closeBracket || c === code.close) closeBracket(stack, at + 1, odd, literals);
    else if (c === code.hash) while (at + 1 < end && text.charCodeAt(at + 1) !== code.newline) at++;
    else if (!isSpace(c) && c !== code.plus && !isInNumber(text, at, c)) odd = at;
  }
  for (const { at } of stack.slice(1)) literals.set(at, 0);
  const inside = stack.reduce((sum, { inside: n }) => sum + n, 0);
  return { outside: end - start - inside, several: commas > 1 && equals === 0 };
}

/** `odd`: where something that is no part of a number stood last. */
function closeBracket(stack: Open[], end: number, odd: number, literals: Map<number, number>): void {
  const open = stack.length > 1 ? stack.pop() : undefined;
  const parent = stack.at(-1);
  if (!open || !parent) return;
  const sound = odd < open.at && open.brackets > 0;
  if (end - open.at >= longBracket) literals.set(open.at, sound ? end : 0);
  parent.brackets += open.brackets;
  parent.inside += sound ? end - open.at : open.inside;
}
