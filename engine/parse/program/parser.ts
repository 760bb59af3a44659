import { t } from '../../text/l10n';
import { finish } from '../../text/pace';
import { advance, isAt, isWord, take, wordOf, type Lexer } from './lexer';
import { readingNumbersOnly } from './numbers-only';
import type { Argument, Call, Node } from './tree';

/** Brackets and operators in each other, at most. Python's own parser stops at 200 parentheses. */
const deepest = 100;

/** Thrown to leave the parser where a text is no expression; caught in `parseExpression` alone. */
const noExpression = { noExpression: true };
const stop = (): never => {
  throw noExpression as unknown as Error;
};

/**
 * The expression, or the tuple without parentheses, at the cursor; undefined when none is, or when it is nested too
 * deeply. The cursor then stands where reading stopped.
 */
export function parseExpression(l: Lexer): Node | undefined {
  try {
    return tuple(l, 0);
  } catch (error) {
    if (error === noExpression) return undefined;
    throw error;
  }
}

type Of<K extends Node['kind']> = Omit<Extract<Node, { kind: K }>, 'depth'>;

/** A node one deeper than its parts. */
function node<K extends Node['kind']>(fields: Of<K>, parts: readonly Node[]): Node {
  let depth = 1;
  for (const part of parts) depth = Math.max(depth, part.depth + 1);
  if (depth > deepest) stop();
  return { ...fields, depth } as unknown as Node;
}

function tuple(l: Lexer, level: number): Node {
  const first = expression(l, level);
  if (!isAt(l, ',')) return first;
  const items = [first];
  while (take(l, ',')) {
    if (l.kind === 'end' || isAt(l, '=') || isAt(l, ')') || isAt(l, ']')) break;
    items.push(expression(l, level));
  }
  return node<'tuple'>({ kind: 'tuple', items, start: first.start, end: items.at(-1)?.end ?? first.end }, items);
}

/** A conditional, a lambda, or anything with operators. */
function expression(l: Lexer, level: number): Node {
  if (level > deepest) stop();
  const { start } = l;
  if (isWord(l, 'lambda') || isWord(l, 'await') || isWord(l, 'yield')) return skipped(l, wordOf(l));
  if (take(l, '*') || take(l, '**')) {
    const part = expression(l, level + 1);
    return node<'other'>({ kind: 'other', what: t('a starred expression'), parts: [part], start, end: part.end }, [
      part,
    ]);
  }
  const value = binary(l, 0, level);
  if (!isWord(l, 'if')) return value;
  advance(l);
  const condition = binary(l, 0, level);
  if (!isWord(l, 'else')) return stop();
  advance(l);
  const otherwise = expression(l, level + 1);
  const parts = [condition, value, otherwise];
  return node<'other'>({ kind: 'other', what: t('a conditional expression'), parts, start, end: otherwise.end }, parts);
}

/** `lambda …` to the end of its bracket or statement: its body is not run here. */
function skipped(l: Lexer, what: string): Node {
  const { start } = l;
  let depth = 0;
  let end = start;
  while (l.kind !== 'end') {
    if (isAt(l, '(') || isAt(l, '[') || isAt(l, '{')) depth++;
    else if (isAt(l, ')') || isAt(l, ']') || isAt(l, '}')) depth--;
    if (depth < 0 || (depth === 0 && isAt(l, ','))) break;
    end = l.stop;
    advance(l);
  }
  return node<'other'>({ kind: 'other', what, parts: [], start, end }, []);
}

