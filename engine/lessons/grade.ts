import { t, fail, ok, type Problem, type Result, finish, type Paced } from '../text';
import { answerOf } from './answer';
import type { ClassReport, Graded, HandedFile, QuestionReport, StudentReport } from './class-report';
import { fillIn } from './fill';
import { readingLesson, type Lesson } from './lesson';
import { mark, type Mark, type Response } from './mark';
import type { Question } from './question';
import { showChoice } from './answers';
import { damageOf, doubled, hashesOf, ownerOf, remarksOn } from './remarks';
import { readResults, type Answered, type Key } from './results';
import { folded } from './students';
import { variantOf } from './variant';

/**
 * Marks a class. Every right answer is computed anew from the lesson and the seed: the key's where there is a key, else the file's. A
 * Problem when the lesson itself has any. It detects damage and mistakes, not forgery: a student holds the same engine. `program` is the
 * version that marks. `progress` hears the number of files that are done.
 */
export function* gradingClass(
  source: string,
  files: readonly HandedFile[],
  key?: Key,
  program?: string,
  progress?: (done: number) => void,
): Paced<Result<ClassReport>> {
  const { lesson, problems } = yield* readingLesson(source.replace(/^\ufeff/, ''));
  if (problems.length) return fail(...problems);
  if (!lesson.questions.length) return fail({ code: 'empty', message: t('the lesson has no questions') });
  const names = (key?.students ?? []).map((s) => s.student);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return fail({ code: 'duplicate', message: t('the key lists {0} twice', twice) });
  const given: Given = { lesson, ...(key ? { key } : {}), ...(program === undefined ? {} : { program }), variant: variantsOf(lesson) };
  const rows: StudentReport[] = [];
  for (const file of files) {
    rows.push(gradeFile(given, file));
    progress?.(rows.length);
    yield;
  }
  const handed = new Set(rows.map((r) => r.student));
  const missing = (key?.students ?? []).filter((s) => !handed.has(s.student)).map((s) => absent(lesson, s));
  const students = [...withFlags(rows, doubled(rows, files)), ...missing].sort(byName);
  const questions = lesson.questions.map((q) => reportQuestion(q, lesson, students));
  return ok({ title: lesson.title, students, questions, most: lesson.questions.length });
} // prettier-ignore

/** Marks a class at once. */
export const gradeClass = (source: string, files: readonly HandedFile[], key?: Key, program?: string): Result<ClassReport> =>
  finish(gradingClass(source, files, key, program)); // prettier-ignore

type VariantFor = (seed: number | null) => Result<Lesson>;

/** What all files are marked with. */
interface Given {
  readonly lesson: Lesson;
  readonly key?: Key;
  readonly program?: string;
  readonly variant: VariantFor;
}

function variantsOf(lesson: Lesson): VariantFor {
  const variants = new Map<number | null, Result<Lesson>>([[null, ok(lesson)]]);
  return (seed) => {
    const found = variants.get(seed) ?? variantOf(lesson, seed ?? 0);
    variants.set(seed, found);
    return found;
  };
}

const flag = (code: string, message: string): Problem => ({ code, message });

const withFlags = (rows: readonly StudentReport[], more: readonly (readonly Problem[])[]): StudentReport[] =>
  rows.map((row, i) => ({ ...row, flags: [...row.flags, ...(more[i] ?? [])] }));

function absent(lesson: Lesson, { student, seed }: Key['students'][number]): StudentReport {
  return {
    student,
    seed,
    answers: blank(lesson),
    points: 0,
    marked: false,
    hashes: [],
    flags: [flag('absent', t('nothing was handed in'))],
  };
}

