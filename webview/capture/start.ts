import { parseCaptureHostMessage, type CapturePageMessage } from '../protocol';
import { createCapturePage } from './page';

declare function acquireVsCodeApi(): { postMessage(message: CapturePageMessage): void };

/** Starts the page of a recorded model. */
export function startCapture(): void {
  const vscode = acquireVsCodeApi();
  const log = (error: unknown): void => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    vscode.postMessage({ type: 'log', level: 'error', message });
  };
  // Uncaught errors go to the log channel, as nobody sees a webview's console.
  window.addEventListener('error', ({ error, message }) => log(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => log(reason));
  const page = createCapturePage((message) => vscode.postMessage(message));
  document.body.append(page.element);
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = parseCaptureHostMessage(data);
    if (message.ok) page.receive(message.value);
    else log(message.problems.map((problem) => problem.message).join('; '));
  });
  const themed = new MutationObserver(() => page.redraw());
  themed.observe(document.body, { attributeFilter: ['data-vscode-theme-kind', 'data-vscode-theme-id'] });
  themed.observe(document.documentElement, { attributeFilter: ['style'] });
  vscode.postMessage({ type: 'ready' });
}
