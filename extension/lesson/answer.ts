import * as vscode from 'vscode';
import { inStretches, readingLesson } from '../../engine/index';
import type { LessonHostMessage, LessonPageMessage } from '../../webview/lesson-protocol';
import { saveContent, type Guard, type Report } from '../host';
import { keptStates, type Kept, type PanelControllers } from '../panels';
import { findDocument, hashText } from '../documents';
import { exportLesson } from './export';
import { handIn, ownerOf } from './hand-in';
import type { LessonPanel } from './panel';
import { nameOf } from './pick';
import { createProgressStore, keyOfLesson } from './progress';

export interface LessonParts {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  readonly memento: vscode.Memento;
  readonly controllers: PanelControllers;
  readonly report: Report;
  readonly guarded: Guard;
}

/** Does what a lesson's page asks for. */
export function answering(parts: LessonParts): (message: LessonPageMessage, lesson: LessonPanel) => unknown {
  const { extensionUri, memento, controllers, report, guarded } = parts;
  return guarded(vscode.l10n.t('Answering the lesson'), (message: LessonPageMessage, lesson: LessonPanel) => {
    switch (message.type) {
      case 'ready':
        return sendLesson(parts, lesson);
      case 'progress':
        return createProgressStore(memento).set(keyOf(parts, lesson.uri), message.progress);
      case 'kept':
        return keptOf(parts, lesson.uri).keep(message.state);
      case 'show':
        return showBlock(controllers, lesson.uri, message);
      case 'asked':
        return keepBack(controllers, lesson.uri, message);
      case 'link':
        return openLink(message.href);
      case 'reveal':
        return reveal(lesson.uri, message);
      case 'handIn':
        return handInLesson(parts, lesson.uri);
      case 'export':
        return messageFor(parts, lesson.uri).then((sent) => sent && exportLesson(extensionUri, sent, message.theme));
      case 'save':
        return saveContent(message);
      case 'log':
        return report.log[message.level](`lesson: ${message.message}`);
    }
  });
}

/** The lesson as its file is now, with what was answered. */
export async function sendLesson(parts: LessonParts, lesson: LessonPanel): Promise<void> {
  const message = await messageFor(parts, lesson.uri);
  if (message) lesson.send(message);
  else complainGone(parts, lesson.uri);
}

export async function handInLesson(parts: LessonParts, uri: vscode.Uri): Promise<void> {
  const source = (await findDocument(uri))?.getText();
  if (source === undefined) return complainGone(parts, uri);
  const read = await inStretches(readingLesson(source));
  if (!read) return;
  const { memento, version: program } = parts;
  const key = keyOf(parts, uri);
  const progress = createProgressStore(memento).get(key);
  await handIn({ uri, lesson: read.lesson, progress, program, memento, isBuiltIn: key.startsWith('built-in:') });
}

export const complainGone = ({ report }: LessonParts, uri: vscode.Uri): void =>
  report.problems({ name: nameOf(uri) }, [{ code: 'gone', message: vscode.l10n.t('the lesson cannot be opened') }]);

/** Where the course lies. */
export const builtInLessons = (extensionUri: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'extension', 'lessons');

const keyOf = ({ extensionUri }: LessonParts, uri: vscode.Uri): string =>
  keyOfLesson(uri, builtInLessons(extensionUri));

/** The copy of the state of a lesson's page: there is one page for each lesson. */
export const keptOf = (parts: LessonParts, uri: vscode.Uri): Kept =>
  keptStates(parts.memento, `lesson.${keyOf(parts, uri)}`);

async function messageFor(parts: LessonParts, uri: vscode.Uri): Promise<LessonHostMessage | undefined> {
  const source = (await findDocument(uri))?.getText();
  if (source === undefined) return undefined;
  const { student, seed } = await ownerOf(uri);
  const progress = createProgressStore(parts.memento).get(keyOf(parts, uri));
  return { type: 'lesson', uri: uri.toString(), name: nameOf(uri), source, progress, program: parts.version, student, seed };
} // prettier-ignore

type Show = Extract<LessonPageMessage, { readonly type: 'show' }>;

/** Into the explainer that was used last, or a new one beside; the focus stays in the lesson. */
function showBlock(controllers: PanelControllers, uri: vscode.Uri, { block, spec, view, asked }: Show): void {
  const { explainer } = controllers.current();
  explainer.showSpec({ spec, view }, labelOf(uri, block), hashText(JSON.stringify(spec)), asked);
}

const labelOf = (uri: vscode.Uri, block: string): string => `${nameOf(uri)}: ${block}`;

type KeepBack = Extract<LessonPageMessage, { readonly type: 'asked' }>;

/** Wherever the block is shown: each page knows what it shows. */
function keepBack(controllers: PanelControllers, uri: vscode.Uri, { block, asked }: KeepBack): void {
  for (const { panel } of controllers.all()) if (panel.isOpen()) panel.send({ type: 'asked', label: labelOf(uri, block), steps: asked }); // prettier-ignore
}

async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href);
  if (uri.scheme === 'https') await vscode.env.openExternal(uri);
}

async function reveal(uri: vscode.Uri, { start, end }: { readonly start: number; readonly end: number }): Promise<void> {
  const document = await findDocument(uri);
  if (!document) return;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  await vscode.window.showTextDocument(document, { selection, viewColumn: vscode.ViewColumn.Beside });
} // prettier-ignore
