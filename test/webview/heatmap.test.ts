import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { SpecMatrix } from '../../engine/index';
import { matrixOf, sentence, textSpec, theCat } from './inputs';
import { focused, given, inLab as tryInLab, settle, startLab, type LabOptions } from './heatmap-harness';
import { themeNames } from './themes';

const cat = textSpec(sentence);
const causal = textSpec(sentence, { mask: 'causal' });
let browser: Browser;
const inLab = (options: LabOptions, test: (page: Page) => Promise<void>): Promise<void> =>
  tryInLab(browser, options, test);

type Pixel = readonly [number, number, number];

/** The canvas's colour at a place inside a cell, as shares of the cell's size. */
const pixelIn = (page: Page, row: number, column: number, x = 0.12, y = 0.18): Promise<Pixel> =>
  page.evaluate(
    ([r, c, dx, dy]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.heatmap-canvas');
      const cell = document.querySelector(`[data-row="${r}"][data-column="${c}"]`)?.getBoundingClientRect();
      const box = canvas?.getBoundingClientRect();
      const context = canvas?.getContext('2d');
      if (!canvas || !cell || !box || !context) throw new Error('no such cell');
      const ratio = canvas.width / box.width;
      const at = [cell.left - box.left + dx * cell.width, cell.top - box.top + dy * cell.height] as const;
      const [red = 0, green = 0, blue = 0] = context.getImageData(
        Math.floor(at[0] * ratio),
        Math.floor(at[1] * ratio),
        1,
        1,
      ).data;
      return [red, green, blue] as const;
    },
    [row, column, x, y] as const,
  );

