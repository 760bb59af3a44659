import * as vscode from 'vscode';
import { gradingClass, inStretches, keyFileName, readKey, readLesson, reportCsv, reportHtml, teacherFolder, textOfBytes, type ClassFile, type ClassReport, type HandedFile, type Key, type Problem } from '../../engine/index'; // prettier-ignore
import { locateInText } from '../explain/places';
import type { Report } from '../host/report';
import {
  askForFolder,
  classFolders,
  exists,
  filesIn,
  notWritten,
  present,
  uriIn,
  withProgress,
  writeAll,
} from './files';

export const reportViewType = 'explainAttention.report';
const [csvName, htmlName] = ['marks.csv', 'report.html'];

/** Marks what lies in a folder, writes the table and the report for the teacher, and shows the report. */
export async function gradeFolder(program: string, report: Report, given: unknown): Promise<void> {
  const offered = given instanceof vscode.Uri ? [] : await classFolders();
  const folder = await askForFolder(vscode.l10n.t('Grade Class: Folder'), given, { offered });
  if (!folder) return;
  const found = await withProgress(vscode.l10n.t('Reading what was handed in'), (tell, isCancelled) =>
    readClass(folder, tell, isCancelled),
  );
  if (!found) return;
  if ('problems' in found) return report.problems({ name: found.name }, locateInText(found.text, found.problems));
  const graded = await withProgress(vscode.l10n.t('Grading'), (tell, isCancelled) => {
    const { lesson, files, key } = found;
    const progress = (done: number): void => tell(done / files.length, files[done - 1]?.name ?? '');
    return inStretches(gradingClass(lesson, files, key, program, progress), isCancelled);
  });
  if (!graded) return;
  if (!graded.ok) return report.problems({ name: found.name }, locateInText(found.lesson, graded.problems));
  await deliver(graded.value, folder, report);
}

interface Handed {
  readonly name: string;
  readonly lesson: string;
  readonly key?: Key;
  readonly files: readonly HandedFile[];
}

interface Trouble {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** Most characters of a results file that are read: one of fifty questions has 10,000. */
const mostCharacters = 1 << 20;

async function readClass(
  folder: vscode.Uri,
  tell: (part: number, message: string) => void,
  isCancelled: () => boolean,
): Promise<Handed | Trouble | undefined> {
  const all = await filesIn(folder, isCancelled);
  const read = async (path: string): Promise<string> => textOfBytes(await vscode.workspace.fs.readFile(uriIn(folder, { path }))); // prettier-ignore
  const lesson = await lessonOf(all, read);
  if ('problems' in lesson) return lesson;
  const paths = all.filter((path) => /results[^/]*\.json$/i.test(path));
  const files: HandedFile[] = [];
  for (const path of paths) {
    if (isCancelled()) return undefined;
    files.push({ name: path, text: (await read(path)).slice(0, mostCharacters) });
    tell(files.length / paths.length, path);
  }
  if (files.length) return { ...lesson, files };
  return trouble('empty', vscode.l10n.t('There is no results file (*results*.json) in this folder.'), folder.path);
}

const trouble = (code: string, message: string, name: string): Trouble => ({ name, text: '', problems: [{ code, message }] }); // prettier-ignore

type Reading = (path: string) => Promise<string>;

/** The key that Set Up a Class wrote; without one the lesson that lies there, if all are the same. */
async function lessonOf(all: readonly string[], read: Reading): Promise<Omit<Handed, 'files'> | Trouble> {
  const name = [`${teacherFolder}/${keyFileName}`, keyFileName].find((path) => all.includes(path));
  if (name !== undefined) {
    const text = await read(name);
    const key = readKey(text);
    return key.ok ? { name, lesson: key.value.lesson, key: key.value } : { name, text, problems: key.problems };
  }
  const found = new Map<string, string>();
  for (const path of all.filter((p) => /\.(?:md|markdown)$/i.test(p))) {
    const text = await read(path);
    if (text.includes('attention-question') && readLesson(text).lesson.questions.length) found.set(text, path);
  }
  const [only, second] = [...found];
  if (only && !second) return { name: only[1], lesson: only[0] };
  const list = [...found.values()].slice(0, 3).join(', ');
  const message = only
    ? vscode.l10n.t('There is no key.json, and there are several lessons: {0}.', list)
    : vscode.l10n.t('There is no key.json and no lesson in this folder.');
  return trouble('key', message, list || keyFileName);
}

/** Beside the key where there is one. The reports of an earlier time are replaced only with a yes. */
async function deliver(graded: ClassReport, folder: vscode.Uri, report: Report): Promise<void> {
  const teacher = vscode.Uri.joinPath(folder, teacherFolder);
  const place = (await exists(teacher)) ? teacher : folder;
  const html = reportHtml(graded);
  const files: ClassFile[] = [
    // Spreadsheets take a file without a byte order mark for another encoding.
    { path: csvName, text: `\ufeff${reportCsv(graded)}` },
    { path: htmlName, text: html },
  ];
  showReport(graded.title, html);
  const there = await present(place, files);
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
  const names = there.map((f) => f.path).join(', ');
  const question = vscode.l10n.t('Replace {0} of an earlier time?', names);
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace;
}

/** The report as it is: it has no script, and its own policy loads nothing. */
function showReport(title: string, html: string): void {
  const panel = vscode.window.createWebviewPanel(reportViewType, vscode.l10n.t('Results: {0}', title), vscode.ViewColumn.Active, { enableScripts: false, enableFindWidget: true }); // prettier-ignore
  panel.webview.html = html;
}
