import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { matrixDefaults, parseMatrices, validateSpec, type AttentionSpec } from '../../../engine/index';
import type { PageMessage, PageState, View } from '../../../webview/protocol';
import { pythonOrSkip } from '../../reference/python';
import { eachPage } from '../each-page';
import { type OpenPage } from '../harness';
import { catExplanation, explanation, qkExplanation, sentence, textSpec, theCat, words } from '../inputs';
import { assertMatrix, goTo } from '../page-driver';

type Message<T extends PageMessage['type']> = Extract<PageMessage, { type: T }>;

/** Chooses an item of the menu, and waits for a message of one of these types. */
async function takeOf<T extends PageMessage['type']>(
  { page, messages }: OpenPage,
  item: string,
  ...types: readonly T[]
): Promise<Message<T>> {
  const before = (await messages()).length;
  await page.locator('vscode-button', { hasText: 'Share' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  const isIt = (message: PageMessage): message is Message<T> => (types as readonly string[]).includes(message.type);
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    const found = (await messages()).slice(before).find(isIt);
    if (found) return found;
    await page.waitForTimeout(50);
  }
  throw new Error(`${item}: nothing was sent`);
}

const take = (open: OpenPage, item: string) => takeOf(open, item, 'copy', 'open', 'save');

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('taking it along', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('copies a matrix with every digit, to be read back from each notation', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    for (const notation of ['NumPy', 'PyTorch', 'JSON', 'CSV', 'JavaScript', 'Markdown', 'LaTeX', 'MATLAB']) {
      const taken = await take(open, notation);
      assert.ok(taken.type === 'copy');
      const { matrices, problems } = parseMatrices(taken.text);
      assert.deepEqual(problems, [], notation);
      const [matrix] = matrices;
      assert.ok(matrix, `${notation}: ${taken.text}`);
      const rows = Array.from({ length: 6 }, (_, i) => [...matrix.values.slice(6 * i, 6 * i + 6)]);
      assertMatrix(rows, theCat.default['scores'] ?? [], notation);
    }
  });

  it('opens a program that prints the numbers that are shown', async function () {
    const python = pythonOrSkip(this, 'numpy');
    await open.explain(qkExplanation);
    const taken = await take(open, 'Open as a NumPy program');
    assert.ok(taken.type === 'open' && taken.language === 'python');
    const ran = spawnSync(python, ['-c', taken.content], { encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    await goTo(open, 'weights');
    const shown = await open.page
      .locator('[role=grid][data-matrix=weights] [data-row="1"][data-column="0"]')
      .getAttribute('data-value');
    // Tutorial 001 prints 0.52712553 there.
    assert.equal(Number(shown).toFixed(8), '0.52712553');
    assert.match(ran.stdout, /\[0\.53 0\.47 0\.   0\.  \]/);
  });

  it('opens the spec that gives the same again, and saves a notebook', async () => {
    await open.explain(catExplanation);
    const spec = await take(open, 'Open its spec as JSON');
    assert.ok(spec.type === 'open');
    assert.deepEqual(validateSpec(JSON.parse(spec.content)), { ok: true, value: catExplanation.spec });
    const notebook = await take(open, 'Save as a Jupyter notebook…');
    assert.ok(notebook.type === 'save' && typeof notebook.content === 'string');
    assert.equal((JSON.parse(notebook.content) as { nbformat: number }).nbformat, 4);
  });

  it('saves pictures with title, labels, numbers and colour bar, of small and large matrices', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    const svg = await take(open, 'Save picture as SVG…');
    assert.ok(svg.type === 'save' && typeof svg.content === 'string');
    assert.equal(svg.name, 'attention-weights.svg');
    for (const part of ['Attention weights: A, 6×6', '>cat<', '>0.838<']) assert.ok(svg.content.includes(part), part);
    const png = await take(open, 'Save picture as PNG…');
    assert.ok(png.type === 'save' && png.content instanceof Uint8Array);
    assert.deepEqual([...png.content.slice(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    const large = await take(open, 'Save picture as SVG…');
    assert.ok(large.type === 'save' && typeof large.content === 'string');
    assert.match(large.content, /Each cell stands for 4×4 numbers/);
    assert.ok(large.content.length < 1_000_000, `${large.content.length} characters`);
    assert.doesNotMatch(large.content, /log scale/);
    await open.explain(explanation(textSpec(words(200), { mask: 'causal' })));
    const masked = await take(open, 'Save picture as SVG…');
    assert.ok(masked.type === 'save' && typeof masked.content === 'string');
    // Row 0 of blocks: the first one is hidden in part, all after it are hidden.
    const [first, second, third] = [...masked.content.matchAll(/<rect x="[^>]*fill="([^"]*)"/g)].map((one) => one[1]);
    assert.ok(first !== second && second === third, `${first}, ${second}, ${third}`);
    // More keys than queries: turned, the queries are the columns, and the keys still decide.
    const numbers = (rows: number): number[][] => Array.from({ length: rows }, (_, i) => [i % 7, (i % 5) / 2]);
    const start = { from: 'qkv', q: numbers(5), k: numbers(300), v: numbers(300) } as const;
    await open.explain(explanation({ ...matrixDefaults, start }));
    await goTo(open, 'weights');
    for (const turned of [false, true]) {
      if (turned) {
        await open.page.locator('#stage-title').focus();
        await open.page.keyboard.press('t');
        await open.page.locator('.timeline [data-step=weights] .timeline-shape', { hasText: '300×5' }).waitFor();
      }
      const many = await take(open, 'Save picture as SVG…');
      assert.ok(many.type === 'save' && typeof many.content === 'string');
      for (const part of ['>0<', '>1/300<', '>0.1<', '>1<', 'log scale · even share 1/300'])
        assert.ok(many.content.includes(part), `${part}, turned: ${turned}`);
    }
  });

  it('copies the formula, and is a menu for the keyboard', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    const formula = await take(open, 'Copy the formula as LaTeX');
    assert.ok(formula.type === 'copy');
    assert.equal(formula.text, 'S = Q\\,K^{\\top}');
    const { page } = open;
    await page.locator('vscode-button', { hasText: 'Share' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('End');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Open its spec as JSON');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Share');
  });

  it('closes when the reader goes on beside the panel', async () => {
    await open.explain(catExplanation);
    const { page } = open;
    await page.locator('vscode-button', { hasText: 'Share' }).click();
    await page.getByRole('menu').waitFor();
    await page.evaluate(() => {
      const beside = document.body.appendChild(document.createElement('iframe'));
      beside.focus();
    });
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.evaluate(() => document.querySelector('body > iframe')?.remove());
  });

  it('keeps tokens as columns in the file and in the link, and opens them so', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'q');
    const saved = async (): Promise<{ readonly view: View }> => {
      const taken = await take(open, 'Save as a file that opens here…');
      assert.ok(taken.type === 'save' && typeof taken.content === 'string');
      return JSON.parse(taken.content) as { readonly view: View };
    };
    assert.equal((await saved()).view.columns, undefined);
    await open.page.locator('#stage-title').focus();
    await open.page.keyboard.press('t');
    await open.page.locator('.timeline [data-step=q] .timeline-shape', { hasText: '8×6' }).waitFor();
    const { view } = await saved();
    assert.equal(view.columns, true);
    const settings = { backend: 'auto', digits: 2 } as const;
    const shape = open.page.locator('.timeline [data-step=q] .timeline-shape');
    await open.send({ type: 'explain', explanation: catExplanation, settings, view: { step: 'q' } });
    await shape.getByText('6×8').waitFor();
    await open.send({ type: 'explain', explanation: catExplanation, settings, view });
    await shape.getByText('8×6').waitFor();
    assert.equal((await open.state())?.reading?.columns, true);
  });

  it('copies the head that is shown', async () => {
    await open.explain(explanation(textSpec(sentence, { heads: 2 })));
    await goTo(open, 'weights');
    const first = await take(open, 'JSON');
    await open.page.getByRole('radio', { name: 'Head 1' }).click();
    await open.ready();
    const second = await take(open, 'JSON');
    assert.ok(first.type === 'copy' && second.type === 'copy');
    assert.notEqual(first.text, second.text);
  });

  it('sends what is large as bytes: of a link the file in its place, of the page what it saves', async () => {
    const x = Array.from({ length: 128 }, (_, i) => Array.from({ length: 128 }, (__, j) => (i - j) / 64));
    await open.explain(explanation({ ...matrixDefaults, dModel: 128, start: { from: 'x', x } }));
    await goTo(open, 'scores');
    const file = await take(open, 'Save as a file that opens here…');
    const link = await takeOf(open, 'Copy link', 'noLink');
    const page = await takeOf(open, 'Save as a web page…', 'savePage');
    assert.ok(file.type === 'save' && file.content instanceof Uint8Array);
    assert.deepEqual(link.content, file.content);
    const { spec, view } = JSON.parse(textOf(link.content)) as { readonly spec: AttentionSpec; readonly view: View };
    assert.deepEqual([spec.start, view.step], [{ from: 'x', x }, 'scores']);
    assert.ok(page.state instanceof Uint8Array);
    const state = JSON.parse(textOf(page.state)) as PageState;
    assert.deepEqual([state.explanation.spec.start, state.step], [{ from: 'x', x }, 'scores']);
    assert.deepEqual(Object.keys(state.explanation.source), ['label'], 'no tie to the editor');
  });

  it('sends what is small as a link and as values', async () => {
    await open.explain(catExplanation);
    const link = await takeOf(open, 'Copy link', 'link');
    assert.deepEqual(link.spec, catExplanation.spec);
    const { state } = await takeOf(open, 'Save as a web page…', 'savePage');
    assert.ok(!(state instanceof Uint8Array));
    assert.deepEqual(state.explanation.spec, catExplanation.spec);
  });
});
