import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainAttention } from '../../engine/index';
import { catExplanation, explanation, textSpec, theCat, words } from './inputs';
import { quietly } from './each-page';
import { openPage, type OpenPage, type OpenOptions } from './harness';
import { assertMatrix, cells, choose, goTo, openControls } from './page-driver';

const slowWorker = readFileSync(join(__dirname, 'slow-worker.js'), 'utf8');

/** What a worker is held back from until `releaseWorkers()`; answered in its place; or made to die of. */
interface Plan {
  readonly hold?: string;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly crash?: string;
}

const planned = (plan: Plan = {}): OpenOptions => ({
  before: `globalThis.workerPlan = ${JSON.stringify(plan)};\n${slowWorker}`,
});

const workersOf = ({ page }: OpenPage): Promise<{ started: number; gpuAsked: number }> =>
  page.evaluate('workers') as Promise<{ started: number; gpuAsked: number }>;

const badgeOf = ({ page }: OpenPage): Promise<string> => page.locator('[data-badge]').innerText();
const waitForBadge = async ({ page }: OpenPage, text: RegExp): Promise<void> =>
  page.locator('[data-badge]').filter({ hasText: text }).waitFor({ state: 'attached', timeout: 60_000 });

// 400 tokens: 400²·16 multiply-adds and more, a worker's work. 1,100: beyond the GPU's border.
const medium = explanation(textSpec(words(400)), { label: 'medium.md' });
const large = explanation(textSpec(words(1100)), { label: 'large.md' });

