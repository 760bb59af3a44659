import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
import { scanCandidatesPaced } from '../literals';
import type { Candidate, ParsedMatrix } from '../matrix';
import type { Paced } from '../../text/pace';
import { isLetter, isDigit, isNewline, code, scannerOf } from '../scanner';
import { addMatrix, loseName, placeOf, programOf, type Binding, type Places, type Program } from './scope';
import { runAppends } from './loop';
import { measureLiterals, longStatement } from './numbers-only';
import { assignedNames } from './assigned';
import { bodyOf, runStatement, skipBlock, unread, type Ran } from './run';
import { readingStatements, type Statement } from './statements';
import { arrayOf, type Library, type NumberType } from './values';

/** A part of a program's text, and where to stop. */
export interface Part extends TextRange {
  /** Matrices that stand there, in order; they are looked for when they are not given. */
  readonly candidates?: readonly Candidate[];
  /** The statement that holds this offset is the last: blocks around it are entered. */
  readonly until?: number;
  /** The text begins inside of a program: what is indented at its start belongs to a block that cannot be seen. */
  readonly cut?: boolean;
  /** Columns before what follows the part: blocks that reach its end and begin further left are those that it stands in. */
  readonly inside?: number;
  readonly watch?: Watch;
}

/** A name, and what it stood for before the last statement that was read. */
export interface Watch {
  readonly name: string;
  statement?: Statement;
  ran?: Ran;
  binding?: Binding | undefined;
}

/** A program with nothing in it yet, over a text. */
export const emptyProgram = (text: string, places: Places = { line: 1 }): Program =>
  programOf(text, linesOf(text), places);

/** Line of an offset, from 1; offsets are looked up in a table that is made on the first call. */
function linesOf(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === code.newline || (c === code.carriageReturn && text.charCodeAt(i + 1) !== code.newline))
      starts.push(i + 1);
  }
  return starts;
}

const headers = new Set('if elif else for while def class try except finally with async match case'.split(' '));

/**
 * Reads a part of a program: its statements in order, and between them the matrices that stand under a name (printed ones,
 * those of other languages). Time is linear in the part.
 */
export function* readPart(program: Program, part: Part): Paced<void> {
  const { list, steps } = yield* readingStatements(program.text, part.start, part.end);
  program.steps += steps;
  const printed = (part.candidates ?? (yield* candidatesIn(program, part))).filter(
    (c) => c.matrix?.name !== undefined || c.name !== undefined,
  );
  const state: Reading = { program, list, printed, next: 0, part, unread: new Set() };
  let at = part.cut === true ? skipCut(state) : 0;
  for (let read = 0; at < list.length; read++) {
    if (read % pause === 0) yield;
    yield* measure(state, at);
    at = readOne(state, at);
  }
  bindPrinted(state, part.until ?? Infinity);
}

/** Before a long statement is parsed: where its literals end, and whether it is parsed at all. */
function* measure({ program, list, unread }: Reading, at: number): Paced<void> {
  const statement = list[at];
  if (!statement || statement.end - statement.start < longStatement) return;
  const { outside, several } = yield* measureLiterals(program.text, statement, program.literals);
  if (several || outside > longStatement) unread.add(statement);
}

/** Statements between two places to stop. */
const pause = 8;

interface Reading {
  readonly program: Program;
  readonly list: readonly Statement[];
  readonly printed: readonly Candidate[];
  /** The first of `printed` that was not bound. */
  next: number;
  readonly part: Part;
  /** Statements that are too long to be parsed. */
  readonly unread: Set<Statement>;
}

function* candidatesIn(program: Program, { start, end }: TextRange): Paced<readonly Candidate[]> {
  const s = scannerOf(program.text, start, end);
  const found = yield* scanCandidatesPaced(s);
  program.steps += s.steps;
  return found;
}

/** One statement, or one block as a whole; the index of the next. */
function readOne(state: Reading, at: number): number {
  const { program, list, part } = state;
  const statement = list[at] as Statement;
  const { until = Infinity } = part;
  if (statement.start > until) return list.length;
  bindPrinted(state, statement.start);
  const { watch } = part;
  if (watch) Object.assign(watch, { statement, ran: 'expression', binding: program.names.get(watch.name) });
  if (headers.has(statement.word) && isHeader(program, statement)) {
    const body = blockOf(list, at);
    const end = body.at(-1)?.end ?? statement.end;
    const isOpen = at + 1 + body.length === list.length && statement.indent < (part.inside ?? 0);
    if (isOpen || (until < end && until >= statement.start && body.length > 0)) enter(program, statement, body);
    else if (!runsOnce(program, statement)) {
      if (!runAppends(program, statement, body)) skipBlock(program, statement, body);
      passPrinted(state, end);
      return at + 1 + body.length;
    } else
      for (const name of assignedNames(program, statement))
        loseName(program, name, statement, t('{0} is not known', name));
    return at + 1;
  }
  const ran = state.unread.has(statement) ? unread(program, statement) : runStatement(program, statement);
  if (watch) watch.ran = ran;
  if (ran === 'assignment') passPrinted(state, statement.end);
  return at + 1;
}

