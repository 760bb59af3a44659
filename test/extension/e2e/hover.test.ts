import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { examplesFolder, panelShowing, soon } from './panel';

/** Shows the hover of the first place of a text, by keyboard, and waits until ours stands in it. */
async function hoverAt(vscode: Session, file: string, text: string): Promise<Locator> {
  await vscode.page.keyboard.press('Escape');
  const before = readFileSync(join(vscode.folder, file), 'utf8').split(text)[0] ?? '';
  const lines = before.split('\n');
  await vscode.goTo(lines.length, (lines.at(-1)?.length ?? 0) + 2);
  const hover = vscode.page.locator('.monaco-hover:visible').filter({ hasText: 'Explain Attention' }).first();
  // VS Code asks those who are registered: a hover before the extension has started stays empty until it is asked for again.
  for (let left = 5; ; left--) {
    await vscode.runCommand('Show or Focus Hover');
    const shown = await hover.waitFor({ timeout: 8_000 }).then(
      () => true,
      (error: unknown) => {
        if (left === 0) throw error;
      },
    );
    if (shown) return hover;
    await vscode.page.keyboard.press('Escape');
  }
}

/** Cells of the table: what is written, on which colour, in which ink. */
const cellsOf = (hover: Locator) =>
  hover.locator('td span').evaluateAll((spans) =>
    spans.map((span) => {
      const { color, backgroundColor } = getComputedStyle(span);
      return { text: span.textContent?.replace(/[\s\u2007\u00a0]+/g, ''), color, backgroundColor };
    }),
  );

describe('a hover in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;

  before(async () => {
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder: examplesFolder(), width: 1600, height: 1000 });
    await vscode.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await vscode.openFile('1-the-cat-sat.py');
  });
  after(() => vscode.close());

  it('has the numbers on their colours, the statistics and what fits', async () => {
    const hover = await hoverAt(vscode, '1-the-cat-sat.py', '[0.09734245');
    await soon(async () => {
      const words = (await hover.innerText()).replace(/\s+/g, ' ');
      // np.round(Q.mean(), 4), np.round(Q.std(), 4) of the example in NumPy 1.24
      assert.match(words, /Q 4×8 \(queries × d_k\) · min −1\.9501 · max 1\.5043 · mean −0\.2284 · std 0\.8399/);
      assert.match(words, /with K \(4×8\), line \d+: QKᵀ is 4×4/);
      const cells = await cellsOf(hover);
      assert.equal(cells.length, 32);
      assert.equal(cells[0]?.text, '0.0973');
      assert.equal(cells[2]?.text, '−1.9501');
      const colours = new Set(cells.map(({ backgroundColor }) => backgroundColor));
      assert.ok(colours.size > 8 && !colours.has('rgba(0, 0, 0, 0)'), [...colours].join());
      assert.ok(cells.every(({ color }) => color === 'rgb(0, 0, 0)' || color === 'rgb(255, 255, 255)'));
    });
  });

  it('copies by a click', async () => {
    const hover = await hoverAt(vscode, '1-the-cat-sat.py', '[0.09734245');
    await hover.getByText('CSV', { exact: true }).click();
    await soon(async () => {
      const text = await vscode.page.evaluate(() => navigator.clipboard.readText());
      assert.match(text, /^0\.09734245,-1\.23944871,-1\.95007434,/);
      assert.equal(text.trim().split('\n').length, 4);
    });
  });

  it('collects Q and K by clicks and explains them in one panel', async () => {
    const status = vscode.page.locator('[id="explain-attention.explain-attention.explainAttention.inputs"]');
    await (await hoverAt(vscode, '1-the-cat-sat.py', '[0.09734245')).getByText('Q', { exact: true }).last().click();
    await status.filter({ hasText: 'Q 4×8 · K?' }).waitFor({ timeout: 10_000 });
    await (await hoverAt(vscode, '1-the-cat-sat.py', '[0.86628805')).getByText('K', { exact: true }).last().click();
    await status.filter({ hasText: 'Q 4×8, K 4×8' }).waitFor({ timeout: 10_000 });
    const frame = await panelShowing(vscode, 'inputs.py:1');
    await frame.locator('[data-step="scores"]').first().waitFor();
  });

  it('shows what is collected, and resets it from the status bar', async () => {
    const status = vscode.page.locator('[id="explain-attention.explain-attention.explainAttention.inputs"]');
    await vscode.runCommand('Explain Attention: Show Collected Inputs');
    await vscode.page.locator('.tab.active[data-resource-name="inputs.py"]').waitFor({ timeout: 10_000 });
    await status.click();
    await vscode.page.locator('.quick-input-list').getByText('Reset', { exact: true }).click();
    await status.waitFor({ state: 'hidden', timeout: 10_000 });
    await vscode.page.getByText('No input is collected').first().waitFor({ timeout: 10_000 });
  });
});
