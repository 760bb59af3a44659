import * as vscode from 'vscode';
import { isSameUri, watchFile } from '../documents';
import { hasBlocks } from './pick';

/** The document of the active editor if it is a lesson. */
export function lessonInEditor(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'markdown' && hasBlocks(document.getText()) ? document.uri : undefined;
}

/** Debounce of edits before a lesson is shown again, in milliseconds. */
const debounceMs = 300;

/** Watches a lesson for edits in an editor and for changes of its file. */
export function watchLesson(uri: vscode.Uri, changed: () => void): vscode.Disposable {
  let last = 0;
  const schedule = (): void => {
    const request = ++last;
    setTimeout(() => request === last && changed(), debounceMs);
  };
  const edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length && isSameUri(document.uri, uri)) schedule();
  });
  const watcher = watchFile(uri, schedule);
  return {
    dispose() {
      last = -1;
      edits.dispose();
      watcher?.dispose();
    },
  };
}

/** Keeps the context key `explainAttention.isLesson` up to date, by which an editor's menu offers to play the lesson. */
export function watchEditors(): vscode.Disposable[] {
  let was: boolean | undefined;
  const update = (): void => {
    const is = lessonInEditor() !== undefined;
    if (is !== was) void vscode.commands.executeCommand('setContext', 'explainAttention.isLesson', is);
    was = is;
  };
  update();
  return [
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length && document === vscode.window.activeTextEditor?.document) update();
    }),
  ];
}
