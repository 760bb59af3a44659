// An output of explain(…): made by a real ipykernel, shown under its cell in a real VS Code, opened in the panel, kept in the saved notebook.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { pythonOrSkip } from '../../reference/python';
import { goToStep, panelShowing, readMatrix, soon } from './panel';

const helper = join(root, 'extension/python/explain_attention.py');

/** softmax(Q·Kᵀ/√2)·V of NumPy for the numbers below, causal. */
const numpy = `
import json, numpy as np
Q = np.array([[1.0, 0.5], [0.25, -1.0], [2.0, 0.0]]); K = np.array([[0.5, 1.0], [1.0, -0.5], [-1.0, 0.125]]); V = np.eye(3)[:, :2] * 3
s = np.where(np.tri(3, dtype=bool), Q @ K.T / np.sqrt(2), -np.inf); e = np.exp(s - s.max(1, keepdims=True)); w = e / e.sum(1, keepdims=True)
`;
const cells = [
  'from explain_attention import explain\nimport numpy as np',
  `${numpy.trim()}\nexplain(Q, K, V, is_causal=True, name='my attention')`,
];

/** The frame of the page in the notebook's outputs. */
async function outputFrame(vscode: Session): Promise<Frame> {
  let found: Frame | undefined;
  await soon(async () => {
    for (const frame of vscode.page.frames())
      if (frame.url() === 'about:srcdoc' && (await frame.locator('.root [data-step], .root svg, .root table').count()) > 0) found = frame;
    assert.ok(found, 'the page is not shown in an output');
  }, 90);
  return found as Frame;
} // prettier-ignore

describe('an output of explain(…) in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;
  let weights: readonly (readonly number[])[];

  before(async function () {
    const python = pythonOrSkip(this, 'numpy', 'ipykernel', 'jupyter_client');
    const folder = freshFolder('notebook');
    copyFileSync(helper, join(folder, 'explain_attention.py'));
    const made = spawnSync(python, [join(root, 'test/reference/notebook_outputs.py'), folder, join(folder, 'a.ipynb')], { input: JSON.stringify(cells), encoding: 'utf8', timeout: 120_000 }); // prettier-ignore
    assert.equal(made.status, 0, made.stderr);
    const printed = spawnSync(python, ['-c', `${numpy}print(json.dumps(w.tolist()))`], { encoding: 'utf8' });
    weights = JSON.parse(printed.stdout) as number[][];
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1400, height: 1000 });
  });
  after(() => vscode?.close());

  it('is the page itself under the cell, with the numbers of the kernel', async () => {
    await vscode.openFile('a.ipynb');
    const frame = await outputFrame(vscode);
    await goToStep(frame, 'weights');
    await soon(async () => {
      const shown = await readMatrix(frame, 'weights');
      weights.forEach((row, i) => row.forEach((x, j) => assert.ok(Math.abs((shown[i]?.[j] ?? NaN) - x) < 1e-12, `[${i}, ${j}] is ${shown[i]?.[j]}, NumPy gives ${x}`))); // prettier-ignore
    });
  });

  it('leaves VS Code its keys while the page under the cell has the focus, and keeps letters to itself', async () => {
    const { page } = vscode;
    await goToStep(await outputFrame(vscode), 'weights');
    const cells = () => page.locator('.notebookOverlay .cell-list-container .code-cell-row, .notebookOverlay .monaco-list-row').count(); // prettier-ignore
    const before = await cells();
    for (const letter of ['b', 'd', 'd']) await page.keyboard.press(letter);
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget').waitFor({ timeout: 10_000 });
    await page.keyboard.press('Escape');
    assert.equal(await cells(), before);
  });

  it('opens in the large panel by a click', async () => {
    const parent = (await outputFrame(vscode)).parentFrame();
    await parent?.getByRole('button', { name: 'Open in the large panel' }).click();
    const frame = await panelShowing(vscode, 'my attention');
    await goToStep(frame, 'weights');
    const shown = await readMatrix(frame, 'weights');
    assert.equal(shown.length, 3);
    assert.ok(Math.abs((shown[2]?.[1] ?? NaN) - (weights[2]?.[1] ?? NaN)) < 1e-12);
    assert.deepEqual(vscode.foreignRequests(), []);
  });

  it('stays in the file within its limit, with a text and a table for others', () => {
    const file = join(vscode.folder, 'a.ipynb');
    const { cells: saved } = JSON.parse(readFileSync(file, 'utf8')) as { cells: { outputs: { data: Record<string, unknown> }[] }[] }; // prettier-ignore
    const data = saved[1]?.outputs[0]?.data ?? {};
    assert.deepEqual(Object.keys(data).sort(), ['application/vnd.explain-attention+json', 'text/html', 'text/plain']);
    assert.match(String(data['text/html']), /<table>/);
    assert.ok(statSync(file).size < 200_000);
  });

  it('says what is wrong with an output that it cannot read', async () => {
    const broken = { cells: [{ cell_type: 'code', execution_count: 1, metadata: {}, source: '1', outputs: [{ output_type: 'execute_result', execution_count: 1, metadata: {}, data: { 'application/vnd.explain-attention+json': { version: 7 } } }] }], metadata: {}, nbformat: 4, nbformat_minor: 5 }; // prettier-ignore
    writeFileSync(join(vscode.folder, 'broken.ipynb'), JSON.stringify(broken));
    await vscode.openFile('broken.ipynb');
    await soon(async () => {
      const texts = await Promise.all(vscode.page.frames().map((frame) => frame.locator('.refused').allTextContents().catch(() => []))); // prettier-ignore
      assert.match(texts.flat().join(), /version 7, expected 1/);
    });
  });
});
