import assert from 'node:assert/strict';
import {
  explanation,
  catExplanation,
  fourExplanation,
  qkExplanation,
  qkvExplanation,
  textSpec,
  theCat,
  tutorials,
} from './inputs';
import { eachPage } from './each-page';
import { type OpenPage } from './harness';
import { assertSteps, cell, cells, currentStep, goTo } from './page-driver';

describe('the page', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('shows every partial of “The cat sat on the mat” as NumPy computes it', async () => {
    await open.explain(catExplanation);
    // 6 + 6·16·4 + 3·16·8 + 3·6·8 + 4·6·6 + 6·8 cells.
    assert.equal(await assertSteps(open, theCat.default), 1110);
  });

  it('shows the tutorials’ own numbers', async () => {
    await open.explain(qkExplanation);
    await goTo(open, 'weights');
    assert.equal((await cell(open, 'weights', 2, 1)).toFixed(8), '0.49747004');
    await open.explain(fourExplanation);
    await goTo(open, 'output');
    const printed = ['0.11782318', '0.39491105', '-2.4440105', '0.5687822'];
    const y2 = (await cells(open, 'output'))[1] ?? [];
    assert.deepEqual(
      y2.map((x, j) => x.toFixed(printed[j]?.split('.')[1]?.length)),
      printed,
    );
  });

  it('gives each step its name, formula, shapes and sentences', async () => {
    await open.explain(catExplanation);
    const { page } = open;
    const ids = await page
      .locator('.timeline [data-step]')
      .evaluateAll((all) => all.map((b) => b.getAttribute('data-step')));
    assert.deepEqual(
      [...ids].sort(),
      Object.keys(theCat.default)
        .concat('masked')
        .filter((id, i, all) => all.indexOf(id) === i)
        .sort(),
    );
    for (const id of ids) {
      await goTo(open, id ?? '');
      assert.match(await page.locator('h1').innerText(), /^\S.*: \S/, `title of ${id}`);
      assert.ok((await page.locator('.formula .katex-mathml').count()) === 1, `formula of ${id}`);
      assert.match(await page.locator('.shapes').innerText(), /\(\d+×\d+\)$/, `shapes of ${id}`);
      for (const text of await page.locator('.lead, .card p').allInnerTexts())
        assert.ok(text.length > 10, `words of ${id}`);
      assert.ok((await page.locator('.picture-layer canvas').count()) > 0, `picture of ${id}`);
    }
    assert.equal(await page.locator('.katex-error').count(), 0);
  });

  it('starts at the scores when Q, K and V are given, and at the tokens of a text', async () => {
    await open.explain(qkvExplanation);
    assert.equal(await currentStep(open), 'scores');
    assert.deepEqual(await cells(open, 'scores').then((s) => s.length), tutorials['000']['scores']?.length);
    await open.explain(catExplanation);
    assert.equal(await currentStep(open), 'tokens');
  });

  it('speaks of the cell that was clicked, and shows what made it', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    const { page } = open;
    assert.match(await page.locator('.lead').innerText(), /Row cat of Q meets column sat of Kᵀ/);
    await page.locator('[data-matrix=scores] [data-row="4"][data-column="0"]').click();
    assert.match(await page.locator('.lead').innerText(), /Row the of Q meets column The of Kᵀ/);
    const value = await page.locator('.inspector [data-value]').first().getAttribute('data-value');
    assert.equal(Number(value), theCat.default['scores']?.[4]?.[0]);
    assert.equal(await page.locator('.token-button[aria-pressed=true]').innerText(), 'the');
  });

  it('walks from a cell to the number it becomes', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    await open.page.locator('.inspector .later-step', { hasText: 'A' }).first().click();
    await open.ready();
    assert.equal(await currentStep(open), 'weights');
    const selected = open.page.locator('[data-matrix=weights] [aria-selected=true]');
    assert.deepEqual([await selected.getAttribute('data-row'), await selected.getAttribute('data-column')], ['1', '2']);
  });

  it('selects a token’s row; in a step without token rows, goes to the step that uses it', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    await open.page.locator('.token-button', { hasText: 'mat' }).click();
    assert.equal((await open.state())?.cell?.[0], 5);
    await goTo(open, 'wk');
    await open.page.locator('.token-button', { hasText: 'on' }).click();
    assert.equal(await currentStep(open), 'k');
    assert.equal((await open.state())?.cell?.[0], 3);
  });

  it('asks the host to show the source: the selected token, relative to the selection', async () => {
    await open.explain(catExplanation);
    await open.page.locator('.token-button', { hasText: 'mat' }).click();
    await open.page.locator('.source').click();
    assert.deepEqual((await open.messages()).at(-1), { type: 'reveal', start: 19, end: 22 });
  });

  it('shows notes, hides them when asked and gives them back', async () => {
    await open.explain(catExplanation);
    const note = open.page.locator('.banner.note');
    assert.match(await note.innerText(), /NumPy’s seed 0: random, not learned/);
    await note.locator('vscode-button').click();
    assert.equal(await note.count(), 0);
    assert.equal((await open.state())?.notesHidden, true);
    await open.page.locator('vscode-button[aria-label="Show notes"]').click();
    assert.equal(await note.count(), 1);
  });

  it('renders one token, and characters outside of the basic plane', async () => {
    await open.explain(explanation(textSpec('🐈')));
    await goTo(open, 'weights');
    assert.deepEqual(await cells(open, 'weights'), [[1]]);
    assert.equal(await open.page.locator('.token-button').innerText(), '🐈');
  });

  it('says where NaN came from, with a way to it', async () => {
    const x = [
      [1, 2],
      [3, 'nan' as const],
    ];
    const spec = { ...qkvExplanation.spec, start: { from: 'x' as const, x } };
    await open.explain(explanation(spec));
    const banner = open.page.locator('[data-problem=values]');
    assert.match(await banner.innerText(), /A has NaN, the first in row “0”/);
    await banner.locator('.text-link').first().click();
    assert.equal(await currentStep(open), 'weights');
  });

  it('puts what it says into the language of the reader’s text, unparsed', async () => {
    await open.explain(explanation(textSpec('<img src=x onerror=alert(1)> & “quotes”'), { label: '<b>.md' }));
    assert.equal(await open.page.locator('.source').innerText(), '<b>.md');
    assert.equal(await open.page.locator('#controls img, .tokens img, .lead img').count(), 0);
    assert.ok((await open.page.locator('.token-button').allInnerTexts()).includes('<'));
  });
});
