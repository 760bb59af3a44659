// `npm start`: builds the extension and opens a VS Code with it and a copy of the examples: desktop VS Code if `code` is installed, else the one from
// npm in the browser. `--browser` forces the latter; `--port=N` and `--no-open` apply to it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isStopping } from './cleanup';
import { copyExamples, onPath, removeFolder, root } from './paths';
import { HostError, must, progress, run, tail } from './processes';
import { startServer } from './server';

/** The `code` of desktop VS Code, if it can open a window. In a remote terminal `code` is another program, without the flag that is needed. */
function desktopCode(): string | undefined {
  const { DISPLAY, WAYLAND_DISPLAY, VSCODE_IPC_HOOK_CLI } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return undefined;
  return VSCODE_IPC_HOOK_CLI ? undefined : onPath('code');
}

/** A copy of the examples whose windows open with a finished explanation. */
function examplesFolder(into?: string): string {
  const folder = copyExamples(into);
  mkdirSync(join(folder, '.vscode'));
  const settings = { 'explainAttention.exampleOnStart': 'always' };
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
  return folder;
}

/** Whether desktop VS Code has opened the folder. */
async function openDesktop(code: string): Promise<boolean> {
  // VS Code outlives this program, so its folder has to as well.
  const folder = examplesFolder(mkdtempSync(join(tmpdir(), 'explain-attention-')));
  const args = [`--extensionDevelopmentPath=${root}`, '--new-window', folder];
  const result = await run(code, args, { limit: 60 });
  if (result.code === 0) {
    console.log(`VS Code is open with the extension and a copy of the examples (${folder}).`);
    return true;
  }
  console.log(`${code} did not start (exit code ${result.code}): ${tail(result.output, 5)}`);
  removeFolder(dirname(folder));
  return false;
}

async function openBrowser(port: number, open: boolean): Promise<void> {
  const folder = examplesFolder();
  const server = await startServer({ marketplace: true, port });
  const url = server.url({ folder, extensionDevelopmentPath: root });
  console.log(`\nVS Code with the extension and a copy of the examples:\n\n  ${url}\n\nCtrl+C ends it.`);
  if (open) showInBrowser(url);
  // Waits for Ctrl+C, or for the server to end by itself.
  await server.ended;
  if (!isStopping()) throw new HostError(`VS Code's server ended:\n${tail(server.log())}`);
}

/** Opens the URL in the default browser, if there is one. */
function showInBrowser(url: string): void {
  const { platform, env } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return;
  const program = { darwin: 'open', win32: 'explorer' }[platform as string] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

async function main(args: string[]): Promise<void> {
  const port = Number(args.find((arg) => arg.startsWith('--port='))?.slice('--port='.length) ?? 0);
  const build = run(process.execPath, ['esbuild.mjs'], { cwd: root, limit: 120 });
  must(await progress('Building the extension', build), 'the build');
  const code = args.includes('--browser') ? undefined : desktopCode();
  if (code && (await openDesktop(code))) return;
  console.log('Opening VS Code in the browser (no desktop VS Code is used)');
  await openBrowser(port, !args.includes('--no-open'));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof HostError ? error.message : error);
  process.exit(1);
});
