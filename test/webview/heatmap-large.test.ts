// Runs alone: it measures time.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { focused, given, inLab as tryInLab, settle, startLab, type LabOptions } from './heatmap-harness';
import { textSpec, words } from './inputs';

let browser: Browser;
const inLab = (options: LabOptions, test: (page: Page) => Promise<void>): Promise<void> =>
  tryInLab(browser, options, test);

describe('heatmap of many tokens', () => {
  before(async () => {
    browser = await startLab();
  });
  after(() => browser.close());

  const many = textSpec(words(2000));

  it('paints 2,000×2,000 within the size of its window', () =>
    inLab({ width: 900, height: 800 }, async (page) => {
      const milliseconds = await page.evaluate(async (s) => {
        window.lab.value(s, 'scores', [0, 0]);
        const start = performance.now();
        await window.lab.heatmap(s, 'scores', 860);
        return performance.now() - start;
      }, many);
      const { pixels, nodes, largest, read } = await page.evaluate(() => ({
        pixels: [...document.querySelectorAll('canvas')].reduce((sum, c) => sum + c.width * c.height, 0),
        nodes: document.querySelectorAll('*').length,
        largest: Math.max(...window.lab.reads.map((r) => r.cells)),
        read: window.lab.reads.reduce((sum, r) => sum + r.cells, 0),
      }));
      assert.ok(pixels < 900 * 800, `${pixels} canvas pixels`);
      assert.ok(nodes < 200, `${nodes} elements`);
      assert.ok(largest < 60_000 && read < 100_000, `${read} blocks read, ${largest} at once`);
      assert.ok(milliseconds < 3000, `${milliseconds} ms`);
      assert.equal(await page.locator('.heatmap').getAttribute('data-drawn'), 'tiles');
    })).timeout(60_000);

  it('keeps reads, canvas and elements small while zooming and scrolling to single numbers', () =>
    inLab({ width: 900, height: 800 }, async (page) => {
      await page.evaluate((s) => window.lab.heatmap(s, 'scores', 860), many);
      for (let i = 0; i < 14; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.locator('.heatmap-viewport').evaluate((v) => v.scrollTo(40_000, 20_000));
      await page.waitForFunction(() => document.querySelectorAll('.heatmap-cell[data-value]').length > 50);
      await settle(page);
      assert.equal(await page.locator('.heatmap').getAttribute('data-drawn'), 'numbers');
      const [pixels, cells, largest] = await page.evaluate(() => [
        [...document.querySelectorAll('canvas')].reduce((sum, c) => sum + c.width * c.height, 0),
        document.querySelectorAll('.heatmap-cell').length,
        Math.max(...window.lab.reads.map((r) => r.cells)),
      ]);
      assert.ok(
        Math.max(pixels ?? NaN, largest ?? NaN) < 900 * 800,
        `${pixels} canvas pixels, ${largest} blocks in a read`,
      );
      assert.ok((cells ?? Infinity) < 700, `${cells} cells in the DOM`);
      const shown = await page
        .locator('.heatmap-cell')
        .evaluateAll((all) =>
          all.slice(0, 5).map((c) => ['data-row', 'data-column', 'data-value'].map((n) => Number(c.getAttribute(n)))),
        );
      for (const [row = 0, column = 0, value] of shown) {
        assert.equal(
          value,
          await page.evaluate(([s, r, c]) => window.lab.value(s, 'scores', [r, c]), [many, row, column] as const),
        );
      }
      assert.ok(await page.locator('.heatmap-overview').isVisible());
    })).timeout(60_000);

  it('shows one outlier in a colour of its own among many pooled cells, and a click on its tile finds it', () =>
    inLab({ width: 900, height: 800 }, async (page) => {
      const x = Array.from({ length: 300 }, (_, i) =>
        Array.from({ length: 300 }, (_, j) => (i === 217 && j === 133 ? 100 : 0.01)),
      );
      await page.evaluate((s) => window.lab.heatmap(s, 'x', 180), given(x));
      assert.equal(await page.locator('.heatmap').getAttribute('data-drawn'), 'tiles');
      const found = await page.evaluate(() => {
        // The end of the bar beyond which the outlier lies has its colour.
        const bar = document.querySelector<HTMLCanvasElement>('.heatmap-ramp canvas');
        const end = bar?.getContext('2d')?.getImageData(bar.width - 2, 2, 1, 1).data ?? [];
        const canvas = document.querySelector<HTMLCanvasElement>('.heatmap-canvas');
        const { data, width } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
          data: [],
          width: 1,
        };
        const at: number[][] = [];
        for (let i = 0; i < data.length; i += 4)
          if (data[i] === end[0] && data[i + 1] === end[1] && data[i + 2] === end[2])
            at.push([(i / 4) % width, Math.floor(i / 4 / width)]);
        const box = canvas?.getBoundingClientRect();
        return at.map(([px = 0, py = 0]) => [px + (box?.left ?? 0), py + (box?.top ?? 0)]);
      });
      assert.ok(found.length >= 9 && found.length < 50, `${found.length} pixels of the outlier’s colour`);
      const [left = 0, top = 0] = found[0] ?? [];
      await page.mouse.click(left + 1, top + 1);
      await page.waitForFunction(() => window.lab.events.length > 0);
      assert.deepEqual(await page.evaluate(() => window.lab.events[0]?.index), [217, 133]);
    })).timeout(60_000);

  it('has room for its longest row labels, and for a lit one, which is bold', () =>
    inLab({ width: 900, height: 800 }, async (page) => {
      const cut = (): Promise<string[]> =>
        page
          .locator('.heatmap-strip.rows > .heatmap-label')
          .evaluateAll((all) => all.filter((l) => l.scrollWidth > l.clientWidth).map((l) => l.textContent ?? ''));
      const square = Array.from({ length: 200 }, (_, i) => [i % 3, i % 5]);
      await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), given(square));
      await page.locator('.heatmap-label', { hasText: /^190$/ }).first().waitFor();
      assert.deepEqual(await cut(), []);
      await page.evaluate(async (s) => {
        const scores = await window.lab.heatmap(s, 'scores', 600);
        window.lab.highlight(scores, { cell: [1, 2] });
      }, textSpec('a mammoth is'));
      await page.locator('.heatmap-label.lit', { hasText: 'mammoth' }).first().waitFor();
      assert.deepEqual(await cut(), []);
    }));

  it('moves by keyboard through cells too small to see, one at a time', () =>
    inLab({ width: 900, height: 800 }, async (page) => {
      await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), textSpec(words(300)));
      await page.keyboard.press('Tab');
      for (const key of ['ArrowDown', 'End', 'ArrowLeft']) await page.keyboard.press(key);
      await page.waitForFunction(() => document.activeElement?.hasAttribute('data-value'));
      const [row, column, label] = await focused(page);
      assert.deepEqual([row, column], ['1', '298']);
      assert.match(label ?? '', /^row .* \(1\), column .* \(298\), /);
      assert.equal(await page.locator('.heatmap-cell').count(), 1);
    }));

  it('zooms where the pointer is with Ctrl and the wheel', () =>
    inLab({ width: 900, height: 800 }, async (page) => {
      await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), textSpec(words(200)));
      const box = await page.locator('.heatmap-viewport').boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 250, box.y + 300);
      const labels = (): Promise<string[]> => page.locator('.heatmap-label.lit').allInnerTexts();
      const number = (texts: string[]): number[] => texts.map((t) => parseInt(t, 10));
      const before = number(await labels());
      await page.keyboard.down('Control');
      for (let i = 0; i < 2; i++) await page.mouse.wheel(0, -200);
      await page.keyboard.up('Control');
      await settle(page);
      const after = number(await labels());
      assert.ok((await page.locator('.heatmap-content').boundingBox())?.width ?? 0 > box.width * 2);
      if (after.every(Number.isFinite))
        after.forEach((n, i) => assert.ok(Math.abs(n - (before[i] ?? 0)) <= 2, `${before} → ${after}`));
    }));
});
