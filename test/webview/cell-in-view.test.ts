import assert from 'node:assert/strict';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { catExplanation } from './inputs';
import { currentStep, goTo } from './page-driver';

describe('the chosen cell', function () {
  this.timeout(120_000);
  let open: OpenPage;
  quietly(() => open);

  /** Whether the chosen cell of the current step stands whole between the head of the content and the inspector. */
  const inView = (): Promise<boolean> =>
    open.page.evaluate(() => {
      const content = document.querySelector('main.content') as HTMLElement;
      const { currentStep = '' } = (content.querySelector('.stage') as HTMLElement).dataset;
      const cell = content.querySelector(`[data-matrix="${currentStep}"] .heatmap-cell[aria-selected=true]`);
      const [inner, outer, foot] = [cell, content, content.querySelector('.inspector-box')].map((e) => e?.getBoundingClientRect()); // prettier-ignore
      return inner !== undefined && inner.top >= (outer?.top ?? NaN) && inner.bottom <= (foot?.top ?? NaN);
    });

  for (const [width, height] of [
    [310, 760],
    [546, 800],
    [700, 800],
  ] as const)
    // prettier-ignore
    it(`stays in view above the inspector from step to step at ${width} px, once it is`, async () => {
      open = await openPage({ width, height });
      await open.explain(catExplanation);
      await goTo(open, 'scores');
      // At the head of a step stand its words.
      assert.equal(await open.page.locator('main.content').evaluate((content) => content.scrollTop), 0);
      await open.page.locator('[data-matrix=scores] [data-row="3"][data-column="1"]').click();
      await open.page.locator('[data-matrix=scores] [data-row="3"][data-column="1"]').evaluate((cell) => cell.scrollIntoView({ block: 'center' })); // prettier-ignore
      await open.page.waitForTimeout(300);
      assert.ok(await inView());
      for (const step of ['weights', 'output', 'scores']) {
        await goTo(open, step);
        assert.equal(await currentStep(open), step);
        assert.ok(await inView(), step);
      }
    });

  const scrollTop = (): Promise<number> => open.page.locator('main.content').evaluate((content) => content.scrollTop);

  it('is also one that the next step would have shown by itself, once it is chosen', async () => {
    open = await openPage({ width: 546, height: 1000 });
    await open.explain(catExplanation);
    await goTo(open, 'q');
    await goTo(open, 'weights');
    assert.equal(await scrollTop(), 0, 'nobody chose it');
    await goTo(open, 'q');
    await open.page.locator('[data-matrix=q] [data-row="1"][data-column="0"]').click();
    await open.page.waitForTimeout(300);
    assert.ok(await inView());
    await goTo(open, 'weights');
    assert.ok((await scrollTop()) > 0 && (await inView()));
  });

  for (const [what, selector] of [
    ['the button', '.stage-walk [aria-label="Next step"]'],
    ['the link', '.stage .lead .sentence-link:not([data-to=scores], [data-to-row], [data-to-column])'],
  ] as const)
    it(`gives way to ${what} that leads on: the focus has to be seen`, async () => {
      open = await openPage({ width: 546, height: 800 });
      await open.explain(catExplanation);
      await goTo(open, 'scores');
      const cell = open.page.locator('[data-matrix=scores] [data-row="3"][data-column="1"]');
      await cell.click();
      await cell.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await open.page.waitForTimeout(300);
      assert.ok((await scrollTop()) > 0 && (await inView()));
      await open.page
        .locator(selector)
        .first()
        .evaluate((element: HTMLElement) => {
          element.focus({ preventScroll: true });
          element.click();
        });
      await open.page.waitForFunction(() => document.querySelector('.stage')?.getAttribute('data-current-step') !== 'scores'); // prettier-ignore
      await open.page.waitForTimeout(300);
      assert.equal(await scrollTop(), 0);
    });
});
