import assert from 'node:assert/strict';
import { matrixDefaults } from '../../../engine/index';
import { eachPage } from '../each-page';
import { type OpenPage } from '../harness';
import { catExplanation, explanation, qkExplanation, sentence, textSpec, theCat, words } from '../inputs';
import { goTo } from '../page-driver';

/** The facts of a card by name, as they are written. */
async function facts({ page }: OpenPage, title: string): Promise<Record<string, string>> {
  const card = page.locator('.insight', { has: page.locator('h3', { hasText: title }) });
  await card.first().waitFor();
  const rows = await card.first().locator('tr').allInnerTexts();
  return Object.fromEntries(rows.map((row) => row.split('\t').map((part) => part.trim()) as [string, string]));
}

/** Of all reasons, once they are there. */
async function titles({ page }: OpenPage): Promise<string[]> {
  await page.locator('.why:not([data-waiting]) .insight').first().waitFor();
  return page.locator('.insight h3').allInnerTexts();
}

describe('reasons in the reader’s own numbers', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('gives the variances of tutorial 001 at the scores, as NumPy’s var has them', async () => {
    await open.explain(qkExplanation);
    await goTo(open, 'scores');
    const found = await facts(open, 'Why divide by');
    // np.var of the tutorial's Q·Kᵀ is 5.1762414213, of its scaled scores 0.6470301777; d_k = 8.
    assert.equal(found['variance of these scores'], '5.176');
    assert.equal(found['after scaling'], '0.647');
    assert.equal(Object.values(found)[2], '8');
  });

  it('moves with the slider by keyboard, and changes nothing above it', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scaled');
    const { page } = open;
    const slider = page.locator('.slider');
    await slider.focus();
    const before = await facts(open, 'What does the scale do');
    const shown = await page.locator('.stage').innerText();
    for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowLeft');
    const after = await facts(open, 'What does the scale do');
    assert.ok(Number(after['largest weight, mean']) > Number(before['largest weight, mean']));
    // A 64th of √8.
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^divided by 0\.04419:/);
    assert.equal(await page.locator('.stage').innerText(), shown);
    assert.ok(await slider.evaluate((node) => node === document.activeElement));
  });

  it('says that nothing can be drawn of scores with NaN, and draws no line through them', async () => {
    const x = [[0.5, -1], ['nan' as const, 1], [1, 2]]; // prettier-ignore
    await open.explain(explanation({ ...matrixDefaults, start: { from: 'x', x } }));
    await goTo(open, 'scaled');
    const card = open.page.locator('.insight', { hasText: 'What does the scale do' });
    await card.locator('.chart-missing', { hasText: 'No point can be drawn: every value is NaN' }).waitFor();
    assert.equal(await card.locator('svg').count(), 0);
    assert.deepEqual(Object.values(await facts(open, 'What does the scale do')), ['NaN', 'NaN of 1.099 nats', 'NaN']);
    const drawn = await open.page.locator('polyline').evaluateAll((all) => all.map((l) => l.getAttribute('points')));
    assert.ok(drawn.length > 0, 'the chart of widths');
    assert.doesNotMatch(drawn.join(' '), /NaN/);
  });

  it('says of how many rows a mean is, where it is not of all', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scaled');
    const card = open.page.locator('.insight', { hasText: 'What does the scale do' });
    await card.waitFor();
    assert.doesNotMatch(await card.innerText(), /rows, evenly spaced/);
    await open.explain(explanation(textSpec(words(400))));
    await goTo(open, 'scaled');
    // One in two.
    await card.getByText('Means over 200 of the 400 rows, evenly spaced.').waitFor({ timeout: 60_000 });
  });

  it('follows the step and the cell', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    assert.ok((await titles(open)).includes('How sharp is this row?'));
    const first = await facts(open, 'How sharp is this row?');
    await open.page.locator('.tokens button', { hasText: 'mat' }).click();
    await open.page
      .locator('.insight', { hasText: 'entropy' })
      .filter({ hasNotText: first['entropy'] ?? '' })
      .waitFor();
    assert.notDeepEqual(await facts(open, 'How sharp is this row?'), first);
    await goTo(open, 'q');
    await open.page.locator('.why').waitFor({ state: 'hidden' });
  });

  it('says why a mask comes before softmax, and what several heads do', async () => {
    await open.explain(explanation(textSpec(sentence, { mask: 'causal', heads: 2 })));
    await goTo(open, 'masked');
    assert.deepEqual(await titles(open), ['Why mask before softmax?']);
    await goTo(open, 'headOutputs');
    assert.deepEqual(await titles(open), ['Why several heads?']);
    assert.match(await open.page.locator('.insight').innerText(), /2 heads of 8 columns make 16 columns/);
  });

  it('shows the overflow happen in the row, and that it does not in float64', async () => {
    const spec = textSpec(sentence, { scale: { divideBy: 0.02 }, dtype: 'float32', mask: 'causal' });
    await open.explain(explanation(spec));
    await goTo(open, 'weights');
    const card = open.page.locator('.insight', { hasText: 'What if the maximum were not subtracted?' });
    await card.waitFor();
    // Row “cat”: NumPy’s scores 8.67 and −2.66, divided by 0.02, are 433 and −133; exp(433) is infinite in float32.
    assert.match(
      await card.innerText(),
      /in float32, without subtracting the maximum: exp\(x\) overflows, so ∞\/∞ = NaN is among the weights/,
    );
    const cat = card.locator('tr', { hasText: 'cat' }).first().locator('td');
    assert.deepEqual((await cat.allInnerTexts()).slice(1), ['∞', 'NaN', '1']);
    await open.explain(explanation({ ...spec, dtype: 'float64' }));
    await goTo(open, 'weights');
    await card.getByText('in float64, without subtracting the maximum. Here that is harmless.').waitFor();
  });

  it('draws the Jacobian of the row with NumPy’s weights', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    const card = open.page.locator('.insight', { hasText: 'What would a change of a score do?' });
    await card.waitFor();
    const row = (theCat.default['weights']?.[1] ?? []).map(Number);
    const [cat = NaN, sat = NaN] = [row[1], row[2]];
    const figures = (x: number): string => String(Number(x.toPrecision(3))).replace('-', '−');
    assert.deepEqual(await card.locator('td').allInnerTexts(), [figures(sat * (1 - sat)), figures(-sat * cat)]);
    assert.match((await card.locator('[role=img]').getAttribute('aria-label')) ?? '', /row cat, 6 by 6/);
    const { width } = (await card.locator('canvas').boundingBox()) ?? { width: 0 };
    assert.ok(width >= 60);
  });

  it('shuffles the tokens as often as one likes: rows of O and both sides of A move, and with positions they change', async () => {
    await open.explain(explanation(textSpec(sentence, { positions: 'none' })));
    await goTo(open, 'output');
    const card = open.page.locator('.insight', { hasText: 'Does order matter?' });
    const order = card.locator('.shuffle-order tr').nth(1).locator('td');
    // np.argsort(np.random.RandomState(seed).randn(6)) for seeds 1 and 2.
    await order.getByText('mat on cat sat the The').waitFor();
    const small = async (): Promise<readonly number[]> => {
      const found = await facts(open, 'Does order matter?');
      return ['output, largest difference', 'weights, largest difference'].map((name) =>
        Number(found[name]?.replaceAll('−', '-')),
      );
    };
    assert.ok(
      (await small()).every((x) => x < 1e-12),
      String(await small()),
    );
    await card.locator('.shuffle-verdict[data-holds=true]').waitFor();
    assert.equal(await card.locator('.shuffle-picture canvas').count(), 6);
    await card.getByRole('button', { name: 'Shuffle again' }).click();
    await order.getByText('sat the mat The cat on').waitFor();
    assert.ok((await small()).every((x) => x < 1e-12));
    await open.explain(catExplanation);
    await goTo(open, 'output');
    await card.locator('.shuffle-verdict[data-holds=false]').waitFor();
    assert.ok(
      (await small()).every((x) => x > 0.01),
      String(await small()),
    );
  });

  it('is true of odd inputs: one token, a fully masked row, keys without weight', async () => {
    const sharp = open.page.locator('.insight', { hasText: 'How sharp is this row?' });
    await open.explain(explanation(textSpec('Hello')));
    await goTo(open, 'weights');
    await sharp.getByText('It sees one key').waitFor();
    // A causal mask leaves the second of three rows two keys: at most ln 2 = 0.693 nats.
    await open.explain(explanation(textSpec('a b c', { mask: 'causal' })));
    await goTo(open, 'weights');
    await open.page.locator('.tokens button').nth(1).click();
    await sharp.getByText(/ of 0\.6931 nats/).waitFor();
    await sharp.getByText(/ of 2 keys/).waitFor();
    const hide = { rows: [[1, 1, 1], [0, 1, 1], [0, 0, 0]] } as const; // prettier-ignore
    const spec = textSpec('a b c', {
      mask: { kind: 'boolean', values: hide.rows, trueMeans: 'hidden' },
      fullyMasked: 'zero',
    });
    await open.explain(explanation(spec));
    await goTo(open, 'weights');
    await open.page.locator('.tokens button').first().click();
    await sharp.getByText('Every key is hidden').waitFor();
    assert.equal(await sharp.locator('td').count(), 0);
    await open.page.locator('.tokens button').nth(1).click();
    await open.page.getByText('a has all the weight, so that nothing changes').waitFor({ timeout: 8000 });
    await open.page.locator('[role=grid][data-matrix=weights] [data-row="1"][data-column="2"]').click();
    await open.page.getByText('c has no weight, so a small change of its score').waitFor({ timeout: 8000 });
  });
});
