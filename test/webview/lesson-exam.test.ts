// A lesson played as an exam, in Chromium: nothing says what is right, by whatever way it is marked as one.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { standaloneHtml } from '../../extension/pages/standalone-html';
import { stateOf } from '../../extension/lesson/state';
import { readLesson, readResults } from '../../engine/index';
import { answeredIn, type Progress } from '../../webview/lesson-protocol';
import { builtPage } from './harness';
import { lessonMessage, openLesson, watch, type OpenLesson } from './lesson-harness';
import { themes } from './themes';
import { startBrowser } from './windows';

const block =
  '```attention id=a step=scores cell=0,1\nQ = [[1, 2], [3, 1]]\nK = [[2, 1], [1, 3]]\nV = [[1, 0], [0, 1]]\n```\n';
const ask = (content: object): string => `\n\`\`\`attention-question\n${JSON.stringify(content)}\n\`\`\`\n`;
const body = `# One\n\n${block}${ask({ id: 'number', kind: 'number', digits: 0, prompt: 'Score?', of: { step: 'scores', cell: [0, 1] }, hints: ['A hint'], explanation: 'Why' })}${ask({ id: 'most', kind: 'choose', prompt: 'Which?', among: { step: 'weights', row: 1, take: 'largest' } })}`;
const exam = `---\nexam: yes\n---\n\n${body}`;

const question = (open: Pick<OpenLesson, 'page'>, id: string) => open.page.locator(`[data-question="${id}"]`);
const progressOf = async (open: OpenLesson): Promise<Progress> =>
  (await open.messages()).flatMap((m) => (m.type === 'progress' ? [m.progress] : [])).at(-1) ??
  assert.fail('no progress');

