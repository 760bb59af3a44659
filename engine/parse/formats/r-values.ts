import { t, type Problem, type TextRange, type Paced } from '../../text';
import { problemsOf } from '../nested-problems';
import {
  code,
  isCloser,
  isDue,
  isLetter,
  isNewline,
  isQuote,
  isSign,
  isSpace,
  isWordPart,
  peek,
  quotedEnd,
  skipLine,
  type Scanner,
} from '../scanner';
import { readNumeral } from './numerals';

/** A value of R: a vector with the names of its elements, a list of values, or `NULL`. */
export interface Value {
  readonly kind: 'numbers' | 'strings' | 'list' | 'null';
  readonly numbers: readonly number[];
  readonly strings: readonly string[];
  readonly list: readonly Argument[];
  /** `c(a = 1, b = 2)`. */
  readonly names: readonly string[] | undefined;
  readonly range: TextRange;
}

export interface Argument {
  readonly name: string | undefined;
  readonly value: Value;
}

/** The arguments of one call. */
export interface Args {
  readonly list: readonly Argument[];
  /** Number of items written as numbers, also if there is a Problem: `3i` and `NA` are such items. */
  readonly numbers: number;
  readonly problem?: Problem;
}

interface Reading {
  readonly s: Scanner;
  numbers: number;
  /** Number of numbers produced by ranges and repetitions. */
  made: number;
  /** Whether this is `row.names = c(NA, -3L)`, in which R encodes a count. */
  rowNames: boolean;
  problem: Problem | undefined;
}

/** Deepest nesting of calls: `structure(c(…), dimnames = list(c(…), c(…)))`. */
const mostDepth = 4;
/** Most numbers that ranges and repetitions in one call may produce, so that short text cannot take much time. */
export const mostMade = 1024;

/**
 * Reads `(c(1, 2), nrow = 2)` from its parenthesis: numbers, ranges `1:6`, strings, `c(…)`, `rep(x, n)`, `list(…)` and `NULL`, each with its
 * name. The cursor ends after the call, or at the first thing that is none of these.
 */
export function* readArgsPaced(s: Scanner): Paced<Args> {
  const r: Reading = { s, numbers: 0, made: 0, rowNames: false, problem: undefined };
  const list = yield* readList(r, 1);
  return { list, numbers: r.numbers, ...(r.problem ? { problem: r.problem } : {}) };
}

/** From the opening parenthesis to after the closing one. */
function* readList(r: Reading, depth: number): Paced<Argument[]> {
  const { s } = r;
  const open = s.at++;
  const list: Argument[] = [];
  skipGap(s);
  while (!r.problem && peek(s) !== code.close) {
    const argument = yield* readArgument(r, depth);
    if (!argument) break;
    list.push(argument);
    if (isDue(s)) yield;
    skipGap(s);
    if (peek(s) === code.comma) s.at++;
    else if (peek(s) !== code.close) fail(r, open);
    skipGap(s);
  }
  if (!r.problem) s.at++;
  return list;
}

function fail(r: Reading, open: number): void {
  const { s } = r;
  const problems = problemsOf(s.text);
  const c = peek(s);
  if (c < 0 || (isLetter(c) && startsLine(s))) problems.unclosed(open, s.at);
  else if (isLetter(c)) problems.unknownName(s.at, wordEndOf(s), s.text.slice(s.at, Math.min(wordEndOf(s), s.at + 40)));
  else if (isQuote(c)) problems.leaf('string', s.at, Math.min(quotedEnd(s), s.at + 40));
  else if (isCloser(c)) problems.mismatched(open, s.at);
  else problems.unexpected(s.at);
  r.problem = problems.list()[0];
}

function startsLine(s: Scanner): boolean {
  let at = s.at;
  while (at > 0 && s.at - at < 80 && isSpace(s.text.charCodeAt(at - 1)) && !isNewline(s.text.charCodeAt(at - 1))) at--;
  return at > 0 && isNewline(s.text.charCodeAt(at - 1));
}

