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
    it(`leaves four fifths of the height to the step in a panel beside an editor, and walking moves nothing in it: ${what}`, async () => {
      const open = await openPage();
      const { page } = open;
      await open.explain(explanation(spec));
      for (const width of [310, 546, 700]) {
        await page.setViewportSize({ width, height: 700 });
        await page.waitForFunction(([wide]) => innerWidth === wide, [width]);
        await goTo(open, 'x');
        await page.waitForTimeout(100);
        const high = await page.evaluate(
          () => document.querySelector('.timeline')?.getBoundingClientRect().bottom ?? 0,
        );
        assert.ok(high > 50 && high <= 140, `${high} px of 700 at ${width}`);
        const before = await outlines(page);
        const steps = await page.locator('.timeline [data-step]').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-step') ?? '')); // prettier-ignore
        assert.ok(steps.length > 8, String(steps));
        await page.locator(`.timeline [data-step="${steps[0]}"]`).focus();
        await page.keyboard.press('Home');
        const walked = new Set<string>();
        for (const _ of steps) {
          const step = (await page.evaluate(() => document.activeElement?.getAttribute('data-step'))) ?? '';
          await page.waitForFunction(isInView, [step]);
          walked.add(step);
          assert.deepEqual(await outlines(page), before, `at ${step}, ${width} px`);
          await page.keyboard.press('ArrowRight');
        }
        assert.deepEqual([...walked].sort(), [...steps].sort());
      }
      await open.close();
      assert.deepEqual(open.troubles, []);
    });
  }

  it('draws wires of different steps apart where they run beside one another, at every width', async () => {
    const open = await openPage({ height: 800 });
    await open.explain(explanation(stacked()));
    for (const width of [546, 1092, 1600]) {
      await open.page.setViewportSize({ width, height: 800 });
      await open.page.waitForFunction(([wide]) => innerWidth === wide, [width]);
      await open.page.waitForTimeout(200);
      const wires = (await open.page.locator('.timeline-arrows > path').evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? ''))).map(railOf).flatMap((rail) => rail ?? []); // prettier-ignore
      assert.ok(wires.length > 2, `${wires.length} wires at ${width}`);
      const foot = await open.page.evaluate(
        () => document.querySelector('.timeline-strip')?.getBoundingClientRect().height ?? 0,
      );
      for (const [i, a] of wires.entries()) {
        assert.ok(a.height < foot, `${JSON.stringify(a)} below the strip`);
        for (const b of wires.slice(i + 1)) {
          const beside = a.from < b.to && b.from < a.to && a.from !== b.from;
          assert.ok(!beside || Math.abs(a.height - b.height) > 2, `${JSON.stringify([a, b])} at ${width} px`);
        }
      }
    }
    await open.close();
  });

  it('says the current step’s name below the row where names have no room', async () => {
    const open = await openPage({ width: 310, height: 700 });
    await open.explain(catExplanation);
    for (const [step, says] of [['tokens', 'Tokens 6×1'], ['q', 'Query 6×8'], ['weights', 'Attention weights 6×6'], ['output', 'Output 6×8']] as const) {
      await goTo(open, step);
      const shape = open.page.locator('.timeline [aria-current] .timeline-shape');
      assert.equal((await shape.innerText()).trim(), says);
      const box = await shape.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 310 && box.height > 10, `${step}: ${JSON.stringify(box)}`);
    }
    await open.close();
  }); // prettier-ignore

  it('keeps the selected token in view in a header of one line', async () => {
    const open = await openPage({ width: 310, height: 700 });
    await open.explain(catExplanation);
    for (const token of ['cat', 'mat', 'The']) {
      await open.page.locator('.token-button', { hasText: token }).first().evaluate((button) => (button as HTMLElement).click());
      await open.page.waitForFunction(() => {
        const [own, strip] = ['.token-button[aria-pressed]', '.tokens'].map((one) => document.querySelector(one)?.getBoundingClientRect());
        return own && strip && own.left >= strip.left - 1 && own.right <= strip.right + 1;
      });
    }
    const [first, last] = await open.page.locator('.header > *').evaluateAll((all) => [all[0], all.at(-1)].map((one) => one?.getBoundingClientRect().y ?? 0));
    assert.ok(Math.abs((first ?? 0) - (last ?? 99)) < 14, 'one line');
    await open.close();
  }); // prettier-ignore
});

/** In the page: the current step, and its name and shape where they stand below the row, are in the window and not covered. */
/** The level part of an arrow that runs below the steps: where it leaves, where it ends, how far down. */
function railOf(path: string): { from: number; to: number; height: number } | undefined {
  const found = /^M[\d.]+ [\d.]+H([\d.]+)V([\d.]+)H([\d.]+)V([\d.]+)$/.exec(path);
  const [from = 0, height = 0, to = 0, end = 0] = (found ?? []).slice(1).map(Number);
  return found && end < height ? { from, to, height } : undefined;
}

function isInView([step]: readonly string[]): boolean {
  const button = document.querySelector<HTMLElement>(`.timeline [data-step="${step}"]`);
  if (!button?.matches('[aria-current]')) return false;
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const low = document.querySelector('.timeline[data-tight=low]');
  const shape = low ? button.querySelector('.timeline-shape')?.getBoundingClientRect() : undefined;
  const shown = !low || (shape !== undefined && shape.width > 10 && shape.left >= 0 && shape.right <= innerWidth);
  return left >= 0 && right <= innerWidth && on !== null && button.contains(on) && shown;
}

/** Where each step stands in the strip. */
const outlines = (page: Page): Promise<string[]> =>
  page.locator('.timeline [data-step]').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      const strip = button.closest('.timeline-strip')?.getBoundingClientRect().x ?? 0;
      return [button.getAttribute('data-step'), ...[x - strip, y, width, height].map(Math.round)].join(' ');
    }),
  );

function headed(): AttentionSpec {
  return textSpec(sentence, { heads: 2, mask: 'causal', outputProjection: { from: 'random' } });
}

/** A layer whose residual sums are fed from far behind, past its values. */
const stacked = (): AttentionSpec => textSpec(sentence, { positions: 'learned-random', outputProjection: { from: 'random' }, block: { norm: 'before', layers: 2 }, feedForward: { of: 'gelu' }, unembedding: { from: 'tied' } }); // prettier-ignore

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
