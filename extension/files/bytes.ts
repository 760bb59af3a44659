import * as vscode from 'vscode';
import {
  openTensorFile,
  sourceOfBytes,
  type ByteSource,
  type Problem,
  type Result,
  type TensorFile,
} from '../../engine/index';
import { fileName } from '../documents';

/**
 * Largest file that is opened, in bytes. `workspace.fs` returns only whole files, and extensions have no other way that also works in the browser. So
 * a file's bytes are held in memory, but only while tensors are chosen from it.
 */
export const fileLimit = 1 << 29;

/** A file that the reader chooses tensors from. */
export interface OpenedFile {
  readonly uri: vscode.Uri;
  /** The file's name, for example `weights.npz`. */
  readonly name: string;
  readonly file: TensorFile;
}

/** Opens files one after the other. Returns those that contain tensors, and the problems of the others with their file's name. */
export async function openFiles(
  uris: readonly vscode.Uri[],
  token: vscode.CancellationToken,
): Promise<{ files: OpenedFile[]; problems: { name: string; problems: readonly Problem[] }[] }> {
  const files: OpenedFile[] = [];
  const problems: { name: string; problems: readonly Problem[] }[] = [];
  for (const uri of uris) {
    const name = fileName(uri);
    const bytes = await bytesOf(uri, token);
    const file = bytes.ok
      ? await openTensorFile(bytes.value, name, { cancelled: () => token.isCancellationRequested })
      : bytes;
    if (file.ok) files.push({ uri, name, file: file.value });
    else problems.push({ name, problems: file.problems });
  }
  return { files, problems };
}

async function bytesOf(uri: vscode.Uri, token: vscode.CancellationToken): Promise<Result<ByteSource>> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) return problem('folder', vscode.l10n.t('a folder, expected a file'));
    if (size > fileLimit) return problem('too-large', tooLarge(size));
    const bytes = await Promise.race([vscode.workspace.fs.readFile(uri), cancellation(token)]);
    return bytes ? { ok: true, value: sourceOfBytes(bytes) } : problem('cancelled', 'cancelled');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return problem('unreadable', vscode.l10n.t('the file cannot be read: {0}', cause));
  }
}

const problem = (code: string, message: string): Result<never> => ({ ok: false, problems: [{ code, message }] });

const tooLarge = (size: number): string =>
  vscode.l10n.t('{0} MB, the limit is {1} MB', Math.ceil(size / 1e6), Math.floor(fileLimit / 1e6));

/** Resolves when cancelled. `readFile` cannot be stopped, but need not be waited for. */
const cancellation = (token: vscode.CancellationToken): Promise<undefined> =>
  new Promise((done) => {
    if (token.isCancellationRequested) done(undefined);
    else token.onCancellationRequested(() => done(undefined));
  });

/** Milliseconds before a notification shows progress. */
const progressAfterMs = 400;

/** Runs work that can be cancelled. Shows a notification with its progress if it takes long. `report` takes the done share, from 0 to 1. */
export async function withProgress<T>(
  title: string,
  work: (token: vscode.CancellationToken, report: (part: number) => void) => Promise<T>,
): Promise<T> {
  const cancel = new vscode.CancellationTokenSource();
  let [shown, done]: [((part: number) => void) | undefined, boolean] = [undefined, false];
  const running = work(cancel.token, (part) => shown?.(part)).finally(() => (done = true));
  setTimeout(() => {
    if (done) return;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      let reached = 0;
      token.onCancellationRequested(() => cancel.cancel());
      shown = (part) => {
        progress.report({ increment: Math.max(0, 100 * (part - reached)) });
        reached = Math.max(reached, part);
      };
      return running.then(nothing, nothing);
    });
  }, progressAfterMs);
  try {
    return await running;
  } finally {
    cancel.dispose();
  }
}

const nothing = (): undefined => undefined;
