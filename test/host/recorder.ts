// Records what the pages of a VS Code window do: requests, violations of their Content Security Policy, and console messages.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, ConsoleMessage, Frame, Page, Request } from 'playwright-core';

export interface PageRequest {
  url: string;
  /** `webview` for the page of an extension, `workbench` for VS Code's own pages and workers. */
  from: 'webview' | 'workbench';
  /** Whether the request leaves the machine: it goes neither to VS Code's server nor to a `data:` or `blob:` address. */
  foreign: boolean;
}

export interface CspViolation {
  /** Chromium reports a violation by an event and in the console, so the same one may be recorded twice. */
  heard: 'event' | 'console';
  text: string;
  /** The frame's URL. */
  frame: string;
}

export interface Recorder {
  requests: PageRequest[];
  violations: CspViolation[];
  /** Console messages of all pages, and uncaught errors. */
  console: string[];
}

/** The path of a webview's outer page, which is VS Code's. The extension's document is a frame inside it. */
const webviewPage = '/webview/browser/pre/';

/** Starts to record. To be called before the first page is opened. */
export async function record(context: BrowserContext, ownHost: string): Promise<Recorder> {
  const recorder: Recorder = { requests: [], violations: [], console: [] };
  await context.exposeBinding('__explainAttentionCsp', ({ frame }, text: string) => {
    recorder.violations.push({ heard: 'event', text, frame: frame.url() });
  });
  await context.addInitScript({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) });
  context.on('request', (request) => recorder.requests.push(describe(request, ownHost)));
  context.on('page', (page) => listen(page, recorder, ownHost));
  return recorder;
}

function listen(page: Page, recorder: Recorder, ownHost: string): void {
  page.on('websocket', (socket) => {
    recorder.requests.push({ url: socket.url(), from: 'workbench', foreign: isForeign(socket.url(), ownHost) });
  });
  page.on('pageerror', (error) => recorder.console.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    recorder.console.push(`${message.type()}: ${message.text()}`);
    const violation = inConsole(message);
    if (violation) recorder.violations.push(violation);
  });
}

function inConsole(message: ConsoleMessage): CspViolation | undefined {
  // Not every message names its frame, so messages of all frames count. VS Code's own pages cause none.
  const text = message.text();
  if (message.type() !== 'error' || !/content security policy/i.test(text)) return undefined;
  return { heard: 'console', text, frame: message.location().url };
}

function describe(request: Request, ownHost: string): PageRequest {
  return { url: request.url(), from: origin(request), foreign: isForeign(request.url(), ownHost) };
}

function origin(request: Request): PageRequest['from'] {
  try {
    return isWebview(request.frame()) ? 'webview' : 'workbench';
  } catch {
    // A service worker's request has no frame.
    return 'workbench';
  }
}

/** The URL of the outer page names the extension. VS Code's own pages (such as release notes) name none. */
function isWebview(frame: Frame | null): boolean {
  if (frame === null) return false;
  const url = frame.url();
  if (url.includes(webviewPage) && /[?&]extensionId=[^&]/.test(url)) return true;
  return isWebview(frame.parentFrame());
}

function isForeign(address: string, ownHost: string): boolean {
  const { protocol, host } = new URL(address);
  if (!/^(https?|wss?):$/.test(protocol) || host === ownHost) return false;
  // Files of an extension are answered by VS Code's service worker in the browser and never sent.
  return !host.endsWith('.vscode-resource.vscode-cdn.net');
}

/** The extension's document in a webview, found by the extension's id in the URL of the outer page. */
export async function innerFrame(page: Page, extensionId: string): Promise<Frame | undefined> {
  const outer = page.frames().filter((frame) => belongsTo(frame, extensionId));
  for (const frame of outer.flatMap((parent) => parent.childFrames())) {
    const element = await frame.frameElement().catch(() => undefined);
    // While loading, the frame's id is pending-frame.
    if (element && (await element.getAttribute('id')) === 'active-frame' && (await element.isVisible())) return frame;
  }
  return undefined;
}

function belongsTo(frame: Frame, extensionId: string): boolean {
  if (!frame.url().includes(webviewPage)) return false;
  const id = new URL(frame.url()).searchParams.get('extensionId');
  return id?.toLowerCase() === extensionId.toLowerCase();
}