describe('an exam', function () {
  this.timeout(120_000);

  for (const [how, source, more] of [
    ['by its text', exam, {}],
    ['by its folder', body, { exam: true }],
  ] as const)
    it(`marked ${how} keeps answers without a word, and has no reveal, no hint, no reset and no explainer`, async () => {
      const open = await openLesson(lessonMessage(source, more));
      const { page } = open;
      const q = question(open, 'number');
      const keep = async (text: string, times: number): Promise<void> => {
        await q.locator('input').fill(text);
        await q.locator('.check').click();
        await q.getByText(`Kept, as attempt ${times}.`).waitFor();
      };
      assert.equal(await q.locator('.check').innerText(), 'Keep the answer');
      for (const absent of ['.reset', '.reveal', '.hint', '.answer li'])
        assert.equal(await page.locator(absent).filter({ visible: true }).count(), 0, absent);
      assert.equal(await page.getByText('Show in the explainer').count(), 0);
      await keep('9', 1);
      const afterWrong = await page.locator('.lesson').innerHTML();
      await keep('7', 2);
      const afterRight = await page.locator('.lesson').innerHTML();
      assert.equal(afterRight.replace('attempt 2', 'attempt 1'), afterWrong, 'right and wrong look alike');
      assert.equal(await page.locator('.score').innerText(), '1 of 2 answered');
      assert.deepEqual((await open.messages()).filter((m) => m.type === 'show' || m.type === 'asked'), []);
      const kept = (await progressOf(open)).answers['number'];
      assert.deepEqual([kept?.attempts, kept?.right, kept?.revealed], [2, false, false]);
      await page.keyboard.press('Escape');
      assert.deepEqual(open.troubles, []);
      await open.close();
    }); // prettier-ignore

  it('hides in its figures what is asked for and what follows from it, whole steps, also once it was answered', async () => {
    const open = await openLesson(lessonMessage(exam));
    const { page } = open;
    const q = question(open, 'number');
    await q.locator('input').fill('7');
    await q.locator('.check').click();
    const figure = page.locator('figure.block').first();
    for (const step of ['scores', 'scaled', 'weights', 'output']) {
      await figure.locator('select').selectOption(step);
      assert.deepEqual([...new Set(await figure.locator('td button').allInnerTexts())], ['?'], step);
      await figure.locator('td button').first().click();
      assert.equal(await figure.locator('.figure-arithmetic').innerText(), 'A question asks for this, or it follows from what one asks for.');
      assert.doesNotMatch(await figure.innerHTML(), />(?:7|5|0\.\d+)</);
    }
    await figure.locator('select').selectOption('q');
    assert.deepEqual(await figure.locator('td button').allInnerTexts(), ['1', '2', '3', '1']);
    await open.close();
  }); // prettier-ignore

  it('keeps nothing back for a prediction: no answer opens anything, and other questions need what it is about', async () => {
    const guess = {
      id: 'guess',
      kind: 'choose',
      predict: true,
      prompt: 'Which?',
      among: { step: 'scores', row: 1, take: 'largest' },
    };
    const open = await openLesson(lessonMessage(`---\nexam: yes\n---\n\n# One\n\n${block}${ask(guess)}`));
    assert.deepEqual(await open.page.locator('figure.block td button').allInnerTexts(), ['4', '7', '7', '6']);
    await open.close();
  });

  it('hides what is asked for in the fields of other questions too, with its colour', async () => {
    const matrix = ask({ id: 'row', kind: 'matrix', prompt: 'Fill in.', step: 'scores', cells: [[0, 0]] });
    const open = await openLesson(lessonMessage(`${exam}${matrix}`));
    const cells = open.page.locator('[data-question="row"] tbody td:not(.blank)');
    assert.deepEqual([...new Set(await cells.allInnerTexts())], ['?']);
    const colours = await cells.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    assert.equal(new Set(colours).size, 1, colours.join());
    await open.close();
  });

  it('counts attempts truly: through reload, and through an edit of the file that is taken back', async () => {
    let open = await openLesson(lessonMessage(exam));
    const keep = async (text: string, times: number): Promise<void> => {
      const q = question(open, 'number');
      await q.locator('input').fill(text);
      await q.locator('.check').click();
      await q.getByText(`Kept, as attempt ${times}.`).waitFor();
    };
    await keep('1', 1);
    await keep('2', 2);
    const edited = exam.replace('"cell":[0,1]', '"cell":[0,0]');
    await open.send(lessonMessage(edited, { progress: await progressOf(open) }));
    await keep('4', 3);
    await open.send(lessonMessage(exam, { progress: await progressOf(open) }));
    await keep('7', 4);
    const progress = await progressOf(open);
    await open.close();
    open = await openLesson(lessonMessage(exam, { progress }));
    await keep('7', 5);
    const { lesson } = readLesson(exam);
    assert.deepEqual(answeredIn(lesson, await progressOf(open)).map(({ response, attempts }) => [response, attempts]), [[7, 5]]);
    await open.close();
  }); // prettier-ignore

  it('is one as a saved page too, from a file, whose reload keeps answers, and whose results say that it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'exam-'));
    const read = async (path: string): Promise<Uint8Array> => readFileSync(join(builtPage(), path));
    const theme = { classes: 'vscode-light', variables: themes.light.variables };
    const html = await standaloneHtml({ page: 'lesson', title: 'Exam', state: stateOf(lessonMessage(exam)), theme, read }, 'f00');
    writeFileSync(join(folder, 'exam.html'), html);
    const context = await (await startBrowser()).newContext({ viewport: { width: 360, height: 780 } });
    const page = await context.newPage();
    const troubles: string[] = [];
    watch(page, troubles);
    await page.goto(pathToFileURL(join(folder, 'exam.html')).href);
    const q = page.locator('[data-question="number"]');
    await q.locator('input').fill('9');
    await q.locator('.check').click();
    await q.getByText('Kept, as attempt 1.').waitFor();
    await page.reload();
    await q.getByText('Kept, as attempt 1.').waitFor();
    assert.equal(await q.locator('input').inputValue(), '9');
    for (const absent of ['.reset', '.reveal', '.hint']) assert.equal(await page.locator(absent).filter({ visible: true }).count(), 0, absent);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, 'it fits 360 px');
    await page.locator('.hand-in').click();
    await page.getByLabel('Your name or id').fill('Ada');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the results file' }).click()]);
    const results = readResults(readFileSync(await download.path(), 'utf8'));
    assert.ok(results.ok);
    assert.equal(results.value.exam, true);
    assert.ok(Math.abs(Date.parse(results.value.handedIn ?? '') - Date.now()) < 60_000, results.value.handedIn);
    assert.deepEqual(troubles, []);
    await context.close();
    rmSync(folder, { recursive: true });
  }); // prettier-ignore
});
