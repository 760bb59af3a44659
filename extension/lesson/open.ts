import * as vscode from 'vscode';
import { inStretches, readingLesson } from '../../engine/index';
import type { LessonHostMessage, LessonPageMessage } from '../../webview/lesson/protocol';
import { command } from '../command';
import type { Guard } from '../desk';
import type { Desks } from '../desks';
import { findDocument, isSameUri, watchFile } from '../documents';
import { saveContent } from '../exports';
import { hashText } from '../parts';
import type { Report } from '../report';
import { exportLesson } from './export';
import { handIn, ownerOf } from './hand-in';
import { fillPanel, openPanel, type LessonPanel } from './panel';
import { hasBlocks, nameOf, pickLesson } from './pick';
import { createProgressStore, keyOfLesson } from './progress';

export const openLessonCommand = 'explainAttention.openLesson';
export const handInCommand = 'explainAttention.handIn';

export interface LessonParts {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  readonly memento: vscode.Memento;
  readonly desks: Desks;
  readonly report: Report;
  readonly guarded: Guard;
}

/** Registers lessons: the commands and the menu of files that are lessons; `serializer` is for panels that a reload brings back. */
export function registerLessons(
  parts: LessonParts,
): vscode.Disposable & { readonly serializer: vscode.WebviewPanelSerializer } {
  const { guarded } = parts;
  const player = createLessons(parts);
  const register = (id: string, doing: string, act: (argument: unknown) => unknown): vscode.Disposable =>
    command(id, guarded(doing, act));
  const registered = vscode.Disposable.from(
    register(openLessonCommand, vscode.l10n.t('Opening a lesson'), (argument) => player.open(argument)),
    register(handInCommand, vscode.l10n.t('Handing in'), () => player.handIn()),
    ...watchEditors(),
    player,
  );
  return { serializer: player, dispose: () => void registered.dispose() };
}

interface Lessons extends vscode.WebviewPanelSerializer, vscode.Disposable {
  open(argument: unknown): Promise<void>;
  handIn(): Promise<void>;
}

