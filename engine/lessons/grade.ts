import { t, fail, ok, type Problem, type Result, finish, type Paced } from '../text';
import { answerOf } from './answer';
import type {
  ClassReport,
  Graded,
  HandedFile,
  MisconceptionReport,
  QuestionReport,
  StudentReport,
} from './class-report';
import { changesBetween, checkCorrection, correctedVariant } from './correction';
import { everyStatementOf, placeOf } from './deal';
import { fillIn } from './fill';
import { readingLesson, type Lesson } from './lesson';
import { mark, type Mark, type Response } from './mark';
import { closePairsOf } from './papers';
import { pointsOf, statementsOf, type Question } from './question';
import { showChoice } from './answers';
import { damageOf, duplicateFlags, hashesOf, minutesLate, ownerOf, flagsOf } from './remarks';
import { readResults, type AnswerRecord, type Key, type KeyEntry, type Results } from './results';
import { comparisonKey } from './students';
import { variantOf } from './variant';

/** What a class is marked by. */
export interface GradingRequest {
  readonly key?: Key;
  /** The version that grades. */
  readonly program?: string;
  /** The Markdown of a corrected lesson: answers are marked by its questions, on the numbers that were handed out. */
  readonly correction?: string;
  /** Called with the number of finished files. */
  readonly progress?: (done: number) => void;
}

/**
 * Grades a class. Every right answer is computed again from the lesson and the seed: the key's if there is a key, else the file's. A Problem
 * if the lesson has any, or its correction (then its path is `correction`). Detects damage and mistakes, not forgery, as students have the same engine.
 */
export function* gradingClass(
  source: string,
  files: readonly HandedFile[],
  { key, program, correction, progress }: GradingRequest = {},
): Paced<Result<ClassReport>> {
  const read = yield* readForMarks(source);
  if (!read.ok) return read;
  const lesson = read.value;
  const names = (key?.students ?? []).map((s) => s.student);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return fail({ code: 'duplicate', message: t('the key lists {0} twice', twice) });
  const given: GradingContext = { lesson, handedOut: lesson, ...(key ? { key } : {}), ...(program === undefined ? {} : { program }), variant: variantsOf(lesson) };
  const before = yield* reporting(given, files, progress);
  if (correction === undefined) return ok({ ...before, close: yield* closeIn(given, before) });
  const corrected = yield* correctionFor(given, before, correction);
  if (!corrected.ok) return fail(...corrected.problems.map((p) => ({ ...p, path: 'correction' })));
  const after = yield* reporting(corrected.value, files);
  return ok({ ...after, changes: changesBetween(before, after), close: yield* closeIn(corrected.value, after) });
} // prettier-ignore

function* readForMarks(source: string): Paced<Result<Lesson>> {
  const { lesson, problems } = yield* readingLesson(source.replace(/^\ufeff/, ''));
  if (problems.length) return fail(...problems);
  return lesson.questions.length ? ok(lesson) : fail({ code: 'empty', message: t('the lesson has no questions') });
}

/** The same with a correction's questions. A Problem if one of them has no answer on some student's numbers. */
function* correctionFor(given: GradingContext, { students }: ClassReport, correction: string): Paced<Result<GradingContext>> {
  const read = yield* readForMarks(correction);
  const checked = read.ok ? checkCorrection(given.lesson, read.value) : read;
  if (!checked.ok) return checked;
  const lesson = checked.value;
  const variants = new Map<number | null, Result<Lesson>>();
  const variant: VariantFor = (seed) => {
    const known = variants.get(seed);
    const own = known ? undefined : given.variant(seed);
    const found = known ?? (own?.ok ? ok(correctedVariant(own.value, given.lesson, lesson)) : (own ?? fail()));
    variants.set(seed, found);
    return found;
  };
  for (const { marked, seed, student } of students) {
    const own = marked ? variant(seed) : undefined;
    for (const question of own?.ok ? own.value.questions : []) {
      const answer = own?.ok ? answerOf(question, own.value) : undefined;
      if (answer && !answer.ok) return fail(...answer.problems.map((p) => ({ code: p.code, message: t('{0} on the numbers of {1}: {2}', question.id, student, p.message), range: question.range })));
    }
    yield;
  }
  return ok({ ...given, lesson, variant });
} // prettier-ignore

const closeIn = (
  { handedOut, lesson, variant }: GradingContext,
  { students }: ClassReport,
): Paced<ClassReport['close']> => closePairsOf(handedOut, lesson, students, (seed) => ownOf(variant(seed)));

/** Marks every file, by one lesson. Papers are not yet compared. */
function* reporting(
  given: GradingContext,
  files: readonly HandedFile[],
  progress?: (done: number) => void,
): Paced<ClassReport> {
  const { lesson, key } = given;
  const rows: StudentReport[] = [];
  for (const file of files) {
    rows.push(gradeFile(given, file));
    progress?.(rows.length);
    yield;
  }
  const handed = new Set(rows.map((r) => r.student));
  const missing = (key?.students ?? []).filter((s) => !handed.has(s.student)).map((s) => reportOfAbsent(lesson, s));
  const students = [...withFlags(rows, duplicateFlags(rows, files)), ...missing].sort(byName);
  const questions = lesson.questions.map((q) => reportQuestion(q, lesson, students));
  const misconceptions = misconceptionsIn(students);
  const { title, exam, due } = given.handedOut;
  const most = lesson.questions.reduce((sum, q) => sum + pointsOf(q), 0);
  return { title, exam, ...(due === undefined ? {} : { due }), students, questions, misconceptions, close: [], most };
} // prettier-ignore

