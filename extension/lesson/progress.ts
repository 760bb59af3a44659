import * as vscode from 'vscode';
import { keptName } from './course';
import { emptyProgress, isProgress, type Progress } from '../../webview/lesson-protocol';

/** The reader's progress in lessons, kept in the workspace's memento. It outlives restarts and edits of the lesson. */
export interface ProgressStore {
  get(key: string): Progress;
  set(key: string, progress: Progress): Thenable<void>;
}

const prefix = 'explainAttention.lesson.';

/** The key of a lesson's progress: its URI, but only a name for the built-in course, because the folder's URI contains the extension's version. */
export function keyOfLesson(uri: vscode.Uri, builtIn: vscode.Uri): string {
  const folder = `${builtIn.toString()}/`;
  const address = uri.toString();
  return address.startsWith(folder) ? `built-in:${keptName(address.slice(folder.length))}` : address;
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
