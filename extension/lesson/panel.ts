import * as vscode from 'vscode';
import { parseLessonPageMessage, type LessonHostMessage, type LessonPageMessage } from '../../webview/lesson-protocol';
import { createNonce, pageHtml, startPage } from '../pages';
import { language } from '../language';
import { viewTypes } from '../activation';
import type { Report } from '../host';
import { nameOf } from './pick';

/** A panel that plays one lesson. Its page is unloaded while it is hidden, and asks for the lesson again when it is seen. */
export interface LessonPanel {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  /** Gone where no page is loaded: it asks when it is. */
  send(message: LessonHostMessage): void;
  /** In front; a page that stayed silent is loaded once more. */
  reveal(): void;
}

export interface LessonPanelEvents {
  readonly received: (message: LessonPageMessage, panel: LessonPanel) => void;
  readonly activated: (panel: LessonPanel) => void;
  readonly closed: (panel: LessonPanel) => void;
}

/** A new panel, in a column where the explainer is not. */
export function openPanel(uri: vscode.Uri): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewTypes.lesson, titleOf(uri), columnBesideExplainer(), {});
}

const titleOf = (uri: vscode.Uri): string => vscode.l10n.t('Lesson: {0}', nameOf(uri));

/** The active column, else the first that does not have the explainer in front. */
function columnBesideExplainer(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const isFree = ({ activeTab }: vscode.TabGroup): boolean => {
    const input = activeTab?.input;
    return !(input instanceof vscode.TabInputWebview && input.viewType.endsWith('explainAttention.panel'));
  };
  const group = isFree(activeTabGroup) ? activeTabGroup : all.find(isFree);
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

interface Filling {
  readonly panel: vscode.WebviewPanel;
  readonly uri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly report: Report;
  /** For a page whose own state is older. */
  readonly state: string | undefined;
}

/** Fills a panel, a new one or one that a reload of the window brought back. */
export function fillPanel(
  { panel, uri, extensionUri, report, state }: Filling,
  events: LessonPanelEvents,
): LessonPanel {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'extension', 'media', 'icon.png');
  const filled: LessonPanel = {
    uri,
    panel,
    // What is sent to a hidden page is lost; it asks again.
    send: (message) => void panel.webview.postMessage(message),
    reveal() {
      panel.reveal();
      page.retry();
    },
  };
  panel.webview.onDidReceiveMessage((value) => {
    const message = parseLessonPageMessage(value);
    if (message.ok) events.received(message.value, filled);
    else report.log.error(`a message of the lesson was refused: ${message.problems.map((p) => p.message).join('; ')}`);
  });
  panel.onDidChangeViewState(() => {
    if (panel.active) events.activated(filled);
  });
  panel.onDidDispose(() => events.closed(filled));
  const file = (name: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const { cspSource } = panel.webview;
  const files = { script: file('webview.js'), style: file('lesson.css'), cspSource, page: 'lesson' } as const;
  // Last, so that no message of the page comes before there is someone to hear it.
  const page = startPage(panel, {
    html: () => pageHtml(files, createNonce(), '', language(), state),
    onReload: (waited) => report.log.warn(`the lesson's page said nothing for ${waited} ms: it is loaded again`),
  });
  return filled;
}
