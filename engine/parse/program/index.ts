/**
 * What the statements of a program, or of a text with one in it, say that its names stand for: constructors, draws after a
 * visible seed, expressions. Nothing is run: every rule that is followed stands in this folder, and what is not known is a
 * Problem that names it. Python only; literals of other languages and printed matrices are named by what stands before them.
 */
import type { Problem, TextRange } from '../../text/problems';
import type { Candidate, MatrixFormat, ParsedMatrix } from '../matrix';
import { roleOf } from '../roles';
import { finish, type Paced } from '../../text/pace';
import type { Budget } from './arithmetic';
import { resolve } from './bind';
import { derivationOf, derived, type Frame } from './derivation';
import { computing, listOf, outcomeOf, type Context, type Outcome } from './evaluate';
import { lexerOf, advance } from './lexer';
import { longStatement, measureLiterals } from './numbers-only';
import { parseExpression } from './parser';
import { emptyProgram, readPart, wordAt, type Watch } from './read';
import {
  documentLine,
  placeOf,
  type Binding,
  type CellAbove,
  type Places,
  type Program,
  type SelectedPart,
} from './scope';
import { partsOf, dotted, type Node } from './tree';
import type { ArrayValue, Value } from './values';

/** Multiply-adds and element operations for one question: some tens of milliseconds, and a few for a hover. */
const operations = { spec: 100_000_000, hover: 4_000_000 } as const;

/** What a name stands for. */
export type Meaning =
  | { readonly kind: 'matrix'; readonly matrix: ParsedMatrix }
  | { readonly kind: 'number'; readonly value: number; readonly type: 'bool' | 'int' | 'float' }
  /** A string, None, a generator. */
  | { readonly kind: 'other' }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** A selection read as a program, after what stands above it. */
export interface ReadProgram {
  /** Names that the selection assigns, in the order in which they were last assigned. */
  readonly own: readonly string[];
  /** Names that stand above it. */
  readonly above: readonly string[];
  /** What a name stands for at the end of the selection; computed when it is asked for. */
  readonly meaningOf: (name: string) => Meaning | undefined;
  /** The same, with places to stop between the statements that it needs. */
  readonly readingMeaning: (name: string) => Paced<Meaning | undefined>;
  /** Where, in the selection, a name was last assigned. */
  readonly rangeOf: (name: string) => TextRange | undefined;
  /** Line of an offset in the selection, as its document (or cell) counts, from 1. */
  readonly lineOf: (offset: number) => number;
  /** The same as `line 3`. */
  readonly placeOf: (offset: number) => string;
  /** The same of where a name was last assigned, also above the selection. */
  readonly placeOfName: (name: string) => string | undefined;
  /** Whether a literal is all that its name was assigned, last. */
  readonly isWritten: (name: string, literal: ParsedMatrix) => boolean;
  /** Whether a literal stands in the statement that its name was last assigned by. */
  readonly isAssignedBy: (name: string, literal: ParsedMatrix) => boolean;
  /** Whether the last assignment of a name has a call or an operator in it, or draws. */
  readonly isComputed: (name: string) => boolean;
  /** The selection as one expression: `Q @ K.T`. */
  readonly expression: () => Paced<Meaning | undefined>;
  readonly steps: () => number;
}

export interface Above {
  /** The text right before the selection: of the document, and of earlier cells before that. */
  readonly before: string;
  /** Whether `before` begins inside of its document. */
  readonly cut?: boolean;
  /** Line of the document in which `before` begins, from 1; 0 and less where it begins with earlier cells. */
  readonly line?: number;
  /** Those cells, in order. */
  readonly cells?: readonly CellAbove[];
  /** Where the text is several selections, which have nothing above them: where each begins in it, and in which line of the document. */
  readonly parts?: readonly SelectedPart[];
  /** The text right below the selection, for what is said there of a mask. */
  readonly after?: string;
}

const placesOf = (above: Above | undefined): Places => ({
  line: above?.line ?? 1,
  ...(above?.cells ? { cells: above.cells } : {}),
  ...(above?.parts ? { parts: above.parts } : {}),
});