describe('computing', function () {
  this.timeout(180_000);
  let open: OpenPage;
  const start = async (plan?: Plan): Promise<void> => void (open = await openPage(planned(plan)));
  quietly(() => open);

  it('small inputs are computed at once, without a worker and without a GPU', async () => {
    await start();
    await open.explain(catExplanation);
    assert.deepEqual(await workersOf(open), { started: 0, gpuAsked: 0 });
    assert.equal(await badgeOf(open), 'float64 · CPU · random weights');
    await open.page.setViewportSize({ width: 546, height: 700 });
    await open.page.waitForFunction(() => innerWidth === 546);
    assert.equal(
      await open.page.locator('.report').innerText(),
      'random weights',
      'what the pattern rests on is said in a narrow panel too',
    );
  });

  it('larger ones in a worker, with the same numbers', async () => {
    await start();
    await open.explain(medium);
    assert.deepEqual(await workersOf(open), { started: 1, gpuAsked: 0 });
    const trace = explainAttention(medium.spec);
    assert.ok(trace.ok);
    for (const step of ['scores', 'weights', 'output']) {
      await goTo(open, step);
      await open.page.locator('.inspector [data-value]').first().waitFor();
      const index = (await open.state())?.cell ?? [];
      const shown = await open.page.locator('.inspector-value').getAttribute('data-value');
      assert.equal(Number(shown), trace.value.value(step, index), `${step}[${index.join()}]`);
    }
  });

  it('`cpu` asks for no GPU, whatever the size: WebAssembly draws the preview, without a complaint of the policy', async () => {
    await start();
    await open.explain(large, { backend: 'cpu' });
    await waitForBadge(open, /preview by WASM · exact float64 by CPU · differ by at most/);
    assert.deepEqual(await workersOf(open), { started: 2, gpuAsked: 0 });
    const [, bound = ''] = /differ by at most (\S+) in [A-Z]/.exec(await badgeOf(open)) ?? [];
    const value = Number(bound.replace('−', '-'));
    assert.ok(value > 0 && value < 1e-4, bound);
    assert.doesNotMatch(await badgeOf(open), /no GPU/);
  });

  it('shows WebAssembly’s preview until the exact values are there, and no digit of it', async () => {
    await start({ hold: 'compute' });
    const { page } = open;
    await open.send({ type: 'explain', explanation: large, settings: { backend: 'cpu', digits: 2 } });
    await waitForBadge(open, /preview by WASM · exact values follow/);
    await page.locator('.timeline [data-step=scores]').click();
    await page.locator('.picture-layer .heatmap[data-drawn]').first().waitFor();
    assert.equal(await page.locator('.inspector [data-value], .picture-layer [data-value]').count(), 0);
    await page.evaluate('releaseWorkers()');
    await waitForBadge(open, /differ by at most/);
  });

  it('`auto` wants a GPU above the border, and says that a software adapter is none', async () => {
    await start();
    await open.explain(large);
    await waitForBadge(open, /no GPU: software adapter/);
    assert.equal((await workersOf(open)).started, 2);
    assert.match((await open.page.locator('[data-badge]').getAttribute('title')) ?? '', /swiftshader/);
  });

  it('`webgpu` compares at any size, on a software adapter too', async () => {
    await start();
    await open.explain(catExplanation, { backend: 'webgpu' });
    await waitForBadge(open, /differ by at most/);
    const [, bound = ''] = /differ by at most (\S+) in [A-Z]/.exec(await badgeOf(open)) ?? [];
    const value = Number(bound.replace('−', '-'));
    assert.ok(value > 0 && value < 1e-4, bound);
    await goTo(open, 'scores');
    assertMatrix(await cells(open, 'scores'), theCat.default['scores'] as number[][], 'scores');
  });

  it('shows the GPU’s preview until the exact values are there, and no digit of it', async () => {
    await start({ hold: 'compute' });
    const { page } = open;
    await open.send({ type: 'explain', explanation: large, settings: { backend: 'webgpu', digits: 2 } });
    await waitForBadge(open, /preview by WebGPU · exact values follow/);
    await page.locator('.timeline [data-step=scores]').click();
    await page.locator('.picture-layer .heatmap[data-drawn]').first().waitFor();
    assert.equal(await page.locator('body').getAttribute('data-ready'), null);
    assert.equal(await page.locator('.inspector [data-value], .picture-layer [data-value]').count(), 0);
    assert.equal(await page.locator('[data-progress]').isVisible(), true);
    await page.evaluate('releaseWorkers()');
    await waitForBadge(open, /differ by at most/);
    await open.ready();
    await page.locator('.inspector-value').waitFor();
    assert.equal(await page.locator('[data-progress]').isVisible(), false);
  });

  for (const [code, said] of [
    ['no-webgpu', 'no WebGPU'],
    ['no-adapter', 'no adapter'],
    ['device-lost', 'device lost'],
    ['out-of-memory', 'out of memory'],
  ] as const) {
    it(`falls back when there is ${said}`, async () => {
      await start({ answer: { preview: { ok: false, problems: [{ code, message: `the long story of ${code}` }] } } });
      await open.explain(large);
      await waitForBadge(open, new RegExp(`float64 · CPU · no GPU: ${said}`));
      assert.match(
        (await open.page.locator('[data-badge]').getAttribute('title')) ?? '',
        new RegExp(`story of ${code}`),
      );
    });
  }

  it('shows progress, and Cancel goes back to what is shown', async () => {
    await start({ hold: 'compute' });
    await open.explain(explanation(textSpec(words(150)), { label: 'lesson.md:12' }));
    await goTo(open, 'q');
    await openControls(open);
    const before = [await open.state(), await cells(open, 'q')];
    const { page } = open;
    const width = page.locator('[data-control=dModel] input');
    await width.fill('4096');
    await width.press('Enter');
    await page.locator('[data-progress]').waitFor();
    assert.match(await page.locator('[data-progress]').innerText(), /Computing/);
    assert.deepEqual(await cells(open, 'q'), before[1]);
    await page.locator('[data-progress] vscode-button').click();
    await page.locator('[data-progress]').waitFor({ state: 'hidden' });
    assert.deepEqual([await open.state(), await cells(open, 'q')], before);
    assert.equal(await width.inputValue(), '16');
    await choose(open, 'dtype', 'float32');
    assert.notDeepEqual(await cells(open, 'q'), before[1]);
  });

  it('names the step that is being computed', async () => {
    await start();
    await open.send({
      type: 'explain',
      // Just below where n×m steps are no longer held: two seconds of work.
      explanation: explanation(textSpec(words(2400))),
      settings: { backend: 'cpu', digits: 2 },
    });
    await open.page.locator('[data-progress]', { hasText: /Computing [A-Z][a-z ]+ \(\d+ of \d+\)/ }).waitFor();
  });

  it('a new input cancels the one under way', async () => {
    await start({ hold: 'compute' });
    await open.send({ type: 'explain', explanation: medium, settings: { backend: 'cpu', digits: 2 } });
    await open.page.locator('[data-progress]').waitFor();
    await open.explain(catExplanation);
    assert.equal(await open.page.locator('.source').innerText(), 'lesson.md:12');
    assert.equal(await open.page.locator('[data-progress]').isVisible(), false);
  });

  it('says so when the worker dies, and keeps what is shown', async () => {
    await start({ crash: 'compute' });
    await open.explain(catExplanation);
    await open.send({ type: 'explain', explanation: medium, settings: { backend: 'cpu', digits: 2 } });
    const banner = open.page.locator('.banner.error');
    await banner.waitFor();
    assert.match(await banner.innerText(), /could not compute: the worker failed: out of memory/);
    assert.match(await banner.innerText(), /Still showing lesson\.md:12/);
  });

  it('says so when no worker can be made, before anything is shown', async () => {
    open = await openPage({
      before: "globalThis.Worker = class { constructor() { throw new Error('blob: is refused'); } };",
    });
    await open.send({ type: 'explain', explanation: medium, settings: { backend: 'cpu', digits: 2 } });
    const said = open.page.locator('.root', { hasText: /no worker can be started: blob: is refused/ });
    await said.waitFor();
    assert.match(await said.innerText(), /Select fewer tokens, or report the issue/);
  });

  it('says so when the worker dies before anything is shown', async () => {
    await start({ crash: 'compute' });
    await open.send({ type: 'explain', explanation: medium, settings: { backend: 'cpu', digits: 2 } });
    await open.page.locator('.root', { hasText: /could not compute: the worker failed: out of memory/ }).waitFor();
  });

  it('shows what it is given where a state can be neither saved nor read back', async () => {
    open = await openPage({
      before: `globalThis.unsaved = 0;
        let acquire = globalThis.acquireVsCodeApi;
        const broken = { getState() { throw new Error('unreadable'); }, setState() { unsaved++; throw new Error('too large'); } };
        Object.defineProperty(globalThis, 'acquireVsCodeApi', { set: (own) => (acquire = own), get: () => () => ({ ...acquire(), ...broken }) });`,
    });
    await open.explain(catExplanation);
    assert.ok(Number(await open.page.evaluate('unsaved')) > 0);
  });

  it('computes two of fifty that come in a row while the first is computed, and shows the last', async () => {
    await start({ hold: 'compute' });
    await open.page.evaluate((first) => {
      for (let i = 0; i < 50; i++) {
        const source = { ...first.source, label: `medium-${i}.md` };
        window.postMessage({ type: 'explain', explanation: { ...first, source }, settings: { backend: 'cpu', digits: 2 } }, '*');
      }
    }, medium);
    await open.page.waitForTimeout(1000);
    const { started } = await workersOf(open);
    assert.ok(started <= 2, `${started} workers`);
    await open.page.evaluate('releaseWorkers()');
    await open.ready();
    await open.page.locator('.root', { hasText: 'medium-49.md' }).waitFor();
    assert.equal((await workersOf(open)).started, started);
  }); // prettier-ignore

  it('begins anew where a saved state is damaged', async () => {
    await start();
    await open.explain(catExplanation);
    const good = await open.state();
    for (const damage of [
      { past: 5 },
      { past: [null] },
      { future: 'x' },
      { switches: 1 },
      { pinned: [] },
      { reading: 7 },
      { cuts: 3 },
    ]) {
      open = await openPage({ state: { ...(good as object), ...damage } } as unknown as OpenOptions);
      await open.explain(catExplanation);
    }
  });

  it('refuses what does not fit in memory, with the estimate', async () => {
    await start();
    await open.explain(catExplanation);
    await open.send({
      type: 'explain',
      explanation: explanation({ ...textSpec('a '.repeat(20_000)), dModel: 4096 }),
      settings: { backend: 'cpu', digits: 2 },
    });
    await open.page
      .locator('.banner.error', { hasText: /20000 tokens would need \d+ MB, the limit is 1074 MB/ })
      .waitFor();
  });
});
