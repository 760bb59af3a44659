// `explain-attention grade FOLDER`: marks what a class handed in.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  gradeClass,
  keyFileName,
  readKey,
  readLesson,
  teacherFolder,
  reportCsv,
  reportHtml,
  textOfBytes,
  type ClassReport,
  type Key,
} from '../index';
import { t } from '../text/l10n';
import { failed, placed, say, type Outcome } from './lesson';
import { readWords } from './words';

declare const PACKAGE_VERSION: string;

const gradeUsage = (): string =>
  t(`Usage: explain-attention grade FOLDER [--key FILE] [--csv FILE] [--html FILE]

Marks the results files (*results*.json) in FOLDER and the folders in it. Every right answer is computed anew, from the
lesson and the student's seed. Without a key the lesson is the one Markdown file with questions in FOLDER.

Options:
  --key FILE    the teacher's key: the lesson, and each student's seed (FOLDER/teacher/key.json or FOLDER/key.json where
                there is one)
  --csv FILE    where the table goes (standard output without --csv and --html)
  --html FILE   where the report goes
  --locale L    the language of report and remarks (en, de), else that of LC_ALL or LANG

Damaged and inconsistent files are marked as far as they go and named on standard error. This tells accidents, not forgery.
Exit status: 0; 1 bad lesson or key, or a file with a remark (the reports are written nonetheless); 2 usage.
`);

type Asked = Readonly<Partial<Record<'folder' | 'key' | 'csv' | 'html', string>>>;

/** Runs the command with the words after `grade`. */
export function gradeFolder(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: gradeUsage(), error: '' };
  const asked = readWords(words, ['folder'], ['key', 'csv', 'html']);
  if (typeof asked === 'string') return failed(2, `explain-attention grade: ${asked}\n\n${gradeUsage()}`);
  try {
    return grade(asked.folder ?? '', asked);
  } catch (error) {
    // Files that cannot be read or written: the file system's own message names them.
    return failed(2, `explain-attention grade: ${say(error)}\n`);
  }
}

/** Deepest folder that is looked into: class/student/file and one more. */
const deepest = 4;
/** Most characters of a results file that are read: one of fifty questions has 10,000. */
const mostCharacters = 1 << 20;

function* filesIn(folder: string, depth = 0): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth < deepest) yield* filesIn(path, depth + 1);
  }
}

function grade(folder: string, asked: Asked): Outcome {
  const all = [...filesIn(folder)];
  const given = lessonFor(folder, all, asked.key ?? keyIn(folder));
  if ('status' in given) return given;
  const files = all
    .filter((path) => /results[^/\\]*\.json$/i.test(path))
    .map((path) => ({ name: relative(folder, path).replaceAll('\\', '/'), text: textOfBytes(readFileSync(path)).slice(0, mostCharacters) }));
  if (!files.length) return failed(1, `${t('{0}: no results files (*results*.json)', folder)}\n`);
  const report = gradeClass(given.lesson, files, given.key, PACKAGE_VERSION);
  if (!report.ok) return failed(1, placed(given.file, given.lesson, report.problems));
  if (asked.csv !== undefined) writeFileSync(asked.csv, `\ufeff${reportCsv(report.value)}`);
  if (asked.html !== undefined) writeFileSync(asked.html, reportHtml(report.value));
  const table = asked.csv === undefined && asked.html === undefined ? reportCsv(report.value) : '';
  const remarks = remarksOn(report.value);
  return { status: remarks ? 1 : 0, out: table, error: remarks };
} // prettier-ignore

/** Where Set Up a Class puts it. */
const keyIn = (folder: string): string | undefined =>
  [join(folder, teacherFolder, keyFileName), join(folder, keyFileName)].find((path) => existsSync(path));

interface Given {
  readonly file: string;
  readonly lesson: string;
  readonly key?: Key;
}

/** The key's lesson; without a key the one Markdown file with questions. */
function lessonFor(folder: string, all: readonly string[], keyFile: string | undefined): Given | Outcome {
  if (keyFile !== undefined) {
    const text = readFileSync(keyFile, 'utf8');
    const key = readKey(text);
    return key.ok ? { file: keyFile, lesson: key.value.lesson, key: key.value } : failed(1, placed(keyFile, text, key.problems));
  }
  const lessons = all
    .filter((path) => /\.md$/i.test(path))
    .map((path) => ({ file: path, lesson: readFileSync(path, 'utf8') }))
    .filter(({ lesson }) => lesson.includes('attention-question') && readLesson(lesson).lesson.questions.length);
  const [first] = lessons;
  const texts = new Set(lessons.map((l) => l.lesson));
  if (first && texts.size === 1) return first;
  const found = first ? lessons.map((l) => l.file).join(', ') : t('none');
  return failed(1, `${t('{0}: expected one lesson (a Markdown file with questions) or --key, found {1}', folder, found)}\n`);
} // prettier-ignore

const remarksOn = ({ students }: ClassReport): string =>
  students.flatMap(({ student, file, flags }) => flags.map((f) => `${file ?? student}: ${f.message}\n`)).join('');
