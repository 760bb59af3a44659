// A whole lesson, as a student plays it: every kind of question, by mouse and by keyboard, with nothing asked of the network.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { stateOf } from '../../extension/lesson/state';
import { standaloneHtml } from '../../extension/pages/standalone-html';
import { finish, questionKinds, readingComputedBlocks, readLesson, readResults, setNameReader, type Texts } from '../../engine/index'; // prettier-ignore
import { nameReader } from '../../engine/program/index';
import {
  answeredIn,
  isProgress,
  type LessonPageMessage,
  type LessonState,
  type Progress,
} from '../../webview/lesson-protocol/messages';
import { builtPage } from './harness';
import { startBrowser } from './windows';
import { rulesIn, violationsIn } from './axe';
import { lessonMessage, openLesson, watch, type LessonOptions, type OpenLesson } from './lesson-harness';
import { themeNames, themes } from './themes';

const ask = (fields: object): string => `\`\`\`attention-question\n${JSON.stringify(fields)}\n\`\`\`\n`;
// Scores [[1, 5], [0, 1]] by hand; scaled by √2.
const block =
  '```attention id=b step=scores cell=0,1\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n```\n';
const all = [
  '# All kinds\n\nWords with $a^2$ and a [link](https://example.test/a) and a [bad one](javascript:alert(1)).\n\n> note: for the teacher\n',
  block,
  ask({ id: 'number', kind: 'number', prompt: 'Score of query 0 and key 1?', digits: 0, of: { step: 'scores', cell: [0, 1] }, hints: ['Row by row.', 'It is {{scores[0,1]}}.'], explanation: 'Because.' }),
  ask({ id: 'shape', kind: 'shape', prompt: 'Shape?', step: 'scores' }),
  ask({ id: 'matrix', kind: 'matrix', prompt: 'Fill in.', step: 'scores', cells: [[0, 0], [1, 1]], digits: 0 }),
  '## Second\n\n',
  ask({ id: 'choose', kind: 'choose', prompt: 'Which?', options: [
    { text: 'It is **1**.', claim: { is: 'equal', value: { step: 'scores', cell: [0, 1] }, to: 1 } },
    { text: 'It is 5.', claim: { is: 'equal', value: { step: 'scores', cell: [0, 1] }, to: 5 } } ] }),
  ask({ id: 'wrong', kind: 'find-wrong-step', prompt: 'Which is wrong?', steps: [
    { text: 'S is 2×2.', claim: { is: 'shape', step: 'scores', shape: [2, 2] } },
    { text: 'S is 3×3.', claim: { is: 'shape', step: 'scores', shape: [3, 3] } } ] }),
  ask({ id: 'cell', kind: 'pick-cell', prompt: 'Largest?', step: 'scores', take: 'largest' }),
  ask({ id: 'claimed', kind: 'pick-cell', prompt: 'Wrong one?', step: 'scores', claimed: [[1, 5], [0, 2]], tolerance: 0.1 }),
  ask({ id: 'order', kind: 'order-steps', prompt: 'Order?', steps: ['weights', 'scores', 'scaled'] }),
].join('\n'); // prettier-ignore

const question = ({ page }: OpenLesson, id: string): Locator => page.locator(`[data-question="${id}"]`);
const verdict = (q: Locator, word: string): Promise<void> => q.locator(`.verdict[data-verdict="${word}"]`).waitFor();

async function onPage({ page }: OpenLesson, number: number): Promise<void> {
  await page.locator(`body[data-page="${number}"]`).waitFor({ state: 'attached' });
}

describe('the lesson of these tests', () => {
  it('asks every kind of question that is marked', () =>
    assert.deepEqual(
      new Set(readLesson(all).lesson.questions.map(({ kind }) => kind)),
      new Set(questionKinds.filter((kind) => kind !== 'text')),
    ));
});

/** The last progress that the page wanted kept. */
async function progressOf(open: OpenLesson): Promise<Progress> {
  const found = (await open.messages()).findLast((m) => m.type === 'progress');
  assert.ok(found?.type === 'progress');
  return found.progress;
}

const shows = (messages: readonly LessonPageMessage[]) => messages.flatMap((m) => (m.type === 'show' ? [m] : []));

