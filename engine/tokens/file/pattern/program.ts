// Compiles a pattern into a program for `matcher.ts`: each instruction goes on to the next one, jumps or fails.
import type { Piece } from './piece';

export type Test = (code: number) => boolean;

/** Instructions of the program. `row`: first row of the instruction's table of past results; `slots`: enclosing repeats that may match nothing. */
export type Instruction =
  | { readonly op: 'one'; readonly test: Test; readonly back: boolean }
  /** Greedy run of one class of characters: the longest first, then shorter ones. */
  | { readonly op: 'run'; readonly test: Test; readonly back: boolean; readonly row: number; readonly slots: readonly number[] }
  /** Tries `to` first, then `or`. */
  | { op: 'split'; to: number; or: number; readonly row: number; readonly slots: readonly number[] }
  | { op: 'jump'; to: number }
  | { readonly op: 'enter'; readonly slot: number }
  /** Fails if nothing was matched since `enter`. */
  | { readonly op: 'leave'; readonly slot: number }
  | { readonly op: 'look'; readonly from: number; readonly negated: boolean }
  | { readonly op: 'atomic'; readonly from: number }
  | { readonly op: 'start' }
  | { readonly op: 'end' }
  | { readonly op: 'match' }; // prettier-ignore

export interface Program {
  readonly code: readonly Instruction[];
  /** Index of the first instruction. */
  readonly from: number;
  readonly rows: number;
  readonly slots: number;
}

/** Most instructions; counted repeats are expanded. */
const mostInstructions = 10_000;
/** Deepest nesting of repeats that may match nothing; each doubles the table of past results. */
const mostSlots = 6;

interface Builder {
  readonly code: Instruction[];
  readonly tests: Map<string, Test>;
  rows: number;
  slots: number;
}

/** The pattern's program; undefined if it is too large or nested too deeply. */
export function programOf(piece: Piece): Program | undefined {
  const builder: Builder = { code: [], tests: new Map(), rows: 0, slots: 0 };
  const from = routine(builder, piece, false);
  return from === undefined ? undefined : { code: builder.code, from, rows: builder.rows, slots: builder.slots };
}

/** Compiles a part that is matched on its own (the whole pattern, a look-around, an atomic group). `back`: matches from right to left. */
function routine(builder: Builder, piece: Piece, back: boolean): number | undefined {
  const skip: Instruction = { op: 'jump', to: 0 };
  builder.code.push(skip);
  const from = builder.code.length;
  if (!emit(builder, piece, back, [])) return undefined;
  builder.code.push({ op: 'match' });
  skip.to = builder.code.length;
  return from;
}

/** Compiles a piece; false if the program gets too large. */
function emit(builder: Builder, piece: Piece, back: boolean, slots: readonly number[]): boolean {
  const { code } = builder;
  if (code.length > mostInstructions) return false;
  switch (piece.kind) {
    case 'character':
      return code.push({ op: 'one', test: testOf(builder, piece.source), back }) > 0;
    case 'start':
    case 'end':
      return code.push({ op: piece.kind }) > 0;
    case 'sequence':
      return (back ? [...piece.parts].reverse() : piece.parts).every((part) => emit(builder, part, back, slots));
    case 'choice':
      return emitChoice(builder, piece.branches, back, slots);
    case 'repeat':
      return emitRepeat(builder, piece, back, slots);
    case 'look': {
      const from = routine(builder, piece.piece, piece.behind);
      return from !== undefined && code.push({ op: 'look', from, negated: piece.negated }) > 0;
    }
    case 'atomic': {
      const from = routine(builder, piece.piece, back);
      return from !== undefined && code.push({ op: 'atomic', from }) > 0;
    }
  }
}

const rowsFor = (builder: Builder, slots: readonly number[]): { row: number; slots: readonly number[] } => {
  const row = builder.rows;
  builder.rows += 1 << slots.length;
  return { row, slots };
};

type Split = Extract<Instruction, { op: 'split' }>;

