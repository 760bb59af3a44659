import { t, type Problem, type Paced } from '../text';
import { readArguments } from './constructor-calls';
import { readLeaf, readScalarInParentheses } from './nested-leaves';
import { readRun, startsRun } from './nested-run';
import {
  noValues,
  open,
  problemsIn,
  readerOf,
  separate,
  topOf,
  unclosed,
  type Frame,
  type Reader,
} from './nested-state';
import { code, isCloser, isDue, isOpener, peek, skipGap, type Gap, type Scanner } from './scanner';

/** The result of reading nested brackets of numbers. */
export interface Nested {
  /** Rows, columns, …; empty if there are problems. */
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly problems: readonly Problem[];
  /** Number of numbers read, also if there are problems. */
  readonly numbers: number;
  /** Whether there are brackets inside brackets. */
  readonly nested: boolean;
  /** Whether items are separated by commas. */
  readonly commas: boolean;
  /** Whether the outermost bracket was closed; if not, the cursor is where reading stopped. */
  readonly closed: boolean;
  /** Whether there are two consecutive words: a sentence or a comprehension rather than numbers. */
  readonly prose: boolean;
  /** From `dtype=` of inner calls. */
  readonly dtype?: string;
}

/**
 * Reads nested brackets or parentheses of numbers from the cursor, which is at the opening one: Python lists and tuples, JSON, JavaScript,
 * printed arrays without commas. One pass, with an explicit stack of bounded depth.
 */
export function* readNestedPaced(s: Scanner): Paced<Nested> {
  const start = s.at;
  const r = readerOf(s);
  open(r, false);
  while (r.frames.length > 0 && !r.stopped) {
    readItem(r, skipGap(s, start));
    if (isDue(s)) yield;
  }
  return finish(r);
}

function finish(r: Reader): Nested {
  const { stopped, nested, commas, prose, numbers } = r;
  const list = r.problems?.list() ?? [];
  const dimensions = [r.outerCount, ...r.lengths.slice(1, r.leafLevel + 1).map((l) => l.length)];
  // Parentheses around one literal, `([[1, 2]])`, are no dimension.
  const shape = r.wrapped ? dimensions.slice(1) : dimensions;
  const values = list.length ? noValues : r.values.slice(0, numbers);
  const base = { values, problems: list, numbers, nested, commas, closed: !stopped, prose };
  return { ...base, shape: list.length ? [] : shape, ...(r.dtype === undefined ? {} : { dtype: r.dtype }) };
}

function readItem(r: Reader, gap: Gap): void {
  const { s } = r;
  const c = peek(s);
  const top = topOf(r);
  if (c < 0) return unclosed(r);
  if (c === code.comma) {
    if (startsRun(r, top)) readRun(r, top);
    return peek(s) === code.comma ? readComma(r, top) : undefined;
  }
  if (isCloser(c)) return close(r, top, c);
  if (isOpener(c)) {
    if (readScalarInParentheses(r, top, gap)) return;
    return openItem(r, top, gap);
  }
  readLeaf(r, top, c, gap);
}

function readComma(r: Reader, top: Frame): void {
  if (top.ready)
    problemsIn(r).missing(
      r.s.at,
      top.count === 0 ? t('no number before the comma') : t('no number between two commas'),
    );
  if (r.gaps) problemsIn(r).noComma(r.s.at);
  top.commas++;
  top.ready = true;
  r.commas = true;
  r.s.at++;
}

function openItem(r: Reader, top: Frame, gap: Gap): void {
  separate(r, top, gap, r.s.at);
  if (top.numbers) problemsIn(r).mixedDepth(r.s.at, t('a row'), t('a number'));
  top.brackets = true;
  r.nested = true;
  open(r, false);
}

function close(r: Reader, top: Frame, c: number): void {
  const { s } = r;
  if (c !== (top.char === code.open ? code.close : code.closeBracket)) {
    problemsIn(r).mismatched(top.open, s.at);
    r.stopped = true;
    return;
  }
  s.at++;
  r.frames.pop();
  if (top.call) return closeCall(r);
  if (top.count === 0 && !top.elided) problemsIn(r).empty(top.open, s.at, r.frames.length > 0);
  const parent = r.frames.at(-1);
  if (top.level === 0) {
    r.outerCount = top.count;
    r.wrapped = top.char === code.open && top.brackets && top.count === 1 && top.commas === 0;
  } else checkLength(r, top);
  if (!parent) return;
  parent.count++;
  if (parent.call) finishCall(r, parent);
}

/** Reads the other arguments of an inner call, after its array, up to the closing parenthesis. */
function finishCall(r: Reader, call: Frame): void {
  const found = readArguments(r.s);
  if (!found.closed) {
    problemsIn(r).unclosed(call.open, r.s.at);
    r.stopped = true;
    return;
  }
  r.dtype ??= found.dtype;
  r.frames.pop();
  closeCall(r);
}

function closeCall(r: Reader): void {
  const parent = r.frames.at(-1);
  if (parent) parent.count++;
}

function checkLength(r: Reader, row: Frame): void {
  const expected = r.lengths[row.level];
  const parent = r.frames.filter((f) => !f.call).at(-1);
  if (row.elided) return;
  if (!expected) r.lengths[row.level] = { length: row.count, seen: 1 };
  else if (expected.length === row.count) expected.seen++;
  else {
    const of = { index: (parent?.count ?? 0) + 1, count: row.count, expected: expected.length, seen: expected.seen };
    problemsIn(r).ragged({ start: row.open, end: r.s.at }, of, row.brackets);
  }
}
