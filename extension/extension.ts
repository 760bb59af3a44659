import * as vscode from 'vscode';
import { codeLensEnabled, hoverSettings } from './hover-settings';
import type { Late } from './late';
import {
  codeLanguages,
  debugTypes,
  formulaLanguages,
  hasFormulas,
  hasLessonBlock,
  hasOpenDocument,
  lastingKeys,
  mayCompute,
  savedKeys,
  nextTurn,
  outputRenderer,
  viewTypes,
} from './activation';

/** What `activate` returns: VS Code's Markdown preview calls `extendMarkdownIt`. */
type Exports = Pick<Late, 'extendMarkdownIt'>;

/**
 * Loads the rest of the extension, nearly all of it, at first use. In Node it is a second file (see esbuild.mjs). A browser's extension host takes
 * only one file, which therefore contains the rest as a module that is not evaluated until then. `require` rather than `import()`, because the
 * Markdown preview cannot wait for a promise.
 */
// eslint-disable-next-line @typescript-eslint/no-require-imports
export const late = () => require('./late') as typeof import('./late');

/** Registers commands, serializers and providers with VS Code and does nothing else, so that a window in which nothing is explained pays for no more. */
export function activate(context: vscode.ExtensionContext): Exports {
  let loaded: Late | undefined;
  const loadLate = (): Late => (loaded ??= late().start(context));
  const first = loadInSteps(loadLate);
  const { window, commands } = vscode;
  const use = rememberUse(context);

  context.subscriptions.push(
    ...commandsOf(context).map((name) =>
      commands.registerCommand(name, (...args: readonly unknown[]) => {
        use();
        return first((rest) => rest.run(name, args));
      }),
    ),
    window.registerWebviewPanelSerializer(viewTypes.panel, {
      deserializeWebviewPanel: (panel, state) => loadLate().panels.deserializeWebviewPanel(panel, state),
    }),
    window.registerWebviewPanelSerializer(viewTypes.lesson, {
      deserializeWebviewPanel: (panel, state) => loadLate().lessons.deserializeWebviewPanel(panel, state),
    }),
    window.registerUriHandler({ handleUri: (uri) => loadLate().handleUri(uri) }),
    ...registerTools(context, async (...asked) => first((rest) => rest.callTool(...asked))),
  );
  // What outputs say before this is registered would be lost: VS Code hands it over once activation is done.
  const outputs = vscode.notebooks.createRendererMessaging(outputRenderer);
  context.subscriptions.push(
    outputs.onDidReceiveMessage(({ editor, message }) =>
      first((rest) => rest.hearOutput(message, (reply) => void outputs.postMessage(reply, editor))),
    ),
  );
  // VS Code measures the time of activation, so what nothing waits for is registered after it.
  setTimeout(() => {
    context.subscriptions.push(
      registerHover((document, position, token) => loadLate().provideHover(document, position, token)),
      ...debugTypes.map((type) =>
        vscode.debug.registerDebugAdapterTrackerFactory(type, {
          createDebugAdapterTracker: () => loadLate().watchDebugging(),
        }),
      ),
      // A tracker hears nothing of a session that runs on the other side of a remote window.
      vscode.debug.onDidStartDebugSession(({ type }) => {
        if (debugTypes.includes(type)) loadLate().watchDebugging();
      }),
      registerCodeLens((document, token) => loadLate().provideCodeLenses(document, token)),
      onFirst(
        ['markdown'],
        (_, text) => hasLessonBlock(text),
        () => void loadLate(),
      ),
      onFirst(codeLanguages, mayCompute, () => loadLate().watchPrograms()),
      onFirst(
        formulaLanguages,
        (_, text) => hasFormulas(text),
        () => loadLate().watchFormulas(),
      ),
    );
    if (hasSaved(context)) loadLate();
    if (wantsExample(context)) void first((rest) => rest.run('explainAttention.openExample', ['unasked']));
  }, 0);
  return { extendMarkdownIt: (md) => loadLate().extendMarkdownIt(md) };
}

type First = <T>(act: (rest: Late) => T) => T | Promise<T>;

