// `explain-attention class LESSON`: writes the folders of a class. `explain-attention key KEY`: prints the right answers.
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { answersCsv, equalIn, planClass, readKey, readLesson, readStudents, spreadNotes, spreadOf, textOfBytes, variantOf, variantText, type ClassPlan, type Key, type Problem } from '../index'; // prettier-ignore
import { t } from '../text';
import { firstLink, writeFile } from './files';
import { failedOutcome, locatedProblems, errorText, type Outcome } from './lesson';
import { readOptionWords } from './words';

const classUsage = (): string =>
  t(`Usage: explain-attention class LESSON --out FOLDER [--students FILE --seed S] [--codes] [--equal] [--force]

Writes the folders of a class: FOLDER/students, one folder for each student with a variant of the lesson, or one for all; and
FOLDER/teacher with the key and the answers, which stays with the teacher. The same seed gives the same bytes.

Options:
  --out FOLDER      where it goes
  --students FILE   names or ids: a line each, or a table (.csv, .tsv) with a heading; each gets numbers of their own
  --seed S          a whole number from 0 to 4294967295
  --codes           codes in the place of names, in the folders and in what is handed in; teacher/codes.csv says whose is which
  --equal           also where questions have the same answer for everybody: without it nothing is written then
  --force           write over files that exist
  --locale LANGUAGE the language of the READMEs (en, de), else that of LC_ALL or LANG

Exit status: 0; 1 bad lesson, or files that exist (nothing is written then); 2 usage.
`);

/** Runs the command with the words after `class`. */
export function setUpClass(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: classUsage(), error: '' };
  const asked = readOptionWords(words, ['lesson'], ['out', 'students', 'seed'], ['codes', 'equal', 'force']);
  const wrong = typeof asked === 'string' ? asked : misuseOf(asked);
  if (typeof asked === 'string' || wrong !== undefined)
    return failedOutcome(2, `explain-attention class: ${wrong}\n\n${classUsage()}`);
  try {
    return planAndWrite(asked.lesson ?? '', asked.out ?? '', asked);
  } catch (error) {
    // A file cannot be read or written: the file system's message names it.
    return failedOutcome(2, `explain-attention class: ${errorText(error)}\n`);
  }
}

type Options = Readonly<Partial<Record<'out' | 'students' | 'seed' | 'codes' | 'equal' | 'force', string>>>;

function misuseOf({ out, students, seed, codes }: Options): string | undefined {
  if (out === undefined) return t('{0} is missing', '--out');
  if (students !== undefined && seed === undefined) return t('{0} needs {1}', '--students', '--seed');
  if (codes !== undefined && students === undefined) return t('{0} needs {1}', '--codes', '--students');
  const whole = seed === undefined || (/^\d{1,10}$/.test(seed) && Number(seed) <= 4294967295);
  return whole ? undefined : t('{0}: expected a whole number from {1} to {2}', `--seed ${seed}`, 0, 4294967295);
}

function planAndWrite(file: string, out: string, { students, seed, codes, equal, force }: Options): Outcome {
  const lesson = textOfBytes(readFileSync(file));
  const list = students === undefined ? undefined : readStudents(textOfBytes(readFileSync(students)), /^\.[ct]sv$/i.test(extname(students)) || undefined);
  if (list?.problems.length) return failedOutcome(1, list.problems.map(({ message }) => `${students}: ${message}\n`).join(''));
  if (list && !list.students.length) return failedOutcome(1, `${t('{0}: no names', students)}\n`);
  const plan = planClass({ lesson, name: basename(file), students: list?.students ?? [], ...(list && { identities: list.identities }), codes: codes !== undefined, seed: Number(seed ?? 0) });
  if (!plan.ok) return failedOutcome(1, locatedProblems(file, lesson, plan.problems));
  const same = equalIn(plan.value.spread);
  if (same.length && equal === undefined) return failedOutcome(1, `${file}: ${sameForAll(same, plan.value)}${byChance(same, plan.value, lesson)}\n`);
  const paths = plan.value.files.map(({ path }) => path);
  const link = firstLink(out, paths);
  if (link !== undefined) return failedOutcome(1, `${t('{0}: a symbolic link; nothing is written through it', link)}\n`);
  const there = plan.value.files.filter(({ path }) => existsSync(join(out, path)));
  if (there.length && force === undefined)
    return failedOutcome(1, `${existing(join(out, there[0]?.path ?? ''), there.length - 1)}\n`);
  for (const { path, text } of plan.value.files) writeFile(join(out, path), text, force !== undefined);
  return { status: 0, out: summary(plan.value, out), error: notes(students ?? file, [...(list?.notes ?? []), ...plan.value.notes, ...spreadNotes(plan.value.spread)]) };
} // prettier-ignore

