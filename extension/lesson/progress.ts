import * as vscode from 'vscode';
import { emptyProgress, isProgress, type Progress } from '../../webview/lesson-protocol';

/** What a reader has answered, in the workspace: it survives reloads, restarts and edits of the lesson. */
export interface ProgressStore {
  get(key: string): Progress;
  set(key: string, progress: Progress): Thenable<void>;
}

const prefix = 'explainAttention.lesson.';

/** Where a lesson's progress is kept: by its address; by its name for the built-in course, whose folder has the version in it. */
export function keyOfLesson(uri: vscode.Uri, builtIn: vscode.Uri): string {
  const folder = `${builtIn.toString()}/`;
  const address = uri.toString();
  return address.startsWith(folder) ? `built-in:${address.slice(folder.length)}` : address;
}

export function createProgressStore(memento: vscode.Memento): ProgressStore {
  return {
    get(key) {
      const kept = memento.get<unknown>(prefix + key);
      return isProgress(kept) ? kept : emptyProgress;
    },
    set: (key, progress) => memento.update(prefix + key, progress),
  };
}
