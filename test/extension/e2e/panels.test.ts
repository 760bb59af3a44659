import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textDefaults } from '../../../engine/index';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { chooseInExplorer, hasTokens, panelShowing, reloaded } from './panel';

const spec = {
  ...textDefaults,
  start: { from: 'text', text: 'one two three four', tokenizer: 'words' },
  mask: 'causal',
};
const files = {
  'two.md': 'The cat sat on the mat\nA dog ran\nBirds sing at night\n',
  'saved.attention.json': JSON.stringify({ spec, view: { step: 'weights', cell: [2, 1], digits: 3 } }, null, 2),
};

describe('several panels in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;

  before(async () => {
    const folder = freshFolder('panels');
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000 });
  });
  after(() => vscode.close());

  const tab = (line: number) => vscode.page.locator('.tab', { hasText: `Attention: two.md:${line}` });
  /** Waits until the panel that is seen shows a line with so many tokens. */
  async function shows(line: number, tokens: number): Promise<void> {
    await vscode.page.locator('.tab.active', { hasText: `Attention: two.md:${line}` }).waitFor({ timeout: 30_000 });
    await hasTokens(await panelShowing(vscode, `two.md:${line}`), tokens);
  }

  const button = (name: string) => vscode.page.getByRole('button', { name });
  const [follow, pin] = ['Follow the Selection', 'Pin (Stop Following the Selection)'];

  it('open beside each other, each with its own input and title', async () => {
    await vscode.openFile('two.md');
    await vscode.selectText(1, 1, 1, 23);
    await vscode.runCommand('Explain Attention');
    await shows(1, 6);
    await vscode.openFile('two.md');
    await vscode.selectText(2, 1, 2, 10);
    await vscode.runCommand('Explain Attention: Open in a New Panel');
    await shows(2, 3);
    await tab(1).click();
    await shows(1, 6);
  });

  it('follow the selection from the button in their title bar until they are pinned', async () => {
    await tab(2).click();
    // The button is the title bar's, and works on the panel that is seen.
    await shows(2, 3);
    await button(follow).click();
    await button(pin).waitFor();
    await vscode.openFile('two.md');
    await vscode.selectText(3, 1, 3, 20);
    await shows(3, 4);
    const focus = await vscode.page.evaluate(() => document.activeElement?.closest('.editor-instance')?.tagName ?? '');
    assert.notEqual(focus, '', 'the editor has the focus still');
    await tab(3).click();
    await shows(3, 4);
    await button(pin).click();
    await button(follow).waitFor();
    await vscode.openFile('two.md');
    await vscode.selectText(2, 1, 2, 10);
    await vscode.page.waitForTimeout(1500);
    await shows(3, 4);
  });

  it('survive a reload of the window, each with its own', async () => {
    await reloaded(vscode, () => shows(3, 4));
    await tab(1).click();
    await shows(1, 6);
  });

  it('open a saved explanation from the Explorer at the step that was looked at', async () => {
    await chooseInExplorer(vscode, 'saved.attention.json', 'Explain Attention: Open Explanation…');
    const frame = await panelShowing(vscode, 'saved.attention.json');
    await frame.locator('[data-current-step="weights"]').waitFor();
    await hasTokens(frame, 4);
  });

  it('broke no content policy and made no request', () => {
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