/** As in a list of names, whatever the capitals, 2 before 10; the same on every machine, as the collation of a language is not. */
function byName({ student: a }: StudentReport, { student: b }: StudentReport): number {
  const key = (name: string): string =>
    `${folded(name).replace(/\d+/g, (digits) => digits.padStart(20, '0'))}\0${name}`;
  const [left, right] = [key(a), key(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** All questions unanswered. */
const blank = (lesson: Lesson): Graded[] => lesson.questions.map((q) => unanswered(q.id));

const unanswered = (question: string): Graded => ({
  question,
  response: null,
  said: '',
  attempts: 0,
  minutes: 0,
  mark: { verdict: 'unanswered', points: 0, reason: t('No answer was given.'), arithmetic: [] },
});

function gradeFile({ lesson, key, program, variant }: Given, file: HandedFile): StudentReport {
  const read = file.refused ? fail(file.refused) : readResults(file.text);
  if (!read.ok) return damaged(lesson, file, key, read.problems);
  const results = read.value;
  const entry = ownerOf(key, results.student);
  const seed = entry ? entry.seed : results.seed;
  const own = variant(seed);
  const remarks = remarksOn(results, { lesson, seed, name: file.name, ...(key ? { key } : {}), ...(program === undefined ? {} : { program }) });
  const row = { student: entry?.student ?? results.student, file: file.name, seed, program: results.program };
  if (!own.ok) {
    const none = flag('variant', t('seed {0} has no variant: {1}', String(seed), own.problems[0]?.message ?? ''));
    return { ...row, answers: blank(lesson), points: 0, marked: false, hashes: [], flags: [...remarks, none] };
  }
  const answers = lesson.questions.map((q) => gradeAnswer(q, own.value, results.answers));
  const points = answers.reduce((sum, a) => sum + a.mark.points, 0);
  const odd = answers.filter((a) => a.mark.verdict === 'unreadable').map((a) => a.question);
  const unreadable = odd.length ? [flag('unreadable', t('responses that are none: {0}', odd.join(', ')))] : [];
  const { hashes, flags } = hashesOf(results, own.value);
  return { ...row, answers, points, marked: true, hashes, flags: [...remarks, ...flags, ...unreadable] };
} // prettier-ignore

function gradeAnswer(question: Question, lesson: Lesson, answers: readonly Answered[]): Graded {
  const given = answers.findLast((a) => a.question === question.id);
  if (!given) return unanswered(question.id);
  const marked = mark(question, lesson, given.response);
  // A lesson without problems, and variants of it, answer every question.
  if (!marked.ok) throw new Error(`${question.id}: ${marked.problems[0]?.message ?? ''}`);
  return { ...given, said: showResponse(question, given.response, optionsIn(question, lesson)), mark: marked.value };
}

/** A file that cannot be read: nothing of it is marked, and whose it is is told by its name or its folder. */
function damaged(lesson: Lesson, file: HandedFile, key: Key | undefined, problems: readonly Problem[]): StudentReport {
  const { student, seed, flags } = damageOf(file, key, problems);
  return { student, file: file.name, seed, answers: blank(lesson), points: 0, marked: false, hashes: [], flags };
}

function reportQuestion(question: Question, lesson: Lesson, students: readonly StudentReport[]): QuestionReport {
  const all = students.filter((s) => s.marked).flatMap((s) => s.answers.filter((a) => a.question === question.id));
  const count = (...verdicts: Mark['verdict'][]): number => all.filter((a) => verdicts.includes(a.mark.verdict)).length;
  const common = mostCommon(all.filter((a) => a.mark.verdict === 'wrong').map((a) => sayWrong(question, lesson, a)));
  return {
    question,
    prompt: fillIn(question.prompt, lesson, question.about).text,
    right: count('right'),
    partial: count('partial'),
    wrong: count('wrong', 'unreadable'),
    unanswered: count('unanswered'),
    ...(common ? { commonWrong: common } : {}),
  };
} // prettier-ignore

/** A wrong answer as it is counted: by the slip, which is the same in all variants, else by what was given. */
function sayWrong(question: Question, lesson: Lesson, { response, mark: { slip } }: Graded): string {
  if (slip !== undefined) return slip;
  const statement = typeof response === 'number' ? optionsIn(question, lesson)[response] : undefined;
  return statement ?? showResponse(question, response);
}

/** Statements, with the figures of this variant, and tokens. */
function optionsIn(question: Question, lesson: Lesson): readonly string[] {
  const answer = answerOf(question, lesson);
  const options = answer.ok && 'options' in answer.value ? answer.value.options : [];
  return options.map((text) => fillIn(text, lesson, question.about).text);
}

/** A response for a person, written as `showAnswer` writes what is right: statements and tokens count from 1, as they are shown. */
function showResponse(question: Question, response: Response, options: readonly string[] = []): string {
  if (response === null) return '';
  if (typeof response === 'string') return response;
  if (typeof response !== 'number') return showList(question, response);
  const chosen = question.kind === 'choose' || question.kind === 'find-wrong-step';
  return chosen && Number.isInteger(response) ? showChoice(response, options) : String(response);
}

function showList(q: Question, response: readonly unknown[]): string {
  const said = response.map((x) => (x === null ? '–' : String(x)));
  switch (q.kind) {
    case 'matrix':
      return said.map((x, i) => `[${q.cells[i]?.join(',') ?? '?'}] = ${x}`).join(', ');
    case 'shape':
      return said.join('×');
    case 'order-steps':
      return said.join(' → ');
    case 'pick-cell':
      return `[${said.join(',')}]`;
    case 'choose':
    case 'number':
    case 'find-wrong-step':
      return said.join(',');
  }
}

function mostCommon(given: readonly string[]): { response: string; times: number } | undefined {
  const times = new Map<string, number>();
  for (const response of given) times.set(response, (times.get(response) ?? 0) + 1);
  const [first] = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return first && first[1] > 1 ? { response: first[0], times: first[1] } : undefined;
}
