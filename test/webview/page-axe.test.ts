import assert from 'node:assert/strict';
import { rulesIn, violationsIn } from './axe';
import { bertFile, catExplanation, explanation, qkvExplanation, textSpec, words } from './inputs';
import { openPage, type OpenPage } from './harness';
import { goTo, openControls, type } from './page-driver';
import { themeNames, type ThemeName } from './themes';

/** Every violation of axe-core's rules, best practices included, in words. */
async function violations({ page }: OpenPage, where: string, theme: ThemeName): Promise<string[]> {
  return (await violationsIn(page, rulesIn(theme))).flatMap(({ id, impact, help, nodes }) =>
    nodes.map((n) => `${where}: ${impact} ${id}: ${help}: ${n.target.join(' ')}: ${n.failureSummary}`),
  );
}

describe('accessibility (axe-core)', function () {
  this.timeout(180_000);

  for (const theme of themeNames) {
    it(`${theme}: every step of a text, and all states around them`, async () => {
      const open = await openPage({ theme, width: 1200, height: 900 });
      const found: string[] = [];
      await open.send({ type: 'settings', settings: { backend: 'cpu', digits: 2 } });
      await open.page.locator('.empty').waitFor();
      found.push(...(await violations(open, 'empty', theme)));
      await open.explain(catExplanation);
      for (const step of [
        'tokens',
        'embedding',
        'positions',
        'x',
        'q',
        'wq',
        'scores',
        'scaled',
        'masked',
        'weights',
        'output',
      ]) {
        await goTo(open, step);
        found.push(...(await violations(open, step, theme)));
      }
      await openControls(open);
      await type(open, 'dK', 'many');
      await open.send({ type: 'source', state: 'stale' });
      const problems = [
        { code: 'ragged', message: 'row 2 has 2 numbers, row 1 has 3', hint: 'A hint.', line: 7, column: 2 },
      ];
      await open.send({ type: 'problems', label: 'q.py', problems });
      await open.page.locator('.banner.error').waitFor();
      found.push(...(await violations(open, 'controls, a problem at one, banners', theme)));
      await open.close();
      assert.equal(found.join('\n'), '');
      assert.deepEqual(open.troubles, []);
    });
  }

  for (const theme of themeNames) {
    it(`${theme}: tokens of a file, special ones among them, a tip, and a file that is none`, async () => {
      const open = await openPage({ theme, width: 1200, height: 900 });
      await open.explain(catExplanation);
      await openControls(open);
      await open.send({ type: 'tokenizerFile', name: 'bert/tokenizer.json', text: bertFile() });
      await open.page.locator('.token-button[data-special]').first().waitFor();
      await open.ready();
      await goTo(open, 'tokens');
      await open.page.locator('.token-button').first().focus();
      await open.page.locator('.token-tip').waitFor();
      const found = await violations(open, 'tokens', theme);
      await open.send({ type: 'tokenizerFile', name: 'b/tokenizer.json', text: '{}' });
      await open.page.locator('.banner.error').waitFor();
      found.push(...(await violations(open, 'no tokenizer', theme)));
      await open.close();
      assert.equal(found.join('\n'), '');
      assert.deepEqual(open.troubles, []);
    });
  }

  for (const theme of themeNames) {
    it(`${theme}: arcs, the text, and predict first, before and after`, async () => {
      const open = await openPage({ theme, width: 1200, height: 900 });
      const found: string[] = [];
      await open.explain(explanation(textSpec(words(80), { mask: 'causal' })));
      await goTo(open, 'weights');
      await open.page.locator('.arcs-query .arc-token').nth(70).focus();
      found.push(...(await violations(open, 'arcs', theme)));
      await open.explain(catExplanation);
      await goTo(open, 'tokens');
      await open.page.locator('.raw-token').nth(1).click();
      found.push(...(await violations(open, 'text', theme)));
      await goTo(open, 'scores');
      await open.page.locator('.stage-walk vscode-button[aria-label="Predict first"]').click();
      await open.page.locator('.predict-input').first().fill('much');
      await open.page.keyboard.press('Enter');
      await open.page.locator('.predict-problem').waitFor();
      found.push(...(await violations(open, 'to be predicted', theme)));
      await open.page.locator('.predict-input').first().fill('1');
      await open.page.keyboard.press('Enter');
      await open.page.locator('.predict table').waitFor();
      found.push(...(await violations(open, 'both answers', theme)));
      await open.close();
      assert.equal(found.join('\n'), '');
      assert.deepEqual(open.troubles, []);
    });
  }

  for (const width of [320, 600]) {
    it(`${width} pixels wide: a text, 200 tokens, Q K V`, async () => {
      const open = await openPage({ theme: 'dark', width, height: 800 });
      const found: string[] = [];
      for (const one of [catExplanation, explanation(textSpec(words(200))), qkvExplanation]) {
        await open.explain(one);
        await goTo(open, 'scores');
        found.push(...(await violations(open, one.source.label, 'dark')));
        const [inner, outer] = await open.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.equal(inner, outer, 'nothing sticks out sideways');
      }
      await open.close();
      assert.equal(found.join('\n'), '');
    });
  }
});
