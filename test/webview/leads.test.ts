// Symbols, tokens and numbers in sentences lead to their steps and cells: by a click, and by the keyboard with one stop of Tab for a box.
import assert from 'node:assert/strict';
import { eachPage } from './each-page';
import type { OpenPage } from './harness';
import { catExplanation } from './inputs';
import { goTo } from './page-driver';

describe('what leads somewhere from within a sentence', function () {
  this.timeout(180_000);
  let open: OpenPage;
  eachPage(async (page) => {
    open = page;
    await open.explain(catExplanation);
    await goTo(open, 'scores');
  });
  const lead = () => open.page.locator('.lead .sentence-link');
  const current = async (): Promise<unknown> => {
    const state = await open.state();
    return [state?.step, state?.cell];
  };

  it('goes from a token to its row, in the matrix that it names, and the keyboard with it', async () => {
    assert.equal(await lead().nth(2).getAttribute('aria-label'), 'sat, Key');
    await lead().nth(2).click();
    await open.page.locator('.stage[data-current-step=k]').waitFor();
    assert.deepEqual(await current(), ['k', [2, 2]]);
    assert.equal(await open.page.evaluate(() => document.activeElement?.id), 'stage-title');
  });

  it('is one stop of Tab in a sentence, arrows walk in it, and Enter follows', async () => {
    const stops = () => lead().evaluateAll((all) => all.map((one) => (one as HTMLElement).tabIndex));
    assert.deepEqual(await stops(), [0, -1, -1, -1, -1]);
    await lead().first().focus();
    await open.page.keyboard.press('ArrowRight');
    assert.deepEqual(await stops(), [-1, 0, -1, -1, -1]);
    assert.equal((await open.state())?.step, 'scores', 'the arrow is the sentence’s');
    await open.page.keyboard.press('Home');
    await open.page.keyboard.press('ArrowLeft');
    assert.deepEqual(await stops(), [0, -1, -1, -1, -1]);
    await open.page.keyboard.press('Enter');
    await open.page.locator('.stage[data-current-step=q]').waitFor();
    assert.deepEqual(await current(), ['q', [1, 2]]);
  });

  it('follows the cell that is selected, with tokens as columns too', async () => {
    await open.page.keyboard.press('t');
    await open.page.locator('.picture-layer [data-matrix=scores] [data-row="0"][data-column="3"]').first().click();
    await open.page.locator('.lead', { hasText: 'Column The of Q meets row on of Kᵀ' }).waitFor();
    await lead().nth(2).click();
    await open.page.locator('.stage[data-current-step=k]').waitFor();
    assert.deepEqual(await current(), ['k', [3, 2]], 'columns of K are no tokens: the example');
  });

  it('has numbers of the reasons lead to their cells', async () => {
    const norm = open.page.locator('.why .facts tr', { hasText: '|k|' }).locator('.sentence-link');
    await norm.waitFor();
    assert.equal(await open.page.locator('.why .sentence-link[tabindex="0"]').count(), 1, 'one stop of Tab');
    await norm.click();
    await open.page.locator('.stage[data-current-step=k]').waitFor();
    assert.deepEqual(await current(), ['k', [2, 2]]);
  });
});
