import assert from 'node:assert/strict';
import { decodeNumber, matrixDefaults } from '../../../engine/index';
import { quietly } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { catExplanation, explanation, textSpec, theCat, words } from '../inputs';
import { currentStep, goTo } from '../page-driver';

async function find(open: OpenPage, query: string): Promise<void> {
  const { page } = open;
  await page.keyboard.press('Control+f');
  await page.locator('.find-input').fill(query);
  await page.locator('#find-results li, .find-count:text("nothing found")').first().waitFor();
}

/** Row and column of the selected cell. */
async function selected({ page, ready }: OpenPage): Promise<readonly number[]> {
  await ready();
  const cell = page.locator('.picture-layer [aria-selected=true].heatmap-cell').last();
  return [Number(await cell.getAttribute('data-row')), Number(await cell.getAttribute('data-column'))];
}

/** Cells of NumPy's matrix, nearest to a number first, equals in reading order. */
function nearest(matrix: string, wanted: number): readonly (readonly number[])[] {
  const cells = (theCat.default[matrix] ?? []).flatMap((row, i) => row.map((x, j) => ({ x: decodeNumber(x), i, j })));
  const far = ({ x }: { readonly x: number }): number => Math.abs(x - wanted);
  return cells.sort((a, b) => far(a) - far(b)).map(({ i, j }) => [i, j]);
}

describe('finding in the page', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => {
    open = await openPage();
    await open.explain(catExplanation);
  });
  quietly(() => open);

  it('goes to the cells nearest to a number, one after another and back', async () => {
    const { page } = open;
    await goTo(open, 'scores');
    await find(open, '1/2');
    const [first, second, third] = nearest('scores', 0.5);
    await page.keyboard.press('Enter');
    assert.deepEqual(await selected(open), first);
    await page.keyboard.press('Enter');
    assert.deepEqual(await selected(open), second);
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await selected(open), third);
    await page.keyboard.press('Shift+Enter');
    assert.deepEqual(await selected(open), second);
    assert.match(await page.locator('.find-count').innerText(), /^2 of 36$/);
    assert.ok(await page.locator('.find-input').evaluate((node) => node === document.activeElement));
  });

  it('goes to a step by its name, its symbol, or its id', async () => {
    for (const [query, step] of [
      ['attention w', 'weights'],
      ['W_k', 'wk'],
      ['wk', 'wk'],
      ['positions', 'positions'],
    ] as const) {
      await find(open, query);
      await open.page.keyboard.press('Enter');
      await open.ready();
      assert.equal(await currentStep(open), step, query);
    }
  });

  it('goes to a token, and says when there is nothing', async () => {
    const { page } = open;
    await goTo(open, 'scores');
    await find(open, 'sat');
    await page.keyboard.press('Enter');
    assert.equal((await selected(open))[0], 2);
    await find(open, 'dog');
    assert.equal(await page.locator('.find-count').innerText(), 'nothing found');
    assert.equal(await page.locator('.find-input').getAttribute('aria-expanded'), 'false');
  });

  it('offers the keys that the row looks at most, and the rows that are most and least spread out', async () => {
    const { page } = open;
    await goTo(open, 'weights');
    await page.locator('[data-matrix=weights] [data-row="3"][data-column="1"]').last().click();
    await page.keyboard.press('Control+f');
    await page.locator('#find-results [data-found=row]').first().waitFor();
    const weights = (theCat.default['weights'] ?? []).map((row) => row.map(decodeNumber));
    const entropies = weights.map((row) => row.reduce((sum, w) => sum - w * Math.log(w), 0));
    const most = entropies.indexOf(Math.max(...entropies));
    const strongest = (row: number): number => (weights[row] ?? []).indexOf(Math.max(...(weights[row] ?? [])));
    assert.equal(await page.locator('#find-results [data-found=key]').count(), 6);
    await page.locator('#find-results [data-found=key]').first().click();
    assert.deepEqual(await selected(open), [3, strongest(3)]);
    await page.locator('#find-results [data-found=row]').first().click();
    assert.deepEqual(await selected(open), [most, strongest(most)]);
    const least = entropies.indexOf(Math.min(...entropies));
    await page.locator('#find-results [data-found=row]').nth(1).click();
    assert.deepEqual(await selected(open), [least, strongest(least)]);
  });

  it('offers the keys of the last query where a row is selected that no query has', async () => {
    const { page } = open;
    // Scores of query 1: 0, 1, 2, 3; the cell that is selected is in row 3 of K.
    await open.explain(
      explanation({ ...matrixDefaults, start: { from: 'qkv', q: [[1], [1]], k: [[0], [1], [2], [3]] } }),
    );
    await goTo(open, 'k');
    await page.locator('[data-matrix=k] [data-row="3"][data-column="0"]').last().click();
    await page.keyboard.press('Control+f');
    await page.locator('#find-results [data-found=key]').first().click();
    assert.equal(await currentStep(open), 'weights');
    assert.deepEqual(await selected(open), [1, 3]);
  });

  it('goes to the token at a place', async () => {
    await goTo(open, 'scores');
    await find(open, '#4');
    await open.page.keyboard.press('Enter');
    assert.equal((await selected(open))[0], 4);
  });

  it('gives the keyboard back on Escape', async () => {
    const { page } = open;
    await goTo(open, 'scores');
    const cell = page.locator('[data-matrix=scores] [data-row="3"][data-column="1"]').last();
    await cell.click();
    await find(open, 'mask');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.find').isVisible(), false);
    assert.ok(await cell.evaluate((node) => node === document.activeElement));
  });

  it('speaks: a combobox with its active result', async () => {
    const { page } = open;
    await find(open, 'w');
    const id = await page.locator('.find-input').getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${id}`).getAttribute('aria-selected'), 'true');
    assert.equal(await page.locator('#find-results').getAttribute('role'), 'listbox');
  });

  it('looks through 40,000 cells', async () => {
    const { page } = open;
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    await find(open, '1');
    await page.keyboard.press('Enter');
    await open.ready();
    const values = await page
      .locator('#find-results li[data-found=value]')
      .evaluateAll((items) => items.map((item) => Number.parseFloat(item.textContent ?? '')));
    assert.equal(values.length, 50);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => Math.abs(a - 1) - Math.abs(b - 1)),
    );
  });
});
