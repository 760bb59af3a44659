import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { planOf } from '../../../engine/index';
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
