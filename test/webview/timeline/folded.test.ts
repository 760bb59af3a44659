// A step that is switched off is folded into its neighbour: its symbol stands between the two, and walking passes it by.
import assert from 'node:assert/strict';
import { eachPage } from '../each-page';
import type { OpenPage } from '../harness';
import { catExplanation } from '../inputs';
import { choose, currentStep, goTo } from '../page-driver';

describe('a step that is switched off', function () {
  this.timeout(60_000);
  let open: OpenPage;
  eachPage(async (page) => {
    open = page;
    await open.explain(catExplanation);
  });
  const place = (): Promise<string> => open.page.locator('.stage-walk .place').innerText();
  const mask = () => open.page.locator('.timeline [data-step="masked"]');

  it('is passed by in both directions, and not counted', async () => {
    await goTo(open, 'scaled');
    assert.equal(await place(), '9 of 11');
    await open.page.keyboard.press(']');
    await open.page.locator('.stage[data-current-step="weights"]').waitFor();
    assert.equal(await place(), '10 of 11');
    await open.page.keyboard.press('[');
    await open.page.locator('.stage[data-current-step="scaled"]').waitFor();
  });

  it('is its symbol between its neighbours, is said to be unchanged, and opens', async () => {
    assert.equal(await mask().locator('.thumb').count(), 0);
    assert.match((await mask().getAttribute('title')) ?? '', /^M: .*, unchanged$/);
    const box = await mask().boundingBox();
    assert.ok(box && box.width < 60, JSON.stringify(box));
    await goTo(open, 'masked');
    assert.equal(await place(), 'unchanged');
    await open.page.keyboard.press(']');
    await open.page.locator('.stage[data-current-step="weights"]').waitFor();
  });

  it('is a step like any other once it changes something', async () => {
    await goTo(open, 'scaled');
    await choose(open, 'mask', 'Causal');
    await mask().locator('.thumb').waitFor();
    assert.equal(await place(), '9 of 12');
    await open.page.keyboard.press('Escape');
    await open.page.locator('.stage-walk').getByRole('button', { name: 'Next step' }).click();
    assert.equal(await currentStep(open), 'masked');
  });
});
