import * as vscode from 'vscode';
import { isSameUri, watchFile } from '../documents';
import { hasBlocks } from './pick';

/** The active editor's document, where it is a lesson. */
export function lessonInEditor(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'markdown' && hasBlocks(document.getText()) ? document.uri : undefined;
}

/** Milliseconds after the last key until a lesson that is edited is played anew. */
const settle = 300;

/** Edits in an editor, and changes of the file by others. */
export function watchLesson(uri: vscode.Uri, changed: () => void): vscode.Disposable {
  let last = 0;
  const soon = (): void => {
    const request = ++last;
    setTimeout(() => request === last && changed(), settle);
  };
  const edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length && isSameUri(document.uri, uri)) soon();
  });
  const watcher = watchFile(uri, soon);
  return {
    dispose() {
      last = -1;
      edits.dispose();
      watcher?.dispose();
    },
  };
}

/** The menu of an editor offers to play what is a lesson. */
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
