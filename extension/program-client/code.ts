import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import { hasAttentionCode } from '../activation';
import { isCell } from '../documents';

/** A program and where a document stands in it: the code cells of a notebook are one program. */
export interface Code extends TextRange {
  readonly text: string;
}

/** Longer programs are not read, in UTF-16 units. */
const longest = 400_000;

/** The program that a document is, or is a part of; undefined where it is no Python, or nothing in it is attention's vocabulary. */
export function codeOf(document: vscode.TextDocument): Code | undefined {
  if (document.languageId !== 'python') return undefined;
  const parts = isCell(document.uri) ? cellsWith(document) : [document];
  let [text, start] = ['', 0];
  for (const part of parts) {
    if (part === document) start = text.length;
    text += part.getText() + (parts.length > 1 ? '\n' : '');
    if (text.length > longest) return undefined;
  }
  return hasAttentionCode(text) ? { text, start, end: start + document.getText().length } : undefined;
}

/** The code cells of its notebook, in order. */
function cellsWith(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  const cells = vscode.workspace.notebookDocuments
    .map((notebook) => notebook.getCells().map((cell) => cell.document))
    .find((all) => all.includes(document));
  return cells?.filter(({ languageId }) => languageId === 'python') ?? [document];
}

/** A range of the program as one of the document; undefined where it is not in it. */
export function inDocument({ start, end }: Code, range: TextRange): TextRange | undefined {
  return range.start >= start && range.end <= end ? { start: range.start - start, end: range.end - start } : undefined;
}
