// Chooses the VS Code that runs the extension's test suite: desktop VS Code, downloaded by @vscode/test-electron, if it can be downloaded and shown,
// else the one from npm (code-server.ts). Both have the same version.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, SilentReporter } from '@vscode/test-electron';
import { fetchStableVersions } from '@vscode/test-electron/out/download';
import { codeServerVersion, codeVersion, installCodeServer } from './code-server';
import { cache, onPath, root } from './paths';
import { HostError, progress, run, within } from './processes';

/** How `runTests` starts a VS Code: `executable` with `args` before its own arguments. */
export interface Host {
  /** For the table: which VS Code is used, and why not the other. */
  words: string;
  executable: string;
  args: string[];
}

/** Seconds to wait for the update server. */
const patience = 5;

/** Finds or installs a VS Code. EXPLAIN_ATTENTION_HOST=desktop or =code-server forces one of them. */
export async function resolveVSCode(): Promise<Host> {
  const wanted = process.env['EXPLAIN_ATTENTION_HOST'];
  if (wanted === 'code-server') return codeServer('as EXPLAIN_ATTENTION_HOST asks');
  try {
    return await desktop();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (wanted === 'desktop') throw new HostError(`no desktop VS Code: ${why}`);
    return codeServer(why);
  }
}

async function codeServer(why: string): Promise<Host> {
  await installCodeServer();
  const electron = fileURLToPath(new URL('code-server-electron.mjs', import.meta.url));
  const words = `VS Code ${codeVersion} from npm (code-server ${codeServerVersion}) in Chromium; no desktop VS Code: ${why}`;
  // Run by node rather than directly, because the mode bits are lost on Windows and in some archives.
  return { words, executable: process.execPath, args: [electron] };
}

async function desktop(): Promise<Host> {
  const display = displayPrefix();
  await updateServerAnswers();
  const work = downloadAndUnzipVSCode({
    version: codeVersion,
    cachePath: cache,
    extensionDevelopmentPath: root,
    timeout: patience * 1000,
    reporter: new SilentReporter(),
  });
  const code = await progress(`desktop VS Code ${codeVersion} (downloaded once)`, work);
  await librariesPresent(code);
  const [executable = code, ...args] = [...display, code];
  return { words: `desktop VS Code ${codeVersion}${display.length ? ' under xvfb-run' : ''}`, executable, args };
}

/** The command that gives the program a display: none, or xvfb-run. */
function displayPrefix(): string[] {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) return [];
  const xvfb = onPath('xvfb-run');
  if (!xvfb) throw new HostError('no display and no xvfb-run');
  return [xvfb, '-a'];
}

/** Throws if the update server does not answer. Only asked if the download is not there yet. */
async function updateServerAnswers(): Promise<void> {
  const downloads = existsSync(cache) ? readdirSync(cache).filter((name) => name.endsWith(`-${codeVersion}`)) : [];
  if (downloads.some((name) => name.startsWith('vscode-') && existsSync(join(cache, name, 'is-complete')))) return;
  const answer = fetchStableVersions(true, patience * 1000).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new HostError(`VS Code's update server did not answer (${why})`);
  });
  await within(patience, "VS Code's update server did not answer", answer);
}

/** Throws if a library that Electron links to is missing, as on a minimal Linux: Electron would end before running a test. */
async function librariesPresent(code: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const { output } = await run('ldd', [code], { limit: 20 });
  const missing = [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  if (missing.length) throw new HostError(`libraries are missing: ${missing.join(', ')}`);
}
