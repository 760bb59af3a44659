import * as vscode from 'vscode';
import type { PageAction } from '../../webview/protocol';
import { command, type Guard } from '../host';
import type { PanelControllers } from './controllers';

/** Commands for what keys do in the panel. The command palette offers them while a panel is active. */
const actions: Readonly<Record<string, PageAction>> = {
  'explainAttention.find': 'find',
  'explainAttention.nextStep': 'nextStep',
  'explainAttention.previousStep': 'previousStep',
  'explainAttention.turn': 'turn',
};

/** Registers them. Without an open panel they ask for an explanation instead. */
export function registerPageCommands(controllers: PanelControllers, guarded: Guard): vscode.Disposable {
  const register = ([id, action]: [string, PageAction]): vscode.Disposable =>
    command(
      id,
      guarded(vscode.l10n.t('Acting in the panel'), () => {
        const { panel, explainer } = controllers.current();
        return panel.isOpen() ? panel.send({ type: 'act', action }) : explainer.explain(undefined);
      }),
    );
  return vscode.Disposable.from(...Object.entries(actions).map(register));
}
