import * as vscode from 'vscode';
import { parseModelPageMessage, type ModelHostMessage, type ModelPageMessage } from '../../webview/protocol';
import { viewTypes } from '../activation';
import type { Report } from '../host';
import { language } from '../language';
import { createNonce, pageHtml, startPage } from '../pages';

/** The page of a model. It keeps its context while hidden: what it shows is not saved anywhere else. */
export interface ModelPanel {
  send(message: ModelHostMessage): void;
  reveal(): void;
  title(name: string): void;
}

/** Opens the page. `received` is called for each message of it that is valid. */
export function openModelPanel(
  extensionUri: vscode.Uri,
  report: Report,
  received: (message: ModelPageMessage, panel: ModelPanel) => void,
  closed: () => void,
): ModelPanel {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const title = vscode.l10n.t('Model');
  const panel = vscode.window.createWebviewPanel(viewTypes.model, title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [dist],
    retainContextWhenHidden: true,
  });
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'extension', 'media', 'icon.png');
  const opened: ModelPanel = {
    send: (message) => void panel.webview.postMessage(message),
    reveal() {
      panel.reveal();
      page.retry();
    },
    title: (name) => void (panel.title = vscode.l10n.t('Model: {0}', name)),
  };
  panel.webview.onDidReceiveMessage((value) => {
    const message = parseModelPageMessage(value);
    if (message.ok) received(message.value, opened);
    else report.log.error(`a message of the model's page was refused: ${message.problems.map((p) => p.message).join('; ')}`);
  }); // prettier-ignore
  panel.onDidDispose(closed);
  const at = (name: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const { cspSource } = panel.webview;
  const files = { at, cspSource, page: 'model' } as const;
  // Last, so that handlers are registered before the page can send a message.
  const page = startPage(panel, {
    html: () => pageHtml(files, createNonce(), '', language()),
    onReload: (waited) => report.log.warn(`the model's page said nothing for ${waited} ms: it is loaded again`),
  });
  return opened;
}