function split(builder: Builder, slots: readonly number[]): Split {
  const made: Split = { op: 'split', to: 0, or: 0, ...rowsFor(builder, slots) };
  builder.code.push(made);
  return made;
}

function emitChoice(builder: Builder, branches: readonly Piece[], back: boolean, slots: readonly number[]): boolean {
  const { code } = builder;
  const ends: Extract<Instruction, { op: 'jump' }>[] = [];
  for (const [i, branch] of branches.entries()) {
    const fork = i < branches.length - 1 ? split(builder, slots) : undefined;
    if (fork) fork.to = code.length;
    if (!emit(builder, branch, back, slots)) return false;
    if (!fork) break;
    const jump = { op: 'jump' as const, to: 0 };
    code.push(jump);
    ends.push(jump);
    fork.or = code.length;
  }
  for (const jump of ends) jump.to = code.length;
  return true;
}

type Repeat = Extract<Piece, { kind: 'repeat' }>;

function emitRepeat(builder: Builder, repeat: Repeat, back: boolean, slots: readonly number[]): boolean {
  const { code } = builder;
  const { piece, least, most, lazy } = repeat;
  for (let n = 0; n < least; n++) if (!emit(builder, piece, back, slots)) return false;
  if (most === Infinity && !lazy && piece.kind === 'character')
    return code.push({ op: 'run', test: testOf(builder, piece.source), back, ...rowsFor(builder, slots) }) > 0;
  const forks: Split[] = [];
  for (let n = least; n < Math.min(most, most === Infinity ? least + 1 : most); n++) {
    const fork = split(builder, slots);
    const top = code.length - 1;
    forks.push(fork);
    fork[lazy ? 'or' : 'to'] = code.length;
    if (!emitOnce(builder, piece, back, slots)) return false;
    if (most === Infinity) code.push({ op: 'jump', to: top });
  }
  for (const fork of forks) fork[lazy ? 'to' : 'or'] = code.length;
  return true;
}

/** Compiles one optional iteration. As in JavaScript, an optional iteration must not match nothing. */
function emitOnce(builder: Builder, piece: Piece, back: boolean, slots: readonly number[]): boolean {
  if (!mayBeEmpty(piece)) return emit(builder, piece, back, slots);
  if (slots.length === mostSlots) return false;
  const slot = builder.slots++;
  builder.code.push({ op: 'enter', slot });
  if (!emit(builder, piece, back, [...slots, slot])) return false;
  builder.code.push({ op: 'leave', slot });
  return true;
}

function mayBeEmpty(piece: Piece): boolean {
  switch (piece.kind) {
    case 'character':
      return false;
    case 'sequence':
      return piece.parts.every(mayBeEmpty);
    case 'choice':
      return piece.branches.some(mayBeEmpty);
    case 'repeat':
      return piece.least === 0 || mayBeEmpty(piece.piece);
    case 'atomic':
      return mayBeEmpty(piece.piece);
    case 'look':
    case 'start':
    case 'end':
      return true;
  }
}

/** At most this many characters beyond ASCII are cached for a class. */
const mostKept = 20_000;

function testOf({ tests }: Builder, source: string): Test {
  const made = tests.get(source) ?? testFor(source);
  tests.set(source, made);
  return made;
}

/** The test whether a character is in a class; cached, so that RegExp is asked once for each character. */
function testFor(source: string): Test {
  const only = /^\\u\{([0-9a-f]+)\}$/.exec(source)?.[1];
  if (only !== undefined) {
    const wanted = Number.parseInt(only, 16);
    return (code) => code === wanted;
  }
  const pattern = new RegExp(`^(?:${source})$`, 'v');
  const ask = (code: number): boolean => pattern.test(String.fromCodePoint(code));
  const ascii = Array.from({ length: 128 }, (_, code) => ask(code));
  const others = new Map<number, boolean>();
  return (code) => {
    const known = ascii[code] ?? others.get(code);
    if (known !== undefined) return known;
    if (others.size === mostKept) others.clear();
    const is = ask(code);
    others.set(code, is);
    return is;
  };
}