const hex = (pixel: Pixel): string => `#${pixel.map((x) => x.toString(16).padStart(2, '0')).join('')}`;
describe('heatmap', () => {
  before(async () => {
    browser = await startLab();
  });
  after(() => browser.close());

  describe('pixels', () => {
    // Ends and centre of the scale as matrices.css states them.
    const ends = { dark: ['#d97226', '#4399f2'], light: ['#c65a0e', '#1f6fd0'] } as const;
    for (const theme of ['dark', 'light'] as const) {
      it(`are the scale’s colours at known cells (${theme})`, () =>
        inLab({ theme }, async (page) => {
          await page.evaluate((s) => window.lab.heatmap(s, 'x', 400), given([[3, -3], [0, 1.5]])); // prettier-ignore
          const [negative, positive] = ends[theme];
          assert.equal(hex(await pixelIn(page, 0, 0)), positive);
          assert.equal(hex(await pixelIn(page, 0, 1)), negative);
          const neutral = await pixelIn(page, 1, 0);
          assert.ok(Math.max(...neutral) - Math.min(...neutral) <= 2, `zero is grey: ${neutral}`);
          const half = await pixelIn(page, 1, 1);
          const [r, , b] = half;
          assert.ok(b > r && half.every((x, i) => x !== neutral[i]), `1.5 is a paler blue: ${half}`);
        }));
    }

    it('follow each cell: another order of rows gives another picture', () =>
      inLab({}, async (page) => {
        const picture = async (x: SpecMatrix): Promise<string[]> => {
          await page.evaluate((s) => (window.lab.clear(), window.lab.heatmap(s, 'x', 400)), given(x));
          return Promise.all([0, 1, 2].map(async (row) => hex(await pixelIn(page, row, 0))));
        };
        const rows: SpecMatrix = [[5], [-5], [0.5]];
        const shown = await picture(rows);
        assert.deepEqual(shown.slice(0, 2), ['#4399f2', '#d97226']);
        const swapped = await picture([rows[1] ?? [], rows[0] ?? [], rows[2] ?? []]);
        assert.deepEqual(swapped, [shown[1], shown[0], shown[2]]);
      }));

    it('of a transposed matrix stand at their transposed places, indices stay the step’s own', () =>
      inLab({}, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'x', 500, { transposed: true }), given([[9, 0, 0], [0, 0, -9]])); // prettier-ignore
        const place = (row: number, column: number) =>
          page.locator(`[data-row="${row}"][data-column="${column}"]`).boundingBox();
        const [first, last] = [await place(0, 0), await place(1, 2)];
        assert.ok(first && last && last.y > first.y + first.height && last.x > first.x);
        assert.equal(hex(await pixelIn(page, 1, 2)), '#d97226');
        await page.locator('[data-row="1"][data-column="2"]').click();
        assert.deepEqual(await page.evaluate(() => window.lab.events.at(-1)?.index), [1, 2]);
        assert.equal(
          await page.locator('[data-row="1"][data-column="2"]').getAttribute('aria-label'),
          'row 2, column 1, −9',
        );
      }));

    it('of weights are viridis from 0 to the greatest', () =>
      inLab({}, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'weights', 500), causal);
        // Row 0 sees itself alone: its weight is 1, the greatest.
        assert.equal(hex(await pixelIn(page, 0, 0)), '#fde725');
      }));

    it('cross out NaN, veil hidden cells and point at infinities', () =>
      inLab({}, async (page) => {
        const spec = given([[1, 'nan', 2, 3], [4, 'inf', '-inf', 0]]); // prettier-ignore
        await page.evaluate((s) => window.lab.heatmap(s, 'x', 130), spec);
        assert.equal(await page.locator('.heatmap').getAttribute('data-drawn'), 'cells');
        const error = await page.evaluate(() => {
          const probe = document.createElement('i');
          probe.style.color = 'var(--heatmap-error)';
          document.body.append(probe);
          return getComputedStyle(probe).color.match(/\d+/g)?.map(Number);
        });
        assert.deepEqual([...(await pixelIn(page, 0, 1, 0.48, 0.48))], error, 'the middle of the cross');
        assert.notDeepEqual([...(await pixelIn(page, 0, 1, 0.48, 0.1))], error, 'beside the cross');
        // ∞ has the end’s colour with a dark triangle in the middle.
        assert.equal(hex(await pixelIn(page, 1, 1, 0.1, 0.1)), '#4399f2');
        assert.notEqual(hex(await pixelIn(page, 1, 1, 0.48, 0.55)), '#4399f2');
        assert.equal(hex(await pixelIn(page, 1, 2, 0.1, 0.1)), '#d97226');
        await page.evaluate((s) => (window.lab.clear(), window.lab.heatmap(s, 'masked', 500)), causal);
        const colours = async (row: number, column: number): Promise<number> => {
          const places = [0.05, 0.1, 0.15, 0.2].flatMap((x) =>
            [0.1, 0.2, 0.3].map((y) => pixelIn(page, row, column, x, y)),
          );
          return new Set((await Promise.all(places)).map(hex)).size;
        };
        assert.ok((await colours(0, 3)) > 1, 'a hidden cell is hatched');
        assert.equal(await colours(3, 0), 1, 'a visible one is plain');
      }));

    it('change with the theme on redraw', () =>
      inLab({ theme: 'dark' }, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'x', 400), given([[3, -3]]));
        assert.equal(hex(await pixelIn(page, 0, 0)), '#4399f2');
        await page.evaluate(() => {
          document.body.className = 'vscode-light';
          window.lab.redraw();
        });
        assert.equal(hex(await pixelIn(page, 0, 0)), '#1f6fd0');
      }));

    it('are as many as the screen has', () =>
      inLab({ deviceScaleFactor: 2 }, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), cat);
        const [device, css] = await page.evaluate(() => {
          const canvas = document.querySelector<HTMLCanvasElement>('.heatmap-canvas');
          return [canvas?.width ?? 0, canvas?.getBoundingClientRect().width ?? 1];
        });
        assert.equal(device / css, 2);
        const error = await page.evaluate(() => window.lab.value !== undefined);
        assert.ok(error);
      }));
  });

  describe('as a grid', () => {
    it('holds every number of a small matrix, exactly, as NumPy has it', () =>
      inLab({}, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), cat);
        const shown = await page
          .locator('[data-matrix=scores] [data-value]')
          .evaluateAll((cells) =>
            cells.map(
              (c) =>
                [
                  Number(c.getAttribute('data-row')),
                  Number(c.getAttribute('data-column')),
                  Number(c.getAttribute('data-value')),
                ] as const,
            ),
          );
        const expected = matrixOf(theCat.default, 'scores');
        assert.equal(shown.length, 36);
        for (const [row, column, value] of shown) {
          assert.ok(Math.abs(value - Number(expected[row]?.[column])) < 1e-13, `scores[${row}, ${column}]`);
          assert.equal(
            value,
            await page.evaluate(([s, r, c]) => window.lab.value(s, 'scores', [r, c]), [cat, row, column] as const),
          );
        }
      }));

    it('speaks row, column and value, and says what is hidden', () =>
      inLab({}, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'masked', 600), causal);
        const name = (row: number, column: number) =>
          page.locator(`[data-row="${row}"][data-column="${column}"]`).getAttribute('aria-label');
        const scaled = Number(matrixOf(theCat.default, 'scaled')[2]?.[1]).toFixed(2).replace('-', '−');
        assert.equal(await name(2, 1), `row sat, column cat, ${scaled}`);
        assert.equal(await name(1, 2), 'row cat, column sat, −∞, hidden');
        const grid = page.getByRole('grid', { name: 'M: Mask' });
        assert.equal(await grid.getAttribute('aria-rowcount'), '6');
        assert.equal(await grid.getByRole('row').count(), 6);
        assert.equal(await grid.getByRole('gridcell', { name: /^row mat, column The,/ }).count(), 1);
      }));

    it('is one stop for Tab; arrows, Home, End and Ctrl move in it, Enter selects', () =>
      inLab({}, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), cat);
        await page.keyboard.press('Tab');
        assert.deepEqual((await focused(page)).slice(0, 2), ['0', '0']);
        for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
        const value = Number(matrixOf(theCat.default, 'scores')[1]?.[2]).toFixed(2).replace('-', '−');
        assert.deepEqual(await focused(page), ['1', '2', `row cat, column sat, ${value}`]);
        await page.keyboard.press('Enter');
        assert.deepEqual(await page.evaluate(() => window.lab.events.filter((e) => e.type === 'select')), [
          { type: 'select', step: 'scores', index: [1, 2] },
        ]);
        await page.keyboard.press('End');
        assert.deepEqual((await focused(page)).slice(0, 2), ['1', '5']);
        await page.keyboard.press('Control+End');
        await page.keyboard.press('ArrowRight');
        assert.deepEqual((await focused(page)).slice(0, 2), ['5', '5']);
        await page.keyboard.press('Control+Home');
        assert.deepEqual((await focused(page)).slice(0, 2), ['0', '0']);
        assert.equal(await page.locator('.heatmap-cell[tabindex="0"]').count(), 1);
        await page.keyboard.press('Tab');
        assert.equal((await focused(page))[0], null, 'Tab leaves the grid');
      }));

    it('shows the exact value on focus and under the pointer, and hides it again', () =>
      inLab({}, async (page) => {
        await page.evaluate((s) => window.lab.heatmap(s, 'scores', 600), cat);
        const exact = await page.evaluate((s) => window.lab.value(s, 'scores', [1, 2]), cat);
        const tip = page.locator('.heatmap-tip');
        await page.locator('[data-row="1"][data-column="2"]').hover();
        assert.equal(await tip.innerText(), `row cat, column sat\n${String(exact).replace('-', '−')}`);
        await page.mouse.move(5, 700);
        assert.ok(!(await tip.isVisible()));
        await page.keyboard.press('Tab');
        assert.match(await tip.innerText(), /^row The, column The\n/);
        await page.keyboard.press('Escape');
        assert.ok(!(await tip.isVisible()));
      }));

    it('marks the selected cell, and the row and column it came from', () =>
      inLab({}, async (page) => {
        await page.evaluate(async (s) => {
          const q = await window.lab.heatmap(s, 'q', 600);
          window.lab.highlight(q, { row: 1 });
          const scores = await window.lab.heatmap(s, 'scores', 600);
          window.lab.highlight(scores, { cell: [1, 2] });
        }, cat);
        const box = (selector: string) => page.locator(selector).boundingBox();
        const [row, cells] = [
          await box('.heatmap-mark.row'),
          await box('[data-matrix=q] [data-row="1"][data-column="0"]'),
        ];
        assert.ok(row && cells && Math.abs(row.y - cells.y) < 1 && row.width > 7.9 * cells.width);
        assert.equal(await page.locator('[aria-selected=true]').getAttribute('data-column'), '2');
        assert.deepEqual(await page.locator('.heatmap-label.lit').allInnerTexts(), ['cat', 'sat', 'cat']);
      }));
  });

  describe('in every theme', () => {
    for (const theme of themeNames) {
      it(`has no accessibility violations (${theme})`, () =>
        inLab({ theme }, async (page) => {
          await page.evaluate(
            async ([s, c]) => {
              await window.lab.view(s, 'scores', 850, [1, 2]);
              await window.lab.view(c, 'weights', 850, [3, 2]);
              for (const step of ['scores', 'weights', 'masked']) await window.lab.inspector(c, step, [3, 2]);
            },
            [cat, causal] as const,
          );
          await settle(page);
          await page.evaluate(axe.source);
          const violations = await page.evaluate(async () => {
            // The lab is not a page of its own: no main, no heading order.
            const rules = {
              region: { enabled: false },
              'landmark-one-main': { enabled: false },
              'page-has-heading-one': { enabled: false },
              'heading-order': { enabled: false },
            };
            const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document.body, { rules });
            return violations.map(
              (v) =>
                `${v.id}: ${v.nodes
                  .slice(0, 3)
                  .map((n) => n.html.slice(0, 160))
                  .join(' | ')}`,
            );
          });
          assert.deepEqual(violations, []);
        })).timeout(60_000);
    }
  });
});
