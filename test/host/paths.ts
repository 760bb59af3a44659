import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atExit } from './cleanup';

/** The repository, whatever the working folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Everything that is downloaded lands here; git ignores it. */
export const cache = join(root, '.vscode-test');

/** A new empty folder outside the repository, removed when this process ends. */
export function freshFolder(name: string): string {
  // realpath: macOS has /var as a link, and VS Code compares paths as strings.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `explain-attention-${name}-`)));
  atExit(() => removeFolder(folder));
  return folder;
}

/** A copy of the examples in a folder of that name, so that they may be edited; removed when this process ends. */
export function copyExamples(into = freshFolder('start')): string {
  const folder = join(into, 'examples');
  cpSync(join(root, 'extension/examples'), folder, { recursive: true });
  return folder;
}

/** Best effort: a process that is just ending may still hold a file for a moment. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A leftover in the temporary folder harms nobody.
  }
}

/** The full path of a program on PATH, or undefined. */
export function onPath(program: string): string | undefined {
  const names = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'].map((end) => program + end) : [program];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}
