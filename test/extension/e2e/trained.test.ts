// A text in a real VS Code, read by a trained model as it is shipped: the question, its arithmetic, random weights, a reload.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { panelShowing, soon } from './panel';

describe('a trained model in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  before(async () => {
    const folder = freshFolder('trained');
    writeFileSync(join(folder, 'text.md'), 'The keys to the cabinet are lost.\n\nПривет, мир!\n');
    writeFileSync(join(folder, 'x.py'), 'X = [[2, 0], [0, 1]]\n');
    const settings = { 'explainAttention.textWeights': 'trained', 'explainAttention.firstView': 'question' };
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000, settings });
  });
  after(() => vscode.close());

  it('opens a sentence on its question, and leads to the weight’s arithmetic', async () => {
    await vscode.openFile('text.md');
    await vscode.selectText(1, 1, 1, 34);
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'text.md:1');
    await soon(async () =>
      assert.equal(await frame.locator('.opening-question').innerText(), 'Why does cabinet, before are, look at keys?'),
    );
    await frame.getByRole('button', { name: 'Show the arithmetic' }).click();
    await soon(async () => assert.equal(await frame.locator('.stage').getAttribute('data-current-step'), 'weights'));
    const cell = frame.locator('[data-matrix="weights"] [data-row="5"][data-column="2"]').first();
    // NumPy's number, test/fixtures/models.json.gz.
    await soon(async () => assert.equal(await cell.getAttribute('aria-label'), 'row cabinet, column keys, 0.99999'));
    await frame.getByText('Show random weights').click();
    await frame.getByText('Back to the trained model').waitFor();
  });

  it('shows how a model learns', async () => {
    await vscode.runCommand('Explain Attention: Watch a Model Learn');
    const frame = await panelShowing(vscode, 'a model learns');
    const slider = frame.locator('.opening-slider');
    await slider.waitFor();
    await frame.locator('[data-key="fold-measured"]').click();
    assert.match(await frame.locator('.opening-measured').innerText(), /^An induction head/);
    await slider.focus();
    await vscode.page.keyboard.press('Home');
    await frame.getByText('characters-training-0 ·').waitFor();
    assert.equal(await frame.locator('.opening-head', { hasText: 'induction' }).count(), 0);
  });

  it('opens numbers on a question, and leads to the weight’s arithmetic in one click', async () => {
    await vscode.openFile('x.py');
    await vscode.goTo(1, 6);
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'x.py:1');
    // softmax of ((2, 0), (0, 1)) · ((2, 0), (0, 1))ᵀ / √2, by hand: e^(4/√2) : 1 in row 0.
    const asked = frame.locator('.opening-question', { hasText: 'Why does row 0 keep 94.4' });
    await asked.waitFor();
    await frame.locator('.opening-road .opening-shared button').first().click();
    await frame.locator('.inspector').getByText('exp(').first().waitFor();
    await soon(async () => assert.equal(await frame.locator('.stage').getAttribute('data-current-step'), 'weights'));
    await frame.locator('vscode-button', { hasText: 'The question' }).click();
    await asked.waitFor();
  });

  it('says why it explains another script with random weights', async () => {
    await vscode.openFile('text.md');
    await vscode.selectText(3, 1, 3, 13);
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'text.md:3');
    await frame.getByText(/Random weights: words-1 .*characters-1 does not know \d+ of \d+ tokens/).waitFor();
    await frame.locator('.opening-question', { hasText: 'of the attention of' }).waitFor();
    assert.equal(await frame.locator('.opening-measured').count(), 0);
  });
});
