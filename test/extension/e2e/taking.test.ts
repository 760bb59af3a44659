// Issue part “Taking it along”: copied, opened as code, saved, reopened, linked; by the menu, mouse and keyboard.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { launchChromium } from '../../host/chromium';
import type { Session } from '../../host/session';
import { chooseInExplorer, goToStep, panelShowing, readMatrix, reloaded, setControl, soon } from './panel';
import { atStep, breaches, clipboard, closeShared, explainCat, sharedVSCode } from './shared';

describe('taking it along in a real VS Code', function () {
  this.timeout(400_000);
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
      await page.locator('.timeline-step[data-step="output"]').click();
      await page.locator('.stage[data-current-step="output"]').waitFor();
      await page.locator('[data-matrix="output"] [data-row="1"][data-column="2"]').first().click();
      await page.locator('.inspector', { hasText: 'Σ' }).waitFor();
      assert.deepEqual(requests, []);
    } finally {
      await browser.close();
    }
  });

  it('saves a Jupyter notebook, which the notice opens in the editor', async () => {
    await saved('Save as a Jupyter notebook…', 'attention.ipynb');
    const notice = vscode.page.locator('.notification-toast', { hasText: 'Saved attention.ipynb' });
    await notice.getByRole('button', { name: 'Open', exact: true }).click();
    const cells = vscode.page.locator('.notebook-editor .code-cell-row');
    await cells
      .filter({ hasText: /import\snumpy/ })
      .first()
      .waitFor();
  });

  const tab = (): Locator => vscode.page.locator('.tab', { hasText: 'Attention: ' });
  /** Closes what shows the explanation; whatever opens next shows it anew. */
  const closed = async (): Promise<void> => {
    await tab().click();
    await vscode.runCommand('View: Close Editor');
    await tab().waitFor({ state: 'detached' });
  };
  const isAsSaved = async (source: string): Promise<void> => {
    frame = await panelShowing(vscode, source);
    await atStep(frame, 'weights');
    await soon(async () => assert.equal((await readMatrix(frame, 'weights'))[0]?.[0], 1, 'the causal mask is kept'));
  };

  it('saves its spec as a file that opens at the same step with the same switches', async () => {
    // The notebook covers it.
    await tab().click();
    frame = await panelShowing(vscode, 'cat.md:1');
    await saved('Save as a file that opens here…', 'explanation.attention.json');
    await closed();
    await chooseInExplorer(vscode, 'explanation.attention', 'Explain Attention: Open Explanation…');
    await isAsSaved('explanation.attention.json');
  });

  it('copies a link that opens the same in a new panel', async () => {
    await share('Copy link');
    const form = /^[\w-]+:\/\/explain-attention\.explain-attention\/explain\?v=1&z=/;
    await soon(async () => assert.match(await clipboard(vscode), form));
    const link = await clipboard(vscode);
    await closed();
    await vscode.runCommand('Developer: Open URL');
    await vscode.page.locator('.quick-input-widget:visible input.input').fill(link);
    await vscode.page.keyboard.press('Enter');
    // VS Code asks whether a link may go to an extension.
    await vscode.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open', exact: true }).click();
    await isAsSaved('link');
  });

  it('keeps what came by a link when the window is reloaded', async () => {
    frame = await panelShowing(vscode, 'link');
    await goToStep(frame, 'scaled');
    frame = await reloaded(vscode, () => panelShowing(vscode, 'link'));
    await atStep(frame, 'scaled');
    await goToStep(frame, 'weights');
    await soon(async () => assert.equal((await readMatrix(frame, 'weights'))[0]?.[0], 1, 'the causal mask is kept'));
  });
});
