import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CheckVerdict } from '../../../engine/index';
import { createFile } from './memory-files';
import { closeAll, explain, fakePanels, goTo, notifications, open, run, sleep, until } from './host';

const first = `import torch
inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                       [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])
torch.manual_seed(789)
W_q = torch.nn.Linear(3, 2, bias=False)
W_k = torch.nn.Linear(3, 2, bias=False)`;
const second = `scores = W_q(inputs) @ W_k(inputs).T
print(scores)`;
const third = `weights = torch.softmax(scores / 2**0.5, dim=-1)
context = weights @ inputs`;
/** What torch 1.13 prints. */
const printed = `tensor([[ 0.2899,  0.0716,  0.0760, -0.0138,  0.1344, -0.0511],
        [ 0.4656,  0.1723,  0.1751,  0.0259,  0.1771,  0.0085],
        [ 0.4594,  0.1703,  0.1731,  0.0259,  0.1745,  0.0090],
        [ 0.2642,  0.1024,  0.1036,  0.0186,  0.0973,  0.0122],
        [ 0.2183,  0.0874,  0.0882,  0.0177,  0.0786,  0.0144],
        [ 0.3408,  0.1270,  0.1290,  0.0198,  0.1290,  0.0078]],
       grad_fn=<MmBackward0>)
`;

interface Made {
  readonly text: string;
  readonly output?: string;
  readonly count?: number;
}

/** From a file: what is opened from data loses its outputs on the way to VS Code's window. */
async function notebookOf(...cells: readonly Made[]): Promise<vscode.NotebookDocument> {
  const made = cells.map(({ text, output, count }) => ({
    cell_type: 'code',
    source: text,
    metadata: {},
    execution_count: count ?? null,
    outputs: output === undefined ? [] : [{ output_type: 'stream', name: 'stdout', text: output }],
  }));
  const prose = { cell_type: 'markdown', source: '# Prose', metadata: {} };
  const metadata = { language_info: { name: 'python' } };
  const content = JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata, cells: [prose, ...made] });
  return vscode.workspace.openNotebookDocument(createFile(content, 'ipynb'));
}

