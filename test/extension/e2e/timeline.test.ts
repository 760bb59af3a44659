// Issue paragraph “The timeline”: next, previous, play, links, by mouse and by keyboard.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Session } from '../../host/session';
import { goToStep, readMatrix, soon } from './panel';
import { atStep, breaches, cellAt, explainCat, sharedVSCode } from './shared';

describe('the timeline in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  let frame: Frame;
  before(async () => {
    vscode = await sharedVSCode();
    frame = await explainCat(vscode);
  });
  after(() => assert.deepEqual(breaches(vscode), []));

  it('goes on and back by the buttons, and by the link of what comes next', async () => {
    await atStep(frame, 'tokens');
    await frame.getByRole('button', { name: 'Next step' }).click();
    await atStep(frame, 'embedding');
    await frame.getByRole('button', { name: 'Previous step' }).click();
    await atStep(frame, 'tokens');
    await frame.locator('.card', { hasText: 'Next' }).getByRole('button').first().click();
    await atStep(frame, 'embedding');
    await frame.locator('.timeline-step[data-step="scores"]').click();
    await atStep(frame, 'scores');
  });

  it('goes on and back by the arrow keys and the brackets', async () => {
    await goToStep(frame, 'scores');
    await frame.locator('#stage-title').focus();
    await vscode.page.keyboard.press('ArrowRight');
    await atStep(frame, 'scaled');
    await vscode.page.keyboard.press('ArrowLeft');
    await atStep(frame, 'scores');
    await cellAt(frame, 'scores', 0, 0).click();
    await vscode.page.keyboard.press(']');
    await atStep(frame, 'scaled');
    await vscode.page.keyboard.press('[');
    await atStep(frame, 'scores');
  });

  it('reaches every step that changes something by keyboard alone', async () => {
    await goToStep(frame, 'tokens');
    const timeline = await frame
      .locator('.timeline-step:not([data-off])')
      .evaluateAll((all) => all.map((e) => e.getAttribute('data-step')));
    assert.ok(timeline.length >= 9, timeline.join());
    await frame.locator('#stage-title').focus();
    for (const step of timeline.slice(1)) {
      await vscode.page.keyboard.press('ArrowRight');
      await atStep(frame, step ?? '');
    }
    await soon(async () => assert.equal((await readMatrix(frame, 'output')).length, 6));
  });

  it('plays and stops by Space', async () => {
    await goToStep(frame, 'scores');
    await frame.locator('#stage-title').focus();
    await vscode.page.keyboard.press('Space');
    await frame.getByRole('button', { name: 'Pause' }).waitFor();
    await atStep(frame, 'scaled');
    await vscode.page.keyboard.press('Space');
    await frame.getByRole('button', { name: 'Play' }).waitFor();
  });

  it('plays and stops by its button', async () => {
    await goToStep(frame, 'q');
    await frame.getByRole('button', { name: 'Play' }).click();
    await frame.locator('.stage:not([data-current-step="q"])').waitFor();
    await frame.getByRole('button', { name: 'Pause' }).click();
    await frame.getByRole('button', { name: 'Play' }).waitFor();
  });
});
