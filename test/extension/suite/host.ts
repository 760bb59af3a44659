// What the suite puts in the place of a person and of the page: answers to notifications and input boxes, and a panel whose
// page the test itself is. VS Code gives the extension and its tests the same API object, so the extension gets these.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProgramClient } from '../../../extension/program-client';
import type { Explanation, HostMessage, PageMessage } from '../../../webview/protocol';
import { createFile } from './memory-files';

/** For what reads no code. */
export const noPrograms: ProgramClient = {
  ask: () => Promise.resolve(undefined),
  importsChanged: () => ({ dispose: () => undefined }),
  dispose: () => undefined,
};

export const extensionId = 'explain-attention.explain-attention';
export const explain = 'explainAttention.explain';

/** Error notifications in order, and what the person chooses in the next ones. */
export interface Notifications {
  readonly shown: string[];
  choose(action: string): void;
}

type Show = (message: string, ...actions: string[]) => Thenable<string | undefined>;
const api = vscode.window as unknown as {
  showErrorMessage: Show;
  showInputBox: (options: vscode.InputBoxOptions) => Thenable<string | undefined>;
  createWebviewPanel: typeof vscode.window.createWebviewPanel;
};

/** Replaces a function of `vscode.window` for the tests of the enclosing `describe`. */
function during<K extends keyof typeof api>(name: K, make: () => (typeof api)[K]): void {
  const original = api[name];
  beforeEach(() => {
    api[name] = make();
  });
  afterEach(() => {
    api[name] = original;
  });
}

export function notifications(): Notifications {
  const shown: string[] = [];
  let choice: string | undefined;
  during('showErrorMessage', () => (message, ...actions) => {
    shown.push(message);
    const chosen = choice;
    choice = undefined;
    assert.ok(chosen === undefined || actions.includes(chosen), `${chosen} is among ${actions.join(', ')}`);
    return Promise.resolve(chosen);
  });
  beforeEach(() => shown.splice(0));
  return { shown, choose: (action) => (choice = action) };
}

/** Input boxes in order; `type` says what is typed in the next one and accepted with Enter, or left with Escape. */
export function inputBoxes() {
  const shown: { options: vscode.InputBoxOptions; objection: unknown }[] = [];
  let next: { text: string; accept: boolean } = { text: '', accept: false };
  during('showInputBox', () => async (options) => {
    const { text, accept } = next;
    const objection: unknown = await options.validateInput?.(text);
    shown.push({ options, objection });
    return accept && !objection ? text : undefined;
  });
  beforeEach(() => shown.splice(0));
  return {
    shown,
    type(text: string, accept = true): void {
      next = { text, accept };
    },
  };
}

/** A panel without a page: the test says what the page says, and reads what the host tells it. */
export interface FakePage {
  readonly panel: vscode.WebviewPanel;
  readonly got: HostMessage[];
  say(message: PageMessage): void;
  /** Hidden pages are unloaded by VS Code: nothing reaches them until they load again. */
  setVisible(visible: boolean): void;
  /** As a click on its tab. */
  activate(): void;
  reveals(): number;
  close(): void;
}

export function fakePage(): FakePage {
  const [received, viewState, disposed] = [
    new vscode.EventEmitter<unknown>(),
    new vscode.EventEmitter<unknown>(),
    new vscode.EventEmitter<void>(),
  ];
  const got: HostMessage[] = [];
  let [visible, active, reveals] = [true, false, 0];
  const webview = {
    html: '',
    options: {},
    cspSource: 'https://page.test',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: received.event,
    postMessage(message: HostMessage) {
      if (visible) got.push(message);
      return Promise.resolve(visible);
    },
  };
  const panel = {
    webview,
    iconPath: undefined,
    title: '',
    get visible() {
      return visible;
    },
    get active() {
      return active;
    },
    reveal: () => void reveals++,
    dispose: () => disposed.fire(),
    onDidDispose: disposed.event,
    onDidChangeViewState: viewState.event,
  };
  return {
    panel: panel as unknown as vscode.WebviewPanel,
    got,
    say: (message) => received.fire(message),
    setVisible(now) {
      visible = now;
      viewState.fire({});
    },
    activate() {
      active = true;
      viewState.fire({});
      // The next click is elsewhere.
      active = false;
    },
    reveals: () => reveals,
    close: () => disposed.fire(),
  };
}

