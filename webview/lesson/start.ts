import { createPlayer } from './page';
import { copyInPage, keeping } from '../keeping';
import type { LessonPageMessage, LessonState } from '../lesson-protocol';

interface VsCodeApi {
  postMessage(message: LessonPageMessage): void;
  getState(): unknown;
  setState(state: LessonState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** Starts the page that plays a lesson. Its styles are a bundle of their own (lesson.css). */
export function startLesson(): void {
  const vscode = acquireVsCodeApi();
  const log = (error: unknown): void => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    vscode.postMessage({ type: 'log', level: 'error', message });
  };
  // Uncaught errors go to the log channel, as nobody sees a webview's console.
  window.addEventListener('error', ({ error, message }) => log(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => log(reason));
  /** If the state can be neither saved nor read, the page still works: the state is lost on reload, and the log says why. */
  const attempted = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      return void log(error);
    }
  };
  const root = document.body.appendChild(document.createElement('div'));
  root.className = 'root';
  // A saved page contains its lesson: there is no host that could send one or keep a copy.
  const lesson = attempted(() => vscode.getState() as Partial<LessonState> | undefined)?.lesson;
  const kept = keeping<LessonState>(vscode, { name: lesson ? undefined : {}, copy: copyInPage() });
  const host = {
    post: (message: LessonPageMessage) => vscode.postMessage(message),
    getState: () => attempted(kept.getState),
    setState: (state: LessonState) => attempted(() => kept.setState(state)),
  };
  const player = createPlayer(root, host, lesson !== undefined);
  if (lesson) player.receive(lesson);
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => player.receive(data));
  // VS Code changes the theme of an open page: it sets variables on the root element and the kind on the body.
  const themed = new MutationObserver(() => player.redraw());
  themed.observe(document.body, { attributeFilter: ['data-vscode-theme-kind', 'data-vscode-theme-id'] });
  themed.observe(document.documentElement, { attributeFilter: ['style'] });
  vscode.postMessage({ type: 'ready' });
}
