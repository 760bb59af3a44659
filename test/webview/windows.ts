// One browser for all tests of a process, and its windows, which tests lend one after the other: a new document in a window that stands
// takes a quarter of the time of a new window, which has to compile the page's script again.
import type { Browser, BrowserContext, Disposable, Page, Route } from 'playwright-core';
import { atEndOfTests } from '../host/at-end';
import { launchChromium } from '../host/chromium';

export interface Wanted {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor?: number;
  readonly reducedMotion?: boolean;
  /** Run before each document's own scripts. */
  readonly scripts: readonly string[];
  /** Answers every request: nothing comes from the network. */
  readonly answer: (route: Route) => unknown;
  /** Nobody had it before or has it after: for what no clearing up takes back, such as another clock. */
  readonly own?: boolean;
}

export interface Lent {
  readonly page: Page;
  giveBack(): Promise<void>;
}

interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly deviceScaleFactor: number;
  answer: (route: Route) => unknown;
}

let browser: Promise<Browser> | undefined;
let idle: Window[] = [];
let lent = 0;

export function startBrowser(): Promise<Browser> {
  browser ??= launchChromium({ webgpu: true });
  atEndOfTests(stopBrowser);
  return browser;
}

export async function stopBrowser(): Promise<void> {
  const open = browser;
  [browser, idle] = [undefined, []];
  await (await open)?.close();
}

/** An empty window. What was done in it before is forgotten: storage, scripts, sizes, rights, the mouse's place. */
export async function lendWindow(wanted: Wanted): Promise<Lent> {
  const { deviceScaleFactor = 1, own = false } = wanted;
  const at = own ? -1 : idle.findIndex((one) => one.deviceScaleFactor === deviceScaleFactor);
  const window = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await openWindow(wanted, deviceScaleFactor));
  const { page } = window;
  window.answer = wanted.answer;
  await page.setViewportSize({ width: wanted.width, height: wanted.height });
  await page.emulateMedia({ ...ordinary, reducedMotion: wanted.reducedMotion ? 'reduce' : 'no-preference' });
  const scripts: Disposable[] = [];
  for (const script of [forget(++lent), ...wanted.scripts]) scripts.push(await page.addInitScript(inPages(script)));
  // Given back once: else it would be lent to two tests at a time, each with the scripts of both.
  let back: Promise<void> | undefined;
  return { page, giveBack: () => (back ??= takeBack(window, scripts, own)) };
}

/** The empty document between two tests has no storage, and is none of theirs. */
const inPages = (script: string): string => `if (location.protocol !== 'about:') {\n${script}\n}`;

const ordinary = { media: null, colorScheme: null, forcedColors: null, contrast: null } as const;

/** Storage outlives a document; a reload by the same test finds it as it was. */
const forget = (lending: number): string => `
  if (sessionStorage.getItem('lending') !== '${lending}') {
    sessionStorage.clear();
    localStorage.clear();
    sessionStorage.setItem('lending', '${lending}');
  }`;

async function openWindow({ width, height }: Wanted, deviceScaleFactor: number): Promise<Window> {
  const context = await (await startBrowser()).newContext({ viewport: { width, height }, deviceScaleFactor });
  const window: Window = { context, page: await context.newPage(), deviceScaleFactor, answer: (route) => route.abort() };
  await context.route('**/*', (route) => window.answer(route));
  return window;
} // prettier-ignore

/** The document ends, with its workers. A window that a test closed, or that does not let go of its document, is not lent again. */
async function takeBack(window: Window, scripts: readonly Disposable[], own: boolean): Promise<void> {
  const { context, page } = window;
  const clean = !own && context.pages().length === 1 && (await cleared(window, scripts).catch(() => false));
  if (!clean) return context.close();
  for (const event of ['console', 'pageerror', 'dialog', 'request', 'download'] as const)
    page.removeAllListeners(event);
  idle.push(window);
}

async function cleared({ context, page }: Window, scripts: readonly Disposable[]): Promise<boolean> {
  for (const script of scripts) await script.dispose();
  await page.goto('about:blank', { timeout: 5000 });
  await page.mouse.move(-1, -1);
  await page.unrouteAll();
  await context.clearPermissions();
  return true;
}
