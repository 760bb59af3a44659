// Folders in memory, as a virtual workspace has them: created by writing into them. No Node: the web suite uses it too.
import * as vscode from 'vscode';

const scheme = `class-${Date.now().toString(36)}`;
const files = new Map<string, Uint8Array>();
const locked = new Set<string>();
/** What is no plain file, by its path: what `stat` says of it. To read or write one fails the test that does it. */
const odd = new Map<string, Pick<vscode.FileStat, 'type' | 'size'>>();
const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
let count = 0;

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder.replace(/\/$/, '')}/`);
const isFolder = (path: string): boolean => [...files.keys()].some((file) => isIn(file, path)) || /^\/\d+$/.test(path);

function contentOf(uri: vscode.Uri): Uint8Array {
  if (odd.has(uri.path)) throw new Error(`${uri.path} was read`);
  const content = files.get(uri.path);
  if (!content) throw vscode.FileSystemError.FileNotFound(uri);
  return content;
}

function entries(uri: vscode.Uri): [string, vscode.FileType][] {
  const start = uri.path.replace(/\/$/, '').length + 1;
  const inside = [...files.keys()].filter((path) => isIn(path, uri.path)).map((path) => path.slice(start));
  const kinds = new Map(inside.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/') ? vscode.FileType.Directory : vscode.FileType.File])); // prettier-ignore
  for (const [path, { type }] of odd)
    if (isIn(path, uri.path) && kinds.has(path.slice(start))) kinds.set(path.slice(start), type);
  return [...kinds];
}

const provider: vscode.FileSystemProvider = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: (uri) =>
    isFolder(uri.path) && !odd.has(uri.path)
      ? { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }
      : { ctime: 0, mtime: 0, ...(odd.get(uri.path) ?? { type: vscode.FileType.File, size: contentOf(uri).length }) },
  readDirectory: entries,
  createDirectory: () => undefined,
  readFile: contentOf,
  writeFile(uri, content) {
    if ([...locked].some((folder) => isIn(uri.path, folder))) throw vscode.FileSystemError.NoPermissions(uri);
    if (odd.has(uri.path)) throw new Error(`${uri.path} was written`);
    files.set(uri.path, content);
  },
  delete: (uri) => void files.delete(uri.path),
  rename(from, to) {
    files.set(to.path, contentOf(from));
    files.delete(from.path);
  },
};

let registered: vscode.Disposable | undefined;

/** A new, empty folder. */
export function memoryFolder(): vscode.Uri {
  registered ??= vscode.workspace.registerFileSystemProvider(scheme, provider);
  return vscode.Uri.from({ scheme, path: `/${++count}` });
}

/** From now on nothing can be written into it, as in a repository that is only looked at. */
export const lock = (folder: vscode.Uri): void => void locked.add(folder.path);

export function writeText(folder: vscode.Uri, path: string, text: string): vscode.Uri {
  const uri = vscode.Uri.joinPath(folder, path);
  files.set(uri.path, new TextEncoder().encode(text));
  return uri;
}

/** A file of that size, a link or what else `type` says; nobody can read or write it. */
export function putOdd(folder: vscode.Uri, path: string, type: number, size = 0): void {
  const uri = writeText(folder, path, '');
  odd.set(uri.path, { type, size });
}

export const readText = (folder: vscode.Uri, path: string): string =>
  new TextDecoder().decode(contentOf(vscode.Uri.joinPath(folder, path)));

/** All files of a folder, sorted. */
export const paths = (folder: vscode.Uri): string[] =>
  [...files.keys()]
    .filter((path) => isIn(path, folder.path))
    .map((path) => path.slice(folder.path.length + 1))
    .sort();