/**
 * Loads the file, builds its parts and runs the first command in separate tasks of the event loop, because other extensions share the thread.
 * Commands run in the order in which they were given.
 */
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

/** The ids of the commands that package.json declares. */
export function commandsOf({ extension }: vscode.ExtensionContext): string[] {
  const { contributes } = extension.packageJSON as { contributes?: { commands?: { command: string }[] } };
  return (contributes?.commands ?? []).map(({ command }) => command);
}

/** Registers the tools for language models that package.json declares, where this VS Code has such tools. They are not answered before they are called. */
function registerTools({ extension }: vscode.ExtensionContext, call: Call): vscode.Disposable[] {
  const { contributes } = extension.packageJSON as { contributes?: { languageModelTools?: { name: string }[] } };
  const { lm } = vscode as { lm?: typeof vscode.lm };
  return (contributes?.languageModelTools ?? []).flatMap(
    ({ name }) => lm?.registerTool(name, { invoke: async ({ input }, token) => call(name, input, token) }) ?? [],
  );
}

type Call = (...asked: Parameters<Late['callTool']>) => ReturnType<Late['callTool']>;

/** Whether the workspace saved something that must be shown at once: collected inputs (in the status bar) or one of our virtual documents (in an editor). */
const hasSaved = ({ workspaceState }: vscode.ExtensionContext): boolean =>
  Object.values(savedKeys).some((key) => workspaceState.get<unknown>(key, undefined) !== undefined);

/**
 * Whether to open the example: by the setting in the first window after the installation, or in each window, unless a document is open there. Never in
 * tests.
 */
function wantsExample({ globalState, extensionMode }: vscode.ExtensionContext): boolean {
  const isFirst = globalState.get(lastingKeys.started) !== true;
  if (isFirst) void globalState.update(lastingKeys.started, true);
  const when = vscode.workspace.getConfiguration('explainAttention').get<string>('exampleOnStart');
  const isWanted = when === 'always' || (when === 'once' && isFirst);
  return isWanted && extensionMode !== vscode.ExtensionMode.Test && !hasOpenDocument(vscode.window);
}

/**
 * Returns a function to be called when a command is run. From the first time on, in this window and later ones, the palette has all commands: before
 * that, the six to begin with.
 */
function rememberUse({ globalState }: vscode.ExtensionContext): () => void {
  const tell = (): void => void vscode.commands.executeCommand('setContext', lastingKeys.used, true);
  globalState.setKeysForSync(Object.values(lastingKeys));
  let isKnown = globalState.get(lastingKeys.used) === true;
  if (isKnown) tell();
  return () => {
    if (isKnown) return;
    isKnown = true;
    tell();
    void globalState.update(lastingKeys.used, true);
  };
}

/** Registers the hover for any document, also for unsaved ones and notebook cells. Settings may exclude a language. */
const registerHover = (hover: Late['provideHover']): vscode.Disposable =>
  vscode.languages.registerHoverProvider(
    { scheme: '*' },
    {
      provideHover: (document, position, token) =>
        hoverSettings(document).enabled ? hover(document, position, token) : undefined,
    },
  );

/** Registers the code lens over matrices, which is off by default (`explainAttention.codeLens`). */
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

/** Calls `found` once, as soon as an open document of one of these languages satisfies `has`. Documents of more than 20,000 lines are not read. */
function onFirst(
  languages: readonly string[],
  has: (language: string, text: string) => boolean,
  found: () => void,
): vscode.Disposable {
  let done = false;
  const loadForDocument = (document: vscode.TextDocument): void => {
    const { languageId, lineCount } = document;
    if (done || !languages.includes(languageId) || lineCount > 20_000 || !has(languageId, document.getText())) return;
    done = true;
    listening.dispose();
    found();
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(loadForDocument),
    vscode.workspace.onDidChangeTextDocument(({ document }) => loadForDocument(document)),
  );
  for (const document of vscode.workspace.textDocuments) loadForDocument(document);
  return {
    dispose() {
      done = true;
      listening.dispose();
    },
  };
}
