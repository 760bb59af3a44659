// `explain-attention grade FOLDER`: grades the results files of a class.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  canvasCsv,
  feedbackPages,
  gradeClass,
  isMarkdown,
  isResultsFile,
  keyFileName,
  largestLesson,
  mostBytes,
  readKey,
  readLesson,
  teacherFolder,
  reportCsv,
  reportHtml,
  textOfBytes,
  moodleCsv,
  withoutNames,
  type ClassReport,
  type Gradebook,
  type HandedFile,
  type Key,
  type Refused,
} from '../index';
import { t } from '../text';
import { filesIn, firstLink, readBounded, writeFile, type FolderContents } from './files';
import { failedOutcome, locatedProblems, errorText, type Outcome } from './lesson';
import { readOptionWords } from './words';

declare const PACKAGE_VERSION: string;

const gradeUsage = (): string =>
  t(`Usage: explain-attention grade FOLDER [--key FILE] [--csv FILE] [--html FILE]
       [--canvas FILE] [--moodle FILE] [--feedback FOLDER] [--correction LESSON] [--anonymous]

Marks the results files (*results*.json) in FOLDER and the folders in it. Every right answer is computed anew, from the
lesson and the student's seed. Without a key the lesson is the one Markdown file with questions in FOLDER.

Options:
  --key FILE    the teacher's key: the lesson, and each student's seed (FOLDER/teacher/key.json or FOLDER/key.json where
                there is one)
  --csv FILE    where the table goes (standard output without --csv and --html)
  --html FILE   where the report goes
  --canvas FILE, --moodle FILE
                where a gradebook goes, as Canvas or Moodle imports it: points, and students as the class's list names them
  --feedback FOLDER
                where a page for each student goes
  --correction LESSON
                a corrected lesson: its questions mark, on the numbers that were handed out, and the report says what changed
  --anonymous   codes in the place of names in table, report and pages (a class that was set up with --codes)
  --locale L    the language of report and remarks (en, de), else that of LC_ALL or LANG

Damaged and inconsistent files are marked as far as they go and named on standard error. This tells accidents, not forgery.
Exit status: 0; 1 bad lesson or key, or a file with a remark (the reports are written nonetheless); 2 usage.
`);

type GradeOptions = Readonly<
  Partial<
    Record<'folder' | 'key' | 'csv' | 'html' | 'canvas' | 'moodle' | 'feedback' | 'correction' | 'anonymous', string>
  >
>;

/** Runs the command with the words after `grade`. */
export function gradeFolder(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: gradeUsage(), error: '' };
  const asked = readOptionWords(
    words,
    ['folder'],
    ['key', 'csv', 'html', 'canvas', 'moodle', 'feedback', 'correction'],
    ['anonymous'],
  );
  if (typeof asked === 'string') return failedOutcome(2, `explain-attention grade: ${asked}\n\n${gradeUsage()}`);
  try {
    return grade(asked.folder ?? '', asked);
  } catch (error) {
    // A file cannot be read or written: the file system's message names it.
    return failedOutcome(2, `explain-attention grade: ${errorText(error)}\n`);
  }
}

function grade(folder: string, asked: GradeOptions): Outcome {
  const found = filesIn(folder);
  const given = lessonGiven(folder, found, asked.key);
  if ('status' in given) return given;
  const files = handedFiles(folder, found);
  if (!files.length) return failedOutcome(1, `${t('{0}: no results files (*results*.json)', folder)}\n`);
  const correction = asked.correction === undefined ? undefined : textOfBytes(readFileSync(asked.correction));
  const { key } = given;
  const named = gradeClass(given.lesson, files, { ...(key ? { key } : {}), program: PACKAGE_VERSION, ...(correction === undefined ? {} : { correction }) }); // prettier-ignore
  if (!named.ok) {
    const isCorrected = named.problems.some(({ path }) => path === 'correction');
    return failedOutcome(1, isCorrected ? locatedProblems(asked.correction ?? '', correction ?? '', named.problems) : locatedProblems(given.file, given.lesson, named.problems)); // prettier-ignore
  }
  const report = asked.anonymous === undefined ? named : withoutNames(named.value, key);
  if (!report.ok) return failedOutcome(1, locatedProblems(given.file, given.lesson, report.problems));
  // Gradebooks are for systems that know the students: they have the names also where the rest has codes.
  const books = [
    ...(asked.canvas === undefined ? [] : [writeBook(asked.canvas, canvasCsv(named.value, key))]),
    ...(asked.moodle === undefined ? [] : [writeBook(asked.moodle, moodleCsv(named.value, key))]),
  ];
  if (asked.csv !== undefined) writeFileSync(asked.csv, `\ufeff${reportCsv(report.value)}`);
  if (asked.html !== undefined) writeFileSync(asked.html, reportHtml(report.value));
  if (asked.feedback !== undefined) {
    const pages = feedbackPages(report.value);
    const link = firstLink(asked.feedback, pages.map(({ path }) => path)); // prettier-ignore
    if (link !== undefined)
      return failedOutcome(1, `${t('{0}: a symbolic link; nothing is written through it', link)}\n`);
    for (const { path, text } of pages) writeFile(join(asked.feedback, path), text, true);
  }
  const isWritten = [asked.csv, asked.html, asked.canvas, asked.moodle, asked.feedback].some((x) => x !== undefined);
  const table = isWritten ? '' : reportCsv(report.value);
  // Refused files are listed here unless they are results files by name, which have a row in the report.
  const passed = [...found.refused.filter(({ name }) => !isResultsFile(name)), ...given.refused];
  const remarks = passed.map(({ name, problem }) => `${name}: ${problem.message}\n`).join('') + remarksOn(report.value);
  return { status: remarks ? 1 : 0, out: table, error: remarks + books.join('') + changesSaid(report.value) };
}

