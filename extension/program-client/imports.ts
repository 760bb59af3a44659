import * as vscode from 'vscode';
import {
  candidatesOf,
  importLimits,
  importPaths,
  vocabularyOf,
  vocabularyText,
  type Folders,
  type NamedFile,
} from '../../engine/index';

/** Files of the workspace that programs import: read, never run. */
export interface Imports extends vscode.Disposable {
  /** The files that a program of this document is known to import. */
  known(document: vscode.Uri): readonly NamedFile[];
  /** Looks for modules; whether any was found that was not known. */
  look(document: vscode.Uri, modules: readonly string[]): Promise<boolean>;
  /** A file that was found has changed, or one that was missing may be there now. */
  readonly changed: vscode.Event<void>;
}

interface Found {
  readonly file: NamedFile;
  readonly uri: string;
}

/** By the name that a program imports; undefined where there is no such file. */
type Modules = Map<string, Found | undefined>;

/** `vocabularies` is the folder with those of the extension's own. */
export function createImports(vocabularies: vscode.Uri): Imports {
  const programs = new Map<string, Modules>();
  const changed = new vscode.EventEmitter<void>();
  /** Forgets what was found of a file, or that it was not there; programs are read again. */
  const forget = (uri: vscode.Uri, isNew = false): void => {
    const key = uri.toString();
    let isKnown = false;
    for (const modules of programs.values())
      for (const [module, found] of modules)
        if (found ? found.uri === key : isNew && mayBe(uri, module)) {
          modules.delete(module);
          isKnown = true;
        }
    if (isKnown) changed.fire();
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.py');
  const listening = vscode.Disposable.from(
    changed,
    watcher,
    watcher.onDidCreate((uri) => forget(uri, true)),
    watcher.onDidChange((uri) => forget(uri)),
    watcher.onDidDelete((uri) => forget(uri)),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.languageId === 'python') forget(document.uri);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => programs.delete(document.uri.toString())),
  );

  const modulesOf = (document: vscode.Uri): Modules => {
    const key = document.toString();
    const known = programs.get(key) ?? new Map<string, Found | undefined>();
    programs.set(key, known);
    return known;
  };

  return {
    changed: changed.event,
    known: (document) =>
      [...(programs.get(document.toString())?.values() ?? [])].flatMap((one) => (one ? [one.file] : [])),
    async look(document, modules) {
      const known = modulesOf(document);
      let isNew = false;
      for (const module of modules) {
        if (known.has(module) || known.size >= importLimits.files) continue;
        const found = (await vocabulary(vocabularies, module)) ?? (await find(document, module));
        known.set(module, found);
        isNew ||= found !== undefined;
      }
      return isNew;
    },
    dispose: () => listening.dispose(),
  };
}

/** Whether a file could be a module's: `model/layers.py` for `layers`. */
const mayBe = ({ path }: vscode.Uri, module: string): boolean =>
  importPaths(module)?.paths.some((one) => path.endsWith(`/${one.path}`)) ?? false;

/** What a program asks for that takes the ids of tokens from tiktoken. */
async function vocabulary(folder: vscode.Uri, module: string): Promise<Found | undefined> {
  const name = vocabularyOf(module);
  if (name === undefined) return undefined;
  const uri = vscode.Uri.joinPath(folder, name);
  try {
    const text = vocabularyText(await vscode.workspace.fs.readFile(uri));
    return { file: { module, text, isPackage: false }, uri: uri.toString() };
  } catch {
    return undefined;
  }
}

async function find(document: vscode.Uri, module: string): Promise<Found | undefined> {
  const program = fileOf(document);
  if (notFiles.has(program.scheme)) return undefined;
  const own = vscode.Uri.joinPath(program, '..');
  for (const { folder, path, isPackage } of candidatesOf(module, own, foldersOf(own))) {
    const uri = vscode.Uri.joinPath(folder, path);
    const text = await textOf(uri);
    if (text !== undefined) return { file: { module, text, isPackage }, uri: uri.toString() };
  }
  return undefined;
}

const notFiles = new Set(['untitled', 'output', 'git', 'vscode-interactive', 'vscode-notebook-cell']);

/** A notebook's cell lies where its notebook does. */
const fileOf = (document: vscode.Uri): vscode.Uri =>
  vscode.workspace.notebookDocuments.find((notebook) => notebook.getCells().some((cell) => cell.document.uri.toString() === document.toString()))?.uri ?? document; // prettier-ignore

/** The folders above one, up to the workspace's own; outside of a workspace that one alone. */
function foldersOf(own: vscode.Uri): Folders<vscode.Uri> {
  const root = vscode.workspace.getWorkspaceFolder(own)?.uri.path;
  return {
    above: (folder) => vscode.Uri.joinPath(folder, '..'),
    isLast: ({ path }) => root === undefined || path === root || path === '/',
  };
}

/** As it is in an editor, saved or not, else as it lies there; undefined where there is none, or it is too large. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open.getText();
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > importLimits.bytes) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
