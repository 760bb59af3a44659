import * as vscode from 'vscode';
import { command } from '../host/command';
import type { Guard } from '../panel/desk';
import type { Desks } from '../panel/desks';
import { followSetting, onFollowSetting } from '../host/settings';

export const followCommand = 'explainAttention.follow';
export const pinCommand = 'explainAttention.pin';
const context = 'explainAttention.following';

/** Milliseconds in which a selection stands still before it is explained. */
const quiet = 300;

const seen = (editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined =>
  editor && vscode.window.visibleTextEditors.includes(editor) ? editor : undefined;

/** The panel last used shows what is selected while its reader wants that; a pin keeps what it shows. Nothing takes the focus. */
export function registerFollowing(desks: Desks, guarded: Guard): vscode.Disposable {
  let last = 0;
  /** Where something was selected last. */
  let recent: vscode.TextEditor | undefined;

  const followed = () => desks.all().find((desk) => desk.follows);
  // The last used one alone: several panels with one content are of no use.
  const show = guarded(vscode.l10n.t('Following the selection'), (editor: vscode.TextEditor) =>
    seen(editor) ? followed()?.explainer.follow(editor) : undefined,
  );
  const later = (editor: vscode.TextEditor | undefined): void => {
    const mine = ++last;
    recent = editor ?? recent;
    if (!editor || !followed()) return;
    setTimeout(() => {
      if (mine === last) void show(editor);
    }, quiet);
  };
  const tell = (): void => {
    void vscode.commands.executeCommand('setContext', context, desks.all()[0]?.follows ?? false);
  };
  const choose = (follows: boolean) => (): void => {
    const [desk] = desks.all();
    if (desk) desk.follows = follows;
    tell();
    // The panel has the focus now: what is selected is in the editor that had it before.
    if (follows) later(vscode.window.activeTextEditor ?? seen(recent) ?? vscode.window.visibleTextEditors[0]);
  };

  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => later(textEditor)),
    command(followCommand, choose(true)),
    command(pinCommand, choose(false)),
    desks.onDidChange(tell),
    onFollowSetting(() => {
      for (const desk of desks.all()) desk.follows = followSetting();
      tell();
    }),
    { dispose: () => void ++last },
  );
}
