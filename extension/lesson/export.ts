import * as vscode from 'vscode';
import type { LessonMessage } from '../../webview/lesson-protocol';
import type { PageTheme } from '../../webview/protocol';
import { saveContent } from '../host';
import { modelsNamed, readLesson, handedOut } from '../../engine/index';
import { filesOfModels } from '../model-files';
import { createNonce, standaloneHtml } from '../pages';
import { language } from '../language';
import { stateOf } from './state';

/** Saves a lesson as one HTML file that works offline in any browser, for students: without the answers of whoever saved it and the teacher's notes. */
export async function exportLesson(extensionUri: vscode.Uri, lesson: LessonMessage, theme: PageTheme): Promise<void> {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const read = (path: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, path));
  const parts = { page: 'lesson' as const, state: stateOf({ ...lesson, source: handedOut(lesson.source) }), title: readLesson(lesson.source).lesson.title || lesson.name, theme, read, files: await filesOfModels(extensionUri, modelsNamed(lesson.source)) };
  const content = await standaloneHtml({ ...parts, language: language() }, createNonce());
  const name = `${lesson.name.replace(/\.md$/i, '').replace(/[^\w.-]+/g, '-') || 'lesson'}.html`;
  await saveContent({ type: 'save', name, content });
} // prettier-ignore
