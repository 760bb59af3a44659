import * as vscode from 'vscode';
import { positionAt, type Problem, type TextRange } from '../../engine/index';
import type { LocatedProblem } from '../../webview/protocol';
import { isCell } from './documents';
import { rangeToDocument } from './parts';

export const fileName = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1) || uri.toString();

/** `attention.py`; a notebook's cell is `attention.ipynb, cell 3`, counted from 1. */
export function nameOf(document: vscode.TextDocument): string {
  const name = fileName(document.uri);
  if (!isCell(document.uri)) return name;
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((other) => other.document === document);
  return cell ? vscode.l10n.t('{0}, cell {1}', name, cell.index + 1) : name;
}

/** `attention.py:12` */
export const labelOf = (document: vscode.TextDocument, offset: number): string =>
  `${nameOf(document)}:${document.positionAt(offset).line + 1}`;

/**
 * Problems of the joined text in its document: the range in document offsets, the line and the column from 1. A problem without
 * a range stands where the input begins.
 */
export function locate(
  document: vscode.TextDocument,
  parts: readonly TextRange[],
  problems: readonly Problem[],
): LocatedProblem[] {
  return problems.map((problem) => {
    const range = rangeToDocument(parts, problem.range ?? { start: 0, end: 0 });
    const { line, character } = document.positionAt(range.start);
    return { ...problem, range, line: line + 1, column: character + 1 };
  });
}

/** Problems whose ranges are already in the document. */
export const locateInDocument = (document: vscode.TextDocument, problems: readonly Problem[]): LocatedProblem[] =>
  locate(document, [{ start: 0, end: Infinity }], problems);

/** The same for typed text. */
export const locateInText = (text: string, problems: readonly Problem[]): LocatedProblem[] =>
  problems.map((problem) => ({ ...problem, ...(problem.range && positionAt(text, problem.range.start)) }));

/** Selects a range in the editor that shows the document, or where one did, else in the first column: never over the panel. */
export async function showRange(document: vscode.TextDocument, { start, end }: TextRange): Promise<void> {
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const viewColumn = columnOf(document) ?? vscode.ViewColumn.One;
  // showTextDocument cannot open a cell inside its notebook.
  if (isCell(document.uri))
    await vscode.commands.executeCommand('vscode.open', document.uri, { selection, viewColumn });
  else await vscode.window.showTextDocument(document, { selection, viewColumn });
}

function columnOf(document: vscode.TextDocument): vscode.ViewColumn | undefined {
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.viewColumn;
  return (
    visible ?? vscode.window.tabGroups.all.find((group) => group.tabs.some((tab) => shows(tab, document)))?.viewColumn
  );
}

function shows({ input }: vscode.Tab, { uri }: vscode.TextDocument): boolean {
  const isText = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
  return isText && input.uri.path === uri.path;
}
