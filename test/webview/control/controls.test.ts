import assert from 'node:assert/strict';
import { catExplanation, fourExplanation, qkExplanation, qkvExplanation, sentence, theCat } from '../inputs';
import { eachPage } from '../each-page';
import { type OpenPage } from '../harness';
import { assertMatrix, cell, cells, choose, currentStep, goTo, openControls, problemAt, type } from '../page-driver';

describe('the controls', function () {
  this.timeout(120_000);
  let open: OpenPage;
  eachPage((page) => (open = page));

  const matrix = (of: Readonly<Record<string, readonly (readonly (number | string)[])[]>>, name: string) =>
    of[name] as readonly (readonly number[])[];

  it('mask: hides later keys, as NumPy does', async () => {
    await open.explain(catExplanation);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'weights');
    assertMatrix(await cells(open, 'weights'), matrix(theCat.causal, 'weights'), 'weights');
    assert.ok(await open.page.locator('.timeline [data-step=mask]').isVisible());
    await choose(open, 'mask', 'None');
    assertMatrix(await cells(open, 'weights'), matrix(theCat.default, 'weights'), 'weights');
  });

  it('mask off again while it is looked at: its user takes its place', async () => {
    await open.explain(catExplanation);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'mask');
    await choose(open, 'mask', 'None');
    assert.equal(await currentStep(open), 'masked');
  });

  it('a mask of ones and zeros can be read either way round', async () => {
    const values = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]; // prettier-ignore
    const mask = { kind: 'boolean', values, trueMeans: 'hidden' } as const;
    await open.explain({ ...qkExplanation, spec: { ...qkExplanation.spec, mask } });
    await goTo(open, 'weights');
    assert.ok(Number.isNaN(await cell(open, 'weights', 3, 0)), 'a row that sees nothing');
    await openControls(open);
    const note = open.page.locator('[data-control-row=mask] .note');
    assert.match(await note.innerText(), /a 1 \(True\) is hidden: as masked_fill/);
    await choose(open, 'mask', 'As given, 1 is seen');
    assert.match(await note.innerText(), /may be seen/);
    assert.match(await open.page.locator('.banners').innerText(), /the other way round: a 1 \(True\) may be seen/);
    // The causal mask of tutorial 001, which prints these.
    assert.equal((await cell(open, 'weights', 1, 0)).toFixed(8), '0.52712553');
    assert.equal((await cell(open, 'weights', 3, 3)).toFixed(6), '0.138657');
    assert.match(
      await open.page.locator('[data-control-row=mask] .changed-mark').innerText(),
      /was As given, 1 is hidden/,
    );
    await choose(open, 'mask', 'As given, 1 is hidden');
    assert.ok(Number.isNaN(await cell(open, 'weights', 3, 0)));
  });

  it('sets the symbols of their explanations as symbols', async () => {
    await open.explain(catExplanation);
    await openControls(open);
    const note = open.page.locator('[data-control-row=projections] .note');
    assert.deepEqual(await note.locator('sub').allInnerTexts(), ['q', 'k', 'v']);
    assert.deepEqual(await open.page.locator('[data-control-row=bias] .note sub').allInnerTexts(), ['q', 'k', 'v']);
    // Names of configs, as o_proj, keep their underscore.
    assert.doesNotMatch(await open.page.locator('#controls').innerText(), /\b(?:[Wb]_[qkvOE]|d_(?:model|ff|k|v))\b/);
  });

  it('shows each choice whole', async () => {
    await open.explain(catExplanation);
    for (const text of ['Sinusoidal, concatenated', 'RoPE, adjacent pairs', 'Sinusoidal, interleaved']) {
      await choose(open, 'positions', text);
      const over = await open.page.locator('[data-control=positions]').evaluate((field) => {
        const chosen = field.shadowRoot?.querySelector('.selected-value');
        const range = document.createRange();
        if (chosen) range.selectNodeContents(chosen);
        return range.getBoundingClientRect().width - (chosen?.getBoundingClientRect().width ?? 0);
      });
      assert.ok(over <= 1, `${text} is cut off by ${over} px`);
    }
  });

  it('scale: none, and by any number', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'weights');
    await choose(open, 'scale', 'None');
    assertMatrix(await cells(open, 'weights'), matrix(theCat.unscaled, 'weights'), 'weights');
    await choose(open, 'scale', 'a number');
    await type(open, 'divideBy', '4');
    await goTo(open, 'scaled');
    assert.equal(await cell(open, 'scaled', 0, 0), (theCat.default['scores']?.[0]?.[0] as number) / 4);
  });

  it('convention: X·W and X·Wᵀ give other numbers; without given matrices it says why it is locked', async () => {
    await open.explain(fourExplanation);
    await goTo(open, 'weights');
    assert.equal((await cell(open, 'weights', 1, 1)).toFixed(7), '0.5462668');
    await choose(open, 'convention', 'X·W');
    assert.notEqual((await cell(open, 'weights', 1, 1)).toFixed(3), '0.546');
    await open.explain(catExplanation);
    await openControls(open);
    const row = open.page.locator('[data-control-row=convention]');
    assert.match(await row.locator('.note').innerText(), /Only given matrices/);
    assert.equal(await row.locator('vscode-dropdown').getAttribute('aria-disabled'), 'true');
  });

  it('precision: float32 rounds', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    await choose(open, 'dtype', 'float32');
    const value = await cell(open, 'scores', 0, 0);
    assert.equal(Math.fround(value), value);
    assert.match(await open.page.locator('[data-badge]').innerText(), /^float32 · CPU/);
  });

  it('a refused value holds back nothing else, and one undo takes it back', async () => {
    await open.explain(catExplanation);
    await choose(open, 'positions', 'concatenated');
    await type(open, 'dModel', '7');
    assert.match(await problemAt(open, 'positions'), /even d\smodel, found 7/);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'weights');
    assert.equal(await cell(open, 'weights', 0, 1), 0);
    assert.match(await problemAt(open, 'positions'), /even d\smodel, found 7/);
    await open.page.keyboard.press('Control+z');
    assert.equal(await cell(open, 'weights', 0, 1), 0);
    assert.equal(await open.page.locator('[data-control=dModel]').evaluate((e) => (e as HTMLInputElement).value), '16');
  });

  it('widths, seed, tokens and positions', async () => {
    await open.explain(catExplanation);
    await type(open, 'dK', '3');
    await goTo(open, 'q');
    assert.equal((await cells(open, 'q'))[0]?.length, 3);
    await type(open, 'dModel', '4');
    await type(open, 'seed', '7');
    await goTo(open, 'embedding');
    // np.random.seed(7); np.random.randn(1)
    assert.equal(await cell(open, 'embedding', 0, 0), 1.690525703800356);
    await choose(open, 'positions', 'None');
    assert.equal(await open.page.locator('.timeline [data-step=positions]').count(), 0);
    await choose(open, 'tokenizer', 'Characters');
    assert.equal(await open.page.locator('.token-button').count(), sentence.length);
  });

  it('digits: other text, the same numbers, nothing computed', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    const shown = await open.page.locator('body').getAttribute('data-shown');
    await type(open, 'digits', '5');
    assert.match(await open.page.locator('.inspector-value').innerText(), /\.\d{5}$/);
    assert.equal(await open.page.locator('body').getAttribute('data-shown'), shown);
  });

  it('marks what was changed, and resets all of it', async () => {
    await open.explain(catExplanation);
    const count = open.page.locator('.header-actions .count');
    assert.equal(await count.count(), 0);
    await choose(open, 'mask', 'Causal');
    await type(open, 'dK', '4');
    assert.equal(await count.innerText(), '2');
    assert.match(await open.page.locator('[data-control-row=dK]').innerText(), /was 8/);
    await open.page.locator('.controls-head vscode-button', { hasText: 'Reset' }).click();
    await open.ready();
    assert.equal(await count.count(), 0);
    await goTo(open, 'weights');
    assertMatrix(await cells(open, 'weights'), matrix(theCat.default, 'weights'), 'weights');
  });

  it('undoes and redoes, by button and by key', async () => {
    await open.explain(catExplanation);
    await choose(open, 'mask', 'Causal');
    await choose(open, 'scale', 'None');
    const { page } = open;
    const switches = async () => (await open.state())?.switches;
    await page.locator('vscode-button[aria-label=Undo]').click();
    assert.deepEqual([(await switches())?.mask, (await switches())?.scale], ['causal', 'sqrt_d_k']);
    await page.locator('h1').focus();
    await page.keyboard.press('Control+z');
    assert.equal((await switches())?.mask, 'none');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+y');
    assert.deepEqual([(await switches())?.mask, (await switches())?.scale], ['causal', 'none']);
    assert.equal(await page.locator('vscode-button[aria-label=Redo]').getAttribute('disabled'), '');
  });

  it('says at the control what is wrong, and keeps the explanation', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    await type(open, 'dK', 'many');
    assert.match(await problemAt(open, 'dK'), /d\sk: expected a whole number from 1 to 4096, found “many”/);
    assertMatrix(await cells(open, 'scores'), matrix(theCat.default, 'scores'), 'scores');
    await type(open, 'dK', '8');
    assert.equal(await problemAt(open, 'dK'), '');
  });

  it('takes values that only fit together one after the other', async () => {
    await open.explain(catExplanation);
    await type(open, 'dModel', '15');
    await choose(open, 'positions', 'Concatenated');
    assert.match(await problemAt(open, 'positions'), /concatenated positions need an even d\smodel, found 15/);
    assert.equal((await open.state())?.switches.positions, 'sinusoidal-interleaved');
    await type(open, 'dModel', '12');
    assert.equal(await problemAt(open, 'positions'), '');
    assert.equal((await open.state())?.switches.positions, 'sinusoidal-concatenated');
    await goTo(open, 'x');
    assert.equal((await cells(open, 'x'))[0]?.length, 12);
  });

  it('drops what does not fit with undo', async () => {
    await open.explain(catExplanation);
    await type(open, 'dModel', '15');
    await choose(open, 'positions', 'Concatenated');
    await open.page.locator('vscode-button[aria-label=Undo]').click();
    assert.equal(await problemAt(open, 'positions'), '');
    assert.equal((await open.state())?.switches.dModel, 15);
  });

  it('offers what means something for the input, and says why the rest is missing', async () => {
    await open.explain(qkvExplanation);
    await openControls(open);
    const shown = await open.page
      .locator('[data-control]')
      .evaluateAll((all) => all.map((c) => c.getAttribute('data-control')));
    assert.deepEqual(shown, [
      'decode', 'positions', 'relativeBias', 'heads', 'output', 'qkNorm', 'scoring', 'scale', 'mask', 'weighting', 'differential', 'sink', 'softcap', 'temperature', 'dtype', 'digits', 'columns',
    ]); // prettier-ignore
    assert.match(
      await open.page.locator('#controls').innerText(),
      /Q and K were given: nothing before them is computed/,
    );
  });

  it('every control has a name and a line that says what it does', async () => {
    await open.explain(catExplanation);
    await openControls(open);
    const rows = open.page.locator('[data-control-row]');
    assert.ok((await rows.count()) >= 18);
    for (const row of await rows.all()) {
      assert.ok((await row.locator('.note').innerText()).length > 10);
      assert.ok(await row.locator('[data-control]').getAttribute('aria-label'));
    }
  });

  describe('fold to one line', () => {
    const group = (id: string): ReturnType<OpenPage['page']['locator']> => open.page.locator(`[data-group=${id}]`);
    /** What is seen of a group's line, without the blanks before indices, which only screen readers speak. */
    const brief = (id: string): Promise<string | null> =>
      group(id)
        .locator('.group-brief')
        .evaluate((line) => {
          const seen = line.cloneNode(true) as HTMLElement;
          for (const blank of seen.querySelectorAll('.said')) blank.remove();
          return seen.textContent;
        });
    const sheet = async (): Promise<void> => {
      await open.explain(catExplanation);
      await open.page.locator('vscode-button[aria-label^=Controls]').click();
      await open.page.locator('#controls').waitFor();
    };

    it('with what is chosen in it', async () => {
      await sheet();
      assert.equal(await open.page.locator('[data-control=mask]').isVisible(), false);
      assert.equal(await brief('tokens'), 'Words');
      assert.equal(await brief('input'), 'dmodel 16 · Sinusoidal, interleaved');
      assert.equal(await brief('projections'), 'Random weights · dk 8 · dv 8');
      assert.equal(await brief('heads'), '1 head · no WO');
      assert.equal(await brief('scores'), '÷ √dk · no mask');
      assert.equal(await brief('numbers'), 'float64 · seed 0 · 2 digits');
      await choose(open, 'mask', 'Causal');
      await group('scores').locator('summary').click();
      await group('scores').locator('.group-brief', { hasText: '÷ √d k · Causal' }).waitFor();
      assert.equal(await group('scores').getAttribute('data-changed'), '');
    });

    it('and unfold by mouse and keyboard, which survives a reload', async () => {
      await sheet();
      await group('heads').locator('summary').click();
      await group('heads').locator('[data-control=heads]').waitFor();
      await group('scores').locator('summary').focus();
      await open.page.keyboard.press('Enter');
      await group('scores').locator('[data-control=mask]').waitFor();
      assert.ok(
        await group('scores')
          .locator('summary')
          .evaluate((node) => node === document.activeElement),
      );
      await open.page.reload();
      await open.ready();
      await group('scores').locator('[data-control=mask]').waitFor();
      assert.equal(await group('heads').getAttribute('open'), '');
      assert.equal(await group('tokens').getAttribute('open'), null);
    });

    it('but stay open where something is wrong in them', async () => {
      await sheet();
      await type(open, 'dModel', '15');
      await group('input').locator('summary').click();
      await choose(open, 'positions', 'Concatenated');
      await open.page.locator('[data-problem=positions]').waitFor();
      await group('input').locator('summary').click();
      assert.equal(await open.page.locator('[data-problem=positions]').isVisible(), true);
    });

    it('and can be used at 320 pixels', async () => {
      await open.page.setViewportSize({ width: 320, height: 700 });
      await sheet();
      await choose(open, 'mask', 'Causal');
      assert.equal((await open.state())?.switches.mask, 'causal');
      const wide = await open.page.evaluate(
        'document.querySelector("#controls").scrollWidth - document.querySelector("#controls").clientWidth',
      );
      assert.equal(wide, 0, 'nothing scrolls sideways');
    });
  });
});
