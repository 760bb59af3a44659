import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixDefaults } from '../../../engine/index';
import type { Explanation } from '../../../webview/protocol';
import { eachPage } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { catExplanation, explanation, fourExplanation, sentence, textSpec, theCat, type Steps } from '../inputs';
import { assertMatrix, cells, choose, currentStep, goTo, openControls } from '../page-driver';

const file = join(__dirname, '../../fixtures/attention/the-cat-edited.json');
const { edits: numpy } = JSON.parse(readFileSync(file, 'utf8')) as { readonly edits: Readonly<Record<string, Steps>> };

const at = (matrix: string, row: number, column: number): string =>
  `.picture-layer [data-matrix="${matrix}"] [data-row="${row}"][data-column="${column}"]`;

async function put(
  open: OpenPage,
  matrix: string,
  [row, column]: readonly [number, number],
  text: string,
): Promise<void> {
  const { page } = open;
  await page.locator(at(matrix, row, column)).click();
  await page.keyboard.press('F2');
  await page.locator('.cell-input').fill(text);
  await page.keyboard.press('Enter');
  await open.ready();
}

async function assertAll(open: OpenPage, expected: Steps | undefined): Promise<void> {
  assert.ok(expected);
  for (const [id, rows] of Object.entries(expected)) {
    await goTo(open, id);
    assertMatrix(await cells(open, id), rows, id);
  }
}

