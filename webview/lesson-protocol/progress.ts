import { hashSpec, type AnswerRecord, type Lesson, type Question, type StudentResponse } from '../../engine/index';

/** What is kept of a question when the lesson is reset. */
export interface Earlier {
  readonly attempts: number;
  readonly minutes: number;
  readonly revealed: boolean;
}

/** The state of one question. */
export interface Attempt {
  /** Hash of what was asked, without its wording. If the question's content changes, the attempt is dropped. */
  readonly asked: string;
  /** The response that was checked last; null if none was. */
  readonly response: StudentResponse;
  readonly attempts: number;
  readonly minutes: number;
  readonly right: boolean;
  /** Number of hints opened. */
  readonly hints: number;
  /** Whether the answer was shown before a right response was given. Then the question is closed. */
  readonly revealed: boolean;
  /** Totals from before the last reset; absent if there was none. */
  readonly earlier?: Earlier;
}

/** An attempt's counts, including those from before resets. */
export const totalOf = ({ attempts, minutes, revealed, earlier }: Attempt): Earlier => ({
  attempts: attempts + (earlier?.attempts ?? 0),
  minutes: minutes + (earlier?.minutes ?? 0),
  revealed: revealed || earlier?.revealed === true,
});

type Attempts = ReadonlyMap<string, Attempt>;

/** The attempts after a reset: every question is open and blank, but the number of attempts, the time and whether the answer was shown are kept. */
export function begunAgain(attempts: Attempts): Map<string, Attempt> {
  const blank = { response: null, attempts: 0, minutes: 0, right: false, hints: 0, revealed: false };
  return new Map(
    [...attempts].flatMap(([id, old]) => {
      const earlier = totalOf(old);
      const known = earlier.attempts > 0 || earlier.revealed;
      return known ? [[id, { ...blank, asked: old.asked, earlier }] as const] : [];
    }),
  );
}

/** The attempts after a reset is undone: as they were before it, plus the counts of attempts made since. */
export function takenBack(before: Attempts, since: Attempts): Map<string, Attempt> {
  const restored = [...before].map(([id, old]) => {
    const later = since.get(id);
    if (!later) return [id, old] as const;
    const total = totalOf(later);
    const earlier = {
      attempts: total.attempts - old.attempts,
      minutes: total.minutes - old.minutes,
      revealed: total.revealed,
    };
    return [id, { ...old, earlier }] as const;
  });
  return new Map([...since, ...restored]);
}

/** The saved progress in a lesson. */
export interface Progress {
  readonly version: 1;
  /** Index of the current page, from 0. */
  readonly page: number;
  /** By question id. */
  readonly answers: Readonly<Record<string, Attempt>>;
}

export const emptyProgress: Progress = { version: 1, page: 0, answers: {} };

/** Other ways to ask it, of which none was dealt here, and when it is asked change no answer either. */
const wording = ['id', 'prompt', 'hints', 'explanation', 'text', 'range', 'or', 'dealt', 'predict'];

/**
 * Hash of what a question asks and of the specs that it refers to, without texts. Editing prose, prompts, hints or the wording of statements does
 * not change it; anything that can change the answer does.
 */
export function askedHash(question: Question, { blocks }: Lesson): string {
  const asked = JSON.stringify(question, (key, value: unknown) => (wording.includes(key) ? undefined : value));
  const named = new Set([question.about, ...[...asked.matchAll(/"about":"([\w-]+)"/g)].map(([, id]) => id)]);
  return hashSpec([asked, ...blocks.filter(({ id }) => named.has(id)).map(({ spec }) => spec)]);
}

/** The answers to a lesson's current questions, in the lesson's order, as records of a results file. */
export function answeredIn(lesson: Lesson, { answers }: Progress): AnswerRecord[] {
  return lesson.questions.flatMap((question) => {
    const found = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    if (!found || found.asked !== askedHash(question, lesson)) return [];
    const { attempts, minutes, revealed } = totalOf(found);
    if (attempts === 0) return [];
    return [
      {
        question: question.id,
        response: found.response,
        attempts,
        minutes: Math.round(minutes * 10) / 10,
        ...(revealed && { revealed }),
      },
    ];
  });
}

/** The number of questions without an answer, including those that were reset. */
export const openIn = ({ questions }: Lesson, answers: readonly AnswerRecord[]): number =>
  questions.length - answers.filter(({ response }) => response !== null).length;

const isObject = (v: unknown): v is Readonly<Record<string, unknown>> =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
const isScalar = (v: unknown): boolean => v === null || typeof v === 'number' || typeof v === 'string';
const isResponse = (v: unknown): boolean => isScalar(v) || (Array.isArray(v) && v.every(isScalar));

/** Validates a progress that comes from outside (a message, a memento). */
export function isProgress(value: unknown): value is Progress {
  if (!isObject(value) || value['version'] !== 1 || !isCount(value['page']) || !isObject(value['answers']))
    return false;
  return Object.values(value['answers']).every(isAttempt);
}

function isAttempt(v: unknown): boolean {
  if (!isObject(v) || typeof v['asked'] !== 'string' || !isResponse(v['response'])) return false;
  const minutes = v['minutes'];
  const counts = isCount(v['attempts']) && isCount(v['hints']) && typeof minutes === 'number' && minutes >= 0;
  const earlier = v['earlier'] === undefined || isEarlier(v['earlier']);
  return counts && earlier && typeof v['right'] === 'boolean' && typeof v['revealed'] === 'boolean';
}

const isEarlier = (v: unknown): boolean =>
  isObject(v) && isCount(v['attempts']) && typeof v['minutes'] === 'number' && typeof v['revealed'] === 'boolean';
