import * as vscode from 'vscode';
import { hasOpenDocument } from '../activation';

/** The example in English, and in the languages that have one of their own. */
const files = { en: 'start-here.md', de: 'start-here.de.md' } as const;

/** Explains a range of a document. */
export type Explain = (target: { readonly uri: string; readonly start: number; readonly end: number }) => Promise<void>;

/**
 * Opens an unsaved copy of the example, and the finished explanation of its sentence beside it. Where nobody asked for it, it comes a second or two after the
 * window: it takes no focus from what is typed meanwhile, and stays away where a document has been opened.
 */
export async function openExample(extensionUri: vscode.Uri, explain: Explain, isUnasked: boolean): Promise<void> {
  const file = vscode.env.language.startsWith('de') ? files.de : files.en;
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'extension/examples', file));
  const content = new TextDecoder().decode(bytes);
  if (isUnasked && hasOpenDocument(vscode.window)) return;
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  const sentence = sentenceOf(document);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(sentence.end, sentence.end),
    preview: false,
    preserveFocus: isUnasked,
  });
  const [start, end] = [document.offsetAt(sentence.start), document.offsetAt(sentence.end)];
  await explain({ uri: document.uri.toString(), start, end });
}

/** The first quoted line, which is the sentence that the example explains. */
function sentenceOf(document: vscode.TextDocument): vscode.Range {
  const lines = Array.from({ length: document.lineCount }, (_, i) => document.lineAt(i));
  const quoted = lines.find(({ text }) => text.startsWith('> '));
  if (!quoted) throw new Error('the example has no quoted line');
  return new vscode.Range(quoted.range.start.translate(0, 2), quoted.range.end);
}
