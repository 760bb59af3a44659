import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { page as text } from '../suite/read-along-page';
import { panelShowing, readMatrix, soon } from './panel';
import { breaches } from './shared';

describe('reading along in a real VS Code', function () {
  this.timeout(300_000);
  let vscode: Session;
  let frame: Frame;

  before(async () => {
    const folder = freshFolder('read-along');
    writeFileSync(join(folder, 'by-hand.md'), text);
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1280, height: 800 });
    await vscode.openFile('by-hand.md');
  });
  after(() => vscode.close());

  const lens = (title: string) => vscode.page.locator('.codelens-decoration a', { hasText: title });
  const sentence = (words: string) => frame.locator('.along-bar', { hasText: words });
  /** A place: its sentence in the panel's bar, and its step. */
  async function isAt(at: number, words: string, step: string): Promise<void> {
    await sentence(`${at} of 16: ${words}`).waitFor({ timeout: 20_000 });
    await frame.locator(`[data-current-step="${step}"]`).waitFor({ timeout: 20_000 });
  }

  it('begins by a click on its lens: the first place, and its step in the panel', async () => {
    await lens('Read Along').click({ timeout: 60_000 });
    frame = await panelShowing(vscode, 'by-hand.md');
    await isAt(1, 'Line 3. This is Q, the queries.', 'q');
    await frame.locator('.along-bar').getByRole('button', { name: 'Pause' }).click();
    await lens('1 of 16').waitFor();
    assert.equal(await vscode.page.locator('.notification-toast', { hasText: 'Read Along' }).count(), 0);
    assert.equal(await lens('Back').count(), 0);
  });

  it('leads on and back by lens and keys; the step of each place stands in the panel with NumPy’s numbers', async () => {
    await frame.locator('.along-bar').getByRole('button', { name: 'the next place' }).click();
    await isAt(2, 'Line 3. This is K, the keys.', 'k');
    await vscode.page.keyboard.press('Alt+PageDown');
    await isAt(3, 'Line 3. These are the scores', 'scores');
    await vscode.page.keyboard.press('Alt+PageDown');
    await isAt(4, 'Line 5. This is the output.', 'output');
    await soon(async () => {
      const rows = await readMatrix(frame, 'output');
      const printed = [[3.3951, 4.5907], [2.6415, 3.6354], [3.9282, 5.4951]]; // prettier-ignore
      assert.deepEqual(rows.map((row) => row.map((x) => Number(x.toFixed(4)))), printed); // prettier-ignore
    });
    await vscode.page.keyboard.press('Alt+PageUp');
    await isAt(3, 'Line 3. These are the scores', 'scores');
  });

  it('lets the cursor in printed numbers choose the step, and goes on from its place', async () => {
    await vscode.goTo(23, 5);
    await frame.locator('[data-current-step="weights"]').waitFor({ timeout: 20_000 });
    await vscode.page.keyboard.press('Alt+PageDown');
    await isAt(4, 'Line 5. This is the output.', 'output');
  });

  it('ends by a key, keeps its place, and ends by its lens', async () => {
    await vscode.page.keyboard.press('Alt+End');
    await sentence('4 of 16').waitFor({ state: 'hidden', timeout: 20_000 });
    await soon(async () => assert.equal(await lens('4 of 16').count(), 0));
    await vscode.runCommand('Explain Attention: Read Along');
    await isAt(4, 'Line 5. This is the output.', 'output');
    await frame.locator('.along-bar').getByRole('button', { name: 'end' }).click();
    await sentence('4 of 16').waitFor({ state: 'hidden', timeout: 20_000 });
    assert.deepEqual(breaches(vscode), []);
  });
});
