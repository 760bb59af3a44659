import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { viewTypes } from '../../../extension/activation/names';
import { createPanel } from '../../../extension/panel/panel';
import { createSourceTracker } from '../../../extension/documents/source';
import { hashText } from '../../../extension/documents/parts';
import type { PageMessage, SourceState } from '../../../webview/protocol';
import {
  closeAll,
  explain,
  extensionId,
  fakePage,
  fakePanels,
  notifications,
  open,
  replace,
  run,
  select,
  until,
} from './host';

const tabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap((group) => [...group.tabs])
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.panel));

describe('the panel', () => {
  const errors = notifications();
  afterEach(closeAll);

  it('opens once, beside the editor, with its real page, which says that it is ready', async function () {
    this.timeout(60_000);
    const { createWebviewPanel } = vscode.window;
    const said: PageMessage[] = [];
    vscode.window.createWebviewPanel = (...args: Parameters<typeof createWebviewPanel>) => {
      const panel = createWebviewPanel(...args);
      panel.webview.onDidReceiveMessage((message: PageMessage) => said.push(message));
      return panel;
    };
    try {
      const editor = await open('The cat sat\n[[1, 2], [3]]\n');
      await select(editor, 'The cat sat');
      await run(explain);
      await until('the tab', () => tabs().length === 1);
      assert.match(tabs()[0]?.label ?? '', /^Attention: document-\d+\.py:1$/);
      assert.notEqual(tabs()[0]?.group.viewColumn, editor.viewColumn);
      await until('the page to be ready', () => said.some(({ type }) => type === 'ready'), 20);
      await select(editor, '[[1, 2], [3]]');
      await run(explain);
      assert.equal(errors.shown.length, 1);
      assert.equal(tabs().length, 1, 'bad input leaves the panel');
      assert.deepEqual(
        said.filter((message) => message.type === 'log' && message.level === 'error'),
        [],
      );
    } finally {
      vscode.window.createWebviewPanel = createWebviewPanel;
      await vscode.window.tabGroups.close(tabs());
    }
  });
});

describe('the panel’s host', () => {
  const panels = fakePanels();
  afterEach(closeAll);

  it('tells a page that was hidden what came meanwhile', async () => {
    const editor = await open('The cat sat\non the mat\n');
    await select(editor, 'The cat sat');
    await run(explain);
    await until('the explanation', () => panels.page().got.some(({ type }) => type === 'explain'));
    const first = panels.explanation();
    const page = panels.page();
    page.setVisible(false);
    await select(editor, 'on the mat');
    await run(explain);
    await replace(editor.document, 'mat', 'cat');
    page.setVisible(true);
    page.say({ type: 'ready', restored: true, source: first.source });
    await until('the second explanation', () => page.got.filter(({ type }) => type === 'explain').length > 1);
    const { start } = panels.explanation().spec;
    assert.ok(start.from === 'text' && start.text === 'on the mat');
    await until('stale', () => page.got.some((message) => message.type === 'source' && message.state === 'stale'));
  });

  it('opens a new panel after the first was closed', async () => {
    const editor = await open('The cat sat');
    await select(editor, 'The cat sat');
    await run(explain);
    panels.opened[0]?.page.close();
    await run(explain);
    assert.equal(panels.opened.length, 2);
  });

  it('refuses a message that is none', async () => {
    const editor = await open('The cat sat');
    await select(editor, 'The cat sat');
    await run(explain);
    const page = panels.page();
    await until('the explanation', () => page.got.length > 0);
    const before = page.got.length;
    for (const message of [null, 'recompute', { type: 'format the disk' }, { type: 'reveal', start: -1, end: 'x' }]) {
      page.say(message as unknown as PageMessage);
    }
    await new Promise((done) => setTimeout(done, 100));
    assert.equal(page.got.length, before);
  });
});

describe('after a reload of the window', () => {
  afterEach(closeAll);
  const extension = vscode.extensions.getExtension(extensionId);

  /** What the window keeps over a reload. */
  function memento(values: Record<string, unknown> = {}): vscode.Memento {
    return {
      keys: () => Object.keys(values),
      get: <T>(key: string, initial?: T) => (values[key] as T | undefined) ?? initial,
      update: (key: string, value: unknown) => {
        values[key] = value;
        return Promise.resolve();
      },
    } as vscode.Memento;
  }

  const source = (document: vscode.TextDocument, text: string) => {
    const start = document.getText().indexOf(text);
    const range = { start, end: start + text.length };
    return { label: 'x', uri: document.uri.toString(), range, textHash: hashText(text) };
  };

  it('gives the restored panel its page, options and policy again', async () => {
    assert.ok(extension);
    const heard: PageMessage[] = [];
    let opened = 0;
    const log = vscode.window.createOutputChannel('suite', { log: true });
    const panel = createPanel(extension.extensionUri, 'f00', {
      log,
      received: (message) => heard.push(message),
      opened: () => opened++,
      activated: () => undefined,
      closed: () => undefined,
    });
    const page = fakePage();
    panel.adopt(page.panel);
    assert.equal(opened, 1);
    assert.equal(page.panel.webview.options.enableScripts, true);
    assert.match(page.panel.webview.html, /webview\.js/);
    assert.match(page.panel.webview.html, /<body data-panel="f00">/);
    page.say({ type: 'ready', restored: true });
    assert.deepEqual(heard, [{ type: 'ready', restored: true }]);
    log.dispose();
  });

  it('finds the text where edits had moved it, and follows it on', async () => {
    const { document } = await open('before\n[[1, 2], [3, 4]]\n');
    const store = memento();
    const told: SourceState[] = [];
    const first = createSourceTracker(store, (state) => told.push(state));
    const saved = source(document, '[[1, 2], [3, 4]]');
    first.follow(document, [saved.range]);
    await replace(document, 'before', 'long before');
    await until('the move to be saved', () =>
      JSON.stringify(store.get('explainAttention.source')).includes('"start":12'),
    );
    first.dispose();
    assert.equal(told.length, 0);

    const second = createSourceTracker(store, (state) => told.push(state));
    await second.resume(saved);
    assert.deepEqual(told, ['fresh']);
    const located = await second.locate();
    assert.deepEqual(
      located?.parts.map(({ start }) => start),
      [12],
    );
    await replace(document, '4', '5');
    await until('stale', () => told.at(-1) === 'stale');
    second.dispose();
  });

  it('says that the text changed meanwhile, or that its document is gone', async () => {
    const { document } = await open('[[1, 2], [3, 4]]');
    const told: SourceState[] = [];
    const tracker = createSourceTracker(memento(), (state) => told.push(state));
    await tracker.resume({ ...source(document, '[[1, 2], [3, 4]]'), textHash: hashText('[[0, 2], [3, 4]]') });
    assert.deepEqual(told, ['stale']);
    const gone = vscode.Uri.joinPath(document.uri.with({ scheme: 'file', path: '/' }), 'no such file.txt').toString();
    await tracker.resume({ ...source(document, '[[1'), uri: gone });
    assert.deepEqual(told, ['stale', 'gone']);
    await tracker.resume({ label: 'typed input', textHash: hashText('x') });
    assert.deepEqual(told, ['stale', 'gone']);
    assert.equal(await tracker.locate(), undefined);
    tracker.dispose();
  });
});
