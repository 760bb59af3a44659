// Issue paragraph “Tokens and arcs”: the strip, the arcs, the heads, the text, and its place in the editor.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Session } from '../../host/session';
import { goToStep, readMatrix, setControl, soon } from './panel';
import { breaches, explainCat, sharedVSCode } from './shared';

describe('tokens, arcs and heads in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  let frame: Frame;
  before(async () => {
    vscode = await sharedVSCode();
    frame = await explainCat(vscode);
  });
  after(() => assert.deepEqual(breaches(vscode), []));

  it('says at a token whom it attends to, for the pointer and for the keyboard', async () => {
    const tip = frame.locator('.token-tip');
    await frame.locator('.token-button').nth(1).hover();
    await tip.filter({ hasText: /cat attends to/ }).waitFor();
    await vscode.page.mouse.move(5, 500);
    await frame.locator('.token-button').nth(0).focus();
    await vscode.page.keyboard.press('ArrowRight');
    await vscode.page.keyboard.press('ArrowRight');
    await tip.filter({ hasText: /sat attends to/ }).waitFor();
  });

  it('has arcs between queries and keys that walk by arrow keys', async () => {
    await goToStep(frame, 'weights');
    const queries = frame.locator('.arcs-query .arc-token');
    const says = (words: RegExp): Promise<void> =>
      soon(async () => assert.match(await frame.locator('.arcs-said').first().innerText(), words));
    await queries.nth(2).click();
    await says(/^sat attends to/);
    await vscode.page.keyboard.press('ArrowDown');
    await soon(async () =>
      assert.doesNotMatch(await frame.locator('.arcs-said').first().innerText(), /^sat attends to/),
    );
    await says(/attend/);
    assert.equal(await queries.count(), 6);
  });

  it('shows each head, by mouse and by keyboard', async () => {
    await setControl(frame, 'heads', '2');
    await goToStep(frame, 'weights');
    const heads = frame.getByRole('radiogroup', { name: 'Heads' }).getByRole('radio');
    await soon(async () => assert.equal(await heads.count(), 2));
    const first = JSON.stringify(await readMatrix(frame, 'weights'));
    await heads.nth(1).click();
    await soon(async () => assert.notEqual(JSON.stringify(await readMatrix(frame, 'weights')), first));
    await heads.nth(1).focus();
    await vscode.page.keyboard.press('ArrowLeft');
    await soon(async () => assert.equal(JSON.stringify(await readMatrix(frame, 'weights')), first));
    await setControl(frame, 'heads', '1');
  });

  it('marks the tokens in the text, and selects its place in the editor', async () => {
    await goToStep(frame, 'tokens');
    const marks = frame.locator('.raw-token');
    assert.deepEqual(await marks.allInnerTexts(), ['The', 'cat', 'sat', 'on', 'the', 'mat']);
    await marks.nth(2).click();
    await frame.locator('.header-source').getByRole('button').click();
    // “sat”, the eighth to the tenth character.
    await vscode.page.locator('[id="status.editor.selection"]', { hasText: 'Ln 1, Col 12 (3 selected)' }).waitFor();
  });
});
