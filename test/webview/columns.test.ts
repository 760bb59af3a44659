import assert from 'node:assert/strict';
import { asColumns, columnsShape, planOf, type Step } from '../../engine/index';
import { eachPage } from './each-page';
import { type OpenPage } from './harness';
import { catExplanation, explanation, fourExplanation, sentence, textSpec, theCat } from './inputs';
import { assertMatrix, cells, choose, goTo } from './page-driver';

function stepsOf(spec: Parameters<typeof planOf>[0]): ReadonlyMap<string, Step> {
  const planned = planOf(spec);
  assert.ok(planned.ok);
  return new Map(asColumns(planned.value).steps.map((step) => [step.id, step]));
}

// As papers with column vectors write them, e.g. Phuong & Hutter 2022, Formal Algorithms for Transformers, algorithm 4.
describe('tokens as columns', function () {
  this.timeout(120_000);

  it('writes products the other way round: Q = W X, S = Kᵀ Q, O = V A', () => {
    const four = stepsOf(fourExplanation.spec);
    const latex = (id: string): string | undefined => four.get(id)?.formula.plain;
    assert.equal(latex('q'), 'Q = W_q\\,X');
    assert.equal(latex('scores'), 'S = K^{\\top}\\,Q');
    assert.equal(latex('output'), 'O = V\\,A');
    assert.equal(four.get('x')?.formula.plain, 'X \\in \\mathbb{R}^{4 \\times 4}');
    const cat = stepsOf(catExplanation.spec);
    assert.equal(cat.get('q')?.formula.plain, 'Q = W_q^{\\top}\\,X');
    assert.equal(cat.get('q')?.shapes, '(8×16)·(16×6) → (8×6)');
    assert.equal(cat.get('embedding')?.shapes, 'columns (1×6) of (16×6) → (16×6)');
    assert.equal(
      cat.get('weights')?.formula.plain,
      "A_{ji} = \\frac{e^{M_{ji} - \\max_l M_{li}}}{\\sum_l e^{M_{li} - \\max_{l'} M_{l'i}}}",
    );
    const biased = textSpec(sentence, { projections: { from: 'random', dK: 8, dV: 8, bias: true }, heads: 2 });
    assert.equal(stepsOf(biased).get('q')?.formula.plain, 'Q = W_q^{\\top}\\,X + b_q');
    const scores = stepsOf(biased).get('scores');
    assert.deepEqual(scores && columnsShape(scores), [2, 6, 6]);
    assert.deepEqual(cat.get('q')?.shape, [6, 8], 'as data it stays as it was');
  });

  it('speaks of columns, never of a quoted token', () => {
    const steps = stepsOf(textSpec('row column row'));
    assert.equal(
      steps.get('scores')?.words.what,
      'Column “column” of Q meets row “row (2)” of Kᵀ: 8 products, one sum.',
    );
    assert.equal(steps.get('q')?.words.what, 'W_qᵀ times column “column” of X: 16 products for each of 8 rows.');
    assert.equal(
      stepsOf(fourExplanation.spec).get('wq')?.words.notice,
      'It is applied as W_q·X, which is W_q·x on column vectors.',
    );
  });

  describe('in the page', () => {
    let open: OpenPage;
    eachPage(async (page) => {
      open = page;
      await open.explain(catExplanation);
      await goTo(open, 'q');
    });
    const grid = (matrix: string) => open.page.locator(`.picture-layer [role=grid][data-matrix=${matrix}]`);
    const turn = async (): Promise<void> => {
      await open.page.keyboard.press('t');
      await open.page.locator('.matrix-shape', { hasText: '8×6' }).first().waitFor();
      await open.ready();
    };
    const formula = (): Promise<string> =>
      open.page
        .locator('.formula annotation')
        .evaluate((node) => node.textContent?.replace(/\\htmlClass\{[\w-]+\}\{([^{}]*)\}/g, '$1') ?? '');

    it('turns every matrix by one key, and no number with them', async () => {
      const [q, wq] = [await cells(open, 'q'), await cells(open, 'wq')];
      assert.equal(await grid('q').getAttribute('aria-rowcount'), '6');
      await turn();
      assert.deepEqual(await cells(open, 'q'), q, 'each number with its own row and column');
      assert.deepEqual(await cells(open, 'wq'), wq);
      assertMatrix(await cells(open, 'q'), theCat.default['q'] ?? [], 'q');
      assert.equal(await grid('q').getAttribute('aria-rowcount'), '8');
      assert.match((await grid('q').getAttribute('aria-label')) ?? '', /^Q:/);
      assert.match((await grid('wq').getAttribute('aria-label')) ?? '', /^W\u00a0qᵀ:/);
      assert.match((await grid('x').getAttribute('aria-label')) ?? '', /^X:/);
      // In Q = W_qᵀ·X the weights stand to the left and X above.
      const [left, above] = [await grid('wq').boundingBox(), await grid('x').boundingBox()];
      const result = await grid('q').boundingBox();
      assert.ok(left && above && result && left.x < result.x && above.y < result.y);
      const spoken = await grid('q').locator('[data-row="1"][data-column="3"]').getAttribute('aria-label');
      assert.match(spoken ?? '', /^row 3, column cat, /);
    });

    it('says it in formula, shapes, words, timeline, inspector and live region', async () => {
      await turn();
      assert.equal(await formula(), 'Q = W_q^{\\top}\\,X');
      assert.equal(await open.page.locator('.shapes').innerText(), '(8×16)·(16×6) → (8×6)');
      assert.match(
        await open.page.locator('.lead').innerText(),
        /^Wqᵀ times column cat of X: 16 products for each of 8 rows/,
      );
      assert.match(await open.page.locator('.timeline-step[data-step=q]').innerText(), /8×6/);
      await goTo(open, 'scores');
      await grid('scores').locator('[data-row="1"][data-column="2"]').click();
      await open.page.locator('.inspector .cell-name', { hasText: 'S[sat, cat]' }).first().waitFor();
      assert.equal(await open.page.locator('.inspector h2').getAttribute('aria-label'), 'S, row sat, column cat');
      assert.deepEqual((await open.state())?.cell, [1, 2], 'the cell is the same');
      assert.match((await grid('k').getAttribute('aria-label')) ?? '', /^Kᵀ:/);
      assert.match((await grid('q').getAttribute('aria-label')) ?? '', /^Q:/);
      await open.page.locator('.inspector h3', { hasText: 'In column cat of A' }).waitFor();
      await goTo(open, 'weights');
      await open.page.locator('.chain h3', { hasText: 'Column cat' }).waitFor();
      await goTo(open, 'x');
      assert.equal(await open.page.locator('.spoken').innerText(), 'Input X, step 4 of 11, 16 by 6');
    });

    it('copies what is shown, and the spec as it is', async () => {
      await turn();
      const taken = async (item: string, type: string): Promise<string> => {
        await open.page.locator('vscode-button', { hasText: 'Share' }).click();
        await open.page.getByRole('menuitem', { name: item, exact: true }).click();
        for (let i = 0; i < 100; i++) {
          const found = (await open.messages()).findLast((m) => m.type === type);
          if (found) return JSON.stringify(found);
          await open.page.waitForTimeout(50);
        }
        throw new Error(`${item}: nothing was sent`);
      };
      const copied = JSON.parse(await taken('JSON', 'copy')) as { text: string; what: string };
      const rows = JSON.parse(copied.text) as number[][];
      const own = (theCat.default['q'] ?? []).map((row) => row.map(Number));
      assertMatrix(rows, own[0]?.map((_, j) => own.map((row) => row[j] ?? NaN)) ?? [], 'the copy');
      assert.equal(copied.what, 'Q (8×6)');
      const spec = JSON.parse(await taken('Open its spec as JSON', 'open')) as { content: string };
      assert.deepEqual(JSON.parse(spec.content), catExplanation.spec);
    });

    it('is chosen in the controls, survives a reload, and turns back', async () => {
      await choose(open, 'columns', 'Columns');
      await open.page.locator('.matrix-shape', { hasText: '8×6' }).first().waitFor();
      await open.page.reload();
      await open.ready();
      assert.equal(await grid('q').getAttribute('aria-rowcount'), '8');
      await open.page.locator('.stage-head h1').focus();
      await open.page.keyboard.press('t');
      await open.page.locator('.matrix-shape', { hasText: '6×8' }).first().waitFor();
      await open.ready();
      assert.equal(await grid('q').getAttribute('aria-rowcount'), '6');
    });

    it('walks in the matrix as it is drawn', async () => {
      await turn();
      await grid('q').locator('[data-row="1"][data-column="3"]').click();
      await open.page.keyboard.press('ArrowDown');
      await open.page.locator('.inspector h2[aria-label="Q, row 4, column cat"]').waitFor();
      assert.deepEqual((await open.state())?.cell, [1, 4]);
    });

    it('commands of the palette turn, walk and find', async () => {
      await open.send({ type: 'act', action: 'turn' });
      await open.page.locator('.matrix-shape', { hasText: '8×6' }).first().waitFor();
      await open.send({ type: 'act', action: 'nextStep' });
      await open.page.locator('.stage[data-current-step=k]').waitFor();
      await open.send({ type: 'act', action: 'previousStep' });
      await open.page.locator('.stage[data-current-step=q]').waitFor();
      await open.send({ type: 'act', action: 'find' });
      await open.page.locator('.find-input').waitFor();
      assert.ok(await open.page.locator('.find-input').evaluate((node) => node === document.activeElement));
    });
  });

  describe('with a given mask and heads', () => {
    let open: OpenPage;
    eachPage((page) => (open = page));
    it('draws every step of a walk', async () => {
      await open.explain(
        explanation(textSpec(sentence, { heads: 2, mask: 'causal', outputProjection: { from: 'random' } })),
      );
      await open.page.keyboard.press('t');
      for (const step of [
        'tokens',
        'embedding',
        'x',
        'qHeads',
        'mask',
        'masked',
        'weights',
        'headOutputs',
        'concat',
        'output',
      ]) {
        await goTo(open, step);
        const shown = open.page.locator(`.picture-layer [role=grid][data-matrix=${step}]`);
        await shown.waitFor();
        const rows = Number(await shown.getAttribute('aria-rowcount'));
        const tokens = Number(await shown.getAttribute('aria-colcount'));
        assert.ok(tokens === 6 && rows > 0, `${step} is ${rows}×${tokens}`);
      }
    });
  });
});
