// Reads and writes files in folders that others may have filled: bounded sizes, no symbolic links followed.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { deepestFolder, fail, isResultsFile, ok, refused, textOfBytes, type Problem, type Refused, type Result } from '../index'; // prettier-ignore
import { errorText } from './lesson';

// Windows has neither flag: it has no FIFOs to block on, and making links requires an administrator.
const { O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0;
const noWait = (constants.O_NONBLOCK as number | undefined) ?? 0;

/**
 * The text of a regular file of at most `most` bytes. Does not follow links, does not block (on a FIFO or device), and reads no more than the
 * file's size when opened. A Problem if it is refused or cannot be read.
 */
export function readBounded(path: string, most: number): Result<string> {
  try {
    if (lstatSync(path).isSymbolicLink()) return fail(refused.link());
    const file = openSync(path, O_RDONLY | noFollow | noWait);
    try {
      const stat = fstatSync(file);
      const problem = refusalOf(stat, most);
      return problem ? fail(problem) : ok(textOfBytes(readStart(file, stat.size)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return fail(refused.unreadable(errorText(error)));
  }
}

function refusalOf(stat: Stats, most: number): Problem | undefined {
  if (stat.isDirectory()) return refused.folder();
  if (!stat.isFile()) return refused.other();
  return stat.size > most ? refused.size(stat.size, most) : undefined;
}

function readStart(file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let read = 0;
  for (let more = 1; more > 0 && read < size; read += more) more = readSync(file, bytes, read, size - read, read);
  return bytes.subarray(0, read);
}

/** Regular files of a folder and its subfolders, as paths with `/`, and the relevant entries that were refused. */
export interface FolderContents {
  readonly files: readonly string[];
  readonly refused: readonly Refused[];
}

/** Lists a folder. Throws if the folder itself cannot be read; unreadable entries inside are only recorded. */
export function filesIn(folder: string): FolderContents {
  const found: { files: string[]; refused: Refused[] } = { files: [], refused: [] };
  const visit = (entries: readonly Dirent[], inside: string, depth: number): void => {
    for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const name = `${inside}${entry.name}`;
      const problem = refusalOfEntry(entry, join(folder, name), depth);
      if (problem) found.refused.push({ name, problem });
      if (entry.isFile()) found.files.push(name);
      else if (entry.isDirectory() && depth < deepestFolder) enter(name, depth + 1);
    }
  };
  const enter = (name: string, depth: number): void => {
    const entries = entriesOf(join(folder, name));
    if (entries.ok) visit(entries.value, `${name}/`, depth);
    else found.refused.push({ name, problem: refused.unreadable(entries.problems[0]?.message ?? '') });
  };
  visit(readdirSync(folder, { withFileTypes: true }), '', 0);
  return found;
}

function entriesOf(path: string): Result<Dirent[]> {
  try {
    return ok(readdirSync(path, { withFileTypes: true }));
  } catch (error) {
    return fail({ code: 'unreadable', message: errorText(error) });
  }
}

/** Why an entry is refused, if the user should know: a folder that is too deep or linked, or a results file by name that is no file. */
function refusalOfEntry(entry: Dirent, path: string, depth: number): Problem | undefined {
  if (entry.isDirectory() && depth >= deepestFolder) return refused.depth();
  if (entry.isSymbolicLink() && leadsToFolder(path)) return refused.link();
  if (!isResultsFile(entry.name) || entry.isFile()) return undefined;
  if (entry.isDirectory()) return refused.folder();
  return entry.isSymbolicLink() ? refused.link() : refused.other();
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // The link is dangling or circular.
    return false;
  }
}

/** The first of these paths in `folder` that is a link or lies behind one; undefined if none. Dangling links count. */
export function firstLink(folder: string, paths: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const path of paths) {
    for (let at = path; at !== '.' && !seen.has(at); at = dirname(at)) {
      seen.add(at);
      if (lstatSync(join(folder, at), { throwIfNoEntry: false })?.isSymbolicLink()) return join(folder, at);
    }
  }
  return undefined;
}

/** Writes a file and its folders, never through a link; replaces an existing file only with `over`. Throws the file system's errors. */
export function writeFile(path: string, text: string, over: boolean): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, O_WRONLY | O_CREAT | noFollow | (over ? O_TRUNC : O_EXCL), 0o666);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