describe('a notebook with attention', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  async function explainAt({ document }: vscode.NotebookCell, what: string): Promise<void> {
    const start = document.getText().indexOf(what);
    await run(explain, { uri: document.uri.toString(), start, end: start + 1, code: true });
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain')); // prettier-ignore
    assert.deepEqual(errors.shown, []);
  }
  const steps = (): readonly string[] => {
    const { start } = panels.explanation().spec;
    return start.from === 'program' ? start.steps.map((step) => `${step.name} ${'line' in step ? step.line : ''}`) : [];
  };
  const view = () => panels.page().got.findLast((message) => message.type === 'explain')?.view;

  it('says which step a cell has printed, with how many of its numbers, and has lines of its own cell alone', async () => {
    const notebook = await notebookOf({ text: first }, { text: second, output: printed.replace('0.2899', '0.2898') }, { text: third }); // prettier-ignore
    await explainAt(notebook.cellAt(2), 'scores');
    assert.match(panels.explanation().notes.join(), /Printed by cell 3 = step \d+, scores: 35 of 36 numbers agree\./);
    assert.deepEqual(steps().filter((step) => /\d$/.test(step)), ['W_q(inputs) 1', 'W_k(inputs) 1', 'scores 1']); // prettier-ignore
    await explainAt(notebook.cellAt(1), 'W_q');
    await until('the first cell', () => steps().includes('inputs 2'));
    assert.ok(!steps().some((step) => /^(?:scores|weights|context).* \d+$/.test(step)), steps().join());
  });

  it('has a lens above what printed a matrix, which leads to its step', async () => {
    const notebook = await notebookOf({ text: first }, { text: second, output: printed }, { text: third });
    const { document } = notebook.cellAt(2);
    await vscode.window.showNotebookDocument(notebook);
    let lens: vscode.CodeLens | undefined;
    for (let left = 100; left > 0 && !lens; left--) {
      const all = (await run('vscode.executeCodeLensProvider', document.uri)) as vscode.CodeLens[];
      lens = all.find(({ command }) => command?.title.startsWith('Printed'));
      await sleep(50);
    }
    assert.equal(lens?.command?.title, 'Printed: all 36 numbers match the code');
    assert.equal(lens.range.start.line, 1);
    await run(lens.command.command, ...(lens.command.arguments ?? []));
    await until('its step', () => panels.opened.length > 0 && view()?.step === 'scores');
  });

  it('says of what was printed before a change that the cell is to be run again, also where another cell was changed', async () => {
    const notebook = await notebookOf({ text: first }, { text: second, output: printed }, { text: third });
    const [{ document: cause }, { document }] = [notebook.cellAt(1), notebook.cellAt(2)];
    await vscode.window.showNotebookDocument(notebook);
    const title = async (of: RegExp): Promise<void> => {
      let titles: readonly string[] = [];
      for (let left = 100; left > 0 && !titles.some((one) => of.test(one)); left--) {
        titles = ((await run('vscode.executeCodeLensProvider', document.uri)) as vscode.CodeLens[]).map(
          ({ command }) => command?.title ?? '',
        );
        await sleep(50);
      }
      assert.ok(
        titles.some((one) => of.test(one)),
        titles.join(' | '),
      );
    };
    await title(/^Printed: all 36 numbers match the code$/);
    const edit = new vscode.WorkspaceEdit();
    const at = cause.getText().indexOf('789');
    edit.replace(cause.uri, new vscode.Range(cause.positionAt(at), cause.positionAt(at + 3)), '788');
    await vscode.workspace.applyEdit(edit);
    await title(/^Printed before the change: 0 of 36 numbers match the code as it is now\. Run the cell again$/);
  });

  it('has a lens that checks what a cell has printed, and names the line that is wrong', async () => {
    const folder = join(__dirname, '../../../test/fixtures/notebooks');
    const text = readFileSync(join(folder, '04-illustrated-integers.broken.ipynb'), 'utf8');
    const notebook = await vscode.workspace.openNotebookDocument(createFile(text, 'ipynb'));
    const { document } = notebook.cellAt(2);
    await vscode.window.showNotebookDocument(notebook);
    let lens: vscode.CodeLens | undefined;
    for (let left = 100; left > 0 && !lens; left--) {
      const all = (await run('vscode.executeCodeLensProvider', document.uri)) as vscode.CodeLens[];
      lens = all.find(({ command }) => command?.title === 'Check these numbers');
      await sleep(50);
    }
    assert.ok(lens?.command);
    await run(lens.command.command, ...(lens.command.arguments ?? []));
    await until('the check', () => panels.opened.length > 0 && panels.page().got.some((message) => message.type === 'explain' && message.explanation.checked));
    const { checked, beside } = panels.explanation();
    assert.equal(checked?.says, 'attn_scores_softmax is step 11, attn_scores_softmax, as the code computes it: every number, to 9 digits after the point.');
    assert.deepEqual([checked?.is, checked?.cell, view()?.step, view()?.cell], ['mistake', [2, 1], 'weights', [2, 1]]);
    const lines = checked?.findings.flatMap((one) => one.lines).join(' ') ?? '';
    assert.match(lines, /\[2, 1\] differs most: 0\.0804756962, right is 0\.754708\..*Mistake in cell 3, line 3: attn_scores_softmax = e \/ e\.sum\(\)/);
    assert.deepEqual(checked?.findings.flatMap(({ write }) => write), ['attn_scores_softmax = e / e.sum(axis=-1, keepdims=True)']);
    assert.equal(beside?.links?.there, 'Show standard attention');
    // From the palette too, with the cursor in the cell.
    const shown = panels.page().got.length;
    await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(2, 3)] });
    await run('notebook.cell.edit');
    await until('the cursor in the cell', () => vscode.window.activeTextEditor?.document === document);
    await run('explainAttention.checkNumbers');
    await until('the check again', () => panels.page().got.slice(shown).some((message) => message.type === 'explain' && message.explanation.checked !== undefined));
  }); // prettier-ignore

  it('is read in the order in which its cells ran, where the counts say all of it', async () => {
    const cells = [
      { text: third, count: 3 },
      { text: first, count: 1 },
      { text: second, count: 2 },
    ];
    const ran = await notebookOf(...cells);
    await explainAt(ran.cellAt(1), 'weights');
    assert.match(panels.explanation().notes.join(), /in the order in which they ran: 3, 4, 2\./);
    assert.ok(steps().includes('weights 1'), steps().join());
  });
});

