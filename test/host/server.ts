// VS Code's server on a free port of 127.0.0.1, with a new, empty profile each time.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, endWithUs } from './cleanup';
import { installCodeServer, serverNode } from './code-server';
import { freshFolder, removeFolder } from './paths';
import { HostError, must, run, tail, within } from './processes';

export interface ServerOptions {
  /** Path of a packaged extension to install, as users install it. */
  vsix?: string;
  /** User settings. */
  settings?: Record<string, unknown>;
  /** Whether to trust every folder without asking (default true); false to test Restricted Mode. */
  trust?: boolean;
  /** Whether VS Code's extension marketplace is reachable (default false: the tests make no network request). */
  marketplace?: boolean;
  /** The port; 0, the default, for a free one. */
  port?: number;
  /** Environment variables of the server, which the extension host inherits. */
  env?: NodeJS.ProcessEnv;
}

export interface Server {
  port: number;
  /** All of the server's output so far. */
  log(): string;
  /** Calls `listener` with each new piece of the server's output. */
  onOutput(listener: (text: string) => void): void;
  /** The URL of a workbench. Paths are absolute. */
  url(options: WorkbenchAddress): string;
  /** Connections of extension processes to anything but the server: `host:port` and the process. */
  connections(): Connection[];
  /** Ids (`publisher.name`) of the installed extensions. */
  installed(): string[];
  /** The folder in which they are installed. */
  extensionsFolder: string;
  /** Resolves when the server has ended. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface WorkbenchAddress {
  folder?: string;
  extensionDevelopmentPath?: string;
  extensionTestsPath?: string;
  /** A file to open at start. */
  openFile?: string;
}

export interface Connection {
  process: string;
  target: string;
  stack: string;
}

/** Settings without which VS Code opens pages and dialogs at its first start. Settings of the caller override them. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'chat.commandCenter.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'explainAttention.exampleOnStart': 'never',
};

/** Tests of everything but trained models explain texts with weights that NumPy draws too, and begin at the first step. */
export const randomWeights = { 'explainAttention.textWeights': 'random', 'explainAttention.firstView': 'steps' };

const here = dirname(fileURLToPath(import.meta.url));

/** Starts a server. Installs VS Code first if necessary. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const entry = join(await installCodeServer(), 'out/server-main.js');
  const data = freshFolder('vscode');
  const folders = prepare(data, dirname(dirname(entry)), options);
  if (options.vsix) await installPackage(entry, folders, options.vsix);
  const token = randomBytes(16).toString('hex');
  const child = spawn(serverNode(), [join(here, 'server-child.mjs'), entry, ...flags(options, token), ...folders], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(data, options),
    detached: process.platform !== 'win32',
  });
  endWithUs(child);
  const output = collect(child);
  const port = await within(60, 'VS Code did not start', output.listening).catch((error: Error) => {
    void end(child);
    throw new HostError(`${error.message}:\n${tail(output.log())}`);
  });
  return {
    port,
    log: output.log,
    onOutput: (listener) => child.stdout.on('data', (chunk: Buffer) => listener(chunk.toString())),
    url: (where) => address(port, token, where),
    connections: () => readConnections(data),
    installed: () => installedExtensions(data),
    extensionsFolder: join(data, 'extensions'),
    ended: new Promise((done) => child.once('exit', () => done())),
    stop: () => stop(child, data),
  };
}

function prepare(data: string, vscode: string, { settings }: ServerOptions): string[] {
  mkdirSync(join(data, 'user/User'), { recursive: true });
  mkdirSync(join(data, 'extensions'));
  writeFileSync(join(data, 'user/User/settings.json'), JSON.stringify({ ...quiet, ...settings }, undefined, 2));
  // VS Code is inside the folder of the extension that it loads here, and would take the built-in themes for that extension's own. Through this link
  // their path is outside of it.
  symlinkSync(join(vscode, 'extensions'), join(data, 'builtin'), 'junction');
  return [
    `--builtin-extensions-dir=${join(data, 'builtin')}`,
    `--user-data-dir=${join(data, 'user')}`,
    `--extensions-dir=${join(data, 'extensions')}`,
    `--server-data-dir=${join(data, 'server')}`,
  ];
}

function flags({ port = 0, trust = true }: ServerOptions, token: string): string[] {
  return [
    '--host=127.0.0.1',
    `--port=${port}`,
    `--connection-token=${token}`,
    '--accept-server-license-terms',
    '--telemetry-level=off',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    ...(trust ? ['--disable-workspace-trust'] : []),
  ];
}

/** Environment of the server. Loads the hook in connections.mjs into each of its Node processes, also into the extension host. */
function environment(data: string, { env = process.env, marketplace = false }: ServerOptions): NodeJS.ProcessEnv {
  const hook = `--import=${new URL('connections.mjs', import.meta.url).href}`;
  return {
    ...env,
    NODE_OPTIONS: [env['NODE_OPTIONS'], hook].filter(Boolean).join(' '),
    EXPLAIN_ATTENTION_CONNECTIONS: join(data, 'connections.jsonl'),
    // This build of VS Code reads its marketplace's address from here.
    ...(marketplace ? {} : { EXTENSIONS_GALLERY: '{}' }),
  };
}

function collect(child: ChildProcess) {
  let log = '';
  let ready: (port: number) => void = () => undefined;
  let failed: (error: Error) => void = () => undefined;
  const listening = new Promise<number>((resolvePort, reject) => {
    ready = resolvePort;
    failed = reject;
  });
  const take = (chunk: Buffer) => {
    log += chunk.toString();
    const port = /Extension host agent listening on (\d+)/.exec(log)?.[1];
    if (port) ready(Number(port));
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  child.once('error', failed);
  child.once('exit', (code) => failed(new HostError(`VS Code's server ended with code ${code}`)));
  return { listening, log: () => log };
}

function address(port: number, token: string, where: WorkbenchAddress): string {
  const remote = (path: string) => `vscode-remote://127.0.0.1:${port}${uriPath(path)}`;
  const payload = (['extensionDevelopmentPath', 'extensionTestsPath', 'openFile'] as const).flatMap((name) => {
    const path = where[name];
    return path === undefined ? [] : [[name, remote(path)]];
  });
  const query = new URLSearchParams({ tkn: token });
  if (where.folder) query.set('folder', uriPath(where.folder));
  if (payload.length) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query}`;
}

/** A path as part of a URI: `C:\x` becomes `/C:/x`. */
export function uriPath(path: string): string {
  const slashes = resolve(path).replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}

async function installPackage(entry: string, folders: string[], vsix: string): Promise<void> {
  const args = [entry, '--install-extension', resolve(vsix), '--force', '--accept-server-license-terms', ...folders];
  const result = must(await run(serverNode(), args, { limit: 120 }), `installing ${vsix}`);
  // The command exits with 0 even if it could not install.
  if (!/was successfully installed/.test(result.output)) throw new HostError(`installing ${vsix}:\n${result.output}`);
}

function installedExtensions(data: string): string[] {
  const list: unknown = JSON.parse(readText(join(data, 'extensions/extensions.json')) || '[]');
  if (!Array.isArray(list)) return [];
  return list.map((entry: { identifier: { id: string } }) => entry.identifier.id);
}

function readConnections(data: string): Connection[] {
  const lines = readText(join(data, 'connections.jsonl')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Connection);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function stop(child: ChildProcess, data: string): Promise<void> {
  await end(child);
  removeFolder(data);
}
