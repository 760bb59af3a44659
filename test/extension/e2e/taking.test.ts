// Issue part “Taking it along”: copied, opened as code, saved, reopened, linked; by the menu, mouse and keyboard.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { launchChromium } from '../../host/chromium';
import type { Session } from '../../host/session';
import { goToStep, panelShowing, readMatrix, setControl, soon } from './panel';
import { atStep, breaches, clipboard, closeShared, explainCat, sharedVSCode } from './shared';

describe('taking it along in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  let frame: Frame;
  before(async () => {
    vscode = await sharedVSCode();
    frame = await explainCat(vscode);
    await setControl(frame, 'mask', 'causal');
    await goToStep(frame, 'weights');
  });
  after(async () => {
    assert.deepEqual(breaches(vscode), []);
    // It was reloaded, and has unsaved documents.
    await closeShared();
  });

  async function share(item: string): Promise<void> {
    await frame.getByRole('button', { name: 'Share' }).click();
    await frame.getByRole('menuitem', { name: item, exact: true }).click();
  }
  /** Accepts the name that the dialog offers; returns the file once it is written. */
  async function saved(item: string, name: string): Promise<string> {
    await share(item);
    const input = vscode.page.locator('.quick-input-widget:visible input.input');
    await soon(async () => assert.ok((await input.inputValue()).endsWith(name), await input.inputValue()));
    await vscode.page.keyboard.press('Enter');
    const path = join(vscode.folder, name);
    await soon(async () => assert.ok(existsSync(path) && readFileSync(path).length > 0, `${name} is written`));
    return path;
  }

  it('copies the matrix by keyboard, with every digit', async () => {
    await frame.getByRole('button', { name: 'Share' }).focus();
    await vscode.page.keyboard.press('Enter');
    await frame.getByRole('menuitem', { name: 'JSON', exact: true }).focus();
    await vscode.page.keyboard.press('Enter');
    const shown = await readMatrix(frame, 'weights');
    await soon(async () => assert.deepEqual(JSON.parse(await clipboard(vscode)), shown));
  });

  it('opens a NumPy program in the editor', async () => {
    await share('Open as a NumPy program');
    const editor = vscode.page.locator('.monaco-editor[data-uri^="untitled:"] .view-lines');
    await editor.filter({ hasText: /import\snumpy/ }).waitFor();
  });

  it('saves the picture as SVG and as PNG', async () => {
    frame = await panelShowing(vscode, 'cat.md:1');
    assert.match(
      readFileSync(await saved('Save picture as SVG…', 'attention-weights.svg'), 'utf8'),
      /Attention weights/,
    );
    const png = readFileSync(await saved('Save picture as PNG…', 'attention-weights.png'));
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
  });

  it('saves a page that opens in a plain browser without a network, at its step, and still clicks', async () => {
    const path = await saved('Save as a web page…', 'attention.html');
    const browser = await launchChromium();
    try {
      const context = await browser.newContext();
      const requests: string[] = [];
      await context.route(/^https?:/, (route) => (requests.push(route.request().url()), route.abort()));
      const page = await context.newPage();
      await page.goto(`file://${path}`);
      await page.locator('.stage[data-current-step="weights"]').waitFor();
      await page.locator('.road-step[data-step="output"]').click();
      await page.locator('.stage[data-current-step="output"]').waitFor();
      await page.locator('[data-matrix="output"] [data-row="1"][data-column="2"]').first().click();
      await page.locator('.inspector', { hasText: 'Σ' }).waitFor();
      assert.deepEqual(requests, []);
    } finally {
      await browser.close();
    }
  });

  it('copies a link', async () => {
    await share('Copy link');
    await soon(async () =>
      assert.match(await clipboard(vscode), /^[\w-]+:\/\/explain-attention\.explain-attention\/explain\?v=1&z=/),
    );
  });

  it('keeps step, switches and cell when it is hidden, and when the window is reloaded', async () => {
    await goToStep(frame, 'scaled');
    await vscode.runCommand('View: Focus Active Editor Group');
    await vscode.reloadWindow();
    frame = await panelShowing(vscode, 'cat.md:1');
    await atStep(frame, 'scaled');
    await goToStep(frame, 'weights');
    await soon(async () => assert.equal((await readMatrix(frame, 'weights'))[0]?.[0], 1, 'the causal mask is kept'));
  });
});
