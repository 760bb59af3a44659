import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeNumber } from '../../../engine/index';
import { eachPage } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { catExplanation, explanation, textSpec, theCat, words, type Steps } from '../inputs';
import { assertMatrix, cells, choose, goTo, type } from '../page-driver';

const file = join(__dirname, '../../fixtures/attention/the-cat-edited.json');
const { differences } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly differences: Readonly<Record<string, Steps>>;
};

const tool = (open: OpenPage, name: string | RegExp): ReturnType<OpenPage['page']['locator']> =>
  open.page.locator('.stage-tools').getByRole('button', { name });

async function pin(open: OpenPage): Promise<void> {
  await tool(open, 'Pin to compare').click();
  await open.ready();
}

const status = async ({ page }: OpenPage): Promise<string> => page.locator('.tool-text.pinned').innerText();

/** The largest |difference| of a matrix, and its place. */
function largestOf(rows: Steps[string]): { readonly size: number; readonly row: number; readonly column: number } {
  let most = { size: 0, row: 0, column: 0 };
  rows.forEach((numbers, row) =>
    numbers.forEach((number, column) => {
      const size = Math.abs(decodeNumber(number));
      if (size > most.size) most = { size, row, column };
    }),
  );
  return most;
}

describe('comparing in the page', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  it('takes no line of its own until something is pinned: the picture begins higher', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    const top = async (selector: string): Promise<number> => (await open.page.locator(selector).first().boundingBox())?.y ?? NaN;
    const motion = await top('.stage > .motion');
    assert.ok(Math.abs((await top('[data-tool=pin]')) - motion) < 24, 'beside the motion');
    assert.ok((await top('.stage > .picture')) > motion + 20, 'the picture stands below both');
    await pin(open);
    const line = await open.page.locator('.stage-tools').boundingBox();
    assert.ok(line && line.y + line.height <= (await top('.stage > .motion')), 'what is said of a pin is above');
  }); // prettier-ignore

  for (const [name, control, choice, says] of [
    ['unscaled', 'scale', 'None', 'Scale'],
    ['concatenated', 'positions', 'concatenated', 'Positions'],
    ['causal', 'mask', 'Causal', 'Mask'],
  ] as const) {
    it(`${name}: the difference of every step is what NumPy subtracts`, async () => {
      await open.explain(catExplanation);
      await pin(open);
      assert.match(await status(open), /Now change something/);
      await choose(open, control, choice);
      const { page } = open;
      for (const [step, rows] of Object.entries(differences[name] ?? {})) {
        await goTo(open, step);
        const { size, row, column } = largestOf(rows);
        const button = page.locator(`.timeline [data-step="${step}"]`);
        if (size === 0) {
          assert.equal(await button.getAttribute('data-differs'), null, step);
          assert.match(await status(open), /is the same in both/);
          assertMatrix(await cells(open, step), theCat.default[step] ?? [], step);
          continue;
        }
        assertMatrix(await cells(open, step), rows, step);
        assert.match((await button.getAttribute('aria-description')) ?? '', /^differs by up to/);
        assert.match(await status(open), new RegExp(`Changed since then: ${says}\\.`));
        const said = Number(/most by ([\d.e−]+)/.exec(await status(open))?.[1]?.replace('−', '-'));
        assert.ok(Math.abs(said - size) <= 0.006 * size, `${step}: says ${said}, NumPy has ${size}`);
        await tool(open, /^row /).click();
        await open.ready();
        const selected = page.locator(`.picture-layer [data-matrix="${step}"] [aria-selected=true]`);
        const place = [await selected.getAttribute('data-row'), await selected.getAttribute('data-column')];
        const there = decodeNumber(rows[Number(place[0])]?.[Number(place[1])] ?? 0);
        assert.ok(Math.abs(Math.abs(there) - size) < 1e-12, `${step}: goes to ${place.join()}, not ${row},${column}`);
      }
    });
  }

  it('shows both values of the selected cell, and the values instead of the difference', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    await pin(open);
    await choose(open, 'mask', 'Causal');
    const { page } = open;
    await page.locator('.picture-layer [data-matrix=weights] [data-row="1"][data-column="0"]').click();
    const value = async (name: string): Promise<number> =>
      Number(await page.locator(`[data-compared="${name}"] b`).getAttribute('data-value'));
    const then = decodeNumber(theCat.default['weights']?.[1]?.[0] ?? 0);
    const now = decodeNumber(theCat.causal['weights']?.[1]?.[0] ?? 0);
    assert.ok(Math.abs((await value('pinned')) - then) < 1e-12);
    assert.ok(Math.abs((await value('now')) - now) < 1e-12);
    assert.ok(Math.abs((await value('difference')) - (now - then)) < 1e-12);
    await tool(open, 'Difference').click();
    await open.ready();
    assertMatrix(await cells(open, 'weights'), theCat.causal['weights'] ?? [], 'weights');
    assert.equal(await tool(open, 'Difference').getAttribute('aria-pressed'), 'false');
    await tool(open, 'Unpin').click();
    await open.ready();
    assert.equal(await page.locator('[data-differs], .tool-text.pinned, [data-compared]').count(), 0);
    assert.ok(await tool(open, 'Pin to compare').isVisible());
  });

  it('says where shapes differ, and what the pinned computation does not have', async () => {
    await open.explain(catExplanation);
    await pin(open);
    await type(open, 'dK', '4');
    await goTo(open, 'q');
    assert.match(await status(open), /Q was 6×8 and is now 6×4: the shapes differ/);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'mask');
    assert.match(await status(open), /the pinned computation has no H here/);
    await goTo(open, 'scores');
    assert.match(await status(open), /S differs most by/);
  });

  it('survives a reload, and compares another input of the same shape', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    await pin(open);
    await choose(open, 'mask', 'Causal');
    const [state, shown, said] = [await open.state(), await cells(open, 'weights'), await status(open)];
    assert.ok(state);
    const again = await openPage({ state });
    assert.deepEqual(await cells(again, 'weights'), shown);
    assert.equal(await status(again), said);
    await again.explain(explanation(textSpec('The dog sat on the log')));
    assert.match(await status(again), /Changed since then: the input/);
    assert.deepEqual(again.troubles, []);
    await again.close();
  });

  it('compares 200 tokens in a worker of its own', async () => {
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    await pin(open);
    await choose(open, 'scale', 'None');
    await open.page.locator('.timeline [data-step="weights"][data-differs]').waitFor();
    await tool(open, /^row /).click();
    await open.ready();
    assert.match(await status(open), /A differs most by 0\.\d+/);
  });
});
