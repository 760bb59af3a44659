// How much the page does for a change at 200 tokens, counted and not timed: what costs time is elements made and styles computed.
import assert from 'node:assert/strict';
import { openPage, stopBrowser } from './harness';
import { explanation, textSpec, words } from './inputs';
import { goTo, openControls } from './page-driver';

/** Counts from the page's first script on. */
const counting = `
  window.work = { elements: 0, styles: 0 };
  for (const name of ['createElement', 'createElementNS']) {
    const own = Document.prototype[name];
    Document.prototype[name] = function (...args) {
      work.elements++;
      return own.apply(this, args);
    };
  }
  const computed = window.getComputedStyle;
  window.getComputedStyle = function (...args) {
    work.styles++;
    return computed.apply(this, args);
  };`;

interface Work {
  readonly elements: number;
  readonly styles: number;
}

describe('the work of a change', function () {
  this.timeout(120_000);
  after(stopBrowser);

  it('makes no token anew, few elements, and computes styles a few times, whatever the number of tokens', async () => {
    const open = await openPage({ before: counting });
    const { page } = open;
    const seed = page.locator('[data-control="seed"] input');
    const workOf = async (tokens: number): Promise<Work> => {
      await open.explain(explanation(textSpec(words(tokens))), { backend: 'cpu' });
      await goTo(open, 'scores');
      await openControls(open);
      await page.evaluate(() => document.querySelectorAll('.token-button').forEach((b) => b.setAttribute('data-kept', '')));
      await page.waitForTimeout(500);
      const before = await page.evaluate(() => ({ ...(window as unknown as { work: Work }).work }));
      const shown = Number(await page.locator('body').getAttribute('data-shown'));
      await seed.fill(String(tokens));
      await seed.press('Enter');
      await page.locator(`body[data-shown="${shown + 1}"][data-ready="true"]`).waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      const after = await page.evaluate(() => ({ ...(window as unknown as { work: Work }).work }));
      assert.equal(await page.locator('.token-button[data-kept]').count(), tokens);
      return { elements: after.elements - before.elements, styles: after.styles - before.styles };
    };
    const [few, many] = [await workOf(40), await workOf(200)];
    assert.ok(many.elements > 20, 'nothing was counted');
    // 40 tokens have numbers in their cells, 200 have none; 200 buttons made anew would be seen here.
    assert.ok(many.elements < 700, JSON.stringify({ few, many }));
    assert.ok(many.styles <= 12, JSON.stringify({ few, many }));
    assert.deepEqual(open.troubles, []);
    await open.close();
  }); // prettier-ignore
});
