// A model from a folder: opened, run, a head chosen and explained, a second text beside it, without a word of documentation.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { chooseInExplorer, soon } from './panel';

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

  const rows = () => vscode.page.locator('.quick-input-list .monaco-list-row');
  const shot = async (name: string): Promise<void> => {
    if (process.env['SHOTS']) await vscode.page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` });
  };

  /** The page of the model and the explainer stand side by side: the one that has an element. */
  async function frameWith(selector: string): Promise<Frame> {
    const found: Frame[] = [];
    await soon(async () => {
      for (const frame of vscode.page.frames()) if ((await frame.locator(selector).count()) > 0) found.push(frame);
      assert.ok(found.length > 0, `no page with ${selector}`);
    }, 60);
    return found[0] as Frame;
  }

  it('is opened from the Explorer, reads what is selected, and shows its heads by what they do', async () => {
    await vscode.openFile('notes.md');
    await vscode.goTo(1, 1);
    await vscode.selectText(1, 1, 1, 25);
    await chooseInExplorer(vscode, 'tiny-gpt', 'Explain Attention: Open Model…');
    const frame = await frameWith('.model');
    await frame.getByText('tiny-gpt has read 25 tokens.').waitFor();
    assert.match(await frame.locator('.model-summary').innerText(), /gpt2: 2 layers of 4 heads, 0\.1 million/);
    assert.equal(await frame.locator('#first-text').inputValue(), 'Zadok met Hur; Zadok met');
    assert.match(await frame.locator('.opening-next li').first().innerText(), /·\s+98\.4/);
    const groups = await frame.locator('.model-group').allInnerTexts();
    assert.match(groups[0] ?? '', /^induction: what followed the same token earlier\s+L1 H1\s+induction 0\.61/);
    assert.equal(await frame.locator('.model-group button canvas').count(), 8);
    await frame.getByText(/sums in float64: weights differ by at most \d/).waitFor();
    await shot('heads');
  });

  it('explains the head that is chosen, from its real Q, K and V', async () => {
    const page = await frameWith('.model');
    await page.locator('[data-head="L1 H1"]').click();
    const frame = await frameWith('.header-source');
    await frame.locator('.header-source', { hasText: 'tiny-gpt, layer 1, head 1' }).waitFor();
    await soon(async () => assert.match(await frame.locator('.inspector').innerText(), /^A\[[^]*rounded to float32/));
    await shot('head');
  });

  it('lists the heads in the palette too, and goes back to the page for another text', async () => {
    await vscode.runCommand('Explain Attention: Choose Head of Model…');
    await soon(async () => assert.ok((await rows().count()) > 5));
    await vscode.page.keyboard.type('Another text');
    await vscode.page.keyboard.press('Enter');
    const frame = await frameWith('.model');
    await frame.locator('#first-text:focus').waitFor();
  });

  it('keeps what is open where another folder is no model', async () => {
    mkdirSync(join(vscode.folder, 'no-model'));
    await vscode.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'no-model' }).waitFor();
    await chooseInExplorer(vscode, 'no-model', 'Explain Attention: Open Model…');
    await vscode.page.locator('.notifications-toasts', { hasText: 'config.json is not in the folder' }).waitFor();
    await (await frameWith('.model')).getByText('tiny-gpt has read').waitFor();
  });

  it('says what is wrong with a folder', async () => {
    writeFileSync(join(model, 'config.json'), JSON.stringify({ ...config, model_type: 'mamba' }));
    await chooseInExplorer(vscode, 'tiny-gpt', 'Explain Attention: Open Model…');
    const frame = await frameWith('.model');
    await frame.locator('.model-trouble', { hasText: 'models of type mamba are not known here' }).waitFor();
    await frame.locator('.model-trouble').getByRole('button', { name: 'Choose another folder…' }).click();
    await vscode.page.locator('.quick-input-widget:visible', { hasText: 'the folder with config.json' }).waitFor();
    await vscode.page.keyboard.press('Escape');
  });
});
