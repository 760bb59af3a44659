import * as vscode from 'vscode';
import {
  readResults,
  plainName,
  readVariantFile,
  resultsName,
  resultsOf,
  variantFileName,
  writeResults,
  type Lesson,
  type Results,
} from '../../engine/index';
import { answeredIn, openIn, type Progress } from '../../webview/lesson-protocol';
import { isInExamFolder } from '../documents';
import { nameOf, readFile } from './pick';

/** The student whose variant of a lesson is in its folder, and the variant's seed. */
export interface Owner {
  readonly student: string;
  readonly seed: number | null;
}

const studentKey = 'explainAttention.student';

/** The student and seed in the variant file beside a lesson. An empty name if there is no such file, or it is about another lesson. */
export async function ownerOf(uri: vscode.Uri): Promise<Owner> {
  const text = await readFile(vscode.Uri.joinPath(uri, '..', variantFileName));
  const file = text === undefined ? undefined : readVariantFile(text);
  const nobody = { student: '', seed: null };
  return file?.ok && file.value.lesson === nameOf(uri) ? { student: file.value.student, seed: file.value.seed } : nobody;
} // prettier-ignore

export interface HandIn {
  readonly uri: vscode.Uri;
  readonly lesson: Lesson;
  readonly progress: Progress;
  /** The extension's version, for the results file. */
  readonly program: string;
  readonly memento: vscode.Memento;
  /** Whether the lesson is part of the built-in course, whose folder belongs to the extension and is not written to. */
  readonly isBuiltIn: boolean;
}

/**
 * Writes the results file beside the lesson, or asks where if that is not possible, and says where it is. Returns its URI; undefined if the reader
 * cancelled, and nothing is written then.
 */
export async function handIn({
  uri,
  lesson,
  progress,
  program,
  memento,
  isBuiltIn,
}: HandIn): Promise<vscode.Uri | undefined> {
  const owner = await ownerOf(uri);
  const exam = lesson.exam || (await isInExamFolder(uri));
  const answers = answeredIn(lesson, progress);
  const open = openIn(lesson, answers);
  const student = owner.student || (await askForName(memento, open));
  if (!student) return undefined;
  const results = resultsOf(lesson, {
    student,
    seed: owner.seed,
    program,
    complete: true,
    answers,
    exam,
    handedIn: new Date().toISOString(),
  });
  const written = await write(isBuiltIn ? undefined : await placeBeside(uri, results), results);
  if (written) void confirmHandIn(written, lesson.questions.length - open, lesson.questions.length);
  return written;
}

async function askForName(memento: vscode.Memento, open: number): Promise<string | undefined> {
  const said = open === 0 ? '' : open === 1 ? vscode.l10n.t('1 question is not answered.') : vscode.l10n.t('{0} questions are not answered.', open); // prettier-ignore
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Hand In'),
    prompt: `${said} ${vscode.l10n.t('Your name or id, as your teacher knows you.')}`.trim(),
    value: memento.get<string>(studentKey) ?? '',
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A name or an id is needed.') : undefined),
  });
  const student = typed?.trim();
  if (student) await memento.update(studentKey, student);
  return student;
}

async function write(beside: vscode.Uri | undefined, results: Results): Promise<vscode.Uri | undefined> {
  const bytes = new TextEncoder().encode(writeResults(results));
  if (beside && (await tryWrite(beside, bytes))) return beside;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = resultsName(results.student);
  const asked = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Hand In'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
    filters: { [vscode.l10n.t('Results')]: ['json'] },
  });
  if (!asked) return undefined;
  await vscode.workspace.fs.writeFile(asked, bytes);
  return asked;
}

const tryWrite = (uri: vscode.Uri, bytes: Uint8Array): PromiseLike<boolean> =>
  vscode.workspace.fs.writeFile(uri, bytes).then(
    () => true,
    () => false,
  );

/** Where to write the results beside a lesson, without replacing results of another lesson or another file. Undefined if the folder is not writable. */
async function placeBeside(lesson: vscode.Uri, results: Results): Promise<vscode.Uri | undefined> {
  const { isWritableFileSystem } = vscode.workspace.fs;
  if (lesson.scheme === 'untitled' || isWritableFileSystem(lesson.scheme) === false) return undefined;
  const own = vscode.Uri.joinPath(lesson, '..', resultsName(results.student));
  const text = await readFile(own);
  const old = text === undefined ? undefined : readResults(text);
  const isOthers = old?.ok ? old.value.lesson.title !== results.lesson.title : text !== undefined;
  if (!isOthers) return own;
  const base = plainName(nameOf(lesson).replace(/\.md$/i, ''));
  return vscode.Uri.joinPath(lesson, '..', `${plainName(results.student)}.${base}.results.json`);
}

async function confirmHandIn(uri: vscode.Uri, answered: number, questions: number): Promise<void> {
  const open = vscode.l10n.t('Open');
  const where = vscode.workspace.asRelativePath(uri);
  const message = vscode.l10n.t('Handed in {0} of {1} answers: {2}.', answered, questions, where);
  const chosen = await vscode.window.showInformationMessage(message, open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
}
