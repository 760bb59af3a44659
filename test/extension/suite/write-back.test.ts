import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SpecNumber } from '../../../engine/index';
import type { PageMessage } from '../../../webview/protocol';
import { closeAll, explain, fakePanels, notifications, open, replace, run, select, until } from './host';

const matrix = 'np.array([[1.0, 2.0],   # first\n              [3.0, 4.0]])';

describe('writing back', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const explained = (count: number) =>
    until(`explanation ${count}`, () => panels.page().got.filter((m) => m.type === 'explain').length === count);

  async function start(content: string, selected: string): Promise<vscode.TextDocument> {
    const editor = await open(content);
    await select(editor, selected);
    await run(explain);
    await explained(1);
    return editor.document;
  }

  function message(now: readonly SpecNumber[]): PageMessage {
    const { textHash = '' } = panels.explanation().source;
    const written = { role: 'x', symbol: 'X', shape: [2, 2], was: [1, 2, 3, 4], now };
    return { type: 'writeBack', textHash, matrices: [written] };
  }

  it('changes just the numbers, in one step of undo, and explains what stands there then', async () => {
    const document = await start(`import numpy as np\nX = ${matrix}\nafter = 1\n`, `X = ${matrix}`);
    panels.page().say(message([1, 2.5, 3, '-inf']));
    await explained(2);
    const written = matrix.replace('2.0', '2.5').replace('4.0', '-np.inf');
    assert.equal(document.getText(), `import numpy as np\nX = ${written}\nafter = 1\n`);
    assert.deepEqual(panels.explanation().spec.start, {
      from: 'x',
      x: [
        [1, 2.5],
        [3, '-inf'],
      ],
    });
    await run('undo');
    await until('the text as it was', () => document.getText().includes(matrix));
    assert.deepEqual(errors.shown, []);
  });

  it('keeps the line ends of the document', async () => {
    const document = await start('X = [[1, 2],\r\n     [3, 4]]\r\n', '[[1, 2],\r\n     [3, 4]]');
    panels.page().say(message([9, 2, 3, 4]));
    await explained(2);
    assert.equal(document.getText(), 'X = [[9, 2],\r\n     [3, 4]]\r\n');
  });

  it('writes nothing into a text that is not what was explained, says so and offers a copy', async () => {
    const document = await start('X = [[1, 2], [3, 4]]\n', '[[1, 2], [3, 4]]');
    const old = message([9, 2, 3, 4]);
    await replace(document, '4', '40');
    errors.choose('Copy');
    panels.page().say(old);
    await until('the message', () => errors.shown.length === 1);
    assert.match(errors.shown[0] ?? '', /the text is not what was explained any more .*Recompute/);
    assert.equal(document.getText(), 'X = [[1, 2], [3, 40]]\n');
    await until('the copy', () => errors.shown.length === 1);
    let copied = '';
    for (let i = 0; i < 50 && !copied.includes('9.0'); i++) copied = await vscode.env.clipboard.readText();
    assert.equal(copied, 'X = np.array([[9.0, 2.0],\n              [3.0, 4.0]])');
  });

  it('says where a matrix was computed rather than written', async () => {
    const text = 'X = [[1, 2], [3, 4]]\nY = [[5, 6], [7, 8]]\n';
    const document = await start(text, '[[1, 2], [3, 4]]');
    const { textHash = '' } = panels.explanation().source;
    const matrices = [{ role: 'wq', symbol: 'W_q', shape: [2, 2], was: [0, 0, 0, 0], now: [0, 0, 0, 1] }];
    panels.page().say({ type: 'writeBack', textHash, matrices });
    await until('the message', () => errors.shown.length === 1);
    assert.match(errors.shown[0] ?? '', /no literal of the selection has the numbers of W_q \(2×2\)/);
    assert.equal(document.getText(), text);
  });
});
