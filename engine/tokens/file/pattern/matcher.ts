// Runs a pattern's program over a text. Like JavaScript's RegExp it tries alternatives in order and backtracks on failure. Unlike RegExp it
// caches which (instruction, offset) pairs have failed, and fails there at once (as Ruby 3.2 does), so its time is linear in text and
// program size. This is sound because there are no back-references: what can follow at an offset does not depend on how it was reached. The
// exception are repeats that may match nothing; the cache keeps separate entries for whether they have matched something (`slots`).
import { TooMuchWork } from '../work';
import type { Instruction, Program } from './program';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Finds the first match at or after an offset. */
export type Search = (at: number) => Stretch | undefined;

/** Most steps for a text: this many for each character, but at least `leastSteps`. Real patterns take some ten for each. */
const stepsForEach = 200;
const leastSteps = 20_000_000;

/** Offsets are cached in chunks of 2^chunkBits. */
const chunkBits = 10;

/** Cached result at an offset: none, failure, or, inside a routine, its end offset (plus `matched`). */
const [unknown, failed, matched] = [0, 1, 2];

// Stack entries have three numbers. [instruction, offset, `again`]: still to be tried. [row, offset, `mark`]: has failed once backtracking
// returns to it. [slot, offset, `undo`]: restores a slot. [instruction, first offset, −1 − last offset]: a run that can be shortened.
const [again, mark, undo] = [0, 1, 2];

/** Results of an instruction: go on, backtrack, or (any other number) the offset where the routine ends. */
const [on, back] = [-1, -2];

interface Machine {
  readonly code: readonly Instruction[];
  readonly text: string;
  readonly name: string;
  /** Cached results by row, in chunks of 2^bits offsets. */
  readonly known: (Int32Array | undefined)[][];
  readonly bits: number;
  /** Start offset of each repeat that may match nothing. */
  readonly starts: Int32Array;
  readonly stack: number[];
  readonly limit: number;
  steps: number;
  pc: number;
  at: number;
}

/** A search in one text; all searches share the cache. `name` is the pattern as a Problem names it. Throws TooMuchWork. */
export function searcher({ code, from, rows, slots }: Program, text: string, name: string): Search {
  const machine: Machine = {
    code,
    text,
    name,
    known: Array.from({ length: rows }, () => []),
    bits: Math.min(chunkBits, 32 - Math.clz32(text.length + 1)),
    starts: new Int32Array(slots),
    stack: [],
    limit: Math.max(leastSteps, stepsForEach * text.length),
    steps: 0,
    pc: 0,
    at: 0,
  };
  return (at) => {
    for (let start = at; start <= text.length; start += lengthAt(text, start)) {
      const end = run(machine, from, start, false);
      if (end >= 0) return { start, end };
    }
    return undefined;
  };
}

function countSteps(m: Machine, steps: number): void {
  m.steps += steps;
  if (m.steps > m.limit) throw new TooMuchWork(m.name, m.limit);
}

const cachedResult = (m: Machine, row: number, at: number): number =>
  m.known[row]?.[at >> m.bits]?.[at & ((1 << m.bits) - 1)] ?? unknown;

function cacheResult(m: Machine, row: number, at: number, value: number): void {
  const chunks = m.known[row] ?? [];
  let chunk = chunks[at >> m.bits];
  if (!chunk) {
    countSteps(m, 1 << m.bits);
    chunks[at >> m.bits] = chunk = new Int32Array(1 << m.bits);
  }
  chunk[at & ((1 << m.bits) - 1)] = value;
}

type Remembered = Extract<Instruction, { readonly row: number }>;
type Run = Extract<Instruction, { op: 'run' }>;

function rowOf({ starts }: Machine, { row, slots }: Remembered, at: number): number {
  let found = row;
  for (let i = 0; i < slots.length; i++) if (starts[slots[i] as number] !== at) found += 1 << i;
  return found;
}

/** Runs from an instruction and offset to the end of the routine; returns its end offset or −1. Leaves the stack as it was. */
function run(m: Machine, pc: number, at: number, isRoutine: boolean): number {
  const [base, pcBefore, atBefore] = [m.stack.length, m.pc, m.at];
  m.pc = pc;
  m.at = at;
  let end = on;
  while (end < 0) {
    countSteps(m, 1);
    end = advance(m, m.code[m.pc] as Instruction);
    if (end === back && !backtrack(m, base)) break;
  }
  if (end >= 0) succeed(m, base, end, isRoutine);
  m.pc = pcBefore;
  m.at = atBefore;
  return end >= 0 ? end : -1;
}

