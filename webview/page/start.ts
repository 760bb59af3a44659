import { createCompute, startRemote, Stopped } from '../compute';
import { copyInPage, keeping } from '../keeping';
import { createPage } from './page';
import type { PageMessage, PageState } from '../protocol';
import { registerControls } from '../draw';

/** VS Code's API for a webview, which a page can acquire once. */
interface VsCodeApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** Builds the page. `workerSource` returns the script of a worker; it is called when the first worker is started. */
export async function startPage(workerSource: () => string): Promise<void> {
  const vscode = acquireVsCodeApi();
  const log = (error: unknown): void => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    vscode.postMessage({ type: 'log', level: 'error', message });
  };
  // Unexpected errors go to the log channel, as nobody sees a webview's console.
  window.addEventListener('error', ({ error, message }) => log(error ?? message));
  window.addEventListener('unhandledrejection', (event) => {
    // A view that is being replaced may have asked a worker that was then stopped.
    if (event.reason instanceof Stopped) event.preventDefault();
    else log(event.reason);
  });
  await registerControls();
  // The id of this panel, by which the host recognizes it after a reload of the window.
  const named = document.body.dataset['panel'];
  const root = document.body.appendChild(document.createElement('div'));
  root.className = 'root';
  const name = named ? { panel: named } : undefined;
  const kept = keeping<PageState>(vscode, { name, copy: copyInPage(), heavy: (state) => state.explanation });
  const host = { post: (message: PageMessage) => vscode.postMessage(message), ...kept };
  const page = createPage(root, host, createCompute(workerSource), () => startRemote(workerSource(), () => undefined));
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => page.receive(data));
  // VS Code changes the theme through variables on the root element and the theme kind on the body.
  const themed = new MutationObserver(() => page.redraw());
  themed.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-kind', 'data-vscode-theme-id'] });
  themed.observe(document.documentElement, { attributeFilter: ['style'] });
}
