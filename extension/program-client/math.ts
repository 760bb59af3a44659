import * as vscode from 'vscode';
import { pythonIn } from '../../engine/index';
import { formulaLanguages, hasFormulas, mayCompute } from '../activation';
import { isCell } from '../documents';
import { notebookOf, type CodeCell } from './cells';
import type { Code } from './code';

/** A text with formulas, and the document's range in it. All cells of a notebook form one text, in which code stands between fences. */
export interface Formulary extends Code {
  readonly languageId: string;
}

/** Longest text that is read, in UTF-16 units. */
const longest = 400_000;

/** Longer documents are not even copied. */
const mostLines = 20_000;

/** The text with formulas that a document is or belongs to. Undefined if it has none, or too much. */
export function formularyOf(document: vscode.TextDocument): Formulary | undefined {
  const made = textOf(document);
  return made && hasFormulas(made.text) && !isProgram(made) ? made : undefined;
}

/** The same for a document that has formulas or Python in its prose: what can be explained as a whole. */
export function wholeOf(document: vscode.TextDocument): Formulary | undefined {
  const made = textOf(document);
  if (!made || isProgram(made)) return undefined;
  if (hasFormulas(made.text)) return made;
  const python = /^(?:la)?tex$/.test(made.languageId) ? undefined : pythonIn(made.text);
  return python && mayCompute('python', python.text) ? made : undefined;
}

/** The same, and the notebook that a cell of code belongs to. */
export function bookOf(document: vscode.TextDocument): Formulary | undefined {
  if (document.languageId !== 'python') return wholeOf(document);
  const notebook = isCell(document.uri) ? notebookOf(document) : undefined;
  const made = notebook && ofNotebook(document, notebook);
  return made && mayCompute('python', made.text) ? made : undefined;
}

/** A pasted program has no language yet. */
const isProgram = ({ languageId, text }: Formulary): boolean =>
  languageId === 'plaintext' && mayCompute(languageId, text) && !pythonIn(text);

function textOf(document: vscode.TextDocument): Formulary | undefined {
  const { languageId } = document;
  if (!(formulaLanguages as readonly string[]).includes(languageId)) return undefined;
  const notebook = languageId === 'markdown' && isCell(document.uri) ? notebookOf(document) : undefined;
  if (notebook) return ofNotebook(document, notebook);
  if (document.lineCount > mostLines) return undefined;
  const text = document.getText();
  return text.length <= longest ? { text, languageId, start: 0, end: text.length } : undefined;
}

function ofNotebook(document: vscode.TextDocument, notebook: vscode.NotebookDocument): Formulary | undefined {
  const cells: CodeCell[] = [];
  let text = '';
  for (const cell of notebook.getCells()) {
    const own = cell.document.getText();
    const isCode = cell.kind === vscode.NotebookCellKind.Code;
    if (isCode && cell.document.languageId !== 'python') continue;
    if (isCode) text += '```python\n';
    cells.push({ cell, number: cell.index + 1, start: text.length, end: text.length + own.length });
    text += isCode ? `${own}\n\`\`\`\n\n` : `${own}\n\n`;
    if (text.length > longest) return undefined;
  }
  const own = cells.find(({ cell }) => cell.document === document);
  return own && { text, languageId: 'markdown', start: own.start, end: own.end, cells };
}
