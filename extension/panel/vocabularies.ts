import * as vscode from 'vscode';
import { vocabularyFile, type EncodingName, type Problem } from '../../engine/index';
import type { HostMessage } from '../../webview/protocol';

/** Largest tokenizer file that is read, in bytes. A tokenizer.json with a vocabulary of 250,000 pieces has 35 MB. */
export const fileLimit = 64_000_000;

type VocabularyMessage = Extract<HostMessage, { type: 'vocabulary' | 'noTokenizer' }>;
type FileMessage = Extract<HostMessage, { type: 'tokenizerFile' | 'noTokenizer' }>;

/** Reads a vocabulary that the page asks for. Nothing else reads one, so that a vocabulary that is not used costs nothing. */
export async function readVocabulary(
  extensionUri: vscode.Uri,
  encoding: EncodingName,
  log: vscode.LogOutputChannel,
): Promise<VocabularyMessage> {
  const file = vocabularyFile(encoding);
  const uri = vscode.Uri.joinPath(extensionUri, 'dist', 'vocabularies', file);
  const begin = Date.now();
  try {
    // Copied, because a file system may return Node's Buffer, which VS Code would serialise as JSON with one number for each byte.
    const bytes = new Uint8Array(await vscode.workspace.fs.readFile(uri));
    log.info(`read ${file}, ${bytes.length} bytes, in ${Date.now() - begin} ms`);
    return { type: 'vocabulary', encoding, bytes };
  } catch (error) {
    log.error(`${file}: ${String(error)}`);
    const message = vscode.l10n.t('{0} cannot be read: {1}', file, reasonOf(error));
    return refusal(encoding, 'vocabulary-unreadable', message, vscode.l10n.t('Reinstall the extension.'));
  }
}

/** Lets the reader choose a tokenizer file and reads it. Undefined if the dialog was cancelled. The page parses the file. */
export async function chooseTokenizerFile(): Promise<FileMessage | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Tokenizer: a Hugging Face tokenizer.json, or BERT’s vocab.txt'),
      openLabel: vscode.l10n.t('Use Tokenizer'),
      filters: { [vscode.l10n.t('Tokenizers')]: ['json', 'txt'] },
      canSelectMany: false,
    })) ?? [];
  return uri && readTokenizerFile(uri);
}

/** Reads a tokenizer file, named by its folder and file name because many are called tokenizer.json. Otherwise says why it cannot be one. */
export async function readTokenizerFile(uri: vscode.Uri): Promise<FileMessage> {
  const name = uri.path.split('/').filter(Boolean).slice(-2).join('/');
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if (type & vscode.FileType.Directory) return refusal(name, 'folder', vscode.l10n.t('{0} is a folder', name));
    if (size > fileLimit) return refusal(name, 'too-large', tooLarge(size));
    const bytes = await vscode.workspace.fs.readFile(uri);
    // The file system may not know a file's size (then 0) before it is read.
    if (bytes.length > fileLimit) return refusal(name, 'too-large', tooLarge(bytes.length));
    return { type: 'tokenizerFile', name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const isText = !(error instanceof TypeError);
    return isText
      ? refusal(name, 'unreadable', vscode.l10n.t('{0} cannot be read: {1}', name, reasonOf(error)))
      : refusal(name, 'not-text', vscode.l10n.t('{0} is no text in UTF-8', name));
  }
}

const tooLarge = (size: number): string =>
  vscode.l10n.t(
    'the file has {0} MB, the limit for a tokenizer is {1} MB',
    (size / 1e6).toFixed(1),
    (fileLimit / 1e6).toFixed(0),
  );

function refusal(name: string, code: string, message: string, hint?: string): FileMessage & { type: 'noTokenizer' } {
  const choose = hint ?? vscode.l10n.t('Choose a Hugging Face tokenizer.json or BERT’s vocab.txt.');
  const problem: Problem = { code, message, hint: choose };
  return { type: 'noTokenizer', name, problems: [problem] };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
