// Folders in memory, as a virtual workspace has them: created by writing into them. No Node: the web suite uses it too.
import * as vscode from 'vscode';

const scheme = `class-${Date.now().toString(36)}`;
const files = new Map<string, Uint8Array>();
const locked = new Set<string>();
const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
let count = 0;

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder.replace(/\/$/, '')}/`);
const isFolder = (path: string): boolean => [...files.keys()].some((file) => isIn(file, path)) || /^\/\d+$/.test(path);

function contentOf(uri: vscode.Uri): Uint8Array {
  const content = files.get(uri.path);
  if (!content) throw vscode.FileSystemError.FileNotFound(uri);
  return content;
}

function entries(uri: vscode.Uri): [string, vscode.FileType][] {
  const start = uri.path.replace(/\/$/, '').length + 1;
  const inside = [...files.keys()].filter((path) => isIn(path, uri.path)).map((path) => path.slice(start));
  const kinds = new Map(inside.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/') ? vscode.FileType.Directory : vscode.FileType.File])); // prettier-ignore
  return [...kinds];
}

const provider: vscode.FileSystemProvider = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: (uri) =>
    isFolder(uri.path)
      ? { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }
      : { type: vscode.FileType.File, ctime: 0, mtime: 0, size: contentOf(uri).length },
  readDirectory: entries,
  createDirectory: () => undefined,
  readFile: contentOf,
  writeFile(uri, content) {
    if ([...locked].some((folder) => isIn(uri.path, folder))) throw vscode.FileSystemError.NoPermissions(uri);
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

export const readText = (folder: vscode.Uri, path: string): string =>
  new TextDecoder().decode(contentOf(vscode.Uri.joinPath(folder, path)));

/** All files of a folder, sorted. */
export const paths = (folder: vscode.Uri): string[] =>
  [...files.keys()]
    .filter((path) => isIn(path, folder.path))
    .map((path) => path.slice(folder.path.length + 1))
    .sort();
