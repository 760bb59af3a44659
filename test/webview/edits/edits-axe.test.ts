import assert from 'node:assert/strict';
import { rulesIn, violationsIn } from '../axe';
import { openPage, type OpenPage } from '../harness';
import { catExplanation } from '../inputs';
import { choose, goTo } from '../page-driver';
import { themeNames, type ThemeName } from '../themes';

async function violations({ page }: OpenPage, where: string, theme: ThemeName): Promise<string[]> {
  const found = await violationsIn(page, rulesIn(theme));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [
    ...found.map(({ id, help, nodes }) => `${where}: ${id}: ${help}: ${nodes.map((n) => n.target.join(' ')).join()}`),
    ...(wide === 0 ? [] : [`${where}: sticks out sideways by ${wide} pixels`]),
  ];
}

describe('accessibility of writing, comparing and finding (axe-core)', function () {
  this.timeout(180_000);

  for (const theme of themeNames) {
    it(`${theme}: a field with a bad number, marks, a comparison, results`, async () => {
      const open = await openPage({ theme, width: theme === 'dark' ? 320 : 700, height: 800 });
      const { page } = open;
      const found: string[] = [];
      await open.explain(catExplanation);
      await goTo(open, 'wk');
      await page.locator('[data-matrix=wk] [data-row="2"][data-column="3"]').click();
      await page.keyboard.press('F2');
      await page.locator('.cell-input').fill('0.5');
      await page.keyboard.press('Enter');
      await open.ready();
      found.push(...(await violations(open, 'marks', theme)));
      await page.keyboard.press('F2');
      await page.locator('.cell-input').fill('half');
      await page.keyboard.press('Enter');
      await page.locator('.cell-problem', { hasText: 'half' }).waitFor();
      found.push(...(await violations(open, 'field', theme)));
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Pin to compare' }).click();
      await choose(open, 'mask', 'Causal');
      await goTo(open, 'weights');
      await page.locator('.timeline [data-step=weights][data-differs]').waitFor();
      found.push(...(await violations(open, 'comparison', theme)));
      await page.keyboard.press('Control+f');
      await page.locator('.find-input').fill('0.3');
      await page.locator('#find-results li').first().waitFor();
      found.push(...(await violations(open, 'results', theme)));
      await open.close();
      assert.equal(found.join('\n'), '');
      assert.deepEqual(open.troubles, []);
    });
  }
});
