// Issue part “Craft”: nothing to explain, a refused input, a panel that is moved and hidden, and keys that stay VS Code's.
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import type { Session } from '../../host/session';
import { goToStep, hasTokens, panelShowing, readMatrix, reloaded, setControl, soon, unfoldControl } from './panel';
import { atStep, breaches, cellAt, explainCat, sharedVSCode } from './shared';

describe('states of a panel in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;
  before(async () => void (vscode = await sharedVSCode()));
  after(() => assert.deepEqual(breaches(vscode), []));

  const box = (): Locator => vscode.page.locator('.quick-input-widget:visible');

  it('where there is nothing to explain it asks, names what is wrong while it is typed, and explains the rest', async () => {
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommand('Explain Attention');
    const input = box().locator('input.input');
    await box().getByText('Type a text, or a matrix such as [[1, 0], [0, 1]].').waitFor();
    await input.fill('[[1, 2], [3]]');
    await box()
      .getByText(/row 2 has 1 number/)
      .waitFor();
    await vscode.page.keyboard.press('Enter');
    await input.waitFor();
    await input.fill('one two three');
    await vscode.page.keyboard.press('Enter');
    await hasTokens(await panelShowing(vscode, 'typed input'), 3);
  });

  describe('with the cat', () => {
    let frame: Frame;
    before(async () => {
      frame = await explainCat(vscode);
      await setControl(frame, 'mask', 'causal');
      await unfoldControl(frame, 'dModel');
      await goToStep(frame, 'weights');
      await cellAt(frame, 'weights', 2, 1).click();
    });

    /** Step, switches and cell are what they were. */
    async function isKept(): Promise<void> {
      frame = await panelShowing(vscode, 'cat.md:1');
      await atStep(frame, 'weights');
      await frame
        .locator('[data-matrix="weights"] [aria-selected="true"][data-row="2"][data-column="1"]')
        .first()
        .waitFor();
      await soon(async () => assert.equal((await readMatrix(frame, 'weights'))[0]?.[0], 1, 'the causal mask is kept'));
    }

    for (const [place, find] of [
      ['a cell', () => cellAt(frame, 'weights', 2, 1)],
      ['a token', () => frame.locator('.token-button').nth(1)],
      ['a switch', () => frame.locator('[data-control="dModel"] input')],
    ] as const) {
      it(`F1 at ${place} opens the palette`, async () => {
        await find().focus();
        await vscode.page.keyboard.press('F1');
        await box().waitFor();
        await vscode.page.keyboard.press('Escape');
        await box().waitFor({ state: 'detached' });
      });
    }

    it('comes back as it was when it is moved to another group', async () => {
      await cellAt(frame, 'weights', 2, 1).click();
      await vscode.runCommand('View: Move Editor into Previous Group');
      await isKept();
    });

    it('comes back as it was when another editor has covered it', async () => {
      const tab = (name: string): Locator => vscode.page.locator('.tab', { hasText: name }).first();
      await tab('cat.md').click();
      await vscode.page.locator('.tab.active[data-resource-name="cat.md"]').first().waitFor();
      await tab('Attention: cat.md').click();
      await isKept();
    });

    it('F1 opens the palette after the window was reloaded', async () => {
      await reloaded(vscode, isKept);
      await cellAt(frame, 'weights', 2, 1).click();
      await vscode.page.keyboard.press('F1');
      await box().waitFor();
      await vscode.page.keyboard.press('Escape');
    });

    // VS Code in a browser writes a page's state every 5 s (extension/panels/kept.ts): by itself, each of these is lost in four of five runs.
    for (const step of ['scores', 'output'])
      it(`comes back at the step “${step}” that was chosen a second before the browser reloaded`, async () => {
        await goToStep(frame, step);
        await vscode.page.waitForTimeout(1000);
        const comesBack = async (): Promise<void> => {
          frame = await panelShowing(vscode, 'cat.md:1');
          await atStep(frame, step);
        };
        await reloaded(vscode, comesBack, vscode.reloadPage);
        await goToStep(frame, 'weights');
      });
  });
});
