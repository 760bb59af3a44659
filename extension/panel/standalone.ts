import * as vscode from 'vscode';
import { boxModel, modelFile, trainingOf } from '../../engine/index';
import type { PageMessage } from '../../webview/protocol';
import { saveContent } from '../host';
import { createNonce, standaloneHtml } from '../pages';
import { language } from '../language';
import { modelUri } from './vocabularies';

/** Saves the page in its current state as one HTML file that works offline in any browser. */
export async function savePage(
  extensionUri: vscode.Uri,
  { state, theme }: Extract<PageMessage, { type: 'savePage' }>,
): Promise<void> {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const read = (path: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, path));
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const [script, style] = [decode(await read('webview.js')), decode(await read('webview.css'))];
  const files = await modelFiles(extensionUri, state);
  const content = await standaloneHtml(
    { script, style, state, theme, read, files, language: language() },
    createNonce(),
  );
  await saveContent({ type: 'save', name: 'attention.html', content });
}

/** The files of the model that a saved state names, and of the other checkpoints of its training: the page has no host to ask for them. */
async function modelFiles(extensionUri: vscode.Uri, state: unknown): Promise<Readonly<Record<string, Uint8Array>>> {
  const saved = state as { readonly explanation?: { readonly spec?: { readonly model?: { readonly name: string } } } };
  const box = boxModel(saved.explanation?.spec?.model?.name ?? '');
  if (!box) return {};
  const names = [...new Set([box, ...trainingOf(box.name)].map(modelFile)), box.tokenizer];
  const read = names.map(async (name) => [name, await vscode.workspace.fs.readFile(modelUri(extensionUri, name))]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, Uint8Array>;
}
