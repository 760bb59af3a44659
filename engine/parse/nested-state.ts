import { t } from '../text';
import { problemsOf, type NestedProblems } from './nested-problems';
import { peek, type Gap, type Scanner } from './scanner';

/** Deepest matrix that is read: batch, head, row, column. */
export const maxDimensions = 4;
/** Brackets and calls that may be open at once, which bounds the reader's memory. */
const maxOpen = 16;

/** An open bracket, or a call inside a literal: `[array([1, 2]), array([3, 4])]`. */
export interface Frame {
  readonly open: number;
  readonly char: number;
  readonly call: boolean;
  readonly level: number;
  /** Numbers or rows in it so far. */
  count: number;
  commas: number;
  /** A comma or the opening bracket stands before the cursor. */
  ready: boolean;
  numbers: boolean;
  brackets: boolean;
  elided: boolean;
}

/** The state of one reading. */
export interface Reader {
  readonly s: Scanner;
  readonly frames: Frame[];
  /** Made when the first is found: most brackets of a text have none. */
  problems: NestedProblems | undefined;
  /** Expected length of a row at each level, with the number of rows that had it. */
  readonly lengths: { length: number; seen: number }[];
  values: Float64Array;
  numbers: number;
  /** Strings, complex numbers and the like in the place of numbers. */
  oddities: number;
  leafLevel: number;
  outerCount: number;
  /** Commas, or blanks alone, between items anywhere in the literal: not both. */
  commas: boolean;
  gaps: boolean;
  nested: boolean;
  /** The outermost bracket is a pair of parentheses around one literal. */
  wrapped: boolean;
  stopped: boolean;
  prose: boolean;
  dtype: string | undefined;
}

/** Shared: making one for each bracket that holds no numbers takes most of its time. */
export const noValues = new Float64Array(0);

export const readerOf = (s: Scanner): Reader => ({
  s,
  frames: [],
  problems: undefined,
  lengths: [{ length: 0, seen: 0 }],
  values: noValues,
  numbers: 0,
  oddities: 0,
  leafLevel: -1,
  outerCount: 0,
  commas: false,
  gaps: false,
  nested: false,
  wrapped: false,
  stopped: false,
  prose: false,
  dtype: undefined,
});

/** Where problems of this reading are put. */
export const problemsIn = (r: Reader): NestedProblems => (r.problems ??= problemsOf(r.s.text));

/** Opens a bracket, or the parenthesis of a call, at the cursor. */
export function open(r: Reader, call: boolean): void {
  const { s, frames } = r;
  const level = call ? -1 : frames.reduce((n, f) => n + (f.call ? 0 : 1), 0);
  if (level >= maxDimensions || frames.length >= maxOpen) {
    problemsIn(r).tooDeep(s.at);
    r.stopped = true;
    return;
  }
  const char = peek(s);
  frames.push({ open: s.at, char, call, level, ...emptyFrame() });
  s.at++;
}

const emptyFrame = (): Omit<Frame, 'open' | 'char' | 'call' | 'level'> => ({
  count: 0,
  commas: 0,
  ready: true,
  numbers: false,
  brackets: false,
  elided: false,
});

export function topOf(r: Reader): Frame {
  const top = r.frames.at(-1);
  if (!top) throw new Error('no open bracket');
  return top;
}

/** Marks the place of a new item: after a comma, or after a blank where no commas are used. */
export function separate(r: Reader, top: Frame, gap: Gap, at: number): void {
  if (!top.ready) {
    if (r.commas) problemsIn(r).noComma(at);
    else if (gap === 'none') problemsIn(r).joined(at);
    r.gaps = true;
  }
  top.ready = false;
}

export function addNumber(r: Reader, top: Frame, gap: Gap, at: number, value: number): void {
  separate(r, top, gap, at);
  if (top.brackets) problemsIn(r).mixedDepth(at, t('a number'), t('a row'));
  else if (r.leafLevel >= 0 && r.leafLevel !== top.level) problemsIn(r).unevenDepth(at);
  if (r.leafLevel < 0) r.leafLevel = top.level;
  top.numbers = true;
  top.count++;
  ensureCapacity(r);
  r.values[r.numbers++] = value;
}

/** Makes room for one number more. */
export function ensureCapacity(r: Reader): void {
  if (r.numbers < r.values.length) return;
  const larger = new Float64Array(Math.max(16, r.values.length * 2));
  larger.set(r.values);
  r.values = larger;
}

export function unclosed(r: Reader): void {
  const top = topOf(r);
  problemsIn(r).unclosed(top.open, r.s.at);
  r.stopped = true;
}

export function stop(r: Reader, at: number): void {
  problemsIn(r).unexpected(at);
  r.stopped = true;
}
