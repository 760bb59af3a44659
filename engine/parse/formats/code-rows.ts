import { t, type Problem, type Paced } from '../../text';
import { problemsOf, type NestedProblems } from '../nested-problems';
import { noValues } from '../nested-state';
import { code, ellipsisLength, isDue, isLetter, isQuote, peek, quotedEnd, wordEnd, type Scanner } from '../scanner';
import { readNumeral, type Dialect, type NumeralNotes } from './numerals';

/** How rows are written in a notation. */
export interface Notation {
  readonly dialect: Dialect;
  /** Moves past the opening of a row (`{`, `vec![`, `new float[] {`) and returns the code of its closing character, else 0. */
  readonly enter: (s: Scanner) => number;
  /** Moves past white space and comments. */
  readonly gap: (s: Scanner) => void;
  /** Whether `[0.5; 3]` means three times 0.5, as in Rust. */
  readonly repeats?: boolean;
}

/** Nested rows of numbers, or their problems. */
export interface Rows {
  /** Empty if there are problems. */
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly problems: readonly Problem[];
  /** Number of items written as numbers, also if there are problems: `010` and `3i` are such items. */
  readonly numbers: number;
  /** Depth of the nesting; 1 for a flat list. */
  readonly depth: number;
  /** Whether the outermost row was closed; if not, the cursor is where reading stopped. */
  readonly closed: boolean;
  readonly seen: NumeralNotes;
}

interface Row {
  readonly open: number;
  readonly closer: number;
  /** Number of numbers before it. */
  readonly first: number;
  count: number;
  /** Whether the cursor is after a comma or the opening. */
  ready: boolean;
  numbers: boolean;
  rows: boolean;
}

interface Reading {
  readonly s: Scanner;
  readonly notation: Notation;
  readonly rows: Row[];
  readonly lengths: { length: number; seen: number }[];
  readonly values: number[];
  readonly problems: NestedProblems;
  readonly own: Problem[];
  readonly seen: NumeralNotes;
  /** Items that are written as numbers and are none that is read: `010`, `3i`. */
  odd: number;
  depth: number;
  leafDepth: number;
  count: number;
  stopped: boolean;
}

const maxDimensions = 4;
const semicolon = 59;

/**
 * Reads nested rows of numbers, separated by commas (a trailing one is allowed), from the cursor; undefined if no row opens there. One pass, at
 * most four open rows. The cursor ends after the literal, or where reading stopped.
 */
export function* readRowsPaced(s: Scanner, notation: Notation): Paced<Rows | undefined> {
  const r: Reading = {
    s,
    notation,
    rows: [],
    lengths: [],
    values: [],
    problems: problemsOf(s.text),
    own: [],
    seen: {},
    odd: 0,
    depth: 0,
    leafDepth: 0,
    count: 0,
    stopped: false,
  };
  if (!enterRow(r)) return undefined;
  while (r.rows.length > 0 && !r.stopped) {
    readItem(r);
    if (isDue(s)) yield;
  }
  return finish(r);
}

function finish(r: Reading): Rows {
  const { values, depth, seen, stopped } = r;
  const problems = [...r.problems.list(), ...r.own];
  const broken = problems.length > 0;
  return {
    shape: broken ? [] : [r.count, ...r.lengths.slice(1, depth).map((l) => l.length)],
    values: broken ? noValues : new Float64Array(values),
    problems,
    numbers: values.length + r.odd,
    depth,
    closed: !stopped,
    seen,
  };
}

/** Opens a row if there is one at the cursor. */
function enterRow(r: Reading): boolean {
  const open = r.s.at;
  const closer = r.notation.enter(r.s);
  if (closer === 0) return false;
  if (r.rows.length >= maxDimensions) {
    r.problems.tooDeep(open);
    r.stopped = true;
    return true;
  }
  r.rows.push({ open: r.s.at - 1, closer, first: r.values.length, count: 0, ready: true, numbers: false, rows: false });
  r.depth = Math.max(r.depth, r.rows.length);
  return true;
}

function readItem(r: Reading): void {
  const { s, notation, rows } = r;
  notation.gap(s);
  const top = rows.at(-1);
  const c = peek(s);
  if (!top || c < 0) return unclosed(r, top?.open ?? s.at);
  s.steps++;
  if (c === top.closer) return closeRow(r, top);
  if (c === code.comma) return readComma(r, top);
  if (c === semicolon && notation.repeats && !top.ready && top.count === 1) return repeat(r, top);
  if (!top.ready) return isCloser(c) ? mismatched(r, top) : stop(r);
  const start = s.at;
  if (!enterRow(r)) return readLeaf(r, top);
  top.ready = false;
  if (top.numbers) r.problems.mixedDepth(start, t('a row'), t('a number'));
  top.rows = true;
}

