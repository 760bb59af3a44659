// The result of grading a class, before it is written as CSV or HTML.
import type { Problem } from '../text';
import type { ClosePair } from './close-papers';
import type { Identity } from './student-table';
import type { Mark, Response } from './mark';
import type { Question } from './question';

/** A block of one student: the trace's hash as computed here, and as the student's machine computed it. */
export interface BlockCheck {
  readonly block: string;
  readonly trace: string;
  /** Absent if the file has none. */
  readonly handed?: string;
}

/** A file that was handed in. */
export interface HandedFile {
  readonly name: string;
  readonly text: string;
  /** Why it was not read; then its text is empty. */
  readonly refused?: Problem;
}

export interface Graded {
  readonly question: string;
  readonly response: Response;
  /** The prompt with the student's own numbers. */
  readonly prompt: string;
  /** The response in words: choices with the text of the statement. */
  readonly said: string;
  readonly attempts: number;
  readonly minutes: number;
  /** The place of the chosen statement in the lesson as it is written: variants have them in another order. */
  readonly statement?: number;
  /** The same where several were chosen, sorted. */
  readonly statements?: readonly number[];
  /** What it earned of the question's points. */
  readonly earned: number;
  /** Whether the student was shown the right answer. */
  readonly revealed?: boolean;
  readonly mark: Mark;
}

/** One student's row of the report. */
export interface StudentReport {
  readonly student: string;
  /** Absent if nothing was handed in. */
  readonly file?: string;
  readonly seed: number | null;
  /** What the class list says of them besides the name. */
  readonly identity?: Identity;
  readonly answers: readonly Graded[];
  readonly points: number;
  /** Whether it was worked on as an exam, and when it was handed in by the student's clock. */
  readonly exam?: boolean;
  readonly handedIn?: string;
  /** Minutes after what is due. */
  readonly late?: number;
  /** Whether the file could be read; if not, its answers are blank and excluded from the statistics. */
  readonly marked: boolean;
  /** The program version that wrote the file. */
  readonly program?: string;
  /** For each block the trace's hash computed here, and the student's. */
  readonly hashes: readonly BlockCheck[];
  /** What a teacher should check: damage, another variant, other hashes. They reveal accidents, not forgery. */
  readonly flags: readonly Problem[];
}

export interface QuestionReport {
  readonly question: Question;
  /** The prompt, with the numbers of the unvaried lesson. */
  readonly prompt: string;
  readonly right: number;
  readonly partial: number;
  readonly wrong: number;
  readonly unanswered: number;
  /** Texts, which a person marks. */
  readonly collected: number;
  /** The most common wrong response, if two or more students gave it; in variants the mistakes that most often explain one. */
  readonly commonWrong?: { readonly response: string; readonly times: number };
}

/** A mistake that explains wrong answers of the class. */
export interface MisconceptionReport {
  readonly id: string;
  readonly name: string;
  /** Who made it, and in which question; in the order of the report. */
  readonly met: readonly { readonly student: string; readonly question: string }[];
}

/** An answer that a correction marks otherwise; `after` is absent where its question was taken out. */
export interface MarkChange {
  readonly student: string;
  readonly question: string;
  readonly before: { readonly verdict: Mark['verdict']; readonly earned: number };
  readonly after?: { readonly verdict: Mark['verdict']; readonly earned: number };
}

export interface ClassReport {
  readonly title: string;
  /** Whether the lesson is an exam, and when hand-ins are late. */
  readonly exam: boolean;
  readonly due?: string;
  readonly students: readonly StudentReport[];
  readonly questions: readonly QuestionReport[];
  /** The most frequent first. Answers that several mistakes explain count for none. */
  readonly misconceptions: readonly MisconceptionReport[];
  /** Pairs of papers that are closer than chance allows. */
  readonly close: readonly ClosePair[];
  /** What a correction changed; absent where it was marked by the lesson as it was handed out. */
  readonly changes?: readonly MarkChange[];
  /** Highest possible number of points, without what a person marks. */
  readonly most: number;
}
