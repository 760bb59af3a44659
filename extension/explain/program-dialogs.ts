import * as vscode from 'vscode';
import type { AttentionChoice } from '../../engine/index';

/** Milliseconds before a notification shows that a program is being read. */
const notifyAfterMs = 700;

/** Reads a program, or does other work. If it takes long, shows a notification that can cancel it. Undefined if cancelled. */
export async function whileReading<T>(
  read: (token: vscode.CancellationToken) => Promise<T | undefined>,
  title = vscode.l10n.t('Reading the code, without running it'),
): Promise<T | undefined> {
  const cancelling = new vscode.CancellationTokenSource();
  const reading = read(cancelling.token);
  const isLate = await Promise.race([reading.then(() => false, () => false), after(notifyAfterMs)]); // prettier-ignore
  if (isLate)
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title,
        cancellable: true,
      },
      (_, token) => {
        token.onCancellationRequested(() => cancelling.cancel());
        return reading.then(() => undefined, () => undefined); // prettier-ignore
      },
    );
  try {
    return await reading;
  } finally {
    cancelling.dispose();
  }
}

const after = (milliseconds: number): Promise<true> =>
  new Promise((done) => setTimeout(() => done(true), milliseconds));

/** Asks for one of a program's attentions, listed with the last first. Returns its index; undefined if the reader cancelled. */
export async function chooseOf(all: readonly AttentionChoice[], shown: number): Promise<number | undefined> {
  const items = all.map(({ label }, which) => ({
    label,
    which,
    ...(which === shown ? { description: vscode.l10n.t('shown now') } : {}),
  }));
  const chosen = await vscode.window.showQuickPick(items.reverse(), {
    title: vscode.l10n.t('Attentions that this code computes, the last one first'),
    matchOnDescription: true,
  });
  return chosen?.which;
}
