import type { Answer, AttentionTrace, Lesson, Question, Result, StudentResponse } from '../../../engine/index';

/** What a student answers a question with. */
export interface Control {
  readonly element: HTMLElement;
  /** What is entered; a Problem when it cannot be read. */
  read(): Result<StudentResponse>;
  /** Puts in what was entered before. */
  write(response: StudentResponse): void;
  /** Marks cells that are wrong, by their place in the question's list. */
  mark?(wrong: readonly number[]): void;
  /** No more changes; with the answer it is shown. */
  close(answer: Answer | undefined): void;
  /** Draws anew what is given, after a change of theme or an answer to another question. */
  redraw?(): void;
}

export type IsAsked = (step: string, index: readonly number[]) => boolean;

/** What controls are made from. */
export interface Asking<Q extends Question = Question, A extends Answer = Answer> {
  readonly question: Q;
  readonly answer: A;
  readonly lesson: Lesson;
  readonly trace: AttentionTrace;
  /** A name that no other element has. */
  readonly name: string;
  readonly inline: (text: string) => Node;
  /** Cells that an open question asks for, as things stand now: they are not given away here. */
  readonly asked: () => IsAsked;
  /** Something was entered. */
  readonly changed: () => void;
}
