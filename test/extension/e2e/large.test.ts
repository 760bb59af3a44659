// Inputs whose n×n matrices nobody could hold: pasted words, and a file of numbers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { chooseInExplorer, panelShowing, reloaded, setControl } from './panel';

const words = Array.from({ length: 20_000 }, (_, i) => `w${(i * 7) % 41}`).join(' ');
const rows = 16_384;

/** float32, row by row, as NumPy saves it. */
function npy(shape: readonly [number, number]): Uint8Array {
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n';
  const numbers = Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => ((i * 7919) % 2003) / 1001 - 1);
  return Buffer.concat([
    Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, head.length, 0]),
    Buffer.from(head),
    new Uint8Array(numbers.buffer),
  ]);
}

/** The current step's own picture. */
const result = '.picture-layer .heatmap[data-result]';

/** Goes to the weights, of which every part is computed in the end. */
async function overview(frame: Frame): Promise<void> {
  await frame.locator('.timeline-step[data-step="weights"]').first().click();
  await frame.locator('.stage[data-current-step="weights"]').waitFor();
  await frame.locator(`${result} .heatmap-note`, { hasText: 'each tile' }).waitFor({ timeout: 150_000 });
}

describe('what is too large to be held, in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;
  before(async () => {
    const folder = freshFolder('large');
    writeFileSync(join(folder, 'words.md'), `${words}\n`);
    writeFileSync(join(folder, 'large.npy'), npy([rows, 64]));
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000 });
  });
  after(() => vscode.close());

  it('20,000 words are explained, to the arithmetic of a cell', async () => {
    await vscode.openFile('words.md');
    await vscode.runCommand('Select All');
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'words.md');
    await overview(frame);
    const picture = await frame.locator(`${result} .heatmap-viewport`).boundingBox();
    assert.ok((picture?.width ?? 0) >= 170, `half a window shows the weights ${picture?.width} px wide`);
    await frame.locator(`${result} .heatmap-cell`).first().focus();
    for (const key of ['Control+ArrowDown', 'Home', 'Enter']) await vscode.page.keyboard.press(key);
    await frame.locator('.inspector h2', { hasText: 'w19 (19999), w0 (0)' }).waitFor();
    await frame.locator('.inspector .terms').getByText('19984 others').waitFor();
  });

  it('a control that is changed computes the overview anew', async () => {
    const frame = await panelShowing(vscode, 'words.md');
    await setControl(frame, 'mask', 'causal');
    await frame.locator(`${result} .heatmap-swatch`, { hasText: 'hidden' }).waitFor();
    await overview(frame);
  });

  it('a reload in the middle of it brings the text, the step and the control back', async () => {
    const before = await panelShowing(vscode, 'words.md');
    await setControl(before, 'temperature', '2');
    const frame = await reloaded(vscode, () => panelShowing(vscode, 'words.md'));
    await frame.locator('.stage[data-current-step="weights"]').waitFor();
    await frame.locator(`${result} .heatmap-swatch`, { hasText: 'hidden' }).waitFor();
    await overview(frame);
  });

  it(`${rows} rows of a .npy file are explained without a question`, async () => {
    await chooseInExplorer(vscode, 'large.npy', 'Explain Attention: Open Tensor File…');
    const frame = await panelShowing(vscode, /^large\.npy/);
    await overview(frame);
  });

  it('a panel that is closed in the middle leaves nothing behind', async () => {
    const frame = await panelShowing(vscode, /^large\.npy/);
    await setControl(frame, 'mask', 'causal');
    await vscode.runCommand('View: Close Editor');
    await vscode.page.locator('.tab', { hasText: 'Attention: large.npy' }).waitFor({ state: 'detached' });
    assert.deepEqual(await vscode.page.locator('.notification-toast').allInnerTexts(), []);
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
