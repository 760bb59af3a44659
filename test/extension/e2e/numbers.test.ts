// Issue paragraph “Every number opens”: what made a cell, and the way back from it to the token.
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import type { Session } from '../../host/session';
import { goToStep, soon } from './panel';
import { atStep, breaches, cellAt, explainCat, sharedVSCode } from './shared';

describe('every number opens in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  let frame: Frame;
  before(async () => {
    vscode = await sharedVSCode();
    frame = await explainCat(vscode);
  });
  after(() => assert.deepEqual(breaches(vscode), []));

  const heading = (has: RegExp): Promise<void> =>
    soon(async () => assert.match((await frame.locator('.inspector h2').innerText()).replace(/\s+/g, ' '), has));
  /** Goes to the first value that made the shown one; returns its step. */
  async function back(from: string, go: (operand: Locator) => Promise<void>): Promise<string> {
    await frame.locator('.inspector-head').first().waitFor();
    const shown = await frame.locator('.inspector h2').innerText();
    const operand = frame.locator(`.inspector .walk[data-step]:not(.later-step):not([data-step="${from}"])`).first();
    const step = (await operand.getAttribute('data-step')) ?? '';
    await go(operand);
    await atStep(frame, step);
    // What was open before stays until the next has something to show.
    await soon(async () => assert.notEqual(await frame.locator('.inspector h2').innerText(), shown));
    return step;
  }
  async function wayBack(from: string, go: (operand: Locator) => Promise<void>): Promise<string[]> {
    const way = [from];
    while (way.length < 12 && !['tokens', 'table'].includes(way.at(-1) ?? ''))
      way.push(await back(way.at(-1) ?? '', go));
    return way;
  }
  const passes = (way: readonly string[], ...steps: string[]): void =>
    assert.deepEqual(
      way.filter((step) => steps.includes(step)),
      steps,
      way.join(' → '),
    );

  it('walks back from an output to the input token, operand by operand, by mouse', async () => {
    await goToStep(frame, 'output');
    await cellAt(frame, 'output', 1, 2).click();
    await heading(/cat/);
    const way = await wayBack('output', (operand) => operand.click());
    passes(way, 'output', 'weights', 'scores', 'q', 'x', 'embedding');
    assert.match(way.at(-1) ?? '', /^(tokens|table)$/);
  });

  it('walks back by keyboard alone', async () => {
    await goToStep(frame, 'weights');
    await cellAt(frame, 'weights', 1, 1).click();
    for (const key of ['ArrowDown', 'ArrowRight']) await vscode.page.keyboard.press(key);
    await frame
      .locator('[data-matrix="weights"] [aria-selected="true"][data-row="2"][data-column="2"]')
      .first()
      .waitFor();
    await heading(/A\[sat, sat\]/);
    const way = await wayBack('weights', async (operand) => {
      await operand.focus();
      await vscode.page.keyboard.press('Enter');
    });
    passes(way, 'weights', 'scores', 'q', 'x', 'embedding');
  });

  it('shows a softmax with its maximum, and a product term by term', async () => {
    await goToStep(frame, 'weights');
    await cellAt(frame, 'weights', 1, 2).click();
    await heading(/A\[cat, sat\]/);
    await soon(async () => assert.match(await frame.locator('.inspector').innerText(), /max/i));
    await goToStep(frame, 'scores');
    await cellAt(frame, 'scores', 1, 2).click();
    await heading(/S\[cat, sat\]/);
    // d_k is 8.
    await soon(async () => assert.equal(await frame.locator('.inspector .terms tbody tr').count(), 8));
  });
});
