// A cell is picked in one row or column: what can be picked is said, and looks so.
import assert from 'node:assert/strict';
import { rulesIn, violationsIn } from './axe';
import { lessonMessage, openLesson } from './lesson-harness';
import { themeNames } from './themes';

const block =
  '```attention id=a step=q labels={"queries":["le","chat"],"keys":["the","cat"]}\nQ = [[1, 2], [3, 1]]\nK = [[2, 1], [1, 3]]\n```\n';
const ask = (content: object): string =>
  `\n\`\`\`attention-question\n${JSON.stringify({ kind: 'pick-cell', step: 'scores', take: 'largest', ...content })}\n\`\`\`\n`;
// Q·Kᵀ is [[4, 7], [7, 6]].
const source = `# One\n\n${block}${ask({ id: 'row', prompt: 'Largest?', row: 1 })}${ask({ id: 'column', prompt: 'Smallest?', take: 'smallest', column: 1 })}${ask({ id: 'all', prompt: 'Smallest?', take: 'smallest' })}`;

describe('a cell that is picked in a part of a matrix', function () {
  this.timeout(120_000);

  for (const theme of themeNames)
    it(`is one of its row or column, which is said, and the others do not look so, in ${theme}`, async () => {
      const open = await openLesson(lessonMessage(source), { theme });
      const q = (id: string) => open.page.locator(`[data-question="${id}"]`);
      const state = async (id: string) => ({
        says: await q(id).locator('.picked').innerText(),
        buttons: await q(id).locator('td button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
        others: await q(id).locator('td.outside').evaluateAll((all) => all.map((one) => `${one.textContent} ${getComputedStyle(one).outlineStyle}`)),
      });
      assert.deepEqual(await state('row'), { says: 'Pick a cell of row 1 “chat”.', buttons: ['S, row 1 “chat”, column 0 “the”', 'S, row 1 “chat”, column 1 “cat”'], others: ['· none', '· none'] });
      assert.deepEqual(await state('column'), { says: 'Pick a cell of column 1 “cat”.', buttons: ['S, row 0 “le”, column 1 “cat”', 'S, row 1 “chat”, column 1 “cat”'], others: ['· none', '· none'] });
      const all = await state('all');
      assert.deepEqual([all.says, all.buttons.length, all.others], ['Pick a cell.', 4, []]);
      await q('row').locator('.check').click();
      assert.match(await q('row').locator('.verdict').innerText(), /Pick a cell of row 1 “chat”\./);
      await q('row').locator('td button').first().focus();
      await open.page.keyboard.press('ArrowUp');
      await open.page.keyboard.press('Enter');
      await q('row').locator('.check').click();
      await q('row').locator('.verdict[data-verdict="right"]').waitFor();
      assert.equal(await q('row').locator('td.outside button').count(), 0);
      const found = (await violationsIn(open.page, rulesIn(theme))).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
      assert.deepEqual(found, []);
      assert.deepEqual(open.troubles, []);
      await open.close();
    }); // prettier-ignore
});
