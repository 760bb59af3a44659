import { createPlayer } from './page';
import { copyInPage, keeping } from '../keeping';
import type { LessonPageMessage, LessonState } from '../lesson-protocol';

interface VsCodeApi {
  postMessage(message: LessonPageMessage): void;
  getState(): unknown;
  setState(state: LessonState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** Builds the page that plays a lesson. Its style is a sheet of its own (lesson.css). */
export function startLesson(): void {
  const vscode = acquireVsCodeApi();
  const log = (error: unknown): void => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    vscode.postMessage({ type: 'log', level: 'error', message });
  };
  // Our own bugs go to the log channel: a page's console is out of sight.
  window.addEventListener('error', ({ error, message }) => log(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => log(reason));
  /** A page whose state can be neither saved nor read goes on: it is lost by a reload, and the log says why. */
  const attempted = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      return void log(error);
    }
  };
  const root = document.body.appendChild(document.createElement('div'));
  root.className = 'root';
  // A page that was saved brings its lesson with it: there is nobody to ask for one, or to keep a copy.
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
  // VS Code changes the theme under a page: its variables on the root, its kind on the body.
  const themed = new MutationObserver(() => player.redraw());
  themed.observe(document.body, { attributeFilter: ['data-vscode-theme-kind', 'data-vscode-theme-id'] });
  themed.observe(document.documentElement, { attributeFilter: ['style'] });
  vscode.postMessage({ type: 'ready' });
}
