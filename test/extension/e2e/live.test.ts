// Values of a program that a real debugpy has stopped, in a real VS Code: behind lines, in the Variables view, in the panel.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { freshFolder, root } from '../../host/paths';
import { must, run } from '../../host/processes';
import { openVSCode, type Session } from '../../host/session';
import { panelShowing, soon } from './panel';

const program = `import math
import torch

def attend(x, w_q, w_k, note):
    q = x @ w_q
    k, v = x @ w_k, x
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    return out  # the mark

torch.manual_seed(0)
total = 0.0
for turn in range(22):
    with open(__file__ + '.turn', 'w') as at:
        at.write(str(turn))
    total += attend(torch.randn(3, 4), torch.randn(4, 2), torch.randn(4, 2), 'a note').sum().item()
with open(__file__ + '.end', 'w') as end:
    end.write(f'{total!r} {torch.randn(1).item()!r}')
`;

describe('a stopped program in a real VS Code', function () {
  this.timeout(600_000);
  let vscode: Session;
  const folder = freshFolder('live');

  before(async () => {
    const vsix = join(freshFolder('double'), 'double.vsix');
    await createVSIX({ cwd: join(root, 'test/host/doubles/debugger'), packagePath: vsix, skipLicense: true });
    writeFileSync(join(folder, 'attend.py'), program);
    const settings = { 'debug.inlineValues': 'on', 'explainAttention.shapeHints': true };
    vscode = await openVSCode({ extensionDevelopmentPath: root, vsix, folder, width: 1600, height: 1000, settings });
  });
  after(() => vscode?.close());

  const lines = async (): Promise<string> =>
    (await vscode.page.locator('.editor-instance .view-line').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
  const variable = (name: string) =>
    vscode.page.locator('.debug-view-content .monaco-list-row, .monaco-list-row').filter({ hasText: new RegExp(`^\\s*${name} ?=`) }).first(); // prettier-ignore

  it('has shapes and number types behind the lines that assign, and plain values', async () => {
    await vscode.openFile('attend.py');
    await vscode.runCommand('Doubles: Debug to the Mark');
    await soon(async () => {
      const shown = await lines();
      for (const text of ['q: 3×2 float32', 'k: 3×2 float32', 'v: 3×4 float32', 'scores: 3×3 float32', 'weights: 3×3 float32', 'out: 3×4 float32']) assert.ok(shown.includes(text), `${text} in ${shown}`); // prettier-ignore
    }, 120);
    assert.doesNotMatch(await lines(), /turn: /, 'a name of another function');
    // What the code says of a line's shape gives way to what the process has there.
    await soon(async () => {
      const line = (await lines()).split('\n').find((text) => /^ *scores = /.test(text)) ?? '';
      assert.deepEqual(line.match(/\d+×\d+/g), ['3×3'], line);
    });
    await vscode.screenshot(join(root, 'test-results/screenshots/live/stopped.png'));
  });

  it('explains the attention at the stop with the values of the process, and says so', async () => {
    await vscode.goTo(8, 6);
    await vscode.runCommand('Explain Attention: Explain Live Value');
    const frame = await panelShowing(vscode, 'attend.py, stopped at line 10');
    await soon(async () => {
      const text = await frame.locator('body').innerText();
      assert.match(text, /read from the process, stopped at line 10 of attend\.py/);
      assert.match(text, /The process has the same numbers[^.]*scores, weights, out\./);
    });
    await vscode.screenshot(join(root, 'test-results/screenshots/live/panel.png'));
  });

  it('has an item in the Variables view for a tensor and none for a text', async () => {
    const { page } = vscode;
    const item = page.locator('.context-view .action-label, .monaco-menu .action-label').filter({ hasText: 'Explain Attention' }); // prettier-ignore
    await vscode.runCommand('Run and Debug: Focus on Variables View');
    await variable('note').click({ button: 'right', timeout: 30_000 });
    await page.locator('.monaco-menu').first().waitFor();
    assert.equal(await item.count(), 0);
    await page.keyboard.press('Escape');
    await variable('w_q').click({ button: 'right' });
    await item.first().click({ timeout: 20_000 });
    await panelShowing(vscode, /w_q: attend\.py, stopped at line 10|attend\.py, stopped at line 10/);
  });

  it('goes through the forward pass twenty times with the panel open, and the program ends with the numbers of one that nobody looks at', async () => {
    // From the turn that it is in: a second try finds the program where the first has left it.
    const now = Number(readFileSync(join(folder, 'attend.py.turn'), 'utf8'));
    for (let turn = now + 1; turn <= 20; turn++) {
      await vscode.runCommand('Debug: Continue');
      // The values of the stop before may still stand behind the lines: the program says which pass it is in.
      await soon(async () => assert.equal(readFileSync(join(folder, 'attend.py.turn'), 'utf8'), `${turn}`), 60);
      await vscode.page.locator('.debug-toolbar .codicon-debug-continue').waitFor({ timeout: 60_000 });
      await soon(async () => assert.ok((await lines()).includes('weights: 3×3 float32'), await lines()), 60);
    }
    await panelShowing(vscode, /stopped at line 10/);
    const end = join(folder, 'attend.py.end');
    // One turn is left, or none where a stop came late.
    for (let i = 0; i < 3 && !existsSync(end); i++) {
      await vscode.runCommand('Debug: Continue').catch(() => undefined);
      await soon(async () => assert.ok(existsSync(end)), 10).catch(() => undefined);
    }
    const seen = readFileSync(end, 'utf8');
    const alone = join(freshFolder('alone'), 'attend.py');
    writeFileSync(alone, program);
    must(await run(process.env['PYTHON'] ?? '/usr/bin/python3', [alone]), 'Python');
    assert.equal(seen, readFileSync(`${alone}.end`, 'utf8'));
  }); // prettier-ignore
});
