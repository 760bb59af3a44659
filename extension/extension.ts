import * as vscode from 'vscode';
import { codeLensEnabled, hoverSettings } from './hover-settings';
import type { Late } from './late';
import { hasAttentionCode, hasLessonBlock, savedKeys, nextTurn, viewTypes } from './activation';

/** What VS Code's Markdown preview takes. */
type Exports = Pick<Late, 'extendMarkdownIt'>;

/**
 * Loads the rest of the extension, which is nearly everything, at first use. In Node it is another file (esbuild.mjs); a browser's extension
 * host takes only one file, so there it is a part of that file which has not run yet. `require`, since the Markdown preview cannot wait for a promise.
 */
// eslint-disable-next-line @typescript-eslint/no-require-imports
export const late = () => require('./late') as typeof import('./late');

/** Registers everything with VS Code and does nothing else: a window in which nothing is explained pays only for this. */
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
  // VS Code measures activation; what nothing waits for comes after it.
  setTimeout(() => {
    context.subscriptions.push(
      registerHover((document, position, token) => whole().provideHover(document, position, token)),
      registerCodeLens((document, token) => whole().provideCodeLenses(document, token)),
      onFirst('markdown', hasLessonBlock, () => void whole()),
      onFirst('python', hasAttentionCode, () => whole().watchPrograms()),
    );
    if (hasSaved(context)) whole();
  }, 0);
  return { extendMarkdownIt: (md) => whole().extendMarkdownIt(md) };
}

type First = <T>(act: (rest: Late) => T) => T | Promise<T>;

/** Loads, builds the parts and runs the first command in separate turns of the event loop, which other extensions share. Commands keep their order. */
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

/** Whether something was saved that must be shown at once: collected inputs in the status bar, or one of our documents in an editor. */
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

/** Calls once, when a document of a language is open that has something for us: a lesson's menu, or shapes in a program, are then wanted. */
function onFirst(language: string, has: (text: string) => boolean, found: () => void): vscode.Disposable {
  let done = false;
  const look = (document: vscode.TextDocument): void => {
    if (done || document.languageId !== language || document.lineCount > 20_000 || !has(document.getText())) return;
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
