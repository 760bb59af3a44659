import * as vscode from 'vscode';
import { canvasCsv, feedbackPages, gradingClass, inStretches, isMarkdown, isResultsFile, keyFileName, moodleCsv, readKey, readLesson, reportCsv, reportHtml, teacherFolder, type ClassFile, type ClassReport, type HandedFile, type Identity, type Key, type Problem, type Refused, type Result } from '../../engine/index'; // prettier-ignore
import { exists, locateInText } from '../documents';
import type { Report } from '../host';
import { readLessonModels } from '../model-files';
import {
  askForFolder,
  classFolders,
  filesIn,
  notWritten,
  existing,
  readBounded,
  withProgress,
  writeAll,
} from './files';

export const reportViewType = 'explainAttention.report';
const [csvName, htmlName, feedbackFolder] = ['marks.csv', 'report.html', 'feedback'];

/** What grading needs of the extension: its version, which the report says, and its folder. */
export interface Extension {
  readonly version: string;
  readonly extensionUri: vscode.Uri;
}

/** Grades what was handed in in a folder, writes the table of marks and the report for the teacher, and shows the report. */
export async function gradeFolder({ version, extensionUri }: Extension, report: Report, given: unknown): Promise<void> {
  const offered = given instanceof vscode.Uri ? [] : await classFolders();
  const folder = await askForFolder(vscode.l10n.t('Grade Class: Folder'), given, { offered });
  if (!folder) return;
  const found = await withProgress(vscode.l10n.t('Reading what was handed in'), (tell, isCancelled) =>
    readClass(extensionUri, folder, tell, isCancelled),
  );
  if (!found) return;
  if ('problems' in found) return report.problems({ name: found.name }, locateInText(found.text, found.problems));
  const graded = await withProgress(vscode.l10n.t('Grading'), (tell, isCancelled) => {
    const { lesson, files, key, correction } = found;
    const progress = (done: number): void => tell(done / files.length, files[done - 1]?.name ?? '');
    return inStretches(
      gradingClass(lesson, files, {
        ...(key ? { key } : {}),
        program: version,
        progress,
        ...(correction === undefined ? {} : { correction }),
      }),
      isCancelled,
    );
  });
  if (!graded) return;
  if (!graded.ok) {
    const isCorrected = graded.problems.some(({ path }) => path === 'correction');
    const text = isCorrected ? (found.correction ?? '') : found.lesson;
    return report.problems({ name: isCorrected ? vscode.l10n.t('The corrected lesson') : found.name }, locateInText(text, graded.problems)); // prettier-ignore
  }
  for (const { name, problem } of found.refused) report.log.warn(`${name}: ${problem.message}`);
  await writeReport(graded.value, found.key, folder, report);
  warnOfRefused(found.refused);
}

/** Warns of entries that were skipped and have no row in the report. */
function warnOfRefused(refused: readonly Refused[]): void {
  const [first] = refused;
  if (!first) return;
  const said = `${first.name}: ${first.problem.message}`;
  void vscode.window.showWarningMessage(
    refused.length === 1 ? said : vscode.l10n.t('{0}, and {1} more (in the log)', said, refused.length - 1),
  );
}

interface HandedIn {
  readonly name: string;
  readonly lesson: string;
  readonly key?: Key;
  /** The teacher's lesson, where it was changed since it was handed out and is to mark. */
  readonly correction?: string;
  readonly files: readonly HandedFile[];
  /** What was skipped, except results files, which are in `files`. */
  readonly refused: readonly Refused[];
}

interface UnreadableClass {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}

async function readClass(
  extensionUri: vscode.Uri,
  folder: vscode.Uri,
  tell: (part: number, message: string) => void,
  isCancelled: () => boolean,
): Promise<HandedIn | UnreadableClass | undefined> {
  const all = await filesIn(folder, isCancelled);
  const read = (path: string): Promise<Result<string>> => readBounded(folder, path);
  const lesson = await lessonOf(all.files, read, extensionUri);
  if ('problems' in lesson) return lesson;
  await readLessonModels(extensionUri, lesson.lesson);
  const paths = all.files.filter(isResultsFile);
  const isNamed = ({ name }: Refused): boolean => isResultsFile(name) && !paths.includes(name);
  const files: HandedFile[] = all.refused.filter(isNamed).map(({ name, problem }) => refusedFile(name, problem));
  for (const path of paths) {
    if (isCancelled()) return undefined;
    const text = await read(path);
    files.push(text.ok ? { name: path, text: text.value } : refusedFile(path, text.problems[0]));
    tell(files.length / paths.length, path);
  }
  const refused = [...all.refused.filter((one) => !isNamed(one)), ...lesson.refused];
  if (files.length) return { ...lesson, files, refused };
  return unreadableClass(
    'empty',
    vscode.l10n.t('There is no results file (*results*.json) in this folder.'),
    folder.path,
  );
}

/** A results file that is refused. It has its own row in the report, which says why. */
const refusedFile = (name: string, refused: Problem | undefined): HandedFile => ({ name, text: '', ...(refused ? { refused } : {}) }); // prettier-ignore

const unreadableClass = (code: string, message: string, name: string): UnreadableClass => ({ name, text: '', problems: [{ code, message }] }); // prettier-ignore

type Reading = (path: string) => Promise<Result<string>>;

