// `explain-attention lesson FILE`: checks a lesson.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { counted, t } from '../text';
import {
  answersOf,
  examFileName,
  fillIn,
  keyFileName,
  positionAt,
  readLesson,
  showAnswer,
  variantFileName,
  otherAnswersOf,
  variantOf,
  type Answer,
  type Lesson,
  type Problem,
} from '../index';

const lessonUsage = (): string =>
  t(`Usage: explain-attention lesson FILE [--answers]

Checks a lesson: every block, every question and its answer, and whether variants for a class can be made.
--answers prints the right answers too: a line for each question, its id and what is right; not in a student's folder.
Exit status: 0; 1 problems in the lesson (each on standard error with line and column); 2 usage.
`);

/** What a command printed, and its exit status. */
export interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly error: string;
}

export const failedOutcome = (status: number, error: string): Outcome => ({ status, out: '', error });
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Problems as lines in the format of compilers: `file:line:column: message (hint)`. */
export function locatedProblems(file: string, text: string, problems: readonly Problem[]): string {
  return problems
    .map(({ message, hint, range }) => {
      const at = range && positionAt(text, range.start);
      const where = at ? `${file}:${at.line}:${at.column}` : file;
      return `${where}: ${message}${hint === undefined ? '' : ` (${hint})`}\n`;
    })
    .join('');
}

/** Runs the command with the words after `lesson`. */
export function checkLessonFile(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: lessonUsage(), error: '' };
  const [file, more] = words.filter((word) => word !== '--answers');
  if (file === undefined || more !== undefined || file.startsWith('--'))
    return failedOutcome(2, `explain-attention lesson: ${t('expected one file')}\n\n${lessonUsage()}`);
  const withAnswers = words.includes('--answers');
  const variant = withAnswers ? variantBeside(file) : undefined;
  if (variant !== undefined)
    return failedOutcome(1, `explain-attention lesson: ${t('{0}: this is a student’s folder, and its answers stay with the teacher', variant)}\n`); // prettier-ignore
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return failedOutcome(2, `explain-attention: ${t('cannot read {0}: {1}', file, errorText(error))}\n`);
  }
  const { lesson, problems } = readLesson(text);
  if (withAnswers && (lesson.exam || existsSync(join(dirname(file), examFileName))) && !existsSync(join(dirname(file), keyFileName)))
    return failedOutcome(1, `explain-attention lesson: ${t('{0}: this is an exam; its answers are in the teacher’s folder', file)}\n`); // prettier-ignore
  if (problems.length) return failedOutcome(1, locatedProblems(file, text, problems));
  const out = summary(lesson) + (withAnswers ? answers(lesson) : '');
  return { status: 0, out, error: notes(file, text, lesson) };
}

/** The file that marks a student's folder, beside a lesson or beside what a link leads to; undefined where there is none. */
const variantBeside = (file: string): string | undefined =>
  [file, ...(existsSync(file) ? [realpathSync(file)] : [])]
    .map((path) => join(dirname(path), variantFileName))
    .find((path) => existsSync(path));

const summary = ({ title, blocks, questions }: Lesson): string => {
  const counts = [counted(blocks.length, 'block'), counted(questions.length, 'question')] as const;
  return `${t('{0}: {1}, {2}, every answer follows', title, ...counts)}\n`;
};

/** The answers, one line for each question in order, and below it those that a student of a class may have in its place. */
const answers = (lesson: Lesson): string =>
  answersOf(lesson)
    .flatMap(({ question, answer }) => {
      const said = (right: Answer): string => fillIn(showAnswer(right), lesson, question.about).text;
      const others = otherAnswersOf(question, lesson).map((right) => `  ${t('or in a class: {0}', said(right))}\n`);
      return [`${question.id}: ${answer.ok ? said(answer.value) : ''}\n`, ...others];
    })
    .join('');

/** Seeds for the check of randomized questions: enough to find a claim that only holds for the written numbers. */
const seeds = [1, 2, 3, 4];

function notes(file: string, text: string, lesson: Lesson): string {
  for (const seed of seeds) {
    const variant = variantOf(lesson, seed);
    if (!variant.ok) return t('note: no variants: {0}', locatedProblems(file, text, variant.problems));
  }
  return '';
}
