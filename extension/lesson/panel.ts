import * as vscode from 'vscode';
import { parseLessonPageMessage, type LessonHostMessage, type LessonPageMessage } from '../../webview/lesson-protocol';
import { createNonce, pageHtml, startPage } from '../pages';
import { language } from '../language';
import { viewTypes } from '../activation';
import type { Report } from '../host';
import { nameOf } from './pick';

/** A webview panel that plays one lesson. VS Code unloads its page while it is hidden; the page asks for the lesson again when it is shown. */
export interface LessonPanel {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  /** Sends a message. It is lost if no page is loaded; the page asks for the lesson once it is. */
  send(message: LessonHostMessage): void;
  /** Brings the panel to the front. Loads its page once more if all attempts had failed. */
  reveal(): void;
}

export interface LessonPanelEvents {
  readonly received: (message: LessonPageMessage, panel: LessonPanel) => void;
  readonly activated: (panel: LessonPanel) => void;
  readonly closed: (panel: LessonPanel) => void;
}

/** Creates a panel, in a column whose active tab is not the explainer. */
export function openPanel(uri: vscode.Uri): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewTypes.lesson, titleOf(uri), columnBesideExplainer(), {});
}

const titleOf = (uri: vscode.Uri): string => vscode.l10n.t('Lesson: {0}', nameOf(uri));

/** The active column, else the first whose active tab is not the explainer. */
function columnBesideExplainer(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const isFree = ({ activeTab }: vscode.TabGroup): boolean => {
    const input = activeTab?.input;
    return !(input instanceof vscode.TabInputWebview && input.viewType.endsWith('explainAttention.panel'));
  };
  const group = isFree(activeTabGroup) ? activeTabGroup : all.find(isFree);
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

interface PanelParts {
  readonly panel: vscode.WebviewPanel;
  readonly uri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly report: Report;
  /** The host's copy of the page's state, which the page uses if its own is older. */
  readonly state: string | undefined;
}

/** Loads the page of a lesson into a panel, whether the panel is new or restored. */
export function fillPanel(
  { panel, uri, extensionUri, report, state }: PanelParts,
  events: LessonPanelEvents,
): LessonPanel {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'extension', 'media', 'icon.png');
  const filled: LessonPanel = {
    uri,
    panel,
    // A message to a hidden page is lost; the page asks again when it is shown.
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
  const at = (name: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const { cspSource } = panel.webview;
  const files = { at, cspSource, page: 'lesson' } as const;
  // Last, so that handlers are registered before the page can send a message.
  const page = startPage(panel, {
    html: () => pageHtml(files, createNonce(), '', language(), state),
    onReload: (waited) => report.log.warn(`the lesson's page said nothing for ${waited} ms: it is loaded again`),
  });
  return filled;
}
