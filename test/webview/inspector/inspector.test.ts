import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { AttentionSpec } from '../../../engine/index';
import { formatNumber } from '../../../webview/draw/numbers';
import { fourExplanation, matrixOf, sentence, textSpec, theCat, tutorials, words } from '../inputs';
import { engineSays, openLab, startLab } from '../heatmap-harness';

const cat = textSpec(sentence);
const causal = textSpec(sentence, { mask: 'causal' });
const two = { decimals: 2, exponent: false };
const three = { decimals: 3, exponent: false };
/** What a cell says: two decimals and up to six more of the number. */
const assertSays = (text: string | null | undefined, value: number, least: number): void => {
  const plain = (text ?? '').trim().replace('−', '-');
  const decimals = /\.(\d+)$/.exec(plain)?.[1]?.length ?? 0;
  assert.ok(decimals >= least && decimals <= least + 6, `${plain} of ${value}`);
  assert.equal(plain, value.toFixed(decimals));
};

let browser: Browser;
let page: Page;
let troubles: readonly string[];

const inspect = (spec: AttentionSpec, step: string, index: readonly number[], width = 320): Promise<void> =>
  page.evaluate(
    ([s, id, at, room]) => {
      window.lab.clear();
      return window.lab.inspector(s, id, at, room);
    },
    [spec, step, index, width] as const,
  );

const texts = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();
const attributes = (selector: string, name: string): Promise<(string | null)[]> =>
  page.locator(selector).evaluateAll((all, n) => all.map((node) => node.getAttribute(n)), name);
const text = (selector: string): Promise<string> =>
  page
    .locator(selector)
    .innerText()
    .then((t) => t.replace(/\s+/g, ' ').trim());
const at = (rows: readonly (readonly unknown[])[], i: number, j: number): number => Number(rows[i]?.[j]);

