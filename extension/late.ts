import * as vscode from 'vscode';
import './host/language';
import { registerClassroom } from './classroom/index';
import { lensesOf } from './explain/codelens';
import { command, idleCommands, runCommand } from './host/command';
import { explainAsTextCommand, explainCommand, explainInNewPanelCommand } from './explain/commands';
import { copyCommand, copyMatrix } from './explain/copy';
import { createDesk, type Guard } from './panel/desk';
import { createDesks, type Desks } from './panel/desks';
import { registerFollowing } from './explain/follow';
import { hoverProvider } from './hover/hover';
import { registerInputs } from './hover/inputs';
import { reportIssue } from './host/issue';
import { previewPlugin, registerLessonAuthoring } from './lesson-authoring/index';
import { registerLessons } from './lesson/open';
import { linkHandler } from './panel/link-handler';
import { registerPageCommands } from './panel/page-commands';
import { createReport } from './host/report';
import { onPanelSettings } from './host/settings';
import { openExplanation, openExplanationCommand } from './explain/spec-file';
import { openTensorFileCommand } from './files/tensor-file';
import { registerWalkthrough } from './walkthrough/index';

/** What extension.ts asks for once it is asked itself. */
export interface Late {
  /** Does what a command of package.json does. */
  run(name: string, args: readonly unknown[]): unknown;
  readonly panels: vscode.WebviewPanelSerializer;
  readonly lessons: vscode.WebviewPanelSerializer;
  readonly handleUri: vscode.UriHandler['handleUri'];
  readonly provideHover: vscode.HoverProvider['provideHover'];
  readonly provideCodeLenses: vscode.CodeLensProvider['provideCodeLenses'];
  readonly extendMarkdownIt: ReturnType<typeof previewPlugin>;
}

/** Builds the parts. Once; what extension.ts has told VS Code of already is only given back. */
export function start(context: vscode.ExtensionContext): Late {
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
  const lessons = registerLessons({ ...parts, desks, version: versionOf(extension) });

  context.subscriptions.push(
    log,
    ...explainCommands(desks, guarded),
    registerFollowing(desks, guarded),
    registerPageCommands(desks, guarded),
    registerClassroom(context, report, guarded),
    command('explainAttention.showLog', () => log.show()),
    command('explainAttention.reportIssue', () => reportIssue(extension)),
    inputs,
    lessons,
    registerLessonAuthoring(report),
    registerWalkthrough(extensionUri, guarded),
    command(
      copyCommand,
      guarded(vscode.l10n.t('Copy Matrix As'), (argument: unknown) => copyMatrix(argument, report)),
    ),
    onPanelSettings((settings) => {
      for (const { panel } of desks.all()) panel.send({ type: 'settings', settings });
    }),
  );
  log.info(`Explain Attention ${versionOf(extension)} is ready`);
  return {
    run: runCommand,
    panels: desks,
    lessons: lessons.serializer,
    handleUri: linkHandler(desks, report, guarded),
    provideHover: hoverProvider(explainCommand, inputs).provideHover,
    provideCodeLenses: (document, token) => lensesOf(document, explainCommand, token),
    extendMarkdownIt: previewPlugin(report),
  };
}

/** Those of `names` that would do nothing; a test holds them to none. */
export { idleCommands };

const versionOf = ({ packageJSON }: vscode.Extension<unknown>): string =>
  String((packageJSON as { version?: unknown }).version);

/** The commands that lead to an explanation. */
function explainCommands(desks: Desks, guarded: Guard): vscode.Disposable[] {
  const say = (id: string, doing: string, act: (...args: unknown[]) => unknown): vscode.Disposable =>
    command(id, guarded(doing, act));
  return [
    say(explainCommand, vscode.l10n.t('Explain Attention'), (argument) => desks.current().explainer.explain(argument)),
    say(explainInNewPanelCommand, vscode.l10n.t('Explaining in a new panel'), (argument) =>
      desks.fresh().explainer.explain(argument),
    ),
    say(explainAsTextCommand, vscode.l10n.t('Explaining as text'), () => desks.current().explainer.explainAsText()),
    say(openTensorFileCommand, vscode.l10n.t('Opening a tensor file'), (uri, selected) =>
      desks.current().tensorFiles.open(uri, selected),
    ),
    say(openExplanationCommand, vscode.l10n.t('Opening an explanation'), (uri) =>
      openExplanation(uri, (chosen) => desks.current().explainer.openSpec(chosen)),
    ),
    say('explainAttention.useTokenizerFile', vscode.l10n.t('Using a tokenizer file'), () =>
      desks.current().useTokenizerFile(),
    ),
  ];
}
