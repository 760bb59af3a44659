// The question of an attention without a trained model: which row it asks about, by NumPy's numbers, and how much stands on the first view.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeNumber, matrixDefaults, type AttentionSpec } from '../../engine/index';
import { quietly } from './each-page';
import { openPage, type OpenOptions, type OpenPage } from './harness';
import { explanation, matrixOf, qkExplanation, qkvExplanation, textSpec, theCat, tutorials, sentence } from './inputs';
import { currentStep, goTo } from './page-driver';

const count = readFileSync(join(__dirname, 'count-view.js'), 'utf8');

describe('the question of numbers', function () {
  this.timeout(120_000);
  let open: OpenPage;
  const page = async (options: OpenOptions = {}): Promise<void> => {
    await open?.close();
    open = await openPage(options);
  };
  beforeEach(() => page());
  quietly(() => open);

  /** Shows an explanation as the command does. */
  async function show(spec: AttentionSpec): Promise<void> {
    const view = { opening: true };
    const settings = { backend: 'cpu', digits: 2 };
    await open.send({ type: 'explain', explanation: explanation(spec, { label: 'a.py:1' }), settings, view });
    await open.page.locator('.opening-road').waitFor();
    await open.ready();
  }

  const texts = (selector: string): Promise<string[]> =>
    open.page.locator(selector).allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim())); // prettier-ignore
  const title = async (): Promise<string> => (await texts('.opening-question'))[0] ?? '';

  /** A matrix that NumPy printed. */
  const numbers = (name: '000' | '001', step: string): number[][] =>
    matrixOf(tutorials[name], step).map((row) => row.map(decodeNumber));
  /** The row whose largest weight is the largest of those that go to another row. */
  const clearest = (weights: readonly (readonly number[])[]): readonly [row: number, key: number] => {
    const largest = weights.map((row, i) => ({ i, key: row.indexOf(Math.max(...row)), weight: Math.max(...row) }));
    const others = largest.filter(({ i, key, weight }) => i !== key && weight < 1);
    const [best] = (others.length ? others : largest).sort((a, b) => b.weight - a.weight);
    return [best?.i ?? NaN, best?.key ?? NaN];
  };

  it('cuts no column of the road in the narrowest panel, and opens the arithmetic of a match', async () => {
    await page({ width: 220, height: 700 });
    await show(textSpec(sentence));
    const ends = await open.page.locator('.opening-road tr > *').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right)); // prettier-ignore
    assert.ok(Math.max(...ends) <= 220, `it ends at ${Math.max(...ends)}`);
    await open.page.locator('.opening-road tbody td:nth-child(2) button').first().click();
    await open.page.locator('.stage[data-current-step="scores"]').waitFor();
  });

  it('asks about the clearest row, with NumPy’s weights and scores on the road, and opens the arithmetic in one click', async () => {
    await show({ ...qkvExplanation.spec, scale: 'none' });
    const [weights, scores] = [numbers('000', 'weights'), numbers('000', 'scores')];
    const [row, key] = clearest(weights);
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    assert.equal(await title(), `Why does ${percent(weights[row]?.[key] ?? NaN)} of the attention of row ${row} go to row ${key}?`); // prettier-ignore
    const order = [...(weights[row] ?? []).keys()].sort((a, b) => (weights[row]?.[b] ?? 0) - (weights[row]?.[a] ?? 0));
    assert.deepEqual(await texts('.opening-road tbody th'), order.slice(0, 3).map((j) => `row ${j}`)); // prettier-ignore
    const shown = await texts('.opening-road tbody td:nth-child(2)');
    shown.forEach((text, i) => {
      const score = scores[row]?.[order[i] ?? -1] ?? NaN;
      assert.ok(Math.abs(Number(text.replace('−', '-')) - score) <= 0.005 + 1e-9, `${text}, NumPy ${score}`);
    });
    await open.page.locator('.opening-road .opening-shared button').first().click();
    await open.ready();
    assert.equal(await currentStep(open), 'weights');
    assert.deepEqual((await open.state())?.cell, [row, key]);
    await open.page.locator('.inspector').getByText('exp(').first().waitFor();
    await open.page.locator('vscode-button', { hasText: 'The question' }).click();
    assert.match(await title(), new RegExp(`of row ${row} go to row ${key}`));
  });

  it('says what a score is divided by on its way to a weight, and nothing where it is not', async () => {
    const how = (): Promise<string[]> => texts('.opening-road thead .opening-how');
    await show({ ...qkvExplanation.spec, scale: 'none' });
    assert.deepEqual(await how(), ['q · k', 'softmax', 'weight × v']);
    await show(qkvExplanation.spec);
    assert.deepEqual(await how(), ['q · k', '÷ 2, softmax', 'weight × v']);
    await show({ ...qkvExplanation.spec, scale: { divideBy: Math.sqrt(15) } });
    assert.deepEqual(await how(), ['q · k', '÷ √15, softmax', 'weight × v']);
  });

  it('takes no shares of a row that does not sum to 1', async () => {
    const sum = (row: readonly number[] = []): number => row.reduce((all, x) => all + x, 0);
    // Sigmoid instead of softmax: each weight is 1 / (1 + exp(−score)), of NumPy's scores.
    const weights = numbers('000', 'scores').map((row) => row.map((score) => 1 / (1 + Math.exp(-score / 2))));
    await show({ ...qkvExplanation.spec, scale: { divideBy: 2 }, weighting: { by: 'sigmoid', bias: 0 } });
    const [, row] =
      /^Why does row (\d) give row \d its largest weight, [\d.]+\?$/.exec(await title()) ?? assert.fail(await title());
    const own = weights[Number(row)] ?? [];
    assert.ok((await title()).endsWith(`its largest weight, ${Math.max(...own).toFixed(3)}?`), await title());
    assert.ok(
      (await texts('.opening-answer'))[0]?.endsWith(`The weights of this row sum to ${sum(own).toFixed(3)}, not to 1.`),
    );
    assert.doesNotMatch(await open.page.locator('.opening').innerText(), /%|softmax/);
  });

  it('leads by its road to every step, and by arrow keys to every row', async () => {
    await show(qkvExplanation.spec);
    await open.page.locator('.opening-token[aria-checked=true]').focus();
    await open.page.keyboard.press('Home');
    const before = await title();
    await open.page.keyboard.press('ArrowRight');
    await open.page.locator('.opening-road').waitFor();
    assert.notEqual(await title(), before);
    assert.equal(await open.page.evaluate(() => document.activeElement?.getAttribute('aria-checked')), 'true');
    await open.page.locator('.opening-road').getByText('Match').click();
    await open.ready();
    assert.equal(await currentStep(open), 'scores');
    await open.page.locator('vscode-button', { hasText: 'The question' }).click();
    await goTo(open, 'output');
    assert.equal(await open.page.locator('.opening').isVisible(), false);
  });

  it('asks about a word of untrained text without a claim of what it is for', async () => {
    await show(textSpec(sentence));
    const weights = (theCat.default['weights'] ?? []).map((row) => row.map(decodeNumber));
    const [row, key] = clearest(weights);
    const words = sentence.split(' ');
    assert.match(await title(), new RegExp(`of the attention of ${words[row]} go to ${words[key]}\\?`));
  });

  it('lets each of two heads be looked at', async () => {
    await show(textSpec(sentence, { heads: 2 }));
    const first = await title();
    await open.page.locator('.opening-fold > summary').click();
    await open.page.locator('.opening-head').nth(1).click();
    await open.page.locator('.opening-head[aria-pressed=true]', { hasText: 'Head 1' }).waitFor();
    assert.notEqual(await title(), first);
  });

  it('draws queries above keys that are other tokens', async () => {
    const [q, k] = [matrixOf(tutorials['000'], 'q').slice(0, 2), matrixOf(tutorials['000'], 'k')];
    await show({ ...matrixDefaults, start: { from: 'qkv', q, k, v: matrixOf(tutorials['000'], 'v') } });
    assert.equal(await open.page.locator('.opening-token[role=radio]').count(), 2);
    assert.equal(await open.page.locator('.opening-share').count(), k.length);
  });

  it('shows the steps where there is nothing to ask: one key, or a row that can only be itself', async () => {
    const one = { q: [[1, 2]], k: [[3, 4]], v: [[5, 6]] };
    await open.explain(explanation({ ...matrixDefaults, start: { from: 'qkv', ...one } }));
    await open.send({ type: 'explain', explanation: explanation({ ...matrixDefaults, start: { from: 'qkv', ...one } }, { label: 'b.py:1' }), settings: { backend: 'cpu', digits: 2 }, view: { opening: true } }); // prettier-ignore
    await open.page.locator('.header-source', { hasText: 'b.py' }).waitFor();
    await open.ready();
    assert.equal(await open.page.locator('.opening').isVisible(), false);
    assert.equal(await open.page.locator('.stage').isVisible(), true);
  });

  it('says of a row that is shared out evenly that it is', async () => {
    const zeros = [[0, 0], [0, 0], [0, 0]]; // prettier-ignore
    await show({ ...qkExplanation.spec, mask: 'none', start: { from: 'qkv', q: zeros, k: zeros } });
    assert.match(await title(), /^Where does row \d look\?$/);
    assert.match((await texts('.opening-answer'))[0] ?? '', /shares its attention evenly among the 3 keys that it sees: the largest share is 33\.3 %/);
    assert.equal(await open.page.locator('.opening-picture [data-is=key], .opening-road [data-is=true]').count(), 0);
  }); // prettier-ignore

  it('asks about a row that keeps most for itself sooner than about one that prefers no key', async () => {
    const [q, k] = [[[2, 0], [0, 0], [0, 2]], [[2, 0], [0, 0], [0, 2]]]; // prettier-ignore
    await show({ ...qkExplanation.spec, mask: 'none', start: { from: 'qkv', q, k } });
    assert.match(await title(), /^Why does row 0 keep 89\.4 % of its attention for itself\?$/);
  });

  it('stays at the step of a reader who explains the same source again', async () => {
    await show(qkvExplanation.spec);
    await goTo(open, 'scores');
    const again = { type: 'explain', explanation: explanation(qkvExplanation.spec, { label: 'a.py:1' }), settings: { backend: 'cpu', digits: 2 }, view: { opening: true } }; // prettier-ignore
    await open.send(again);
    await open.ready();
    assert.equal(await currentStep(open), 'scores');
    assert.equal(await open.page.locator('.opening').isVisible(), false);
  });

  for (const [width, height] of [
    [310, 700],
    [546, 700],
    [700, 800],
    [1092, 800],
    [1600, 1000],
  ] as const) {
    // prettier-ignore
    it(`has at most 20 things to operate and 90 words at ${width} px, nothing beside the question, and a low road`, async () => {
      await page({ width, height });
      for (const spec of [qkExplanation.spec, textSpec('The cat that sat on the mat saw a dog there today')]) {
        await show(spec);
        // The strip is drawn closer once the fonts of its symbols have come.
        await open.page.waitForFunction(`(() => { ${count}; return countView().road <= ${height / 5}; })()`, undefined, { timeout: 5000 }).catch(() => undefined); // prettier-ignore
        const found = (await open.page.evaluate(`${count}; countView()`)) as Record<'elements' | 'words' | 'road' | 'wider', number>; // prettier-ignore
        assert.ok(found.elements <= 20, `${found.elements} elements`);
        assert.ok(found.words <= 90, `${found.words} words`);
        assert.ok(found.road <= height / 5, `${found.road} px of ${height}`);
        assert.equal(found.wider, 0, 'nothing sticks out');
        assert.equal(await open.page.locator('.stage').isVisible(), false);
        assert.equal(await open.page.locator('.inspector-box').isVisible(), false);
      }
    });
  }
});
