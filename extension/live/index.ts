/* Values of a running Python process: behind lines while the debugger has stopped it, explained from there, and from a notebook's kernel. */

import * as vscode from 'vscode';
import { command, type Guard } from '../host';
import { explainAtStop, explainOfKernel, explainVariable, type LiveCommands } from './commands';

export { createLiveLines, registerInlineValues, type LiveLines } from './inline';
export { createStops } from './stopped';
export { readForTool } from './tool';

export const liveCommands = {
  stop: 'explainAttention.explainLive',
  variable: 'explainAttention.explainVariable',
  kernel: 'explainAttention.explainKernelVariable',
} as const;

export function registerLive(parts: LiveCommands, guarded: Guard): vscode.Disposable {
  const doing = vscode.l10n.t('Explaining live values');
  return vscode.Disposable.from(
    command(
      liveCommands.stop,
      guarded(doing, () => explainAtStop(parts)),
    ),
    command(
      liveCommands.variable,
      guarded(doing, (argument) => explainVariable(parts, argument)),
    ),
    command(
      liveCommands.kernel,
      guarded(doing, (argument) => explainOfKernel(parts, argument)),
    ),
  );
}
