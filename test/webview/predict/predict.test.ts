import assert from 'node:assert/strict';
import { count, decodeNumber, number, say, shapeMark, signs, size, spansOf } from '../../../engine/index';
import { isShapeOf, isShown, readShape } from '../../../webview/predict/check';
import { hideSizes } from '../../../webview/predict/hide-sizes';
import { quietly } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { catExplanation, explanation, matrixOf, textSpec, theCat, words } from '../inputs';
import { currentStep, goTo, openControls, type } from '../page-driver';

/** NumPy's score of “cat” and “sat”. */
const score = decodeNumber(matrixOf(theCat.default, 'scores')[1]?.[2] ?? 'nan');

describe('predict first', function () {
  this.timeout(120_000);

  it('takes a number that is the shown one, and no other', () => {
    const two = { decimals: 2, exponent: false };
    assert.ok(isShown(2.12, 2.1243, two) && isShown(2.1243, 2.1243, two) && isShown(0.125, 0.12, two));
    assert.ok(!isShown(2.1, 2.1243, two) && !isShown(-2.12, 2.1243, two));
    assert.ok(isShown(1.23e-7, 1.2345e-7, { decimals: 2, exponent: true }));
    assert.ok(!isShown(0, 1.2345e-7, { decimals: 2, exponent: true }));
    assert.ok(isShown(-Infinity, -Infinity, two) && isShown(NaN, NaN, two) && !isShown(NaN, 0, two));
  });

  it('reads shapes as people write them', () => {
    for (const text of ['6x8', '6×8', '(6, 8)', '[6,8]', '6 by 8', '6 8', '6*8'])
      assert.deepEqual(readShape(text), [6, 8], text);
    for (const text of ['', '6', '6x', 'six by 8', '6.5x8', '6x-8']) assert.equal(readShape(text), undefined, text);
    const heads = [2, 6, 8];
    assert.ok(isShapeOf([2, 6, 8], heads) && isShapeOf([6, 8], heads) && !isShapeOf([8, 6], heads));
  });

  describe('of a lesson, in the page', () => {
    let open: OpenPage;
    beforeEach(async () => void (open = await openPage()));
    quietly(() => open);
    const shown = (matrix: string): ReturnType<OpenPage['page']['locator']> =>
      open.page.locator(`.picture-layer [role=grid][data-matrix=${matrix}]`);

    it('hides the steps that are asked for, as results and as operands, until the lesson says otherwise', async () => {
      const { page } = open;
      const asked = ['scaled', 'masked', 'weights', 'output'];
      await open.send({
        type: 'explain',
        explanation: catExplanation,
        settings: { backend: 'auto', digits: 2 },
        asked,
      });
      await page.locator('body[data-ready="true"][data-shown]').waitFor({ state: 'attached' });
      await goTo(open, 'scores');
      await shown('scores').waitFor();
      assert.equal(await page.locator('.predict').isVisible(), false);
      await goTo(open, 'scaled');
      await page.getByText('The lesson asks for this.').waitFor();
      assert.equal(await shown('scaled').isVisible(), false);
      assert.equal(await shown('scores').isVisible(), true, 'what it is computed from');
      assert.equal(await page.locator('.predict-form').count(), 0, 'it is answered in the lesson');
      await goTo(open, 'weights');
      assert.equal(await page.locator('.picture').isVisible(), false);
      assert.equal(await page.locator('.inspector').isVisible(), false);
      assert.doesNotMatch(await page.locator('body').ariaSnapshot(), /grid/);
      await page.reload();
      await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
      assert.equal(await page.locator('.picture').isVisible(), false, 'after a reload too');
      await open.send({ type: 'asked', label: 'another lesson', steps: [] });
      await open.send({ type: 'asked', label: catExplanation.source.label, steps: ['output'] });
      await shown('weights').waitFor();
      await open.explain(catExplanation);
      await goTo(open, 'output');
      await shown('output').waitFor();
    });
  });

  describe('in the page', () => {
    let open: OpenPage;
    beforeEach(async () => {
      open = await openPage();
      await open.explain(catExplanation);
      await goTo(open, 'scores');
      await open.page.locator('.stage-walk vscode-button[aria-label="Predict first"]').click();
      await open.page.locator('.predict-form').waitFor();
    });
    quietly(() => open);

    const enter = async (label: string, text: string): Promise<void> => {
      await open.page.getByLabel(label).fill(text);
      await open.page.keyboard.press('Enter');
    };
    const answers = async (): Promise<string> => {
      await open.page.locator('.predict table').waitFor();
      return (await open.page.locator('.predict').innerText()).replace(/\s+/g, ' ');
    };
    const grid = (matrix: string): ReturnType<OpenPage['page']['locator']> =>
      open.page.locator(`.picture-layer [role=grid][data-matrix=${matrix}]`);

    it('keeps the result from eyes and ears, and the operands there', async () => {
      await grid('q').waitFor();
      assert.equal(await grid('scores').isVisible(), false);
      assert.equal(await grid('q').isVisible(), true);
      const seen = await open.page.locator('body').ariaSnapshot();
      assert.match(seen, /grid "Q/);
      assert.doesNotMatch(seen, /grid "S/);
      const text = await open.page.locator('body').innerText();
      assert.ok(!text.includes(String(Math.abs(score)).slice(0, 8)), 'the inspector shows it');
      assert.match(seen, /S\[cat, sat\]/);
      assert.equal(await open.page.locator('.inspector').isVisible(), false);
      assert.equal(await open.page.locator('.why').isVisible(), false);
      const line = open.page.locator('.shapes > span');
      assert.equal(await line.last().evaluate((node) => getComputedStyle(node).visibility), 'hidden');
      assert.equal(await line.first().evaluate((node) => getComputedStyle(node).visibility), 'visible');
      await goTo(open, 'scaled');
      assert.match(await open.page.locator('.spoken').innerText(), /to be predicted$/);
    });

    it('offers a choice before it asks for digits: the largest of the row, and says whether it is, by NumPy’s scores', async () => {
      const row = (matrixOf(theCat.default, 'scores')[1] ?? []).map(decodeNumber);
      const words = 'The cat sat on the mat'.split(' ');
      const largest = row.indexOf(Math.max(...row));
      const options = open.page.locator('.predict-option');
      assert.deepEqual(await options.allInnerTexts(), words);
      await options.nth((largest + 1) % words.length).click();
      assert.match(await answers(), new RegExp(`^Not quite: Which number of row cat is the largest\\? your guess ${words[(largest + 1) % words.length]} right ${words[largest]}`));
      await goTo(open, 'q');
      assert.deepEqual(await options.allInnerTexts(), ['above', 'not above'], 'columns that are no tokens would tell the width');
      const q = decodeNumber(matrixOf(theCat.default, 'q')[1]?.[2] ?? 'nan');
      await options.nth(q > 0 ? 0 : 1).click();
      assert.match(await answers(), /^Right: Is this number above zero\?/);
      assert.match(await answers(), /1 of 2 right so far/);
    }); // prettier-ignore

    it('tells no number of the shape in its words, before it is said', async () => {
      const words = (): Promise<string> => open.page.locator('.lead').innerText();
      await goTo(open, 'q');
      assert.equal(await words(), 'Row cat of X times Wq: 16 products for each of ? columns.');
      await enter('shape of Q', '6x8');
      await answers();
      assert.equal(await words(), 'Row cat of X times Wq: 16 products for each of 8 columns.');
      await goTo(open, 'scaled');
      assert.match(await words(), /√dk = 2\.82843/);
      assert.match(await open.page.locator('.cards').innerText(), /in each of the \? rows/);
      const token = { kind: 'token', token: '6', role: 'query', axis: 'row' } as const;
      const sentence = signs('Row {0} of {Q}: {1}, √6, {2} and {3}', token, count(6, 'product'), number(6.5), size(16));
      const told = spansOf(sentence)
        .map(hideSizes([6, 8]))
        .join('');
      assert.equal(told, 'Row “6” of Q: ? products, √6, 6.5 and 16');
      const given = spansOf(say('{0}, as given.', shapeMark([6, 8])));
      assert.equal(given.map(hideSizes([6, 8])).join(''), 'Numbers, as given.');
      assert.equal(given.map(hideSizes([8, 4])).join(''), '6×?, as given.');
    });

    it('asks where it is seen in half a window, and no notice tells the answer', async () => {
      const { page } = open;
      await page.setViewportSize({ width: 665, height: 800 });
      await goTo(open, 'weights');
      const toggle = page.locator('.stage-walk vscode-button[aria-label="Predict first"]');
      await toggle.click();
      await page.locator('.predict-form').waitFor({ state: 'hidden' });
      await toggle.click();
      await page.locator('.predict-form').waitFor();
      const bottom = await page.locator('.predict-form').evaluate((form) => form.getBoundingClientRect().bottom);
      assert.ok(bottom <= 800, `the question ends at ${bottom}`);
      // At the next step too, whose picture is longer than the window.
      await open.explain(explanation(textSpec(words(60))));
      await goTo(open, 'scaled');
      await page.locator('.predict-form').waitFor();
      const next = await page.locator('.predict-form').evaluate((form) => form.getBoundingClientRect().bottom);
      assert.ok(next <= 800, `the next question ends at ${next}`);
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.locator('.inspector-box > .predict').waitFor();
      await page.setViewportSize({ width: 665, height: 800 });
      const values = [[1, 0, 0, 0, 0, 0], ...Array.from({ length: 5 }, () => [1, 1, 1, 1, 1, 1])];
      const mask = { kind: 'boolean', values, trueMeans: 'hidden' } as const;
      await open.explain({ ...catExplanation, spec: { ...catExplanation.spec, mask } });
      await goTo(open, 'weights');
      const notice = page.locator('.banner[data-problem=values]');
      assert.equal(await notice.count(), 1);
      assert.equal(await notice.isVisible(), false);
      await toggle.click();
      await notice.waitFor();
      assert.match(await notice.innerText(), /NaN\. exp/);
    });

    it('shows theirs beside the true one, right to the digits that are shown, and keeps score', async () => {
      await enter('S[cat, sat]', score.toFixed(2));
      const shown = score.toFixed(2);
      const text = await answers();
      assert.equal(
        text,
        `Right: S[cat, sat] your guess ${shown} actual value ${shown.replace('-', '−')} 1 of 1 right so far`,
      );
      assert.ok(await open.page.locator('.predict').evaluate((node) => node === document.activeElement));
      // A screen reader that is led there says what was found.
      const spoken = await open.page.locator('.predict').ariaSnapshot();
      assert.match(spoken, /region "Right: S\[cat, sat\]"/);
      assert.equal(await grid('scores').isVisible(), true);
      assert.equal(await open.page.locator('.inspector').isVisible(), true);
      await goTo(open, 'weights');
      assert.equal(await grid('weights').isVisible(), false);
      assert.equal(await open.page.locator('.token-button[data-shaded]').count(), 0);
      assert.equal(await open.page.locator('.arcs').isVisible(), false);
      await enter('A[cat, sat]', '1/2');
      assert.match(
        await answers(),
        /^Not quite: A\[cat, sat\] your guess 1\/2 actual value 0\.\d{3} 1 of 2 right so far$/,
      );
      await goTo(open, 'scores');
      assert.match(await answers(), /^Right/, 'what was answered stays so');
    });

    it('takes a shape, says what it cannot read, and never blocks', async () => {
      await enter('shape of S', '6 by');
      assert.equal(
        await open.page.locator('.predict-problem').innerText(),
        'expected a shape such as 6×8, found “6 by”',
      );
      await enter('S[cat, sat]', 'many');
      assert.match(await open.page.locator('.predict-problem').innerText(), /expected a number, found “many”/);
      await open.page.getByLabel('S[cat, sat]').fill('');
      await enter('shape of S', '6x6');
      assert.match(await answers(), /^Right: shape of S your guess 6×6 actual value 6×6/);
      await goTo(open, 'scaled');
      assert.equal(await grid('scaled').isVisible(), false);
      await open.page.keyboard.press(']');
      assert.equal(await currentStep(open), 'weights');
      await goTo(open, 'wq');
      assert.equal(await open.page.locator('.predict').isVisible(), false, 'what was drawn cannot be predicted');
      assert.equal(await grid('wq').isVisible(), true);
    });

    it('gives nothing away elsewhere: timeline, arcs, token shading, tips, find, compare, share, inspector', async () => {
      const { page } = open;
      // Every step that is still to be predicted, not only this one.
      for (const step of ['scores', 'scaled', 'weights', 'output']) {
        const thumb = page.locator(`.timeline-step[data-step=${step}] .thumb`);
        assert.equal(await thumb.evaluate((node) => getComputedStyle(node).visibility), 'hidden', step);
      }
      await enter('S[cat, sat]', score.toFixed(2));
      await answers();
      // The scores are known now; what they become is not.
      await page.locator('.inspector .terms').waitFor();
      assert.equal(await page.locator('.inspector .later-step').count(), 0);
      assert.equal(await page.locator('.inspector .row-bars').count(), 0);
      assert.equal(await page.locator('.token-button[data-shaded]').count(), 0, 'shading is the weights');
      await page.locator('.token-button').nth(1).hover();
      await page.locator('.token-tip').waitFor();
      assert.equal(await page.locator('.tip-attention').count(), 0);
      await goTo(open, 'x');
      assert.equal(await page.locator('.arcs').isVisible(), false);
      await goTo(open, 'weights');
      await page.keyboard.press('Control+f');
      await page.locator('.find-input').fill('0.3');
      await page.locator('.find-count', { hasText: 'nothing found' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('vscode-button', { hasText: 'Share' }).click();
      await page.getByRole('menuitem', { name: 'Copy link', exact: true }).waitFor();
      assert.equal(await page.getByRole('menuitem', { name: 'JSON', exact: true }).count(), 0);
      assert.equal(await page.getByRole('menuitem', { name: /picture/ }).count(), 0);
      await page.keyboard.press('Escape');
    });

    it('does not tell by comparing how a hidden result differs', async () => {
      const { page } = open;
      await page.locator('[data-tool=pin]').click();
      await openControls(open);
      await type(open, 'seed', '7');
      await page.locator('.stage-tools .pinned', { hasText: 'Changed since then: Seed' }).waitFor();
      // The comparison of visible steps is there, so that of the hidden ones has been made too.
      await page.locator('.timeline-chip[data-step=wq][data-differs]').waitFor();
      await page.waitForTimeout(300);
      assert.doesNotMatch(await page.locator('.stage-tools').innerText(), /differs|most by/);
      assert.equal(await page.locator('[data-tool=place], [data-tool=differences]').count(), 0);
      assert.equal(await page.locator('.timeline-step[data-step=scores]').getAttribute('aria-description'), null);
      await enter('shape of S', '6x6');
      await answers();
      await page.locator('.stage-tools .pinned', { hasText: 'differs most by' }).waitFor();
    });

    it('asks again for other numbers, and comes back after a reload as it was', async () => {
      await enter('shape of S', '6x6');
      await answers();
      await open.page.reload();
      await open.ready();
      assert.match(await answers(), /1 of 1 right/);
      await openControls(open);
      await type(open, 'seed', '7');
      await open.page.locator('.predict-form').waitFor();
      assert.equal(await grid('scores').isVisible(), false);
      await open.page.locator('.stage-walk vscode-button[aria-label="Predict first"]').click();
      await grid('scores').waitFor();
      assert.equal(await open.page.locator('.predict').isVisible(), false);
    });
  });
});
