/** Questions about programs and their answers, plain data both ways: what a process of its own answers (`engine/formula/serve/`, which answers these too). */
import { t, type Paced, type TextRange } from '../../text';
import type { Above, NameAt, NamedValues } from '../../parse';
import { vocabularyOf } from '../../tokens';
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
  type Written,
} from '../explain';
import { nameAt, namesOf } from '../names';
import { nearestStandard, wordsOf, type Nearest } from '../nearest';
import { arranged, passes, throughMoves } from '../recognise';
import type { AttentionAnswer, AttentionChoice, NearestAnswer } from './attention';
import { reviewing, shifted, type AnswerIn } from './review';
import { answerLive, type LiveAnswer } from './live';
import { codeSideOf, type CodeSide } from './side';
import { liveNames, type Stopped } from '../live';
import type { Unit } from '../syntax';
import { diagnosing, type Diagnosis } from '../doctor/index';
import {
  inputsAmong,
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

/** An attention of a program, and what a printed result of it is compared with. */
export interface Review {
  readonly attention: AttentionAnswer;
  readonly side?: CodeSide;
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
  /** What the names of a selection come to. */
  readonly names: {
    readonly asked: WithFiles & { readonly text: string; readonly above?: Above };
    readonly answer: NamedValues;
  };
  /** The matrix that the name at an offset stands for. */
  readonly name: {
    readonly asked: WithFiles & { readonly text: string; readonly offset: number; readonly above?: Above };
    readonly answer: NameAt;
  };
  /** The function in which a line stands, and the names that stand in it. */
  readonly liveNames: {
    readonly asked: WithFiles & { readonly text: string; readonly line: number };
    readonly answer: { readonly name?: string; readonly names: readonly string[] };
  };
  /** The attention of a program that has stopped in a process, with the process's own values. */
  readonly live: {
    readonly asked: WithFiles & { readonly text: string; readonly stopped: Stopped; readonly at?: TextRange };
    readonly answer: LiveAnswer;
  };
  /** Where its attentions depart from attention. */
  readonly doctor: {
    readonly asked: WithFiles & { readonly text: string };
    readonly answer: Pick<Diagnosis, 'findings' | 'causes'>;
  };
  /** An attention, where it departs from attention, and the same with that mended: what a printed result is compared with. */
  readonly review: { readonly asked: Questions['attention']['asked']; readonly answer: Review };
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
    // A vocabulary is always the same, and long.
    const key = JSON.stringify([text, files.map((file) => (vocabularyOf(file.module) === undefined ? file : file.module)), outputs]); // prettier-ignore
    const last = [...open.values()].at(-1)?.program.program.units;
    const known = open.get(key) ?? (yield* reading(text, files, last, outputs));
    open.delete(key);
    open.set(key, known);
    for (const old of [...open.keys()].slice(0, -most)) open.delete(old);
    return known;
  }
  return function* (question) {
    if (question.kind === 'names') return { answer: yield* namesOf(question.text, question.above), missing: [] };
    if (question.kind === 'name')
      return { answer: yield* nameAt(question.text, question.offset, question.above), missing: [] };
    if (question.kind === 'liveNames') return { answer: yield* liveNames(question.text, question.line), missing: [] };
    if (question.kind === 'live') return yield* answerLive(question, answerAttention);
    const known = yield* opened(question);
    const { program, missing } = known;
    try {
      const answer = question.kind === 'lines' ? program.lines : question.kind === 'doctor' ? yield* diagnosisOf(question, known) : yield* answerOf(question, yield* program.whole()); // prettier-ignore
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
  diagnosis?: Diagnosis;
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

function* answerOf(
  question: Exclude<Question, { readonly kind: 'lines' | 'names' | 'name' | 'live' | 'liveNames' | 'doctor' }>,
  program: OpenProgram,
): Paced<Answer> {
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
    case 'review':
      return yield* answerReview(question, program);
  }
}

/** Each cell of a notebook asks for that of the whole. */
function* diagnosisOf({ text, files }: Questions['doctor']['asked'], known: Opened): Paced<Diagnosis> {
  const { program, attentions } = yield* known.program.whole();
  return (known.diagnosis ??= yield* diagnosing(text, program, attentions, { files: fileOf(files) }));
}

function* answerReview(asked: Questions['attention']['asked'], { program, attentions }: OpenProgram): Paced<Review> {
  const { of: _, ...rest } = asked;
  const { text, files, cells = [], outputs = [] } = rest;
  const attention = yield* answerAttention(asked, { program, attentions });
  const answerIn: AnswerIn = (changed, mended, others, at, edits) =>
    answerAttention(
      {
        ...rest, text: changed, at, cells: cells.map((one) => ({ ...one, start: shifted({ start: one.start, end: one.start }, edits).start })),
        outputs: outputs.map((one) => ({ ...one, cell: shifted(one.cell, edits) })),
      },
      { program: mended, attentions: others },
    ); // prettier-ignore
  const stored = yield* matchPrinted(text, program, outputs);
  const written = withPrinted(writtenNodes(program, rest.written ?? []), inputsOf(stored, program, attentions));
  const reviewed = yield* reviewing(text, program, attentions, { attention, written }, outputs, answerIn, {
    files: fileOf(files),
  });
  const side = codeSideOf(text, reviewed, cells);
  return { attention, ...(side && { side }) };
}

function* answerAttention(
  { text, at, of, cells = [], outputs = [], written = [] }: Questions['attention']['asked'],
  { program: unwritten, attentions }: Pick<OpenProgram, 'program' | 'attentions'>,
): Paced<AttentionAnswer> {
  const stored = yield* matchPrinted(text, unwritten, outputs);
  const inputs = inputsOf(stored, unwritten, attentions);
  const program = { ...unwritten, written: withPrinted(writtenNodes(unwritten, written), inputs) };
  let asked = of === undefined ? undefined : tensorNode(text, program, of);
  const ownOf = (node: Node): number => attentions.findLastIndex((attention) => nodesOf(program.graph, attention).includes(node)); // prettier-ignore
  // A part of a step that no step is, such as the first input's output that is printed: the step.
  while (asked?.operands[0] && passes(asked) && ownOf(asked) < 0) [asked] = asked.operands;
  const own = asked && ownOf(asked);
  const made = yield* explainingOneOf(text, program, attentions, own !== undefined && own >= 0 ? own : at, cells);
  if (!made) return { is: 'none' };
  if (!made.ok) return { is: 'refused', problems: made.problems };
  const { spec, all, which, notes, steps, shown, source } = made.value;
  // Weights whose rows are keys are compared in the order of queries and keys.
  const ordered = shown.keys === 'columns' ? arranged(program.graph, shown) : undefined;
  const nearest = yield* nearestStandard(ordered?.attention ?? shown, source);
  const original = (node: Node): Node => ordered?.originals.get(node) ?? ordered?.sums.find(([, { range }]) => range === node.range)?.[1] ?? node; // prettier-ignore
  const starts = lineStarts(text);
  const lineOf = (offset: number): number | string => {
    const { line, cell } = inCell(text, lineAt(starts, offset), cells);
    return cells.length > 0 ? t('{0} of cell {1}', line, cell) : line;
  };
  const step = asked && steps.get(asked);
  const taken = stored.filter((one) => inputs.includes(one) || one.isRead);
  const said = taken.flatMap(({ node, output }) => {
    const { start = 0 } = outputs[output]?.cell ?? {};
    const name = program.bindings.find((one) => one.node === node)?.name ?? t('a matrix');
    return nodesOf(program.graph, shown).includes(node)
      ? [t('{0}: the numbers that cell {1} printed, to the digits that it printed. The code alone does not say them.', name, inCell(text, lineAt(starts, start), cells).cell)]
      : [];
  }); // prettier-ignore
  // The attentions themselves hold the whole graph: only what is shown of them leaves the process.
  return {
    is: 'found', spec, all: choicesOf(text, all), which, notes, ...(step === undefined ? {} : { step }),
    ...(nearest && { nearest: nearestAnswer(nearest, (node) => steps.get(original(node)) ?? steps.get(throughMoves(original(node))), lineOf) }),
    ...(said.length > 0 && { said }),
    printed: stored.flatMap((one) => {
      const shown = steps.get(one.node);
      return shown === undefined ? [] : [{ ...withoutNode(one), step: shown, ...(taken.includes(one) && { input: true as const }) }];
    }),
  }; // prettier-ignore
}

const inputsOf = (stored: readonly PrintedNode[], { graph }: Program, attentions: OpenProgram['attentions']): readonly PrintedNode[] =>
  inputsAmong(stored, graph, attentions.flatMap(({ parts, site }) => [parts.scores ?? [], site.input].flat())); // prettier-ignore

const withPrinted = (written: Written, inputs: readonly PrintedNode[]): Written =>
  new Map([...inputs.map(({ node, own }) => [node, [...(own?.data ?? [])]] as const), ...written]);

function nearestAnswer(nearest: Nearest, stepOf: (node: Node) => string | undefined, lineOf: (offset: number) => number | string): NearestAnswer {
  const { spec, first, differing } = nearest;
  const differs = differing.flatMap(({ stage, node }) => {
    const step = stepOf(node);
    return step === undefined ? [] : [{ stage, step }];
  });
  const says = wordsOf(nearest, ({ node }) => lineOf(node.range.start));
  return { spec, says, differs, ...(first && { first: first.node.range }) };
} // prettier-ignore

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
export type { AttentionAnswer, AttentionChoice, NearestAnswer, PrintedStep } from './attention';
export type { LiveAnswer } from './live';
export type { LiveInfo, LiveScalar, LiveTensorInfo } from '../live';
export type { CodeFinding, CodeLine, CodeSide } from './side';
export type { Cause, Edit, Finding, Mend, RuleId, Severity } from '../doctor/index';
