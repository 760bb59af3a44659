/** Questions about programs and their answers, plain data both ways: what a process of its own answers (`engine/formula/serve/`, which answers these too). */
import type { Paced, Problem, TextRange } from '../../text';
import type { AttentionSpec } from '../../spec';
import type { Node, Shape } from '../tensor';
import type { ImportedFile } from '../machine';
import type { Program } from '../program';
import { isLibrary } from '../libraries/index';
import {
  lineAt,
  lineStarts,
  inCell,
  listed,
  nodesOf,
  type CellStart,
  type Listed,
  layerPathOf,
  explainingOneOf,
} from '../explain';
import { nearestStandard, wordsOf } from '../nearest';
import type { Unit } from '../syntax';
import { diagnosing, type Finding } from '../doctor/index';
import {
  matchPrinted,
  type PrintedMatrix,
  type PrintedNode,
  type StoredOutput,
  numberPlaces,
  type AskedNumber,
  type NumberPlaces,
  openingNotebook,
  type LineShapes,
  type OpenedPlaces,
  type OpenProgram,
  type Places,
  type ValueAt,
  placeAt,
  tensorOf,
} from '../places';

/** An attention of a program as a spec, or why there is none. */
export type AttentionAnswer =
  | { readonly is: 'none' }
  /** It is not explained: with the first cause, and what else is not followed. */
  | { readonly is: 'refused'; readonly problems: readonly Problem[] }
  | {
      readonly is: 'found';
      readonly spec: AttentionSpec;
      /** All that the program has, in the order in which it computes them, and which one this is. */
      readonly all: readonly AttentionChoice[];
      readonly which: number;
      /** What is not followed, assumed, skipped or wrong, each at its place. */
      readonly notes: readonly Problem[];
      /** What was printed of its steps. */
      readonly printed: readonly PrintedStep[];
      /** The step of the expression that was asked for. */
      readonly step?: string;
      readonly nearest?: NearestAnswer;
      /** Its steps are parts of a formula, not lines. */
      readonly byParts?: true;
      /** Of a document: how many queries a loop computes, one at a time, of which this is the last. */
      readonly calls?: number;
      /** Of a formula: it has sizes that the document does not say, and that stand in. */
      readonly standInSizes?: true;
      /** Of a document: where its numbers come from. */
      readonly said?: readonly string[];
    };

/** Standard attention from the same queries, keys and values. */
export interface NearestAnswer {
  readonly spec: AttentionSpec;
  /** Whether the program's numbers are the same, else which line differs first, and by how much. */
  readonly says: string;
}

export interface PrintedStep extends PrintedMatrix {
  readonly step: string;
}

/** What is known of a notebook beside its text: where its cells begin, and what they printed. */
interface WithCells {
  readonly cells?: readonly CellStart[];
  readonly outputs?: readonly StoredOutput[];
}

/** Numbers that a document prints for what its code draws without a seed. */
export interface WrittenNumbers {
  readonly name: string;
  /** Where they stand: what is assigned before that is meant. */
  readonly start: number;
  /** Null where the text is cut off before it is known. */
  readonly shape: readonly (number | null)[];
  /** In row-major order; fewer than the shape has where the text is cut off. */
  readonly values: readonly number[];
}

export interface AttentionChoice {
  /** `lines 10 to 24: 6×6, 2 heads, masked` */
  readonly label: string;
  /** Whole lines, from the first to the last step. */
  readonly span: TextRange;
}

/** A file of the workspace under the name by which the program imports it: `model.layers`, `..layers`. */
export interface NamedFile extends ImportedFile {
  readonly module: string;
}

/** What a program imports: the files that are there. */
interface WithFiles {
  readonly files?: readonly NamedFile[];
}