const sameForAll = (same: readonly string[], { spread }: ClassPlan): string =>
  t('{0} of {1} questions have the same answer for everybody: {2}. Nothing was written; --equal writes it nonetheless.', same.length, spread.length, same.join(', ')); // prettier-ignore

/** As many variants as tell apart what a lesson asks of everybody and what a few students were dealt alike. */
const manyVariants = 12;

/** Which of these questions other seeds would ask otherwise; '' if none. */
function byChance(same: readonly string[], { key }: ClassPlan, text: string): string {
  const { lesson } = readLesson(text);
  const variants = Array.from({ length: manyVariants }, (_, seed) => variantOf(lesson, seed)).flatMap((one) => (one.ok ? [one.value] : []));
  const always = new Set(variants.length < 2 ? same : equalIn(spreadOf(variants)));
  const found = same.filter((id) => !always.has(id));
  return found.length === 0 ? '' : ` ${t('By chance in a class of {0}: {1}. Another --seed may deal them apart.', key.students.length, found.join(', '))}`;
} // prettier-ignore

const existing = (file: string, more: number): string =>
  more === 0
    ? t('{0}: exists; --force writes over it', file)
    : t('{0}: exists, and {1} more; --force writes over them', file, more);

const summary = ({ title, files, key }: ClassPlan, out: string): string => {
  const students = key.students.length;
  const whom = students === 0 ? t('one folder for all') : students === 1 ? t('1 student') : t('{0} students', students);
  return `${title}: ${whom}, ${t('{0} files in {1}', files.length, out)}\n`;
};

const notes = (file: string, problems: readonly Problem[]): string =>
  problems.map(({ message }) => `${t('note: {0}', `${file}: ${message}`)}\n`).join('');

const keyUsage = (): string =>
  t(`Usage: explain-attention key KEY

Prints the right answers of a class as CSV, a line for each student, computed from the teacher's key (teacher/key.json).
Exit status: 0; 1 damaged key; 2 usage.
`);

/** Runs the command with the words after `key`. */
export function printKey(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: keyUsage(), error: '' };
  const asked = readOptionWords(words, ['key'], []);
  if (typeof asked === 'string') return failedOutcome(2, `explain-attention key: ${asked}\n\n${keyUsage()}`);
  const file = asked.key ?? '';
  try {
    const text = textOfBytes(readFileSync(file));
    const key = readKey(text);
    return key.ok ? answersOfKey(file, key.value) : failedOutcome(1, locatedProblems(file, text, key.problems));
  } catch (error) {
    return failedOutcome(2, `explain-attention key: ${errorText(error)}\n`);
  }
}

function answersOfKey(file: string, key: Key): Outcome {
  const { lesson, problems } = readLesson(key.lesson);
  if (problems.length) return failedOutcome(1, locatedProblems(file, key.lesson, problems));
  const variants: { student: string; lesson: typeof lesson }[] = [];
  for (const { student, seed } of key.students) {
    const variant = seed === null ? undefined : variantText(lesson, seed);
    if (variant && !variant.ok)
      return failedOutcome(1, locatedProblems(`${file}: ${student}`, key.lesson, variant.problems));
    variants.push({ student, lesson: variant?.value.lesson ?? lesson });
  }
  return { status: 0, out: answersCsv(lesson, variants), error: '' };
}
