import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AttentionSpec, SpecMatrix } from '../../../engine/index';
import { eachPage } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { explanation, sentence, textSpec } from '../inputs';
import { assertMatrix, cells, currentStep, goTo } from '../page-driver';

interface Golden {
  readonly name: string;
  readonly spec: AttentionSpec;
  readonly steps: Readonly<Record<string, unknown>>;
}

const file = join(__dirname, '../../fixtures/attention/variants.json.gz');
const { specs } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as { specs: readonly Golden[] };

function golden(beginning: string): Golden {
  const found = specs.find(({ name }) => name.startsWith(beginning));
  assert.ok(found, `no golden spec begins with ${beginning}`);
  return found;
}

const choose = async ({ page, ready }: OpenPage, name: string): Promise<void> => {
  await page.getByRole('radio', { name, exact: true }).click();
  await ready();
};

describe('heads and batches in the page', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('shows every head of torch.nn.MultiheadAttention’s numbers', async () => {
    const { spec, steps } = golden('MultiheadAttention, self, 2 heads, mask causal, float64');
    await open.explain(explanation(spec));
    for (const step of ['scores', 'weights', 'headOutputs']) {
      await goTo(open, step);
      for (const head of [1, 0]) {
        await choose(open, `Head ${head}`);
        assertMatrix(await cells(open, step), (steps[step] as SpecMatrix[])[head] ?? [], `${step}, head ${head}`);
      }
    }
  });

  it('shows every input of a batch and the key head that a query head shares', async () => {
    const { spec, steps } = golden(
      'start qkv-batch, convention XW, heads 4, kvHeads divisor, output given, scale sqrt_d_model',
    );
    await open.explain(explanation(spec));
    await goTo(open, 'weights');
    const weights = steps['weights'] as readonly SpecMatrix[][];
    await choose(open, 'Input 1');
    await choose(open, 'Head 3');
    assertMatrix(await cells(open, 'weights'), weights[1]?.[3] ?? [], 'weights of input 1, head 3');
    await goTo(open, 'k');
    assertMatrix(
      await cells(open, 'k'),
      (steps['k'] as readonly SpecMatrix[][])[1]?.[1] ?? [],
      'keys that head 3 shares',
    );
  });

  it('is a group of radio buttons for the keyboard, and is there again after a reload', async () => {
    await open.explain(explanation(textSpec(sentence, { heads: 4 })));
    await goTo(open, 'weights');
    const { page } = open;
    await page.getByRole('radio', { name: 'Head 0', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await open.ready();
    const checked = page.locator('[role=radio][aria-checked=true]');
    assert.equal(await checked.innerText(), 'Head 2');
    assert.ok(await checked.evaluate((node) => node === document.activeElement));
    assert.equal(await currentStep(open), 'weights');
    assert.match(await page.locator('.inspector h2').innerText(), /head 2/);
    const [state, shown] = [await open.state(), await cells(open, 'weights')];
    assert.ok(state);
    const again = await openPage({ state });
    assert.equal(await again.page.locator('[role=radio][aria-checked=true]').innerText(), 'Head 2');
    assert.deepEqual(await cells(again, 'weights'), shown);
    await again.close();
  });

  it('walks from a cell to the head that made it', async () => {
    await open.explain(explanation(textSpec(sentence, { heads: 4, outputProjection: { from: 'random' } })));
    await goTo(open, 'concat');
    const { page } = open;
    await page.locator('[role=grid][data-matrix=concat] [data-row="0"][data-column="25"]').click();
    // Column 25 of four heads of 8 columns: head 3, column 1.
    await page.locator('.inspector .walk[data-step=headOutputs]').first().click();
    await page.locator('.stage[data-current-step=headOutputs]').waitFor();
    await open.ready();
    assert.equal(await page.locator('[role=radio][aria-checked=true]').innerText(), 'Head 3');
  });

  it('is not there where a step has one matrix', async () => {
    await open.explain(explanation(textSpec(sentence, { heads: 2 })));
    await goTo(open, 'x');
    assert.equal(await open.page.locator('.slices').isVisible(), false);
  });
});
