// A model from a folder: opened, run, a head chosen and explained, without a word of documentation.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { chooseInExplorer, panelShowing, soon } from './panel';

const config = { model_type: 'gpt2', n_embd: 64, n_head: 4, n_layer: 2, n_positions: 256, vocab_size: 77, n_inner: 256, activation_function: 'gelu' }; // prettier-ignore

describe('a model from a folder', function () {
  this.timeout(240_000);
  let vscode: Session;
  let model = '';
  before(async () => {
    const folder = freshFolder('model');
    model = join(folder, 'tiny-gpt');
    mkdirSync(model);
    const shipped = join(root, 'extension/models');
    copyFileSync(join(shipped, 'characters-1.safetensors'), join(model, 'model.safetensors'));
    copyFileSync(join(shipped, 'characters-1.tokenizer.json'), join(model, 'tokenizer.json'));
    writeFileSync(join(model, 'config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'notes.md'), 'Zadok met Hur; Zadok met\n');
    vscode = await openVSCode({
      extensionDevelopmentPath: root,
      folder,
      settings: { 'explainAttention.exampleOnStart': 'never' },
    });
  });
  after(() => vscode.close());

  const input = () => vscode.page.locator('.quick-input-widget input[type="text"]').first();
  const rows = () => vscode.page.locator('.quick-input-list .monaco-list-row');

  it('is opened from the Explorer, reads what is selected, and lists its heads by what they do', async () => {
    await vscode.openFile('notes.md');
    await vscode.goTo(1, 1);
    await vscode.selectText(1, 1, 1, 25);
    await chooseInExplorer(vscode, 'tiny-gpt', 'Explain Attention: Open Model…');
    await vscode.page
      .locator('.quick-input-title', { hasText: 'gpt2: 2 layers of 4 heads, 0.1 million parameters' })
      .waitFor();
    assert.equal(await input().inputValue(), 'Zadok met Hur; Zadok met');
    await vscode.page.keyboard.press('Enter');
    await vscode.page.locator('.quick-input-title', { hasText: 'tiny-gpt · 25 tokens · next: “·” 98.4 %' }).waitFor();
    if (process.env['SHOTS']) await vscode.page.screenshot({ path: `${process.env['SHOTS']}/heads.png` });
    const listed = await rows().allInnerTexts();
    assert.match(
      listed[0] ?? '',
      /0\.61[^]*layer 1, head 1 · mean of 11 rows · “t” → “·” 0\.\d\d[^]*induction: what followed the same token earlier/,
    );
  });

  it('explains the head that is chosen, from its real Q, K and V', async () => {
    await vscode.page.keyboard.press('Enter');
    const frame = await panelShowing(vscode, 'tiny-gpt, layer 1, head 1');
    await soon(async () => assert.match(await frame.locator('.inspector').innerText(), /^A\[t, ·\]/));
    assert.match(await frame.locator('.inspector').innerText(), /rounded to float32/);
    if (process.env['SHOTS']) await vscode.page.screenshot({ path: `${process.env['SHOTS']}/head.png` });
  });

  it('lists the heads again, and takes another text', async () => {
    await vscode.runCommand('Explain Attention: Choose Head of Model…');
    await soon(async () => assert.ok((await rows().count()) > 5));
    await vscode.page.keyboard.type('Another text');
    await vscode.page.keyboard.press('Enter');
    await soon(async () => assert.equal(await input().inputValue(), 'Zadok met Hur; Zadok met'));
    await vscode.page.keyboard.press('Escape');
  });

  it('says what is wrong with a folder', async () => {
    writeFileSync(join(model, 'config.json'), JSON.stringify({ ...config, model_type: 'mamba' }));
    await chooseInExplorer(vscode, 'tiny-gpt', 'Explain Attention: Open Model…');
    await vscode.page
      .locator('.notification-list-item', { hasText: 'models of type mamba are not known here' })
      .waitFor();
  });
});