describe('writing into cells in the page', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  for (const [step, place, text] of [
    ['table', [1, 0], '1/3'],
    ['positions', [2, 3], '-1e-3'],
    ['wk', [2, 3], '.5'],
  ] as const) {
    it(`${step}: every step after it has NumPy’s numbers for the written cell, and undo has the old ones`, async () => {
      await open.explain(catExplanation);
      await goTo(open, step);
      await put(open, step, place, text);
      await assertAll(open, numpy[step]);
      await open.page.keyboard.press('Control+z');
      await open.ready();
      assertMatrix(await cells(open, 'output'), theCat.default['output'] ?? [], 'output');
      await open.page.keyboard.press('Control+Shift+z');
      await open.ready();
      assertMatrix(await cells(open, 'output'), numpy[step]?.['output'] ?? [], 'output');
    });
  }

  it('mask: a key that is shown to a query after all', async () => {
    await open.explain(explanation(textSpec(sentence, { mask: 'causal' })));
    await goTo(open, 'mask');
    await put(open, 'mask', [0, 5], '0');
    await assertAll(open, numpy['mask']);
  });

  it('opens by Enter, F2, a double click and the first character of a number, and leaves by Escape', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wq');
    const { page } = open;
    const input = page.locator('.cell-input');
    const cell = page.locator(at('wq', 2, 3));
    const value = await cell.getAttribute('data-value');
    await cell.click();
    for (const key of ['Enter', 'F2']) {
      await page.keyboard.press(key);
      assert.equal(await input.inputValue(), value, key);
      assert.equal(await input.getAttribute('aria-label'), 'W\u00a0q, row 2, column 3');
      await page.keyboard.press('Escape');
      assert.equal(await input.isVisible(), false);
      assert.ok(await cell.evaluate((node) => node === document.activeElement), key);
    }
    await cell.dblclick();
    assert.equal(await input.inputValue(), value);
    await page.keyboard.press('Escape');
    await page.keyboard.press('-');
    assert.equal(await input.inputValue(), '-');
    await page.keyboard.type('2.5');
    await page.keyboard.press('Enter');
    await open.ready();
    assert.equal(await cell.getAttribute('data-value'), '-2.5');
    assert.ok(await cell.evaluate((node) => node === document.activeElement), 'the keyboard is at its cell again');
    assert.equal(await currentStep(open), 'wq');
  });

  describe('typed over a cell', () => {
    const start = async (): Promise<void> => {
      await open.explain(catExplanation);
      await goTo(open, 'wq');
      await open.page.locator(at('wq', 2, 3)).click();
    };
    const valueNow = (): Promise<string | null> => open.page.locator(at('wq', 2, 3)).getAttribute('data-value');
    const press = async (keys: readonly string[]): Promise<void> => {
      for (const key of keys) await open.page.keyboard.press(key);
    };
    const elsewhere = 'a click elsewhere';
    const leave = (by: string): Promise<void> =>
      by === elsewhere ? open.page.locator('#stage-title').click() : open.page.keyboard.press(by);

    for (const [keys, expected] of [
      [['3'], '3'],
      [['7', 'Backspace', '7'], '7'],
      [['0'], '0'],
      [['-', '2', '.', '5'], '-2.5'],
      [['i', 'n', 'f'], 'Infinity'],
    ] as const) {
      for (const by of ['Enter', 'Tab', elsewhere]) {
        it(`${keys.join(' ')} and ${by} is ${expected}`, async () => {
          await start();
          await press(keys);
          await leave(by);
          await open.ready();
          assert.equal(await valueNow(), expected);
          assert.equal(await open.page.locator('.cell-editor').isVisible(), false);
        });
      }
    }

    for (const typed of ['-', 'n', '1e']) {
      for (const by of ['Enter', 'Tab', elsewhere]) {
        it(`${typed} and ${by} stays with its reason, and is gone on with`, async () => {
          await start();
          const before = await valueNow();
          await press([...typed]);
          await leave(by);
          const input = open.page.locator('.cell-input');
          assert.equal(await input.inputValue(), typed);
          assert.equal(await input.getAttribute('aria-invalid'), 'true');
          assert.match(await open.page.locator('.cell-problem').innerText(), new RegExp(`found “${typed}”`));
          assert.equal(await valueNow(), before);
          await input.press('End');
          await press([...({ '-': '4', n: 'an', '1e': '-3' }[typed] ?? ''), 'Enter']);
          await open.ready();
          assert.equal(await valueNow(), { '-': '-4', n: 'NaN', '1e': '0.001' }[typed]);
        });
      }
    }

    it('is given up by Escape, and nothing was written', async () => {
      await start();
      const before = await valueNow();
      for (const keys of [['3'], ['-', 'Enter'], ['7', 'Backspace', 'Enter']]) {
        await press([...keys, 'Escape']);
        assert.equal(await open.page.locator('.cell-editor').isVisible(), false, String(keys));
        assert.equal(await valueNow(), before, String(keys));
      }
      assert.equal(await open.page.getByRole('button', { name: 'Take back' }).count(), 0);
    });

    it('says that nothing stands there where all was deleted, however the field was opened', async () => {
      await start();
      for (const opening of [['7'], ['F2']]) {
        await press([...opening, 'Control+a', 'Backspace', 'Enter']);
        assert.match(await open.page.locator('.cell-problem').innerText(), /expected a number, found nothing/);
        await press(['Escape']);
      }
    });

    it('waits unread while another cell is typed into, and at another step, and lands in its own cell', async () => {
      await start();
      const { page } = open;
      await press(['-']);
      await page.locator(at('wq', 0, 0)).click();
      await press(['5']);
      const input = page.locator('.cell-input');
      assert.equal(await input.inputValue(), '-');
      assert.ok(await input.evaluate((node) => node === document.activeElement));
      await goTo(open, 'weights');
      assert.equal(await input.inputValue(), '-');
      const box = await input.boundingBox();
      assert.ok(box && box.x > 20 && box.y > 20, 'where it was');
      await input.fill('-6');
      await input.press('Enter');
      await open.ready();
      await goTo(open, 'wq');
      assert.equal(await valueNow(), '-6');
    });
  });

  it('says of drawn weights that they were drawn and which cells were then changed, and of the others that they were drawn', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wq');
    const lead = open.page.locator('.lead');
    const drawn = (await lead.textContent()) ?? '';
    assert.match(drawn, /drawn/);
    await put(open, 'wq', [1, 2], '0.5');
    await lead.getByText('You then changed').waitFor();
    assert.equal(await lead.textContent(), `${drawn} You then changed W\u00a0q[1, 2].`);
    await open.page
      .locator('.inspector .note', { hasText: /^You entered this number; it was drawn as −?\d/ })
      .waitFor();
    await open.page.locator(at('wq', 0, 0)).click();
    await open.page.locator('.inspector .note', { hasText: 'kept as it was drawn' }).waitFor();
    await goTo(open, 'wk');
    assert.match(await lead.innerText(), /drawn/);
    assert.doesNotMatch(await lead.innerText(), /you gave|You then/);
    await goTo(open, 'wq');
    for (const column of [3, 4, 5]) await put(open, 'wq', [1, column], '1');
    await lead.getByText('W q[1, 4] and 1 more cell.').waitFor();
  });

  it('says at the cell what is no number, and keeps it', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wq');
    const { page } = open;
    await put(open, 'wq', [0, 0], '0,5');
    const input = page.locator('.cell-input');
    assert.equal(await input.inputValue(), '0,5');
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    assert.match(await page.locator('.cell-problem').innerText(), /expected a number, found “0,5”/);
    await input.fill('-inf');
    await page.keyboard.press('Enter');
    await open.ready();
    assert.equal(await page.locator(at('wq', 0, 0)).getAttribute('data-value'), '-Infinity');
  });

  it('says why a cell cannot be written into', async () => {
    await open.explain(catExplanation);
    const { page } = open;
    const said = async (step: string): Promise<string> => {
      await goTo(open, step);
      await page.locator(at(step, 0, 0)).click();
      await page.keyboard.press('F2');
      const text = await page.locator('.cell-problem').innerText();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.cell-editor').isVisible(), false);
      return text;
    };
    assert.equal(await said('scores'), 'S is computed. Change what it is made from.');
    assert.match(await said('tokens'), /the ids come from the text/);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'mask');
    await put(open, 'mask', [0, 1], '0.5');
    assert.match(await page.locator('.cell-problem').innerText(), /0 \(visible\) or 1 \(hidden\), found 0.5/);
  });

  it('marks what was written and what became another number by it, for eyes and for screen readers', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wk');
    const { page } = open;
    const cell = page.locator(at('wk', 2, 3));
    const was = (await cell.getAttribute('data-value')) ?? '';
    await put(open, 'wk', [2, 3], '0.5');
    const name = new RegExp(`edited, was ${was.replace('-', '−').replace('.', '\\.')}$`);
    assert.match((await cell.getAttribute('aria-label')) ?? '', name);
    assert.equal(await cell.getAttribute('data-mark'), 'edited');
    assert.equal(await page.locator(at('wk', 2, 4)).getAttribute('data-mark'), null);
    await goTo(open, 'k');
    // Marked a frame after the new numbers are shown.
    await page.locator(`${at('k', 1, 3)}[data-mark="changed"]`).waitFor({ state: 'attached' });
    assert.equal(await page.locator(at('k', 1, 4)).getAttribute('data-mark'), null);
    assert.equal(await page.locator(at('wk', 2, 3)).getAttribute('data-mark'), 'edited');
    const before = (theCat.default['k']?.[1]?.[3] as number).toPrecision(4);
    assert.ok(
      (await page.locator(at('k', 1, 3)).getAttribute('aria-label'))?.includes(
        `was ${Number(before)}`.replace('-', '−'),
      ),
    );
    await page.getByRole('button', { name: 'Take back' }).click();
    await open.ready();
    assert.equal(await page.locator('[data-mark]').count(), 0);
    assertMatrix(await cells(open, 'k'), theCat.default['k'] ?? [], 'k');
  });

  it('pastes a matrix in any notation, and says both shapes where it does not fit', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wv');
    const { page } = open;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const pasteText = async (text: string): Promise<void> => {
      await page.evaluate((t) => navigator.clipboard.writeText(t), text);
      await page.locator(at('wv', 1, 1)).click();
      await page.keyboard.press('Control+v');
      await open.ready();
    };
    await pasteText('[[1, 2], [3, 4]]');
    assert.equal(await page.locator('.cell-problem').textContent(), 'the pasted matrix is 2×2, W\u00a0v is 16×8');
    const rows = Array.from({ length: 16 }, (_, i) => Array.from({ length: 8 }, (__, j) => (8 * i + j) / 64));
    await pasteText(`W = [${rows.map((row) => row.join(' ')).join('; ')}];`);
    assertMatrix(await cells(open, 'wv'), rows, 'wv');
    await assertAll(open, numpy['wv']);
  });

  it('is there again after a reload, and is reset with the switches', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wk');
    await put(open, 'wk', [2, 3], '0.5');
    await goTo(open, 'weights');
    const [state, shown] = [await open.state(), await cells(open, 'weights')];
    assert.ok(state);
    const again = await openPage({ state });
    assert.deepEqual(await cells(again, 'weights'), shown);
    await goTo(again, 'wk');
    assert.equal(await again.page.locator(at('wk', 2, 3)).getAttribute('data-mark'), 'edited');
    await choose(again, 'mask', 'Causal');
    await openControls(again);
    await again.page.locator('#controls vscode-button', { hasText: 'Reset' }).click();
    await again.ready();
    await goTo(again, 'weights');
    assertMatrix(await cells(again, 'weights'), theCat.default['weights'] ?? [], 'weights');
    assert.deepEqual(again.troubles, []);
    await again.close();
  });

  it('says when what was written has no place any more', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'wq');
    await put(open, 'wq', [15, 7], '1');
    await choose(open, 'projections', 'Q = K = V = X');
    assert.match(await open.page.locator('.banners').innerText(), /wq\[15, 7\] = 1 waits: there is no wq now/);
    await choose(open, 'projections', 'Random weights');
    await goTo(open, 'wq');
    assert.equal(await open.page.locator(at('wq', 15, 7)).getAttribute('data-value'), '1');
  });

  it('asks the host to write back, and takes what was written for the input’s own', async () => {
    const { page } = open;
    const source = { uri: 'file:///x.py', range: { start: 0, end: 20 }, textHash: '0123456789abcdef' };
    const given = (x: number): Explanation =>
      explanation({ ...matrixDefaults, start: { from: 'x', x: [[1, 2], [x, 4]] } }, source); // prettier-ignore
    await open.explain(given(3));
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'x');
    assert.equal(await page.getByRole('button', { name: 'Write back' }).count(), 0);
    await put(open, 'x', [1, 0], '-1/4');
    await page.getByRole('button', { name: 'Write back' }).click();
    assert.deepEqual((await open.messages()).at(-1), {
      type: 'writeBack',
      textHash: source.textHash,
      matrices: [{ role: 'x', symbol: 'X', shape: [2, 2], was: [1, 2, 3, 4], now: [1, 2, -0.25, 4] }],
    });
    await open.explain(given(-0.25));
    const { switches } = (await open.state()) ?? {};
    assert.deepEqual([switches?.edits, switches?.mask], [[], 'causal']);
    assert.equal(await page.locator('[data-mark]').count(), 0);
    await open.explain(given(7));
    assert.equal((await open.state())?.switches.mask, 'none', 'another input comes with its own switches');
  });

  it('writes into given matrices as they are rounded by their dtype', async () => {
    await open.explain(fourExplanation);
    await goTo(open, 'x');
    await put(open, 'x', [0, 0], '0.1');
    assert.equal(await open.page.locator(at('x', 0, 0)).getAttribute('data-value'), String(Math.fround(0.1)));
  });
});
