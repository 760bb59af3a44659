// Every lesson of the course in its page, as a student on a phone and one at a desk have it.
import assert from 'node:assert/strict';
import { course } from '../../extension/lesson/course';
import { lessonMessage, openCourseLesson, openLesson } from './lesson-harness';

describe('the course in its page', function () {
  this.timeout(300_000);

  for (const [width, theme] of [
    [360, 'light'],
    [900, 'dark'],
  ] as const)
    it(`draws every page at ${width} pixels without a complaint, and a question of each can be tried`, async () => {
      for (const name of course) {
        const open = await openCourseLesson(name, { width, theme });
        const { page } = open;
        assert.equal((await page.locator('.notices').innerText()).trim(), '', name);
        let questions = 0;
        for (let at = 0, more = true; more; at++) {
          await page.locator(`body[data-page="${at}"]`).waitFor({ state: 'attached' });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${name}, page ${at}: ${wide} pixels wide`);
          assert.doesNotMatch(await page.locator('main').innerText(), /\{\{/, `${name}, page ${at}`);
          const asked = page.locator('.question');
          questions += await asked.count();
          if (await asked.count()) {
            await asked.first().locator('.check').click();
            await asked.first().locator('.verdict[data-verdict]').waitFor();
          }
          more = await page.locator('.next').isEnabled();
          if (more) await page.locator('.next').click();
        }
        assert.ok(questions >= 6, `${name}: ${questions} questions`);
        assert.deepEqual(open.troubles, [], name);
        assert.deepEqual(open.requests, [], name);
        await open.close();
      }
    });

  it('leads from the last page to the lesson that follows, and not where none does', async () => {
    const source = '# One\n\nText.\n\n# Two\n\nText.\n';
    const open = await openLesson(lessonMessage(source, { next: 'Lesson 2: More' }));
    const next = open.page.locator('.next');
    const asked = async () => (await open.messages()).filter(({ type }) => type === 'nextLesson').length;
    assert.equal(await next.innerText(), 'Next');
    await next.click();
    await open.page.locator('body[data-page="1"]').waitFor({ state: 'attached' });
    assert.deepEqual([await next.innerText(), await next.getAttribute('title')], ['Next lesson', 'Lesson 2: More']);
    assert.equal(await asked(), 0);
    await next.click();
    assert.equal(await asked(), 1);
    await open.page.locator('.previous').click();
    assert.equal(await next.innerText(), 'Next');
    await open.send(lessonMessage(source));
    await next.click();
    assert.equal(await next.isDisabled(), true);
    assert.deepEqual(open.troubles, []);
    await open.close();
  });
});
