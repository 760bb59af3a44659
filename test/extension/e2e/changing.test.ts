// Issue part “Changing things”: a cell, undo and redo, write back, find, compare; and “Predict first” and the reasons.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { Session } from '../../host/session';
import { goToStep, readMatrix, setControl, soon } from './panel';
import { atStep, breaches, cellAt, explainCat, explainMatrix, sharedVSCode } from './shared';

describe('changing things in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  let frame: Frame;
  before(async () => void (vscode = await sharedVSCode()));
  after(() => assert.deepEqual(breaches(vscode), []));

  const value = (matrix: string, row: number, column: number, is: number): Promise<void> =>
    soon(async () => assert.equal((await readMatrix(frame, matrix))[row]?.[column], is));

  describe('of a matrix', () => {
    before(async () => {
      frame = await explainMatrix(vscode);
      await goToStep(frame, 'x');
    });

    it('a cell by keyboard: everything after it follows; undo and redo', async () => {
      await cellAt(frame, 'x', 1, 0).click();
      await vscode.page.keyboard.press('F2');
      await frame.locator('.cell-input').fill('-1/4');
      await vscode.page.keyboard.press('Enter');
      await value('x', 1, 0, -0.25);
      await goToStep(frame, 'scores');
      // [1, 2] · [−1/4, 4]
      await value('scores', 0, 1, 7.75);
      await vscode.page.keyboard.press('Control+z');
      // [1, 2] · [3, 4]
      await value('scores', 0, 1, 11);
      await vscode.page.keyboard.press('Control+Shift+z');
      await value('scores', 0, 1, 7.75);
    });

    it('undo and redo by their buttons', async () => {
      await frame.getByRole('button', { name: 'Undo' }).click();
      await value('scores', 0, 1, 11);
      await frame.getByRole('button', { name: 'Redo' }).click();
      await value('scores', 0, 1, 7.75);
    });

    it('writes it back into the source in its own notation', async () => {
      await goToStep(frame, 'x');
      await frame.getByRole('button', { name: 'Write back' }).click();
      const editor = vscode.page.locator('.monaco-editor[data-uri$="matrix.py"] .view-lines');
      await editor.filter({ hasText: '[-0.25,' }).waitFor();
      await soon(async () =>
        assert.match((await editor.innerText()).replace(/\s/g, ''), /\[\[1\.0,2\.0\],\[-0\.25,4\.0\]\]/),
      );
      const saved = readFileSync(join(vscode.folder, 'matrix.py'), 'utf8');
      assert.ok(saved.includes('[3.0, 4.0]'), 'the file itself is the reader’s to save');
      await vscode.openFile('matrix.py');
      await vscode.runCommand('File: Revert File');
      await editor.filter({ hasText: '[3.0,' }).waitFor();
    });
  });

  describe('of a text', () => {
    before(async () => {
      frame = await explainCat(vscode);
      await goToStep(frame, 'scores');
    });

    it('finds a token and a step by keyboard', async () => {
      await cellAt(frame, 'scores', 0, 0).click();
      await vscode.page.keyboard.press('Control+f');
      await frame.getByRole('combobox', { name: 'Find a step, a token or a number' }).fill('sat');
      await frame.locator('#find-results li').first().waitFor();
      await vscode.page.keyboard.press('Enter');
      await frame.locator('[data-matrix="scores"] [aria-selected="true"][data-row="2"]').first().waitFor();
      await frame.locator('.find-input').fill('attention w');
      await frame
        .locator('#find-results li', { hasText: /weights/i })
        .first()
        .waitFor();
      await vscode.page.keyboard.press('Enter');
      await atStep(frame, 'weights');
      await vscode.page.keyboard.press('Escape');
      await frame.locator('.find').waitFor({ state: 'hidden' });
    });

    it('compares scaled with unscaled, step by step', async () => {
      await goToStep(frame, 'weights');
      await frame.getByRole('button', { name: 'Pin to compare' }).click();
      await setControl(frame, 'scale', 'none');
      await frame.locator('.pinned', { hasText: /Changed since then: Scale/ }).waitFor();
      await frame.locator('.timeline-step[data-step="weights"][data-differs]').waitFor();
      assert.equal(await frame.locator('.timeline-step[data-step="q"][data-differs]').count(), 0);
      await frame.getByRole('button', { name: 'Unpin' }).focus();
      await vscode.page.keyboard.press('Enter');
      await frame.getByRole('button', { name: 'Pin to compare' }).waitFor();
      await setControl(frame, 'scale', 'sqrt_d_k');
    });

    it('hides the result until it is predicted', async () => {
      await goToStep(frame, 'scores');
      const toggle = frame.getByRole('button', { name: 'Predict first' });
      await toggle.click();
      await frame.locator('.predict-form').waitFor();
      await frame.locator('[role=grid][data-matrix="scores"]').first().waitFor({ state: 'hidden' });
      await frame.locator('.predict-form input').first().fill('1');
      await vscode.page.keyboard.press('Enter');
      await frame.locator('.predict table').waitFor();
      await frame.locator('[role=grid][data-matrix="scores"]').first().waitFor();
      await toggle.click();
      await frame.locator('.predict').waitFor({ state: 'hidden' });
    });

    it('has reasons in the reader’s numbers, and a slider for the scale by keyboard', async () => {
      await goToStep(frame, 'scaled');
      const card = frame.locator('.insight', { hasText: 'What does the scale do' });
      const shown = await card.innerText();
      await frame.locator('.slider').focus();
      for (let i = 0; i < 10; i++) await vscode.page.keyboard.press('ArrowLeft');
      await soon(async () => assert.notEqual(await card.innerText(), shown));
    });
  });
});
