import assert from 'node:assert/strict';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation, textSpec, words } from './inputs';
import { goTo } from './page-driver';
import { letWorkersGo, slowWorkers, type Rows } from './slow-workers';

// An overview is computed by two workers, one of which may be lost: the picture is the same.

// Not held; nine stripes.
const huge = explanation(textSpec(words(12_000), { mask: 'causal' }), { label: 'huge.md' });

describe('an overview by two workers', function () {
  this.timeout(180_000);
  let open: OpenPage;
  quietly(() => open);

  /** The picture of the weights, once all of it is there. */
  async function weightsBy(rows: Rows, meanwhile: () => Promise<void> = async () => undefined): Promise<string> {
    open = await openPage({ before: slowWorkers(rows) });
    const { page } = open;
    await open.explain(huge);
    await goTo(open, 'weights');
    await meanwhile();
    const map = page.locator('.picture-layer .heatmap[data-result][data-drawn]');
    await map.locator('.heatmap-note', { hasText: 'each tile' }).waitFor({ timeout: 120_000 });
    await page.locator('.picture-layer .heatmap[data-result][data-sharp=true]').waitFor();
    return map
      .locator('canvas')
      .first()
      .evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  }

  /** What the second worker was asked, in order. */
  const asked = (start: string): Promise<void> =>
    open.page.locator(`html[data-rows^="${start}"]`).waitFor({ state: 'attached', timeout: 60_000 });

  let byOne = '';
  it('one processor: by one worker', async () => {
    byOne = await weightsBy({ processors: 1 });
    assert.ok(byOne.length > 5_000, `a picture of ${byOne.length} characters`);
    assert.equal(await open.page.locator('html[data-rows]').count(), 0);
  });

  it('two processors: by two workers, the same picture', async () => {
    assert.ok((await weightsBy({ processors: 2 })) === byOne, 'another picture');
    // On a busy machine the first may do nearly all while the second starts.
    await asked('started beginStripes stripe');
  });

  it('can be cancelled and goes on with the same second worker', async () => {
    const cancelled = async (): Promise<void> => {
      await asked('started beginStripes stripe');
      const map = open.page.locator('.picture-layer .heatmap[data-result]');
      const button = map.locator('.heatmap-growth');
      await button.getByText('Cancel').click();
      await map.locator('.heatmap-note', { hasText: /computed, cancelled$/ }).waitFor();
      await letWorkersGo(open.page);
      await button.getByText('Continue').click();
    };
    assert.ok((await weightsBy({ processors: 2, held: true }, cancelled)) === byOne, 'another picture');
    assert.equal((await open.page.locator('html').getAttribute('data-rows'))?.match(/started/g)?.length, 1);
  });

  for (const loss of ['error', 'silence'] as const) {
    it(`a second worker that is lost by ${loss} is no error: the same picture`, async () => {
      assert.ok((await weightsBy({ processors: 2, loss })) === byOne, 'another picture');
      await asked('started beginStripes stripe');
    });
  }
});
