import assert from 'node:assert/strict';
import { explainAttention, matrixDefaults, textDefaults, type AttentionSpec } from '../../../engine/index';
import { eachPage } from '../each-page';
import type { OpenPage } from '../harness';
import { explanation, sentence } from '../inputs';
import { cells, goTo } from '../page-driver';

/* A step of a decoder: the card that compares it with the full pass, and the button that says where queries stand. */

const text: AttentionSpec = { ...textDefaults, start: { from: 'text', text: sentence, tokenizer: 'words' } };

const matrix = (rows: number, columns: number, seed: number): number[][] =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (__, j) => ((seed + 37 * i + 61 * j + 17 * i * j) % 101) / 47 - 1.03),
  );

async function cardText({ page }: OpenPage): Promise<string> {
  const card = page.locator('.insight', { has: page.locator('h3', { hasText: 'Is it the full pass?' }) });
  await card.waitFor();
  return card.innerText();
}

describe('a decoder with a cache, in the page', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('has a card that says whether the step is the row of the full pass', async () => {
    await open.explain(explanation({ ...text, positions: 'rope-half', mask: 'causal', decode: { step: 3 } }));
    await goTo(open, 'weights');
    assert.match(await cardText(open), /Checked: step 3 equals row 3 of the full pass, bit for bit\./);
    await open.explain(explanation({ ...text, positions: 'rope-half', mask: 'none', decode: { step: 3 } }));
    await goTo(open, 'weights');
    assert.match(await cardText(open), /Step 3 differs from row 3 of the full pass, which gives later keys a weight/);
  });

  it('has a button that counts queries from where the cache ends, once', async () => {
    const spec: AttentionSpec = {
      ...matrixDefaults,
      positions: 'rope-half',
      start: { from: 'qkv', q: matrix(2, 4, 1), k: matrix(5, 4, 2), v: matrix(5, 3, 3) },
    };
    await open.explain(explanation(spec));
    const link = open.page.locator('.banner.note').getByText('Count queries from 3');
    await link.click();
    await open.ready();
    await link.waitFor({ state: 'detached' });
    await goTo(open, 'weights');
    const right = explainAttention({ ...spec, positionIds: { offset: 3 } });
    assert.ok(right.ok);
    const shown = await cells(open, 'weights');
    assert.equal(shown.length, 2);
    shown.forEach((row, i) => row.forEach((x, j) => assert.equal(x, right.value.value('weights', [i, j]))));
    assert.equal(await open.page.getByText('both at position 0').count(), 0);
  });
});