/** The same without pauses. */
export const gradeClass = (
  source: string,
  files: readonly HandedFile[],
  asked: GradingRequest = {},
): Result<ClassReport> => finish(gradingClass(source, files, asked));

const ownOf = (variant: Result<Lesson>): Lesson | undefined => (variant.ok ? variant.value : undefined);

type VariantFor = (seed: number | null) => Result<Lesson>;

/** What grading a file needs. */
interface GradingContext {
  /** Whose questions mark. */
  readonly lesson: Lesson;
  /** The lesson that students had, by which files are checked. */
  readonly handedOut: Lesson;
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

function reportOfAbsent(lesson: Lesson, entry: KeyEntry): StudentReport {
  const { student, seed } = entry;
  return {
    student,
    seed,
    ...identityIn(entry),
    answers: allUnanswered(lesson),
    points: 0,
    marked: false,
    hashes: [],
    flags: [flag('absent', t('nothing was handed in'))],
  };
}

/** Compares names ignoring case, 2 before 10. Independent of locale, so that all machines sort alike. */
function byName({ student: a }: StudentReport, { student: b }: StudentReport): number {
  const key = (name: string): string =>
    `${comparisonKey(name).replace(/\d+/g, (digits) => digits.padStart(20, '0'))}\0${name}`;
  const [left, right] = [key(a), key(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Every question unanswered. */
const allUnanswered = (lesson: Lesson): Graded[] => lesson.questions.map((q) => unanswered(q, lesson));

const unanswered = (question: Question, lesson: Lesson): Graded => ({
  question: question.id,
  prompt: promptOf(question, lesson),
  response: null,
  said: '',
  earned: 0,
  attempts: 0,
  minutes: 0,
  mark: { verdict: 'unanswered', points: 0, reason: t('No answer was given.'), arithmetic: [] },
});

function gradeFile({ lesson, handedOut, key, program, variant }: GradingContext, file: HandedFile): StudentReport {
  const read = file.refused ? fail(file.refused) : readResults(file.text);
  if (!read.ok) return reportOfDamaged(lesson, file, key, read.problems);
  const results = read.value;
  const entry = ownerOf(key, results.student);
  const seed = entry ? entry.seed : results.seed;
  const own = variant(seed);
  const remarks = flagsOf(results, { lesson: handedOut, seed, name: file.name, ...(key ? { key } : {}), ...(program === undefined ? {} : { program }) });
  const row = { student: entry?.student ?? results.student, file: file.name, seed, ...identityIn(entry), program: results.program, ...timesOf(results, handedOut) };
  if (!own.ok) {
    const none = flag('variant', t('seed {0} has no variant: {1}', String(seed), own.problems[0]?.message ?? ''));
    return { ...row, answers: allUnanswered(lesson), points: 0, marked: false, hashes: [], flags: [...remarks, none] };
  }
  const answers = own.value.questions.map((q, i) => gradeAnswer(q, own.value, results.answers, lesson.questions[i]));
  const points = answers.reduce((sum, a) => sum + a.earned, 0);
  const odd = answers.filter((a) => a.mark.verdict === 'unreadable').map((a) => a.question);
  const unreadable = odd.length ? [flag('unreadable', t('responses that are none: {0}', odd.join(', ')))] : [];
  const { hashes, flags } = hashesOf(results, own.value);
  return { ...row, answers, points, marked: true, hashes, flags: [...remarks, ...flags, ...unreadable] };
} // prettier-ignore

/** What the key says of a student besides name, seed and code. */
function identityIn(entry: KeyEntry | undefined): Pick<StudentReport, 'identity'> {
  const { student: _, seed: __, code: ___, ...identity } = entry ?? { student: '', seed: null };
  return Object.keys(identity).length > 0 ? { identity } : {};
}

function timesOf(results: Results, lesson: Lesson): Pick<StudentReport, 'exam' | 'handedIn' | 'late'> {
  const { exam, handedIn } = results;
  const late = minutesLate(results, lesson);
  return { ...(exam && { exam }), ...(handedIn !== undefined && { handedIn }), ...(late > 0 && { late }) };
}

const promptOf = (question: Question, lesson: Lesson): string => fillIn(question.prompt, lesson, question.about).text;

/** `written`: the question as the lesson has it, whose statements may be in another order. */
function gradeAnswer(question: Question, lesson: Lesson, answers: readonly AnswerRecord[], written = question): Graded {
  const given = answers.findLast((a) => a.question === question.id);
  if (!given) return unanswered(question, lesson);
  const marked = mark(question, lesson, given.response);
  // Lessons without problems, and their variants, have an answer for every question.
  if (!marked.ok) throw new Error(`${question.id}: ${marked.problems[0]?.message ?? ''}`);
  const chosen = typeof given.response === 'number' ? statementsOf(question)[given.response] : undefined;
  const statement = chosen ? placeOf(written, chosen.text) : -1;
  const several =
    isSeveral(question) && Array.isArray(given.response) ? (given.response as readonly number[]) : undefined;
  const statements = several?.map((i) => placeOf(written, statementsOf(question)[i]?.text)).sort((a, b) => a - b);
  const earned = marked.value.points * pointsOf(question);
  const said = showResponse(question, given.response, optionsIn(question, lesson));
  return {
    ...given,
    prompt: promptOf(question, lesson),
    said,
    earned,
    ...(statement < 0 ? {} : { statement }),
    ...(statements && { statements }),
    mark: marked.value,
  };
}

const isSeveral = (question: Question): boolean => question.kind === 'choose' && 'several' in question && question.several === true; // prettier-ignore

/** The report of an unreadable file: nothing is graded; its owner is inferred from its name or folder. */
function reportOfDamaged(
  lesson: Lesson,
  file: HandedFile,
  key: Key | undefined,
  problems: readonly Problem[],
): StudentReport {
  const { student, seed, flags } = damageOf(file, key, problems);
  return {
    student,
    file: file.name,
    seed,
    ...identityIn(key?.students.find((one) => one.student === student)),
    answers: allUnanswered(lesson),
    points: 0,
    marked: false,
    hashes: [],
    flags,
  };
}

function reportQuestion(question: Question, lesson: Lesson, students: readonly StudentReport[]): QuestionReport {
  const all = students.filter((s) => s.marked).flatMap((s) => s.answers.filter((a) => a.question === question.id));
  const count = (...verdicts: Mark['verdict'][]): number => all.filter((a) => verdicts.includes(a.mark.verdict)).length;
  const common = mostCommon(all.filter((a) => a.mark.verdict === 'wrong').map((a) => wrongAnswerText(question, lesson, a)));
  return {
    question,
    prompt: fillIn(question.prompt, lesson, question.about).text,
    right: count('right'),
    partial: count('partial'),
    wrong: count('wrong', 'unreadable'),
    unanswered: count('unanswered'),
    collected: count('collected'),
    ...(common ? { commonWrong: common } : {}),
  };
} // prettier-ignore

/** Who made which mistake where, the most frequent first. */
function misconceptionsIn(students: readonly StudentReport[]): readonly MisconceptionReport[] {
  const found = new Map<string, { name: string; met: { student: string; question: string }[] }>();
  for (const { student, answers } of students)
    for (const { question, mark: given } of answers) {
      const [one, other] = given.misconceptions ?? [];
      if (!one || other) continue;
      const known = found.get(one.id) ?? { name: one.name, met: [] };
      found.set(one.id, { ...known, met: [...known.met, { student, question }] });
    }
  return [...found].map(([id, rest]) => ({ id, ...rest })).sort((a, b) => b.met.length - a.met.length);
}

/** The text under which a wrong answer is counted: the mistakes that give it, which are the same in all variants, else the response. */
function wrongAnswerText(
  question: Question,
  lesson: Lesson,
  { response, said, statement, statements, mark: { misconceptions } }: Graded,
): string {
  if (misconceptions) return misconceptions.map(({ name }) => name).join('; ');
  const all = everyStatementOf(question).map(({ text }) => fillIn(text, lesson, question.about).text);
  if (statement !== undefined) return all[statement] ?? said;
  if (statements !== undefined) return showResponse(question, statements, all);
  // Where students were asked in other ways, cells and tokens are those of the way that the student had.
  if (question.or) return said;
  const chosen = typeof response === 'number' ? optionsIn(question, lesson)[response] : undefined;
  return chosen ?? showResponse(question, response, optionsIn(question, lesson));
}

/** The statements, with this variant's numbers, or tokens of a question. */
function optionsIn(question: Question, lesson: Lesson): readonly string[] {
  const answer = answerOf(question, lesson);
  const options = answer.ok && 'options' in answer.value ? answer.value.options : [];
  return options.map((text) => fillIn(text, lesson, question.about).text);
}

/** A response as text, in the style of `showAnswer`. */
function showResponse(question: Question, response: Response, options: readonly string[] = []): string {
  if (response === null) return '';
  if (typeof response === 'string') return response;
  if (isSeveral(question) && Array.isArray(response))
    return (response as readonly unknown[])
      .map((i) => (typeof i === 'number' ? showChoice(i, options) : String(i)))
      .join('; ');
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
    case 'text':
      return said.join(',');
  }
}

function mostCommon(given: readonly string[]): { response: string; times: number } | undefined {
  const times = new Map<string, number>();
  for (const response of given) times.set(response, (times.get(response) ?? 0) + 1);
  const [first] = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return first && first[1] > 1 ? { response: first[0], times: first[1] } : undefined;
}
