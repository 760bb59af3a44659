// The lesson's page in a plain Chromium, as harness.ts has the panel's: everything but VS Code's side is what users get.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { createNonce, pageHtml, type Language } from '../../extension/pages/html';
import { emptyProgress, type LessonMessage, type LessonPageMessage } from '../../webview/lesson-protocol/messages';
import { modelFolder } from '../engine/box-support';
import { builtPage } from './harness';
import { themes, type ThemeName } from './themes';
import { lendWindow } from './windows';

const origin = 'https://lesson.test';
const vscodeApi = readFileSync(join(__dirname, 'vscode-api.js'), 'utf8');

export interface LessonOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly state?: unknown;
  /** The host's copy of the state, as JSON. */
  readonly copy?: string;
  /** A script that runs before the page's own. */
  readonly before?: string;
  /** English, unless it is given. */
  readonly language?: Language;
}

export interface OpenLesson {
  readonly page: Page;
  send(message: unknown): Promise<void>;
  messages(): Promise<readonly LessonPageMessage[]>;
  /** Errors and violations of the policy. */
  readonly troubles: string[];
  /** Every request after the page's own files. */
  readonly requests: string[];
  close(): Promise<void>;
}

export const lessonMessage = (source: string, more: Partial<LessonMessage> = {}): LessonMessage => ({
  type: 'lesson', uri: 'file:///lesson.md', name: 'lesson.md', source, progress: emptyProgress,
  program: '0.0.0', student: '', seed: null, ...more,
}); // prettier-ignore

/** Opens the page; with a lesson it waits until that is drawn. */
export async function openLesson(lesson?: LessonMessage, options: LessonOptions = {}): Promise<OpenLesson> {
  const { theme = 'dark', width = 900, height = 860 } = options;
  const [troubles, requests]: [string[], string[]] = [[], []];
  const body = htmlFor(theme, options);
  const given = JSON.stringify({ variables: themes[theme].variables, state: options.state ?? null });
  const scripts = [`${vscodeApi}\nplayVsCode(${given});`, ...(options.before ? [options.before] : [])];
  const { page, giveBack } = await lendWindow({
    width,
    height,
    scripts,
    answer: (route) => answer(route, body, requests),
  });
  watch(page, troubles);
  await page.goto(`${origin}/`);
  const send = (message: unknown): Promise<void> => page.evaluate((data) => window.postMessage(data, '*'), message);
  if (lesson) {
    await send(lesson);
    await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
  }
  const messages = (): Promise<LessonPageMessage[]> =>
    page.evaluate(() => (window as unknown as { played: { messages: LessonPageMessage[] } }).played.messages);
  return { page, send, messages, troubles, requests, close: giveBack };
}

/** Opens a lesson of the course, and gives its page the files of the models that it asks for, as often as it asks. */
export async function openCourseLesson(name: string, options: LessonOptions = {}): Promise<OpenLesson> {
  const open = await openLesson(undefined, options);
  await open.send(lessonMessage(courseLesson(name)));
  const ready = open.page.locator('body[data-ready="true"]');
  for (let given = 0, until = Date.now() + 30_000; !(await ready.count());) {
    if (Date.now() > until) throw new Error(`${name} is not ready`);
    const asked = (await open.messages()).flatMap((m) => (m.type === 'modelFile' ? [m.file] : []));
    for (const file of asked.slice(given))
      await open.page.evaluate(
        ({ of, bytes }) => window.postMessage({ type: 'modelFile', file: of, bytes: Uint8Array.from(bytes) }, '*'),
        { of: file, bytes: [...readFileSync(modelFolder + file)] },
      );
    given = asked.length;
    await open.page.waitForTimeout(50);
  }
  return open;
}

export function watch(page: Page, troubles: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.stack ?? error.message}`));
}

function htmlFor(theme: ThemeName, { language, copy }: LessonOptions): string {
  const files = { at: (name: string) => `${origin}/${name}`, cspSource: origin, page: 'lesson' as const };
  const { kind, classes } = themes[theme];
  return pageHtml(files, createNonce(), '', language, copy).replace('<body', `<body class="vscode-body ${classes}" data-vscode-theme-kind="${kind}"`);
} // prettier-ignore

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2',
}; // prettier-ignore

function answer(route: Route, body: string, requests: string[]): Promise<void> {
  const { pathname, href, origin: from } = new URL(route.request().url());
  if (from === origin && pathname === '/') return route.fulfill({ contentType: 'text/html', body });
  const contentType = contentTypes[extname(pathname)];
  // The bundle, its style sheet and the fonts beside it: what a webview reads from the extension's own folder.
  if (from === origin && contentType) return route.fulfill({ contentType, body: readFileSync(join(builtPage(), pathname)) });
  if (pathname !== '/favicon.ico') requests.push(href);
  return route.abort();
} // prettier-ignore

export const courseLesson = (name: string): string =>
  readFileSync(join(__dirname, '../../extension/lessons', name), 'utf8');
