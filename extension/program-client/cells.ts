import * as vscode from 'vscode';
import { inRunOrder, type RunOrder, type StoredOutput, type TextRange } from '../../engine/index';

/** A cell with its range in the program. */
export interface CodeCell extends TextRange {
  /** From 1, cells of prose included. */
  readonly number: number;
  readonly cell: vscode.NotebookCell;
}

/** The notebook of a cell's document. */
export const notebookOf = (document: vscode.TextDocument): vscode.NotebookDocument | undefined =>
  vscode.workspace.notebookDocuments.find((notebook) => notebook.getCells().some((cell) => cell.document === document));

/** The Python cells of a notebook, in the order in which they ran where that is known. */
export function pythonCells(notebook: vscode.NotebookDocument): RunOrder<vscode.NotebookCell> {
  const code = notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const { items, order } = inRunOrder(code, ({ executionSummary }) => executionSummary?.executionOrder);
  return { items: items.filter(({ document }) => document.languageId === 'python'), order };
}

/** In which version of its text a cell ran as which. */
const runs = new WeakMap<vscode.NotebookCell, { readonly order: number; readonly version: number }>();

/** Whether a cell, as it stands, ran to its end: what it is said to raise it did not raise. */
export function ranToItsEnd(cell: vscode.NotebookCell): boolean {
  const { executionSummary, outputs, document } = cell;
  const order = executionSummary?.executionOrder;
  if (order === undefined) return false;
  if (runs.get(cell)?.order !== order) runs.set(cell, { order, version: document.version });
  const failed = outputs.some(({ items }) => items.some(({ mime }) => mime === 'application/vnd.code.notebook.error'));
  return !failed && executionSummary?.success !== false && runs.get(cell)?.version === document.version;
}

const texts = ['application/vnd.code.notebook.stdout', 'text/plain'];

/** Longest text of a cell's outputs that is read, in bytes. */
const longest = 200_000;

/** What a notebook keeps of what its cells printed, as text. */
export const storedOutputs = (cells: readonly CodeCell[]): readonly (StoredOutput & { readonly number: number })[] =>
  cells.flatMap(({ start, end, number, cell }) => {
    const text = textOf(cell);
    return text === '' ? [] : [{ cell: { start, end }, number, text }];
  });

/** VS Code 1.100 loses the bytes of outputs of a notebook that an extension opens from data. */
const hasBytes = ({ data }: { readonly data: unknown }): boolean => ArrayBuffer.isView(data);

function textOf({ outputs }: vscode.NotebookCell): string {
  const items = outputs.flatMap(
    (output) => output.items.find((item) => texts.includes(item.mime) && hasBytes(item)) ?? [],
  );
  const size = items.reduce((sum, { data }) => sum + data.length, 0);
  const decoder = new TextDecoder();
  return size > longest ? '' : items.map(({ data }) => decoder.decode(data)).join('\n');
}
