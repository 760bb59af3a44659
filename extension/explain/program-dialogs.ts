import * as vscode from 'vscode';
import type { AttentionChoice } from '../../engine/index';

/** Milliseconds without an answer after which a reading is announced, with a way to stop it. */
const patience = 700;

/** Reads a program; what takes long can be cancelled. Undefined: it was. */
export async function whileReading<T>(
  read: (token: vscode.CancellationToken) => Promise<T | undefined>,
): Promise<T | undefined> {
  const cancelling = new vscode.CancellationTokenSource();
  const reading = read(cancelling.token);
  const isLate = await Promise.race([reading.then(() => false, () => false), after(patience)]); // prettier-ignore
  if (isLate)
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Reading the code, without running it'),
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

/** One of a program's attentions, by its number; the last one reached is first. Undefined when the list was left. */
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
