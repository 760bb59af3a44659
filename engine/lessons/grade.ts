import { fail, ok, positionAt, type Problem, type Result } from '../problems';
import { readLesson, type Lesson } from './lesson';
import { mark, type Mark, type Response } from './mark';
import type { Question } from './question';
import { blockHashes, checkOf, hashLesson, readResults, type Answered, type Key, type Results } from './results';
import { variantOf } from './variant';

/** A file that was handed in. */
export interface HandedFile {
  readonly name: string;
  readonly text: string;
}

export interface Graded {
  readonly question: string;
  readonly response: Response;
  readonly attempts: number;
  readonly minutes: number;
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
  /** What a teacher should look at: damage, another variant, other hashes. It tells accidents, not forgery. */
  readonly flags: readonly Problem[];
}

export interface QuestionReport {
  readonly question: Question;
  readonly right: number;
  readonly partial: number;
  readonly wrong: number;
  readonly unanswered: number;
  /** Among students with the same numbers; in variants, by the reason's kind of slip. */
  readonly commonWrong?: { readonly response: string; readonly times: number };
}

export interface ClassReport {
  readonly title: string;
  readonly students: readonly StudentReport[];
  readonly questions: readonly QuestionReport[];
  /** Most points of one student. */
  readonly most: number;
}

/**
 * Marks a class. Every right answer is computed anew from the lesson and the seed: the key's where there is a key, else the file's. A
 * Problem when the lesson itself has any. It detects damage and mistakes, not forgery: a student holds the same engine.
 */
export function gradeClass(source: string, files: readonly HandedFile[], key?: Key): Result<ClassReport> {
  const { lesson, problems } = readLesson(source);
  if (problems.length) return fail(...problems);
  if (!lesson.questions.length) return fail({ code: 'empty', message: 'the lesson has no questions' });
  const names = (key?.students ?? []).map((s) => s.student);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return fail({ code: 'duplicate', message: `the key lists ${twice} twice` });
  const variants = new Map<number | null, Result<Lesson>>([[null, ok(lesson)]]);
  const variant = (seed: number | null): Result<Lesson> => {
    const found = variants.get(seed) ?? variantOf(lesson, seed ?? 0);
    variants.set(seed, found);
    return found;
  };
  const rows = files.map((file) => gradeFile(lesson, file, key, variant));
  const handed = new Set(rows.map((r) => r.student));
  const missing = (key?.students ?? []).filter((s) => !handed.has(s.student)).map((s) => absent(lesson, s));
  const students = [...withTwice(rows), ...missing].sort((a, b) => (a.student < b.student ? -1 : 1));
  const questions = lesson.questions.map((q) => reportQuestion(q, students));
  return ok({ title: lesson.title, students, questions, most: lesson.questions.length });
}

const flag = (code: string, message: string): Problem => ({ code, message });

/** Two files of one student are both marked, and both flagged. */
function withTwice(rows: readonly StudentReport[]): StudentReport[] {
  return rows.map((row) => {
    const others = rows.filter((r) => r !== row && r.student === row.student);
    if (!others.length) return row;
    const message = `also handed in: ${others.map((r) => r.file).join(', ')}`;
    return { ...row, flags: [...row.flags, flag('twice', message)] };
  });
}

function absent(lesson: Lesson, { student, seed }: Key['students'][number]): StudentReport {
  return { student, seed, answers: blank(lesson), points: 0, flags: [flag('absent', 'nothing was handed in')] };
}

/** All questions unanswered. */
const blank = (lesson: Lesson): Graded[] => lesson.questions.map((q) => unanswered(q.id));

const unanswered = (question: string): Graded => ({
  question,
  response: null,
  attempts: 0,
  minutes: 0,
  mark: { verdict: 'unanswered', points: 0, reason: 'No answer was given.', arithmetic: [] },
});

type VariantFor = (seed: number | null) => Result<Lesson>;

function gradeFile(lesson: Lesson, file: HandedFile, key: Key | undefined, variant: VariantFor): StudentReport {
  const read = readResults(file.text);
  if (!read.ok) return damaged(lesson, file, key, read.problems);
  const results = read.value;
  const entry = key?.students.find((s) => s.student === results.student);
  const seed = entry ? entry.seed : results.seed;
  const own = variant(seed);
  const flags = flagsOf(lesson, results, key, seed);
  if (!own.ok) {
    const none = flag('variant', `seed ${seed} has no variant: ${own.problems[0]?.message ?? ''}`);
    return { student: results.student, file: file.name, seed, answers: blank(lesson), points: 0, flags: [...flags, none] };
  }
  const answers = lesson.questions.map((q) => gradeAnswer(q, own.value, results.answers));
  const points = answers.reduce((sum, a) => sum + a.mark.points, 0);
  const odd = answers.filter((a) => a.mark.verdict === 'unreadable').map((a) => a.question);
  const unreadable = odd.length ? [flag('unreadable', `responses that are none: ${odd.join(', ')}`)] : [];
  const hashes = hashFlags(results, own.value);
  return { student: results.student, file: file.name, seed, answers, points, flags: [...flags, ...hashes, ...unreadable] };
} // prettier-ignore