function advance(m: Machine, one: Instruction): number {
  switch (one.op) {
    case 'one':
      return takeOne(m, one.test, one.back) ? next(m) : back;
    case 'run':
      return takeRun(m, one);
    case 'split':
      return fork(m, one);
    case 'jump':
      m.pc = one.to;
      return on;
    case 'enter':
      m.stack.push(one.slot, m.starts[one.slot] as number, undo);
      m.starts[one.slot] = m.at;
      return next(m);
    case 'leave':
      return m.starts[one.slot] === m.at ? back : next(m);
    case 'look':
      return run(m, one.from, m.at, true) >= 0 === one.negated ? back : next(m);
    case 'atomic': {
      const end = run(m, one.from, m.at, true);
      if (end < 0) return back;
      m.at = end;
      return next(m);
    }
    case 'start':
      return m.at === 0 ? next(m) : back;
    case 'end':
      return m.at === m.text.length ? next(m) : back;
    case 'match':
      return m.at;
  }
}

function next(m: Machine): number {
  m.pc++;
  return on;
}

function takeOne(m: Machine, test: (code: number) => boolean, isBack: boolean): boolean {
  const c = codeAt(m.text, m.at, isBack);
  if (c < 0 || !test(c)) return false;
  m.at = after(m.at, c, isBack);
  return true;
}

function fork(m: Machine, one: Extract<Instruction, { op: 'split' }>): number {
  const row = rowOf(m, one, m.at);
  const known = cachedResult(m, row, m.at);
  if (known !== unknown) return known === failed ? back : known - matched;
  m.stack.push(row, m.at, mark, one.or, m.at, again);
  m.pc = one.to;
  return on;
}

/** Matches a run up to its last character, or up to an offset with a cached result. */
function takeRun(m: Machine, one: Run): number {
  const from = m.at;
  let last = -1;
  for (;;) {
    const known = cachedResult(m, rowOf(m, one, m.at), m.at);
    if (known > failed) return endOfRun(m, one, from, m.at, known);
    if (known === failed) break;
    last = m.at;
    if (!takeOne(m, one.test, one.back)) break;
    countSteps(m, 1);
  }
  if (last < 0) return back;
  m.stack.push(m.pc, from, -1 - last);
  m.at = last;
  return next(m);
}

/** The run has reached an offset with a cached result: stores that result for all offsets of the run. */
function endOfRun(m: Machine, one: Run, from: number, to: number, value: number): number {
  for (let at = from; at !== to; at = after(at, codeAt(m.text, at, one.back), one.back)) cacheResult(m, rowOf(m, one, at), at, value);
  return value - matched;
} // prettier-ignore

/** Backtracks to the next entry that is still to be tried; false if there is none above `base`. */
function backtrack(m: Machine, base: number): boolean {
  while (m.stack.length > base) {
    const [kind, y, x] = [m.stack.pop(), m.stack.pop(), m.stack.pop()] as [number, number, number];
    if (kind === mark) cacheResult(m, x, y, failed);
    else if (kind === undo) m.starts[x] = y;
    else if (kind === again) {
      m.pc = x;
      m.at = y;
      return true;
    } else if (shorten(m, x, y, -1 - kind)) return true;
  }
  return false;
}

/** A run has failed from its last offset: continues from the one before; false if there is none. */
function shorten(m: Machine, pc: number, from: number, last: number): boolean {
  const one = m.code[pc] as Run;
  cacheResult(m, rowOf(m, one, last), last, failed);
  if (last === from) return false;
  m.at = after(last, codeAt(m.text, last, !one.back), !one.back);
  m.pc = pc + 1;
  m.stack.push(pc, from, -1 - m.at);
  return true;
}

/** Drops the remaining alternatives. For a routine, caches its end offset for each entry passed on the way. */
function succeed(m: Machine, base: number, end: number, isRoutine: boolean): void {
  while (m.stack.length > base) {
    const [kind, y, x] = [m.stack.pop(), m.stack.pop(), m.stack.pop()] as [number, number, number];
    if (kind === undo) m.starts[x] = y;
    else if (kind === mark && isRoutine) cacheResult(m, x, y, end + matched);
    else if (kind < 0 && isRoutine) cacheRun(m, m.code[x] as Run, y, -1 - kind, end + matched);
  }
}

function cacheRun(m: Machine, one: Run, from: number, last: number, value: number): void {
  countSteps(m, 1);
  cacheResult(m, rowOf(m, one, last), last, value);
  endOfRun(m, one, from, last, value);
}

const lengthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** The code point at an offset, or before it with `isBack`; −1 if there is none. */
const codeAt = (text: string, at: number, isBack: boolean): number =>
  isBack ? codeBefore(text, at) : (text.codePointAt(at) ?? -1);

function codeBefore(text: string, at: number): number {
  if (at <= 0) return -1;
  const pair = at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}

const after = (at: number, c: number, isBack: boolean): number => at + (c > 0xffff ? 2 : 1) * (isBack ? -1 : 1);
