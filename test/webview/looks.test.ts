// What misleads the eye: shading that means no number, a wheel that does nothing, numbers that are cut off.
import assert from 'node:assert/strict';
import { matrixDefaults } from '../../engine/index';
import { thorough } from '../host/thorough';
import { eachPage } from './each-page';
import { type OpenPage } from './harness';
import { catExplanation, explanation, textSpec, words } from './inputs';
import { goTo } from './page-driver';

const framed = ({ page }: OpenPage): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

interface Widths {
  readonly narrowest: number;
  readonly widths: readonly number[];
}

/** From 1100 down to 300 by 5: of four walks each takes every fourth and the last ones; `npm run thorough` takes all in each. */
function widthsOf(walk: number): number[] {
  const all = Array.from({ length: 161 }, (_, at) => 1100 - 5 * at);
  return all.filter((width, at) => thorough || at % 4 === walk % 4 || width <= 340);
}

/**
 * The widths at which the inspector's last column is not whole: below the narrowest width, at which it can also not be scrolled to. The page
 * is made narrower inside of its window: that is faster.
 */
async function cutOff({ narrowest, widths }: Widths): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    document.body.style.width = `${width}px`;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (const box of document.querySelectorAll('.inspector .rows')) {
      const last = [...box.querySelectorAll('td')].map((td) => td.getBoundingClientRect().right);
      const beyond = Math.max(...last) - Math.min(box.getBoundingClientRect().right, width);
      const canScroll = box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === 'auto';
      if (beyond > 0.5 && (width >= narrowest || !canScroll)) found.push(`${width}: ${beyond}`);
    }
  }
  document.body.style.width = '';
  return found;
}

describe('what is seen', function () {
  this.timeout(240_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('of the text: its tokens are told apart by lines, and none is shaded', async () => {
    await open.explain(catExplanation);
    const looks = await open.page.locator('.raw-token').evaluateAll((all) =>
      all.map((token) => {
        const { backgroundColor, backgroundImage, borderBottomWidth, borderLeftWidth } = getComputedStyle(token);
        return [backgroundColor, backgroundImage, borderBottomWidth, borderLeftWidth].join();
      }),
    );
    assert.ok(looks.length > 3);
    assert.deepEqual([...new Set(looks)], ['rgba(0, 0, 0, 0),none,1px,1px']);
  });

  it('by the wheel: over a matrix that fits it moves the page, over a large one the matrix', async () => {
    const { page } = open;
    await page.setViewportSize({ width: 900, height: 420 });
    const scrolled = async (by: number): Promise<{ readonly page: number; readonly matrix: number }> => {
      const matrix = page.locator('.picture-layer .heatmap-viewport:has([data-matrix="weights"])').last();
      await matrix.scrollIntoViewIfNeeded();
      const box = await matrix.boundingBox();
      assert.ok(box);
      const tops = (): Promise<number[]> =>
        page.evaluate(() => {
          const boxes = ['.page', '.content', '.picture-layer .heatmap-viewport:has([data-matrix="weights"])'];
          return boxes.map((name) => [...document.querySelectorAll(name)].at(-1)?.scrollTop ?? 0);
        });
      const before = await tops();
      await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 60));
      await page.mouse.wheel(0, by);
      await page.waitForTimeout(400);
      const [outer = 0, content = 0, inner = 0] = (await tops()).map((top, i) => top - (before[i] ?? 0));
      return { page: outer + content, matrix: inner };
    };
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    const small = await scrolled(60);
    assert.deepEqual([small.page > 0, small.matrix], [true, 0], JSON.stringify(small));
    await open.explain(explanation(textSpec(words(120))));
    await goTo(open, 'weights');
    await page.keyboard.press('Escape');
    const grid = page.locator('.picture-layer [role=grid][data-matrix="weights"]').last();
    await grid.locator('.heatmap-cell').first().focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('=');
    await framed(open);
    const large = await scrolled(60);
    assert.deepEqual([large.page, large.matrix > 0], [0, true], JSON.stringify(large));
  });

  it('in the inspector: every column at every width, in narrow and in wide fonts', async () => {
    const { page } = open;
    // As VS Code has it unless another number of digits is set.
    await open.explain(catExplanation, { digits: 4 });
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("@font-face { font-family: Wide; src: local('DejaVu Sans Mono'); size-adjust: 116%; }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    });
    const cut: string[] = [];
    let walk = 0;
    for (const font of ["'DejaVu Sans Mono'", "'Liberation Mono'", 'Wide']) {
      await page.evaluate((f) => document.documentElement.style.setProperty('--vscode-editor-font-family', f), font);
      // The table of a weight is the widest.
      for (const step of font === 'Wide' ? ['scores', 'weights'] : ['weights']) {
        await page.setViewportSize({ width: 1100, height: 900 });
        await goTo(open, step);
        await page.locator(`.picture-layer [data-matrix="${step}"] [data-row="1"][data-column="2"]`).first().click();
        // The widest font is 16 % wider than any that VS Code offers: there a table may scroll in the narrowest panels.
        const found = await page.evaluate(cutOff, {
          narrowest: font === 'Wide' ? 320 : 300,
          widths: widthsOf(walk++),
        });
        cut.push(...found.map((what) => `${font} ${step} ${what}`));
      }
    }
    assert.deepEqual(cut, []);
  });

  it('of a number that was walked to: the cell, and its arithmetic with it, at every width', async () => {
    const { page } = open;
    await open.explain(catExplanation, { digits: 4 });
    for (const [width, height] of [
      [310, 700],
      [546, 700],
      [700, 800],
      [1092, 800],
      [1600, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await goTo(open, 'scores');
      await page.locator('.picture-layer [data-matrix="scores"] [data-row="5"][data-column="5"]').first().click();
      // From the score to the weight that it becomes.
      await page.locator('.inspector button', { hasText: /^A/ }).first().click();
      await page.locator('.stage[data-current-step="weights"]').waitFor();
      await framed(open);
      const seen = await page.evaluate(() => {
        const [cell, value, content, foot] = [
          '.stage [data-matrix="weights"] .heatmap-cell[aria-selected=true]',
          '.inspector-value',
          '.content',
          '.inspector-box',
        ].map((of) => document.querySelector(of)?.getBoundingClientRect());
        if (!cell || !value || !content || !foot) return undefined;
        const edge = foot.left > cell.right ? content.bottom : foot.top;
        return { cell: cell.top >= content.top && cell.bottom <= edge, value: value.bottom <= content.bottom };
      });
      assert.deepEqual(seen, { cell: true, value: true }, `${width}×${height}`);
    }
  });

  it('of a matrix with one outlier: the other numbers’ colours, and what lies beyond them at the bar', async () => {
    const x = [[0.5, -1, 2, 1], [1, 400, -1, 1.5], [-2, 1, 0.5, 1]]; // prettier-ignore
    await open.explain(explanation({ ...matrixDefaults, start: { from: 'x', x } }));
    await goTo(open, 'x');
    const bar = open.page.locator('.picture-layer .heatmap-bar');
    assert.deepEqual((await bar.locator('.heatmap-ramp span').allInnerTexts()).sort(), ['0.00', '−2.00', '≥ 2.00']);
    assert.equal(await bar.locator('.heatmap-spacing').innerText(), 'numbers from −2.00 to 400.00');
    const value = await open.page
      .locator('.picture-layer [data-row="1"][data-column="1"]')
      .first()
      .getAttribute('data-value');
    assert.equal(value, '400');
  });
});