/** Line of an offset in a selection, as its document (or cell) counts, from 1. */
export function lineIn(text: string, above: Above | undefined): (offset: number) => number {
  const before = above?.before ?? '';
  const program = emptyProgram(before + text, placesOf(above));
  return (offset) => documentLine(program, before.length + offset);
}

export const readProgram = (text: string, candidates?: readonly Candidate[], above?: Above): ReadProgram =>
  finish(readingProgram(text, candidates, above));

/** The same as a generator that yields regularly. */
export function* readingProgram(text: string, candidates?: readonly Candidate[], above?: Above): Paced<ReadProgram> {
  const before = above?.before ?? '';
  const whole = before + text;
  const shift = before.length;
  const program = emptyProgram(whole, placesOf(above));
  const from = lastLine(before);
  if (shift > 0)
    yield* readPart(program, { start: 0, end: from, cut: above?.cut === true, inside: indentAt(whole, from) });
  yield* readPart(program, { start: shift, end: whole.length, ...(candidates && shift === 0 ? { candidates } : {}) });
  const asked = questioner(program, { shift, operations: operations.spec });
  const names = [...program.names];
  const isOwn = ([, binding]: [string, Binding]): boolean => binding.range.start >= shift;
  return {
    own: names.filter(isOwn).map(([name]) => name),
    above: names.filter((n) => !isOwn(n)).map(([name]) => name),
    meaningOf: (name) => {
      const binding = program.names.get(name);
      return binding && asked.ofBinding(name, binding);
    },
    *readingMeaning(name) {
      const binding = program.names.get(name);
      if (!binding) return undefined;
      yield* asked.computing(binding);
      return asked.ofBinding(name, binding);
    },
    rangeOf(name) {
      const binding = program.names.get(name);
      const statement = binding && (program.entries[binding.entry]?.statement ?? binding.range);
      return statement && shifted(statement, shift);
    },
    lineOf: (offset) => documentLine(program, offset + shift),
    placeOf: (offset) => placeOf(program, shift + offset),
    placeOfName(name) {
      const binding = program.names.get(name);
      return binding && placeOf(program, binding.range.start);
    },
    isWritten: (name, literal) => isWritten(program, program.names.get(name), literal, shift),
    isAssignedBy: (name, literal) => {
      const start = program.names.get(name)?.range.start;
      return start !== undefined && start - shift === literal.nameRange?.start;
    },
    isComputed: (name) => {
      const work = program.entries[program.names.get(name)?.entry ?? -1]?.work;
      return work !== undefined && 'node' in work && isCompound(work.node);
    },
    expression: () => expressionOf(program, { start: shift, end: whole.length }, asked),
    steps: () => program.steps,
  };
}

const isCompound = ({ kind }: Node): boolean =>
  kind === 'call' || kind === 'binary' || kind === 'unary' || kind === 'subscript';

function isWritten(program: Program, binding: Binding | undefined, literal: ParsedMatrix, shift: number): boolean {
  if (!binding || binding.range.start - shift !== literal.nameRange?.start) return false;
  const work = program.entries[binding.entry]?.work;
  if (work?.kind === 'matrix') return true;
  return (
    work?.kind === 'value' &&
    work.node.start - shift === literal.range.start &&
    work.node.end - shift <= literal.range.end
  );
}

/** The start of the last, unfinished line: it belongs to the statement that is selected. */
function lastLine(before: string): number {
  const at = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return at + 1;
}

/** Columns before the first line that is not empty. */
function indentAt(text: string, from: number): number {
  const [, indent = ''] = /^(?:[ \t]*\r?\n)*([ \t]*)/.exec(text.slice(from, from + longestGap)) ?? [];
  return indent.length;
}

/** Empty lines above what is selected, at most so many characters. */
const longestGap = 1000;

interface Questioner {
  /** Computes what a name needs, with places to stop; `ofBinding` finds it done. */
  readonly computing: (binding: Binding) => Paced<unknown>;
  readonly ofBinding: (name: string, binding: Binding) => Meaning;
  readonly ofNode: (node: Node, statement: TextRange) => Paced<Meaning>;
}

