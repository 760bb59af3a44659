import * as vscode from 'vscode';
import { command, followSetting, onFollowSetting, type Guard } from '../host';
import type { PanelControllers } from './controllers';

export const followCommand = 'explainAttention.follow';
export const pinCommand = 'explainAttention.pin';
const context = 'explainAttention.following';

/** Debounce of selection changes, in milliseconds. */
const debounceMs = 300;

const visible = (editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined =>
  editor && vscode.window.visibleTextEditors.includes(editor) ? editor : undefined;

/** Following: the panel last used explains each new selection, until it is pinned. The editor keeps the focus. */
export function registerFollowing(controllers: PanelControllers, guarded: Guard): vscode.Disposable {
  let last = 0;
  /** The editor of the last selection. */
  let recent: vscode.TextEditor | undefined;

  const followed = () => controllers.all().find((controller) => controller.follows);
  // Only the panel last used: several panels with the same content would be of no use.
  const show = guarded(vscode.l10n.t('Following the selection'), (editor: vscode.TextEditor) =>
    visible(editor) ? followed()?.explainer.follow(editor) : undefined,
  );
  const scheduleFollow = (editor: vscode.TextEditor | undefined): void => {
    const request = ++last;
    recent = editor ?? recent;
    if (!editor || !followed()) return;
    setTimeout(() => {
      if (request === last) void show(editor);
    }, debounceMs);
  };
  const updateContext = (): void => {
    void vscode.commands.executeCommand('setContext', context, controllers.all()[0]?.follows ?? false);
  };
  const choose = (follows: boolean) => (): void => {
    const [controller] = controllers.all();
    if (controller) controller.follows = follows;
    updateContext();
    // The panel has the focus now, so the selection is in the editor that had it before.
    if (follows)
      scheduleFollow(vscode.window.activeTextEditor ?? visible(recent) ?? vscode.window.visibleTextEditors[0]);
  };

  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => scheduleFollow(textEditor)),
    command(followCommand, choose(true)),
    command(pinCommand, choose(false)),
    controllers.onDidChange(updateContext),
    onFollowSetting(() => {
      for (const controller of controllers.all()) controller.follows = followSetting();
      updateContext();
    }),
    { dispose: () => void ++last },
  );
}
