import * as vscode from 'vscode';
import { positionAt, type Problem, type TextRange } from '../../engine/index';
import type { LocatedProblem } from '../../webview/protocol';
import { isCell } from './documents';
import { rangeToDocument } from './parts';

export const fileName = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1) || uri.toString();

/** A document's name for messages: `attention.py`, or `attention.ipynb, cell 3` for a notebook's cell, counted from 1. */
export function nameOf(document: vscode.TextDocument): string {
  const name = fileName(document.uri);
  if (!isCell(document.uri)) return name;
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((other) => other.document === document);
  return cell ? vscode.l10n.t('{0}, cell {1}', name, cell.index + 1) : name;
}

/** Name and line of an offset, for example `attention.py:12`. */
export const labelOf = (document: vscode.TextDocument, offset: number): string =>
  `${nameOf(document)}:${document.positionAt(offset).line + 1}`;

/**
 * Maps problems of a joined text to its document: their range in document offsets, their line and column from 1. A problem without a range is placed
 * at the beginning of the input.
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

/** The same for problems whose ranges are document offsets already. */
export const locateInDocument = (document: vscode.TextDocument, problems: readonly Problem[]): LocatedProblem[] =>
  locate(document, [{ start: 0, end: Infinity }], problems);

/** The same for problems in typed text, which has no document. */
export const locateInText = (text: string, problems: readonly Problem[]): LocatedProblem[] =>
  problems.map((problem) => ({ ...problem, ...(problem.range && positionAt(text, problem.range.start)) }));

/** Selects a range in the editor that shows the document, or in the column where a tab has it open, else in the first column: never in the panel's place. */
export async function showRange(
  document: vscode.TextDocument,
  { start, end }: TextRange,
  preserveFocus = false,
): Promise<void> {
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const viewColumn = columnOf(document) ?? vscode.ViewColumn.One;
  // showTextDocument cannot open a cell within its notebook.
  if (isCell(document.uri))
    await vscode.commands.executeCommand('vscode.open', document.uri, { selection, viewColumn, preserveFocus });
  else await vscode.window.showTextDocument(document, { selection, viewColumn, preserveFocus });
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
