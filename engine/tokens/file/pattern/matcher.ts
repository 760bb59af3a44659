// Runs a pattern's program over a text. Like JavaScript it tries what comes first, first, and goes back where that fails; unlike
// JavaScript it remembers at which instruction and which place it has failed before, and fails there at once (Ruby 3.2 does the same).
// So its time is linear in the text, times the program: there are no back-references, so that what follows from a place does not
// depend on how it was reached, but for repeats that may match nothing. Of those it is remembered apart whether they have matched
// something since they began (`slots`).
import { TooMuchWork } from '../work';
import type { Instruction, Program } from './program';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The first match from a place of the text on. */
export type Search = (at: number) => Stretch | undefined;

/** Steps that a text may take, for each character and at least. Real patterns take some ten. */
const stepsForEach = 200;
const leastSteps = 20_000_000;

/** Bits of a place within the places that are remembered together. */
const chunkBits = 10;

/** What is known of a place: nothing, that it fails, or, in a routine, where that ends (plus `matched`). */
const [unknown, failed, matched] = [0, 1, 2];

// What lies on the stack, in threes: [instruction, place, `again`] is to be tried yet; [row, place, `mark`]: has failed, once one comes
// back to it; [slot, place, `undo`]; [instruction, first place, −1 − last place]: a run, which can be shorter.
const [again, mark, undo] = [0, 1, 2];

/** What an instruction comes to: go on, or go back, or the place where the routine ends. */
const [on, back] = [-1, -2];

interface Machine {
  readonly code: readonly Instruction[];
  readonly text: string;
  readonly name: string;
  /** Rows of places, in chunks of 2^bits. */
  readonly known: (Int32Array | undefined)[][];
  readonly bits: number;
  /** Where each repeat that may match nothing began. */
  readonly starts: Int32Array;
  readonly stack: number[];
  readonly limit: number;
  steps: number;
  pc: number;
  at: number;
}

/** Searches one text; what it learns serves all searches in it. `name`: the pattern, for a Problem. Throws TooMuchWork. */
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

function work(m: Machine, steps: number): void {
  m.steps += steps;
  if (m.steps > m.limit) throw new TooMuchWork(m.name, m.limit);
}

const get = (m: Machine, row: number, at: number): number =>
  m.known[row]?.[at >> m.bits]?.[at & ((1 << m.bits) - 1)] ?? unknown;

function put(m: Machine, row: number, at: number, value: number): void {
  const chunks = m.known[row] ?? [];
  let chunk = chunks[at >> m.bits];
  if (!chunk) {
    work(m, 1 << m.bits);
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

/** From an instruction and a place to where the routine ends; −1: it fails. What it put on the stack is gone then. */
function run(m: Machine, pc: number, at: number, isRoutine: boolean): number {
  const [base, pcBefore, atBefore] = [m.stack.length, m.pc, m.at];
  m.pc = pc;
  m.at = at;
  let end = on;
  while (end < 0) {
    work(m, 1);
    end = advance(m, m.code[m.pc] as Instruction);
    if (end === back && !goBack(m, base)) break;
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
  const known = get(m, row, m.at);
  if (known !== unknown) return known === failed ? back : known - matched;
  m.stack.push(row, m.at, mark, one.or, m.at, again);
  m.pc = one.to;
  return on;
}

/** Goes on to the last character of a run, or to a place of which more is known. */
function takeRun(m: Machine, one: Run): number {
  const from = m.at;
  let last = -1;
  for (;;) {
    const known = get(m, rowOf(m, one, m.at), m.at);
    if (known > failed) return endOfRun(m, one, from, m.at, known);
    if (known === failed) break;
    last = m.at;
    if (!takeOne(m, one.test, one.back)) break;
    work(m, 1);
  }
  if (last < 0) return back;
  m.stack.push(m.pc, from, -1 - last);
  m.at = last;
  return next(m);
}

/** A run that has come to a place from which the end is known: it is known from all its places. */
function endOfRun(m: Machine, one: Run, from: number, to: number, value: number): number {
  for (let at = from; at !== to; at = after(at, codeAt(m.text, at, one.back), one.back)) put(m, rowOf(m, one, at), at, value);
  return value - matched;
} // prettier-ignore

/** To what is to be tried yet; false where there is nothing above `base`. */
function goBack(m: Machine, base: number): boolean {
  while (m.stack.length > base) {
    const [kind, y, x] = [m.stack.pop(), m.stack.pop(), m.stack.pop()] as [number, number, number];
    if (kind === mark) put(m, x, y, failed);
    else if (kind === undo) m.starts[x] = y;
    else if (kind === again) {
      m.pc = x;
      m.at = y;
      return true;
    } else if (shorten(m, x, y, -1 - kind)) return true;
  }
  return false;
}

/** A run has failed from its last place: it goes on from the one before; false where there is none. */
function shorten(m: Machine, pc: number, from: number, last: number): boolean {
  const one = m.code[pc] as Run;
  put(m, rowOf(m, one, last), last, failed);
  if (last === from) return false;
  m.at = after(last, codeAt(m.text, last, !one.back), !one.back);
  m.pc = pc + 1;
  m.stack.push(pc, from, -1 - m.at);
  return true;
}

/** Forgets what was to be tried; of a routine it is remembered where it ends from each place on the way. */
function succeed(m: Machine, base: number, end: number, isRoutine: boolean): void {
  while (m.stack.length > base) {
    const [kind, y, x] = [m.stack.pop(), m.stack.pop(), m.stack.pop()] as [number, number, number];
    if (kind === undo) m.starts[x] = y;
    else if (kind === mark && isRoutine) put(m, x, y, end + matched);
    else if (kind < 0 && isRoutine) rememberRun(m, m.code[x] as Run, y, -1 - kind, end + matched);
  }
}

function rememberRun(m: Machine, one: Run, from: number, last: number, value: number): void {
  work(m, 1);
  put(m, rowOf(m, one, last), last, value);
  endOfRun(m, one, from, last, value);
}

const lengthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** The character at a place, or before it; −1 where there is none. */
const codeAt = (text: string, at: number, isBack: boolean): number =>
  isBack ? codeBefore(text, at) : (text.codePointAt(at) ?? -1);

function codeBefore(text: string, at: number): number {
  if (at <= 0) return -1;
  const pair = at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}

const after = (at: number, c: number, isBack: boolean): number => at + (c > 0xffff ? 2 : 1) * (isBack ? -1 : 1);
