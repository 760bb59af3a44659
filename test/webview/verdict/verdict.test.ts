// What the panel shows of a checked result: NumPy's numbers with a planted mistake (test/reference/diagnose.py) in the built page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkResult,
  explainAttention,
  finish,
  matrixDefaults,
  verdictOf,
  type AttentionSpec,
} from '../../../engine/index';
import type { Explanation } from '../../../webview/protocol';
import { violationsIn } from '../axe';
import { eachPage } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { explanation } from '../inputs';
import { inGerman } from '../languages';
import { choose, currentStep, goTo } from '../page-driver';

type Rows = readonly (readonly number[])[];
const { given, results } = JSON.parse(readFileSync(join(__dirname, '../../fixtures/diagnose.json'), 'utf8')) as {
  readonly given: Readonly<Record<'x' | 'wq' | 'wk' | 'wv' | 'wo', Rows>> &
    Readonly<Record<'bq' | 'bk' | 'bv', number[]>>;
  readonly results: Readonly<Record<string, Rows>>;
};
const { x, wq, wk, wv, wo, bq, bk, bv } = given;
const spec: AttentionSpec = {
  ...matrixDefaults, start: { from: 'x', x }, dModel: 8, projections: { from: 'given', wq, wk, wv, bq, bk, bv },
  heads: 2, outputProjection: { from: 'given', wo }, mask: 'causal',
}; // prettier-ignore

/** As the host sends it. */
function checkedExplanation(name: string): Explanation {
  const trace = explainAttention(spec);
  assert.ok(trace.ok);
  const mine = { rows: (results[name] ?? []).map((row) => row.map((cell) => Number(cell.toFixed(4)))), digits: 4 };
  const checked = finish(checkResult(trace.value, mine));
  assert.ok(checked.ok);
  const { verdict, remade } = finish(verdictOf(trace.value, 'out', mine, checked.value));
  const links = { there: 'Show the attention with the mistake', says: 'Shown with the mistake.', back: 'Back to the right attention' }; // prettier-ignore
  const beside = remade && { spec: remade.spec, notes: [], says: 'With this the attention gives every digit.', links };
  return { ...explanation(spec), checked: verdict, ...(beside && { beside }) };
}

const values = async ({ page }: OpenPage, matrix: string): Promise<number[]> =>
  page
    .locator(`.own-numbers [role=grid][data-matrix="${matrix}"] [data-value]`)
    .evaluateAll((nodes) => nodes.map((node) => Number(node.getAttribute('data-value'))));

const marked = ({ page }: OpenPage): Promise<(string | null)[]> =>
  page.locator('.timeline .timeline-step[data-differs]').evaluateAll((all) => all.map((one) => one.getAttribute('data-step'))); // prettier-ignore

describe('the verdict on the reader’s numbers', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('says the mistake, marks the steps that it changes, and shows both results and their difference', async () => {
    await open.explain(checkedExplanation('noScale'));
    const { page } = open;
    const said = await page.locator('.verdict h2').innerText();
    assert.match(said, /^out: step output with 1 mistake\. The scores are not divided by √d\s*k\.$/);
    assert.equal(await page.locator('.verdict code').innerText(), 'S = Q @ K.T / np.sqrt(d_k)');
    for (const id of ['scaled', 'weights', 'output']) assert.ok((await marked(open)).includes(id), id);
    assert.ok(!(await marked(open)).includes('scores'));
    await page.getByRole('button', { name: 'Show output' }).click();
    await open.ready();
    assert.equal(await currentStep(open), 'output');
    await page.locator('.own-numbers [data-matrix=checked-difference]').first().waitFor();
    const [mine, right] = [results['noScale'], results['right']].map((rows = []) => rows.flat());
    const [first, second, third] = [
      await values(open, 'checked-mine'),
      await values(open, 'checked-right'),
      await values(open, 'checked-difference'),
    ];
    assert.equal(first.length, 48);
    first.forEach((cell, i) => {
      assert.equal(cell, Number(mine?.[i]?.toFixed(4)));
      assert.ok(Math.abs((second[i] ?? NaN) - (right?.[i] ?? NaN)) < 1e-12);
      const by = cell - (second[i] ?? NaN);
      assert.equal(third[i], Math.abs(by) <= 0.5001e-4 ? 0 : by);
    });
    const agree = third.filter((cell) => cell === 0).length;
    assert.match(await page.locator('.own-count').innerText(), new RegExp(`^${agree} of 48 numbers agree`));
  });

  it('turns to the attention with the mistake, whose numbers are all the reader’s, and back', async () => {
    await open.explain(checkedExplanation('noScale'));
    const { page } = open;
    await goTo(open, 'output');
    await page.getByRole('button', { name: 'Show the attention with the mistake' }).click();
    await page.locator('.own-count', { hasText: '48 of 48' }).waitFor();
    assert.deepEqual(await marked(open), []);
    await page.getByRole('button', { name: 'Back to the right attention' }).click();
    await page.locator('.own-count:not(:has-text("48 of 48"))').waitFor();
    assert.ok((await marked(open)).includes('weights'));
  });

  it('survives a reload, with the keyboard, and without complaints of axe', async () => {
    await open.explain(checkedExplanation('noScale'));
    await goTo(open, 'output');
    const before = await open.page.locator('.verdict').innerText();
    const state = await open.state();
    await open.close();
    const again = await openPage(state ? { state } : {});
    const { page } = again;
    assert.equal(await page.locator('.verdict').innerText(), before);
    await page.locator('.own-numbers [data-matrix=checked-mine]').first().waitFor();
    assert.deepEqual(await violationsIn(page), []);
    await page.locator('.verdict [data-tool=turn]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.own-count', { hasText: '48 of 48' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.dataset.tool'), 'turn');
    await again.close();
  });

  it('has no way to the mistake where no field says it, and no marks once a control was changed', async () => {
    await open.explain(checkedExplanation('softmaxQueries'));
    const { page } = open;
    assert.match(await page.locator('.verdict h2').innerText(), /Softmax goes over the queries/);
    assert.equal(await page.locator('.verdict [data-tool=turn]').count(), 0);
    assert.ok((await marked(open)).includes('weights'));
    await choose(open, 'scale', 'None');
    await page.locator('.verdict-note').waitFor();
    assert.deepEqual(await marked(open), []);
  });

  it('says what is right, and nothing without a check', async () => {
    await open.explain(checkedExplanation('right'));
    const { page } = open;
    assert.match(await page.locator('.verdict h2').innerText(), /^out is Y, Output: every number, to 4 digits/);
    assert.deepEqual(await marked(open), []);
    await open.explain(explanation(spec));
    assert.ok(!(await page.locator('.verdict').isVisible()));
    assert.ok(!(await page.locator('.own-numbers').isVisible()));
  });

  it('is in German', async () => {
    await open.close();
    const german = await openPage({ language: inGerman });
    await german.explain(checkedExplanation('noScale'));
    await german.page.getByText('Stattdessen schreiben:').waitFor();
    await german.close();
  });
});