describe('a number of attention code', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const code = `${first}\n${second}\n${printed.trim().replace(/^/gm, '# ')}\n${third}\nalone = 0.1290\nnone = 9.75\n`;
  const api = vscode.window as unknown as {
    showQuickPick: (items: readonly { label: string }[]) => Promise<unknown>;
    showInformationMessage: (message: string) => Promise<undefined>;
  };
  const shown = () => panels.page().got.findLast((message) => message.type === 'explain')?.view;

  it('leads from a comment to the cell of the step that was printed', async () => {
    const editor = await open(code);
    await goTo(editor, '0.4594');
    await run('explainAttention.explainNumber');
    await until('the cell', () => panels.opened.length > 0 && shown() !== undefined);
    assert.deepEqual(shown(), { step: 'scores', cell: [2, 0] });
    assert.deepEqual(errors.shown, []);
  });

  it('is chosen from a list where it stands more than once, and said to be none where it does not', async () => {
    const [pick, inform] = [api.showQuickPick, api.showInformationMessage];
    const [offered, said]: [string[], string[]] = [[], []];
    api.showQuickPick = (items) => (offered.push(...items.map(({ label }) => label)), Promise.resolve(items[1]));
    api.showInformationMessage = (message) => (said.push(message), Promise.resolve(undefined));
    try {
      const editor = await open(code);
      await goTo(editor, '0.1290\nnone');
      await run('explainAttention.explainNumber');
      await until('the cell', () => panels.opened.length > 0 && shown() !== undefined);
      await goTo(editor, '9.75');
      await run('explainAttention.explainNumber');
      await until('the answer', () => said.length > 0);
    } finally {
      [api.showQuickPick, api.showInformationMessage] = [pick, inform];
    }
    assert.deepEqual(offered.map((label) => label.split(' = ')[0]), ['scores[5, 2]', 'scores[5, 4]']); // prettier-ignore
    assert.deepEqual(shown(), { step: 'scores', cell: [5, 4] });
    assert.deepEqual(said, ['No number of a step is printed as 9.75.']);
  });
});

describe('a result in a program’s comments', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const folder = join(__dirname, '../../../test/fixtures/notebooks');
  const checkedAt = async (name: string): Promise<CheckVerdict> => {
    const editor = await open(readFileSync(join(folder, name), 'utf8'));
    await goTo(editor, '# [[');
    await run('explainAttention.checkNumbers');
    await until('the check', () => panels.opened.length > 0 && panels.page().got.some((message) => message.type === 'explain' && message.explanation.checked));
    assert.deepEqual(errors.shown, []);
    return panels.explanation().checked ?? assert.fail();
  }; // prettier-ignore

  it('is a step of the code, and the code’s mistake is named with its line', async () => {
    const { says, is, findings } = await checkedAt('own-broken.py');
    assert.equal(says, 'attn is step 11, attn, as the code computes it: every number, to 4 digits after the point.');
    assert.equal(is, 'mistake');
    assert.match(
      findings.flatMap(({ lines }) => lines).join(' '),
      /Mistake in line 12: attn = softmax\(scores, axis=0\)/,
    );
  });

  it('is older than the code', async () => {
    const { says, is, findings } = await checkedAt('older-broken.py');
    assert.deepEqual([is, /is no step of the code as it stands/.test(says)], ['none', true]);
    assert.match(findings.flatMap(({ lines }) => lines).join(' '), /Softmax goes over the queries instead of the keys/);
  });

  it('has a lens', async () => {
    const { document } = await open(readFileSync(join(folder, 'own-broken.py'), 'utf8'));
    let titles: readonly (string | undefined)[] = [];
    for (let left = 100; left > 0 && !titles.includes('Check these numbers'); left--) {
      const all = (await run('vscode.executeCodeLensProvider', document.uri)) as vscode.CodeLens[];
      titles = all.map(({ command }) => command?.title);
      await sleep(50);
    }
    assert.equal(titles.filter((title) => title === 'Check these numbers').length, 2);
  });
});