describe('inspector', () => {
  before(async () => {
    browser = await startLab();
    ({ page, troubles } = await openLab(browser));
  });
  afterEach(() => assert.deepEqual(troubles, []));
  after(() => browser.close());

  it('shows a score term by term, with NumPy’s q and k, their products and the growing sum', async () => {
    await inspect(cat, 'scores', [1, 2]);
    assert.equal(await text('.inspector h2'), 'S[cat, sat] = qcat · ksat');
    const [q, k, scores] = ['q', 'k', 'scores'].map((name) => matrixOf(theCat.default, name));
    assert.ok(q && k && scores);
    const rows = await page.locator('.terms tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        cells: [...row.children].map((c) => c.textContent),
        product: Number(row.getAttribute('data-product')),
        sum: Number(row.getAttribute('data-sum')),
      })),
    );
    assert.equal(rows.length, 8);
    let sum = 0;
    rows.forEach(({ cells, product, sum: shown }, t) => {
      const [left, right] = [at(q, 1, t), at(k, 2, t)];
      sum += left * right;
      assert.ok(Math.abs(product - left * right) < 1e-13 && Math.abs(shown - sum) < 1e-13, `term ${t}`);
      assert.equal(cells[0], String(t));
      [left, right, left * right].forEach((x, i) => assertSays(cells[i + 1], x, 2));
      assertSays(cells[5], sum, 2);
    });
    const total = Number((await attributes('[data-total]', 'data-total'))[0]);
    assert.ok(Math.abs(total - at(scores, 1, 2)) < 1e-13);
    assert.equal(total, engineSays(cat, 'scores', [1, 2], 'products').terms.at(-1)?.partialSum);
  });

  it('draws positive terms to the right and negative ones to the left, the largest longest', async () => {
    await inspect(cat, 'scores', [1, 2], 600);
    const { terms } = engineSays(cat, 'scores', [1, 2], 'products');
    const bars = await page.locator('.signed-bar').evaluateAll((all) =>
      all.map((bar) => {
        const [outer, inner] = [bar.getBoundingClientRect(), bar.firstElementChild?.getBoundingClientRect()];
        const middle = outer.left + outer.width / 2;
        return { width: inner?.width ?? 0, right: (inner?.left ?? 0) >= middle - 0.5 };
      }),
    );
    const largest = Math.max(...terms.map((t) => Math.abs(t.product)));
    bars.forEach(({ width, right }, i) => {
      const product = terms[i]?.product ?? NaN;
      assert.equal(right, product > 0, `side of term ${i}`);
      const full = Math.max(...bars.map((b) => b.width));
      assert.ok(Math.abs(width / full - Math.abs(product) / largest) < 0.05, `length of term ${i}`);
    });
  });

  it('walks from a score back to the input, operand by operand, and on to the weight', async () => {
    await inspect(cat, 'scores', [1, 2]);
    await page.locator('.terms [data-step=k]').nth(3).click();
    await page.locator('.terms [data-step=q]').nth(5).focus();
    await page.keyboard.press('Enter');
    await page.locator('.later-cells [data-step=weights]').click();
    assert.deepEqual(await page.evaluate(() => window.lab.events.map((e) => [e.step, e.index])), [
      ['k', [2, 3]],
      ['q', [1, 5]],
      ['weights', [1, 2]],
    ]);
  });

  it('shows where a score goes, with the percentage of the value row', async () => {
    await inspect(cat, 'scores', [1, 2]);
    const steps = ['scores', 'scaled', 'weights'].map((name) => at(matrixOf(theCat.default, name), 1, 2));
    const [s = NaN, z = NaN, a = NaN] = steps;
    assert.deepEqual(
      (await texts('.later-cells li')).map((t) => t.replace(/\s+/g, ' ').trim()),
      [
        `S ${formatNumber(s, two)}`,
        `÷ √8 ${formatNumber(z, two)}`,
        `A ${formatNumber(a, three)}`,
        `${formatNumber(a * 100, { decimals: 1, exponent: false })} % of vsat`,
      ],
    );
  });

  it('shows the weights of the score’s row as bars with the tokens’ names', async () => {
    await inspect(cat, 'scores', [1, 2]);
    assert.deepEqual(await texts('.row-bars .name'), ['The', 'cat', 'sat', 'on', 'the', 'mat']);
    const shown = (await attributes('[data-weight]', 'data-weight')).map(Number);
    const expected = matrixOf(theCat.default, 'weights')[1] ?? [];
    shown.forEach((w, i) => assert.ok(Math.abs(w - Number(expected[i])) < 1e-13, `weight ${i}`));
    assert.equal(await text('.row-bars .lit .name'), 'sat');
  });

  it('shows softmax with maximum, differences, exponentials, sum and quotients', async () => {
    await inspect(causal, 'weights', [3, 2]);
    const made = engineSays(causal, 'weights', [3, 2], 'softmax');
    const numbers = async (name: string): Promise<number[]> =>
      (await attributes(`.terms tbody [data-${name}]`, `data-${name}`)).map(Number);
    assert.deepEqual(
      await numbers('shifted'),
      made.terms.map((t) => t.shifted),
    );
    assert.deepEqual(
      await numbers('exp'),
      made.terms.map((t) => t.exponential),
    );
    assert.deepEqual(
      await numbers('weight'),
      made.terms.map((t) => t.weight),
    );
    assert.deepEqual((await attributes('[data-max]', 'data-max')).map(Number), [made.max]);
    assert.deepEqual((await attributes('tfoot [data-sum]', 'data-sum')).map(Number), [made.sum]);
    const scaled = (matrixOf(theCat.default, 'scaled')[3] ?? []).slice(0, 4).map(Number);
    const max = Math.max(...scaled);
    const sum = scaled.reduce((total, x) => total + Math.exp(x - max), 0);
    const [, ofScore, ofMax, ofSum] = /exp\((\S+) − (\S+)\) ÷ (\S+) /.exec(await text('.equation')) ?? [];
    const origins = await text('.origins');
    assert.equal(
      origins,
      `${ofScore} is the score, ${ofMax} the largest of its row, ${ofSum} the sum of all exponentials.`,
    );
    assertSays(ofMax, max, 2);
    assertSays(ofSum, sum, 3);
    assert.equal(await text('.terms tr.lit th'), 'sat');
  });

  it('writes sums, quotients, masks and look-ups out with both operands', async () => {
    const ledger = async (spec: AttentionSpec, step: string, index: readonly number[]): Promise<string[]> => {
      await inspect(spec, step, index);
      return (await texts('.ledger tr')).map((t) => t.replace(/\s+/g, ' ').trim());
    };
    const number = (name: string, i: number, j: number): string =>
      formatNumber(at(matrixOf(theCat.default, name), i, j), two);
    assert.deepEqual(await ledger(cat, 'x', [1, 2]), [
      `E[cat, 2] ${number('embedding', 1, 2)}`,
      `+ P[cat, 2] ${number('positions', 1, 2)}`,
      `= X[cat, 2] ${number('x', 1, 2)}`,
    ]);
    assert.deepEqual(await ledger(cat, 'scaled', [1, 2]), [
      `S[cat, sat] ${number('scores', 1, 2)}`,
      '÷ √8 2.828',
      `= Z[cat, sat] ${number('scaled', 1, 2)}`,
    ]);
    assert.deepEqual(await ledger(causal, 'masked', [1, 2]), [
      `Z[cat, sat] ${number('scaled', 1, 2)}`,
      'hidden H[cat, sat] 1',
      '= M[cat, sat] −∞',
    ]);
    assert.match(
      await text('.note'),
      /^Key “sat” comes after query “cat”, so it is hidden: the score is replaced by −∞/,
    );
    assert.deepEqual(await ledger(cat, 'embedding', [1, 2]), [
      't[cat, id] 1',
      `→ WE[cat, 2] ${number('embedding', 1, 2)}`,
      `= E[cat, 2] ${number('embedding', 1, 2)}`,
    ]);
  });

  it('writes a position as its sine, with the numbers', async () => {
    await inspect(cat, 'positions', [3, 4]);
    // Position 3, column 4 of 16: sin(3 / 10000^(4/16)) = sin(3 / 10).
    assert.deepEqual(
      (await texts('.equation > div')).map((t) => t.replace(/\s+/g, ' ')),
      ['sin(3 ÷ 100004/16)', '= sin(3 ÷ 10)', '= sin(0.3)', '= 0.30'],
    );
    assert.equal(Math.sin(0.3).toFixed(2), '0.30');
  });

  it('names generator and seed of a random number, and says that it is not learned', async () => {
    await inspect(cat, 'wq', [0, 0]);
    assert.match(await text('.note'), /numpy\.RandomState, seed 0, divided by 4\. Random, not learned\./);
    const draw = at(matrixOf(theCat.default, 'wq'), 0, 0) * 4;
    assert.equal((await text('.equation')).split(' ÷ ')[0], String(Number(draw.toPrecision(4))).replace('-', '−'));
  });

  it('writes a float32 number with the digits that tell it from others, as tutorial 004 prints it', async () => {
    await inspect(fourExplanation.spec, 'output', [1, 2]);
    assert.equal(await text('.exact'), '−2.4440105');
  });

  it('keeps float32’s own sums', async () => {
    await inspect(fourExplanation.spec, 'output', [1, 0]);
    const sum = engineSays(fourExplanation.spec, 'output', [1, 0], 'products').terms.at(-1)?.partialSum;
    assert.deepEqual((await attributes('[data-total]', 'data-total')).map(Number), [sum]);
    assert.ok(Math.abs((sum ?? NaN) - at(matrixOf(tutorials['004'], 'output'), 1, 0)) < 1e-6);
  });

  describe('of a long sum', () => {
    const long = textSpec(words(12), { dModel: 512, projections: { from: 'random', dK: 300, dV: 8 } });

    it('shows the first terms, the largest, and what the others add up to', async () => {
      await inspect(long, 'scores', [4, 7]);
      const { terms, value } = engineSays(long, 'scores', [4, 7], 'products');
      const shown = (await attributes('.terms tr[data-term]', 'data-term')).map(Number);
      assert.equal(shown.length, 16);
      assert.deepEqual(shown.slice(0, 6), [0, 1, 2, 3, 4, 5]);
      const sizes = terms.map((t) => Math.abs(t.product));
      const smallestShown = Math.min(...shown.slice(6).map((i) => sizes[i] ?? 0));
      const largestHidden = Math.max(...sizes.filter((_, i) => !shown.includes(i)));
      assert.ok(smallestShown >= largestHidden);
      const rest = terms.filter((_, i) => !shown.includes(i)).reduce((sum, t) => sum + t.product, 0);
      assert.match(await text('.terms .others'), new RegExp(`^284 others ${formatNumber(rest, two)}`));
      assert.ok(Math.abs(shown.reduce((sum, i) => sum + (terms[i]?.product ?? 0), rest) - value) < 1e-9);
    });

    it('of 5,000 terms says what all the others add up to, and offers no way to all', async () => {
      const spec = textSpec(words(5000));
      await inspect(spec, 'weights', [4500, 4321]);
      const { sum, value } = engineSays(spec, 'weights', [4500, 4321], 'softmax');
      const shown = await attributes('.terms tbody tr[data-term]', 'data-exp');
      assert.match(await text('.terms .others'), new RegExp(`^${5000 - shown.length} others`));
      const others = sum - shown.reduce((total, x) => total + Number(x), 0);
      assert.ok((await text('.terms .others')).includes(formatNumber(others, two)), `the others add up to ${others}`);
      const lit = page.locator('.terms tr.lit');
      assert.equal(Number(await lit.getAttribute('data-weight')), value);
      assert.equal(await page.locator('.show-all').count(), 0);
    });

    it('shows all of them with a few rows in the DOM at a time', async () => {
      await inspect(long, 'scores', [4, 7]);
      await page.getByRole('button', { name: 'Show all 300' }).click();
      const rows = page.locator('.terms tr[data-term]');
      assert.ok((await rows.count()) < 30);
      assert.equal(await page.locator('.terms').getAttribute('aria-rowcount'), '301');
      await page.locator('.rows-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await page.waitForSelector('.terms tr[data-term="299"]');
      assert.ok((await rows.count()) < 30);
      assert.equal(
        Number(await page.locator('tr[data-term="299"]').getAttribute('data-sum')),
        engineSays(long, 'scores', [4, 7], 'products').value,
      );
    });
  });
});
