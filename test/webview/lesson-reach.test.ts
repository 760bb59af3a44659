// How a lesson is reached by keyboard and finger: one tab stop for each figure, targets of 24 px, 360 px wide, in Chromium.
import assert from 'node:assert/strict';
import { courseLesson, lessonMessage, openLesson, type OpenLesson } from './lesson-harness';

/** Everything that can be operated and is seen, with its size; links within a sentence are exempt (WCAG 2.5.8), and so is what has a label of 24 px. */
const smallTargets = ({ page }: OpenLesson): Promise<string[]> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('button, input, select, textarea, summary, [role="button"]')];
    return all.flatMap((one) => {
      if (!one.checkVisibility() || one.closest('p')) return [];
      const label = one instanceof HTMLInputElement ? one.labels?.[0] : undefined;
      const boxes = [one, ...(label ? [label] : [])].map((target) => target.getBoundingClientRect());
      const fits = boxes.some(({ width, height }) => width >= 24 && height >= 24);
      const { width, height } = one.getBoundingClientRect();
      return fits ? [] : [`${one.tagName} ${one.className} “${one.textContent?.slice(0, 20)}” ${Math.round(width)}×${Math.round(height)}`];
    });
  }); // prettier-ignore

/** How often Tab is pressed from the top of the page to the first field of an answer. */
async function tabsToAnswer({ page }: OpenLesson): Promise<number> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let count = 1; count < 400; count++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.closest('.answering') !== null && document.activeElement !== document.body)) return count;
  }
  return Infinity;
} // prettier-ignore

const names = ['04-scores-and-scale.md', '10-cross-attention.md', '16-reading-a-tutorial.md'];

describe('a lesson by finger and by keyboard', function () {
  this.timeout(240_000);

  for (const width of [360, 900])
    it(`has targets of 24 px and fits ${width} px, on every page`, async () => {
      for (const name of names) {
        const open = await openLesson(lessonMessage(courseLesson(name)), { width });
        const count = await open.page.locator('.where option').count();
        for (let i = 0; i < count; i++) {
          await open.page.locator(`body[data-page="${i}"]`).waitFor({ state: 'attached' });
          assert.deepEqual(await smallTargets(open), [], `${name}, page ${i + 1}`);
          const wide = await open.page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${name}, page ${i + 1}: ${wide} px`);
          if (i < count - 1) await open.page.locator('.next').click();
        }
        await open.close();
      }
    });

  it('reaches the first answer of a page within a dozen tabs, figures and all', async () => {
    for (const name of names) {
      const open = await openLesson(lessonMessage(courseLesson(name)));
      const count = await open.page.locator('.where option').count();
      for (let i = 0; i < count; i++) {
        await open.page.locator(`body[data-page="${i}"]`).waitFor({ state: 'attached' });
        const figures = await open.page.locator('figure.block').count();
        if (await open.page.locator('.answering').count()) {
          const tabs = await tabsToAnswer(open);
          // Six buttons above, three stops for each figure and each of its matrices.
          assert.ok(tabs <= 8 + 6 * figures, `${name}, page ${i + 1}: ${tabs} tabs, ${figures} figures`);
        }
        if (i < count - 1) await open.page.locator('.next').click();
      }
      await open.close();
    }
  });
});
