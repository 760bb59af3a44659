import * as vscode from 'vscode';
import { inStretches, planningClass, spreadNotes, teacherFolder, type ClassPlan, type Problem, type StudentList } from '../../engine/index'; // prettier-ignore
import { locateInText } from '../documents';
import type { Report } from '../host';
import { readLessonModels } from '../model-files';
import { askForFolder, notWritten, existing, uriIn, withProgress, writeAll } from './files';
import { askForLesson, type LessonFile } from './lessons';
import { askForSeed, askForStudents } from './students';

/** Asks for lesson, students, seed and folder, shows what would be written, and writes it. Asks before existing files are replaced. */
export async function setUpClass(extensionUri: vscode.Uri, report: Report, given: unknown): Promise<void> {
  const lesson = await askForLesson(extensionUri, given);
  if (!lesson) return;
  await readLessonModels(extensionUri, lesson.text);
  const list = await askForStudents();
  if (!list) return;
  const seed = list.students.length ? await askForSeed() : 0;
  if (seed === undefined) return;
  const stem = lesson.name.replace(/\.[^.]*$/, '');
  const folder = await askForFolder(vscode.l10n.t('Set Up a Class: Folder'), undefined, { suggested: `class-${stem}` });
  if (!folder) return;
  const plan = await planClass(lesson, list, seed, report);
  if (plan && (await confirm(plan, list, folder))) await writeClass(plan, folder, report);
}

async function planClass(
  lesson: LessonFile,
  { students, identities }: StudentList,
  seed: number,
  report: Report,
): Promise<ClassPlan | undefined> {
  const plan = await withProgress(vscode.l10n.t('Drawing the numbers'), (tell, isCancelled) => {
    const progress = (done: number): void => tell(done / students.length, students[done - 1] ?? '');
    return inStretches(
      planningClass({ lesson: lesson.text, name: lesson.name, students, identities, seed }, progress),
      isCancelled,
    );
  });
  if (!plan) return undefined;
  if (plan.ok) return plan.value;
  const show = async (range: { start: number; end: number }): Promise<void> => {
    const editor = await vscode.window.showTextDocument(lesson.uri);
    const [start, end] = [editor.document.positionAt(range.start), editor.document.positionAt(range.end)];
    editor.selection = new vscode.Selection(start, end);
    editor.revealRange(editor.selection);
  };
  report.problems({ name: lesson.name, show }, locateInText(lesson.text, plan.problems));
  return undefined;
}

/** Most names, notes and files that the dialog lists. */
const mostShown = 8;

/** Shows the plan in a dialog. True if the reader confirms. */
async function confirm(plan: ClassPlan, list: StudentList, folder: vscode.Uri): Promise<boolean> {
  const there = await existing(folder, plan.files);
  const folders = [...plan.folders.values()];
  const more = folders.length > mostShown ? `, … (${folders.length})` : '';
  const lines = [
    vscode.l10n.t('{0} files go to {1}.', plan.files.length, folderName(folder)),
    folders.length
      ? vscode.l10n.t('students: {0}', `${folders.slice(0, mostShown).join(', ')}${more}`)
      : vscode.l10n.t('students: one folder for all, with the same numbers'),
    vscode.l10n.t('teacher: the key, the answers and the lesson. Keep this folder to yourself.'),
    ...[...spreadNotes(plan.spread), ...list.notes, ...plan.notes].slice(0, mostShown).map(({ message }: Problem) => `• ${message}`),
    ...(there.length ? ['', vscode.l10n.t('{0} of these files exist and would be replaced:', there.length), ...there.slice(0, mostShown).map((f) => `• ${f.path}`)] : []),
  ]; // prettier-ignore
  const yes = there.length ? vscode.l10n.t('Replace {0} Files', there.length) : vscode.l10n.t('Write');
  const title = vscode.l10n.t('Set up a class for “{0}”?', plan.title);
  const ask = there.length ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return (await ask(title, { modal: true, detail: lines.join('\n') }, yes)) === yes;
}

const folderName = (folder: vscode.Uri): string =>
  vscode.workspace.getWorkspaceFolder(folder) ? vscode.workspace.asRelativePath(folder) : folder.toString(true);

async function writeClass(plan: ClassPlan, folder: vscode.Uri, report: Report): Promise<void> {
  const { files } = plan;
  try {
    const count = await withProgress(vscode.l10n.t('Writing the class'), (tell, isCancelled) =>
      writeAll(folder, files, tell, isCancelled),
    );
    if (count < files.length)
      return void vscode.window.showWarningMessage(vscode.l10n.t('Stopped: {0} of {1} files are written.', count, files.length)); // prettier-ignore
  } catch (error) {
    return report.problems({ name: folderName(folder) }, [notWritten(error)]);
  }
  report.log.info(`class: ${files.length} files in ${folder.toString(true)}`);
  void offerReadme(folder, files.length);
}

async function offerReadme(folder: vscode.Uri, count: number): Promise<void> {
  const what = vscode.l10n.t('What to Hand Out');
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('{0} files are in {1}.', count, folderName(folder)), what); // prettier-ignore
  if (chosen !== what) return;
  await vscode.commands.executeCommand('vscode.open', uriIn(folder, { path: `${teacherFolder}/README.md` }));
}