const isHeader = (program: Program, { start, end }: Statement): boolean => {
  const text = program.text.slice(start, Math.min(end, start + 2000));
  return end - start > 2000 || /:(?:\s|$)/.test(text);
};

/** `with …:` and `if __name__ == '__main__':` run what stands in them, once. */
const runsOnce = (program: Program, { word, start, end }: Statement): boolean =>
  word === 'with' ||
  (word === 'if' && /^if\s+__name__\s*==/.test(program.text.slice(start, Math.min(end, start + 40))));

function blockOf(list: readonly Statement[], at: number): readonly Statement[] {
  const { indent = 0, start = 0 } = list[at] ?? {};
  let end = at + 1;
  while (end < list.length && (list[end]?.indent ?? 0) > indent && (list[end]?.start ?? 0) > start) end++;
  return list.slice(at + 1, end);
}

/** The block around the cursor: what its parameters and its loop assign is not known in it. */
function enter(program: Program, header: Statement, body: readonly Statement[]): void {
  const place = placeOf(program, header.start);
  const isLoop = header.word === 'for' || header.word === 'while' || header.word === 'async';
  const inside = isLoop ? [header, ...body] : header.word === 'def' ? body : [];
  const names = new Set(inside.flatMap((s) => [...assignedNames(program, s)]));
  if (header.word === 'def') for (const name of wordsOf(program, header)) names.add(name);
  for (const name of names)
    loseName(program, name, header, t('{0} differs from run to run of the {1} in {2}', name, header.word, place));
  if (isLoop && bodyOf(program, body).risk !== undefined) skipBlock(program, header, body);
}

function wordsOf(program: Program, { start, end }: TextRange): readonly string[] {
  const text = program.text.slice(start, Math.min(end, start + 2000));
  return (text.match(/[\p{L}_][\p{L}\d_]*/gu) ?? []).filter((word) => !program.aliases.has(word));
}

/** Lines that are indented at the start of a window. */
function skipCut({ program, list }: Reading): number {
  const end = list.findIndex((s) => s.indent === 0);
  for (const s of list.slice(0, end < 0 ? list.length : end))
    for (const name of assignedNames(program, s))
      loseName(program, name, s, t('{0} is assigned in a block that begins too far above', name));
  return end < 0 ? list.length : end;
}

/** Names the matrices that stand before an offset and in no assignment. */
function bindPrinted(state: Reading, before: number): void {
  const { program, printed } = state;
  for (let c = printed[state.next]; c && c.whole.start < before; c = printed[state.next]) {
    state.next++;
    if (c.name === undefined || !isName(c.name)) continue;
    if (c.matrix && !c.matrix.expression)
      addMatrix(program, c.matrix, c.name, { kind: 'matrix', value: valueOf(c.matrix) });
    else if (program.names.has(c.name)) {
      const [problem] = c.problems;
      loseName(
        program,
        c.name,
        c.whole,
        problem?.message ?? t('{0} is part of an expression, which is not computed', c.name),
      );
    }
  }
}

const isName = (name: string): boolean => /^[\p{L}_][\p{L}\d_.]*$/u.test(name);

/** Those in an assignment or in a block are its own affair. */
function passPrinted(state: Reading, end: number): void {
  while ((state.printed[state.next]?.whole.start ?? Infinity) < end) state.next++;
}

const libraries: Partial<Record<ParsedMatrix['format'], Library>> = {
  numpy: 'numpy',
  torch: 'torch',
  tensorflow: 'tensorflow',
  jax: 'jax',
  printed: 'printed',
  table: 'printed',
  'labelled-table': 'printed',
};
const types: Readonly<Record<string, NumberType>> = {
  float32: 'float32',
  int64: 'int64',
  int32: 'int32',
  bool: 'bool',
  int: 'int64',
};

/** A literal as a value. What is known of no library has no arithmetic, like a list. */
function valueOf({ format, shape, values, dtype }: ParsedMatrix): ReturnType<typeof arrayOf> {
  const library = libraries[format] ?? 'list';
  const type = dtype === undefined ? 'float64' : (types[dtype] ?? 'float64');
  return arrayOf(library, type, shape, type === 'float32' ? values.map(Math.fround) : values);
}

/** The dotted word at an offset, up to and with the part that the offset stands in; undefined in none. */
export function wordAt(text: string, offset: number): TextRange | undefined {
  const isPart = (c: number): boolean => isLetter(c) || isDigit(c);
  let [start, end] = [offset, offset];
  while (start > 0 && offset - start < 80 && (isPart(text.charCodeAt(start - 1)) || isDotted(text, start - 1))) start--;
  while (end < text.length && end - offset < 80 && isPart(text.charCodeAt(end))) end++;
  while (start < end && !isLetter(text.charCodeAt(start))) start++;
  return start < end && !isNewline(text.charCodeAt(start)) ? { start, end } : undefined;
}

const isDotted = (text: string, at: number): boolean =>
  text.charCodeAt(at) === code.dot && isLetter(text.charCodeAt(at + 1)) && isLetter(text.charCodeAt(at - 1) || 0);
