// The report of a class for those who set colours of their own, want more contrast, or print it.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { gradeClass, reportHtml, textOfBytes } from '../../engine/index';
import { handedIn, program, roomLesson, setUpRoom } from '../engine/lessons-room';
import { startBrowser } from './windows';

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

describe('the report of a class', function () {
  this.timeout(120_000);
  let html = '';
  before(() => {
    const { plan, students } = setUpRoom();
    const files = handedIn(students).map(({ path, bytes }) => ({ name: path, text: textOfBytes(bytes) }));
    const report = gradeClass(roomLesson, files, { key: plan.key, program });
    assert.equal(report.ok, true);
    if (report.ok) html = reportHtml(report.value);
  });

  async function withReport(media: Media, width: number, look: (page: Page) => Promise<void>): Promise<void> {
    const page = await (await startBrowser()).newPage({ viewport: { width, height: 900 } });
    await page.emulateMedia(media);
    await page.setContent(html);
    await look(page);
    await page.close();
  }

  const styleOf = (page: Page, selector: string, name: 'color' | 'backgroundColor' | 'boxShadow' | 'borderTopWidth') =>
    page.locator(selector).first().evaluate((element, key) => getComputedStyle(element)[key], name); // prettier-ignore

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`keeps its bars and marks apart in forced colours (${colorScheme})`, () =>
      withReport({ forcedColors: 'active', colorScheme }, 1000, async (page) => {
        assert.match(await page.locator('.bar').first().innerText(), /✓ \d+\s*✗ \d+\s*– \d+/);
        for (const part of ['right', 'wrong', 'unanswered'])
          assert.equal(await styleOf(page, `.bar .${part}`, 'borderTopWidth'), '1px', part);
        for (const place of ['.bar', '.students td', '.legend ']) {
          const [right, wrong] = await Promise.all(['.right', '.wrong'].map((c) => styleOf(page, place === '.bar' ? `.bar ${c}` : `${place}${c}`, 'backgroundColor'))); // prettier-ignore
          assert.notEqual(wrong, right, place);
        }
      }));

    it(`writes small things as strongly as large ones where more contrast is wanted (${colorScheme})`, () =>
      withReport({ contrast: 'more', colorScheme }, 1000, async (page) => {
        const ink = await styleOf(page, 'body', 'color');
        for (const dim of ['.facts dt', '.remarks small', 'footer', '.legend'])
          assert.equal(await styleOf(page, dim, 'color'), ink, dim);
        assert.notEqual(await styleOf(page, '.bar .right', 'boxShadow'), 'none');
      }));

    it(`is dark on white on paper, with all answers, and no wider than it (${colorScheme})`, () =>
      // A4 less its margins.
      withReport({ media: 'print', colorScheme }, 718, async (page) => {
        const [ink, paper] = [await styleOf(page, 'body', 'color'), await styleOf(page, 'body', 'backgroundColor')];
        assert.deepEqual([ink, paper], ['rgb(31, 35, 40)', 'rgb(255, 255, 255)']);
        const wide = await page.evaluate(
          () =>
          [...document.querySelectorAll('table, .facts, p, h1')].flatMap((e) => (e.getBoundingClientRect().right > innerWidth + 1 ? [e.className || e.tagName] : [])), // prettier-ignore
        );
        assert.deepEqual(wide, []);
        const heights = await page.locator('.answers').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().height)); // prettier-ignore
        assert.equal(heights.length > 20 && heights.every((height) => height > 100), true, heights.join());
        const pages =
          (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type ?\/Page\b(?!s)/g)?.length ?? 0;
        assert.equal(pages > 5 && pages < 40, true, `${pages} pages`);
      }));
  }
});
