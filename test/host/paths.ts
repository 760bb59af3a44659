import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atExit } from './cleanup';

/** The repository's root, independent of the working directory. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of all downloads, which git ignores. */
export const cache = join(root, '.vscode-test');

/** Creates an empty temporary folder, which is removed when this process ends. */
export function freshFolder(name: string): string {
  // On macOS /var is a link, and VS Code compares paths as strings.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `explain-attention-${name}-`)));
  atExit(() => removeFolder(folder));
  return folder;
}

/** Copies the examples into a folder, so that tests may edit them. Removed when this process ends. */
export function copyExamples(into = freshFolder('start')): string {
  const folder = join(into, 'examples');
  cpSync(join(root, 'extension/examples'), folder, { recursive: true });
  return folder;
}

/** Removes a folder if possible: a process that is ending may still hold a file. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // What remains is in the temporary folder and does no harm.
  }
}

/** The full path of a program on PATH, or undefined. */
export function onPath(program: string): string | undefined {
  const names = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'].map((end) => program + end) : [program];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}
