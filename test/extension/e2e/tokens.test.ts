import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import {
  examplesFolder,
  explainSelection,
  goToStep,
  hasTokens,
  readMatrix,
  readyPanel,
  reloaded,
  soon,
  unfoldControl,
} from './panel';

const hasIds = (frame: Frame, ids: readonly number[]): Promise<void> =>
  soon(async () => {
    const shown = await readMatrix(frame, 'tokens');
    assert.deepEqual(
      shown.map(([id]) => id),
      ids,
    );
  });

describe('tokens in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;
  before(async () => {
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder: examplesFolder(), width: 1600, height: 1000 });
  });
  after(() => vscode.close());

  it('gpt2 cuts tutorial 003’s sentence into its seven tokens, by mouse', async () => {
    const frame = await explainSelection(vscode, '2-capital-of-france.md', 'What is the capital', 'France?');
    await hasTokens(frame, 7);
    await unfoldControl(frame, 'tokenizer');
    await frame.locator('[data-control="tokenizer"]').click();
    await frame.locator('[data-control="tokenizer"] vscode-option[value="gpt2"]').click();
    // gpt-tokenizer 4.0.0
    await frame.locator('.token-button[data-id="2061"]').waitFor({ timeout: 30_000 });
    await readyPanel(vscode);
    assert.deepEqual(await frame.locator('.token-button').allInnerTexts(), [
      'What',
      '·is',
      '·the',
      '·capital',
      '·of',
      '·France',
      '?',
    ]);
    await goToStep(frame, 'tokens');
    await hasIds(frame, [2061, 318, 262, 3139, 286, 4881, 30]);
    await goToStep(frame, 'weights');
    await soon(async () => assert.equal((await readMatrix(frame, 'weights')).length, 7));
  });

  it('cl100k_base, which the tutorial uses, by keyboard', async () => {
    const frame = await readyPanel(vscode);
    await frame.locator('[data-control="tokenizer"]').focus();
    await vscode.page.keyboard.press('Enter');
    await vscode.page.keyboard.press('ArrowDown');
    await vscode.page.keyboard.press('Enter');
    await frame.locator('.token-button[data-id="3923"]').waitFor({ timeout: 30_000 });
    await readyPanel(vscode);
    await goToStep(frame, 'tokens');
    // tiktoken 0.14.0
    await hasIds(frame, [3923, 374, 279, 6864, 315, 9822, 30]);
  });

  it('a reload of the window brings the tokens back', async () => {
    const frame = await reloaded(vscode, () => readyPanel(vscode));
    await frame.locator('.token-button[data-id="3923"]').waitFor();
    await hasTokens(frame, 7);
  });

  it('broke no content policy and made no request', () => {
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
