import * as vscode from 'vscode';
import { deepestFolder, isResultsFile, keyFileName, mostBytes, refused, teacherFolder, textOfBytes, type ClassFile, type Problem, type Refused, type Result } from '../../engine/index'; // prettier-ignore
import { exists } from '../documents';

/** Runs work with a progress notification that can be cancelled. `reportProgress` takes the done share, from 0 to 1, and a message. Undefined if cancelled. */
export const withProgress = <T>(
  title: string,
  work: (reportProgress: (part: number, message: string) => void, isCancelled: () => boolean) => Promise<T>,
): Thenable<T> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title },
    (progress, token) => {
      let before = 0;
      const reportProgress = (part: number, message: string): void => {
        progress.report({ increment: 100 * (part - before), message });
        before = part;
      };
      return work(reportProgress, () => token.isCancellationRequested);
    },
  );

export const uriIn = (folder: vscode.Uri, { path }: Pick<ClassFile, 'path'>): vscode.Uri =>
  vscode.Uri.joinPath(folder, ...path.split('/'));

/** Those of the files that exist already. */
export async function existing(folder: vscode.Uri, files: readonly ClassFile[]): Promise<ClassFile[]> {
  const found = await Promise.all(files.map((file) => exists(uriIn(folder, file))));
  return files.filter((_, i) => found[i]);
}

/** The problem of a file that cannot be written, with the file system's message. */
export function notWritten(error: unknown): Problem {
  return { code: 'write', message: vscode.l10n.t('the files cannot be written here: {0}', causeOf(error)) };
}

const causeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The path of the first symbolic link among these files and the folders that contain them, within `folder`. Nothing is written through a link. */
async function linkAmong(folder: vscode.Uri, files: readonly ClassFile[]): Promise<string | undefined> {
  const places = files.flatMap(({ path }) => path.split('/').map((_, i, all) => all.slice(0, i + 1).join('/')));
  const found = await Promise.all([...new Set(places)].map(async (path) => ((await isLink(uriIn(folder, { path }))) ? path : undefined)));
  return found.find((path) => path !== undefined);
} // prettier-ignore

async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.SymbolicLink) !== 0;
  } catch {
    return false;
  }
}

/**
 * Writes files in order and creates their folders. Returns how many were written before it was cancelled. Throws before writing any if one of their
 * paths has a symbolic link.
 */
export async function writeAll(
  folder: vscode.Uri,
  files: readonly ClassFile[],
  reportProgress: (part: number, message: string) => void,
  isCancelled: () => boolean,
): Promise<number> {
  const link = await linkAmong(folder, files);
  if (link !== undefined) throw new Error(vscode.l10n.t('{0}: a symbolic link; nothing is written through it', link));
  let written = 0;
  for (const file of files) {
    if (isCancelled()) break;
    await vscode.workspace.fs.writeFile(uriIn(folder, file), new TextEncoder().encode(file.text));
    written++;
    reportProgress(written / files.length, file.path);
  }
  return written;
}

/** Most files that are read from a folder. A class has some hundred. */
const mostFiles = 5000;

/** The files of a folder and its subfolders, as paths with `/`, and the entries that were skipped although they may matter, each with the reason. */
export interface FolderContents {
  readonly files: readonly string[];
  readonly refused: readonly Refused[];
}

/** Lists the files of a folder and its subfolders, sorted by name. Entries that cannot be read are skipped. */
export async function filesIn(folder: vscode.Uri, isCancelled: () => boolean): Promise<FolderContents> {
  const found: { files: string[]; refused: Refused[] } = { files: [], refused: [] };
  const enter = async (prefix: string, depth: number): Promise<void> => {
    for (const [name, type] of await entriesOf(folder, prefix, found.refused)) {
      if (isCancelled() || found.files.length > mostFiles) return;
      if (name.startsWith('.') || name === 'node_modules') continue;
      const problem = reasonToSkip(name, type, depth);
      if (problem) found.refused.push({ name: `${prefix}${name}`, problem });
      if (type & vscode.FileType.File) found.files.push(`${prefix}${name}`);
      else if (type === vscode.FileType.Directory && depth < deepestFolder) await enter(`${prefix}${name}/`, depth + 1);
    }
  };
  await enter('', 0);
  const more = found.files.splice(mostFiles).slice(0, 1);
  found.refused.push(...more.map((name) => ({ name, problem: tooMany() })));
  return found;
}

const tooMany = (): Problem => ({
  code: 'refused',
  message: vscode.l10n.t('not read, nor is what follows: there are more than {0} files', mostFiles),
});

/** The sorted entries of a folder. If a subfolder cannot be read, adds it to `noted` and returns none. Throws if the folder itself cannot be read. */
async function entriesOf(folder: vscode.Uri, prefix: string, noted: Refused[]): Promise<[string, vscode.FileType][]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(uriIn(folder, { path: prefix }));
    return entries.sort(([a], [b]) => (a < b ? -1 : 1));
  } catch (error) {
    if (prefix === '') throw error;
    noted.push({ name: prefix.slice(0, -1), problem: refused.unreadable(causeOf(error)) });
    return [];
  }
}

/** Why an entry is skipped, if that is to be reported. Links to folders are skipped because they may form a cycle. */
function reasonToSkip(name: string, type: vscode.FileType, depth: number): Problem | undefined {
  const [isFile, isFolder] = [type & vscode.FileType.File, type & vscode.FileType.Directory];
  if (type & vscode.FileType.SymbolicLink && !isFile && (isFolder || isResultsFile(name))) return refused.link();
  if (isFolder && depth >= deepestFolder) return refused.depth();
  if (!isResultsFile(name) || isFile) return undefined;
  return isFolder ? refused.folder() : refused.other();
}

/** The text of a file of at most `mostBytes(path)` bytes. Bounded, because anybody may have put the file there. */
export async function readBounded(folder: vscode.Uri, path: string): Promise<Result<string>> {
  const uri = uriIn(folder, { path });
  const refusal = (problem: Problem): Result<string> => ({ ok: false, problems: [problem] });
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (type & vscode.FileType.Directory) return refusal(refused.folder());
    if (!(type & vscode.FileType.File)) return refusal(refused.other());
    if (size > mostBytes(path)) return refusal(refused.size(size, mostBytes(path)));
    return { ok: true, value: textOfBytes(await vscode.workspace.fs.readFile(uri)) };
  } catch (error) {
    return refusal(refused.unreadable(causeOf(error)));
  }
}

/** The folders of classes in the workspace: those whose teacher folder contains a key. */
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
 * Asks for a folder: one of those offered, a workspace folder (or the suggested one in it), or another. A folder that the command got from the
 * Explorer is taken without asking. Undefined if the reader cancelled.
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
