// A VS Code window for end-to-end tests and pictures, with its own server and browser, and functions that do what a user does.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core';
import { launchChromium } from './chromium';
import { freshFolder } from './paths';
import { HostError, tail } from './processes';
import { type CspViolation, innerFrame, type PageRequest, record, type Recorder } from './recorder';
import { randomWeights, type Server, startServer } from './server';
import * as workbench from './workbench';

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

export type Theme = keyof typeof themes;

export interface SessionOptions {
  /** Folder of an extension to load from source, as F5 does. At most one of this and `vsix`. */
  extensionDevelopmentPath?: string;
  /** Path of a packaged extension to install, as users install it. */
  vsix?: string;
  /** `publisher.name` of the extension whose pages are looked at; by default the one that is loaded from source, else the installed one. */
  extensionId?: string;
  /** The folder to open; by default a new, empty one. */
  folder?: string;
  theme?: Theme;
  /** Size of the window in CSS pixels, by default 1280×800. */
  width?: number;
  height?: number;
  /** Device pixels for each CSS pixel, by default 1. */
  scale?: number;
  settings?: Record<string, unknown>;
  /** VS Code's display language, such as `de`. VS Code's own texts stay English, because those need a language pack. */
  language?: string;
  /** Gives pages a WebGPU adapter in software (SwiftShader). */
  webgpu?: boolean;
  /** Whether pages see the system setting `prefers-reduced-motion`; by default true. */
  reducedMotion?: boolean;
  /** false to ask before a folder is trusted (Restricted Mode). */
  trust?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** A request of a page, or a connection of the extension host (then `url` is `host:port`). */
export interface SessionRequest {
  url: string;
  from: PageRequest['from'] | 'extension host' | 'server';
  foreign: boolean;
}

export interface Session {
  page: Page;
  folder: string;
  server: Server;
  /** Runs a command by its full title in the palette. */
  runCommand(title: string, seconds?: number): Promise<void>;
  /** Opens a file, absolute or relative to the folder, and waits for its editor. */
  openFile(path: string): Promise<void>;
  /** Selects text in the active editor; lines and columns count from 1, the end is exclusive. Returns the text of the status bar. */
  selectText(startLine: number, startColumn: number, endLine: number, endColumn: number): Promise<string>;
  /** Moves the cursor of the active text editor. */
  goTo(line: number, column: number): Promise<void>;
  /** The document of the extension's visible webview panel. Waits for it up to `seconds` (30). */
  webviewFrame(options?: { extensionId?: string; seconds?: number }): Promise<Frame>;
  /** Violations of the Content Security Policy in pages of extensions. */
  cspViolations(): CspViolation[];
  /** Every network request of the window's pages, and every connection of VS Code's Node processes. */
  requests(): SessionRequest[];
  /** Those of `requests` that left the machine or tried to. Empty if neither extension nor page has made any. */
  foreignRequests(): SessionRequest[];
  /** Runs "Developer: Reload Window" and waits until the workbench is back. */
  reloadWindow(): Promise<void>;
  /** Reloads as the browser's reload key does, which does not wait for VS Code to save anything. Waits until the workbench is back. */
  reloadPage(): Promise<void>;
  screenshot(path: string): Promise<void>;
  /** Output of the server and console messages of the pages, for the message of a failed test. */
  log(): string;
  close(): Promise<void>;
}

/** Opens VS Code 1.100.3 in a browser window, which is closed by `close` or when this process ends. */
export async function openVSCode(options: SessionOptions = {}): Promise<Session> {
  const folder = options.folder ? resolve(options.folder) : freshFolder('folder');
  const server = await startServer(serverOptions(options));
  let browser: Browser | undefined;
  try {
    browser = await launchChromium({ webgpu: options.webgpu ?? false });
    const context = await newContext(browser, options);
    const recorder = await record(context, `127.0.0.1:${server.port}`);
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(server.url({ folder, ...development(options) }), { timeout: 60_000 });
    await workbench.ready(page);
    return session({
      page,
      folder,
      server,
      browser,
      recorder,
      extensionId: options.extensionId ?? extensionId(options, server),
    });
  } catch (error) {
    await browser?.close();
    await server.stop();
    throw new HostError(`VS Code did not open: ${String(error)}\n${tail(server.log())}`);
  }
}

function serverOptions({ vsix, settings, trust, theme = 'dark', env }: SessionOptions) {
  return {
    ...(vsix ? { vsix } : {}),
    ...(env ? { env } : {}),
    trust: trust ?? true,
    // In a browser VS Code saves files automatically; on a desktop it does not.
    settings: { 'workbench.colorTheme': themes[theme], 'files.autoSave': 'off', ...randomWeights, ...settings },
  };
}

async function newContext(browser: Browser, options: SessionOptions): Promise<BrowserContext> {
  const { width = 1280, height = 800, scale = 1, reducedMotion = true, language } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    ...(language ? { locale: language } : {}),
  });
  // A language pack sets this before the workbench starts; the extension host gets its language from it.
  if (language) await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
  return context;
}

