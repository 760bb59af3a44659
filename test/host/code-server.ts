// VS Code from the npm package code-server: the real workbench, Node extension host and webviews, from the npm registry alone. Only its
// lib/vscode is used, which is VS Code's own server. code-server's web server and all native modules are left out, so that no compiler and no system
// library is needed. This leaves out integrated terminals (node-pty) and proxy sign-in (kerberos). Log files and search are replaced, see below.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { atExit } from './cleanup';
import { cache, removeFolder } from './paths';
import { HostError, must, npm, progress, run } from './processes';

/** A release of code-server. VS Code 1.N is in code-server 4.N. */
interface Release {
  readonly codeServer: string;
  readonly code: string;
  readonly integrity: string;
  /** The oldest Node that is known to run it; installed from npm where ours is older. */
  readonly node?: string;
  /** The module that ends an extension host whose server has died. */
  readonly watchdog: string;
}

const releases = {
  /** The oldest that the manifest allows, which all tests run in. */
  pinned: {
    codeServer: '4.100.3',
    code: '1.100.3',
    integrity: 'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==',
    watchdog: 'native-watchdog',
  },
  /** The newest when this was written, for `npm run newest`. */
  newest: {
    codeServer: '4.139.1',
    code: '1.139.1',
    integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    node: '24.9.0',
    watchdog: '@vscode/native-watchdog',
  },
} as const satisfies Record<string, Release>;

const release: Release = process.env['EXPLAIN_ATTENTION_VSCODE'] === 'newest' ? releases.newest : releases.pinned;

export const codeServerVersion = release.codeServer;
export const codeVersion = release.code;

/** VS Code's search program. The version that VS Code asks for is not in the npm registry. */
const ripgrep = { package: `@vscode/ripgrep-${process.platform}-${process.arch}`, version: '1.18.0' };

const folder = join(cache, `code-server-${codeServerVersion}`);
const stamp = 'complete';
/** To be changed together with the steps below, so that an older installation is replaced. */
const recipe = `${codeServerVersion} 1\n`;

/** The Node that is installed for a server that needs a newer one than this. */
const ownNode =
  release.node !== undefined && major(process.versions.node) < major(release.node) ? release.node : undefined;

/** The program that runs the server. */
export const serverNode = (): string =>
  ownNode === undefined
    ? process.execPath
    : join(folder, process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');

function major(version: string): number {
  return Number.parseInt(version, 10);
}

/** The folder of an installed VS Code server (with out/server-main.js in it). Installs it first if necessary. */
export async function installCodeServer(): Promise<string> {
  if (isComplete()) return join(folder, 'vscode');
  removeInterrupted();
  // Built in a temporary folder and then renamed, so that an interrupted installation is never used.
  const work = `${folder}.${process.pid}`;
  removeFolder(work);
  mkdirSync(work, { recursive: true });
  atExit(() => removeFolder(work));
  await install(work);
  writeFileSync(join(work, stamp), recipe);
  if (!isComplete()) {
    removeFolder(folder);
    renameSync(work, folder);
  }
  return join(folder, 'vscode');
}

/** Removes what an interrupted installation left. */
function removeInterrupted(): void {
  const names = existsSync(cache) ? readdirSync(cache) : [];
  for (const name of names) {
    const pid = new RegExp(`^${basename(folder)}\\.(\\d+)$`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) removeFolder(join(cache, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isComplete(): boolean {
  const file = join(folder, stamp);
  return existsSync(file) && readFileSync(file, 'utf8') === recipe;
}

async function install(work: string): Promise<void> {
  const once = `VS Code ${codeVersion} from npm (code-server ${codeServerVersion}), once:`;
  await progress(
    `${once} 1/3 download (42 MB)`,
    unpack(work, `code-server@${codeServerVersion}`, 'package', release.integrity),
  );
  const vscode = join(work, 'vscode');
  renameSync(join(work, 'package/lib/vscode'), vscode);
  removeFolder(join(work, 'package'));
  await progress(`${once} 2/3 its dependencies (120 MB)`, dependencies(vscode));
  await progress(`${once} 3/3 search and log files`, addSearch(work, vscode));
  replaceNativeModules(vscode);
  if (ownNode !== undefined) await progress(`${once} Node ${ownNode}`, addNode(work, ownNode));
}

async function addNode(work: string, version: string): Promise<void> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  await unpack(work, `node-${platform}-${process.arch}@${version}`, 'node');
}

/** Downloads a package and unpacks it as `work/name`, without its dependencies. */
async function unpack(work: string, spec: string, name: string, expected?: string): Promise<void> {
  const packed = must(await npm(['pack', spec, '--silent'], { cwd: work }), `npm pack ${spec}`);
  const file = packed.output.trim().split('\n').at(-1) ?? '';
  const hash = `sha512-${createHash('sha512')
    .update(readFileSync(join(work, file)))
    .digest('base64')}`;
  if (expected && hash !== expected) throw new HostError(`${spec}: expected ${expected}, got ${hash}`);
  mkdirSync(join(work, name), { recursive: true });
  const args = ['-xzf', file, '-C', name, '--strip-components=1'];
  must(await run('tar', args, { cwd: work }), `tar ${args.join(' ')}`);
  removeFolder(join(work, file));
}

/** Both folders have an npm-shrinkwrap.json, so the versions are those of the release. `npm ci` rejects it, because it does not quite match package.json. */
async function dependencies(vscode: string): Promise<void> {
  for (const cwd of [vscode, join(vscode, 'extensions')]) {
    must(await npm(['install', '--ignore-scripts', '--omit=dev'], { cwd }), `npm install in ${cwd}`);
  }
  // VS Code's pages and extensions look here for modules that the desktop build packs into an archive.
  symlinkSync(
    process.platform === 'win32' ? join(vscode, 'node_modules') : 'node_modules',
    join(vscode, 'node_modules.asar'),
    'junction',
  );
}

/** Installs search (for files by name, and for text). It may fail: no test needs it. */
async function addSearch(work: string, vscode: string): Promise<void> {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const bin = join(vscode, 'node_modules/@vscode/ripgrep/bin');
  try {
    await unpack(work, `${ripgrep.package}@${ripgrep.version}`, 'ripgrep');
    mkdirSync(bin, { recursive: true });
    copyFileSync(join(work, 'ripgrep/bin', program), join(bin, program));
    removeFolder(join(work, 'ripgrep'));
  } catch (error) {
    console.log(`  without search in files: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
}

/** Replaces the two native modules that are loaded at every start. The others are loaded only when used, and stay missing. */
function replaceNativeModules(vscode: string): void {
  const spdlog = join(vscode, 'node_modules/@vscode/spdlog');
  copyFileSync(new URL('shims/spdlog.mjs', import.meta.url), join(spdlog, 'index.mjs'));
  writeFileSync(join(spdlog, 'package.json'), '{ "name": "@vscode/spdlog", "main": "index.mjs" }\n');
  // The watchdog ends an extension host whose server has died. Here server-child.mjs and the process group do that.
  const watchdog = join(vscode, 'node_modules', release.watchdog);
  writeFileSync(join(watchdog, 'package.json'), `{ "name": "${release.watchdog}", "main": "index.js" }\n`);
  writeFileSync(
    join(watchdog, 'index.js'),
    'exports.start = () => {};\nexports.exit = (code) => process.exit(code);\n',
  );
}
