// Makes VS Code from npm accept the command line of desktop VS Code: takes the flags that `runTests` of @vscode/test-electron passes, runs the tests
// in the extension host, prints their log, and ends with their exit code.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchChromium } from './chromium';
import { freshFolder } from './paths';
import { HostError, within } from './processes';
import { randomWeights, type Server, startServer, type WorkbenchAddress } from './server';

export interface Flags {
  extensionDevelopmentPath: string;
  extensionTestsPath: string;
  folder?: string;
}

/** Time limit of a run in seconds. EXPLAIN_ATTENTION_HOST_LIMIT overrides it. */
const limit = Number(process.env['EXPLAIN_ATTENTION_HOST_LIMIT'] ?? 600);

/** Reads VS Code's flags. Ignores those that have no meaning here (`--no-sandbox`, `--user-data-dir`, …). */
export function readFlags(args: string[]): Flags {
  const value = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const path = (name: string) => {
    const given = value(name);
    if (!given) throw new HostError(`--${name}=PATH is missing`);
    return localPath(given);
  };
  const folder = value('folder-uri') ?? args.find((arg) => !arg.startsWith('-') && isFolder(arg));
  return {
    extensionDevelopmentPath: path('extensionDevelopmentPath'),
    extensionTestsPath: testsFile(path('extensionTestsPath')),
    ...(folder ? { folder: localPath(folder) } : {}),
  };
}

function localPath(pathOrUri: string): string {
  return pathOrUri.startsWith('file:') ? fileURLToPath(pathOrUri) : resolve(pathOrUri);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** The file of the tests. Like `require`, desktop VS Code accepts a path without extension, or a folder. */
function testsFile(path: string): string {
  const found = [path, `${path}.js`, resolve(path, 'index.js')].find((file) => existsSync(file) && !isFolder(file));
  if (!found) throw new HostError(`--extensionTestsPath=${path}: there is no such file`);
  return found;
}

/** Runs the tests and returns their exit code. */
export async function runInCodeServer(flags: Flags): Promise<number> {
  const server = await startServer({ settings: randomWeights });
  try {
    const browser = await launchChromium({ webgpu: true });
    try {
      const page = await browser.newPage();
      return await within(limit, 'the tests did not end', runInPage(page, server, flags));
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function runInPage(page: Page, server: Server, flags: Flags): Promise<number> {
  let exit: (code: number) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<number>((done, reject) => {
    exit = done;
    fail = reject;
  });
  // VS Code's page calls these two functions while it runs tests.
  await page.exposeFunction('codeAutomationExit', (code: number) => exit(code));
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => printLog(type, args));
  page.on('crash', () => fail(new HostError('the page of VS Code crashed')));
  page.on('dialog', (dialog) => void dialog.accept());
  failWhenHostDies(server, fail);
  const where: WorkbenchAddress = { ...flags, folder: flags.folder ?? freshFolder('folder') };
  await page.goto(server.url(where), { timeout: 60_000 });
  return ended;
}

/**
 * If the extension host is killed or crashes, VS Code tries to reconnect and finally reports exit code 0. This reports a failure instead. After a
 * regular end the host stops with code 0 by itself, and the page reports a moment later.
 */
function failWhenHostDies(server: Server, fail: (error: Error) => void): void {
  server.onOutput((text) => {
    const death = /Extension Host Process exited with (code: .*)/.exec(text)?.[1];
    if (!death) return;
    const error = new HostError(`the extension host ended before the tests did, ${death}`);
    if (death.startsWith('code: 0')) setTimeout(() => fail(error), 30_000).unref();
    else fail(error);
  });
}

/** VS Code's own messages at its start, which are not printed. */
const noise =
  /^(Resolv(ing|ed) connection token|Creating a socket|Updating additional builtin|Ignoring fetching additional|ChatSessionStore|\[Service Worker\] registration|\[perf\])/;

function printLog(type: string, args: unknown[]): void {
  const line = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
  if (noise.test(line)) return;
  const stream = type === 'error' || type === 'warn' ? process.stderr : process.stdout;
  stream.write(`${line}\n`);
}

export async function main(args: string[]): Promise<void> {
  try {
    process.exitCode = await runInCodeServer(readFlags(args));
  } catch (error) {
    console.error(error instanceof HostError ? error.message : error);
    process.exitCode = 1;
  }
}
