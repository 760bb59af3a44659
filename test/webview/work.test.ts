// How much the page does for a change at 200 tokens, counted and not timed: what costs time is elements made and styles computed.
import assert from 'node:assert/strict';
import { openPage, stopBrowser } from './harness';
import { explanation, textSpec, words } from './inputs';
import { goTo, openControls } from './page-driver';

/** Counts from the page's first script on. */
const counting = `
  window.work = { elements: 0, canvases: 0, styles: 0 };
  window.framesToReady = [];
  for (const name of ['createElement', 'createElementNS']) {
    const own = Document.prototype[name];
    Document.prototype[name] = function (...args) {
      work.elements++;
      if (args[0] === 'canvas') work.canvases++;
      return own.apply(this, args);
    };
  }
  // Frames that begin between Enter and the page that shows what it asked for.
  let [frame, entered] = [0, undefined];
  const count = () => requestAnimationFrame(() => { frame++; count(); });
  count();
  addEventListener('keydown', ({ key }) => { if (key === 'Enter') entered = frame; }, { capture: true });
  new MutationObserver(() => {
    if (entered === undefined || document.body?.dataset.ready !== 'true') return;
    framesToReady.push(frame - entered);
    entered = undefined;
  }).observe(document, { subtree: true, attributeFilter: ['data-ready'] });`;

interface Work {
  readonly elements: number;
  readonly canvases: number;
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
      return {
        elements: after.elements - before.elements,
        canvases: after.canvases - before.canvases,
        styles: after.styles - before.styles,
      };
    };
    const [few, many] = [await workOf(40), await workOf(200)];
    assert.ok(many.elements > 20, 'nothing was counted');
    // 40 tokens have numbers in their cells, 200 have none; 200 buttons made anew would be seen here.
    assert.ok(many.elements < 700, JSON.stringify({ few, many }));
    assert.ok(many.styles <= 2, JSON.stringify({ few, many }));
    // The three matrices of the stage, each with its bar and its overview; the road's pictures keep theirs.
    assert.ok(many.canvases <= 10, JSON.stringify({ few, many }));
    // In the next frame, not in one after it.
    assert.deepEqual(await page.evaluate(() => (window as unknown as { framesToReady: number[] }).framesToReady), [0, 0]);
    assert.deepEqual(open.troubles, []);
    await open.close();
  }); // prettier-ignore
});
