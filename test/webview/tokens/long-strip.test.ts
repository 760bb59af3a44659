// The strip of a text that is too long for a button each.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { explainAttention } from '../../../engine/index';
import { quietly } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { explanation, textSpec } from '../inputs';
import { goTo } from '../page-driver';

const n = 2500;
const name = (i: number): string => `w${(i * 7) % 41}`;
const spec = textSpec(Array.from({ length: n }, (_, i) => name(i)).join(' '));

describe('the strip of 2,500 tokens', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => {
    open = await openPage();
    await open.explain(explanation(spec), { backend: 'cpu' });
    await goTo(open, 'scores');
  });
  quietly(() => open);

  const token = (i: number): Locator => open.page.locator(`.token-button[aria-label^="Token ${i}: "]`);
  const pressed = (i: number): Locator => token(i).and(open.page.locator('[aria-pressed=true][tabindex="0"]:focus'));
  const more = (): Promise<string[]> => open.page.locator('.more-tokens').allInnerTexts();

  it('goes with the keyboard to its last token and back, and past the end of what it shows', async () => {
    const { page } = open;
    await page.locator('.token-button').first().focus();
    await page.keyboard.press('End');
    await pressed(n - 1).waitFor();
    assert.deepEqual(await more(), ['… 2100 more']);
    await page.keyboard.press('ArrowLeft');
    await pressed(n - 2).waitFor();
    await page.keyboard.press('Home');
    await pressed(0).waitFor();
    const last = page.locator('.token-button').last();
    assert.match((await last.getAttribute('aria-label')) ?? '', /^Token 399: /);
    await last.focus();
    await page.keyboard.press('ArrowRight');
    await pressed(400).waitFor();
    assert.deepEqual(await more(), ['… 200 more', '… 1900 more']);
    await page.keyboard.press('ArrowRight');
    await pressed(401).waitFor();
    assert.equal(await page.locator('.token-button[tabindex="0"]').count(), 1);
  });

  it('follows a token that Find goes to, tints it and says what it is', async () => {
    const { page } = open;
    await page.keyboard.press('Control+f');
    await page.locator('.find-input').fill('#2222');
    await page.locator('#find-results [data-found=token]').first().waitFor();
    await page.keyboard.press('Enter');
    await token(2222).and(page.locator('[aria-pressed=true]')).waitFor();
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    const row = [...trace.value.read('weights', { rows: [2222, 2223] }).max];
    const share = (row[2230] ?? NaN) / Math.max(...row);
    const tinted = page.locator(`.token-button[style*="--share: ${share.toFixed(3)}"]`);
    await tinted.and(token(2230)).waitFor({ state: 'attached' });
    const inside = await token(2222).evaluate((button) => {
      const [own, strip] = [button, button.parentElement ?? button].map((e) => e.getBoundingClientRect());
      return own !== undefined && strip !== undefined && own.left >= strip.left && own.right <= strip.right;
    });
    assert.ok(inside, 'it is in sight');
    await token(2222).hover();
    await page.locator('.token-tip .tip-name', { hasText: name(2222) }).waitFor();
    await token(2223).click();
    await token(2223).and(page.locator('[aria-pressed=true]')).waitFor();
  });
});
