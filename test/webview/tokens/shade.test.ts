import assert from 'node:assert/strict';
import { explainAttention } from '../../../engine/index';
import { openPage, type OpenPage } from '../harness';
import { explanation, textSpec, words } from '../inputs';
import { goTo, openControls } from '../page-driver';

/** Counts tints: how many there are until the first frame after Enter that shows what was asked for, and all. */
const counting = `
  window.tints = { all: 0, byFrame: 0 };
  let entered = false;
  const own = CSSStyleDeclaration.prototype.setProperty;
  CSSStyleDeclaration.prototype.setProperty = function (name, ...rest) {
    if (name === '--share') tints.all++;
    return own.call(this, name, ...rest);
  };
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return;
    [entered, tints.all] = [true, 0];
  }, { capture: true });
  new MutationObserver(() => {
    if (!entered || document.body?.dataset.ready !== 'true') return;
    entered = false;
    requestAnimationFrame(() => (tints.byFrame = tints.all));
  }).observe(document, { subtree: true, attributeFilter: ['data-ready'] });`;

const tokens = 200;

/** What each token gets of a query's attention, as a part of the most. */
function sharesWith(seed: number, query: number): number[] {
  const result = explainAttention(textSpec(words(tokens), { random: { generator: 'numpy.RandomState', seed } }));
  assert.ok(result.ok);
  const row = [...result.value.read('weights', { rows: [query, query + 1] }).max];
  return row.map((weight) => weight / Math.max(...row));
}

const sharesIn = ({ page }: OpenPage): Promise<number[]> =>
  page
    .locator('.token-button')
    .evaluateAll((all) => all.map((node) => Number((node as HTMLElement).style.getPropertyValue('--share'))));

/** The last token is tinted last. */
async function tinted(open: OpenPage, expected: readonly number[]): Promise<void> {
  const last = open.page.locator(`.token-button:last-child[style*="${(expected.at(-1) ?? NaN).toFixed(3)}"]`);
  await last.waitFor({ state: 'attached' });
  (await sharesIn(open)).forEach((share, i) => {
    assert.ok(Math.abs(share - (expected[i] ?? NaN)) < 6e-4, `token ${i}: ${share}, not ${expected[i]}`);
  });
}

describe('the tints of the token strip', function () {
  this.timeout(120_000);

  it('come at once for the tokens in sight, and after the frame for those that scrolling brings', async () => {
    const open = await openPage({ before: counting });
    const { page } = open;
    await open.explain(explanation(textSpec(words(tokens))), { backend: 'cpu' });
    await goTo(open, 'scores');
    const query = await page
      .locator('.token-button')
      .evaluateAll((all) => all.findIndex((one) => one.getAttribute('aria-pressed') === 'true'));
    await tinted(open, sharesWith(0, query));
    await openControls(open);
    const seed = page.locator('[data-control="seed"] input');
    const shown = Number(await page.locator('body').getAttribute('data-shown'));
    await seed.fill('7');
    await seed.press('Enter');
    await page.locator(`body[data-shown="${shown + 1}"][data-ready="true"]`).waitFor({ state: 'attached' });
    const expected = sharesWith(7, query);
    await tinted(open, expected);
    const { byFrame } = await page.evaluate(() => (window as unknown as { tints: { byFrame: number } }).tints);
    const inSight = await page.locator('.tokens').evaluate((strip) => {
      const { left, right } = strip.getBoundingClientRect();
      const boxes = [...strip.children].map((button) => button.getBoundingClientRect());
      return boxes.filter((box) => box.right > left && box.left < right).length;
    });
    assert.ok(inSight > 5 && inSight < tokens / 2, `${inSight} tokens are in sight`);
    assert.ok(
      byFrame >= inSight && byFrame < tokens / 2,
      `${byFrame} tints before the frame, ${inSight} tokens in sight`,
    );
    await page.locator('.tokens').evaluate((strip) => (strip.scrollLeft = strip.scrollWidth));
    await tinted(open, expected);
    assert.deepEqual(open.troubles, []);
    await open.close();
  });
});
