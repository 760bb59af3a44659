import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { AttentionSpec } from '../../../engine/index';
import { openPage } from '../harness';
import { catExplanation, explanation, fourExplanation, sentence, textSpec, words } from '../inputs';
import { inGerman } from '../languages';
import { goTo } from '../page-driver';

describe('the timeline', function () {
  this.timeout(120_000);

  for (const [name, language] of [
    ['English', undefined],
    ['German', inGerman],
  ] as const) {
    it(`is seen whole in half a window and in a third: ${name}`, async () => {
      const open = await openPage(language ? { language } : {});
      const { page } = open;
      const timeline = page.locator('.timeline');
      const seenWhole = async (width: number): Promise<void> => {
        await page.setViewportSize({ width, height: 860 });
        await page.waitForFunction(
          ([wide]) => {
            const timeline = document.querySelector('.timeline');
            return innerWidth === wide && timeline && timeline.scrollWidth <= timeline.clientWidth;
          },
          [width],
        );
      };
      await open.explain(catExplanation);
      await seenWhole(1600);
      await page.locator('.timeline:not([data-tight])').waitFor();
      const words = timeline.locator('[data-step=scores] .timeline-words');
      const wide = (await words.boundingBox())?.width ?? 0;
      assert.ok(wide > 20, `${wide}`);
      for (const width of [1200, 1040, 665]) await seenWhole(width);
      await page.locator('.timeline[data-tight="nameless"]').waitFor();
      assert.ok(((await words.boundingBox())?.width ?? 9) < 2, 'symbols alone');
      assert.match(await timeline.locator('[data-step=scores]').innerText(), /Scores/, 'the name is still said');
      assert.match((await timeline.locator('[data-step=scores]').getAttribute('title')) ?? '', /Scores/);
      await seenWhole(1600);
      // There is room again.
      await page.locator('.timeline:not([data-tight])').waitFor();
      await seenWhole(1040);
      await open.explain(explanation(headed()));
      for (const width of [1200, 1040]) await seenWhole(width);
      await open.explain(fourExplanation);
      for (const width of [760, 665]) await seenWhole(width);
      await open.close();
      assert.deepEqual(open.troubles, []);
    });
  }

  it('draws its arrows anew when the fonts of symbols have come: steps move, the strip keeps its size', async () => {
    const open = await openPage();
    const { page } = open;
    await open.explain(catExplanation);
    await page.setViewportSize({ width: 1600, height: 860 });
    await page.locator('.timeline-arrows > path').first().waitFor({ state: 'attached' });
    /** How far arrows reach into the step that they leave. */
    const overlap = (): Promise<number> =>
      page.evaluate(() => {
        const strip = document.querySelector('.timeline-strip')?.getBoundingClientRect().left ?? 0;
        const starts = [...document.querySelectorAll('.timeline-arrows > path')].map((path) => Number(/^M([\d.]+)/.exec(path.getAttribute('d') ?? '')?.[1]) + strip); // prettier-ignore
        const rights = [...document.querySelectorAll('.timeline-part [data-step]')].map((button) => (button.parentElement ?? button).getBoundingClientRect().right); // prettier-ignore
        return Math.max(...starts.map((start) => Math.min(...rights.map((right) => Math.abs(start - 1 - right)))));
      });
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    // The window was widened: the strip is laid out again in a frame of its own.
    for (let i = 0; i < 100 && (await overlap()) >= 1.5; i++) await page.waitForTimeout(50);
    assert.ok((await overlap()) < 1.5, `${await overlap()} px at first`);
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>('.timeline-part .timeline-step'))
        button.style.letterSpacing = '3px';
    });
    assert.ok((await overlap()) > 5, 'the steps have moved');
    await page.evaluate(() => document.fonts.dispatchEvent(new Event('loadingdone')));
    await page.waitForTimeout(200);
    assert.ok((await overlap()) < 1.5, `${await overlap()} px after the fonts`);
    await open.close();
  });

  for (const [what, spec] of [
    ['a sentence', textSpec(sentence)],
    ['two heads', headed()],
    ['the longest way', longest()],
  ] as const) {
    it(`has every step in view beside an editor, and moves nothing while one walks: ${what}`, async () => {
      const open = await openPage();
      const { page } = open;
      await open.explain(explanation(spec));
      for (const width of [320, 400, 600, 664]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForFunction(isInView, [width]);
        const before = await outlines(page);
        const steps = await page
          .locator('.timeline-step')
          .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-step') ?? ''));
        assert.ok(steps.length > 8, String(steps));
        for (const step of [steps[0], steps[Math.floor(steps.length / 2)], steps.at(-1)]) {
          await goTo(open, step ?? '');
          assert.deepEqual(await outlines(page), before, `at ${step}, ${width} px`);
          await page.waitForFunction(isShapeInView, [step ?? '']);
        }
      }
      await open.close();
      assert.deepEqual(open.troubles, []);
    });
  }
});

/** In the page: no step or side room is outside the window or covered. */
function isInView([width]: readonly number[]): boolean {
  const timeline = document.querySelector('.timeline');
  if (innerWidth !== width || !timeline || timeline.scrollWidth > timeline.clientWidth) return false;
  return [...timeline.querySelectorAll('[data-step]')].every((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left >= 0 && right <= innerWidth && on !== null && button.contains(on);
  });
}

function isShapeInView([step]: readonly string[]): boolean {
  const box = document.querySelector(`.timeline-step[data-step="${step}"] .timeline-shape`)?.getBoundingClientRect();
  return box !== undefined && box.width > 10 && box.left >= 0 && box.right <= innerWidth;
}

/** Where each step stands. */
const outlines = (page: Page): Promise<string[]> =>
  page.locator('.timeline [data-step]').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return [button.getAttribute('data-step'), ...[x, y, width, height].map(Math.round)].join(' ');
    }),
  );

function headed(): AttentionSpec {
  return textSpec(sentence, { heads: 2, mask: 'causal', outputProjection: { from: 'random' } });
}

/** Every step that a plan can have at once, or nearly. */
function longest(): AttentionSpec {
  return textSpec(words(20), {
    heads: 4,
    kvHeads: 2,
    mask: 'causal',
    positions: 'rope-half',
    projections: { from: 'random', dK: 8, dV: 8, bias: true },
    softcap: 20,
    temperature: 2,
    outputProjection: { from: 'random', bias: true },
  });
}