/** Answers all questions of `all`, some wrongly first. */
async function answerAll(open: OpenLesson): Promise<void> {
  const { page } = open;
  const number = question(open, 'number');
  await number.locator('input').fill('1');
  await number.locator('.check').click();
  await verdict(number, 'wrong');
  await number.locator('input').fill('5');
  await number.locator('input').press('Enter');
  await verdict(number, 'right');
  const shape = question(open, 'shape');
  await shape.locator('input').fill('2 x 2');
  await shape.locator('.check').click();
  await verdict(shape, 'right');
  const matrix = question(open, 'matrix');
  await matrix.locator('td input').nth(0).fill('1');
  await matrix.locator('td input').nth(1).fill('7');
  await matrix.locator('.check').click();
  await verdict(matrix, 'partial');
  assert.equal(await matrix.locator('td input').nth(1).getAttribute('aria-invalid'), 'true');
  assert.equal(await matrix.locator('td input').nth(0).getAttribute('aria-invalid'), null);
  await matrix.locator('.reveal').click();
  await matrix.locator('.arithmetic li').first().waitFor();
  assert.equal(await matrix.locator('td input').nth(1).inputValue(), '1');
  await page.locator('.next').click();
  await onPage(open, 1);
  const choose = question(open, 'choose');
  await choose.locator('input').nth(0).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await verdict(choose, 'right');
  const weights = await choose
    .locator('.option label')
    .evaluateAll((all) => all.map((label) => getComputedStyle(label).fontWeight));
  assert.deepEqual(weights.map((w) => Number(w) >= 600).slice(0, 2), [false, true], 'what was given stands out');
  const wrong = question(open, 'wrong');
  await wrong.getByText('S is 3×3.').click();
  await wrong.locator('.check').click();
  await verdict(wrong, 'right');
  const cell = question(open, 'cell');
  assert.doesNotMatch(await cell.locator('tbody').innerText(), /5/, 'values are kept back');
  await cell.locator('td button').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await cell.locator('.check').click();
  await verdict(cell, 'right');
  const claimed = question(open, 'claimed');
  await claimed.getByRole('button', { name: 'S, row 1, column 1: 2' }).click();
  await claimed.locator('.check').click();
  await verdict(claimed, 'right');
  await order(open, ['scores', 'scaled', 'weights']);
}

/** Moves each step up to its place with the arrow keys. */
async function order(open: OpenLesson, wanted: readonly string[]): Promise<void> {
  const q = question(open, 'order');
  for (const [to, id] of wanted.entries()) {
    await q.locator(`[data-id="${id}"]`).focus();
    for (let i = 0; i < wanted.length; i++) {
      const names = await q.locator('[data-id]').evaluateAll((all) => all.map((e) => e.getAttribute('data-id')));
      if (names[to] === id) break;
      await open.page.keyboard.press('ArrowUp');
    }
  }
  await q.locator('.check').click();
  await verdict(q, 'right');
}

