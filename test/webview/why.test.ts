import assert from 'node:assert/strict';
import { openPage, stopBrowser, type OpenPage } from './harness';
import { catExplanation, explanation, qkExplanation, sentence, textSpec } from './inputs';
import { goTo } from './page-driver';

/** The facts of a card by name, as they are written. */
async function facts({ page }: OpenPage, title: string): Promise<Record<string, string>> {
  const card = page.locator('.insight', { has: page.locator('h3', { hasText: title }) });
  await card.first().waitFor();
  const rows = await card.first().locator('tr').allInnerTexts();
  return Object.fromEntries(rows.map((row) => row.split('\t').map((part) => part.trim()) as [string, string]));
}

const titles = ({ page }: OpenPage): Promise<string[]> => page.locator('.insight h3').allInnerTexts();

describe('reasons in the reader’s own numbers', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => void (open = await openPage()));
  afterEach('no error, no request, no violation of the policy', async () => {
    await open.close();
    assert.deepEqual(open.troubles, []);
  });
  after(stopBrowser);

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
});
