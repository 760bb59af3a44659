import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { AttentionSpec } from '../../engine/index';
import { formatNumber } from '../../webview/draw/numbers';
import { engineSays, openLab, startLab } from './heatmap-harness';
import { matrixOf, sentence, textSpec, theCat, words } from './inputs';

const cat = textSpec(sentence);
const causal = textSpec(sentence, { mask: 'causal' });
const two = { decimals: 2, exponent: false };

let browser: Browser;
let page: Page;
let troubles: readonly string[];

const texts = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();
const attributes = (selector: string, name: string): Promise<(string | null)[]> =>
  page.locator(selector).evaluateAll((all, n) => all.map((node) => node.getAttribute(n)), name);

describe('picture of a step', () => {
  before(async () => {
    browser = await startLab();
    ({ page, troubles } = await openLab(browser));
  });
  afterEach(() => assert.deepEqual(troubles, []));
  after(() => browser.close());

  const show = (spec: AttentionSpec, step: string, selected: readonly [number, number], width = 850): Promise<void> =>
    page.evaluate(
      ([s, id, w, at]) => {
        window.lab.clear();
        return window.lab.view(s, id, w, at);
      },
      [spec, step, width, selected] as const,
    );
  const box = async (selector: string): Promise<{ x: number; y: number; width: number; height: number }> => {
    const found = await page.locator(selector).boundingBox();
    assert.ok(found, selector);
    return found;
  };

  it('of a product lines up rows with the left operand and columns with the one above', async () => {
    await show(cat, 'scores', [1, 2]);
    const cell = await box('[data-matrix=scores] [data-row="1"][data-column="2"]');
    const left = await box('[data-matrix=q] [data-row="1"][data-column="7"]');
    const above = await box('[data-matrix=k] [data-row="2"][data-column="7"]');
    assert.ok(
      Math.abs(left.y - cell.y) < 0.6 && Math.abs(left.height - cell.height) < 0.6 && left.x + left.width < cell.x,
    );
    assert.ok(
      Math.abs(above.x - cell.x) < 0.6 && Math.abs(above.width - cell.width) < 0.6 && above.y + above.height < cell.y,
    );
    const row = await box('.meeting-left .heatmap-mark.row');
    const column = await box('.meeting-above .heatmap-mark.column');
    assert.ok(Math.abs(row.y - cell.y) < 1 && Math.abs(column.x - cell.x) < 1);
    const [across, down] = [await box('.meeting-line.across'), await box('.meeting-line.down')];
    assert.ok(across.x > left.x + left.width && across.x + across.width < cell.x);
    assert.ok(down.y > above.y + above.height && down.y + down.height < cell.y);
  });

  it('stays lined up after zooming and scrolling', async () => {
    await show(textSpec(words(120)), 'scores', [50, 50]);
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.locator('.meeting-result .heatmap-viewport').evaluate((v) => v.scrollTo(900, 700));
    await page.waitForTimeout(100);
    const scroll = (part: string): Promise<number[]> =>
      page.locator(`.meeting-${part} .heatmap-viewport`).evaluate((v) => [v.scrollLeft, v.scrollTop]);
    const [x, y] = await scroll('result');
    assert.deepEqual([x, y], [900, 700]);
    assert.equal((await scroll('left'))[1], 700);
    assert.equal((await scroll('above'))[0], 900);
    await page.locator('.meeting-left .heatmap-viewport').evaluate((v) => v.scrollTo(0, 300));
    await page.waitForTimeout(100);
    assert.deepEqual(await scroll('result'), [900, 300]);
  });

  it('moves the marks with the arrow keys, and reports clicks in operands as theirs', async () => {
    await show(cat, 'scores', [1, 2]);
    await page.locator('[data-matrix=scores] [tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    const [cell, row] = [
      await box('[data-matrix=scores] [data-row="2"][data-column="2"]'),
      await box('.meeting-left .heatmap-mark.row'),
    ];
    assert.ok(Math.abs(cell.y - row.y) < 1);
    await page.locator('[data-matrix=k] [data-row="4"][data-column="6"]').click();
    assert.deepEqual(await page.evaluate(() => window.lab.events.map((e) => [e.step, e.index])), [
      ['scores', [2, 2]],
      ['k', [4, 6]],
    ]);
  });

  it('of a look-up lights the table’s row that the id names', async () => {
    await show(textSpec('a b a c'), 'embedding', [2, 1]);
    await page.waitForSelector('.meeting-above .heatmap-mark.row');
    const [mark, row] = [
      await box('.meeting-above .heatmap-mark.row'),
      await box('[data-matrix=table] [data-row="0"][data-column="0"]'),
    ];
    assert.ok(Math.abs(mark.y - row.y) < 1, 'the third token is “a” again: row 0');
  });

  it('of softmax turns the selected row’s scores into its weights', async () => {
    await show(causal, 'weights', [3, 2]);
    await page.waitForSelector('.chain-table');
    const made = engineSays(causal, 'weights', [3, 2], 'softmax');
    const lines = await page
      .locator('.chain-table tbody tr')
      .evaluateAll((all) => all.map((tr) => [...tr.children].slice(1).map((c) => c.textContent)));
    const rows: readonly [of: (t: (typeof made.terms)[number]) => number, decimals: number][] = [
      [(t) => t.operand.value, 2],
      [(t) => t.shifted, 2],
      [(t) => t.exponential, 3],
      [(t) => t.weight, 3],
    ];
    // As many decimals as the matrix has, or up to six more so that each line follows from the one above.
    rows.forEach(([of, least], i) =>
      made.terms.forEach((term, j) => {
        const text = lines[i]?.[j] ?? '';
        const decimals = /\.(\d+)$/.exec(text)?.[1]?.length ?? least;
        assert.ok(decimals >= least && decimals <= least + 6, text);
        assert.equal(text, formatNumber(of(term), { decimals, exponent: false }));
      }),
    );
  });

  it('of a long softmax row adds up what it leaves out', async () => {
    const spec = textSpec(words(60));
    await show(spec, 'weights', [30, 59]);
    await page.waitForSelector('.chain-table');
    const weights = (await texts('.chain-table tbody tr:last-child td')).map((t) => Number(t.replace('−', '-')));
    assert.ok(Math.abs(weights.reduce((a, b) => a + b, 0) - 1) < 0.02);
    assert.match((await texts('.chain-table thead th')).at(-1) ?? '', /^\d+ others$/);
  });

  it('of a division shares its colours, so that the shrinking shows', async () => {
    await show(cat, 'scaled', [1, 2]);
    const labels = await attributes('.heatmap-ramp', 'aria-label');
    assert.equal(labels.length, 2);
    const [before] = labels;
    const scores = matrixOf(theCat.default, 'scores').flat().map(Number);
    assert.equal(
      before,
      `colours from ${formatNumber(Math.min(...scores), two)} to ${formatNumber(Math.max(...scores), two)}`,
    );
    assert.equal(labels[1], before);
  });

  it('folds operands under the result on a narrow panel, without growing wider than it', async () => {
    await show(cat, 'scores', [1, 2], 320);
    const [result, above, left] = [
      await box('.meeting-result'),
      await box('.meeting-above'),
      await box('.meeting-left'),
    ];
    assert.ok(result.y + result.height <= above.y && above.y + above.height <= left.y);
    const cell = await box('[data-matrix=scores] [data-row="1"][data-column="2"]');
    const column = await box('[data-matrix=k] [data-row="2"][data-column="0"]');
    assert.ok(Math.abs(cell.x - column.x) < 0.6, 'columns still run down into the operand');
    for (const step of ['x', 'q', 'scores', 'weights', 'output', 'embedding']) {
      await show(cat, step, [1, 0], 320);
      const widest = await page.locator('.heatmap').evaluateAll((all) => Math.max(...all.map((h) => h.scrollWidth)));
      assert.ok(widest <= 320, `${step} is ${widest} wide`);
    }
  });
});
