import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, explain, fakePanels, goTo, notifications, open, run, select, sleep, until } from './host';

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
});
