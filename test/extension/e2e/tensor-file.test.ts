import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import {
  chooseInExplorer,
  examplesFolder,
  goToStep,
  panelShowing,
  readMatrix,
  reloaded,
  setControl,
  soon,
} from './panel';

/** Row-major, as NumPy computes it: see test/reference/make_tensor_files.py. */
const { walk } = JSON.parse(readFileSync(join(root, 'test/fixtures/files/tensor-files.json'), 'utf8')) as {
  walk: readonly number[];
};

describe('a file of tensors in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;
  const name = 'projections.npz';

  before(async () => {
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder: examplesFolder(), width: 1600, height: 1000 });
  });
  after(() => vscode.close());

  it('is opened from the Explorer, by its menu and the list of its tensors', async () => {
    const { page } = vscode;
    await chooseInExplorer(vscode, name, 'Explain Attention: Open Tensor File…');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'W_v' }).waitFor({ timeout: 30_000 });
    await soon(async () => {
      const shown = (await rows.allTextContents()).map((row) => row.trim());
      assert.deepEqual(shown, [
        'X3×4 float64 · X · projections.npz',
        'W_q4×4 float64 · W_q · projections.npz',
        'W_k4×4 float64 · W_k · projections.npz',
        'W_v4×4 float64 · W_v · projections.npz',
      ]);
    });
    await page.keyboard.press('Enter');
    const frame = await panelShowing(vscode, /^projections\.npz: X, W_q, W_k, W_v$/);
    await setControl(frame, 'convention', 'XWT');
    await setControl(frame, 'scale', 'none');
    await goToStep(frame, 'output');
    await soon(async () => {
      const output = (await readMatrix(frame, 'output')).flat();
      assert.equal(output.length, walk.length);
      walk.forEach((x, i) =>
        assert.ok(Math.abs((output[i] ?? NaN) - x) <= 1e-12, `[${i}] is ${output[i]}, NumPy gives ${x}`),
      );
    });
  });

  it('is still shown and followed after a reload of the window', async () => {
    const frame = await reloaded(vscode, () => panelShowing(vscode, /^projections\.npz: X, W_q, W_k, W_v$/));
    const file = join(vscode.folder, name);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, 100));
    const button = frame.getByRole('button', { name: 'Recompute' });
    await button.waitFor({ timeout: 30_000 });
    writeFileSync(file, bytes);
    await button.waitFor({ state: 'hidden', timeout: 30_000 });
    assert.deepEqual(vscode.foreignRequests(), []);
    assert.deepEqual(vscode.cspViolations(), []);
  });
});