/** Most numbers that repetitions may produce, so that short text cannot take much time. */
const mostRepeated = 1024;

/** `[item; n]`: the one item n times. */
function repeat(r: Reading, top: Row): void {
  const { s, notation, values } = r;
  s.at++;
  notation.gap(s);
  const found = readNumeral(s, notation.dialect, {}, false);
  const times = s.value;
  notation.gap(s);
  const item = values.slice(top.first);
  const sound = found === 'number' && Number.isInteger(times) && times > 0 && peek(s) === top.closer;
  if (!sound || values.length + item.length * times > mostRepeated) {
    return stop(r);
  }
  for (let i = 1; i < times; i++) values.push(...item);
  top.count = times;
  r.seen.repeated = true;
}

const isCloser = (c: number): boolean => c === code.close || c === code.closeBracket || c === code.closeBrace;

function readComma(r: Reading, top: Row): void {
  if (top.ready)
    r.problems.missing(r.s.at, top.count === 0 ? t('no number before the comma') : t('no number between two commas'));
  top.ready = true;
  r.s.at++;
}

function readLeaf(r: Reading, top: Row): void {
  const { s, notation, seen } = r;
  const start = s.at;
  const kind = readNumeral(s, notation.dialect, seen, true);
  if (kind === 'number') return addNumber(r, top, start);
  if (kind !== 'none') return addPlace(r, top, kind, start);
  if (isQuote(peek(s))) {
    s.at = quotedEnd(s);
    return addPlace(r, top, 'string', start);
  }
  noNumber(r, top, start);
}

/** Ends the reading at something that is neither a number nor a string. */
function noNumber(r: Reading, top: Row, start: number): void {
  const { s, problems } = r;
  const dots = ellipsisLength(s);
  if (dots > 0) problems.elided(start, start + dots);
  else if (isLetter(peek(s))) {
    const end = wordEnd(s);
    problems.unknownName(start, end, s.text.slice(start, Math.min(end, start + 40)));
  } else if (isCloser(peek(s))) return mismatched(r, top);
  else problems.unexpected(start);
  r.stopped = true;
}

function addNumber(r: Reading, top: Row, start: number): void {
  const depth = r.rows.length;
  if (top.rows) r.problems.mixedDepth(start, t('a number'), t('a row'));
  else if (r.leafDepth > 0 && r.leafDepth !== depth) r.problems.unevenDepth(start);
  r.leafDepth ||= depth;
  top.numbers = true;
  top.ready = false;
  top.count++;
  r.values.push(r.s.value);
}

/** Reports an item that is no number, and counts it. */
function addPlace(r: Reading, top: Row, kind: 'complex' | 'malformed' | 'string' | 'null', start: number): void {
  r.problems.leaf(kind, start, r.s.at);
  top.numbers = true;
  top.ready = false;
  top.count++;
  if (kind !== 'string') r.odd++;
  // A list of strings is other data: reading on would be a waste.
  else if (r.values.length === 0) r.stopped = true;
}

function closeRow(r: Reading, row: Row): void {
  const { s, rows } = r;
  s.at++;
  rows.pop();
  const parent = rows.at(-1);
  if (row.count === 0) r.problems.empty(row.open, s.at, parent !== undefined);
  if (!parent) {
    r.count = row.count;
    return;
  }
  checkLength(r, row, parent.count + 1);
  parent.count++;
}

function checkLength(r: Reading, row: Row, index: number): void {
  const level = r.rows.length;
  const expected = r.lengths[level];
  if (!expected) r.lengths[level] = { length: row.count, seen: 1 };
  else if (expected.length === row.count) expected.seen++;
  else {
    const of = { index, count: row.count, expected: expected.length, seen: expected.seen };
    r.problems.ragged({ start: row.open, end: r.s.at }, of, row.rows);
  }
}

/** Reports an open row at the end of a statement: `{{1, 2};`. */
function stop(r: Reading): void {
  const top = r.rows.at(-1);
  if (peek(r.s) === semicolon && top && !r.notation.repeats) return unclosed(r, top.open);
  r.problems.joined(r.s.at);
  r.stopped = true;
}

function unclosed(r: Reading, open: number): void {
  addProblem(r, open, t('{0} is never closed', r.s.text.charAt(open)), t('Add what closes it at the end.'));
}

function mismatched(r: Reading, top: Row): void {
  const expected = String.fromCharCode(top.closer);
  addProblem(
    r,
    r.s.at,
    t('found {0}, expected {1}', r.s.text.charAt(r.s.at), expected),
    t('Each bracket is closed by its own kind.'),
  );
}

function addProblem(r: Reading, at: number, message: string, hint: string): void {
  r.own.push({ code: 'unbalanced', message, hint, range: { start: at, end: Math.min(at + 1, r.s.end) } });
  r.stopped = true;
}