/** Writes a gradebook, without a byte order mark, which its system does not expect. Returns what is to be said of it. */
function writeBook(file: string, { csv, notes }: Gradebook): string {
  writeFileSync(file, csv);
  return notes.map(({ message }) => `${t('note: {0}', `${file}: ${message}`)}\n`).join('');
}

const changesSaid = ({ changes }: ClassReport): string =>
  changes === undefined
    ? ''
    : `${t('note: {0}', t('the correction changed {0} answers of {1} students', changes.length, new Set(changes.map(({ student }) => student)).size))}\n`; // prettier-ignore

/** The results files, including refused ones: those get a row that says why. */
function handedFiles(folder: string, { files, refused }: FolderContents): HandedFile[] {
  const read = files.filter(isResultsFile).map((name): HandedFile => {
    const text = readBounded(join(folder, name), mostBytes(name));
    const problem = text.ok ? undefined : text.problems[0];
    return text.ok ? { name, text: text.value } : { name, text: '', ...(problem ? { refused: problem } : {}) };
  });
  const others = refused.filter(({ name }) => isResultsFile(name)).map(({ name, problem }) => ({ name, text: '', refused: problem }));
  return [...read, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
} // prettier-ignore

/** The key's path where the command Set Up a Class puts it. */
const keyIn = (folder: string): string | undefined =>
  [join(folder, teacherFolder, keyFileName), join(folder, keyFileName)].find((path) => existsSync(path));

interface LessonSource {
  readonly file: string;
  readonly lesson: string;
  readonly key?: Key;
  /** Refused files that might have been the lesson. */
  readonly refused: readonly Refused[];
}

/** The lesson of the key that was named or is in the folder; without a key, of the only Markdown file with questions. */
function lessonGiven(folder: string, found: FolderContents, named: string | undefined): LessonSource | Outcome {
  if (named !== undefined) return lessonOfKey(named, readFileSync(named, 'utf8'));
  const file = keyIn(folder);
  if (file === undefined) return lessonIn(folder, found);
  const text = readBounded(file, largestLesson);
  return text.ok ? lessonOfKey(file, text.value) : failedOutcome(1, locatedProblems(file, '', text.problems));
}

function lessonIn(folder: string, { files }: FolderContents): LessonSource | Outcome {
  const refused: Refused[] = [];
  const lessons: { file: string; lesson: string }[] = [];
  for (const name of files.filter(isMarkdown)) {
    const lesson = readBounded(join(folder, name), largestLesson);
    if (!lesson.ok) refused.push(...lesson.problems.map((problem) => ({ name, problem })));
    else if (lesson.value.includes('attention-question') && readLesson(lesson.value).lesson.questions.length)
      lessons.push({ file: join(folder, name), lesson: lesson.value });
  }
  const [first] = lessons;
  const texts = new Set(lessons.map((l) => l.lesson));
  if (first && texts.size === 1) return { ...first, refused };
  const found = first ? lessons.map((l) => l.file).join(', ') : t('none');
  const passed = refused.map(({ name, problem }) => `${name}: ${problem.message}\n`).join('');
  return failedOutcome(1, `${t('{0}: expected one lesson (a Markdown file with questions) or --key, found {1}', folder, found)}\n${passed}`);
} // prettier-ignore

function lessonOfKey(file: string, text: string): LessonSource | Outcome {
  const key = readKey(text);
  return key.ok
    ? { file, lesson: key.value.lesson, key: key.value, refused: [] }
    : failedOutcome(1, locatedProblems(file, text, key.problems));
}

const remarksOn = ({ students }: ClassReport): string =>
  students.flatMap(({ student, file, flags }) => flags.map((f) => `${file ?? student}: ${f.message}\n`)).join('');
