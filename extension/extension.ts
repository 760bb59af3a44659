import * as vscode from 'vscode';
import type { PageMessage } from '../webview/protocol';
import { createExplainer, explainCommand } from './commands';
import { registerHover } from './hover';
import { reportIssue } from './issue';
import { createPanel, viewType } from './panel';
import { createReport } from './report';
import { onPanelSettings, panelSettings } from './settings';
import { createSourceTracker } from './source';

/** Builds the parts and registers them with VS Code: the one list of everything that this extension contributes in code. */
export function activate(context: vscode.ExtensionContext): void {
  const { extension, extensionUri, workspaceState } = context;
  const log = vscode.window.createOutputChannel('Explain Attention', { log: true });
  const report = createReport(log, (details) => void reportIssue(extension, details));
  const tracker = createSourceTracker(workspaceState, (state) => panel.send({ type: 'source', state }));
  const guarded =
    <A extends readonly unknown[]>(doing: string, act: (...args: A) => unknown) =>
    async (...args: A): Promise<void> => {
      try {
        await act(...args);
      } catch (error) {
        report.bug(doing, error);
      }
    };

  const answer = guarded('Answering the panel', (message: PageMessage) => {
    switch (message.type) {
      case 'ready':
        panel.send({ type: 'settings', settings: panelSettings() });
        if (!message.explanation || tracker.following()) return undefined;
        return tracker.resume(message.explanation.source);
      case 'recompute':
        return explainer.recompute();
      case 'reveal':
        return explainer.reveal(message);
      case 'askInput':
        return explainer.ask();
      case 'log':
        return undefined;
    }
  });
  const panel = createPanel(extensionUri, {
    log,
    received: (message) => void answer(message),
    closed: () => tracker.stop(),
  });
  const explainer = createExplainer({ panel, tracker, report, memento: workspaceState });

  context.subscriptions.push(
    log,
    tracker,
    vscode.commands.registerCommand(explainCommand, guarded('Explain Attention', explainer.explain)),
    vscode.commands.registerCommand('explainAttention.showLog', () => log.show()),
    vscode.commands.registerCommand('explainAttention.reportIssue', () => reportIssue(extension)),
    vscode.window.registerWebviewPanelSerializer(viewType, panel),
    registerHover(explainCommand),
    onPanelSettings((settings) => panel.send({ type: 'settings', settings })),
  );
  log.info(`Explain Attention ${String((extension.packageJSON as { version?: unknown }).version)} is ready`);
}
