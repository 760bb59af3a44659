import { t } from '../text';
import { problemsOf, type NestedProblems } from './nested-problems';
import { peek, type Gap, type Scanner } from './scanner';

/** Deepest matrix that is read: batch, head, row, column. */
export const maxDimensions = 4;
/** Most open brackets and calls, which limits the reader's memory. */
const maxOpen = 16;

/** An open bracket, or a call inside a literal: `[array([1, 2]), array([3, 4])]`. */
export interface Frame {
  readonly open: number;
  readonly char: number;
  readonly call: boolean;
  readonly level: number;
  /** Number of numbers or rows in it so far. */
  count: number;
  commas: number;
  /** Whether the cursor is after a comma or the opening bracket. */
  ready: boolean;
  numbers: boolean;
  brackets: boolean;
  elided: boolean;
}

/** The state of one reading. */
export interface Reader {
  readonly s: Scanner;
  readonly frames: Frame[];
  /** Created for the first problem: most brackets of a text have none. */
  problems: NestedProblems | undefined;
  /** For each level the expected row length, and how many rows had it. */
  readonly lengths: { length: number; seen: number }[];
  values: Float64Array;
  numbers: number;
  /** Number of items that are no numbers: strings, complex numbers and the like. */
  oddities: number;
  leafLevel: number;
  outerCount: number;
  /** Whether commas, or only blanks (`gaps`), separate items; a literal may not mix both. */
  commas: boolean;
  gaps: boolean;
  nested: boolean;
  /** Whether the outermost bracket is a pair of parentheses around one literal. */
  wrapped: boolean;
  stopped: boolean;
  prose: boolean;
  dtype: string | undefined;
}

/** Shared by all brackets without numbers, where an allocation would take most of the time. */
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

/** The problem collector of this reading. */
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

/** Marks the position of a new item: after a comma, or after a blank if no commas are used. */
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

/** Grows the array for another number. */
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
