import * as vscode from 'vscode';
import type { PageAction } from '../../webview/protocol';
import { command, type Guard } from '../host';
import type { PanelControllers } from './controllers';

/** Commands that do in the panel what its keys do, by name: the palette offers them while a panel is in front. */
const actions: Readonly<Record<string, PageAction>> = {
  'explainAttention.find': 'find',
  'explainAttention.nextStep': 'nextStep',
  'explainAttention.previousStep': 'previousStep',
  'explainAttention.turn': 'turn',
};

/** Without a panel there is nothing to act on: an explanation is asked for instead. */
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