function gradeAnswer(question: Question, lesson: Lesson, answers: readonly Answered[]): Graded {
  const given = answers.findLast((a) => a.question === question.id);
  if (!given) return unanswered(question.id);
  const marked = mark(question, lesson, given.response);
  // A lesson without problems, and variants of it, answer every question.
  if (!marked.ok) throw new Error(`${question.id}: ${marked.problems[0]?.message ?? ''}`);
  return { ...given, mark: marked.value };
}

/** A file that cannot be read: nothing of it is marked, and whose it is is told by its name. */
function damaged(
  lesson: Lesson,
  file: HandedFile,
  key: Key | undefined,
  problems: readonly Problem[],
): StudentReport {
  const base = (file.name.split('/').at(-1) ?? file.name).replace(/\.?results.*\.json$/i, '') || file.name;
  const entry = key?.students.find((s) => s.student === base);
  const flags = problems.slice(0, 3).map((p) => {
    const { line, column } = positionAt(file.text, p.range?.start ?? 0);
    return flag('damaged', `line ${line}, column ${column}: ${p.message}`);
  });
  return { student: base, file: file.name, seed: entry?.seed ?? null, answers: blank(lesson), points: 0, flags };
} // prettier-ignore

function flagsOf(lesson: Lesson, results: Results, key: Key | undefined, seed: number | null): Problem[] {
  const flags: Problem[] = [];
  const known = new Set(lesson.questions.map((q) => q.id));
  const ids = results.answers.map((a) => a.question);
  const strange = ids.filter((id) => !known.has(id));
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  if (checkOf(results) !== results.check)
    flags.push(flag('changed', 'the file was changed after it was written, or damaged on its way'));
  if (results.lesson.hash !== hashLesson(lesson.source))
    flags.push(flag('other-lesson', `written for another edition of the lesson (“${results.lesson.title}”)`));
  if (!results.complete) flags.push(flag('incomplete', 'saved on the way and not handed in'));
  if (key && !key.students.some((s) => s.student === results.student))
    flags.push(flag('unknown-student', `${results.student} is not in the key; marked by the file’s own seed`));
  else if (results.seed !== seed)
    flags.push(flag('other-seed', `made for seed ${results.seed}; marked by the key’s seed ${seed}`));
  if (strange.length) flags.push(flag('unknown-question', `answers to questions that are not there: ${strange.join(', ')}`));
  if (twice.length) flags.push(flag('answered-twice', `answered twice: ${twice.join(', ')}; the last counts`));
  return flags;
} // prettier-ignore

/** Other numbers than the variant has, or the same inputs with another trace: the engine guarantees that this does not happen. */
function hashFlags(results: Results, lesson: Lesson): Problem[] {
  return blockHashes(lesson).flatMap(({ block, spec, trace }) => {
    const found = results.blocks.find((b) => b.block === block);
    if (!found) return [flag('no-hash', `block ${block} is missing`)];
    if (found.spec !== spec) return [flag('other-numbers', `block ${block} had other inputs`)];
    if (found.trace === trace) return [];
    return [flag('other-trace', `block ${block} was computed differently, by version ${results.program}`)];
  });
}

function reportQuestion(question: Question, students: readonly StudentReport[]): QuestionReport {
  const all = students.filter((s) => s.file !== undefined).flatMap((s) => s.answers.filter((a) => a.question === question.id));
  const count = (...verdicts: Mark['verdict'][]): number => all.filter((a) => verdicts.includes(a.mark.verdict)).length;
  const common = mostCommon(all.filter((a) => a.mark.verdict === 'wrong').map((a) => sayWrong(question, a)));
  return {
    question,
    right: count('right'),
    partial: count('partial'),
    wrong: count('wrong', 'unreadable'),
    unanswered: count('unanswered'),
    ...(common ? { commonWrong: common } : {}),
  };
} // prettier-ignore

/** A wrong answer as it is counted: by the slip, which is the same in all variants, else by what was given. */
function sayWrong(question: Question, { response, mark: { reason } }: Graded): string {
  const slip = / That is (\S+)\.$/.exec(reason)?.[1];
  if (slip !== undefined) return slip;
  const statements = question.kind === 'choose' && 'options' in question ? question.options : question.kind === 'find-wrong-step' ? question.steps : [];
  const chosen = typeof response === 'number' ? statements[response]?.text : undefined;
  return chosen ?? (Array.isArray(response) ? JSON.stringify(response) : String(response));
} // prettier-ignore

function mostCommon(given: readonly string[]): { response: string; times: number } | undefined {
  const times = new Map<string, number>();
  for (const response of given) times.set(response, (times.get(response) ?? 0) + 1);
  const [first] = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return first && { response: first[0], times: first[1] };
}
