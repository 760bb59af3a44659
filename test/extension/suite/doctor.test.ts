import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { planOf } from '../../../engine/index';
import { createFile } from './memory-files';
import { closeAll, fakePanels, notifications, open, replace, run, sleep, until } from './host';
import { withSetting } from './hover-support';

/** Softmax over the queries, twice as wrong as it looks: the weights of a query do not sum to 1. */
const code = `import torch
torch.manual_seed(3)
q, k, v = (torch.randn(5, 4) for _ in range(3))
scores = q @ k.T / 4 ** 0.5
weights = torch.softmax(scores, dim=0)
out = weights @ v
`;

const own = ({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Explain Attention');

/** Waits until a document has so many of ours: it is read elsewhere, some time after the last key. */
async function diagnosed(document: vscode.TextDocument, count: number): Promise<readonly vscode.Diagnostic[]> {
  for (let left = 200; left > 0 && own(document).length !== count; left--) await sleep(50);
  assert.equal(own(document).length, count);
  return own(document);
}

const actionsAt = async (document: vscode.TextDocument, range: vscode.Range): Promise<readonly vscode.CodeAction[]> =>
  (await run('vscode.executeCodeActionProvider', document.uri, range)) as vscode.CodeAction[];

describe('the doctor of code, in the editor', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  notifications();
  afterEach(closeAll);

  it('marks the expression, says the numbers before and after, and mends the line', async () => {
    const { document } = await open(code);
    const [found] = await diagnosed(document, 1);
    assert.ok(found);
    assert.equal(document.getText(found.range), 'torch.softmax(scores, dim=0)');
    assert.equal(found.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(found.code, 'softmax-axis');
    assert.match(found.message, /over the queries.*weight \d\.\d{4}, in standard attention \d\.\d{4}\./);
    const actions = await actionsAt(document, found.range);
    const mend = actions.find(({ title }) => title === 'Run softmax over the keys, the last axis');
    assert.ok(mend?.edit && mend.isPreferred);
    assert.ok(await vscode.workspace.applyEdit(mend.edit));
    assert.ok(document.getText().includes('torch.softmax(scores, dim=-1)'));
    await diagnosed(document, 0);
  });

  it('opens the attention at that step, with standard attention one click away', async () => {
    const { document } = await open(code);
    const [found] = await diagnosed(document, 1);
    assert.ok(found);
    const action = (await actionsAt(document, found.range)).find(({ title }) => title === 'Show this step beside standard attention'); // prettier-ignore
    assert.ok(action?.command);
    await run(action.command.command, ...((action.command.arguments ?? []) as unknown[]));
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain')); // prettier-ignore
    const message = panels.page().got.find(({ type }) => type === 'explain');
    assert.ok(message?.type === 'explain' && message.explanation.beside);
    const { start } = message.explanation.spec;
    assert.equal(start.from, 'program');
    const step = start.steps.find(({ id }) => id === message.view?.step);
    assert.equal(step && 'line' in step ? step.line : undefined, 5);
  });

  it('opens the step that is wrong, not the last of its line, marks it, and has what is right beside it', async () => {
    const line = code.replace('weights = torch.softmax(scores, dim=0)\nout = weights @ v', 'out = torch.softmax(scores, dim=0) @ v');
    const { document } = await open(line);
    const [found] = await diagnosed(document, 1);
    assert.equal(found && document.getText(found.range), 'torch.softmax(scores, dim=0)');
    const action = found && (await actionsAt(document, found.range)).find(({ title }) => title === 'Show this step beside standard attention');
    assert.ok(action?.command);
    await run(action.command.command, ...((action.command.arguments ?? []) as unknown[]));
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain'));
    const message = panels.page().got.find(({ type }) => type === 'explain');
    assert.ok(message?.type === 'explain' && message.explanation.checked && message.explanation.beside?.links);
    const { checked } = message.explanation;
    assert.deepEqual([message.view?.step, checked.is, checked.isCode, checked.at?.step], ['weights', 'mistake', true, 'weights']);
    assert.match(checked.says, /^step \d+, .*: the numbers of this step are wrong\.$/);
    assert.ok(checked.differs.includes('weights') && checked.differs.includes('output') && !checked.differs.includes('scores'), checked.differs.join());
    assert.deepEqual(checked.findings.flatMap(({ write }) => write), ['out = torch.softmax(scores, dim=-1) @ v']);
    // Its columns sum to 1; the rows of what is right do.
    const sum = (cells: readonly unknown[] = []): number => cells.reduce<number>((all, x) => all + Number(x), 0);
    assert.ok((checked.right ?? []).every((row) => Math.abs(sum(row) - 1) < 1e-5));
    assert.ok([0, 1, 2, 3, 4].every((j) => Math.abs(sum(checked.rows.map((row) => row[j])) - 1) < 1e-5));
    // What is asked about the step is not a question about right weights.
    const plan = planOf(message.explanation.spec);
    const question = plan.ok ? plan.value.steps.find(({ id }) => id === 'weights')?.words.question : undefined;
    assert.match(question ?? '', /how is each key shared out over the queries, not each query over the keys\?/);
  }); // prettier-ignore

  it('computes what a panel shows anew once its code is mended', async () => {
    const { document } = await open(code);
    const [found] = await diagnosed(document, 1);
    assert.ok(found);
    const actions = await actionsAt(document, found.range);
    const [beside, mend] = ['Show this step beside standard attention', 'Run softmax over the keys, the last axis'].map((title) => actions.find((one) => one.title === title));
    assert.ok(beside?.command && mend?.edit && mend.command);
    const explained = () => panels.opened.length === 0 ? [] : panels.page().got.filter(({ type }) => type === 'explain');
    await run(beside.command.command, ...((beside.command.arguments ?? []) as unknown[]));
    await until('an explanation', () => explained().length === 1);
    await vscode.workspace.applyEdit(mend.edit);
    await run(mend.command.command, ...((mend.command.arguments ?? []) as unknown[]));
    await until('another one', () => explained().length === 2);
    const last = explained().at(-1);
    assert.ok(last?.type === 'explain' && last.explanation.spec.start.from === 'program');
    const plan = planOf(last.explanation.spec);
    const weights = plan.ok ? plan.value.steps.find(({ id }) => id === 'weights') : undefined;
    assert.doesNotMatch(weights?.words.question ?? 'none', /each key shared out/);
  }); // prettier-ignore

  it('is silenced by a comment, which an action writes, and comes back with an edit', async () => {
    const { document } = await open(code);
    const [found] = await diagnosed(document, 1);
    assert.ok(found);
    const action = (await actionsAt(document, found.range)).find(({ title }) => title === 'Ignore softmax-axis in this line'); // prettier-ignore
    assert.ok(action?.edit);
    await vscode.workspace.applyEdit(action.edit);
    assert.ok(document.getText().includes('dim=0)  # explain-attention: ignore[softmax-axis]\n'));
    await diagnosed(document, 0);
    await replace(document, '  # explain-attention: ignore[softmax-axis]', '');
    await diagnosed(document, 1);
  });

  it('marks where Python raises, also where that keeps the code from attention, and is silenced there', async () => {
    const { document } = await open(code.replace('q @ k.T', 'q @ k').replace('dim=0', 'dim=-1'));
    const [found] = await diagnosed(document, 1);
    assert.ok(found);
    assert.deepEqual([found.code, document.getText(found.range), found.severity], ['python-error', 'q @ k', vscode.DiagnosticSeverity.Information]);
    assert.equal(found.message, 'Python raises here: RuntimeError: mat1 and mat2 shapes cannot be multiplied (5x4 and 5x4)');
    const actions = await actionsAt(document, found.range);
    assert.deepEqual(actions.map(({ title }) => title).filter((title) => /Ignore|beside/.test(title)), ['Ignore python-error in this line']);
    await withSetting('doctor.rules', { 'python-error': 'off' }, async () => void (await diagnosed(document, 0)));
    await diagnosed(document, 1);
    const silence = actions.find(({ title }) => title.startsWith('Ignore'));
    assert.ok(silence?.edit && (await vscode.workspace.applyEdit(silence.edit)));
    await diagnosed(document, 0);
    await replace(document, 'q @ k ', 'q @ k.T ');
    await replace(document, '  # explain-attention: ignore[python-error]', '');
    await diagnosed(document, 0);
  });

  it('checks every cell of a notebook that is shown, and mends the line of another cell, from either', async () => {
    const source = ["import torch\ntorch.manual_seed(0)\nq = k = v = torch.randn(5, 8)\nmask = torch.tril(torch.ones(5, 5), diagonal=-1)\nmask[0, 0] = 1", ...Array.from({ length: 20 }, () => 'n = 1\n'.repeat(20)), "scores = (q @ k.T / 8 ** 0.5).masked_fill(mask == 0, float('-inf'))\nout = scores.softmax(-1) @ v"];
    const cells = source.map((text) => ({ cell_type: 'code', source: text, metadata: {}, execution_count: null, outputs: [] }));
    const notebook = await vscode.workspace.openNotebookDocument(createFile(JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: { language_info: { name: 'python' } }, cells }), 'ipynb'));
    await vscode.window.showNotebookDocument(notebook);
    const [making, using] = [notebook.cellAt(0).document, notebook.cellAt(source.length - 1).document];
    assert.ok(!vscode.window.visibleTextEditors.some(({ document }) => document === using));
    const [found] = await diagnosed(using, 1);
    assert.equal(found?.code, 'mask-hides-own');
    const [related] = found.relatedInformation ?? [];
    assert.deepEqual([related?.message, related?.location.uri.toString(), related && making.getText(related.location.range)], ['the line to change', making.uri.toString(), 'torch.tril(torch.ones(5, 5), diagonal=-1)']);
    const mendAt = async (document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction | undefined> => (await actionsAt(document, range)).find(({ title }) => title === 'Begin the triangle at the right diagonal');
    assert.ok(related && (await mendAt(making, related.location.range))?.edit && !(await mendAt(making, new vscode.Range(0, 0, 0, 1))));
    await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(source.length - 1, source.length)] });
    await until('the last cell on the screen', () => vscode.window.visibleTextEditors.some(({ document }) => document === using));
    const mend = await mendAt(using, found.range);
    assert.ok(mend?.edit && (await vscode.workspace.applyEdit(mend.edit)));
    assert.ok(making.getText().includes('torch.tril(torch.ones(5, 5), diagonal=0)'));
    await diagnosed(using, 0);
  });

  it('says in an explanation what is marked in its code', async () => {
    const { document } = await open(code);
    await diagnosed(document, 1);
    await run('explainAttention.explain', { uri: document.uri.toString(), start: code.indexOf('out ='), end: code.indexOf('out =') + 1, code: true });
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain'));
    const [mark] = panels.explanation().unfollowed ?? [];
    assert.deepEqual([mark?.code, mark?.line], ['softmax-axis', 5]);
    assert.match(mark?.message ?? '', /^Softmax runs over the queries, not over the keys/);
  });

  it('compares what is no step, such as dropout that is passed by, from the nearest step on', async () => {
    const { document } = await open(`import torch\nfrom torch.nn import functional as F\ntorch.manual_seed(0)\nclass A(torch.nn.Module):\n    def forward(self, x):\n        w = torch.softmax(x @ x.transpose(1, 2) / 8 ** 0.5, dim=-1)\n        w = F.dropout(w, 0.1)\n        return w @ x\nA()(torch.randn(1, 5, 8))\n`);
    const [found] = await diagnosed(document, 1);
    const action = found && (await actionsAt(document, found.range)).find(({ title }) => title === 'Show this step beside standard attention');
    assert.ok(action?.command);
    await run(action.command.command, ...((action.command.arguments ?? []) as unknown[]));
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain'));
    const { checked } = panels.explanation();
    assert.deepEqual([checked?.says, checked?.at?.step, checked?.findings.flatMap(({ write }) => write)], ['A mistake in the code:', 'weights', ['w = F.dropout(w, 0.1, training=self.training)']]);
  });

  it('has a severity by rule, and a switch', async () => {
    const { document } = await open(code);
    await diagnosed(document, 1);
    await withSetting('doctor.rules', { 'softmax-axis': 'hint' }, async () => {
      for (let left = 100; left > 0 && own(document)[0]?.severity !== vscode.DiagnosticSeverity.Hint; left--) await sleep(50);
      assert.equal(own(document)[0]?.severity, vscode.DiagnosticSeverity.Hint);
    });
    await withSetting('doctor.rules', { 'softmax-axis': 'off' }, async () => void (await diagnosed(document, 0)));
    await diagnosed(document, 1);
    await withSetting('doctor.enabled', false, async () => void (await diagnosed(document, 0)));
    await diagnosed(document, 1);
  });
}); // prettier-ignore