describe('a lesson in its page', function () {
  this.timeout(120_000);

  it('is answered from end to end without a request, a violation or an error', async () => {
    const open = await openLesson(lessonMessage(all));
    await answerAll(open);
    const { answers } = await progressOf(open);
    const kept = Object.entries(answers).map(([id, a]) => [id, a.response, a.attempts, a.right, a.revealed]);
    assert.deepEqual(kept, [
      ['number', 5, 2, true, false], ['shape', [2, 2], 1, true, false], ['matrix', [1, 7], 1, false, true],
      ['choose', 1, 1, true, false], ['wrong', 1, 1, true, false], ['cell', [0, 1], 1, true, false],
      ['claimed', [1, 1], 1, true, false], ['order', ['scores', 'scaled', 'weights'], 1, true, false],
    ]); // prettier-ignore
    assert.equal(await open.page.locator('.score').innerText(), '7 of 8 right');
    assert.ok(Object.values(answers).some((a) => a.minutes > 0));
    assert.deepEqual(open.requests, []);
    assert.deepEqual(open.troubles, []);
    await open.close();
  });

  it('gives hints one by one, and the answer only after a try', async () => {
    const open = await openLesson(lessonMessage(all));
    const q = question(open, 'number');
    assert.ok(await q.locator('.reveal').isDisabled());
    await q.locator('.hint').click();
    assert.deepEqual(await q.locator('.hints li').allInnerTexts(), ['Row by row.']);
    await q.locator('.hint').click();
    assert.deepEqual(await q.locator('.hints li').allInnerTexts(), ['Row by row.', 'It is 5.']);
    assert.ok(await q.locator('.hint').isDisabled());
    await q.locator('input').fill('five');
    await q.locator('.check').click();
    assert.match(await q.locator('.verdict').innerText(), /“five” is not a number/);
    assert.ok(await q.locator('.reveal').isDisabled(), 'what cannot be read is no try');
    await q.locator('input').fill('0,5');
    await q.locator('.check').click();
    await verdict(q, 'wrong');
    assert.doesNotMatch(await q.locator('.verdict').innerText(), /5 is right/);
    await q.locator('.reveal').click();
    await q.locator('.truth', { hasText: '5' }).waitFor();
    assert.match(await q.locator('.answer').innerText(), /1·3 \+ 2·1 = 5[\s\S]*Because\./);
    await open.close();
  });

  for (const [width, height] of [[466, 560], [546, 700], [1280, 800]] as const)
    it(`has what it says of an answer in view, beside the question, and spoken, at ${width}×${height}`, async () => {
      const open = await openLesson(lessonMessage(all), { width, height });
      const main = (await open.page.locator('.lesson-main').boundingBox()) ?? assert.fail();
      const isIn = async (part: Locator, what: string): Promise<void> => {
        const { y, height: tall } = (await part.boundingBox()) ?? assert.fail(what);
        assert.ok(y >= main.y && y + tall <= main.y + main.height + 1, `${what}: ${y} to ${y + tall} of ${JSON.stringify(main)}`);
      };
      const q = question(open, 'shape');
      await q.locator('input').fill('7');
      // Its button stands at the foot of what is seen.
      await q.locator('.check').evaluate((button) => button.scrollIntoView({ block: 'end' }));
      await q.locator('.check').click();
      await verdict(q, 'wrong');
      assert.equal(await q.locator('.verdict').getAttribute('role'), 'status');
      await isIn(q.locator('.verdict'), 'verdict');
      await isIn(q.locator('.prompt'), 'question');
      await q.locator('input').fill('2x2');
      await q.locator('.check').evaluate((button) => button.scrollIntoView({ block: 'end' }));
      await q.locator('.check').click();
      await verdict(q, 'right');
      await isIn(q.locator('.verdict'), 'right');
      // The button that had the focus is gone.
      assert.ok(await q.locator('.verdict').evaluate((one) => one === document.activeElement));
      await open.close();
    }); // prettier-ignore

  it('puts the block of a page into the explainer, once, and again when asked', async () => {
    const source = `# A\n\n${block}\n# B\n\nwords\n\n# C\n\n${block.replace('id=b', 'id=c').replace('cell=0,1', 'cell=1,0')}`;
    const open = await openLesson(lessonMessage(source));
    for (const page of [1, 2]) {
      await open.page.locator('.next').click();
      await onPage(open, page);
    }
    const sent = shows(await open.messages());
    assert.deepEqual(sent.map((m) => [m.block, m.view.step, m.view.cell]), [['b', 'scores', [0, 1]], ['c', 'scores', [1, 0]]]);
    await open.page.getByRole('button', { name: 'Show in the explainer' }).click();
    assert.equal(shows(await open.messages()).length, 3);
    await open.close();
  }); // prettier-ignore

  it('keeps back the cells that are asked for until they are answered', async () => {
    const open = await openLesson(lessonMessage(all));
    const cell = open.page.locator('.block td[data-row="0"][data-column="1"]');
    assert.equal(await cell.count(), 0, 'its shape is asked for');
    await question(open, 'shape').locator('input').fill('2x2');
    await question(open, 'shape').locator('.check').click();
    await verdict(question(open, 'shape'), 'right');
    assert.equal(await cell.innerText(), '?');
    const q = question(open, 'number');
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await cell.getByText('5', { exact: true }).waitFor();
    await open.close();
  });

  it('has the explainer keep back what is asked for, and what follows from it, until all of it is answered', async () => {
    const open = await openLesson(lessonMessage(all));
    const q = question(open, 'number');
    const keeps = async (): Promise<readonly string[] | undefined> =>
      (await open.messages()).flatMap((m) => (m.type === 'show' || m.type === 'asked' ? [m.asked] : [])).at(-1);
    const after = ['scores', 'scaled', 'masked', 'weights', 'output'];
    assert.deepEqual(await keeps(), after);
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await verdict(q, 'right');
    assert.deepEqual(await keeps(), after, 'others ask for the scores too');
    await open.send(
      lessonMessage(
        `# One\n\n${block}\n${ask({ id: 'number', kind: 'number', prompt: 'Weight?', of: { step: 'weights', cell: [0, 0] } })}`,
      ),
    );
    await q.getByText('Weight?').waitFor();
    assert.deepEqual(await keeps(), ['weights', 'output']);
    await q.locator('input').fill('1');
    await q.locator('.check').click();
    await verdict(q, 'wrong');
    await q.locator('.reveal').click();
    await q.locator('.truth').waitFor();
    assert.deepEqual(await keeps(), []);
    await open.page.locator('.reset').click();
    await open.page.getByRole('button', { name: 'Undo' }).waitFor();
    assert.deepEqual(await keeps(), ['weights', 'output']);
    await open.close();
  });

  it('keeps back a shape that is asked for, and the matrix that has it', async () => {
    const source = `# One\n\n${block}\n${ask({ id: 'shape', kind: 'shape', prompt: 'Shape?', step: 'scores' })}`;
    const open = await openLesson(lessonMessage(source));
    const figure = open.page.locator('.block');
    await figure.getByText('A question asks for this shape').waitFor();
    assert.equal(await figure.locator('table').count(), 0);
    assert.doesNotMatch(await figure.locator('.figure-head .shapes').innerText(), /2×2/);
    await figure.locator('select').selectOption('q');
    await figure.locator('table').waitFor();
    await figure.locator('select').selectOption('scores');
    await question(open, 'shape').locator('input').fill('2x2');
    await question(open, 'shape').locator('.check').click();
    await figure.locator('table').waitFor();
    await open.close();
  });

  it('keeps back what a prediction is about until a first answer to it, right or wrong', async () => {
    const guess = { id: 'guess', kind: 'choose', predict: true, prompt: 'Guess.', options: [
      { text: 'Smaller', claim: { is: 'less', value: { step: 'scaled', cell: [0, 1] }, to: { step: 'scaled', cell: [0, 0] } } },
      { text: 'Larger', claim: { is: 'more', value: { step: 'scaled', cell: [0, 1] }, to: { step: 'scaled', cell: [0, 0] } } } ] };
    const open = await openLesson(lessonMessage(`# One\n\n${block}\n${ask(guess)}`));
    const figure = open.page.locator('.block');
    const keeps = async (): Promise<readonly string[] | undefined> =>
      (await open.messages()).flatMap((m) => (m.type === 'show' || m.type === 'asked' ? [m.asked] : [])).at(-1);
    assert.deepEqual(await keeps(), ['scaled', 'masked', 'weights', 'output']);
    assert.deepEqual(await figure.locator('td button').allInnerTexts(), ['1', '5', '0', '1'], 'scores are not asked about');
    for (const step of ['scaled', 'weights']) {
      await figure.locator('select').selectOption(step);
      assert.deepEqual(await figure.locator('td button').allInnerTexts(), ['?', '?', '?', '?'], step);
      assert.equal(await figure.locator('.figure-arithmetic').innerText(), 'Question 1 asks what you expect here. Answer it first.');
    }
    const q = question(open, 'guess');
    await q.getByText('Smaller').click();
    await q.locator('.check').click();
    await verdict(q, 'wrong');
    assert.deepEqual(await keeps(), []);
    assert.ok(!(await figure.locator('td button').allInnerTexts()).includes('?'));
    await open.close();
  }); // prettier-ignore

  it('comes back as it was, also after edits of its prose', async () => {
    const open = await openLesson(lessonMessage(all));
    const q = question(open, 'number');
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await verdict(q, 'right');
    await question(open, 'shape').locator('input').fill('7');
    const progress = await progressOf(open);
    await open.send(lessonMessage(all.replace('Words with', 'Other words with')));
    await open.page.getByText('Other words with').waitFor();
    await verdict(q, 'right');
    await open.page.reload();
    await open.page.locator('.loading').waitFor();
    // Nothing is read: nothing can be turned, presented or left.
    assert.equal(await open.page.locator('button:visible, select:visible').count(), 0);
    await open.send(lessonMessage(all, { progress }));
    await verdict(q, 'right');
    assert.equal(await question(open, 'shape').locator('input').inputValue(), '7');
    await open.send(lessonMessage(all.replace('[[1, 2], [0, 1]]', '[[1, 3], [0, 1]]')));
    await q.locator('.check').waitFor();
    assert.equal(await q.locator('.verdict').innerText(), '', 'another question is open');
    await open.close();
  });

  it('gives the host a copy of what was entered, and takes back whichever is newer', async () => {
    const first = await openLesson(lessonMessage(all));
    await question(first, 'number').locator('input').fill('-3');
    // Copies are 0.15 s apart.
    await first.page.waitForTimeout(400);
    const copies = (await first.messages()).flatMap((m) => (m.type === 'kept' ? [m.state] : []));
    const copy = copies.at(-1) ?? '';
    assert.deepEqual((JSON.parse(copy) as LessonState).drafts, { number: -3 });
    await first.close();
    const entered = async (options: LessonOptions): Promise<string> => {
      const open = await openLesson(lessonMessage(all), options);
      const value = await question(open, 'number').locator('input').inputValue();
      await open.close();
      return value;
    };
    const older = { version: 1, uri: null, drafts: { number: 8 }, presenting: false, slide: 0, saved: 7 };
    assert.equal(await entered({ state: older }), '8');
    assert.equal(await entered({ state: older, copy }), '-3');
    assert.equal(await entered({ state: JSON.parse(copy), copy: JSON.stringify(older) }), '-3');
  });

  it('shows what code in a block computes, in VS Code and saved as one file', async () => {
    setNameReader(nameReader);
    const source = `# T\n\n\`\`\`attention id=a step=output\nX = np.array([[1., 2.], [3., 4.]])\nW_q = np.eye(2)\nW_k = 2 * np.eye(2)\nW_v = np.ones((2, 2))\n\`\`\`\n`;
    const message = lessonMessage(source, { computed: finish(readingComputedBlocks(source)) });
    for (const options of [undefined, { state: stateOf(message) }]) {
      const open = await openLesson(options ? undefined : message, options);
      await open.page.locator('.block td').first().waitFor();
      // NumPy 1.24: 6.999174229342285 twice, 6.999999989919828 twice.
      assert.match(
        await open.page.locator('.block .figure-matrices').innerText(),
        /0\t6\.999\t6\.999\n1\t7\.000\t7\.000/,
      );
      assert.deepEqual(open.troubles, []);
      await open.close();
    }
  });

  it('names a matrix of a block that nobody has computed for it', async () => {
    const open = await openLesson(lessonMessage('# T\n\n```attention\nX = [[1, 2]]\nW_q = np.eye(2)\n```\n'));
    const [said] = await open.page.locator('.notice.warning li').allInnerTexts();
    assert.match(said ?? '', /^line 5, column 1: W\s*q is not followed: W\s*q is computed, which is not followed here/);
    await open.close();
  });

  it('gives nobody a copy where it was saved as one file', async () => {
    const open = await openLesson(undefined, { state: stateOf(lessonMessage(all)) });
    await question(open, 'number').locator('input').fill('4');
    const posted = await open.messages();
    assert.deepEqual(posted.filter(({ type }) => type === 'kept'), []);
    await open.close();
  }); // prettier-ignore

  it('is reset, and the reset is undone', async () => {
    const open = await openLesson(lessonMessage(all));
    const q = question(open, 'number');
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await verdict(q, 'right');
    await question(open, 'shape').locator('input').fill('7');
    await open.page.locator('.reset').click();
    await open.page.getByRole('button', { name: 'Undo' }).waitFor();
    const { number, ...others } = (await progressOf(open)).answers;
    assert.deepEqual([number?.attempts, number?.right, number?.earlier?.attempts, others], [0, false, 1, {}]);
    assert.equal(await q.locator('.verdict').innerText(), '');
    assert.equal(await q.locator('input').inputValue(), '');
    assert.equal(await question(open, 'shape').locator('input').inputValue(), '');
    await open.page.getByRole('button', { name: 'Undo' }).click();
    await verdict(q, 'right');
    assert.equal(await question(open, 'shape').locator('input').inputValue(), '7', 'what was entered and not checked');
    assert.deepEqual(Object.keys((await progressOf(open)).answers), ['number']);
    await open.close();
  });

  it('counts tries and knows that the answer was shown, through reset, undo and reload, and hands it in', async () => {
    const source = `# One\n\n${block}\n${ask({ id: 'number', kind: 'number', prompt: 'Score?', digits: 0, of: { step: 'scores', cell: [0, 1] } })}`;
    let open = await openLesson(lessonMessage(source));
    const { lesson } = readLesson(source);
    const check = async (text: string, expected: string): Promise<void> => {
      await question(open, 'number').locator('input').fill(text);
      await question(open, 'number').locator('.check').click();
      await verdict(question(open, 'number'), expected);
    };
    const handed = async (): Promise<unknown> =>
      answeredIn(lesson, await progressOf(open)).map(({ response, attempts, revealed }) => [response, attempts, revealed]);
    await check('7', 'wrong');
    await check('8', 'wrong');
    assert.deepEqual(await handed(), [[8, 2, undefined]]);
    await question(open, 'number').locator('.reveal').click();
    assert.deepEqual(await handed(), [[8, 2, true]]);
    await open.page.locator('.reset').click();
    assert.deepEqual(await handed(), [[null, 2, true]]);
    const progress = await progressOf(open);
    assert.ok(isProgress(JSON.parse(JSON.stringify(progress))));
    await open.close();
    open = await openLesson(lessonMessage(source, { progress }));
    await check('5', 'right');
    assert.deepEqual(await handed(), [[5, 3, true]]);
    await open.page.locator('.reset').click();
    await check('9', 'wrong');
    await open.page.getByRole('button', { name: 'Undo' }).click();
    await verdict(question(open, 'number'), 'right');
    assert.deepEqual(await handed(), [[5, 4, true]], 'the try in between counts');
    await open.close();
  }); // prettier-ignore

  it('shows script, pictures and addresses as words, and opens https by the host', async () => {
    const bad = [
      '# Bad\n\n<script>document.title = "x"</script> <img src=https://a.test/i.png onerror=alert(1)>\n',
      '![remote](https://a.test/i.png) ![inline](data:image/svg+xml,<svg/onload=alert(1)>) [js](javascript:alert(1)) [http](http://a.test) [data](data:text/html,x) [file](file:///etc/passwd)\n',
      '$\\href{javascript:alert(1)}{x}$ $\\includegraphics{https://a.test/i.png}$ <https://b.test/>\n\n<iframe src="https://a.test"></iframe>\n',
      '[good](https://c.test/d)\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n',
    ].join('\n');
    const open = await openLesson(lessonMessage(bad));
    const { page } = open;
    assert.equal(await page.locator('main script, main img, main iframe, main [onerror], main [href], main object').count(), 0);
    assert.match(await page.locator('main').innerText(), /<script>document\.title/);
    assert.equal(await page.title(), 'Explain Attention');
    assert.deepEqual(await page.getByRole('link').allInnerTexts(), ['https://b.test/', 'good']);
    await page.getByRole('link', { name: 'good' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('http', { exact: true }).click();
    const links = (await open.messages()).flatMap((m) => (m.type === 'link' ? [m.href] : []));
    assert.deepEqual(links, ['https://c.test/d']);
    assert.deepEqual(open.requests, []);
    // KaTeX says in the console that it refused a command: words, no violation.
    assert.deepEqual(open.troubles.filter((t) => !t.includes('LaTeX-incompatible')), []);
    await open.close();
  }); // prettier-ignore

  it('says what is wrong with a lesson, where, and plays the rest', async () => {
    const source = `${all}\n${ask({ kind: 'number', prompt: 'x', of: { step: 'nowhere', cell: [0, 0] } })}`;
    const open = await openLesson(lessonMessage(source));
    assert.match(await open.page.locator('.notice.warning').innerText(), /line \d+, column \d+: no step nowhere/);
    await open.page.locator('.notice.warning button').first().click();
    const [reveal] = (await open.messages()).flatMap((m) => (m.type === 'reveal' ? [m] : []));
    assert.match(source.slice(reveal?.start, reveal?.end), /nowhere/);
    assert.equal(await question(open, 'number').count(), 1);
    await open.send({ type: 'lesson', uri: 3 });
    await open.send(lessonMessage(''));
    await open.page.getByText('This lesson is empty.').waitFor();
    assert.ok((await open.messages()).some((m) => m.type === 'log' && m.message.includes('lesson.uri')));
    await open.close();
  });
});

describe('a lesson on a projector and on paper', function () {
  this.timeout(120_000);

  it('shows one thing at a time, large, turned by clickers and arrows, without notes', async () => {
    const open = await openLesson(lessonMessage(all), { width: 1280, height: 720 });
    const { page } = open;
    await page.locator('button.notes').click();
    await page.locator('.note', { hasText: 'for the teacher' }).waitFor();
    const size = (): Promise<number> => page.locator('.prose').first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize));
    const before = await size();
    await page.locator('button.present').click();
    await page.locator('body.presenting').waitFor();
    assert.equal(await page.locator('main > *').count(), 1);
    assert.equal(await page.locator('.note').count(), 0);
    assert.ok((await size()) > 1.6 * before, `${await size()} of ${before}`);
    const place = (n: number): Promise<void> => page.locator('.place', { hasText: `${n} of 11` }).waitFor();
    await page.keyboard.press('PageDown');
    await place(2);
    await page.keyboard.press('ArrowRight');
    await place(3);
    await question(open, 'number').locator('input').focus();
    await page.keyboard.press('ArrowRight');
    await place(3);
    await page.keyboard.press('PageUp');
    await place(2);
    await page.keyboard.press('ArrowLeft');
    await place(1);
    for (let i = 2; i <= 7; i++) await page.keyboard.press('PageDown');
    await page.keyboard.press('Escape');
    await page.locator('body:not(.presenting)').waitFor();
    await onPage(open, 1);
    assert.deepEqual(open.troubles, []);
    await open.close();
  }); // prettier-ignore

  it('is reached by Tab once for each matrix of a figure, and by arrows from cell to cell', async () => {
    const open = await openLesson(lessonMessage(all));
    const { page } = open;
    const figure = page.locator('figure.block').first();
    await figure.locator('select').selectOption('masked');
    const cells = figure.locator('td button');
    assert.ok((await cells.count()) >= 4);
    assert.equal(await figure.locator('td button[tabindex="0"]').count(), await figure.locator('table').count());
    assert.equal(await figure.locator('.matrix-scroll[tabindex]').count(), 0);
    await figure.locator('td button[tabindex="0"]').first().focus();
    const place = () => page.evaluate(() => { const { row, column } = (document.activeElement?.closest('td') as HTMLElement).dataset; return `${row},${column}`; }); // prettier-ignore
    const from = (await place()).split(',').map(Number);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.equal(await place(), from.map((i) => i + 1).join());
    await page.keyboard.press('Enter');
    assert.match(await figure.locator('.figure-arithmetic').innerText(), /\w+\[\d,\d\] =/);
    await open.close();
  });

  it('prints every page without its controls', async () => {
    const open = await openLesson(lessonMessage(all));
    const { page } = open;
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.locator('.question').count(), 8);
    for (const hidden of ['.actions', '.lesson-footer', '.buttons', '.order button'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('.question').count(), 3);
    await open.close();
  });

  it('plays as one file without VS Code, hands in, and asks nothing of the network', async () => {
    const folder = builtPage();
    const read = async (path: string): Promise<Uint8Array> => readFileSync(join(folder, path));
    const state = stateOf(lessonMessage(`${all}\n</script><script>document.title = "broken"</script>\n`, { program: '1.2.3' }));
    const theme = { classes: 'vscode-dark', variables: themes.dark.variables };
    const html = await standaloneHtml({ page: 'lesson', title: 'All kinds', state, theme, read }, 'f00');
    const context = await (await startBrowser()).newContext({ viewport: { width: 1000, height: 800 } });
    const [requests, troubles]: [string[], string[]] = [[], []];
    await context.route('**/*', (route) => {
      const url = route.request().url();
      if (url === 'https://saved.test/') return route.fulfill({ contentType: 'text/html', body: html });
      if (url.startsWith('blob:')) return route.continue();
      if (!url.endsWith('/favicon.ico')) requests.push(url);
      return route.abort();
    });
    const page = await context.newPage();
    watch(page, troubles);
    await page.goto('https://saved.test/');
    await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
    const q = page.locator('[data-question="number"]');
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await verdict(q, 'right');
    await page.locator('.block select').selectOption('weights');
    await page.locator('.block td[data-row="1"][data-column="1"] button').click();
    assert.match(await page.locator('.figure-arithmetic').innerText(), /^weights\[1,1\] = e\^/);
    await page.locator('.hand-in').click();
    await page.getByLabel('Your name or id').fill('Ada L.');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the results file' }).click()]);
    assert.equal(download.suggestedFilename(), 'Ada-L.results.json');
    const results = readResults(readFileSync(await download.path(), 'utf8'));
    assert.ok(results.ok);
    assert.deepEqual([results.value.student, results.value.program, results.value.complete], ['Ada L.', '1.2.3', true]);
    assert.deepEqual(results.value.answers.map((a) => [a.question, a.response, a.attempts]), [['number', 5, 1]]);
    assert.equal(await page.title(), 'All kinds · Explain Attention');
    // A reload loses no answer.
    await page.reload();
    await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
    await verdict(q, 'right');
    assert.equal(await q.locator('input').inputValue(), '5');
    assert.deepEqual(requests, []);
    assert.deepEqual(troubles, []);
    await context.close();
  }); // prettier-ignore
});

