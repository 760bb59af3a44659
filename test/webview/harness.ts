// The built page in a plain Chromium: VS Code's side is played by a few lines (`acquireVsCodeApi`, the theme's variables),
// everything else, the content security policy included, is what users get.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { createNonce, pageHtml, type Language } from '../../extension/pages/html';
import type { Explanation, HostMessage, PageMessage, PageState, PanelSettings } from '../../webview/protocol';
import { freshFolder } from '../host/paths';
import { themes, type ThemeName } from './themes';
import { lendWindow, type Lent } from './windows';

const root = join(__dirname, '../..');
// Not a real host: every request is answered below. https, since WebGPU and workers want a secure context.
const origin = 'https://page.test';

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What `getState` gives, as after a reload. */
  readonly state?: PageState;
  readonly reducedMotion?: boolean;
  readonly deviceScaleFactor?: number;
  /** Script run before the page's, for instance to take the GPU away. */
  readonly before?: string;
  /** English, unless it is given. */
  readonly language?: Language;
  /** Another policy than the page's own. */
  readonly policy?: (policy: string) => string;
  /** A window for this test alone (windows.ts). */
  readonly own?: boolean;
}

export interface OpenPage {
  readonly page: Page;
  send(message: HostMessage | unknown): Promise<void>;
  /** Sends an explanation and waits until it is drawn. */
  explain(explanation: Explanation, settings?: Partial<PanelSettings>): Promise<void>;
  /** Waits until what was asked for is drawn. */
  ready(): Promise<void>;
  messages(): Promise<readonly PageMessage[]>;
  state(): Promise<PageState | undefined>;
  /** Errors, refused requests and violations of the policy, all of which a test expects to be none. */
  readonly troubles: string[];
  close(): Promise<void>;
}

// A file of its own: what tsx makes of a function does not run in a page.
const vscodeApi = readFileSync(join(__dirname, 'vscode-api.js'), 'utf8');

let folder: string | undefined;

/** The page as it is packaged: what `npm test` has built for all its processes (suites.ts), else built once for all tests of this one. */
export function builtPage(): string {
  folder ??= process.env['EXPLAIN_ATTENTION_PAGE'];
  if (folder) return folder;
  folder = freshFolder('page');
  const args = ['esbuild.mjs', '--page', '--production', `--outdir=${folder}`];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the page does not build:\n${stderr}`);
  return folder;
}

const html = (theme: ThemeName, policy: (policy: string) => string, language?: Language): string => {
  const files = { at: (name: string) => `${origin}/${name}`, cspSource: origin };
  const { kind, classes } = themes[theme];
  const page = pageHtml(files, createNonce(), '', language).replace(
    /(?<=Content-Security-Policy" content=")[^"]*/,
    policy,
  );
  return page.replace('<body', `<body class="vscode-body ${classes}" data-vscode-theme-kind="${kind}"`);
};

/** Opens the page in a window that shows nothing else; `close` makes room for the next. */
export async function openPage(options: OpenOptions = {}): Promise<OpenPage> {
  const { theme = 'dark', width = 1200, height = 860, language, before } = options;
  // Not while the page waits for it: on a slow machine it takes longer than a page waits.
  builtPage();
  const body = html(theme, options.policy ?? ((policy) => policy), language);
  const given = JSON.stringify({ variables: themes[theme].variables, state: options.state ?? null });
  const troubles: string[] = [];
  const scripts = [`${vscodeApi}\nplayVsCode(${given});`, ...(before ? [before] : [])];
  const lent = await lendWindow({
    ...options,
    width,
    height,
    scripts,
    answer: (route) => answer(route, body, troubles),
  });
  const { page } = lent;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.stack ?? error.message}`));
  await page.goto(`${origin}/`);
  await isReady(page).catch((error: unknown) => {
    throw new Error(`the page did not get ready: ${String(error)}\n${troubles.join('\n')}`);
  });
  return controlled(lent, troubles);
}

/** By selector: Playwright's `waitForFunction` compiles its function in the page, which the policy forbids. */
const isReady = (page: Page): Promise<void> => page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });

function controlled({ page, giveBack }: Lent, troubles: string[]): OpenPage {
  const ready = (): Promise<void> => isReady(page);
  const send = (message: unknown): Promise<void> => page.evaluate((data) => window.postMessage(data, '*'), message);
  return {
    page,
    troubles,
    ready,
    send,
    async explain(explanation, settings = {}) {
      const before = await page.evaluate(() => Number(document.body.dataset['shown'] ?? 0));
      await send({ type: 'explain', explanation, settings: { backend: 'auto', digits: 2, ...settings } });
      // A preview counts too, and the exact values may follow it at once.
      await page.locator(`body[data-shown]:not([data-shown="${before}"])`).waitFor({ state: 'attached' });
      await ready();
    },
    messages: () => page.evaluate(() => (window as unknown as Played).played.messages as PageMessage[]),
    state: () => page.evaluate(() => (window as unknown as Played).played.state as PageState | undefined),
    close: giveBack,
  };
}

interface Played {
  readonly played: { readonly messages: unknown[]; readonly state: unknown };
}

/** Answers for the made-up host; anything else is a request to the network, which the page must never make. */
function answer(route: Route, body: string, troubles: string[]): Promise<void> {
  const url = new URL(route.request().url());
  if (url.protocol === 'blob:') return route.continue();
  if (url.origin !== origin) {
    troubles.push(`request: ${url.href}`);
    return route.abort();
  }
  if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body });
  if (url.pathname === '/favicon.ico') return route.fulfill({ status: 204 });
  const contentType = contentTypes[extname(url.pathname)] ?? 'application/octet-stream';
  return route.fulfill({ contentType, body: readFileSync(join(builtPage(), url.pathname)) });
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};
