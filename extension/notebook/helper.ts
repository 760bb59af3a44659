import * as vscode from 'vscode';
import { fileName } from '../documents';

/** Puts explain_attention.py beside the notebook, the Python file, or into the folder. */
export const addHelperCommand = 'explainAttention.addPythonHelper';

const helperName = 'explain_attention.py';
const cellText = 'from explain_attention import explain, capture';

/** Asks before it writes anything, and never replaces a file that differs without showing that it does. */
export async function addHelper(extensionUri: vscode.Uri): Promise<void> {
  const folder = await targetFolder();
  if (!folder) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a folder, or save the notebook: {0} is put beside it.', helperName)); // prettier-ignore
    return;
  }
  const ours = vscode.Uri.joinPath(extensionUri, 'extension', 'python', helperName);
  const target = vscode.Uri.joinPath(folder, helperName);
  const [bytes, there] = [await vscode.workspace.fs.readFile(ours), await contentOf(target)];
  const notebook = vscode.window.activeNotebookEditor;
  if (there && sameBytes(there, bytes)) {
    const insert = vscode.l10n.t('Insert a Cell');
    const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('{0} is in {1} already.', helperName, nameOf(folder)), ...(notebook ? [insert] : [])); // prettier-ignore
    if (chosen === insert && notebook) await insertCell(notebook);
    return;
  }
  const act = there ? await askToReplace(folder, target, ours) : await askToAdd(folder, notebook !== undefined);
  if (act === undefined) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  if (act === 'cell' && notebook) await insertCell(notebook);
}

type Act = 'add' | 'cell' | undefined;

async function askToAdd(folder: vscode.Uri, hasNotebook: boolean): Promise<Act> {
  const [add, cell] = [vscode.l10n.t('Add'), vscode.l10n.t('Add, and Insert a Cell')];
  const detail = vscode.l10n.t('One Python file that needs no other: explain(Q, K, V) shows attention under the cell, capture(model) records a PyTorch model as it runs.'); // prettier-ignore
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('Put {0} into {1}?', helperName, nameOf(folder)), { modal: true, detail }, ...(hasNotebook ? [cell] : []), add); // prettier-ignore
  return chosen === cell ? 'cell' : chosen === add ? 'add' : undefined;
}

async function askToReplace(folder: vscode.Uri, target: vscode.Uri, ours: vscode.Uri): Promise<Act> {
  const [replace, compare] = [vscode.l10n.t('Replace'), vscode.l10n.t('Show the Difference')];
  const detail = vscode.l10n.t('It may be of another version, or have been changed.');
  const question = vscode.l10n.t('{0} in {1} differs from this extension’s. Replace it?', helperName, nameOf(folder));
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, compare, replace);
  if (chosen === compare) await vscode.commands.executeCommand('vscode.diff', target, ours, vscode.l10n.t('{0}: yours and the extension’s', helperName)); // prettier-ignore
  return chosen === replace ? 'add' : undefined;
}

/** Beside the notebook or Python file that is being edited, else the folder that is open; undefined if there is none. */
async function targetFolder(): Promise<vscode.Uri | undefined> {
  const editor = vscode.window.activeTextEditor;
  const document = vscode.window.activeNotebookEditor?.notebook.uri ?? (editor?.document.languageId === 'python' ? editor.document.uri : undefined); // prettier-ignore
  if (document && vscode.workspace.fs.isWritableFileSystem(document.scheme)) return vscode.Uri.joinPath(document, '..');
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1 ? (await vscode.window.showWorkspaceFolderPick())?.uri : folders[0]?.uri;
}

async function contentOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    // Anything else, such as a folder of that name or no permission, is not taken for an absent file.
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

const nameOf = (folder: vscode.Uri): string => vscode.workspace.asRelativePath(folder, false) || fileName(folder);

async function insertCell(editor: vscode.NotebookEditor): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, cellText, 'python');
  edit.set(editor.notebook.uri, [vscode.NotebookEdit.insertCells(editor.selection.start, [cell])]);
  await vscode.workspace.applyEdit(edit);
}
