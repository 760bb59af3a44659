import type { WebviewPanel } from 'vscode';

/** Milliseconds to wait for a page's first message. Doubled each time the page is loaded again. */
const patience = 10_000;
const mostAttempts = 3;

type StartingPanel = Pick<WebviewPanel, 'visible' | 'onDidChangeViewState' | 'onDidDispose'> & {
  readonly webview: Pick<WebviewPanel['webview'], 'html' | 'onDidReceiveMessage'>;
};

export interface PageStart {
  /** Returns the page's HTML, with a new nonce at each call. */
  readonly html: () => string;
  /** Called before the page is loaded again, with the milliseconds that were waited for it. */
  readonly onReload: (waited: number) => void;
  readonly patience?: number;
}

export interface StartedPage {
  /** Loads the page once more, and waits for it as at first, if all attempts to load it had failed. Called when the reader asks for the page. */
  readonly retry: () => void;
}

/**
 * Loads a panel's page, and loads it again if no message comes from it. In a browser's VS Code, webviews that are restored at the same time share a
 * service worker, which may lose the request for a page's script; the page would stay empty until it is hidden and shown. The page's saved state
 * survives the reload.
 */
export function startPage(
  panel: StartingPanel,
  { html, onReload, patience: first = patience }: PageStart,
): StartedPage {
  // Number of the current wait; timeouts of earlier waits are ignored.
  let current = 0;
  let seen = panel.visible;
  let givenUp = false;
  const stop = (): void => {
    current++;
    givenUp = false;
  };
  const wait = (attempt: number): void => {
    givenUp = attempt === mostAttempts;
    if (givenUp) return;
    const mine = ++current;
    const waits = first * 2 ** attempt;
    setTimeout(() => {
      if (mine !== current) return;
      try {
        onReload(waits);
        panel.webview.html = html();
      } catch {
        // The extension was stopped or the panel was closed, so nobody waits for the page.
        return;
      }
      wait(attempt + 1);
    }, waits);
  };
  panel.webview.onDidReceiveMessage(stop);
  panel.onDidDispose(stop);
  panel.onDidChangeViewState(() => {
    if (panel.visible === seen) return;
    seen = panel.visible;
    // VS Code unloads a hidden page and loads it again when it is shown.
    if (seen) wait(0);
    else stop();
  });
  panel.webview.html = html();
  if (seen) wait(0);
  return {
    retry() {
      if (!givenUp) return;
      panel.webview.html = html();
      wait(0);
    },
  };
}