describe('a lesson for everybody', function () {
  this.timeout(240_000);

  for (const theme of themeNames) {
    it(`has no violation of axe's rules in ${theme} at 320, 600 and 1200 px, open and answered`, async () => {
      const open = await openLesson(lessonMessage(all), { theme, width: 1200 });
      const { page } = open;
      const check = async (what: string): Promise<void> => {
        const violations = await violationsIn(page, rulesIn(theme));
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`); // prettier-ignore
        assert.deepEqual(found, [], `${theme} ${what}`);
      };
      await page.locator('button.notes').click();
      for (const width of [1200, 600, 320]) {
        await page.setViewportSize({ width, height: 860 });
        await check(`${width} px`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} px wide at ${width}`);
      }
      await answerAll(open);
      await check('page 2, answered');
      await page.locator('.previous').click();
      await onPage(open, 0);
      await check('page 1, answered');
      await page.locator('button.present').click();
      await check('presented');
      assert.deepEqual(open.troubles, []);
      await open.close();
    });
  } // prettier-ignore

  it('has its buttons in two rows at 320 px, and each by its whole name, in English and German', async () => {
    const texts = JSON.parse(readFileSync(join(__dirname, '../../extension/l10n/bundle.l10n.de.json'), 'utf8')) as Texts;
    for (const [language, name] of [[{ tag: 'en', texts: {} }, 'Save as a web page…'], [{ tag: 'de', texts }, 'Als Webseite speichern…']] as const)
      for (const theme of themeNames) {
        const open = await openLesson(lessonMessage(all), { theme, width: 320, language });
        const { page } = open;
        const tops = await page.locator('.lesson-header .actions button:visible').evaluateAll((all) => all.map((b) => Math.round(b.getBoundingClientRect().top)));
        assert.equal(tops.length, 5, `${language.tag} ${theme}`);
        assert.equal(new Set(tops).size <= 2, true, `${language.tag} ${theme}: rows at ${tops.join()}`);
        const save = page.getByRole('button', { name, exact: true });
        const narrow = await save.innerText();
        assert.equal(name.toLowerCase().includes(narrow.toLowerCase()) && narrow !== name, true, narrow);
        await page.setViewportSize({ width: 900, height: 860 });
        assert.equal(await save.innerText(), name);
        await open.close();
      }
  }); // prettier-ignore
});

describe('a lesson whose state can be neither saved nor read', () => {
  it('is played all the same, and the log says why', async () => {
    const open = await openLesson(lessonMessage(all), {
      before: `globalThis.unsaved = 0;
        const own = globalThis.acquireVsCodeApi;
        const broken = { getState() { throw new Error('unreadable'); }, setState() { unsaved++; throw new Error('too large'); } };
        globalThis.acquireVsCodeApi = () => ({ ...own(), ...broken });`,
    });
    const number = question(open, 'number');
    await number.locator('input').fill('1');
    await number.locator('input').press('Enter');
    await verdict(number, 'wrong');
    assert.ok(Number(await open.page.evaluate('unsaved')) > 0);
    const logged = (await open.messages()).flatMap((m) => (m.type === 'log' ? [m.message] : []));
    assert.ok(logged.some((message) => message.includes('unreadable')) && logged.some((message) => message.includes('too large')));
    assert.deepEqual(open.troubles, []);
    await open.close();
  });
}); // prettier-ignore
