import * as vscode from 'vscode';
import { lessonLimit } from '../../engine/index';
import { isSameUri } from '../documents';
import { course } from './course';

/** Most Markdown files of the workspace that are searched for lessons. */
const mostFiles = 300;

const opening = /^ {0,3}(?:`{3,}|~{3,})[ \t]*attention(?:-question)?(?=\s|$)/m;
/** Whether a Markdown text has an attention block or a question. */
export const hasBlocks = (text: string): boolean => opening.test(text);

interface Choice extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

/** Asks for a lesson of the workspace or of the built-in course. `folder` contains the course. Undefined if the reader cancelled. */
export async function pickLesson(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showQuickPick(choices(folder), {
    title: vscode.l10n.t('Open Lesson'),
    matchOnDescription: true,
  });
  return chosen?.uri;
}

async function choices(folder: vscode.Uri): Promise<Choice[]> {
  const builtIn = course.map((name) => vscode.Uri.joinPath(folder, name));
  const [own, ours] = await Promise.all([workspaceLessons(), Promise.all(builtIn.map(choiceOf))]);
  const separator = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    ...(own.length ? [separator(vscode.l10n.t('In this workspace')), ...own] : []),
    separator(vscode.l10n.t('The course')),
    // Their folder is the extension's own, which says nothing to a reader.
    ...ours.flatMap((choice) => (choice?.uri ? { ...choice, description: nameOf(choice.uri) } : [])),
  ];
}

async function workspaceLessons(): Promise<Choice[]> {
  const files = await vscode.workspace.findFiles('**/*.md', '**/node_modules/**', mostFiles);
  const found = await Promise.all(files.map(choiceOf));
  return found.flatMap((choice) => choice ?? []).sort((a, b) => (a.description ?? '').localeCompare(b.description ?? ''));
} // prettier-ignore

/** A lesson as an entry of the list. Undefined if the file cannot be read or is no lesson. */
async function choiceOf(uri: vscode.Uri): Promise<Choice | undefined> {
  const text = await readFile(uri);
  if (text === undefined || text.length > 4 * lessonLimit || !hasBlocks(text)) return undefined;
  return { label: titleIn(text) ?? nameOf(uri), description: vscode.workspace.asRelativePath(uri), uri };
}

const titleIn = (text: string): string | undefined => /^\ufeff? {0,3}#{1,6}[ \t]+(\S[^\r\n]*)/m.exec(text)?.[1];

/** The lesson of the course after this one, with its title. `folder` contains the course. */
export async function nextInCourse(
  folder: vscode.Uri,
  uri: vscode.Uri,
): Promise<{ readonly uri: vscode.Uri; readonly title: string } | undefined> {
  const at = course.findIndex((name) => isSameUri(vscode.Uri.joinPath(folder, name), uri));
  const name = at < 0 ? undefined : course[at + 1];
  if (name === undefined) return undefined;
  const next = vscode.Uri.joinPath(folder, name);
  const text = await readFile(next);
  return text === undefined ? undefined : { uri: next, title: titleIn(text) ?? name };
}

export const nameOf = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1);

/** A file's text. Undefined if it cannot be read. */
export const readFile = (uri: vscode.Uri): PromiseLike<string | undefined> =>
  vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
