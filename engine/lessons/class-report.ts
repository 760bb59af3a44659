// What grading a class comes to, before it is CSV or a page.
import type { Problem } from '../text';
import type { Mark, Response } from './mark';
import type { Question } from './question';

/** A block of one student: the trace's hash as it was computed here, and what the student's machine had. */
export interface BlockCheck {
  readonly block: string;
  readonly trace: string;
  /** Absent: the file has none. */
  readonly handed?: string;
}

/** A file that was handed in. */
export interface HandedFile {
  readonly name: string;
  readonly text: string;
  /** Why it was not read; its text is then empty. */
  readonly refused?: Problem;
}

export interface Graded {
  readonly question: string;
  readonly response: Response;
  /** The response as a person reads it, with the statement's words. */
  readonly said: string;
  readonly attempts: number;
  readonly minutes: number;
  /** The right answer was shown to the student. */
  readonly revealed?: boolean;
  readonly mark: Mark;
}

/** One student's row of the report. */
export interface StudentReport {
  readonly student: string;
  /** Absent: nothing was handed in. */
  readonly file?: string;
  readonly seed: number | null;
  readonly answers: readonly Graded[];
  readonly points: number;
  /** Whether the file could be read; else all its answers are blank, and count nowhere. */
  readonly marked: boolean;
  /** The version that wrote the file. */
  readonly program?: string;
  /** The hash of each block's trace, computed here, and whether the student's machine had the same. */
  readonly hashes: readonly BlockCheck[];
  /** What a teacher should look at: damage, another variant, other hashes. It tells accidents, not forgery. */
  readonly flags: readonly Problem[];
}

export interface QuestionReport {
  readonly question: Question;
  /** With the figures of the lesson as it is written. */
  readonly prompt: string;
  readonly right: number;
  readonly partial: number;
  readonly wrong: number;
  readonly unanswered: number;
  /** Given by two or more; in variants, by the reason's kind of slip. */
  readonly commonWrong?: { readonly response: string; readonly times: number };
}

export interface ClassReport {
  readonly title: string;
  readonly students: readonly StudentReport[];
  readonly questions: readonly QuestionReport[];
  /** Most points of one student. */
  readonly most: number;
}
