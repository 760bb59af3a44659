import * as vscode from 'vscode';
import type { Above, TextRange } from '../../engine/index';

export const isCell = ({ scheme }: vscode.Uri): boolean => scheme.startsWith('vscode-notebook-cell');

/** Untitled documents and cells of notebooks exist only while they are open: opening one would create it. */
export const isOnDisk = (uri: vscode.Uri): boolean => uri.scheme !== 'untitled' && !isCell(uri);

export const isSameUri = (a: vscode.Uri, b: vscode.Uri | undefined): boolean => a.toString() === b?.toString();

const openDocument = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((document) => isSameUri(document.uri, uri) && !document.isClosed);

/** The open document, else the one on disk; undefined when there is neither. Opens no editor. */
export async function findDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = openDocument(uri);
  if (open || !isOnDisk(uri)) return open;
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

/** The text of a range, cut at the ends of the document; nothing else of it is copied. */
export const textOf = (document: vscode.TextDocument, { start, end }: TextRange): string =>
  document.getText(new vscode.Range(document.positionAt(start), document.positionAt(end)));

/** Watches one file, by its folder: a file name may hold characters that a glob gives a meaning. */
export function watchFile(uri: vscode.Uri, changed: () => void): vscode.Disposable | undefined {
  // A document without a file system (our own, git's) has nothing to watch.
  if (!isOnDisk(uri) || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined) return undefined;
  const folder = vscode.Uri.joinPath(uri, '..');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
  const ours = (other: vscode.Uri): void => {
    if (isSameUri(other, uri)) changed();
  };
  watcher.onDidCreate(ours);
  watcher.onDidChange(ours);
  watcher.onDidDelete(ours);
  return watcher;
}

/** What happens to documents, as far as it concerns one of them. */
export interface DocumentEvents {
  readonly isOurs: (uri: vscode.Uri) => boolean;
  readonly edited: (event: vscode.TextDocumentChangeEvent) => void;
  readonly opened: (document: vscode.TextDocument) => void;
  readonly removed: () => void;
  readonly renamed: (to: vscode.Uri) => void;
}

export function onDocument({ isOurs, edited, opened, removed, renamed }: DocumentEvents): vscode.Disposable {
  const isIn = (cells: readonly vscode.NotebookCell[]): boolean => cells.some((cell) => isOurs(cell.document.uri));
  const { workspace } = vscode;
  return vscode.Disposable.from(
    workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length && isOurs(event.document.uri)) edited(event);
    }),
    workspace.onDidOpenTextDocument((document) => {
      if (isOurs(document.uri)) opened(document);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === 'untitled' && isOurs(uri)) removed();
    }),
    workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      // A cell that moves is removed and added.
      if (isIn(contentChanges.flatMap((change) => change.removedCells)) && !isIn(notebook.getCells())) removed();
    }),
    workspace.onDidRenameFiles(({ files }) => {
      const ours = files.find(({ oldUri }) => isOurs(oldUri));
      if (ours) renamed(ours.newUri);
    }),
  );
}

/** What stands above the first line of a document, in earlier cells of its notebook. Lines are counted in its own cell. */
export function cellsAbove(document: vscode.TextDocument, room: number): Above & { readonly line: number } {
  let [before, lines] = ['', 0];
  const cells: { start: number; number: number }[] = [];
  for (const cell of earlierCells(document, room)) {
    cells.push({ start: before.length, number: cell.index + 1 });
    before += `${cell.document.getText()}\n`;
    lines += cell.document.lineCount;
  }
  return { before, line: 1 - lines, cells };
}

/** Code cells of the same notebook before this one, in order; the nearest, as far as they fit into so many characters. */
function earlierCells(document: vscode.TextDocument, room: number): vscode.NotebookCell[] {
  if (!isCell(document.uri)) return [];
  const cells = vscode.workspace.notebookDocuments
    .map((notebook) => notebook.getCells())
    .find((all) => all.some((cell) => cell.document === document));
  const own = cells?.findIndex((cell) => cell.document === document) ?? 0;
  const code = (cells ?? []).slice(0, own).filter((cell) => cell.kind === vscode.NotebookCellKind.Code);
  let left = room;
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
