import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProgramStep } from '../../../engine/spec';
import { closeAll, explain, fakePanels, goTo, notifications, open, rangeOf, replace, run, select, until } from './host';

/** Two calls of a class, and one function that nobody calls. Numbers of the first: rasbt's chapter 3, SelfAttention_v2 with seed 789. */
const code = `import torch
import torch.nn as nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                       [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])
torch.manual_seed(789)
out = SelfAttention(3, 2)(inputs)
small = SelfAttention(3, 2)(inputs[:2])
`;

describe('the attention of Python code, explained where it stands', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const steps = (): readonly ProgramStep[] => {
    const { start } = panels.explanation().spec;
    return start.from === 'program' ? start.steps : [];
  };
  const explained = (): boolean => panels.page().got.some(({ type }) => type === 'explain');
  const messages = () => panels.page().got;
  async function explainAt(text: string, what: string): Promise<vscode.TextEditor> {
    const editor = await open(text);
    await goTo(editor, what);
    await run(explain);
    await until('an explanation', explained);
    return editor;
  }

  it('is that of the line with the cursor, by the steps of the code, and begins at that line', async () => {
    await explainAt(code, 'attn_scores = ');
    assert.deepEqual(
      steps().filter(({ op }) => op !== 'given').map(({ name, line }) => `${name} ${line}`),
      ['x 24', 'queries 13', 'keys 12', 'values 14', 'attn_scores 15', 'Z 16', 'attn_weights 16', 'context_vec 17'],
    ); // prettier-ignore
    const last = messages().findLast((message) => message.type === 'explain');
    assert.ok(last?.type === 'explain');
    assert.equal(last.view?.step, 'scores');
    assert.match(last.explanation.source.label, /:1[2-7]$/);
    assert.match(last.explanation.notes.join(' '), /Attention 2 of 2/);
    assert.deepEqual(errors.shown, []);
  });

  it('is explained where a whole class is selected, which was prose before', async () => {
    const editor = await open(code);
    await select(editor, code.slice(code.indexOf('class'), code.indexOf('inputs =')));
    await run(explain);
    await until('an explanation', explained);
    assert.equal(panels.explanation().spec.start.from, 'program');
  });

  it('is the last of the code where none is computed at the cursor, and says so', async () => {
    await explainAt(code, 'import torch.nn');
    const { spec, notes } = panels.explanation();
    assert.equal(spec.start.from === 'program' && spec.start.tokens.queries, 2);
    assert.match(notes[0] ?? '', /^At the cursor there is no attention. Shown is: lines 15 to 17: 2×2/);
    assert.match(notes[1] ?? '', /^Attention 2 of 2/);
  });

  it('leaves a matrix that is selected what it is', async () => {
    const editor = await open(code);
    const literal = code.slice(code.indexOf('[[0.43'), code.indexOf('])\n') + 1);
    await select(editor, literal.slice(0, literal.lastIndexOf(']') + 1));
    await run(explain);
    await until('an explanation', explained);
    assert.equal(panels.explanation().spec.start.from, 'x');
  });

  it('shows another of them where it is chosen, the last one first', async () => {
    await explainAt(code, 'attn_scores = ');
    const api = vscode.window as unknown as {
      showQuickPick: (items: readonly { label: string }[]) => Promise<unknown>;
    };
    const original = api.showQuickPick;
    const offered: string[] = [];
    api.showQuickPick = (items) => {
      offered.push(...items.map(({ label }) => label));
      return Promise.resolve(items[1]);
    };
    try {
      await run('explainAttention.chooseAttention');
    } finally {
      api.showQuickPick = original;
    }
    assert.deepEqual(
      offered.map((label) => /\d×\d/.exec(label)?.[0]),
      ['2×2', '6×6'],
    );
    await until('the other', () => panels.explanation().notes.join(' ').includes('Attention 1 of 2'));
  });

  it('goes to the step of the line on which the caret is put, and shows the line of a step', async () => {
    const editor = await explainAt(code, 'attn_scores = ');
    panels.page().say({ type: 'step', step: 'scores', reveal: false });
    const { start } = rangeOf(editor.document, 'context_vec = ');
    editor.selection = new vscode.Selection(start, start);
    await until('the step', () => messages().some(({ type }) => type === 'goTo'));
    const went = messages().findLast(({ type }) => type === 'goTo');
    assert.deepEqual(went, { type: 'goTo', step: 'output' });
    assert.equal(editor.selection.active.line, start.line);
    panels.page().say({ type: 'step', step: 'weights', reveal: true });
    await until('its line', () => editor.document.getText(editor.selection).startsWith('torch.softmax(attn_scores'));
  });

  it('follows an edit of the code, and stays at the step and the cell that are looked at', async () => {
    const editor = await explainAt(code, 'attn_scores = ');
    panels.page().say({ type: 'step', step: 'weights', cell: [1, 1], reveal: false });
    await replace(editor.document, 'import torch\n', '# a line more\nimport torch\n');
    await replace(editor.document, 'inputs[:2]', 'inputs[:3]');
    await until('the new shape', () => {
      const { start } = panels.explanation().spec;
      return start.from === 'program' && start.tokens.queries === 3;
    });
    const last = messages().findLast((message) => message.type === 'explain');
    assert.deepEqual(last?.type === 'explain' && last.view, { step: 'weights', cell: [1, 1] });
    const before = messages().length;
    // An unfinished line changes nothing that is shown.
    await replace(editor.document, 'attn_weights @ values', 'attn_weights @ ');
    await new Promise((done) => setTimeout(done, 1500));
    assert.ok(
      messages()
        .slice(before)
        .every(({ type }) => type !== 'problems'),
    );
  });

  it('says where no attention is computed, and goes on as before', async () => {
    const editor = await open(
      `import numpy as np\ndef softmax(x):\n    return np.exp(x) / np.exp(x).sum()\nQ = [[1, 2], [3, 4]]\n`,
    );
    await goTo(editor, '[1, 2]');
    await run(explain);
    await until('an explanation', explained);
    assert.equal(panels.explanation().spec.start.from, 'x');
    assert.match(JSON.stringify(panels.explanation().unfollowed), /No attention was found/);
  });
});
