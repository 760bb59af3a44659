import * as vscode from 'vscode';
import type { PageMessage } from '../webview/protocol';
import { createExplainer, explainCommand } from './commands';
import { copyCommand, copyMatrix } from './copy';
import { registerCodeLens } from './codelens';
import { copyText, openContent, saveContent } from './exports';
import { registerHover } from './hover';
import { registerInputs } from './hover-inputs';
import { reportIssue } from './issue';
import { createPanel, viewType } from './panel';
import { createReport } from './report';
import { onPanelSettings, panelSettings } from './settings';
import { createSourceTracker } from './source';
import { savePage } from './standalone';
import { createTensorFiles, openTensorFileCommand } from './tensor-file';
import { chooseTokenizerFile, readVocabulary } from './vocabularies';

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

  const useTokenizerFile = async (): Promise<void> => {
    if (!panel.isOpen()) await explainer.explain(undefined);
    const chosen = panel.isOpen() ? await chooseTokenizerFile() : undefined;
    if (!chosen) return;
    panel.open();
    panel.send(chosen);
  };
  const answer = guarded('Answering the panel', (message: PageMessage) => {
    switch (message.type) {
      case 'ready':
        panel.send({ type: 'settings', settings: panelSettings() });
        if (!message.explanation || tracker.following() || tensorFiles.following()) return undefined;
        return tensorFiles.resume(message.explanation.source) ?? tracker.resume(message.explanation.source);
      case 'recompute':
        return tensorFiles.following() ? tensorFiles.recompute() : explainer.recompute();
      case 'reveal':
        return explainer.reveal(message);
      case 'askInput':
        return explainer.ask();
      case 'vocabulary':
        return readVocabulary(extensionUri, message.encoding, log).then(panel.send);
      case 'chooseTokenizer':
        return useTokenizerFile();
      case 'copy':
        return copyText(message);
      case 'open':
        return openContent(message);
      case 'savePage':
        return savePage(extensionUri, message);
      case 'save':
        return saveContent(message);
      case 'log':
        return undefined;
    }
  });
  const panel = createPanel(extensionUri, {
    log,
    received: (message) => void answer(message),
    closed: () => {
      tracker.stop();
      tensorFiles.stop();
    },
  });
  const tensorFiles = createTensorFiles({ panel, report, memento: workspaceState, began: () => tracker.stop() });
  const explainer = createExplainer({ panel: tensorFiles.besides(panel), tracker, report, memento: workspaceState });
  const inputs = registerInputs(workspaceState, report, guarded, explainCommand);

  context.subscriptions.push(
    log,
    tracker,
    tensorFiles,
    vscode.commands.registerCommand(openTensorFileCommand, guarded('Opening a tensor file', tensorFiles.open)),
    vscode.commands.registerCommand(explainCommand, guarded('Explain Attention', explainer.explain)),
    vscode.commands.registerCommand(
      'explainAttention.useTokenizerFile',
      guarded('Using a tokenizer file', useTokenizerFile),
    ),
    vscode.commands.registerCommand('explainAttention.showLog', () => log.show()),
    vscode.commands.registerCommand('explainAttention.reportIssue', () => reportIssue(extension)),
    vscode.window.registerWebviewPanelSerializer(viewType, panel),
    inputs,
    registerHover(explainCommand, inputs),
    registerCodeLens(explainCommand),
    vscode.commands.registerCommand(
      copyCommand,
      guarded('Copy Matrix As', (argument: unknown) => copyMatrix(argument, report)),
    ),
    onPanelSettings((settings) => panel.send({ type: 'settings', settings })),
  );
  log.info(`Explain Attention ${String((extension.packageJSON as { version?: unknown }).version)} is ready`);
}
