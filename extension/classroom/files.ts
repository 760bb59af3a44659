import * as vscode from 'vscode';
import { keyFileName, teacherFolder, type ClassFile, type Problem } from '../../engine/index';

/** Work with a bar and a way out; undefined once it is cancelled. */
export const withProgress = <T>(
  title: string,
  work: (tell: (part: number, message: string) => void, isCancelled: () => boolean) => Promise<T>,
): Thenable<T> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title },
    (progress, token) => {
      let before = 0;
      const tell = (part: number, message: string): void => {
        progress.report({ increment: 100 * (part - before), message });
        before = part;
      };
      return work(tell, () => token.isCancellationRequested);
    },
  );

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

export const uriIn = (folder: vscode.Uri, { path }: Pick<ClassFile, 'path'>): vscode.Uri =>
  vscode.Uri.joinPath(folder, ...path.split('/'));

/** Those of the files that are there already. */
export async function present(folder: vscode.Uri, files: readonly ClassFile[]): Promise<ClassFile[]> {
  const found = await Promise.all(files.map((file) => exists(uriIn(folder, file))));
  return files.filter((_, i) => found[i]);
}

/** What a file system says that takes no file. */
export function notWritten(error: unknown): Problem {
  const cause = error instanceof Error ? error.message : String(error);
  return { code: 'write', message: vscode.l10n.t('the files cannot be written here: {0}', cause) };
}

/** Writes files in their order, folders included; returns how many were written before it was cancelled. */
export async function writeAll(
  folder: vscode.Uri,
  files: readonly ClassFile[],
  tell: (part: number, message: string) => void,
  isCancelled: () => boolean,
): Promise<number> {
  let written = 0;
  for (const file of files) {
    if (isCancelled()) break;
    await vscode.workspace.fs.writeFile(uriIn(folder, file), new TextEncoder().encode(file.text));
    written++;
    tell(written / files.length, file.path);
  }
  return written;
}

/** Deepest folder that is looked into, and most files that are read: a class has some hundred. */
const deepest = 4;
const mostFiles = 5000;

/** All files of a folder and the folders in it, as paths with `/`, in the order of their names. */
export async function filesIn(folder: vscode.Uri, isCancelled: () => boolean): Promise<string[]> {
  const found: string[] = [];
  const walk = async (prefix: string, depth: number): Promise<void> => {
    const entries = await vscode.workspace.fs.readDirectory(uriIn(folder, { path: prefix }));
    for (const [name, type] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (isCancelled() || found.length === mostFiles) return;
      if (name.startsWith('.') || name === 'node_modules') continue;
      if (type & vscode.FileType.File) found.push(`${prefix}${name}`);
      else if (type & vscode.FileType.Directory && depth < deepest) await walk(`${prefix}${name}/`, depth + 1);
    }
  };
  await walk('', 0);
  return found;
}

/** A class that the workspace holds: the folder above that of its key. */
export async function classFolders(): Promise<vscode.Uri[]> {
  const keys = await vscode.workspace.findFiles(
    `**/${teacherFolder}/${keyFileName}`,
    '**/node_modules/**',
    mostOffered,
  );
  return keys.map((key) => vscode.Uri.joinPath(key, '../..')).sort((a, b) => (a.path < b.path ? -1 : 1));
}
const mostOffered = 50;

/**
 * A folder that the Explorer or a caller names, one of those offered, a workspace folder (or the suggested one in it), or another; undefined
 * when it was left.
 */
export async function askForFolder(
  title: string,
  given: unknown,
  { suggested, offered = [] }: { readonly suggested?: string; readonly offered?: readonly vscode.Uri[] },
): Promise<vscode.Uri | undefined> {
  if (given instanceof vscode.Uri) return given;
  const workspace = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    label: suggested === undefined ? name : `${name}/${suggested}`,
    uri: suggested === undefined ? uri : vscode.Uri.joinPath(uri, suggested),
  }));
  const own = offered.filter((uri) => !workspace.some((folder) => folder.uri.toString() === uri.toString()));
  const inside = [...own.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri })), ...workspace];
  const other = { label: vscode.l10n.t('Another folder…'), uri: undefined };
  const picked = inside.length ? await vscode.window.showQuickPick([...inside, other], { title }) : other;
  if (!picked) return undefined;
  if (picked.uri) return picked.uri;
  const [uri] = (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, title })) ?? [];
  return uri;
}
