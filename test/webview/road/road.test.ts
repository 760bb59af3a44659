import assert from 'node:assert/strict';
import { openPage, stopBrowser } from '../harness';
import { catExplanation, explanation, fourExplanation, sentence, textSpec } from '../inputs';
import { inGerman } from '../languages';

describe('the road', function () {
  this.timeout(120_000);
  after(stopBrowser);

  for (const [name, language] of [
    ['English', undefined],
    ['German', inGerman],
  ] as const) {
    it(`is seen whole in half a window, with heads and W_O as well, and from given weights in a third: ${name}`, async () => {
      const open = await openPage(language ? { language } : {});
      const { page } = open;
      const road = page.locator('.road');
      const seenWhole = async (width: number): Promise<void> => {
        await page.setViewportSize({ width, height: 860 });
        await page.waitForFunction(
          ([wide]) => {
            const road = document.querySelector('.road');
            return innerWidth === wide && road && road.scrollWidth <= road.clientWidth;
          },
          [width],
        );
      };
      await open.explain(catExplanation);
      await seenWhole(1600);
      await page.locator('.road:not([data-tight])').waitFor();
      const words = road.locator('[data-step=scores] .road-words');
      const wide = (await words.boundingBox())?.width ?? 0;
      assert.ok(wide > 20, `${wide}`);
      for (const width of [1200, 1040, 665]) await seenWhole(width);
      await page.locator('.road[data-tight="2"]').waitFor();
      assert.ok(((await words.boundingBox())?.width ?? 9) < 2, 'symbols alone');
      assert.match(await road.locator('[data-step=scores]').innerText(), /Scores/, 'the name is still said');
      assert.match((await road.locator('[data-step=scores]').getAttribute('title')) ?? '', /Scores/);
      await seenWhole(1600);
      // There is room again.
      await page.locator('.road:not([data-tight])').waitFor();
      await seenWhole(1040);
      await open.explain(explanation(headed));
      for (const width of [1200, 1040]) await seenWhole(width);
      await open.explain(fourExplanation);
      for (const width of [760, 665]) await seenWhole(width);
      await open.close();
      assert.deepEqual(open.troubles, []);
    });
  }
});

const headed = textSpec(sentence, {
  heads: 2,
  mask: 'causal',
  outputProjection: { from: 'random' },
});
