import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { textDefaults, type AttentionSpec } from '../../../engine/index';
import type { HostMessage } from '../../../webview/protocol';
import { closeAll, explain, fakePanels, goTo, notifications, open, run, select, until } from './host';
import { createFile } from './memory-files';

const openExplanation = 'explainAttention.openExplanation';
const spec: AttentionSpec = {
  ...textDefaults,
  start: { from: 'text', text: 'The cat sat', tokenizer: 'words' },
  mask: 'causal',
  heads: 2,
};
const view = { step: 'weights', cell: [2, 1], slice: { batch: 0, head: 1 }, digits: 6 };
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

describe('a spec in a document', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const last = async (): Promise<Extract<HostMessage, { type: 'explain' }>> => {
    await until('the explanation', () => panels.opened[0]?.page.got.some(({ type }) => type === 'explain'));
    const found = panels.page().got.findLast((message) => message.type === 'explain');
    assert.ok(found?.type === 'explain');
    return found;
  };

  it('is explained as that spec when it is selected', async () => {
    const editor = await open(`before\n${pretty(spec)}after\n`, 'plaintext');
    await select(editor, pretty(spec).trimEnd());
    await run(explain);
    assert.deepEqual((await last()).explanation.spec, spec);
    assert.deepEqual(panels.explanation().notes, []);
  });

  it('is explained as a whole when its file is open, wherever the cursor stands', async () => {
    const editor = await open(pretty({ ...spec, embedding: { from: 'random' } }), 'json');
    await goTo(editor, '"dModel"');
    await run(explain);
    assert.deepEqual((await last()).explanation.spec, { ...spec, embedding: { from: 'random' } });
    assert.match(panels.explanation().source.label, /\.json:1$/);
  });

  it('keeps its own tokenizer, whatever the setting is', async () => {
    const settings = vscode.workspace.getConfiguration('explainAttention');
    await settings.update('tokenizer', 'bytes', vscode.ConfigurationTarget.Global);
    try {
      await open(pretty(spec), 'json');
      await run(explain);
      assert.deepEqual((await last()).explanation.spec.start, spec.start);
    } finally {
      await settings.update('tokenizer', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('is opened from the Explorer with what was looked at', async () => {
    await run(openExplanation, createFile(pretty({ spec, view }), 'attention.json'));
    const message = await last();
    assert.deepEqual(message.explanation.spec, spec);
    assert.deepEqual(message.view, view);
    assert.deepEqual(errors.shown, []);
  });

  it('is read again when the page asks', async () => {
    const editor = await open(pretty(spec), 'json');
    await run(explain);
    await last();
    const at = editor.document.getText().indexOf('cat');
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(editor.document.positionAt(at), editor.document.positionAt(at + 3));
    edit.replace(editor.document.uri, range, 'dog');
    assert.ok(await vscode.workspace.applyEdit(edit));
    panels.page().say({ type: 'recompute' });
    await until('the new text', () => {
      const { start } = panels.explanation().spec;
      return start.from === 'text' && start.text === 'The dog sat';
    });
  });

  it('with a field that is none names its line and column', async () => {
    await run(openExplanation, createFile(pretty({ ...spec, heads: 'two' }), 'attention.json'));
    assert.match(errors.shown[0] ?? '', /heads: expected a number, found "two" \(.*, line \d+, column 12\)/);
    assert.equal(panels.opened.length, 0);
  });

  it('with a view that is none is explained without it, and says so', async () => {
    await run(openExplanation, createFile(pretty({ spec, view: { cell: 'x' } }), 'attention.json'));
    const message = await last();
    assert.equal(message.view, undefined);
    assert.match(message.explanation.notes[0] ?? '', /view\.cell/);
  });

  it('that is none is said to be none', async () => {
    await run(openExplanation, createFile('{"a": 1}\n', 'attention.json'));
    assert.match(errors.shown[0] ?? '', /no spec/);
    assert.equal(panels.opened.length, 0);
  });

  it('leaves other JSON to be read as what it is', async () => {
    const editor = await open('{"weights": [[1, 0], [0, 1]]}\n', 'json');
    await goTo(editor, '1, 0');
    await run(explain);
    const { start } = (await last()).explanation.spec;
    assert.equal(start.from, 'x');
  });
});
