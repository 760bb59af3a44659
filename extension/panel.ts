import * as vscode from 'vscode';
import { parsePageMessage, type HostMessage, type PageMessage } from '../webview/protocol';
import { createNonce, pageHtml } from './html';
import { createOutbox, type Outbox } from './outbox';

export const viewType = 'explainAttention.panel';
const title = 'Explain Attention';

/** What the page asks of the host. */
export interface PageHandler {
  readonly received: (message: PageMessage) => void;
  readonly log: vscode.LogOutputChannel;
  /** The panel was closed by its reader. */
  readonly closed: () => void;
}

/** The one panel. It outlives this extension host: a reload of the window restores it, so nothing here closes it. */
export interface Panel {
  /** Shows the panel, beside the editor if it is new; the editor keeps the focus. */
  open(): void;
  /** Whether there is a panel, seen or not. */
  isOpen(): boolean;
  /** Sends now or when the page can receive; without a panel it is dropped. */
  send(message: HostMessage): void;
}

interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly outbox: Outbox;
}

export function createPanel(extensionUri: vscode.Uri, handler: PageHandler): Panel & vscode.WebviewPanelSerializer {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const options = { enableScripts: true, localResourceRoots: [dist] };
  let current: Open | undefined;

  function adopt(panel: vscode.WebviewPanel): Open {
    const outbox = createOutbox((message) => panel.webview.postMessage(message));
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'extension', 'media', 'icon.png');
    panel.webview.onDidReceiveMessage((value) => receive(value, outbox, handler));
    panel.onDidChangeViewState(() => (panel.visible ? outbox.shown() : outbox.hidden()));
    panel.onDidDispose(() => {
      if (current?.panel !== panel) return;
      current = undefined;
      handler.closed();
    });
    // Last, so that no message of the page comes before there is someone to hear it.
    panel.webview.html = htmlOf(panel.webview, dist);
    return { panel, outbox };
  }

  return {
    open() {
      if (current) return current.panel.reveal(undefined, true);
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      current = adopt(vscode.window.createWebviewPanel(viewType, title, column, options));
    },
    isOpen: () => current !== undefined,
    send: (message) => current?.outbox.put(message),
    deserializeWebviewPanel(panel) {
      // The page restores itself from its own state and then says `ready`.
      if (current) return Promise.resolve(panel.dispose());
      panel.webview.options = options;
      current = adopt(panel);
      return Promise.resolve();
    },
  };
}

function receive(value: unknown, outbox: Outbox, { log, received }: PageHandler): void {
  const parsed = parsePageMessage(value);
  if (!parsed.ok)
    return log.error(`a message of the page was refused: ${parsed.problems.map((p) => p.message).join('; ')}`);
  const message = parsed.value;
  if (message.type === 'log') return log[message.level](`page: ${message.message}`);
  if (message.type === 'ready') outbox.ready(message.restored ? message.explanation : undefined);
  received(message);
}

function htmlOf(webview: vscode.Webview, dist: vscode.Uri): string {
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const files = { script: file('webview.js'), style: file('webview.css'), cspSource: webview.cspSource };
  return pageHtml(files, createNonce());
}
