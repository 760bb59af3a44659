// Files of the trained models that come with the extension. Nothing of them is read before a text or a lesson asks for it.
import * as vscode from 'vscode';
import {
  boxModel,
  boxModels,
  modelFile,
  modelsNamed,
  providedBox,
  readBox,
  trainingOf,
  type Problem,
} from '../engine/index';

const modelUri = (extensionUri: vscode.Uri, file: string): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'extension', 'models', file);

/** Reads a file of the models by its name. */
export const readingModels =
  (extensionUri: vscode.Uri) =>
  (file: string): Thenable<Uint8Array> =>
    vscode.workspace.fs.readFile(modelUri(extensionUri, file));

/** The reply to a page that asks for a file of a model. */
export type ModelFileReply =
  | { readonly type: 'modelFile'; readonly file: string; readonly bytes: Uint8Array }
  | { readonly type: 'noTokenizer'; readonly name: string; readonly problems: readonly Problem[] };

/** Reads the file of a model of the extension, or of its tokenizer, that a page asks for. Other files are refused. */
export async function readModelFile(
  extensionUri: vscode.Uri,
  file: string,
  log: vscode.LogOutputChannel,
): Promise<ModelFileReply> {
  try {
    if (!boxModels.some((model) => modelFile(model) === file || model.tokenizer === file)) throw new Error(file);
    // Copied, because a file system may return Node's Buffer, which VS Code would serialise as JSON with one number for each byte.
    const bytes = new Uint8Array(await readingModels(extensionUri)(file));
    log.info(`read ${file}, ${bytes.length} bytes`);
    return { type: 'modelFile', file, bytes };
  } catch (error) {
    log.error(`${file}: ${String(error)}`);
    const message = vscode.l10n.t(
      '{0} cannot be read: {1}',
      file,
      error instanceof Error ? error.message : String(error),
    );
    return {
      type: 'noTokenizer',
      name: file,
      problems: [{ code: 'model-unreadable', message, hint: vscode.l10n.t('Reinstall the extension.') }],
    };
  }
}

/** Reads the models that a lesson names and this host has not read. A model that cannot be read is a problem of the blocks that name it. */
export async function readLessonModels(extensionUri: vscode.Uri, lesson: string): Promise<void> {
  for (const name of modelsNamed(lesson)) if (!providedBox(name)) await readBox(name, readingModels(extensionUri));
}

/** The bytes of models and their tokenizers, by file name, for a page that has no host to ask for them. A checkpoint comes with its whole training. */
export async function filesOfModels(
  extensionUri: vscode.Uri,
  names: readonly string[],
): Promise<Readonly<Record<string, Uint8Array>>> {
  const boxes = names.flatMap((name) => boxModel(name) ?? []);
  const files = new Set(boxes.flatMap((box) => [box.tokenizer, ...[box, ...trainingOf(box.name)].map(modelFile)]));
  const read = [...files].map(async (file) => [file, await readingModels(extensionUri)(file)] as const);
  return Object.fromEntries(await Promise.all(read));
}
