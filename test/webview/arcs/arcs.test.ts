import assert from 'node:assert/strict';
import { decodeNumber, type SpecMatrix } from '../../../engine/index';
import { eachPage } from '../each-page';
import { type OpenPage } from '../harness';
import { catExplanation, explanation, matrixOf, qkvExplanation, sentence, textSpec, theCat, words } from '../inputs';
import { currentStep, goTo } from '../page-driver';

const tokens = sentence.split(' ');
/** NumPy's weights of “The cat sat on the mat”. */
const weights = (of: SpecMatrix): number[][] => of.map((row) => row.map(decodeNumber));
const plain = weights(matrixOf(theCat.default, 'weights'));
const causal = weights(matrixOf(theCat.causal, 'weights'));

/** `sat 0.327, mat 0.263, …`: names and numbers from the largest on, those that are not 0. */
const ranked = (values: readonly number[]): string[] =>
  values
    .map((w, i) => [w, tokens[i]] as const)
    .filter(([w]) => w > 0)
    .sort((a, b) => b[0] - a[0])
    .map(([w, name]) => `${name} ${w.toFixed(3)}`);

describe('who attends to whom', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  const said = (): Promise<string> => open.page.locator('.arcs-said').first().innerText();
  const token = (side: 'query' | 'key', at: number): ReturnType<OpenPage['page']['locator']> =>
    open.page.locator(`.arcs-${side} .arc-token`).nth(at);
  const name = (side: 'query' | 'key', at: number): Promise<string | null> =>
    token(side, at).getAttribute('aria-label');
  /** How much of a canvas is painted, 0 to 1. */
  const ink = (canvas: string): Promise<number> =>
    open.page.locator(canvas).evaluate((node) => {
      const { width, height } = node as HTMLCanvasElement;
      const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      context?.drawImage(node as HTMLCanvasElement, 0, 0);
      const data = context?.getImageData(0, 0, width, height).data ?? [];
      return data.filter((v, i) => i % 4 === 3 && v > 0).length / (width * height);
    });

  it('says with NumPy’s weights whom a token attends to and who attends to it', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    await token('query', 5).waitFor();
    for (const [i, row] of plain.entries()) {
      const list = ranked(row);
      const sixth = Number(list[5]?.split(' ')[1]);
      const expected = `${tokens[i]} attends to ${list.slice(0, 5).join(', ')} and 1 other ${sixth.toFixed(3)}`;
      assert.equal(await name('query', i), expected);
      const column = ranked(plain.map((r) => r[i] ?? NaN));
      assert.equal(
        await name('key', i),
        `${tokens[i]} is attended to by ${column.slice(0, 5).join(', ')} and 1 other less`,
      );
    }
    assert.ok((await said()).startsWith(`cat attends to ${ranked(plain[1] ?? [])[0]}`));
  });

  it('hides no key that is masked among the others, and leaves out what has no weight', async () => {
    await open.explain(explanation(textSpec(sentence, { mask: 'causal' })));
    await goTo(open, 'weights');
    await token('query', 1).waitFor();
    const [first, second] = ranked(causal[1] ?? []);
    assert.equal(await name('query', 0), 'The attends to The 1.000');
    assert.equal(await name('query', 1), `cat attends to ${first} and ${second}`);
    assert.equal(await name('key', 5), 'mat is attended to by mat ' + (causal[5]?.[5] ?? NaN).toFixed(3));
  });

  it('draws one token’s arcs under the pointer, and all of them faintly', async () => {
    await open.explain(explanation(textSpec(sentence, { mask: 'causal' })));
    await goTo(open, 'weights');
    await token('query', 0).hover();
    const one = await ink('.arcs-own');
    await token('query', 5).hover();
    const six = await ink('.arcs-own');
    assert.ok(one > 0.005 && six > one, `The alone has ${one}, mat’s six arcs ${six}`);
    assert.ok((await ink('.arcs-all')) > six);
    assert.match(await said(), /^mat attends to/);
    await token('key', 5).hover();
    assert.match(await said(), /^mat is attended to by mat/);
    const opacity = await open.page.locator('.arcs-all').evaluate((node) => Number(getComputedStyle(node).opacity));
    assert.ok(opacity < 0.3);
  });

  it('walks by keyboard: down its side, across along the strongest arc, Enter selects', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    const { page } = open;
    await token('query', 0).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.match(await said(), /^sat attends to/);
    assert.equal(await currentStep(open), 'weights', 'arrows stay within');
    await page.keyboard.press('ArrowRight');
    const row = plain[2] ?? [];
    const strongest = row.indexOf(Math.max(...row));
    assert.ok(await token('key', strongest).evaluate((node) => node === document.activeElement));
    await page.keyboard.press('Enter');
    await page.locator(`.arcs-key .arc-token[aria-pressed=true][data-at="${strongest}"]`).waitFor();
    assert.deepEqual((await open.state())?.cell, [1, strongest]);
    assert.ok(await token('key', strongest).evaluate((node) => node === document.activeElement));
    await token('query', 4).click();
    assert.deepEqual((await open.state())?.cell, [4, strongest]);
  });

  it('follows the head that is looked at', async () => {
    await open.explain(explanation(textSpec(sentence, { heads: 2 })));
    await goTo(open, 'weights');
    await token('query', 1).waitFor();
    const first = await name('query', 1);
    await open.page.getByRole('radio', { name: 'Head 1', exact: true }).click();
    await open.page.locator(`.arcs-query .arc-token[data-at="1"]:not([aria-label="${first}"])`).waitFor();
    const shown = await open.page
      .locator('[role=grid][data-matrix=weights] [data-row="1"]')
      .evaluateAll((all) => all.map((cell) => Number(cell.getAttribute('data-value'))));
    assert.equal(shown.length, 6);
    assert.equal((await name('query', 1))?.split(', ')[0], `cat attends to ${ranked(shown)[0]}`);
  });

  it('is closed at other steps until it is asked for, and stays as it was left after a reload', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'output');
    const summary = open.page.locator('.arcs > summary');
    assert.equal(await open.page.locator('.arcs-plot').isVisible(), false);
    await summary.focus();
    await open.page.keyboard.press('Enter');
    await open.page.locator('.arcs-plot').waitFor();
    await token('query', 3).click();
    assert.deepEqual([await currentStep(open), (await open.state())?.cell?.[0]], ['output', 3]);
    await open.page.reload();
    await open.ready();
    await open.page.locator('.arcs-plot').waitFor();
    assert.match(await said(), /^on attends to/);
  });

  it('keeps 200 tokens on one picture, with labels that do not touch; for more the matrix is the view', async () => {
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    await token('query', 199).waitFor();
    await token('query', 7).focus();
    const { height } = (await open.page.locator('.arcs-plot').boundingBox()) ?? { height: NaN };
    assert.ok(height <= 660, `the picture is ${height} high`);
    for (const side of ['query', 'key']) {
      const tops = await open.page
        .locator(`.arcs-${side} [data-named]`)
        .evaluateAll((all) => all.map((node) => node.getBoundingClientRect().top));
      assert.ok(tops.length > 10);
      tops.forEach((top, i) => assert.ok(i === 0 || top - (tops[i - 1] ?? 0) >= 11.9, `label ${i} of ${side} touches`));
    }
    await open.explain(explanation(textSpec(words(201))));
    await goTo(open, 'weights');
    await open.page.getByText('201 tokens: arcs are drawn for up to 200.').waitFor();
    assert.match(await said(), /attends to .* and 196 others/);
  });

  it('shades the header’s tokens by the selected token’s weights, and tells both ways in their tip', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    const buttons = open.page.locator('.token-button');
    await open.page.locator('.token-button[data-shaded]').first().waitFor();
    const shares = await buttons.evaluateAll((all) =>
      all.map((node) => Number((node as HTMLElement).style.getPropertyValue('--share'))),
    );
    const row = plain[1] ?? [];
    const most = Math.max(...row);
    shares.forEach((share, i) => assert.ok(Math.abs(share - (row[i] ?? NaN) / most) < 6e-4, `share of ${tokens[i]}`));
    await buttons.nth(5).hover();
    await open.page.locator('.tip-attention').nth(1).waitFor();
    const [to, by] = await open.page.locator('.tip-attention').allInnerTexts();
    assert.ok(to?.startsWith(`mat attends to ${ranked(plain[5] ?? [])[0]}`));
    assert.ok(by?.startsWith(`mat is attended to by ${ranked(plain.map((r) => r[5] ?? NaN))[0]}`));
  });

  it('is not there without weights, and draws queries and keys of different numbers', async () => {
    await open.explain(qkvExplanation);
    await goTo(open, 'weights');
    assert.ok(await open.page.locator('.arcs').isVisible());
    const q = { from: 'qkv', q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1], [1, 1]] } as const; // prettier-ignore
    await open.explain(explanation({ ...qkvExplanation.spec, start: q }));
    await goTo(open, 'weights');
    await token('key', 2).waitFor();
    assert.equal(await open.page.locator('.arcs-query .arc-token').count(), 2);
    assert.equal(await open.page.locator('.token-button[data-shaded]').count(), 0, 'keys are no queries');
  });
});