function* readArgument(r: Reading, depth: number): Paced<Argument | undefined> {
  const name = readName(r.s);
  skipGap(r.s);
  const { rowNames } = r;
  r.rowNames ||= name === 'row.names';
  const value = yield* readValue(r, depth);
  r.rowNames = rowNames;
  return value && { name, value };
}

/** `nrow =`, `"a b" =`, `` `a b` = ``, `.Dim =`. */
function readName(s: Scanner): string | undefined {
  const start = s.at;
  const end = isQuote(peek(s)) ? quotedEnd(s) : wordEndOf(s);
  if (end > start) {
    s.at = end;
    skipGap(s);
    if (peek(s) === code.equals && peek(s, 1) !== code.equals) {
      s.at++;
      return unquoted(s.text.slice(start, Math.min(end, start + 80)));
    }
  }
  s.at = start;
  return undefined;
}

const unquoted = (written: string): string =>
  isQuote(written.charCodeAt(0)) ? written.slice(1, -1).replace(/\\(.)/g, '$1') : written;

/** End of a word of R: letters, digits, points and underscores, also at the start (`.Dim`). */
function wordEndOf(s: Scanner): number {
  let at = s.at;
  if (!isLetter(peek(s)) && !(peek(s) === code.dot && isLetter(peek(s, 1)))) return at;
  while (isWordPart(s.text.charCodeAt(at)) || s.text.charCodeAt(at) === code.dot) at++;
  s.steps += at - s.at;
  return at;
}

function* readValue(r: Reading, depth: number): Paced<Value | undefined> {
  const { s } = r;
  const start = s.at;
  if (isQuote(peek(s))) {
    s.at = quotedEnd(s);
    return value('strings', start, s, { strings: [unquoted(s.text.slice(start, Math.min(s.at, start + 200)))] });
  }
  const number = readNumber(r);
  if (number !== undefined) return readRange(r, start, number);
  if (r.problem) return undefined;
  const end = wordEndOf(s);
  const word = s.text.slice(start, Math.min(end, start + 12));
  s.at = end;
  if (word === 'NULL') return value('null', start, s, {});
  if (peek(s) === code.open && depth < mostDepth && known.has(word)) {
    const list = yield* readList(r, depth + 1);
    return r.problem ? undefined : yield* called(r, word, list, start);
  }
  s.at = start;
  fail(r, start);
  return undefined;
}

const known = new Set(['c', 'list', 'rep', 'seq_len']);

function readNumber(r: Reading): number | undefined {
  const { s } = r;
  const start = s.at;
  const constant = constants.get(s.text.slice(start, wordEndOf(s)));
  if (constant !== undefined) {
    s.at = wordEndOf(s);
    r.numbers++;
    return constant;
  }
  const kind = readNumeral(s, 'r', {}, true);
  if (kind === 'number') {
    r.numbers++;
    const { value: found } = s;
    return isComplex(r, start) ? undefined : found;
  }
  if (kind === 'none' && !/^NA(?:_\w+)?$/.test(s.text.slice(start, wordEndOf(s)))) return undefined;
  if (kind === 'none') s.at = wordEndOf(s);
  if (kind === 'none' && r.rowNames) return NaN;
  r.numbers++;
  const problems = problemsOf(s.text);
  problems.leaf(kind === 'none' ? 'null' : kind, start, s.at);
  r.problem = problems.list()[0];
  return undefined;
}

/** `1+2i`: the imaginary part is joined to the number before it. */
function isComplex(r: Reading, start: number): boolean {
  const { s } = r;
  const rest = isSign(peek(s)) ? /^[+-][\d.]+(?:e[+-]?\d+)?i/i.exec(s.text.slice(s.at, s.at + 40)) : null;
  if (!rest) return false;
  s.at += rest[0].length;
  const problems = problemsOf(s.text);
  problems.leaf('complex', start, s.at);
  r.problem = problems.list()[0];
  return true;
}

const constants = new Map([
  ['T', 1],
  ['F', 0],
]);

