// Selections of code and of pieces of literals, in a real editor: what is taken, what is refused, and what is said of the rest.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { explainAttention } from '../../../engine/index';
import { closeAll, explain, fakePanels, notifications, open, run, select, until } from './host';

const qkv = `import torch
Q = torch.tensor([[1., 0.], [0., 1.]])
K = torch.tensor([[1., 2.], [3., 4.]])
V = torch.tensor([[5., 6.], [7., 8.]])
`;
const block = `class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.c_attn = nn.Linear(d, 3 * d)

    def forward(self, x):
        return self.c_attn(x).chunk(3, dim=-1)
`;

describe('a selection of code', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const explained = (count = 1) =>
    until(`explanation ${count}`, () => {
      assert.deepEqual(errors.shown, []);
      return panels.opened.length > 0 && panels.page().got.filter(({ type }) => type === 'explain').length === count;
    });
  const selected = async (text: string, ...parts: string[]): Promise<void> => {
    await select(await open(text), ...parts);
    await run(explain);
    await explained();
  };
  /** What is not followed, with the line of the document where it stands. */
  const unfollowed = (): string[] =>
    (panels.explanation().unfollowed ?? []).map(({ line, message }) => `${line}: ${message}`);

  it('that begins inside a literal takes the whole literal, and says so', async () => {
    await selected('x = 1\nA = np.array([\n  [1, 2],\n  [3, 4],\n  [5, 6]])\n', '[3, 4],\n  [5, 6]])');
    assert.deepEqual(panels.explanation().spec.start, { from: 'x', x: [[1, 2], [3, 4], [5, 6]] }); // prettier-ignore
    assert.deepEqual(unfollowed(), ['2: The selection begins inside the literal of line 2: all of it is taken.']);
  });

  it('without a matrix is refused as code; one action, or the command, explains it as text', async () => {
    errors.choose('Explain It as Text');
    await select(await open(`# a layer\n${block}`), block);
    await run(explain);
    const shown = await until('the refusal', () => errors.shown[0]);
    assert.match(shown, /this is Python code/);
    assert.match(shown, /class Block \(lines 2 to 8\)/);
    await until('the text', () => panels.opened[0]?.page.got.some(({ type }) => type === 'explain'));
    assert.deepEqual(panels.explanation().spec.start, { from: 'text', text: block, tokenizer: 'words' });
    assert.equal(errors.shown.length, 1);
  });

  it('is explained as text by the command', async () => {
    await select(await open(qkv), 'Q = torch.tensor([[1., 0.], [0., 1.]])');
    await run('explainAttention.explainAsText');
    await explained();
    const { start } = panels.explanation().spec;
    assert.deepEqual(start, { from: 'text', text: 'Q = torch.tensor([[1., 0.], [0., 1.]])', tokenizer: 'words' });
  });

  it('that calls scaled_dot_product_attention with is_causal=True is explained by its steps: causal, in float32', async () => {
    const code = `${qkv}out = F.scaled_dot_product_attention(Q, K, V, is_causal=True)\n`;
    await selected(code, code);
    const { spec } = panels.explanation();
    assert.ok(spec.start.from === 'program');
    assert.deepEqual([spec.dtype, spec.start.steps.find(({ op }) => op === 'mask')?.line], ['float32', 5]);
    assert.deepEqual(unfollowed(), ['5: F is not imported here; read as torch.nn.functional']);
    const ran = explainAttention(spec);
    assert.ok(ran.ok);
    const output = (i: number, j: number): number => ran.value.value('output', [i, j]);
    // PyTorch 1.13: softmax((Q @ K.T / 2 ** 0.5).masked_fill(triu(ones(2, 2), 1).bool(), -inf), -1) @ V, float32.
    const torch = [[5, 6], [6.608859539031982, 7.608859539031982]]; // prettier-ignore
    for (const [i, row] of torch.entries())
      for (const [j, wanted] of row.entries()) assert.ok(Math.abs(output(i, j) - wanted) < 2e-6, `${output(i, j)}`);
    assert.equal(output(1, 0), Math.fround(output(1, 0)));
  });

  it('names MultiheadAttention and fused weights with their lines', async () => {
    const fused = '[[1., 2.], [3., 4.], [1., 2.], [3., 4.], [1., 2.], [3., 4.]]';
    const code = `# before\nX = torch.tensor([[1., 2.], [3., 4.]])\nmha = nn.MultiheadAttention(2, num_heads=2)\nin_proj_weight = torch.tensor(${fused})\nqkv = self.c_attn(X)\n`;
    await selected(code, code.slice(code.indexOf('X =')));
    assert.deepEqual(panels.explanation().spec.start, { from: 'x', x: [[1, 2], [3, 4]] }); // prettier-ignore
    const told = unfollowed();
    for (const wanted of [
      '3: nn.MultiheadAttention(2, num_heads=2) is not followed.',
      '4: in_proj_weight holds W_q, W_k and W_v in one: it is not split, and not followed.',
    ])
      assert.ok(told.includes(wanted), told.join('\n'));
    assert.ok(
      told.some((one) => /^5: .*c_attn/.test(one)),
      told.join('\n'),
    );
  });

  it('takes no older namesake that it does not use', async () => {
    const before = 'inputs = np.array([[1., 2.], [3., 4.]])\nquery = inputs[1]\n';
    const below = 'keys = np.array([[1., 0.], [0., 1.]])\nvalues = np.array([[1., 2.], [3., 4.]])\n';
    await select(await open(`import numpy as np\n${before}${below}`), below);
    await run(explain);
    const shown = await until('the refusal', () => errors.shown[0]);
    assert.match(shown, /keys, values without Q/);
  });

  it('in several places is refused with the lines of each in the document', async () => {
    const one = 'def one(x):\n    return softmax(x)';
    const editor = await open(`# a\n${one}\n\n\n# b\n${one.replace('one', 'two')}\n`);
    editor.selections = [new vscode.Selection(1, 0, 2, 21), new vscode.Selection(6, 0, 7, 21)];
    await run(explain);
    const shown = await until('the refusal', () => errors.shown[0]);
    assert.match(shown, /function one \(lines 2 to 3\), function two \(lines 7 to 8\)/);
  });

  it('of a notebook names the line in its cell, and the cell', async () => {
    const cells = ['import numpy as np\n', 'd = 2\nX = np.ones((2, 2)) * d', 'W_k = X @ np.eye(2)\nW_q = np.eye(2)\nW_v = np.eye(2)'].map(
      (text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python'),
    ); // prettier-ignore
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData(cells));
    const { document } = notebook.cellAt(2);
    await run(explain, { uri: document.uri.toString(), start: 0, end: document.getText().length });
    await explained();
    const { notes } = panels.explanation();
    assert.ok(
      notes.includes('X (2×2, 4 numbers) is taken from line 2 of cell 2, above the selection.'),
      notes.join('\n'),
    );
    assert.ok(
      notes.some((note) => note.startsWith('W_k is X @ np.eye(2), line 1, from line 2 of cell 2')),
      notes.join('\n'),
    );
  });
});
