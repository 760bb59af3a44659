import * as vscode from 'vscode';
import './language';
import { registerClassroom } from './classroom/index';
import { explainCommand, explainInNewPanelCommand } from './commands';
import { copyCommand, copyMatrix } from './copy';
import { registerCodeLens } from './codelens';
import { createDesk, type Guard } from './desk';
import { createDesks, type Desks } from './desks';
import { registerFollowing } from './follow';
import { registerHover } from './hover';
import { registerInputs } from './hover-inputs';
import { reportIssue } from './issue';
import { previewPlugin, registerLessonAuthoring } from './lesson-authoring/index';
import { registerLessons } from './lesson/open';
import { registerLinks } from './link-handler';
import { registerPageCommands } from './page-commands';
import { viewType } from './panel';
import { createReport } from './report';
import { onPanelSettings } from './settings';
import { openExplanation, openExplanationCommand } from './spec-file';
import { openTensorFileCommand } from './tensor-file';
import { registerWalkthrough } from './walkthrough/index';

/** What VS Code's Markdown preview takes. */
interface Exports {
  readonly extendMarkdownIt: ReturnType<typeof previewPlugin>;
}

/** Builds the parts and registers them with VS Code: the one list of everything that this extension contributes in code. */
export function activate(context: vscode.ExtensionContext): Exports {
  const { extension, extensionUri, workspaceState } = context;
  const log = vscode.window.createOutputChannel('Explain Attention', { log: true });
  const report = createReport(log, (details) => void reportIssue(extension, details));
  const guarded: Guard =
    (doing, act) =>
    async (...args) => {
      try {
        await act(...args);
      } catch (error) {
        report.bug(doing, error);
      }
    };

  const parts = { extensionUri, memento: workspaceState, report, guarded };
  const desks = createDesks((id, events) => createDesk(id, parts, events));
  const inputs = registerInputs(workspaceState, report, guarded, explainCommand);

  context.subscriptions.push(
    log,
    ...registerCommands(desks, guarded),
    registerFollowing(desks, guarded),
    registerPageCommands(desks, guarded),
    registerLinks(desks, report, guarded),
    registerClassroom(context, report, guarded),
    vscode.commands.registerCommand('explainAttention.showLog', () => log.show()),
    vscode.commands.registerCommand('explainAttention.reportIssue', () => reportIssue(extension)),
    vscode.window.registerWebviewPanelSerializer(viewType, desks),
    inputs,
    registerLessons({ ...parts, desks, version: versionOf(extension) }),
    registerHover(explainCommand, inputs),
    registerCodeLens(explainCommand),
    registerLessonAuthoring(report),
    registerWalkthrough(guarded),
    vscode.commands.registerCommand(
      copyCommand,
      guarded(vscode.l10n.t('Copy Matrix As'), (argument: unknown) => copyMatrix(argument, report)),
    ),
    onPanelSettings((settings) => {
      for (const { panel } of desks.all()) panel.send({ type: 'settings', settings });
    }),
  );
  log.info(`Explain Attention ${versionOf(extension)} is ready`);
  return { extendMarkdownIt: previewPlugin(report) };
}

const versionOf = ({ packageJSON }: vscode.Extension<unknown>): string =>
  String((packageJSON as { version?: unknown }).version);

/** The commands that lead to an explanation. */
function registerCommands(desks: Desks, guarded: Guard): vscode.Disposable[] {
  const register = (id: string, doing: string, act: (...args: unknown[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(id, guarded(doing, act));
  return [
    register(explainCommand, vscode.l10n.t('Explain Attention'), (argument) =>
      desks.current().explainer.explain(argument),
    ),
    register(explainInNewPanelCommand, vscode.l10n.t('Explaining in a new panel'), (argument) =>
      desks.fresh().explainer.explain(argument),
    ),
    register(openTensorFileCommand, vscode.l10n.t('Opening a tensor file'), (uri, selected) =>
      desks.current().tensorFiles.open(uri, selected),
    ),
    register(openExplanationCommand, vscode.l10n.t('Opening an explanation'), (uri) =>
      openExplanation(uri, (chosen) => desks.current().explainer.openSpec(chosen)),
    ),
    register('explainAttention.useTokenizerFile', vscode.l10n.t('Using a tokenizer file'), () =>
      desks.current().useTokenizerFile(),
    ),
  ];
}
