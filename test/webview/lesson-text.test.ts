// Texts that are collected, several right statements, and points, as a student meets them in Chromium.
import assert from 'node:assert/strict';
import { readLesson } from '../../engine/index';
import { answeredIn, type Progress } from '../../webview/lesson-protocol';
import { rulesIn, violationsIn } from './axe';
import { lessonMessage, openLesson, type OpenLesson } from './lesson-harness';
import { themeNames } from './themes';

const block = '```attention id=a step=scores\nQ = [[1, 2], [3, 1]]\nK = [[2, 1], [1, 3]]\n```\n';
const ask = (content: object): string => `\n\`\`\`attention-question\n${JSON.stringify(content)}\n\`\`\`\n`;
const claim = (holds: boolean): object => ({ is: 'shape', step: 'scores', shape: [2, 2], holds });
const options = [true, false, true].map((holds, i) => ({ text: `Statement ${i}`, claim: claim(holds) }));
const source = `# One\n\n${block}${ask({ id: 'which', kind: 'choose', prompt: 'Which?', several: true, points: 2, options })}${ask({ id: 'why', kind: 'text', prompt: 'Why?', lines: 3, hints: ['Think of a sum.'] })}`;
const { lesson } = readLesson(source);
const progressOf = async (open: OpenLesson): Promise<Progress> =>
  (await open.messages()).flatMap((m) => (m.type === 'progress' ? [m.progress] : [])).at(-1) ??
  assert.fail('no progress');

describe('texts and several statements in a lesson', function () {
  this.timeout(120_000);

  for (const theme of themeNames)
    it(`are answered, kept and restored in ${theme}, and fit 320 px`, async () => {
      let open = await openLesson(lessonMessage(source), { theme });
      const which = () => open.page.locator('[data-question="which"]');
      const why = () => open.page.locator('[data-question="why"]');
      assert.equal(await which().locator('.question-title').innerText(), 'Question 1 · 2 points');
      await which().locator('.check').click();
      await which().locator('.verdict[data-verdict="unanswered"]').waitFor();
      await which().getByLabel('Statement 0').check();
      await which().locator('.check').click();
      await which().locator('.verdict[data-verdict="partial"]').waitFor();
      await which().getByLabel('Statement 2').check();
      await which().locator('.check').click();
      await which().locator('.verdict[data-verdict="right"]').waitFor();
      assert.equal(await which().locator('.true-option').count(), 2);
      assert.equal(await why().locator('.reveal').isVisible(), false);
      await why().locator('textarea').fill('A sum of\nproducts.');
      await why().locator('.check').click();
      await why().locator('.verdict[data-verdict="collected"]').waitFor();
      const progress = await progressOf(open);
      assert.deepEqual(answeredIn(lesson, progress).map(({ response, attempts }) => [response, attempts]), [[[0, 2], 3], ['A sum of\nproducts.', 1]]);
      await open.close();
      open = await openLesson(lessonMessage(source, { progress }), { theme, width: 320 });
      assert.equal(await why().locator('textarea').inputValue(), 'A sum of\nproducts.');
      assert.deepEqual(await which().locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked)), [true, false, true]);
      const found = (await violationsIn(open.page, rulesIn(theme))).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
      assert.deepEqual(found, []);
      assert.ok((await open.page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
      if (process.env['SHOTS']) await open.page.screenshot({ path: `${process.env['SHOTS']}/text-${theme}.png` });
      assert.deepEqual(open.troubles, []);
      await open.close();
    }); // prettier-ignore
});
