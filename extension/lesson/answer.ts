import * as vscode from 'vscode';
import { inStretches, readingComputedBlocks, readingLesson } from '../../engine/index';
import type { LessonMessage, LessonPageMessage } from '../../webview/lesson-protocol';
import { saveContent, type Guard, type Report } from '../host';
import { keptStates, type Kept, type PanelControllers } from '../panels';
import { findDocument, hashText, isInExamFolder } from '../documents';
import { readLessonModels, readModelFile } from '../model-files';
import { exportLesson } from './export';
import { handIn, ownerOf } from './hand-in';
import type { LessonPanel } from './panel';
import { nameOf, nextInCourse } from './pick';
import { createProgressStore, keyOfLesson } from './progress';

export interface LessonParts {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  readonly memento: vscode.Memento;
  readonly controllers: PanelControllers;
  readonly report: Report;
  readonly guarded: Guard;
}

/** Handles the messages of a lesson's page. */
export function createMessageHandler(parts: LessonParts): (message: LessonPageMessage, lesson: LessonPanel) => unknown {
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
        return hideAskedSteps(controllers, lesson.uri, message);
      case 'modelFile':
        return readModelFile(extensionUri, message.file, report.log).then(lesson.send);
      case 'link':
        return openLink(message.href);
      case 'reveal':
        return reveal(lesson.uri, message);
      case 'nextLesson':
        return openNext(extensionUri, lesson.uri);
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

/** Sends the lesson as its file is now, with the reader's progress. */
export async function sendLesson(parts: LessonParts, lesson: LessonPanel): Promise<void> {
  const message = await messageFor(parts, lesson.uri);
  if (message) lesson.send(message);
  else reportGone(parts, lesson.uri);
}

export async function handInLesson(parts: LessonParts, uri: vscode.Uri): Promise<void> {
  const source = (await findDocument(uri))?.getText();
  if (source === undefined) return reportGone(parts, uri);
  await readLessonModels(parts.extensionUri, source);
  const read = await inStretches(readingLesson(source));
  if (!read) return;
  const { memento, version: program } = parts;
  const key = keyOf(parts, uri);
  const progress = createProgressStore(memento).get(key);
  await handIn({ uri, lesson: read.lesson, progress, program, memento, isBuiltIn: key.startsWith('built-in:') });
}

async function openNext(extensionUri: vscode.Uri, uri: vscode.Uri): Promise<void> {
  const next = await nextInCourse(builtInLessons(extensionUri), uri);
  if (next) await vscode.commands.executeCommand('explainAttention.openLesson', next.uri);
}

export const reportGone = ({ report }: LessonParts, uri: vscode.Uri): void =>
  report.problems({ name: nameOf(uri) }, [{ code: 'gone', message: vscode.l10n.t('the lesson cannot be opened') }]);

/** The folder of the built-in course. */
export const builtInLessons = (extensionUri: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'extension', 'lessons');

const keyOf = ({ extensionUri }: LessonParts, uri: vscode.Uri): string =>
  keyOfLesson(uri, builtInLessons(extensionUri));

/** The host's copy of the state of a lesson's page. There is one page for each lesson. */
export const keptOf = (parts: LessonParts, uri: vscode.Uri): Kept =>
  keptStates(parts.memento, `lesson.${keyOf(parts, uri)}`);

async function messageFor(parts: LessonParts, uri: vscode.Uri): Promise<LessonMessage | undefined> {
  const source = (await findDocument(uri))?.getText();
  if (source === undefined) return undefined;
  const { student, seed } = await ownerOf(uri);
  const progress = createProgressStore(parts.memento).get(keyOf(parts, uri));
  const exam = await isInExamFolder(uri);
  const computed = await inStretches(readingComputedBlocks(source));
  const next = await nextInCourse(builtInLessons(parts.extensionUri), uri);
  return { type: 'lesson', uri: uri.toString(), name: nameOf(uri), source, ...(computed && { computed }), progress, program: parts.version, student, seed, ...(exam && { exam }), ...(next && { next: next.title }) };
} // prettier-ignore

type Show = Extract<LessonPageMessage, { readonly type: 'show' }>;

/** Shows a block in the explainer that was used last, or in a new one. The focus stays in the lesson. */
function showBlock(controllers: PanelControllers, uri: vscode.Uri, { block, spec, view, asked }: Show): void {
  const { explainer } = controllers.current();
  explainer.showSpec({ spec, view }, labelOf(uri, block), hashText(JSON.stringify(spec)), asked);
}

const labelOf = (uri: vscode.Uri, block: string): string => `${nameOf(uri)}: ${block}`;

type HiddenSteps = Extract<LessonPageMessage, { readonly type: 'asked' }>;

/** Tells all explainers which steps of a block to hide, because an open question asks for them. Each page knows whether it shows the block. */
function hideAskedSteps(controllers: PanelControllers, uri: vscode.Uri, { block, asked }: HiddenSteps): void {
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
