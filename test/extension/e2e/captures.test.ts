// A recorded model in a real VS Code: its page from the Explorer, what differs, and a head down to the panel.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, root } from '../../host/paths';
import type { Frame } from 'playwright-core';
import { openVSCode, type Session } from '../../host/session';
import { pythonOrSkip } from '../../reference/python';
import { chooseInExplorer, goToStep, readMatrix, soon } from './panel';

describe('a recorded model in a real VS Code', function () {
  this.timeout(500_000);
  let vscode: Session;
  let differing = 0;
  let weights: readonly (readonly number[])[];

  before(async function () {
    const python = pythonOrSkip(this, 'torch', 'numpy');
    const made = freshFolder('captures');
    const run = spawnSync(python, [join(root, 'test/reference/capture_checks.py'), join(root, 'extension/python'), made], { encoding: 'utf8', timeout: 240_000 }); // prettier-ignore
    assert.equal(run.status, 0, run.stderr.slice(-2000));
    const folder = freshFolder('folder');
    for (const name of ['kinds.safetensors', 'faults.safetensors']) copyFileSync(join(made, name), join(folder, name));
    const [first] = JSON.parse(readFileSync(join(made, 'kinds.json'), 'utf8')) as { weights: number[][][][] }[];
    weights = first?.weights[1]?.[0] ?? [];
    const faults = JSON.parse(readFileSync(join(made, 'faults.json'), 'utf8')) as string[];
    // What a kernel gives for queries that see no key is its convention; with dropout nothing is compared.
    differing = faults.filter((name) => !['right', 'gives zeros', 'at random'].includes(name)).length;
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000 });
  });
  after(() => vscode?.close());

  async function frameWith(selector: string): Promise<Frame> {
    let found: Frame | undefined;
    await soon(async () => {
      for (const frame of vscode.page.frames()) if ((await frame.locator(selector).count()) > 0) found = frame;
      assert.ok(found, `no frame has ${selector}`);
    }, 60);
    return found as Frame;
  }

  it('has every attention with its heads, each compared with the exact result', async () => {
    await vscode.runCommand('View: Close All Editors');
    await chooseInExplorer(vscode, 'kinds.safetensors', 'Explain Attention: Open Tensor File…');
    const frame = await vscode.webviewFrame();
    await frame.locator('.model-status', { hasText: '24 heads compared' }).waitFor({ timeout: 60_000 });
    await soon(async () => assert.equal(await frame.locator('[data-captured]').count(), 24), 60);
    assert.deepEqual(await frame.locator('.capture-differs').allTextContents(), []);
    await frame.locator('[data-captured="0/1/0"]').click();
    // The panel opens beside the page, so both are visible.
    const panel = await frameWith('.header-source');
    // The page shows its header empty until the explanation has come.
    await soon(async () => assert.match(await panel.locator('.header-source').innerText(), /kinds\.safetensors: 0, head 2/), 60); // prettier-ignore
    await goToStep(panel, 'weights');
    await soon(async () => {
      const shown = await readMatrix(panel, 'weights');
      weights.forEach((row, i) => row.forEach((x, j) => assert.ok(Math.abs((shown[i]?.[j] ?? NaN) - x) < 2e-7, `[${i}, ${j}] is ${shown[i]?.[j]}, PyTorch gives ${x}`))); // prettier-ignore
    });
  });

  it('says of each output that is not the exact one what explains it', async () => {
    await vscode.runCommand('View: Close All Editors');
    await chooseInExplorer(vscode, 'faults.safetensors', 'Explain Attention: Open Tensor File…');
    const frame = await vscode.webviewFrame();
    await frame
      .locator('.model-status', { hasText: `Differing by more than rounding: ${differing}.` })
      .waitFor({ timeout: 60_000 });
    const found = (await frame.locator('.capture-found').allTextContents()).join('\n');
    for (const words of ['later keys were seen', 'A scale of 1 explains', 'gives zeros', 'dropout left out weights'])
      assert.ok(found.includes(words), `${words} is not in ${found}`);
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
