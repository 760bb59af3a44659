import type { WebviewPanel } from 'vscode';

/** Milliseconds that a page may take until its first message, doubled for each time it was loaded again. */
const patience = 10_000;
const attempts = 3;

type StartingPanel = Pick<WebviewPanel, 'visible' | 'onDidChangeViewState' | 'onDidDispose'> & {
  readonly webview: Pick<WebviewPanel['webview'], 'html' | 'onDidReceiveMessage'>;
};

export interface PageStart {
  /** The page with a nonce of its own for each time it is loaded. */
  readonly html: () => string;
  /** It is loaded again: there was no word of it for so many milliseconds. */
  readonly again: (waited: number) => void;
  readonly patience?: number;
}

export interface StartedPage {
  /** The reader asks for the page: one that was given up, since no load of it brought a word, is loaded once more, and waited for as at first. */
  readonly asked: () => void;
}

/**
 * Loads a panel's page, and loads it again where it says nothing: in a browser's VS Code, webviews that are restored at the
 * same time share a service worker, which may lose the request for a page's script while it changes hands. The page
 * would then stay empty until it is hidden and shown. Its state outlives this.
 */
export function startPage(panel: StartingPanel, { html, again, patience: first = patience }: PageStart): StartedPage {
  // The number of the wait that counts: one that has passed does nothing.
  let current = 0;
  let seen = panel.visible;
  let givenUp = false;
  const stop = (): void => {
    current++;
    givenUp = false;
  };
  const wait = (attempt: number): void => {
    givenUp = attempt === attempts;
    if (givenUp) return;
    const mine = ++current;
    const waits = first * 2 ** attempt;
    setTimeout(() => {
      if (mine !== current) return;
      try {
        again(waits);
        panel.webview.html = html();
      } catch {
        // The extension was stopped or the panel is gone: nobody waits for the page.
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
    // A hidden page is unloaded; VS Code loads it again when it is shown.
    if (seen) wait(0);
    else stop();
  });
  panel.webview.html = html();
  if (seen) wait(0);
  return {
    asked() {
      if (!givenUp) return;
      panel.webview.html = html();
      wait(0);
    },
  };
}
