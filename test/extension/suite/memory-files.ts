// Files in memory: each test gets a document with a name of its own, which closes without a question.
import * as vscode from 'vscode';

const scheme = `suite-${Date.now().toString(36)}`;
const files = new Map<string, Uint8Array>();
const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
let count = 0;

function contentOf(uri: vscode.Uri): Uint8Array {
  const content = files.get(uri.path);
  if (!content) throw vscode.FileSystemError.FileNotFound(uri);
  return content;
}

const provider: vscode.FileSystemProvider = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: contentOf(uri).length }),
  readDirectory: () => [],
  createDirectory: () => undefined,
  readFile: contentOf,
  writeFile: (uri, content) => void files.set(uri.path, content),
  delete: (uri) => void files.delete(uri.path),
  rename(from, to) {
    files.set(to.path, contentOf(from));
    files.delete(from.path);
  },
};

let registered: vscode.Disposable | undefined;

/** A new file with this content. */
export const createFile = (content: string, extension: string): vscode.Uri =>
  createFileAt(`/document-${++count}.${extension}`, content);

/** A file at a place of its own. */
export function createFileAt(path: string, content: string): vscode.Uri {
  registered ??= vscode.workspace.registerFileSystemProvider(scheme, provider);
  const uri = vscode.Uri.from({ scheme, path });
  files.set(uri.path, new TextEncoder().encode(content));
  return uri;
}
