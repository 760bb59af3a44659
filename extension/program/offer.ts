import * as vscode from 'vscode';

/** How many attentions a document has that can be explained. Undefined if it was not found out. */
type Count = (document: vscode.TextDocument) => Promise<number | undefined>;

/**
 * Offers Explain Attention in the active editor, where its document computes attention or has formulas of it: a button in the title bar (by a context
 * key) and an item in the status bar.
 */
export interface Offer extends vscode.Disposable {
  /** Counts attentions of a kind, now and whenever `changed` fires. */
  add(count: Count, changed?: vscode.Event<void>): vscode.Disposable;
}

const contextKey = 'explainAttention.hasAttention';
/** Milliseconds without an edit after which a document is counted again. */
const pause = 700;

export function createOffer(command: string): Offer {
  const counts = new Set<Count>();
  const item = vscode.window.createStatusBarItem('explainAttention.offer', vscode.StatusBarAlignment.Right, 99);
  item.name = 'Explain Attention';
  item.command = command;
  let latest = 0;
  const show = (count: number): void => {
    void vscode.commands.executeCommand('setContext', contextKey, count > 0);
    item.text = `$(table) ${count === 1 ? vscode.l10n.t('1 attention') : vscode.l10n.t('{0} attentions', count)}`;
    item.tooltip = vscode.l10n.t('What this file computes or writes of attention. Click to explain what is at the cursor.'); // prettier-ignore
    if (count > 0) item.show();
    else item.hide();
  };
  const refresh = async (): Promise<void> => {
    const request = ++latest;
    const document = vscode.window.activeTextEditor?.document;
    const found = document ? await Promise.all([...counts].map((count) => count(document))) : [];
    if (request === latest) show(found.reduce<number>((sum, count) => sum + (count ?? 0), 0));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), pause);
  };
  const listening = vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(() => void refresh()),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length && document === vscode.window.activeTextEditor?.document) later();
    }),
  );
  return {
    add(count, changed) {
      counts.add(count);
      void refresh();
      const listening = changed?.(() => void refresh());
      return {
        dispose() {
          counts.delete(count);
          listening?.dispose();
        },
      };
    },
    dispose() {
      clearTimeout(timer);
      listening.dispose();
    },
  };
}
