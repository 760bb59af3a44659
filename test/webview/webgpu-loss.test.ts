import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation, textSpec, words } from './inputs';

const read = (name: string): string => readFileSync(join(__dirname, name), 'utf8');
const before = `globalThis.workerPlan = { hold: 'compute' };\n${read('slow-worker.js')}\n${read('lose-gpu.js')}`;
// Beyond the GPU's border, on which WebAssembly may stand in too.
const settings = { backend: 'webgpu', digits: 2 } as const;
const large = explanation(textSpec(words(1100)), { label: 'large.md' });

describe('a GPU that is lost while its preview is looked at', function () {
  this.timeout(240_000);
  let open: OpenPage;
  quietly(() => open);

  const badge = async (text: RegExp): Promise<void> =>
    open.page.locator('[data-badge]').filter({ hasText: text }).waitFor({ state: 'attached', timeout: 120_000 });
  const pictured = async (step: string): Promise<void> => {
    await open.page.locator(`.timeline [data-step=${step}]`).click();
    await open.page.locator('.picture-layer .heatmap[data-drawn]').first().waitFor({ timeout: 120_000 });
  };

  it('leaves the panel as it is: WebAssembly has the pictures, the processor the digits', async () => {
    open = await openPage({ before });
    const { page } = open;
    await open.send({ type: 'explain', explanation: large, settings });
    await badge(/preview by WebGPU · exact values follow/);
    await pictured('weights');
    const state = await open.state();
    assert.equal(await page.evaluate('loseGpu()'), 1, 'devices');
    assert.deepEqual(await open.state(), state);
    await pictured('scores'); // never read before: nobody has it but who computes it now
    await page.evaluate('releaseWorkers()');
    await badge(/preview by WASM · exact float64 by CPU · differ by at most \S+ in .* · no GPU: device lost/);
    await page.locator('.inspector-value').waitFor();
    const after = await open.state();
    assert.deepEqual({ ...after, step: state?.step }, state);
    assert.equal(after?.step, 'scores');
    // The next preview has a device of its own again.
    const next = explanation(textSpec(words(1090)), { label: 'next.md' });
    await open.send({ type: 'explain', explanation: next, settings });
    await badge(/preview by WebGPU · exact values follow/);
  });
});
