import type { Answer, AttentionTrace, Lesson, Question, Result, StudentResponse } from '../../../engine/index';

/** The input in which a student enters the answer to a question. */
export interface Control {
  readonly element: HTMLElement;
  /** The response as entered, or a Problem if it cannot be read. */
  read(): Result<StudentResponse>;
  /** Restores a response that was entered earlier. */
  write(response: StudentResponse): void;
  /** Marks fields as wrong. `wrong` are indices into the question's list of cells. */
  mark?(wrong: readonly number[]): void;
  /** Disables the input and, if an answer is given, shows it. */
  close(answer: Answer | undefined): void;
  /** Updates the given values and their colours, after a change of theme or an answer to another question. */
  redraw?(): void;
}

export type IsAsked = (step: string, index: readonly number[]) => boolean;

/** What a control is made from. */
export interface Asking<Q extends Question = Question, A extends Answer = Answer> {
  readonly question: Q;
  readonly answer: A;
  readonly lesson: Lesson;
  readonly trace: AttentionTrace;
  /** Prefix of the elements' ids, unique in the page. */
  readonly name: string;
  readonly inline: (text: string) => Node;
  /** Which cells open questions ask for at the moment. Their values must not be shown in this control either. */
  readonly asked: () => IsAsked;
  /** Called when the input has changed. */
  readonly changed: () => void;
}
