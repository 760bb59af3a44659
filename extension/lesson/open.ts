import * as vscode from 'vscode';
import { command } from '../host';
import { findDocument, isSameUri } from '../documents';
import {
  createMessageHandler,
  builtInLessons,
  reportGone,
  handInLesson,
  keptOf,
  sendLesson,
  type LessonParts,
} from './answer';
import { fillPanel, openPanel, type LessonPanel, type LessonPanelEvents } from './panel';
import { pickLesson } from './pick';
import { lessonInEditor, watchEditors, watchLesson } from './watch';

export const openLessonCommand = 'explainAttention.openLesson';
export const handInCommand = 'explainAttention.handIn';

/** Registers the commands of lessons, and the menu entry in editors of lessons. `serializer` restores panels after a reload of the window. */
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

/** All open lessons, each in its own panel. */
function createLessons(parts: LessonParts): Lessons {
  const panels = createPanels(parts);
  return {
    async open(argument) {
      const builtIn = builtInLessons(parts.extensionUri);
      const uri = argument instanceof vscode.Uri ? argument : (lessonInEditor() ?? (await pickLesson(builtIn)));
      if (!uri) return;
      const known = panels.of(uri);
      if (known) return known.reveal();
      const source = (await findDocument(uri))?.getText();
      if (source === undefined) return reportGone(parts, uri);
      panels.adopt(openPanel(uri), uri);
    },
    async handIn() {
      const uri = panels.latest()?.uri ?? lessonInEditor();
      if (uri) return handInLesson(parts, uri);
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a lesson first, and answer its questions.'));
    },
    deserializeWebviewPanel(panel, state) {
      const { uri } = (state ?? {}) as { readonly uri?: unknown };
      if (typeof uri === 'string') panels.restore(panel, vscode.Uri.parse(uri), state);
      else panel.dispose();
      return Promise.resolve();
    },
    dispose: panels.dispose,
  };
}

interface Panels extends vscode.Disposable {
  of(uri: vscode.Uri): LessonPanel | undefined;
  /** The panel that was used last. */
  latest(): LessonPanel | undefined;
  /** Shows a lesson in a panel, and shows it again whenever its file changes. */
  adopt(panel: vscode.WebviewPanel, uri: vscode.Uri): void;
  /** The same for a panel that VS Code restored after a reload of the window, with the state that it kept of the page. */
  restore(panel: vscode.WebviewPanel, uri: vscode.Uri, state: unknown): void;
}

function createPanels(parts: LessonParts): Panels {
  const answer = createMessageHandler(parts);
  /** The panel used last is first. */
  let open: { readonly lesson: LessonPanel; readonly watching: vscode.Disposable }[] = [];
  const events: LessonPanelEvents = {
    received: (message, from) => void answer(message, from),
    activated: (used) => (open = [...open.filter((o) => o.lesson === used), ...open.filter((o) => o.lesson !== used)]),
    closed(gone) {
      void keptOf(parts, gone.uri).forget();
      for (const { lesson: other, watching } of open) if (other === gone) watching.dispose();
      open = open.filter((o) => o.lesson !== gone);
    },
  }; // prettier-ignore
  const fill = (panel: vscode.WebviewPanel, uri: vscode.Uri, state?: string): void => {
    const lesson = fillPanel({ panel, uri, extensionUri: parts.extensionUri, report: parts.report, state }, events);
    open = [{ lesson, watching: watchLesson(uri, () => void sendLesson(parts, lesson)) }, ...open];
  };
  return {
    of: (uri) => open.find(({ lesson }) => isSameUri(lesson.uri, uri))?.lesson,
    latest: () => open[0]?.lesson,
    adopt: fill,
    restore: (panel, uri, state) => fill(panel, uri, keptOf(parts, uri).newerThan(state)),
    dispose() {
      for (const { watching } of open) watching.dispose();
    },
  };
}