/** Each kind of question with its answer. */
export interface Questions {
  /** Shapes of lines alone: before attentions are sampled, which takes as long again. */
  readonly lines: { readonly asked: WithFiles & { readonly text: string }; readonly answer: readonly LineShapes[] };
  /** Shapes of lines and places of attentions. */
  readonly places: { readonly asked: WithFiles & { readonly text: string }; readonly answer: Places };
  /** What stands at an offset; undefined where nothing is reached. */
  readonly value: {
    readonly asked: WithFiles & { readonly text: string; readonly offset: number };
    readonly answer: ValueAt | undefined;
  };
  /** The attention of a place, by its number among all, or that of the expression at the offset `of`; the last one reached where none is given. */
  readonly attention: {
    readonly asked: WithFiles &
      WithCells & {
        readonly text: string;
        readonly at?: TextRange | number;
        readonly of?: number;
        readonly written?: readonly WrittenNumbers[];
      };
    readonly answer: AttentionAnswer;
  };
  /** The matrices that a notebook's outputs show, each with what printed it. */
  readonly printed: {
    readonly asked: WithFiles & { readonly text: string; readonly outputs: readonly StoredOutput[] };
    readonly answer: readonly PrintedMatrix[];
  };
  /** The cells of steps that are printed as a number is. */
  readonly number: {
    readonly asked: WithFiles & WithCells & { readonly text: string; readonly number: AskedNumber };
    readonly answer: NumberPlaces & { readonly all: readonly AttentionChoice[] };
  };
  /** Where its attentions depart from attention. */
  readonly doctor: { readonly asked: WithFiles & { readonly text: string }; readonly answer: readonly Finding[] };
}

export type QuestionKind = keyof Questions;
export type Question = { [K in QuestionKind]: { readonly kind: K } & Questions[K]['asked'] }[QuestionKind];
export type Answer = Questions[QuestionKind]['answer'];

/** Programs that are kept open, the newest last: a hover asks about the text whose shapes were asked for. */
const most = 3;

/** Answers questions, one after the other. */
export function createAnswering(): (question: Question) => Paced<Answered> {
  const open = new Map<string, Opened>();
  function* opened(question: Question): Paced<Opened> {
    const { text, files = [] } = question;
    const outputs = 'outputs' in question ? question.outputs : undefined;
    const key = JSON.stringify([text, files, outputs]);
    const last = [...open.values()].at(-1)?.program.program.units;
    const known = open.get(key) ?? (yield* reading(text, files, last, outputs));
    open.delete(key);
    open.set(key, known);
    for (const old of [...open.keys()].slice(0, -most)) open.delete(old);
    return known;
  }
  return function* (question) {
    const known = yield* opened(question);
    const { program, missing } = known;
    try {
      const answer = question.kind === 'lines' ? program.lines : yield* answerOf(question, yield* program.whole());
      return { answer, missing: [...missing] };
    } catch (error) {
      // What is half done is of no use to the next question.
      for (const [key, one] of open) if (one === known) open.delete(key);
      throw error;
    }
  };
}

export interface Answered {
  readonly answer: Answer;
  /** Modules that the program imports, that are no known library, and that were not given. */
  readonly missing: readonly string[];
}

interface Opened {
  readonly program: OpenedPlaces;
  /** It grows while attentions are sampled. */
  readonly missing: ReadonlySet<string>;
}

function* reading(
  text: string,
  files: readonly NamedFile[],
  before: readonly Unit[] = [],
  outputs: readonly StoredOutput[] = [],
): Paced<Opened> {
  const missing = new Set<string>();
  const program = yield* openingNotebook(text, outputs, {
    before,
    files(module) {
      const file = fileOf(files)(module);
      if (!file && !isLibrary(module)) missing.add(module);
      return file;
    },
  });
  return { program, missing };
}

const fileOf =
  (files: readonly NamedFile[] = []) =>
  (module: string): NamedFile | undefined =>
    files.find((one) => one.module === module);

function* answerOf(question: Exclude<Question, { readonly kind: 'lines' }>, program: OpenProgram): Paced<Answer> {
  switch (question.kind) {
    case 'places':
      return program.places;
    case 'value':
      return yield* program.at(question.offset);
    case 'attention':
      return yield* answerAttention(question, program);
    case 'printed':
      return (yield* matchPrinted(question.text, program.program, question.outputs)).map(withoutNode);
    case 'number':
      return yield* answerNumber(question, program);
    case 'doctor':
      return (yield* diagnosing(question.text, program.program, program.attentions, { files: fileOf(question.files) })).findings; // prettier-ignore
  }
}