function development({ extensionDevelopmentPath }: SessionOptions) {
  return extensionDevelopmentPath ? { extensionDevelopmentPath: resolve(extensionDevelopmentPath) } : {};
}

/** `publisher.name` of the extension under test, or '' when there is none. */
function extensionId({ extensionDevelopmentPath }: SessionOptions, server: Server): string {
  const file = extensionDevelopmentPath && join(extensionDevelopmentPath, 'package.json');
  if (!file || !existsSync(file)) return server.installed()[0] ?? '';
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { publisher: string; name: string };
  return `${manifest.publisher}.${manifest.name}`;
}

interface Parts {
  page: Page;
  folder: string;
  server: Server;
  browser: Browser;
  recorder: Recorder;
  extensionId: string;
}

function session(parts: Parts): Session {
  const { page, folder, server, browser, recorder } = parts;
  const requests = () => [...recorder.requests, ...connections(server)];
  return {
    page,
    folder,
    server,
    runCommand: (title, seconds) => workbench.runCommand(page, title, seconds),
    openFile: (path) => workbench.openFile(page, resolve(folder, path)),
    selectText: (startLine, startColumn, endLine, endColumn) =>
      workbench.selectText(page, [startLine, startColumn], [endLine, endColumn]),
    goTo: (line, column) => workbench.goTo(page, line, column),
    webviewFrame: (options) => webviewFrame(parts, options),
    cspViolations: () => [...recorder.violations],
    requests,
    foreignRequests: () => requests().filter((request) => request.foreign),
    reloadWindow: () => reload(page),
    reloadPage: async () => {
      await page.reload({ timeout: 60_000 });
      await workbench.ready(page);
    },
    screenshot: async (path) => void (await page.screenshot({ path, animations: 'disabled', caret: 'hide' })),
    log: () => [tail(server.log(), 40), ...recorder.console.slice(-40)].join('\n'),
    close: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

function connections(server: Server): SessionRequest[] {
  return server.connections().map(({ process: type, target }) => ({
    url: target,
    from: type === 'extensionHost' ? 'extension host' : 'server',
    foreign: !/^(127\.0\.0\.1|localhost|::1):/.test(target),
  }));
}

async function webviewFrame(parts: Parts, options: { extensionId?: string; seconds?: number } = {}): Promise<Frame> {
  const id = options.extensionId ?? parts.extensionId;
  const end = Date.now() + (options.seconds ?? 30) * 1000;
  while (Date.now() < end) {
    const frame = await innerFrame(parts.page, id);
    if (frame) return frame;
    await parts.page.waitForTimeout(100);
  }
  throw new HostError(`no webview of ${id || 'any extension'} is shown`);
}

async function reload(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load', { timeout: 60_000 });
  await workbench.runCommand(page, 'Developer: Reload Window');
  await loaded;
  await workbench.ready(page);
}
