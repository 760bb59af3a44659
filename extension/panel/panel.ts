import * as vscode from 'vscode';
import { parsePageMessage, type HostMessage, type PageMessage } from '../../webview/protocol';
import { createNonce, pageHtml, startPage } from '../pages';
import { language } from '../language';
import { viewTypes } from '../activation';
import { createOutbox, type Outbox } from './outbox';
import { createSender } from './sender';

/** Callbacks for messages of the page and for changes of its panel. */
export interface PageHandler {
  readonly received: (message: PageMessage) => void;
  readonly log: vscode.LogOutputChannel;
  /** A panel was created or restored. */
  readonly opened: () => void;
  /** The panel got the focus. */
  readonly activated: () => void;
  /** The reader closed the panel. */
  readonly closed: () => void;
}

/** One webview panel. VS Code restores it after a reload of the window, so it outlives the extension host, and no code here closes it. */
export interface Panel {
  /** Shows the panel, beside the editor if it is new. The editor keeps the focus. */
  open(): void;
  /** Whether the panel exists, visible or not. */
  isOpen(): boolean;
  /** Sends a message as soon as the page can receive it. Dropped if there is no panel. */
  send(message: HostMessage): void;
}

export interface RestorablePanel extends Panel {
  /**
   * Takes over a panel that VS Code restored after a reload of the window. `state` is the host's copy of the page's state, which the page uses if its
   * own is older.
   */
  adopt(panel: vscode.WebviewPanel, state?: string): void;
}

interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly outbox: Outbox;
}

/** `id` is saved with the page's state and identifies the panel after a reload of the window. */
export function createPanel(extensionUri: vscode.Uri, id: string, handler: PageHandler): RestorablePanel {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const options = { enableScripts: true, localResourceRoots: [dist] };
  let current: Open | undefined;
  /** Where what is shown stands, as far as it was said since the panel was made. */
  let label: string | undefined;
  const name = (panel: vscode.WebviewPanel, next: string): void => {
    label = next;
    panel.title = titleOf(next);
  };

  function adopt(panel: vscode.WebviewPanel, state?: string): void {
    const outbox = createOutbox(createSender((message) => panel.webview.postMessage(message)));
    current = { panel, outbox };
    panel.webview.options = options;
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'extension', 'media', 'icon.png');
    // The source that a page restores is where the text stood when it was explained.
    const named = (restored: string): void => name(panel, label ?? restored);
    panel.webview.onDidReceiveMessage((value) => receive(value, { outbox, named }, handler));
    panel.onDidChangeViewState(() => {
      if (panel.visible) outbox.shown();
      else outbox.hidden();
      if (panel.active) handler.activated();
    });
    panel.onDidDispose(() => {
      if (current?.panel !== panel) return;
      current = label = undefined;
      handler.closed();
    });
    // Last, so that handlers are registered before the page can send a message.
    startPage(panel, {
      html: () => htmlOf(panel.webview, dist, id, state),
      onReload: (waited) => handler.log.warn(`the page said nothing for ${waited} ms: it is loaded again`),
    });
    handler.opened();
  }

  return {
    open() {
      if (current) return current.panel.reveal(undefined, true);
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      adopt(vscode.window.createWebviewPanel(viewTypes.panel, titleOf(undefined), column, options));
    },
    isOpen: () => current !== undefined,
    send(message) {
      if (!current) return;
      if (message.type === 'explain') name(current.panel, message.explanation.source.label);
      if (message.type === 'source' && message.label !== undefined) name(current.panel, message.label);
      current.outbox.put(message);
    },
    adopt,
  };
}

/** The title of the panel's tab. It contains the input's name, to tell several panels apart. */
const titleOf = (label: string | undefined): string =>
  label === undefined ? vscode.l10n.t('Explain Attention') : vscode.l10n.t('Attention: {0}', label);

interface Receiving {
  readonly outbox: Outbox;
  readonly named: (label: string) => void;
}

function receive(value: unknown, { outbox, named }: Receiving, { log, received }: PageHandler): void {
  const parsed = parsePageMessage(value);
  if (!parsed.ok)
    return log.error(`a message of the page was refused: ${parsed.problems.map((p) => p.message).join('; ')}`);
  const message = parsed.value;
  if (message.type === 'log') return log[message.level](`page: ${message.message}`);
  if (message.type === 'ready') {
    outbox.ready(message.restored ? message.source : undefined);
    if (message.source) named(message.source.label);
  }
  received(message);
}

function htmlOf(webview: vscode.Webview, dist: vscode.Uri, id: string, state: string | undefined): string {
  const at = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const files = { at, cspSource: webview.cspSource };
  return pageHtml(files, createNonce(), id, language(), state);
}