function createLessons({ extensionUri, version, memento, desks, report, guarded }: LessonParts): Lessons {
  const builtIn = vscode.Uri.joinPath(extensionUri, 'extension', 'lessons');
  const store = createProgressStore(memento);
  /** Last used first. */
  let open: { readonly lesson: LessonPanel; readonly watching: vscode.Disposable }[] = [];

  const messageFor = async (uri: vscode.Uri): Promise<LessonHostMessage | undefined> => {
    const source = (await findDocument(uri))?.getText();
    if (source === undefined) return undefined;
    const { student, seed } = await ownerOf(uri);
    const progress = store.get(keyOfLesson(uri, builtIn));
    return { type: 'lesson', uri: uri.toString(), name: nameOf(uri), source, progress, program: version, student, seed };
  }; // prettier-ignore

  const send = async (lesson: LessonPanel): Promise<void> => {
    const message = await messageFor(lesson.uri);
    if (message) lesson.send(message);
    else complain(report, nameOf(lesson.uri), vscode.l10n.t('the lesson cannot be opened'));
  };

  const answer = guarded(vscode.l10n.t('Answering the lesson'), (message: LessonPageMessage, lesson: LessonPanel) => {
    switch (message.type) {
      case 'ready':
        return send(lesson);
      case 'progress':
        return store.set(keyOfLesson(lesson.uri, builtIn), message.progress);
      case 'show':
        return showBlock(desks, lesson.uri, message);
      case 'asked':
        return keepBack(desks, lesson.uri, message);
      case 'link':
        return openLink(message.href);
      case 'reveal':
        return reveal(lesson.uri, message);
      case 'handIn':
        return handInFor(lesson.uri);
      case 'export':
        return messageFor(lesson.uri).then((sent) => sent && exportLesson(extensionUri, sent, message.theme));
      case 'save':
        return saveContent(message);
      case 'log':
        return report.log[message.level](`lesson: ${message.message}`);
    }
  });

  const adopt = (panel: vscode.WebviewPanel, uri: vscode.Uri): void => {
    const lesson = fillPanel(panel, uri, extensionUri, report, {
      received: (message, from) => void answer(message, from),
      activated: (used) => (open = [...open.filter((o) => o.lesson === used), ...open.filter((o) => o.lesson !== used)]),
      closed(gone) {
        for (const { lesson: other, watching } of open) if (other === gone) watching.dispose();
        open = open.filter((o) => o.lesson !== gone);
      },
    }); // prettier-ignore
    open = [{ lesson, watching: watchLesson(uri, () => void send(lesson)) }, ...open];
  };

  const handInFor = async (uri: vscode.Uri): Promise<void> => {
    const source = (await findDocument(uri))?.getText();
    if (source === undefined) return complain(report, nameOf(uri), vscode.l10n.t('the lesson cannot be opened'));
    const read = await inStretches(readingLesson(source));
    if (!read) return;
    const key = keyOfLesson(uri, builtIn);
    const isBuiltIn = key.startsWith('built-in:');
    await handIn({ uri, lesson: read.lesson, progress: store.get(key), program: version, memento, isBuiltIn });
  };

  return {
    async open(argument) {
      const uri = argument instanceof vscode.Uri ? argument : (lessonInEditor() ?? (await pickLesson(builtIn)));
      if (!uri) return;
      const known = open.find(({ lesson }) => isSameUri(lesson.uri, uri));
      if (known) return known.lesson.reveal();
      const source = (await findDocument(uri))?.getText();
      if (source === undefined) return complain(report, nameOf(uri), vscode.l10n.t('the lesson cannot be opened'));
      adopt(openPanel(uri), uri);
    },
    async handIn() {
      const uri = open[0]?.lesson.uri ?? lessonInEditor();
      if (uri) return handInFor(uri);
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a lesson first, and answer its questions.'));
    },
    deserializeWebviewPanel(panel, state) {
      const { uri } = (state ?? {}) as { readonly uri?: unknown };
      if (typeof uri === 'string') adopt(panel, vscode.Uri.parse(uri));
      else panel.dispose();
      return Promise.resolve();
    },
    dispose() {
      for (const { watching } of open) watching.dispose();
    },
  };
}

const complain = (report: Report, name: string, message: string): void =>
  report.problems({ name }, [{ code: 'gone', message }]);

/** The active editor's document, where it is a lesson. */
function lessonInEditor(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'markdown' && hasBlocks(document.getText()) ? document.uri : undefined;
}

type Show = Extract<LessonPageMessage, { readonly type: 'show' }>;

/** Into the explainer that was used last, or a new one beside; the focus stays in the lesson. */
function showBlock(desks: Desks, uri: vscode.Uri, { block, spec, view, asked }: Show): void {
  const { explainer } = desks.current();
  explainer.showSpec({ spec, view }, labelOf(uri, block), hashText(JSON.stringify(spec)), asked);
}

const labelOf = (uri: vscode.Uri, block: string): string => `${nameOf(uri)}: ${block}`;

type KeepBack = Extract<LessonPageMessage, { readonly type: 'asked' }>;

/** Wherever the block is shown: each page knows what it shows. */
function keepBack(desks: Desks, uri: vscode.Uri, { block, asked }: KeepBack): void {
  for (const { panel } of desks.all()) if (panel.isOpen()) panel.send({ type: 'asked', label: labelOf(uri, block), steps: asked }); // prettier-ignore
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

/** Milliseconds after the last key until a lesson that is edited is played anew. */
const settle = 300;

/** Edits in an editor, and changes of the file by others. */
function watchLesson(uri: vscode.Uri, changed: () => void): vscode.Disposable {
  let last = 0;
  const soon = (): void => {
    const mine = ++last;
    setTimeout(() => mine === last && changed(), settle);
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
function watchEditors(): vscode.Disposable[] {
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
