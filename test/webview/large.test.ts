import assert from 'node:assert/strict';
import { explainAttention, extremeRows, type Step } from '../../engine/index';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation, textSpec } from './inputs';
import { goTo } from './page-driver';
import { letWorkersGo, slowWorkers } from './slow-workers';

const n = 20_000;
const spec = textSpec(Array.from({ length: n }, (_, i) => `w${(i * 7) % 41}`).join(' '), { mask: 'causal' });

/** The step's own picture. */
const result = '.picture-layer .heatmap[data-result]';

describe('20,000 words', function () {
  this.timeout(180_000);
  let open: OpenPage;
  const openWeights = async (before?: string): Promise<void> => {
    open = await openPage(before === undefined ? {} : { before });
    await open.explain(explanation(spec));
    await goTo(open, 'weights');
    await open.page.locator(`${result} .heatmap-viewport`).waitFor();
  };
  quietly(() => open);

  it('have an overview that can be cancelled and goes on', async () => {
    await openWeights(slowWorkers({ processors: 1, held: true }));
    const { page } = open;
    const map = page.locator(result);
    const button = map.locator('.heatmap-growth');
    await button.getByText('Cancel').click();
    await map.locator('.heatmap-note', { hasText: /^\d+ % computed, cancelled$/ }).waitFor();
    await letWorkersGo(page);
    await button.getByText('Continue').click();
    await map.locator('.heatmap-note', { hasText: 'each tile' }).waitFor({ timeout: 120_000 });
    assert.equal(await button.isVisible(), false);
  });

  it('become sharper from a coarse picture, down to the exact numbers, without waiting for the overview', async () => {
    await openWeights();
    const { page } = open;
    const map = page.locator(result);
    for (let i = 0; i < 40 && (await map.getAttribute('data-drawn')) !== 'numbers'; i++) {
      await map.getByRole('button', { name: 'Zoom in' }).click();
      await page.locator(`${result}[data-sharp=true]`).waitFor();
    }
    await page.locator(`${result}[data-drawn=numbers]`).waitFor();
    await map.locator('.heatmap-cell[data-value]').nth(30).waitFor({ state: 'attached' });
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    const shown = await map
      .locator('.heatmap-cell[data-value]')
      .evaluateAll((all) =>
        all.slice(0, 12).map((c) => ['data-row', 'data-column', 'data-value'].map((name) => c.getAttribute(name))),
      );
    assert.equal(shown.length, 12);
    for (const [row, column, value] of shown)
      assert.equal(Number(value), trace.value.value('weights', [Number(row), Number(column)]), `${row}, ${column}`);
  });

  it('lead from a tile to its cell, and to the row that is most spread out', async () => {
    await openWeights();
    const { page } = open;
    const map = page.locator(result);
    const box = await map.locator('.heatmap-viewport').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + 4, box.y + box.height * 0.75);
    const cell = map.locator('[aria-selected=true]');
    await page.locator(`${result} [aria-selected=true]:not([data-row="1"])`).waitFor({ state: 'attached' });
    assert.ok(Number(await cell.getAttribute('data-row')) > n / 2);
    await page.keyboard.press('Control+f');
    const option = page.locator('#find-results [data-found=row]').first();
    await option.waitFor();
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    const step = trace.value.plan.steps.find(({ id }) => id === 'weights') as Step;
    const row = extremeRows(trace.value, step)?.highest.row;
    assert.match(await option.innerText(), new RegExp(`^most spread out: row w\\d+ \\(${row}\\), entropy \\d`));
    await page.keyboard.press('Enter');
    await page.locator(`${result} [aria-selected=true][data-row="${row}"]`).waitFor({ state: 'attached' });
  });

  it('are searched for a number in the selected row alone, and Find says so', async () => {
    await openWeights();
    const { page } = open;
    const map = page.locator(result);
    const box = await map.locator('.heatmap-viewport').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + 4, box.y + box.height * 0.75);
    await page.locator(`${result} [aria-selected=true]:not([data-row="1"])`).waitFor({ state: 'attached' });
    const row = Number(await map.locator('[aria-selected=true]').getAttribute('data-row'));
    await page.keyboard.press('Control+f');
    await page.locator('.find-input').fill('1');
    await page.locator('#find-results [data-found=value]').first().waitFor();
    assert.equal(
      await page.locator('.find-note').innerText(),
      `numbers of row w${(row * 7) % 41} (${row}) only: 20000×20000 are too many to look through`,
    );
    const texts = await page.locator('#find-results [data-found=value]').allInnerTexts();
    assert.equal(texts.length, 50);
    for (const text of texts) assert.ok(text.includes(`row w${(row * 7) % 41} (${row}), column`), text);
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    const largest = trace.value.read('weights', { rows: [row, row + 1] }).max.reduce((a, b) => Math.max(a, b));
    assert.ok(Math.abs(Number.parseFloat(texts[0] ?? '') / largest - 1) < 1e-4, `${texts[0]}, largest ${largest}`);
    await page.locator('.find-input').fill('w3');
    await page.locator('#find-results [data-found=token]').first().waitFor();
    assert.equal(await page.locator('.find-note').isVisible(), false);
  });
});