/** The lesson of a class: from the key that Set Up a Class wrote, else the only lesson in the folder (several copies of one text count as one). */
async function lessonOf(
  all: readonly string[],
  read: Reading,
  extensionUri: vscode.Uri,
): Promise<Omit<HandedIn, 'files'> | UnreadableClass> {
  const name = [`${teacherFolder}/${keyFileName}`, keyFileName].find((path) => all.includes(path));
  if (name !== undefined) {
    const text = await read(name);
    if (!text.ok) return { name, text: '', problems: text.problems };
    const key = readKey(text.value);
    if (!key.ok) return { name, text: text.value, problems: key.problems };
    const correction = await correctionIn(all, read, key.value);
    return {
      name,
      lesson: key.value.lesson,
      key: key.value,
      ...(correction === undefined ? {} : { correction }),
      refused: [],
    };
  }
  const found = new Map<string, string>();
  const refused: Refused[] = [];
  for (const path of all.filter(isMarkdown)) {
    const text = await read(path);
    if (!text.ok) refused.push(...text.problems.map((problem) => ({ name: path, problem })));
    else if (text.value.includes('attention-question')) {
      await readLessonModels(extensionUri, text.value);
      if (readLesson(text.value).lesson.questions.length) found.set(text.value, path);
    }
  }
  const [only, second] = [...found];
  if (only && !second) return { name: only[1], lesson: only[0], refused };
  const list = [...found.values()].slice(0, 3).join(', ');
  const message = only
    ? vscode.l10n.t('There is no key.json, and there are several lessons: {0}.', list)
    : vscode.l10n.t('There is no key.json and no lesson in this folder.');
  return unreadableClass('key', message, list || keyFileName);
}

/** The lesson in the teacher's folder, if it was changed since it was handed out and the teacher wants it to mark. */
async function correctionIn(all: readonly string[], read: Reading, { lesson }: Key): Promise<string | undefined> {
  const inside = all.filter((path) => path.startsWith(`${teacherFolder}/`) && isMarkdown(path) && !/README\.md$/i.test(path)); // prettier-ignore
  const [path, second] = inside;
  const text = path === undefined || second !== undefined ? undefined : await read(path);
  const plain = (source: string): string => source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  if (!text?.ok || path === undefined || plain(text.value) === plain(lesson)) return undefined;
  const [yes, no] = [vscode.l10n.t('Mark by the Correction'), vscode.l10n.t('Mark as Handed Out')];
  const question = vscode.l10n.t(
    '{0} differs from the lesson that was handed out. Is it a correction to mark by?',
    path,
  );
  const detail = vscode.l10n.t(
    'Its questions then mark, on the numbers that were handed out, and the report says what changed.',
  );
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, yes, no);
  return chosen === yes ? text.value : undefined;
}

/** Gradebooks of Canvas and Moodle, where the class's list has what they find students by. */
function gradebooks(graded: ClassReport, key: Key | undefined, report: Report): readonly ClassFile[] {
  const has = (...names: readonly (keyof Identity)[]): boolean => key?.students.some((one) => names.some((name) => one[name] !== undefined)) === true; // prettier-ignore
  const books = [
    ...(has('id', 'login', 'canvas') ? [{ path: 'marks-canvas.csv', ...canvasCsv(graded, key) }] : []),
    ...(has('id', 'login', 'email') ? [{ path: 'marks-moodle.csv', ...moodleCsv(graded, key) }] : []),
  ];
  for (const { path, notes } of books) for (const { message } of notes) report.log.warn(`${path}: ${message}`);
  return books.map(({ path, csv }) => ({ path, text: csv }));
}

/** Writes table and report into the teacher's folder if there is one, else into the folder itself. Asks before it replaces earlier ones. */
async function writeReport(
  graded: ClassReport,
  key: Key | undefined,
  folder: vscode.Uri,
  report: Report,
): Promise<void> {
  const teacher = vscode.Uri.joinPath(folder, teacherFolder);
  const place = (await exists(teacher)) ? teacher : folder;
  const html = reportHtml(graded);
  const files: ClassFile[] = [
    // Without a byte order mark spreadsheet programs assume another encoding.
    { path: csvName, text: `\ufeff${reportCsv(graded)}` },
    { path: htmlName, text: html },
    ...gradebooks(graded, key, report),
    ...feedbackPages(graded).map(({ path, text }) => ({ path: `${feedbackFolder}/${path}`, text })),
  ];
  showReport(graded.title, html);
  const there = await existing(place, files);
  if (there.length && !(await mayReplace(there))) return;
  try {
    await writeAll(place, files, () => undefined, () => false); // prettier-ignore
  } catch (error) {
    return report.problems({ name: csvName }, [notWritten(error)]);
  }
  const path = vscode.workspace.asRelativePath(place);
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} and {1} are in {2}.', csvName, htmlName, path));
}

async function mayReplace(there: readonly ClassFile[]): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const names =
    there
      .slice(0, 8)
      .map((f) => f.path)
      .join(', ') + (there.length > 8 ? ` … (${there.length})` : '');
  const question = vscode.l10n.t('Replace {0} of an earlier time?', names);
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace;
}

/** Shows the report as a webview. It has no script, and its own policy forbids loading anything. */
function showReport(title: string, html: string): void {
  const panel = vscode.window.createWebviewPanel(reportViewType, vscode.l10n.t('Results: {0}', title), vscode.ViewColumn.Active, { enableScripts: false, enableFindWidget: true }); // prettier-ignore
  panel.webview.html = html;
}
