// A remote window whose extension runs on this side: in the browser's extension host, while the folder, Python and the debugger are on the other.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseInExplorer, goToStep, panelShowing, readMatrix, soon } from '../extension/e2e/panel';
import { packageExtension } from './package';
import { freshFolder, root } from './paths';
import { openVSCode, type Session } from './session';

const program = `import torch

def attend(q, k, v):
    scores = q @ k.transpose(-2, -1)
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    return out  # the mark

attend(torch.randn(3, 2), torch.randn(4, 2), torch.randn(4, 2))
`;

const config = { model_type: 'gpt2', n_embd: 64, n_head: 4, n_layer: 2, n_positions: 256, vocab_size: 77, n_inner: 256, activation_function: 'gelu' }; // prettier-ignore

describe('a remote window with the extension on this side', function () {
  this.timeout(400_000);
  let vscode: Session;
  const folder = freshFolder('remote');

  before(async () => {
    const vsix = join(freshFolder('vsix'), 'explain-attention.vsix');
    await packageExtension(vsix);
    writeFileSync(join(folder, 'attend.py'), program);
    writeFileSync(join(folder, 'q.py'), 'Q = [[1.5, 2.25], [0.5, 1.0]]\nK = [[1.0, 0.0], [3.0, 1.0]]\n');
    const model = join(folder, 'tiny-gpt');
    mkdirSync(model);
    const shipped = join(root, 'extension/models');
    copyFileSync(join(shipped, 'characters-1.safetensors'), join(model, 'model.safetensors'));
    copyFileSync(join(shipped, 'characters-1.tokenizer.json'), join(model, 'tokenizer.json'));
    writeFileSync(join(model, 'config.json'), JSON.stringify(config));
    const settings = { 'remote.extensionKind': { 'explain-attention.explain-attention': ['ui'] }, 'debug.inlineValues': 'on' }; // prettier-ignore
    vscode = await openVSCode({
      extensionDevelopmentPath: join(root, 'test/host/doubles/debugger'),
      vsix,
      extensionId: 'explain-attention.explain-attention',
      folder,
      width: 1600,
      height: 1000,
      settings,
    });
  });
  after(() => vscode?.close());

  it('explains matrices of a file on the other side', async () => {
    await vscode.openFile('q.py');
    await vscode.selectText(1, 1, 3, 1);
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'q.py:1');
    await goToStep(frame, 'scores');
    assert.deepEqual(await readMatrix(frame, 'scores'), [[1.5, 6.75], [0.5, 2.5]]); // prettier-ignore
  });

  it('runs on this side', async () => {
    await vscode.runCommand('Developer: Show Running Extensions');
    const own = vscode.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Explain Attention' });
    await soon(async () => assert.match(await own.innerText(), /web worker/));
  });

  it('has the values of a program that is stopped on the other side', async () => {
    await vscode.openFile('attend.py');
    await vscode.runCommand('Doubles: Debug to the Mark');
    await soon(async () => {
      const shown = (await vscode.page.locator('.editor-instance .view-line').allInnerTexts()).join('\n');
      assert.ok(shown.replaceAll('\u00a0', ' ').includes('scores: 3×4 float32'), shown);
    }, 120);
  });

  it('explains the attention at the stop by the values of the process', async () => {
    await vscode.goTo(5, 6);
    await vscode.runCommand('Explain Attention: Explain Live Value');
    const frame = await panelShowing(vscode, 'attend.py, stopped at line 7');
    await soon(async () => assert.match(await frame.locator('body').innerText(), /read from the process/));
    await vscode.screenshot(join(root, 'test-results/screenshots/live/remote.png'));
  });

  it('says of a model folder on the other side that it is not read from here, and takes its files', async () => {
    await vscode.runCommand('View: Show Explorer');
    await chooseInExplorer(vscode, 'tiny-gpt', 'Explain Attention: Open Model…');
    await soon(async () => {
      const said = (await vscode.page.locator('.notifications-toasts').allInnerTexts()).join();
      assert.match(said, /a model is read from a folder of this machine: vscode-remote:\S+tiny-gpt is elsewhere/);
      const pages = await Promise.all(vscode.page.frames().map((one) => one.locator('.model').allInnerTexts().catch(() => []))); // prettier-ignore
      assert.match(pages.flat().join(), /Choose config\.json, model\.safetensors/);
    }, 60);
  });
});
