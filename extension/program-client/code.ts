import * as vscode from 'vscode';
import { pythonIn, type RunOrder, type TextRange } from '../../engine/index';
import { mayCompute } from '../activation';
import { isCell } from '../documents';
import { notebookOf, pythonCells, ranToItsEnd, type CodeCell } from './cells';

/** A program, and the document's range in it. All code cells of a notebook form one program, and so do all Python blocks of a Markdown document. */
export interface Code extends TextRange {
  readonly text: string;
  /** What of the document is code, where not all of it is. */
  readonly blocks?: readonly TextRange[];
  /** Of a notebook, in the order of the program; `order` says which that is. */
  readonly cells?: readonly CodeCell[];
  readonly order?: RunOrder<unknown>['order'];
}

/** Longest program that is read, in UTF-16 units. */
const longestProgram = 400_000;

/** The program that a document is, contains or belongs to. Undefined if there is no Python, too much of it, or no word of attention in it. */
export function codeOf(document: vscode.TextDocument): Code | undefined {
  const { languageId } = document;
  if (languageId === 'python') return ofPython(document);
  const text = document.getText();
  if (text.length > longestProgram || !mayCompute(languageId, text)) return undefined;
  const fenced = pythonIn(text);
  if (languageId === 'plaintext' && !fenced) return { text, start: 0, end: text.length };
  // Its words may be those of the prose.
  if (!fenced || !mayCompute('python', fenced.text)) return undefined;
  return { ...fenced, start: 0, end: text.length };
}

function ofPython(document: vscode.TextDocument): Code | undefined {
  const notebook = isCell(document.uri) ? notebookOf(document) : undefined;
  if (notebook) return ofNotebook(document, notebook);
  const text = document.getText();
  return text.length <= longestProgram && mayCompute('python', text) ? { text, start: 0, end: text.length } : undefined;
}

function ofNotebook(document: vscode.TextDocument, notebook: vscode.NotebookDocument): Code | undefined {
  const { items, order } = pythonCells(notebook);
  const cells: CodeCell[] = [];
  let text = '';
  for (const cell of items) {
    const own = cell.document.getText();
    cells.push({ cell, number: cell.index + 1, start: text.length, end: text.length + own.length });
    text += `${own}\n`;
    if (text.length > longestProgram) return undefined;
  }
  const own = cells.find(({ cell }) => cell.document === document);
  return own && mayCompute('python', text) ? { text, start: own.start, end: own.end, cells, order } : undefined;
}

/** Whether a range of the document touches its code, and not only the prose around it. */
export const isInCode = ({ blocks }: Code, { start, end }: TextRange): boolean =>
  !blocks || blocks.some((block) => start <= block.end && block.start <= end);

/** Whether a place of a notebook's program is in a cell that ran to its end: what it is said to raise it did not raise. */
export const ranAt = ({ cells = [] }: Code, { start }: TextRange): boolean =>
  cells.some((one) => one.start <= start && start < one.end && ranToItsEnd(one.cell));

/** A range of the program in the document, or in the cell that has it. */
export function placeIn(document: vscode.TextDocument, code: Code, range: TextRange): { readonly document: vscode.TextDocument; readonly range: TextRange } | undefined {
  const own = inDocument(code, range);
  const cell = code.cells?.find(({ start, end }) => start <= range.start && range.end <= end);
  return own ? { document, range: own } : cell && { document: cell.cell.document, range: { start: range.start - cell.start, end: range.end - cell.start } };
} // prettier-ignore

/** A range of the program as a range of the document. Undefined if it is outside the document. */
export function inDocument({ start, end }: Code, range: TextRange): TextRange | undefined {
  return range.start >= start && range.end <= end ? { start: range.start - start, end: range.end - start } : undefined;
}
