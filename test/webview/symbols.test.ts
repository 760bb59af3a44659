import assert from 'node:assert/strict';
import { attributeText, plain } from '../../webview/draw/symbols';
import { eachPage } from './each-page';
import { openCourseLesson } from './lesson-harness';
import type { OpenPage } from './harness';
import { explanation, sentence, textSpec } from './inputs';
import { choose, goTo, openControls } from './page-driver';

describe('symbols with an index', function () {
  this.timeout(120_000);

  it('are said as letters, and names in programs and files are left alone', () => {
    const said = (text: string): string => plain(text).replaceAll('\u00a0', '~');
    assert.equal(said('ΔX·W_q, W_kᵀ, ÷ √d_k; O_h[cat, 2] and b_O.'), 'ΔX·W~q, W~kᵀ, ÷ √d~k; O~h[cat, 2] and b~O.');
    for (const name of ['my_d_k', 'W_q.npy', 'W_query', 'self.W_q', 'W_q_t', 'd_k2']) assert.equal(said(name), name);
    assert.equal(attributeText('data-step', 'W_q'), 'W_q');
  });

  describe('in the page', () => {
    let open: OpenPage;
    eachPage((page) => (open = page));

    it('stand nowhere as they are typed: steps, cells, controls, tips, find', async () => {
      const { page } = open;
      const projections = { from: 'random', dK: 8, dV: 8, bias: true } as const;
      const outputProjection = { from: 'random', bias: true } as const;
      await open.explain(explanation(textSpec(sentence, { heads: 2, mask: 'causal', projections, outputProjection })));
      await openControls(open);
      const found = new Set<string>();
      const look = async (): Promise<void> => (await page.evaluate(rawSymbols)).forEach((one) => found.add(one));
      for (const step of ['qProduct', 'wq', 'bq', 'q', 'scaled', 'headOutputs', 'wo', 'output']) {
        await goTo(open, step);
        await page.locator('.inspector h2').first().waitFor();
        if (step === 'scaled') await page.locator('.insight', { hasText: 'What about other values of' }).waitFor();
        await look();
      }
      await page.keyboard.press('Control+f');
      await page.locator('.find-input').fill('W');
      await page.locator('#find-results li', { hasText: 'Weights' }).first().waitFor();
      await look();
      assert.deepEqual([...found], []);
    });

    it('are left alone in code, which stands between backticks', async () => {
      const { page } = open;
      await open.explain(explanation(textSpec(sentence), {}, ['X·Wᵀ with W_q, as the line `q_2 = W_q @ x_2` says.']));
      const note = page.locator('.banner.note li').first();
      assert.deepEqual(await note.locator('code').allInnerTexts(), ['q_2 = W_q @ x_2']);
      assert.equal(await note.locator('code var').count(), 0);
      assert.equal(await note.locator('sub').count(), 1);
      assert.doesNotMatch(await note.innerText(), /`/);
    });

    it('are set in a dropdown, its list and what is chosen of it, and said there', async () => {
      const { page } = open;
      await open.explain(explanation(textSpec(sentence)));
      await openControls(open);
      const scale = page.locator('[data-control=scale]');
      const chosen = scale.locator('[slot=selected-value]');
      assert.deepEqual(await chosen.locator('sub').allInnerTexts(), ['k']);
      await choose(open, 'scale', '√d\u00a0model');
      await chosen.locator('sub', { hasText: 'model' }).waitFor();
      await choose(open, 'scale', '√d\u00a0k');
      await chosen.locator('sub', { hasText: /^k$/ }).waitFor();
      const names = await scale.locator('vscode-option').evaluateAll((all) => all.map((one) => one.ariaLabel));
      assert.deepEqual(names.slice(0, 1), ['÷ √d\u00a0k']);
    });

    it('are set in what is wrong: with the source, and at a cell', async () => {
      const { page } = open;
      await open.explain(explanation(textSpec(sentence, { heads: 2 })));
      const wrong = { code: 'shape', message: 'W_v is 16×8', hint: 'Give W_v 6 rows.' };
      await open.send({ type: 'problems', label: 'q.py:7', problems: [wrong] });
      const banner = page.locator('[data-problem="source"]');
      await banner.waitFor();
      assert.deepEqual(await banner.locator('sub').allInnerTexts(), ['v', 'v']);
      await goTo(open, 'wv');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(() => navigator.clipboard.writeText('[[1, 2], [3, 4]]'));
      await page.locator('[data-matrix="wv"] [data-row="1"][data-column="1"]').first().click();
      await page.keyboard.press('Control+v');
      const problem = page.locator('.cell-problem', { hasText: 'the pasted matrix is 2×2' });
      assert.deepEqual(await problem.locator('sub').allInnerTexts(), ['v']);
      assert.deepEqual(await page.evaluate(rawSymbols), []);
    });
  });

  it('stand nowhere as they are typed in a lesson: prose, questions, answers, figures', async () => {
    for (const name of ['03-queries-keys-values', '04-scores-and-scale']) {
      const open = await openCourseLesson(`${name}.md`);
      const { page } = open;
      const found: string[] = [];
      let set = 0;
      for (let at = 0, more = true; more; at++) {
        await page.locator(`body[data-page="${at}"]`).waitFor({ state: 'attached' });
        const cell = page.locator('figure td button').first();
        if (await cell.count()) await cell.click();
        for (const question of await page.locator('.question').all()) {
          await question.locator('.check').click();
          await question.locator('.verdict[data-verdict]').waitFor();
        }
        found.push(...(await page.evaluate(rawSymbols)));
        set += await page.locator('var sub').count();
        more = await page.locator('.next').isEnabled();
        if (more) await page.locator('.next').click();
      }
      assert.deepEqual([...new Set(found)], [], name);
      assert.ok(set > 0, 'some are set');
      await open.close();
    }
  });
});

/** In the page: texts and names in which a symbol is left as it is typed. */
function rawSymbols(): string[] {
  const raw = /(?<![\w.])(?:[Wb]_[qkvOE]|d_(?:model|k|v)|O_h)(?!\w)/;
  const found: string[] = [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.katex, script, style, .option code, pre > code')) continue;
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title']) {
      const value = element.getAttribute(name);
      if (value !== null && raw.test(value)) found.push(`${name}: ${value}`);
    }
    for (const node of element.childNodes)
      if (node instanceof Text && raw.test(node.data)) found.push(`${element.className}: ${node.data}`);
  }
  return found;
}
