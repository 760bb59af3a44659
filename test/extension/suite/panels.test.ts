import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createController } from '../../../extension/panels/controller';
import { createControllers, type PanelControllers } from '../../../extension/panels/controllers';
import { createReport } from '../../../extension/host/report';
import type { Explanation, SourceState } from '../../../webview/protocol';
import {
  closeAll,
  explain,
  extensionId,
  fakePage,
  noPrograms,
  fakePanels,
  inputBoxes,
  notifications,
  open,
  replace,
  run,
  select,
  until,
  type FakePage,
} from './host';

const inNewPanel = 'explainAttention.explainInNewPanel';

const shown = ({ got }: FakePage): Explanation | undefined => {
  const last = got.findLast((message) => message.type === 'explain');
  return last?.type === 'explain' ? last.explanation : undefined;
};

const textIn = (page: FakePage | undefined): string | undefined => {
  const start = page && shown(page)?.spec.start;
  return start?.from === 'text' ? start.text : undefined;
};

const states = ({ got }: FakePage): SourceState[] =>
  got.flatMap((message) => (message.type === 'source' ? [message.state] : []));

describe('several panels', () => {
  const panels = fakePanels();
  const errors = notifications();
  inputBoxes();
  afterEach(closeAll);

  /** Explains a text of the editor with a command. */
  async function explainText(editor: vscode.TextEditor, text: string, command: string): Promise<void> {
    await select(editor, text);
    await run(command);
  }
  const page = (i: number): FakePage => {
    const found = panels.opened[i]?.page;
    assert.ok(found, `panel ${i}`);
    return found;
  };

  it('open on different inputs, each with a title of its own', async () => {
    const editor = await open('The cat sat\non the mat\n');
    await explainText(editor, 'The cat sat', explain);
    await explainText(editor, 'on the mat', inNewPanel);
    assert.equal(panels.opened.length, 2);
    await until('both', () => textIn(page(0)) === 'The cat sat' && textIn(page(1)) === 'on the mat');
    const name = editor.document.uri.path.slice(1);
    assert.deepEqual(
      panels.opened.map(({ page }) => page.panel.title),
      [`Attention: ${name}:1`, `Attention: ${name}:2`],
    );
  });

  it('follow each its own source', async () => {
    const editor = await open('The cat sat\non the mat\n');
    await explainText(editor, 'The cat sat', explain);
    await explainText(editor, 'on the mat', inNewPanel);
    await until('both', () => shown(page(0)) && shown(page(1)));
    await replace(editor.document, 'mat', 'hat');
    await until('the second to be stale', () => states(page(1)).at(-1) === 'stale');
    assert.deepEqual(
      states(page(0)).filter((state) => state !== 'fresh'),
      [],
    );
    page(1).say({ type: 'recompute' });
    await until('the second anew', () => textIn(page(1)) === 'on the hat');
    assert.equal(textIn(page(0)), 'The cat sat');
  });

  it('are used again in the order of their last use', async () => {
    const editor = await open('one two\nthree four\nfive six\nseven eight\n');
    await explainText(editor, 'one two', explain);
    await explainText(editor, 'three four', inNewPanel);
    await explainText(editor, 'five six', explain);
    await until('the newer one', () => textIn(page(1)) === 'five six');
    page(0).activate();
    await explainText(editor, 'seven eight', explain);
    await until('the older one', () => textIn(page(0)) === 'seven eight');
    assert.equal(textIn(page(1)), 'five six');
    page(0).close();
    await explainText(editor, 'one two', explain);
    await until('the one that is left', () => textIn(page(1)) === 'one two');
    assert.equal(panels.opened.length, 2);
  });

  it('with bad input open none', async () => {
    const editor = await open('[[1, 2], [3]]\n');
    await explainText(editor, '[[1, 2], [3]]', inNewPanel);
    assert.equal(errors.shown.length, 1);
    assert.equal(panels.opened.length, 0);
  });

  it('all take up changed settings', async () => {
    const editor = await open('The cat sat\non the mat\n');
    await explainText(editor, 'The cat sat', explain);
    await explainText(editor, 'on the mat', inNewPanel);
    const settings = vscode.workspace.getConfiguration('explainAttention');
    await settings.update('digits', 3, vscode.ConfigurationTarget.Global);
    try {
      const has = ({ got }: FakePage): boolean =>
        got.some((message) => message.type === 'settings' && message.settings.digits === 3);
      await until('both to know', () => has(page(0)) && has(page(1)));
    } finally {
      await settings.update('digits', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

describe('several panels after a reload of the window', () => {
  const panels = fakePanels();
  afterEach(closeAll);
  const closing: vscode.Disposable[] = [];
  afterEach(() => closing.splice(0).forEach((one) => one.dispose()));

  /** What a window has of controllers; two of them with one memento are a window before and after its reload. */
  function window(memento: vscode.Memento): PanelControllers {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension);
    const log = vscode.window.createOutputChannel('suite', { log: true });
    closing.push(log);
    const report = createReport(log, () => undefined);
    const parts = {
      extensionUri: extension.extensionUri,
      memento,
      report,
      programs: noPrograms,
      along: () => [],
      guarded:
        <A extends readonly unknown[]>(_: string, act: (...args: A) => unknown) =>
        async (...args: A): Promise<void> => {
          await act(...args);
        },
    };
    return createControllers((id, events) => {
      const controller = createController(id, parts, events);
      closing.push(controller);
      return controller;
    });
  }

  function memento(): vscode.Memento {
    const values = new Map<string, unknown>();
    return {
      keys: () => [...values.keys()],
      get: <T>(key: string, initial?: T) => (values.get(key) as T | undefined) ?? initial,
      update: (key: string, value: unknown) => {
        if (value === undefined) values.delete(key);
        else values.set(key, JSON.parse(JSON.stringify(value)));
        return Promise.resolve();
      },
    } as vscode.Memento;
  }

  const idOf = ({ panel }: FakePage): string =>
    /<body data-panel="([0-9a-f]{32})">/.exec(panel.webview.html)?.[1] ?? '';

  it('know each its own source again, where edits had moved it', async () => {
    const editor = await open('before\nThe cat sat\non the mat\n');
    const store = memento();
    const first = window(store);
    await select(editor, 'The cat sat');
    await first.fresh().explainer.explain(undefined);
    await select(editor, 'on the mat');
    await first.fresh().explainer.explain(undefined);
    const old = panels.opened.map(({ page }) => page);
    await until('both', () => old.length === 2 && old.every((page) => shown(page)));
    const ids = old.map(idOf);
    assert.equal(new Set(ids).size, 2);
    assert.ok(ids.every((id) => id !== ''));
    await replace(editor.document, 'before', 'long before');
    const saved = (): string => JSON.stringify(store.keys().map((key) => store.get(key)));
    await until('the moves to be saved', () => saved().includes('"start":12') && saved().includes('"start":24'));

    // In another order than they were opened in, and the page of a window that is gone tells nobody.
    const second = window(store);
    const again = old.map(() => fakePage());
    for (const i of [1, 0]) await second.deserializeWebviewPanel((again[i] as FakePage).panel, { panel: ids[i] });
    again.forEach((page, i) => {
      const explanation = shown(old[i] as FakePage);
      assert.ok(explanation);
      page.say({ type: 'ready', restored: true, source: explanation.source });
    });
    await until('both to be fresh', () => again.every((page) => states(page).at(-1) === 'fresh'));
    assert.deepEqual(
      again.map(({ panel }) => panel.title.replace(/^.*:/, '')),
      ['2', '3'],
    );
    assert.deepEqual(again.map(idOf), ids, 'they keep their names');
    again[0]?.say({ type: 'reveal', start: 4, end: 7 });
    await until('the cat', () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.getText(active.selection) === 'cat';
    });
    await replace(editor.document, 'mat', 'hat');
    await until('the second to be stale', () => states(again[1] as FakePage).at(-1) === 'stale');
    assert.equal(states(again[0] as FakePage).at(-1), 'fresh');
  });

  it('forget what was kept for a panel that its reader closed', async () => {
    const editor = await open('The cat sat\n');
    const store = memento();
    await select(editor, 'The cat sat');
    await window(store).fresh().explainer.explain(undefined);
    await until('something to be kept', () => store.keys().length > 0);
    panels.page().close();
    await until('nothing to be kept', () => store.keys().length === 0);
  });

  it('take no name from a page but one of ours', async () => {
    const controllers = window(memento());
    for (const state of [undefined, null, 7, {}, { panel: '"><script>' }, { panel: 'x'.repeat(32) }]) {
      const page = fakePage();
      await controllers.deserializeWebviewPanel(page.panel, state);
      assert.match(idOf(page), /^[0-9a-f]{32}$/);
    }
    assert.equal(controllers.all().length, 6);
  });
});
