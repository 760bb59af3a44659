// The first window after the installation: a finished example, three things to try, six commands, and nothing unasked after that.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { panelShowing, soon } from './panel';

const settings = { 'explainAttention.exampleOnStart': 'once', 'explainAttention.textWeights': 'trained' };

describe('the first window', function () {
  this.timeout(240_000);
  let vscode: Session;
  before(async () => {
    const folder = freshFolder('first');
    writeFileSync(
      join(folder, 'notes.md'),
      '# Notes\n\nThe old keys are near the table.\n\nOne, two. The cat sat on the mat. Three, four.\n',
    );
    // High enough for all lenses of the example in any font: VS Code draws only those in view.
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1400, settings });
  });
  after(() => vscode.close());

  const tabs = () => vscode.page.locator('.tabs-container .tab').allInnerTexts();
  const offered = async (typed: string): Promise<string[]> => {
    await vscode.page.keyboard.press('F1');
    await vscode.page.keyboard.type(typed);
    const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    await vscode.page.waitForTimeout(500);
    const labels = await rows.allInnerTexts();
    await vscode.page.keyboard.press('Escape');
    return labels.map((label) => label.split('\n')[0] ?? '');
  };

  it('shows a finished explanation beside its source', async () => {
    const frame = await panelShowing(vscode, 'Untitled-1:5');
    await soon(async () =>
      assert.equal(await frame.locator('.opening-question').innerText(), 'Why does table, before are, look at keys?'),
    );
    await vscode.page.locator('.view-lines', { hasText: 'The panel beside this' }).waitFor();
  });

  it('has six commands in the palette', async () => {
    const labels = await offered('Explain Attention');
    assert.equal(labels.length, 6, labels.join(' · '));
  });

  it('has the course for who types “course”', async () => {
    const labels = await offered('course');
    assert.ok(labels.includes('Explain Attention: Open Course or Lesson…'), labels.join(' · '));
  });

  it('offers three things to try, each one click', async () => {
    const lenses = vscode.page.locator('.codelens-decoration a', { hasText: 'Explain Attention' });
    await soon(async () => assert.equal(await lenses.count(), 3), 60);
    await lenses.nth(0).click();
    const frame = await panelShowing(vscode, /Untitled-1:1[1-6]/);
    // Q of the example's own literal.
    await frame.locator('[data-matrix="q"] [data-row="1"][data-column="1"]').first().waitFor();
    await vscode.page.locator('.view-line', { hasText: 'A formula, with' }).click();
    await vscode.goTo(50, 1);
    // VS Code gives lenses that scroll into view their commands a moment later.
    await vscode.page.waitForTimeout(1500);
    await lenses.filter({ hasText: '4×4' }).click();
    await panelShowing(vscode, /Untitled-1:4\d/);
    await vscode.page.locator('.squiggly-warning, .squiggly-error').first().waitFor();
    await vscode.page.locator('.statusbar-item', { hasText: '3 attentions' }).waitFor();
  });

  it('has all commands once one was run', async () => {
    assert.ok((await offered('Explain Attention')).length > 12);
  });

  it('explains the sentence at the cursor', async () => {
    await vscode.openFile('notes.md');
    await vscode.goTo(3, 8);
    await vscode.runCommand('Explain Attention');
    let frame = await panelShowing(vscode, 'notes.md:3');
    await frame.locator('.opening').waitFor();
    await vscode.goTo(5, 15);
    await vscode.runCommand('Explain Attention');
    frame = await panelShowing(vscode, 'notes.md:5');
    await soon(async () => assert.match(await frame.locator('.opening').innerText(), /the[^]*cat[^]*mat/i));
    assert.doesNotMatch(await frame.locator('.opening').innerText(), /Three|two/);
  });

  it('opens nothing unasked in a later window', async () => {
    await vscode.runCommand('View: Close All Editors');
    await vscode.page.waitForTimeout(500);
    const dialog = vscode.page.locator('.monaco-dialog-box button, .monaco-dialog-box a', { hasText: /Don't Save/ });
    if (await dialog.count()) await dialog.first().click();
    await soon(async () => assert.deepEqual(await tabs(), []));
    await vscode.reloadWindow();
    await vscode.page.waitForTimeout(6000);
    assert.deepEqual(await tabs(), []);
  });
});
