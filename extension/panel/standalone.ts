import * as vscode from 'vscode';
import type { AlongStop, PageMessage } from '../../webview/protocol';
import { saveContent } from '../host';
import { createNonce, standaloneHtml } from '../pages';
import { language } from '../language';
import { filesOfModels } from '../model-files';

/** Saves the page in its current state as one HTML file that works offline in any browser. */
export async function savePage(
  extensionUri: vscode.Uri,
  { state, theme }: Extract<PageMessage, { type: 'savePage' }>,
  along: readonly AlongStop[] = [],
): Promise<void> {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const read = (path: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, path));
  const files = await filesOfModels(extensionUri, modelNamed(state));
  const content = await standaloneHtml(
    { state, theme, read, files, along, language: language(), title: labelOf(state) },
    createNonce(),
  );
  await saveContent({ type: 'save', name: 'attention.html', content });
}

/** The name of the model that a saved state's spec takes. */
function modelNamed(state: unknown): readonly string[] {
  const saved = state as { readonly explanation?: { readonly spec?: { readonly model?: { readonly name: string } } } };
  return [saved.explanation?.spec?.model?.name ?? ''];
}

/** What the page says that it explains. */
function labelOf(state: unknown): string {
  const saved = state as { readonly explanation?: { readonly source?: { readonly label?: string } } };
  return saved.explanation?.source?.label ?? '';
}