function questioner(program: Program, frame: Frame): Questioner {
  const budget: Budget = { left: frame.operations, unfilled: [] };
  const { text, entries, aliases } = program;
  const context: Context = { text, entries, aliases, budget };
  return {
    computing: (binding) => computing(context, binding.entry),
    ofBinding(name, binding) {
      const entry = entries[binding.entry];
      const outcome = outcomeOf(context, binding.entry);
      const statement = entry?.statement ?? binding.range;
      const place = { name, nameRange: binding.range, statement, derivation: derivationOf(program, binding) };
      return meaning(outcome, place, frame, budget);
    },
    *ofNode(node, statement) {
      const needs = resolve(program, node, statement);
      const entry = entries.push({ work: { kind: 'value', node }, needs, statement }) - 1;
      const derivation = derived(program, node, statement);
      return meaning(yield* computing(context, entry), { statement, derivation }, frame, budget);
    },
  };
}

interface Found {
  readonly name?: string;
  readonly nameRange?: TextRange;
  readonly statement: TextRange;
  readonly derivation: string | undefined;
}

function meaning({ value, problem }: Outcome, found: Found, frame: Frame, budget: Budget): Meaning {
  if (problem) return { kind: 'problem', problem: inSelection(problem, found, frame) };
  if (value?.kind === 'scalar') return { kind: 'number', value: value.value, type: value.type };
  const array = value && arrayFrom(value, { ...found.statement, budget });
  if (!array) return { kind: 'other' };
  if ('problem' in array) return { kind: 'problem', problem: inSelection(array.problem, found, frame) };
  return { kind: 'matrix', matrix: matrixOf(array.value, found, frame) };
}

/** Lists of numbers are matrices too. */
function arrayFrom(
  value: Value,
  at: TextRange & { budget: Budget },
): { value: ArrayValue } | { problem: Problem } | undefined {
  if (value.kind === 'array') return { value };
  if (value.kind !== 'sequence') return undefined;
  try {
    return { value: listOf(value, at) };
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'refused' in error) return { problem: error.refused as Problem };
    throw error;
  }
}

const formats: Readonly<Record<ArrayValue['library'], MatrixFormat>> = {
  numpy: 'numpy',
  torch: 'torch',
  tensorflow: 'tensorflow',
  jax: 'jax',
  list: 'brackets',
  printed: 'printed',
};

function matrixOf(value: ArrayValue, found: Found, frame: Frame): ParsedMatrix {
  const { name, nameRange, derivation, statement } = found;
  const role = name === undefined ? undefined : roleOf(name);
  return {
    shape: value.shape.length === 0 ? [1] : value.shape,
    values: value.values,
    format: formats[value.library],
    range: shifted(statement, frame.shift),
    ...(value.library === 'list' ? {} : { dtype: value.dtype }),
    ...(name === undefined ? {} : { name }),
    ...(nameRange ? { nameRange: shifted(nameRange, frame.shift) } : {}),
    ...role,
    ...(derivation === undefined ? {} : { derivation }),
  };
}

const shifted = ({ start, end }: TextRange, by: number): TextRange => ({
  start: Math.max(0, start - by),
  end: Math.max(0, end - by),
});

/** A problem that stands above the selection is told at the statement that runs into it. */
function inSelection(problem: Problem, { statement }: Found, { shift }: Frame): Problem {
  const own = problem.range && problem.range.start >= shift ? problem.range : statement;
  return { ...problem, range: shifted(own, shift) };
}

/** The selection as one expression with a name of the text above in it. */
function* expressionOf(program: Program, range: TextRange, asked: Questioner): Paced<Meaning | undefined> {
  if (range.end - range.start >= longStatement) {
    // With places to stop, which the parser has not.
    const { outside, several } = yield* measureLiterals(program.text, range, program.literals);
    if (several || outside > longStatement) return undefined;
  }
  const l = lexerOf(program.text, range.start, range.end, program.literals);
  const node = parseExpression(l);
  if (l.kind === 'operator' && ';,'.includes(program.text.charAt(l.start))) advance(l);
  if (!node || l.kind !== 'end' || !isComputed(program, node)) return undefined;
  return yield* asked.ofNode(node, range);
}

