import * as vscode from 'vscode';
import { textOfBytes } from '../../engine/index';
import { fileName } from '../documents';
import { course } from '../lesson';

/** A lesson's text, with its file's URI and name. */
export interface LessonFile {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly text: string;
}

async function readLessonFile(uri: vscode.Uri): Promise<LessonFile> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  // Unsaved text is preferred, because it is what the teacher sees.
  const text = open?.getText() ?? textOfBytes(await vscode.workspace.fs.readFile(uri));
  return { uri, name: fileName(uri), text };
}

interface LessonItem extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

/** Most Markdown files of a workspace that are searched for lessons. */
const mostFound = 200;
const hasQuestions = (text: string): boolean => /^ {0,3}(`{3,}|~{3,})[ \t]*attention-question/m.test(text);
const titleOf = (text: string): string | undefined => /^ {0,3}#{1,6}[ \t]+(\S[^\r\n]*)/m.exec(text)?.[1]?.slice(0, 100);

/**
 * Asks for a lesson, from the workspace, the built-in course, or another file. A Markdown file that the command got from the Explorer is taken
 * without asking. Undefined if the reader cancelled.
 */
export async function askForLesson(extensionUri: vscode.Uri, given: unknown): Promise<LessonFile | undefined> {
  if (given instanceof vscode.Uri && /\.(?:md|markdown)$/i.test(given.path)) return readLessonFile(given);
  const picked = await vscode.window.showQuickPick(lessonItems(extensionUri), {
    title: vscode.l10n.t('Set Up a Class: Lesson'),
    placeHolder: vscode.l10n.t('The lesson that the class works at'),
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  const uri = picked.uri ?? (await askForLessonFile());
  return uri && readLessonFile(uri);
}

async function askForLessonFile(): Promise<vscode.Uri | undefined> {
  const filters = { [vscode.l10n.t('Lessons')]: ['md', 'markdown'] };
  const [uri] = (await vscode.window.showOpenDialog({ filters })) ?? [];
  return uri;
}

async function lessonItems(extensionUri: vscode.Uri): Promise<LessonItem[]> {
  const separator = (label: string): LessonItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const own = await workspaceItems();
  return [
    ...(own.length ? [separator(vscode.l10n.t('Workspace')), ...own] : []),
    separator(vscode.l10n.t('Course')),
    ...(await Promise.all(course.map((name) => courseItem(extensionUri, name)))),
    { label: vscode.l10n.t('Another file…'), alwaysShow: true },
  ];
}

async function courseItem(extensionUri: vscode.Uri, name: string): Promise<LessonItem> {
  const uri = vscode.Uri.joinPath(extensionUri, 'extension/lessons', name);
  const { text } = await readLessonFile(uri);
  return { label: titleOf(text) ?? name, uri };
}

/** The workspace's and open Markdown files with questions, the one in the active editor first. */
async function workspaceItems(): Promise<LessonItem[]> {
  const found = await vscode.workspace.findFiles('**/*.{md,markdown}', '**/{node_modules,students,teacher}/**', mostFound);
  const open = vscode.workspace.textDocuments.filter((d) => d.languageId === 'markdown' && !d.isClosed).map((d) => d.uri);
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const uris = [...new Map([...open, ...found].map((uri) => [uri.toString(), uri])).values()];
  const items = await Promise.all(uris.map(workspaceItem));
  return items.flatMap((item) => item ?? []).sort((a, b) => Number(b.uri?.toString() === active) - Number(a.uri?.toString() === active));
} // prettier-ignore

async function workspaceItem(uri: vscode.Uri): Promise<LessonItem | undefined> {
  try {
    const { text, name } = await readLessonFile(uri);
    if (!hasQuestions(text)) return undefined;
    return { label: titleOf(text) ?? name, description: vscode.workspace.asRelativePath(uri), uri };
  } catch {
    // Deleted or unreadable, so not offered.
    return undefined;
  }
}
