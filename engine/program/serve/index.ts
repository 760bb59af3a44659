/** Questions about programs and their answers, plain data both ways: what a process of its own answers (`worker.ts`). */
import type { Paced } from '../../text/pace';
import type { Texts } from '../../text/l10n';
import type { Problem, Result, TextRange } from '../../text/problems';
import { ok } from '../../text/problems';
import type { AttentionSpec } from '../../spec/spec';
import { attentionAt } from '../explain/text';
import { readingPlaces, type OpenProgram, type Places, type ValueAt } from '../places/index';

/** Each kind of question with its answer. */
export interface Questions {
  /** Shapes of lines and places of attentions. */
  readonly places: { readonly asked: { readonly text: string }; readonly answer: Places };
  /** What stands at an offset; undefined where nothing is reached. */
  readonly value: {
    readonly asked: { readonly text: string; readonly offset: number };
    readonly answer: ValueAt | undefined;
  };
  /** The attention at a place, as a spec; undefined where the program has none. */
  readonly explain: {
    readonly asked: { readonly text: string; readonly at: TextRange };
    readonly answer: Result<CodeSpec> | undefined;
  };
}

/** An attention of code as a spec, with what is said of it. */
export interface CodeSpec {
  readonly spec: AttentionSpec;
  /** All attentions of the code in words, in the order in which it computes them, and which one this is. */
  readonly labels: readonly string[];
  readonly which: number;
  /** What is not followed, assumed, skipped, or wrong with the code, each at its place. */
  readonly notes: readonly Problem[];
}

export type QuestionKind = keyof Questions;
export type Question = { [K in QuestionKind]: { readonly kind: K } & Questions[K]['asked'] }[QuestionKind];
export type Answer = Questions[QuestionKind]['answer'];

/** To the process: the texts of its language, a question, or that an answer is no longer wanted. */
export type ToServer =
  { readonly texts: Texts } | { readonly id: number; readonly question: Question } | { readonly cancelled: number };

/** From it: an answer, or what went wrong on our side. */
export type FromServer =
  { readonly id: number; readonly answer: Answer } | { readonly id: number; readonly bug: string };

/** Programs that are kept open, the newest last: a hover asks about the text whose shapes were asked for. */
const most = 3;

/** Answers questions, one after the other. */
export function createAnswering(): (question: Question) => Paced<Answer> {
  const open = new Map<string, OpenProgram>();
  function* opened(text: string): Paced<OpenProgram> {
    const known = open.get(text) ?? (yield* readingPlaces(text));
    open.delete(text);
    open.set(text, known);
    for (const old of [...open.keys()].slice(0, -most)) open.delete(old);
    return known;
  }
  return function* (question) {
    const program = yield* opened(question.text);
    switch (question.kind) {
      case 'places':
        return program.places;
      case 'value':
        return yield* program.at(question.offset);
      case 'explain':
        return yield* explained(question.text, program, question.at);
    }
  };
}

function* explained(text: string, { program, attentions }: OpenProgram, at: TextRange): Paced<Answer> {
  const found = yield* attentionAt(text, program, attentions, at);
  if (!found?.ok) return found;
  const { spec, all, which, notes } = found.value;
  return ok({ spec, labels: all.map(({ label }) => label), which, notes });
}