/** `1:6`, `3:1`; a single number if no colon follows. */
function readRange(r: Reading, start: number, from: number): Value | undefined {
  const { s } = r;
  if (peek(s) !== code.colon) return value('numbers', start, s, { numbers: [from] });
  s.at++;
  const to = readNumber(r);
  if (r.problem) return undefined;
  const length = to === undefined ? NaN : Math.floor(Math.abs(to - from)) + 1;
  if (to === undefined || Number.isNaN(length)) {
    fail(r, start);
    return undefined;
  }
  if (tooMany(r, length, start)) return undefined;
  const step = to < from ? -1 : 1;
  return value('numbers', start, s, { numbers: Array.from({ length }, (_, i) => from + step * i) });
}

/** Counts produced numbers and reports a problem when there are too many. */
function tooMany(r: Reading, length: number, start: number): boolean {
  r.made += length;
  r.s.steps += Math.min(length, mostMade);
  if (r.made <= mostMade) return false;
  const message = t('more than {0} numbers that are not written out', mostMade);
  r.problem = {
    code: 'too-large',
    message,
    hint: t('Print the matrix and select that.'),
    range: { start, end: r.s.at },
  };
  return true;
}

type Parts = Partial<Pick<Value, 'numbers' | 'strings' | 'list' | 'names'>>;

const value = (kind: Value['kind'], start: number, s: Scanner, parts: Parts): Value => ({
  kind,
  numbers: [],
  strings: [],
  list: [],
  names: undefined,
  range: { start, end: s.at },
  ...parts,
});

function* called(r: Reading, word: string, list: readonly Argument[], start: number): Paced<Value | undefined> {
  const { s } = r;
  if (word === 'list') return value('list', start, s, { list });
  if (word === 'c') return yield* combined(r, list, start);
  const length = word === 'rep' ? repeatedLength(list) : countedLength(list);
  if (length === undefined) {
    s.at = start;
    fail(r, start);
    return undefined;
  }
  if (tooMany(r, length, start)) return undefined;
  const of = list[0]?.value.numbers ?? [];
  const at = word === 'rep' ? (i: number): number => of[i % of.length] ?? NaN : (i: number): number => i + 1;
  return value('numbers', start, s, { numbers: Array.from({ length }, (_, i) => at(i)) });
}

function* combined(r: Reading, list: readonly Argument[], start: number): Paced<Value | undefined> {
  const { s } = r;
  const named = list.length > 0 && list.every((a) => a.name !== undefined);
  const [numbers, strings, names]: [number[], string[], string[] | undefined] = [[], [], named ? [] : undefined];
  for (const { name = '', value: item } of list) {
    for (const x of item.numbers) numbers.push(x);
    for (const text of item.strings) strings.push(text);
    names?.push(name);
    s.steps++;
    if (isDue(s)) yield;
  }
  if (strings.length === 0) return value('numbers', start, s, { numbers, names });
  if (numbers.length === 0) return value('strings', start, s, { strings, names });
  const problems = problemsOf(s.text);
  const odd = list.find((a) => a.value.kind === 'strings')?.value.range;
  problems.leaf('string', odd?.start ?? start, odd?.end ?? s.at);
  r.problem = problems.list()[0];
  return undefined;
}

/** `rep(0, 6)`, `rep(c(1, 2), times = 3)`. */
function repeatedLength([what, times, ...more]: readonly Argument[]): number | undefined {
  const n = times?.value.numbers[0] ?? NaN;
  if (!what || more.length > 0 || (times?.name ?? 'times') !== 'times' || times?.value.numbers.length !== 1)
    return undefined;
  return Number.isInteger(n) && n >= 0 ? n * what.value.numbers.length : undefined;
}

/** `seq_len(6)`. */
function countedLength([of, ...more]: readonly Argument[]): number | undefined {
  const n = of?.value.numbers[0] ?? NaN;
  return more.length === 0 && Number.isInteger(n) && n >= 0 ? n : undefined;
}

/** White space and `# …`. */
function skipGap(s: Scanner): void {
  const start = s.at;
  for (;;) {
    if (isSpace(peek(s))) s.at++;
    else if (peek(s) === code.hash) skipLine(s);
    else break;
  }
  s.steps += s.at - start + 1;
}