/** Whether a name of the program, or a call of a module's function, stands in an expression. */
function isComputed(program: Program, node: Node): boolean {
  if (node.kind === 'tuple' && node.items.length > 1) return false;
  const path = node.kind === 'name' || node.kind === 'attribute' ? dotted(node) : undefined;
  if (path !== undefined && program.names.has(path)) return true;
  if (node.kind === 'call' && program.aliases.has((dotted(node.of) ?? '').split('.')[0] ?? '')) return true;
  return partsOf(node).some((part) => isComputed(program, part));
}

export type NameAt =
  | {
      readonly matrix: ParsedMatrix;
      /** The name under the offset. */
      readonly range: TextRange;
      /** Where it was assigned, in the text; undefined when that is in `before`. */
      readonly definedAt?: TextRange;
      /** The line in which it was assigned, from 1; counted from the start of `before` where that is given. */
      readonly line: number;
    }
  | { readonly problems: readonly Problem[] }
  | undefined;

/**
 * What the name at an offset stands for at that place: the matrix, or why it is not known; undefined where no name of the
 * program stands or its value is no matrix. Reads the text up to the statement that holds the offset.
 */
export const nameAt = (text: string, offset: number, above?: Above): NameAt => finish(readingName(text, offset, above));

/** The same as a generator that yields regularly. */
export function* readingName(text: string, offset: number, above?: Above): Paced<NameAt> {
  const word = wordAt(text, offset);
  if (!word) return undefined;
  const before = above?.before ?? '';
  const shift = before.length;
  const program = emptyProgram(before + text, placesOf(above));
  const name = text.slice(word.start, word.end);
  if (shift > 0) yield* readPart(program, { start: 0, end: shift, cut: above?.cut === true });
  const watch: Watch = { name };
  const at = shift + word.start;
  const end = Math.min(program.text.length, at + longestStatement);
  yield* readPart(program, { start: shift, end, until: at, watch, cut: shift === 0 && above?.cut === true });
  const binding = bindingAt(program, watch, { start: at, end: shift + word.end });
  if (!binding) return undefined;
  const asked = questioner(program, { shift, operations: operations.hover });
  yield* asked.computing(binding);
  const found = asked.ofBinding(name, binding);
  if (found.kind === 'problem') return { problems: [{ ...found.problem, range: found.problem.range ?? word }] };
  if (found.kind !== 'matrix' || isSettings(found.matrix)) return undefined;
  const defined = binding.range.start >= shift ? { definedAt: shifted(binding.range, shift) } : {};
  return {
    matrix: found.matrix,
    range: word,
    line: program.lineOf(binding.range.start) + (above?.line ?? 1) - 1,
    ...defined,
  };
}

/** `version = (1, 0)`, `sizes = [2, 3]`: a flat list of Python under a name without a role. */
const isSettings = ({ format, shape, role }: ParsedMatrix): boolean =>
  format === 'brackets' && shape.length === 1 && role === undefined;

/** How far after the name its statement is read. */
const longestStatement = 20_000;

/** What the name stands for in the statement that holds it: as a target what it becomes, elsewhere what it was before. */
function bindingAt(program: Program, watch: Watch, word: TextRange): Binding | undefined {
  const after = program.names.get(watch.name);
  if (after && after.range.start <= word.start && word.start < after.range.end) return after;
  const { statement, ran, binding } = watch;
  if (!statement || ran === 'nothing' || !(statement.start <= word.start && word.end <= statement.end))
    return undefined;
  return isCode(program.text, statement, word.start) ? binding : undefined;
}

/** Whether a word of a statement is one of the program's and not in a string or a comment. */
function isCode(text: string, statement: TextRange, at: number): boolean {
  const l = lexerOf(text, statement.start, statement.end);
  while (l.kind !== 'end' && l.stop <= at) advance(l);
  return l.kind === 'name' && l.start <= at;
}
