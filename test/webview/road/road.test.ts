import assert from 'node:assert/strict';
import { openPage, stopBrowser } from '../harness';
import { catExplanation, fourExplanation } from '../inputs';
import { inGerman } from '../languages';

describe('the road', function () {
  this.timeout(120_000);
  after(stopBrowser);

  for (const [name, language] of [
    ['English', undefined],
    ['German', inGerman],
  ] as const) {
    it(`is seen whole in a window, and from given weights in half of one: ${name}`, async () => {
      const open = await openPage(language ? { language } : {});
      const { page } = open;
      const over = (): Promise<number> => page.locator('.road').evaluate((road) => road.scrollWidth - road.clientWidth);
      await page.setViewportSize({ width: 1200, height: 860 });
      await open.explain(catExplanation);
      assert.equal(await over(), 0);
      await page.setViewportSize({ width: 760, height: 860 });
      await open.explain(fourExplanation);
      assert.equal(await over(), 0);
      await open.close();
      assert.deepEqual(open.troubles, []);
    });
  }
});
