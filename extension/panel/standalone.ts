import * as vscode from 'vscode';
import type { PageMessage } from '../../webview/protocol';
import { saveContent } from '../host';
import { createNonce, standaloneHtml } from '../pages';
import { language } from '../language';

/** Saves the page in its current state as one HTML file that works offline in any browser. */
export async function savePage(
  extensionUri: vscode.Uri,
  { state, theme }: Extract<PageMessage, { type: 'savePage' }>,
): Promise<void> {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const read = (path: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, path));
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const [script, style] = [decode(await read('webview.js')), decode(await read('webview.css'))];
  const content = await standaloneHtml({ script, style, state, theme, read, language: language() }, createNonce());
  await saveContent({ type: 'save', name: 'attention.html', content });
}