/** Binding strength; the left operand binds first in each level. */
const strengths = new Map<string, number>([
  ['or', 1],
  ['and', 2],
  ...'in is not < > <= >= == !='.split(' ').map((o): [string, number] => [o, 4]),
  ['|', 5],
  ['^', 6],
  ['&', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ...'* / // % @'.split(' ').map((o): [string, number] => [o, 10]),
]);
const notStrength = 3;
const signStrength = 11;

function operatorAt(l: Lexer): string | undefined {
  if (l.kind !== 'operator' && l.kind !== 'name') return undefined;
  const word = wordOf(l);
  return strengths.has(word) ? word : undefined;
}

function binary(l: Lexer, least: number, level: number): Node {
  let left = unary(l, level + 1);
  for (let op = operatorAt(l); op !== undefined; op = operatorAt(l)) {
    const strength = strengths.get(op) ?? 0;
    if (strength < least || (op === 'not' && least > 4)) return left;
    advance(l);
    if ((op === 'not' && isWord(l, 'in')) || (op === 'is' && isWord(l, 'not'))) advance(l);
    const right = binary(l, strength + 1, level + 1);
    left = node<'binary'>({ kind: 'binary', operator: op, left, right, start: left.start, end: right.end }, [
      left,
      right,
    ]);
  }
  return left;
}

function unary(l: Lexer, level: number): Node {
  if (level > 4 * deepest) stop();
  const { start } = l;
  if (isWord(l, 'not')) {
    advance(l);
    const of = binary(l, notStrength, level + 1);
    return node<'unary'>({ kind: 'unary', operator: 'not', of, start, end: of.end }, [of]);
  }
  if (isAt(l, '-') || isAt(l, '+') || isAt(l, '~')) {
    const operator = wordOf(l);
    advance(l);
    const of = binary(l, signStrength, level + 1);
    return node<'unary'>({ kind: 'unary', operator, of, start, end: of.end }, [of]);
  }
  return power(l, level);
}

/** `a ** b`: binds tighter than a sign at its left, and to the right. */
function power(l: Lexer, level: number): Node {
  const left = postfix(l, level);
  if (!take(l, '**')) return left;
  const right = unary(l, level + 1);
  return node<'binary'>({ kind: 'binary', operator: '**', left, right, start: left.start, end: right.end }, [
    left,
    right,
  ]);
}

function postfix(l: Lexer, level: number): Node {
  let at = primary(l, level);
  for (;;) {
    if (take(l, '.')) {
      if (l.kind !== 'name') return stop();
      const [name, end] = [wordOf(l), l.stop];
      advance(l);
      at = node<'attribute'>({ kind: 'attribute', of: at, name, start: at.start, end }, [at]);
    } else if (isAt(l, '(')) at = call(l, at, level);
    else if (isAt(l, '[')) at = subscript(l, at, level);
    else return at;
  }
}

function call(l: Lexer, of: Node, level: number): Node {
  advance(l);
  const args: Argument[] = [];
  while (!isAt(l, ')')) {
    args.push(argument(l, level + 1));
    if (isWord(l, 'for') || isWord(l, 'async')) {
      const inner = args.map((a) => a.value);
      const rest = skipped(l, t('a generator expression'));
      if (!isAt(l, ')')) stop();
      args.push({ value: { ...rest, kind: 'other', what: t('a generator expression'), parts: inner } as Node });
    } else if (!take(l, ',') && !isAt(l, ')')) stop();
  }
  const end = l.stop;
  advance(l);
  const fields: Omit<Call, 'depth'> = { kind: 'call', of, args, start: of.start, end };
  return node<'call'>(fields, [of, ...args.map((a) => a.value)]);
}

function argument(l: Lexer, level: number): Argument {
  if (l.kind === 'name') {
    const keyword = wordOf(l);
    const { start, stop: end } = l;
    advance(l);
    if (take(l, '=')) return { keyword, value: expression(l, level) };
    rewind(l, start, end);
  }
  return { value: expression(l, level) };
}

/** Back to a name that was just passed. */
function rewind(l: Lexer, start: number, stopAt: number): void {
  l.kind = 'name';
  l.start = start;
  l.stop = stopAt;
}

function subscript(l: Lexer, of: Node, level: number): Node {
  advance(l);
  const items: Node[] = [];
  const start = l.start;
  let end = start;
  let sliced = false;
  while (!isAt(l, ']')) {
    if (isAt(l, ':') || isAt(l, '...')) {
      sliced = true;
      end = l.stop;
      advance(l);
    } else if (!isAt(l, ',')) {
      const item = expression(l, level + 1);
      items.push(item);
      end = item.end;
    }
    if (l.kind === 'end') stop();
    if (isAt(l, ',')) {
      end = l.stop;
      advance(l);
    }
  }
  const close = l.stop;
  advance(l);
  const [only] = items;
  const index =
    sliced || !only
      ? node<'other'>({ kind: 'other', what: t('a slice'), parts: items, start, end }, items)
      : items.length === 1
        ? only
        : node<'tuple'>({ kind: 'tuple', items, start, end }, items);
  return node<'subscript'>({ kind: 'subscript', of, index, start: of.start, end: close }, [of, index]);
}

function primary(l: Lexer, level: number): Node {
  const { start, stop: end } = l;
  if (l.kind === 'number') {
    const { value } = l;
    const whole = !/[.eE]/.test(wordOf(l)) || /^0[xX]/.test(wordOf(l));
    advance(l);
    return node<'number'>({ kind: 'number', value, whole, start, end }, []);
  }
  if (l.kind === 'string') return strings(l);
  if (l.kind === 'name') {
    const name = wordOf(l);
    if (reserved.has(name)) stop();
    advance(l);
    return node<'name'>({ kind: 'name', name, start, end }, []);
  }
  if (isAt(l, '[') || isAt(l, '(')) return bracketed(l, level);
  if (isAt(l, '{')) return braced(l);
  return stop();
}

const reserved = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** One string, or several that stand beside each other. */
function strings(l: Lexer): Node {
  const { start } = l;
  let end = start;
  let written = '';
  while (l.kind === 'string') {
    end = l.stop;
    if (end - start < 10_000) written += wordOf(l);
    advance(l);
  }
  const text = /^[rbuRBU]*(['"])(.*)\1$/s.exec(written)?.[2];
  if (text === undefined)
    return node<'other'>({ kind: 'other', what: t('a formatted string'), parts: [], start, end }, []);
  return node<'string'>({ kind: 'string', text, start, end }, []);
}

function bracketed(l: Lexer, level: number): Node {
  const { start } = l;
  const round = isAt(l, '(');
  const literal = literalEnd(l);
  if (literal > 0) {
    l.stop = literal;
    advance(l);
    return node<'literal'>({ kind: 'literal', start, end: literal }, []);
  }
  advance(l);
  const close = round ? ')' : ']';
  const items: Node[] = [];
  let commas = 0;
  while (!isAt(l, close)) {
    items.push(expression(l, level + 1));
    if (isWord(l, 'for') || isWord(l, 'async')) return comprehension(l, start, items, close);
    if (take(l, ',')) commas++;
    else if (!isAt(l, close)) stop();
  }
  const end = l.stop;
  advance(l);
  const [only] = items;
  if (round && only && commas === 0) return { ...only, start, end };
  if (round) return node<'tuple'>({ kind: 'tuple', items, start, end }, items);
  return node<'list'>({ kind: 'list', items, start, end }, items);
}

/** The end of the numbers in brackets at the cursor, or 0. */
function literalEnd(l: Lexer): number {
  const known = l.literals.get(l.start);
  if (known !== undefined) return known;
  const { end, steps } = finish(readingNumbersOnly(l.text, l.start, l.end));
  l.steps += steps;
  return end;
}

function comprehension(l: Lexer, start: number, items: readonly Node[], close: string): Node {
  skipped(l, '');
  const end = l.stop;
  if (!take(l, close)) stop();
  return node<'other'>({ kind: 'other', what: t('a comprehension'), parts: items, start, end }, items);
}

/** A dict, a set: passed over. */
function braced(l: Lexer): Node {
  const { start } = l;
  advance(l);
  for (let depth = 1; depth > 0;) {
    if (l.kind === 'end') stop();
    if (isAt(l, '{')) depth++;
    if (isAt(l, '}')) depth--;
    if (depth > 0) advance(l);
  }
  const end = l.stop;
  advance(l);
  return node<'other'>({ kind: 'other', what: t('a dict or a set'), parts: [], start, end }, []);
}