function* answerAttention(
  { text, at, of, cells = [], outputs = [], written = [] }: Questions['attention']['asked'],
  { program: unwritten, attentions }: OpenProgram,
): Paced<AttentionAnswer> {
  const program = written.length === 0 ? unwritten : { ...unwritten, written: writtenNodes(unwritten, written) };
  const asked = of === undefined ? undefined : tensorNode(text, program, of);
  const own = asked && attentions.findLastIndex((attention) => nodesOf(program.graph, attention).includes(asked));
  const made = yield* explainingOneOf(text, program, attentions, own !== undefined && own >= 0 ? own : at, cells);
  if (!made) return { is: 'none' };
  if (!made.ok) return { is: 'refused', problems: made.problems };
  const { spec, all, which, notes, steps, shown, source } = made.value;
  const nearest = yield* nearestStandard(shown, source);
  const starts = lineStarts(text);
  const lineOf = (offset: number): number => inCell(text, lineAt(starts, offset), cells).line;
  const step = asked && steps.get(asked);
  // The attentions themselves hold the whole graph: only what is shown of them leaves the process.
  return {
    is: 'found', spec, all: choicesOf(text, all), which, notes, ...(step === undefined ? {} : { step }),
    ...(nearest && { nearest: { spec: nearest.spec, says: wordsOf(nearest, ({ node }) => lineOf(node.range.start)) } }),
    printed: (yield* matchPrinted(text, program, outputs)).flatMap((one) => {
      const shown = steps.get(one.node);
      return shown === undefined ? [] : [{ ...withoutNode(one), step: shown }];
    }),
  }; // prettier-ignore
}

function* answerNumber(
  { text, number, cells = [] }: Questions['number']['asked'],
  { program, attentions }: OpenProgram,
): Paced<Questions['number']['answer']> {
  const all = choicesOf(text, listed(text, attentions, cells, layerPathOf(program)));
  return { ...(yield* numberPlaces(text, program, attentions, number)), all };
}

/** What was drawn without a seed, by the first assignment to each name, and the first numbers that are printed for it behind that. */
function writtenNodes({ bindings }: Program, written: readonly WrittenNumbers[]): ReadonlyMap<Node, readonly number[]> {
  const found = new Map<Node, readonly number[]>();
  const names = new Set<string>();
  for (const { name, range, node, stack, standIn } of bindings) {
    const isDrawn = node?.why && node.operands.length === 0 && node.shape && stack.length === 0 && !standIn;
    if (!isDrawn || names.has(name)) continue;
    names.add(name);
    const own = written.find((one) => one.name === name && one.start > range.start && isOfShape(one, node.shape ?? [])); // prettier-ignore
    if (own) found.set(node, own.values);
  }
  return found;
}

const isOfShape = ({ shape }: WrittenNumbers, own: Shape): boolean =>
  shape.length === own.length && shape.every((dim, i) => dim === null || dim === own[i]);

const tensorNode = (text: string, program: Program, offset: number): Node | undefined => {
  const found = placeAt(text, program, offset);
  const own = found && tensorOf(found.seen.snapshot)?.node;
  // Of a call of print the first tensor that it prints is meant.
  const output = program.outputs.find(({ range }) => range.start <= offset && offset < range.end);
  return own ?? output?.parts.flatMap((part) => ('node' in part && part.node ? [part.node] : []))[0];
};

const withoutNode = ({ node: _node, isSure: _sure, own: _own, ...rest }: PrintedNode): PrintedMatrix => rest;

function choicesOf(text: string, all: readonly Listed[]): readonly AttentionChoice[] {
  const starts = lineStarts(text);
  return all.map(({ label, lines: [first, last] }) => ({
    label,
    span: { start: starts[first - 1] ?? 0, end: Math.max(0, (starts[last] ?? text.length + 1) - 1) },
  }));
}

export type { CellStart } from '../explain';
export type { NumberPlace, NumberPlaces, PrintedMatrix, StoredOutput } from '../places';
export type { Edit, Finding, Mend, RuleId, Severity } from '../doctor/index';