export interface FakePanels {
  /** Panels that were opened in this test, and how. */
  readonly opened: { page: FakePage; args: Parameters<typeof vscode.window.createWebviewPanel> }[];
  /** The page of the only panel. */
  page(): FakePage;
  /** The last explanation that it got. */
  explanation(): Explanation;
}

/** Panels whose pages are ready at once. */
export function fakePanels(): FakePanels {
  const opened: FakePanels['opened'] = [];
  during('createWebviewPanel', () => (...args) => {
    const page = fakePage();
    opened.push({ page, args });
    setTimeout(() => page.say({ type: 'ready', restored: false }), 0);
    return page.panel;
  });
  beforeEach(() => opened.splice(0));
  afterEach(() => {
    for (const { page } of opened) page.close();
  });
  const page = (): FakePage => {
    const [only, ...others] = opened;
    assert.ok(only && others.length === 0, `one panel, found ${opened.length}`);
    return only.page;
  };
  return {
    opened,
    page,
    explanation() {
      const last = page().got.findLast((message) => message.type === 'explain');
      assert.ok(last?.type === 'explain', 'the page got an explanation');
      return last.explanation;
    },
  };
}

/** Waits until a condition holds; fails with what was waited for. */
export async function until<T>(what: string, get: () => T | undefined | false, seconds = 10): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = get();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) assert.fail(`waited ${seconds} s for ${what}`);
    await sleep(20);
  }
}

export const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

const extensions: Readonly<Record<string, string>> = {
  python: 'py',
  markdown: 'md',
  plaintext: 'txt',
  javascript: 'js',
};

/** A document of its own, in the active editor. */
export async function open(content: string, language = 'python'): Promise<vscode.TextEditor> {
  const uri = createFile(content, extensions[language] ?? language);
  const document = await vscode.workspace.openTextDocument(uri);
  const shown =
    document.languageId === language ? document : await vscode.languages.setTextDocumentLanguage(document, language);
  return show(shown);
}

export async function show(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  await until('the editor to be active', () => vscode.window.activeTextEditor === editor);
  return editor;
}

/** Selects the first place of each text, several with several cursors. */
export const select = (editor: vscode.TextEditor, ...texts: string[]): Promise<void> =>
  setSelections(
    editor,
    texts.map((text) => rangeOf(editor.document, text)).map(({ start, end }) => new vscode.Selection(start, end)),
  );

/** Puts the cursor before a text; several texts give several cursors. */
export const goTo = (editor: vscode.TextEditor, ...texts: string[]): Promise<void> =>
  setSelections(
    editor,
    texts.map((text) => rangeOf(editor.document, text)).map(({ start }) => new vscode.Selection(start, start)),
  );

/** An editor that was just opened may still report its first selection: waits until ours is confirmed. */
async function setSelections(editor: vscode.TextEditor, wanted: vscode.Selection[]): Promise<void> {
  const isWanted = (found: readonly vscode.Selection[]): boolean =>
    found.length === wanted.length && found.every((selection, i) => wanted[i] && selection.isEqual(wanted[i]));
  let confirmed = false;
  const listener = vscode.window.onDidChangeTextEditorSelection((event) => {
    if (event.textEditor === editor) confirmed = isWanted(event.selections);
  });
  const before = isWanted(editor.selections);
  editor.selections = wanted;
  await until('the selection', () => confirmed || before);
  listener.dispose();
}

export function rangeOf(document: vscode.TextDocument, text: string): vscode.Range {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, `${text} stands in the document`);
  return new vscode.Range(document.positionAt(at), document.positionAt(at + text.length));
}

export async function replace(document: vscode.TextDocument, what: string, by: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, what), by);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(command, ...args);

/** Closes every editor without asking to save. */
export async function closeAll(): Promise<void> {
  // A notebook's cells are closed with their notebook: VS Code opens none of them alone.
  const alone = vscode.window.visibleTextEditors.filter(
    ({ document }) => document.uri.scheme !== 'vscode-notebook-cell',
  );
  for (const editor of alone) {
    await vscode.window.showTextDocument(editor.document);
    await run('workbench.action.revertAndCloseActiveEditor');
  }
  await run('workbench.action.closeAllEditors');
}
