import * as vscode from 'vscode';
import type { PageMessage } from '../../webview/protocol';

type MessageOf<T extends PageMessage['type']> = Extract<PageMessage, { type: T }>;

/** How long the status bar says what was copied, in milliseconds. */
const shownForMs = 4000;

/** Puts text of the panel on the clipboard. */
export async function copyText({ text, what }: MessageOf<'copy'>): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}.', what), shownForMs);
}

/** Opens a new, unsaved document with content that the panel generated: a program or a spec. */
export async function openContent({ language, content }: MessageOf<'open'>): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false });
}

/** Asks for a file name and writes the content there. Writes nothing if the reader closes the dialog. */
export async function saveContent({ name, content }: MessageOf<'save'>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog(
    folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : { title: name },
  );
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  const open = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Saved {0}.', vscode.workspace.asRelativePath(uri)),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
}
