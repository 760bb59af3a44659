import * as vscode from 'vscode';
import type { Above, TextRange } from '../../engine/index';

export const isCell = ({ scheme }: vscode.Uri): boolean => scheme.startsWith('vscode-notebook-cell');

/** Whether a document can be read from disk. Untitled documents and notebook cells exist only while they are open: opening one would create it. */
export const isOnDisk = (uri: vscode.Uri): boolean => uri.scheme !== 'untitled' && !isCell(uri);

export const isSameUri = (a: vscode.Uri, b: vscode.Uri | undefined): boolean => a.toString() === b?.toString();

const openDocument = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((document) => isSameUri(document.uri, uri) && !document.isClosed);

/** The document if it is open, else read from disk. Undefined if there is neither. Opens no editor. */
export async function findDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = openDocument(uri);
  if (open || !isOnDisk(uri)) return open;
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

export const rangeIn = (document: vscode.TextDocument, { start, end }: TextRange): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** The text of a range, clamped to the document. Copies no other text of it. */
export const textOf = (document: vscode.TextDocument, range: TextRange): string =>
  document.getText(rangeIn(document, range));

/** Watches one file. Watches its folder and compares URIs, because a file name may contain characters that have a meaning in a glob. */
export function watchFile(uri: vscode.Uri, changed: () => void): vscode.Disposable | undefined {
  // Documents of other schemes (our own, git's) have no file to watch.
  if (!isOnDisk(uri) || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined) return undefined;
  const folder = vscode.Uri.joinPath(uri, '..');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
  const notifyIfOurs = (other: vscode.Uri): void => {
    if (isSameUri(other, uri)) changed();
  };
  watcher.onDidCreate(notifyIfOurs);
  watcher.onDidChange(notifyIfOurs);
  watcher.onDidDelete(notifyIfOurs);
  return watcher;
}

/** Callbacks for what happens to the one document that `isOurs` accepts. */
export interface DocumentEvents {
  readonly isTracked: (uri: vscode.Uri) => boolean;
  readonly edited: (event: vscode.TextDocumentChangeEvent) => void;
  readonly opened: (document: vscode.TextDocument) => void;
  readonly removed: () => void;
  readonly renamed: (to: vscode.Uri) => void;
}

export function onDocument({ isTracked, edited, opened, removed, renamed }: DocumentEvents): vscode.Disposable {
  const isIn = (cells: readonly vscode.NotebookCell[]): boolean => cells.some((cell) => isTracked(cell.document.uri));
  const { workspace } = vscode;
  return vscode.Disposable.from(
    workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length && isTracked(event.document.uri)) edited(event);
    }),
    workspace.onDidOpenTextDocument((document) => {
      if (isTracked(document.uri)) opened(document);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === 'untitled' && isTracked(uri)) removed();
    }),
    workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      // A cell that is moved is reported as removed and added.
      if (isIn(contentChanges.flatMap((change) => change.removedCells)) && !isIn(notebook.getCells())) removed();
    }),
    workspace.onDidRenameFiles(({ files }) => {
      const ours = files.find(({ oldUri }) => isTracked(oldUri));
      if (ours) renamed(ours.newUri);
    }),
  );
}

/**
 * The text of earlier code cells of a cell's notebook, with the line (from 1 at the cell's own first line, so 0 or less) on which it begins and where
 * each of the cells begins in it. Empty for other documents.
 */
export function cellsAbove(document: vscode.TextDocument, maxLength: number): Above & { readonly line: number } {
  let [before, lines] = ['', 0];
  const cells: { start: number; number: number }[] = [];
  for (const cell of earlierCells(document, maxLength)) {
    cells.push({ start: before.length, number: cell.index + 1 });
    before += `${cell.document.getText()}\n`;
    lines += cell.document.lineCount;
  }
  return { before, line: 1 - lines, cells };
}

/** The nearest code cells before a cell of the same notebook, in document order, whose texts together have at most `maxLength` characters. */
function earlierCells(document: vscode.TextDocument, maxLength: number): vscode.NotebookCell[] {
  if (!isCell(document.uri)) return [];
  const cells = vscode.workspace.notebookDocuments
    .map((notebook) => notebook.getCells())
    .find((all) => all.some((cell) => cell.document === document));
  const own = cells?.findIndex((cell) => cell.document === document) ?? 0;
  const code = (cells ?? []).slice(0, own).filter((cell) => cell.kind === vscode.NotebookCellKind.Code);
  let left = maxLength;
  const nearest: vscode.NotebookCell[] = [];
  for (const cell of code.reverse()) {
    left -= lengthOf(cell.document);
    if (left < 0) break;
    nearest.unshift(cell);
  }
  return nearest;
}

const lengthOf = (document: vscode.TextDocument): number =>
  document.offsetAt(document.lineAt(document.lineCount - 1).range.end) + 1;

/** Whether there is a file or folder at an address. */
export const exists = (uri: vscode.Uri): Thenable<boolean> =>
  vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );

/** Whether a file of this name lies in the folder of another. */
export const liesBeside = (uri: vscode.Uri, name: string): Thenable<boolean> =>
  exists(vscode.Uri.joinPath(uri, '..', name));
