import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import { hasAttentionCode } from '../activation';
import { isCell } from '../documents';

/** A program, and the document's range in it. All code cells of a notebook form one program. */
export interface Code extends TextRange {
  readonly text: string;
}

/** Longest program that is read, in UTF-16 units. */
const longestProgram = 400_000;

/** The program that a document is or belongs to. Undefined if it is not Python, is too long, or has no word of attention in it. */
export function codeOf(document: vscode.TextDocument): Code | undefined {
  if (document.languageId !== 'python') return undefined;
  const parts = isCell(document.uri) ? cellsWith(document) : [document];
  let [text, start] = ['', 0];
  for (const part of parts) {
    if (part === document) start = text.length;
    text += part.getText() + (parts.length > 1 ? '\n' : '');
    if (text.length > longestProgram) return undefined;
  }
  return hasAttentionCode(text) ? { text, start, end: start + document.getText().length } : undefined;
}

/** The Python cells of a cell's notebook, in order. */
function cellsWith(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  const cells = vscode.workspace.notebookDocuments
    .map((notebook) => notebook.getCells().map((cell) => cell.document))
    .find((all) => all.includes(document));
  return cells?.filter(({ languageId }) => languageId === 'python') ?? [document];
}

/** A range of the program as a range of the document. Undefined if it is outside the document. */
export function inDocument({ start, end }: Code, range: TextRange): TextRange | undefined {
  return range.start >= start && range.end <= end ? { start: range.start - start, end: range.end - start } : undefined;
}
