import * as vscode from 'vscode';
import { codeLensEnabled, hoverSettings } from './hover-settings';
import type { Late } from './late';
import { hasLessonBlock, savedKeys, nextTurn, viewTypes } from './activation';

/** What VS Code's Markdown preview takes. */
type Exports = Pick<Late, 'extendMarkdownIt'>;

/**
 * What is loaded at first use, which is nearly everything: in Node another file (esbuild.mjs), in a browser, which has one file, what of it
 * has not run yet. By `require`, since the Markdown preview waits for no promise.
 */
// eslint-disable-next-line @typescript-eslint/no-require-imports
export const late = () => require('./late') as typeof import('./late');

/** Tells VS Code what there is. Nothing else: a window in which nobody asks for an explanation pays for no more than this. */
export function activate(context: vscode.ExtensionContext): Exports {
  let loaded: Late | undefined;
  const whole = (): Late => (loaded ??= late().start(context));
  const first = loadInSteps(whole);
  const { window, commands } = vscode;

  context.subscriptions.push(
    ...commandsOf(context).map((name) =>
      commands.registerCommand(name, (...args: readonly unknown[]) => first((rest) => rest.run(name, args))),
    ),
    window.registerWebviewPanelSerializer(viewTypes.panel, {
      deserializeWebviewPanel: (panel, state) => whole().panels.deserializeWebviewPanel(panel, state),
    }),
    window.registerWebviewPanelSerializer(viewTypes.lesson, {
      deserializeWebviewPanel: (panel, state) => whole().lessons.deserializeWebviewPanel(panel, state),
    }),
    window.registerUriHandler({ handleUri: (uri) => whole().handleUri(uri) }),
  );
  // What nobody waits for is no part of activation.
  setTimeout(() => {
    context.subscriptions.push(
      registerHover((document, position, token) => whole().provideHover(document, position, token)),
      registerCodeLens((document, token) => whole().provideCodeLenses(document, token)),
      onFirstLesson(() => void whole()),
    );
    if (hasSaved(context)) whole();
  }, 0);
  return { extendMarkdownIt: (md) => whole().extendMarkdownIt(md) };
}

type First = <T>(act: (rest: Late) => T) => T | Promise<T>;

/** Loading, building the parts and the first command's own work are turns of their own: other extensions share the thread. Commands keep their order. */
function loadInSteps(whole: () => Late): First {
  let [begun, ready]: [Promise<Late> | undefined, Late | undefined] = [undefined, undefined];
  const begin = async (): Promise<Late> => {
    late();
    await nextTurn();
    whole();
    await nextTurn();
    return (ready = whole());
  };
  return (act) => (ready ? act(ready) : (begun ??= begin()).then(act));
}

/** As package.json names them. */
export function commandsOf({ extension }: vscode.ExtensionContext): string[] {
  const { contributes } = extension.packageJSON as { contributes?: { commands?: { command: string }[] } };
  return (contributes?.commands ?? []).map(({ command }) => command);
}

/** Collected inputs stand in the status bar, and an editor may still show a document of ours. */
const hasSaved = ({ workspaceState }: vscode.ExtensionContext): boolean =>
  Object.values(savedKeys).some((key) => workspaceState.get<unknown>(key, undefined) !== undefined);

/** In any file, also unsaved ones and cells of notebooks, where the settings allow it. */
const registerHover = (hover: Late['provideHover']): vscode.Disposable =>
  vscode.languages.registerHoverProvider(
    { scheme: '*' },
    {
      provideHover: (document, position, token) =>
        hoverSettings(document).enabled ? hover(document, position, token) : undefined,
    },
  );

/** Off by default (`explainAttention.codeLens`). */
function registerCodeLens(lenses: Late['provideCodeLenses']): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.codeLens')) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: '*' },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: (document, token) =>
          codeLensEnabled(document) && !token.isCancellationRequested ? lenses(document, token) : [],
      },
    ),
  );
}

/** Calls once, when a lesson is open: its menu, its problems and its completions are then wanted. */
function onFirstLesson(found: () => void): vscode.Disposable {
  let done = false;
  const look = (document: vscode.TextDocument): void => {
    if (done || document.languageId !== 'markdown' || !hasLessonBlock(document.getText())) return;
    done = true;
    listening.dispose();
    found();
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
  );
  for (const document of vscode.workspace.textDocuments) look(document);
  return {
    dispose() {
      done = true;
      listening.dispose();
    },
  };
}
