import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createExplainer, type Explainer } from '../../../extension/explain/explainer';
import type { Panel } from '../../../extension/panel/panel';
import type { Report } from '../../../extension/host/report';
import type { SourceTracker } from '../../../extension/documents/source';
import {
  closeAll,
  noPrograms,
  explain,
  fakePanels,
  goTo,
  notifications,
  open,
  rangeOf,
  run,
  select,
  show,
  sleep,
  until,
} from './host';
import { createFile } from './memory-files';

const [follow, pin] = ['explainAttention.follow', 'explainAttention.pin'];
/** Longer than a selection has to stand still. */
const settled = (): Promise<void> => sleep(800);

describe('following the selection', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const text = (): string | undefined => {
    const { start } = panels.explanation().spec;
    return start.from === 'text' ? start.text : undefined;
  };
  const explanations = (): number => panels.page().got.filter(({ type }) => type === 'explain').length;
  /** An editor with what the panel shows first. */
  async function begin(content: string, first: string): Promise<vscode.TextEditor> {
    const editor = await open(content);
    await select(editor, first);
    await run(explain);
    await until('the explanation', () => explanations() === 1);
    return editor;
  }

  it('is off until it is asked for', async () => {
    const editor = await begin('The cat sat\non the mat\n', 'The cat sat');
    await select(editor, 'on the mat');
    await settled();
    assert.equal(explanations(), 1);
  });

  it('shows what is selected, the focus stays, and a pin ends it', async () => {
    const editor = await begin('The cat sat\non the mat\nin a hat\n', 'The cat sat');
    await run(follow);
    const reveals = panels.page().reveals();
    await select(editor, 'on the mat');
    await until('the selection', () => text() === 'on the mat');
    assert.equal(panels.page().reveals(), reveals, 'the panel is not brought to the front');
    assert.equal(vscode.window.activeTextEditor, editor);
    await run(pin);
    await select(editor, 'in a hat');
    await settled();
    assert.equal(text(), 'on the mat');
  });

  it('waits until the selection stands still', async () => {
    const editor = await begin('one two\nthree four\nfive six\nseven eight\n', 'one two');
    await run(follow);
    await settled();
    const before = explanations();
    for (const part of ['three four', 'five six', 'seven eight']) await select(editor, part);
    await until('the last', () => text() === 'seven eight');
    await settled();
    assert.equal(explanations(), before + 1);
  });

  it('follows the cursor from matrix to matrix, and leaves alone what is none', async () => {
    const editor = await begin('a = [[1, 2], [3, 4]]\nb = [[5, 6]]\nwords\nc = [[1, 2], [3]]\n', '[[1, 2], [3, 4]]');
    await run(follow);
    await goTo(editor, '5, 6');
    await until('b', () => {
      const { start } = panels.explanation().spec;
      return start.from === 'x' && JSON.stringify(start.x) === '[[5,6]]';
    });
    const count = explanations();
    await goTo(editor, 'words');
    await settled();
    await goTo(editor, '3]]');
    await settled();
    assert.equal(explanations(), count);
    assert.deepEqual(errors.shown, [], 'a ragged matrix under the cursor is no news');
  });

  it('does not follow what the panel itself shows in the editor', async () => {
    const editor = await begin('say: The cat sat\n', 'The cat sat');
    await run(follow);
    await settled();
    const count = explanations();
    panels.page().say({ type: 'reveal', start: 4, end: 7 });
    await until('the cat', () => editor.document.getText(editor.selection) === 'cat');
    await settled();
    assert.equal(explanations(), count);
  });

  it('is what new panels do when the setting says so', async () => {
    const settings = vscode.workspace.getConfiguration('explainAttention');
    await settings.update('followSelection', true, vscode.ConfigurationTarget.Global);
    try {
      const editor = await begin('The cat sat\non the mat\n', 'The cat sat');
      await select(editor, 'on the mat');
      await until('the selection', () => text() === 'on the mat');
    } finally {
      await settings.update('followSelection', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('follows the editor that comes to the front, with what is selected there', async () => {
    const first = await begin('The cat sat\n', 'The cat sat');
    await select(await open('on the mat\n'), 'on the mat');
    await show(first.document);
    await run(follow);
    await settled();
    assert.equal(text(), 'The cat sat');
    const [other] = vscode.workspace.textDocuments.filter((document) => document.getText() === 'on the mat\n');
    assert.ok(other);
    await show(other);
    await until('the other', () => text() === 'on the mat');
  });

  it('shows a selection again after a file of tensors was shown in its place', async () => {
    const editor = await begin('The cat sat\non the mat\n', 'The cat sat');
    await run('explainAttention.openTensorFile', createFile('1,2\n3,4\n', 'csv'));
    await until('the tensor', () => panels.explanation().spec.start.from === 'x');
    await run(follow);
    await select(editor, 'on the mat');
    await until('the selection', () => text() === 'on the mat');
    await run('explainAttention.openTensorFile', createFile('1,2\n3,4\n', 'csv'));
    await until('the tensor', () => panels.explanation().spec.start.from === 'x');
    await goTo(editor, 'The cat');
    await select(editor, 'on the mat');
    await until('the selection, once more', () => text() === 'on the mat');
  });

  describe('while one that takes its time is read', () => {
    const row = `[${Array.from({ length: 400 }, (_, i) => `0.${i + 10_000}`).join(', ')}]`;
    const long = Array.from({ length: 52 }, () => row).join(',\n');
    const log = { info: () => undefined, warn: () => undefined } as unknown as vscode.LogOutputChannel;
    const labels: string[] = [];
    const page: Panel = {
      open: () => undefined,
      isOpen: () => true,
      send: (message) => void (message.type === 'explain' && labels.push(message.explanation.source.label)),
    };
    const parts = { follow: () => undefined, stop: () => undefined } as unknown as SourceTracker;
    const memento = {} as vscode.Memento;
    const report: Report = {
      log,
      problems: () => undefined,
      bug: (doing, error) => assert.fail(`${doing}: ${String(error)}`),
    };
    let explainer: Explainer;
    let reading: Promise<void>;
    let editor: vscode.TextEditor;

    /** Without waiting for VS Code to confirm it: reading goes on meanwhile. */
    const selectNow = (what: string): void => {
      const { start, end } = rangeOf(editor.document, what);
      editor.selection = new vscode.Selection(start, what === 'words' ? start : end);
    };

    beforeEach(async () => {
      labels.splice(0);
      explainer = createExplainer({ readModelFile: () => Promise.reject(new Error("none")), panel: page, tracker: parts, programs: noPrograms, showsProgram: () => undefined, report, memento }); // prettier-ignore
      editor = await open(`words\nb = [[5, 6]]\na = [\n${long}\n]\n`);
      await select(editor, `[\n${long}\n]`);
      reading = explainer.follow(editor);
      await Promise.resolve();
      assert.deepEqual(labels, [], 'it is being read');
    });

    it('it is shown though the cursor has moved to where nothing stands', async () => {
      selectNow('words');
      await Promise.all([explainer.follow(editor), reading]);
      assert.deepEqual(labels.map(line), [3]);
    });

    it('it is not shown after what was selected later', async () => {
      selectNow('[[5, 6]]');
      await Promise.all([explainer.follow(editor), reading]);
      assert.equal(labels.map(line).at(-1), 2);
    });

    it('it is not shown after what a command has explained meanwhile', async () => {
      const { start, end } = rangeOf(editor.document, '[[5, 6]]');
      const { document } = editor;
      const target = { uri: document.uri.toString(), start: document.offsetAt(start), end: document.offsetAt(end) };
      await Promise.all([explainer.explain(target), reading]);
      // On a slow machine the long one may have been read before: it is what comes last that counts.
      assert.equal(labels.map(line).at(-1), 2);
    });

    it('it is not shown after a file of tensors', async () => {
      explainer.replaced();
      await reading;
      assert.deepEqual(labels, []);
    });
  });
});

const line = (label: string): number => Number(label.split(':').at(-1));
