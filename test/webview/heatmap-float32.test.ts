import assert from 'node:assert/strict';
import { openPage } from './harness';
import { fourExplanation } from './inputs';
import { goTo } from './page-driver';

describe('a heatmap of float32', function () {
  this.timeout(120_000);

  it('writes a number under the pointer with the digits that tell it from others, as tutorial 004 prints it', async () => {
    const open = await openPage();
    await open.explain(fourExplanation);
    await goTo(open, 'output');
    await open.page.locator('.heatmap[data-result] [data-row="1"][data-column="2"]').hover();
    const tip = open.page.locator('.heatmap-tip .number').filter({ visible: true });
    await tip.waitFor();
    assert.equal(await tip.innerText(), '−2.4440105');
    await open.close();
    assert.deepEqual(open.troubles, []);
  });
});
