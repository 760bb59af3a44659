/** Questions about formulas and whole documents, answered by the process that reads programs (`worker.ts`). */
import {
  createAnswering as createProgramAnswering,
  type Answer as ProgramAnswer,
  type AttentionAnswer,
  type NamedFile,
  type Question as ProgramQuestion,
  type Questions as ProgramQuestions,
  type StoredOutput,
} from '../../program';
import type { Paced, TextRange } from '../../text';
import type { AttentionFormula } from '../attentions';
import { describeAt, type DescribedFormula } from '../describe';
import { readingFormulas } from '../formulas';
import { hintsOf, type FormulaHint } from '../hints';
import { modelling, type DocumentModel, type WholeLoop } from '../model';
import { checkingDocument, type Mark } from '../claims';
import { answerDocument, answerFormula, openingDocument, type OpenDocument } from '../whole';

/** Common to all: `languageId` says whether the text is LaTeX. */
interface WithText {
  readonly text: string;
  readonly languageId: string;
  readonly files?: readonly NamedFile[];
}

export interface FormulaQuestions {
  /** Formulas that compute attention. */
  readonly formulas: { readonly asked: WithText; readonly answer: readonly AttentionFormula[] };
  /** What stands at an offset; undefined outside formulas, and in those that are left alone. */
  readonly described: {
    readonly asked: WithText & { readonly offset: number };
    readonly answer: DescribedFormula | undefined;
  };
  /** Shapes beside the names of the formulas in a range. */
  readonly formulaHints: {
    readonly asked: WithText & { readonly within: TextRange };
    readonly answer: readonly FormulaHint[];
  };
  /** The formula at a place, or by its number among those that compute attention. */
  readonly formula: {
    readonly asked: WithText & { readonly at: TextRange | number };
    readonly answer: AttentionAnswer;
  };
  /** The last attention that the document builds, or one by its number among all. */
  readonly document: {
    readonly asked: WithText & { readonly at?: TextRange | number };
    readonly answer: AttentionAnswer;
  };
  /** What the document says of its own numbers and does not hold. */
  readonly claims: { readonly asked: WithText; readonly answer: readonly Mark[] };
  /** What stands where in the whole document, and the way through it. `outputs` are those of a notebook. */
  readonly model: {
    readonly asked: WithText & {
      readonly outputs?: readonly StoredOutput[];
      readonly wholes?: readonly WholeLoop[];
    };
    readonly answer: ShownModel;
  };
}

/** A model as views need it: its attentions by where they stand, without their numbers. */
export interface ShownModel extends Pick<
  DocumentModel,
  'chosen' | 'loops' | 'places' | 'stops' | 'unread' | 'unmatched'
> {
  readonly attentions: readonly ({ readonly label: string; readonly span: TextRange } | undefined)[];
}

export interface Questions extends ProgramQuestions, FormulaQuestions {}

export type QuestionKind = keyof Questions;
type FormulaQuestion = { [K in keyof FormulaQuestions]: { readonly kind: K } & FormulaQuestions[K]['asked'] }[keyof FormulaQuestions]; // prettier-ignore
export type Question = ProgramQuestion | FormulaQuestion;
export type Answer = ProgramAnswer | FormulaQuestions[keyof FormulaQuestions]['answer'];

/** To the process: the texts of its language, a question, or that an answer is no longer wanted. */
export type ToServer =
  | { readonly texts: import('../../text').Texts }
  | { readonly id: number; readonly question: Question }
  | { readonly cancelled: number };

/** From it: an answer with the modules that were imported and not given, or what went wrong on our side. */
export type FromServer =
  | { readonly id: number; readonly answer: Answer; readonly missing: readonly string[] }
  | { readonly id: number; readonly bug: string };

interface Answered {
  readonly answer: Answer;
  readonly missing: readonly string[];
}

const isOfFormulas = (question: Question): question is FormulaQuestion =>
  ['formulas', 'described', 'formula', 'document', 'model', 'claims', 'formulaHints'].includes(question.kind);

/** Answers questions, one after the other. The last document's formulas are kept: a hover asks about the text whose formulas were asked for. */
export function createAnswering(): (question: Question) => Paced<Answered> {
  const answerProgram = createProgramAnswering();
  let last: { readonly key: string; readonly open: Opened } | undefined;
  function* opened({ text, languageId }: WithText): Paced<Opened> {
    const key = `${languageId} ${text}`;
    if (last?.key !== key) last = { key, open: { found: yield* readingFormulas(text, languageId) } };
    return last.open;
  }
  return function* (question) {
    if (!isOfFormulas(question)) return yield* answerProgram(question);
    const { text } = question;
    if (question.kind === 'claims') return { answer: yield* checkingDocument(text, question.languageId), missing: [] };
    const open = yield* opened(question);
    if (question.kind === 'described') return { answer: describeAt(text, open.found, question.offset), missing: [] };
    if (question.kind === 'formulaHints') return { answer: hintsOf(text, open.found, question.within), missing: [] };
    const document = (open.document ??= yield* openingDocument(text, open.found));
    if (question.kind === 'formulas') return { answer: document.attentions, missing: [] };
    if (question.kind === 'formula') return { answer: yield* answerFormula(document, question.at), missing: [] };
    const missing = new Set<string>();
    function* ask(asked: Extract<ProgramQuestion, { kind: 'attention' }>): Paced<AttentionAnswer> {
      const { answer, missing: more } = yield* answerProgram(asked);
      for (const module of more) missing.add(module);
      return answer as AttentionAnswer;
    }
    if (question.kind === 'model') {
      const key = JSON.stringify([question.files ?? [], question.outputs ?? [], question.wholes ?? []]);
      if (open.model?.key !== key) open.model = { key, model: shownModel(yield* modelling(document, ask, question)) };
      return { answer: open.model.model, missing: [...missing] };
    }
    const which = typeof question.at === 'number' ? question.at : undefined;
    return { answer: yield* answerDocument(document, ask, which, question.files), missing: [...missing] };
  };
}

interface Opened {
  readonly found: OpenDocument['found'];
  document?: OpenDocument;
  model?: { readonly key: string; readonly model: ShownModel };
}

const shownModel = ({ attentions, chosen, loops, places, stops, unread, unmatched }: DocumentModel): ShownModel => ({
  attentions: attentions.map((one) => one && { label: one.label, span: one.span }),
  chosen,
  loops,
  places,
  stops,
  unread,
  unmatched,
});
