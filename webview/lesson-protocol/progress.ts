import { hashSpec, type AnswerRecord, type Lesson, type Question, type StudentResponse } from '../../engine/index';

/** What a reset does not undo. */
export interface Earlier {
  readonly attempts: number;
  readonly minutes: number;
  readonly revealed: boolean;
}

/** What became of one question. */
export interface Attempt {
  /** Hash of what was asked, without its wording: an answer to another question does not count. */
  readonly asked: string;
  /** The response that was checked last; null: none was. */
  readonly response: StudentResponse;
  readonly attempts: number;
  readonly minutes: number;
  readonly right: boolean;
  /** Hints that were opened. */
  readonly hints: number;
  /** The answer was shown before a right one was given: the question is closed. */
  readonly revealed: boolean;
  /** Before the question was begun again; absent where it was not. */
  readonly earlier?: Earlier;
}

/** An attempt with what came before a reset. */
export const totalOf = ({ attempts, minutes, revealed, earlier }: Attempt): Earlier => ({
  attempts: attempts + (earlier?.attempts ?? 0),
  minutes: minutes + (earlier?.minutes ?? 0),
  revealed: revealed || earlier?.revealed === true,
});

type Attempts = ReadonlyMap<string, Attempt>;

/** Attempts after a reset: every question open and blank; how often one was tried, and that its answer was shown, stays known. */
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

/** Attempts after a reset is undone: as they were before it, with what was tried since counted. */
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

/** Everything that is kept of a lesson that is being played. */
export interface Progress {
  readonly version: 1;
  /** The page that was open, from 0. */
  readonly page: number;
  /** By the question's id. */
  readonly answers: Readonly<Record<string, Attempt>>;
}

export const emptyProgress: Progress = { version: 1, page: 0, answers: {} };

const wording = ['id', 'prompt', 'hints', 'explanation', 'text', 'range'];

/**
 * Hash of what a question asks and of the specs that it asks about, without its words: it stays the same when prose, prompts, hints and the
 * wording of statements are edited, and changes with anything that can change the answer.
 */
export function askedHash(question: Question, { blocks }: Lesson): string {
  const asked = JSON.stringify(question, (key, value: unknown) => (wording.includes(key) ? undefined : value));
  const named = new Set([question.about, ...[...asked.matchAll(/"about":"([\w-]+)"/g)].map(([, id]) => id)]);
  return hashSpec([asked, ...blocks.filter(({ id }) => named.has(id)).map(({ spec }) => spec)]);
}

/** The answers that were given to a lesson's present questions, in its order, as a results file has them. */
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

/** Questions that have no answer: those that were begun again are among them. */
export const openIn = ({ questions }: Lesson, answers: readonly AnswerRecord[]): number =>
  questions.length - answers.filter(({ response }) => response !== null).length;

const isObject = (v: unknown): v is Readonly<Record<string, unknown>> =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
const isScalar = (v: unknown): boolean => v === null || typeof v === 'number' || typeof v === 'string';
const isResponse = (v: unknown): boolean => isScalar(v) || (Array.isArray(v) && v.every(isScalar));

/** Whether a value from anywhere (a message, a memento) is a progress. */
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
