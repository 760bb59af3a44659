import assert from 'node:assert/strict';
import { catExplanation, explanation, qkvExplanation, textSpec, theCat } from './inputs';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { assertMatrix, cells, choose, currentStep, goTo, openControls, type } from './page-driver';

describe('the page and its host', function () {
  this.timeout(120_000);
  let open: OpenPage;
  let expected: RegExp[] = [];
  beforeEach(async () => {
    expected = [];
    open = await openPage();
  });
  quietly(
    () => open,
    () => expected,
  );

  it('says that it is ready, and what it can do while it has nothing', async () => {
    assert.deepEqual(await open.messages(), [{ type: 'ready', restored: false }]);
    // What the host has to explain comes before its settings: until then the page is being loaded, and invites to nothing.
    assert.equal(await open.page.locator('.empty').isVisible(), false);
    await open.send({ type: 'settings', settings: { backend: 'cpu', digits: 2 } });
    await open.page.locator('.empty vscode-button').click();
    assert.deepEqual((await open.messages()).at(-1), { type: 'askInput' });
    assert.equal(await open.page.locator('.empty vscode-button').count(), 1);
  });

  it('comes back after a reload exactly as it was', async () => {
    await open.explain(catExplanation);
    await choose(open, 'mask', 'Causal');
    await type(open, 'digits', '4');
    await goTo(open, 'weights');
    const { page } = open;
    await page.locator('[data-matrix=weights] [data-row="3"][data-column="1"]').click();
    await page.setViewportSize({ width: 600, height: 500 });
    await page.locator('main.content').evaluate((content) => (content.scrollTop = 140));
    await page.waitForTimeout(400);
    const before = await open.state();
    assert.equal(before?.scroll, 140);
    await page.reload();
    await open.ready();
    await page.waitForTimeout(300);
    assert.deepEqual(await open.messages(), [{ type: 'ready', restored: true, source: catExplanation.source }]);
    assert.deepEqual(await open.state(), before);
    assert.equal(await currentStep(open), 'weights');
    assert.equal(await page.locator('main.content').evaluate((content) => content.scrollTop), 140);
    const selected = page.locator('[data-matrix=weights] [aria-selected=true]');
    assert.deepEqual([await selected.getAttribute('data-row'), await selected.getAttribute('data-column')], ['3', '1']);
    assertMatrix(await cells(open, 'weights'), theCat.causal['weights'] as number[][], 'weights');
    assert.ok(await page.locator('#controls').isVisible());
    await page.locator('vscode-button[aria-label=Undo]').click();
    assert.equal((await open.state())?.switches.digits, 2);
  });

  it('ignores a saved state of another version, or a damaged one', async () => {
    for (const state of [{ version: 99 }, { version: 1, explanation: { spec: {} } }, 'nonsense', null]) {
      const other = await openPage({ state: state as never });
      assert.deepEqual(await other.messages(), [{ type: 'ready', restored: false }]);
      assert.deepEqual(other.troubles, []);
      await other.close();
    }
  });

  it('shows problems with line and column, and keeps the explanation', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    const problems = [
      {
        code: 'ragged',
        message: 'row 2 has 2 numbers, row 1 has 3',
        hint: 'Every row needs as many.',
        line: 7,
        column: 12,
      },
    ];
    await open.send({ type: 'problems', label: 'q.py', problems });
    const banner = open.page.locator('.banner.error');
    await banner.waitFor();
    const text = await banner.innerText();
    for (const part of [
      'Could not explain q.py',
      '7:12',
      'row 2 has 2 numbers, row 1 has 3',
      'Still showing lesson.md:12',
    ])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assertMatrix(await cells(open, 'scores'), theCat.default['scores'] as number[][], 'scores');
    await banner.locator('vscode-button').click();
    assert.equal(await banner.count(), 0);
  });

  it('without an explanation, says the problem and offers one way on', async () => {
    await open.send({
      type: 'problems',
      label: 'q.py',
      problems: [{ code: 'empty', message: 'the selection is empty' }],
    });
    const empty = open.page.locator('.empty');
    await empty.locator('.message').waitFor();
    assert.match(await empty.innerText(), /Could not explain q\.py/);
    assert.equal(await empty.locator('vscode-button').count(), 1);
  });

  it('a new explanation takes a problem’s place', async () => {
    await open.explain(catExplanation);
    await open.send({ type: 'problems', label: 'q.py', problems: [{ code: 'x', message: 'a problem' }] });
    await open.page.locator('.banner.error').waitFor();
    await open.explain(qkvExplanation);
    assert.equal(await open.page.locator('.banner.error').count(), 0);
  });

  it('offers to recompute when the source changed, and then keeps the switches', async () => {
    await open.explain(catExplanation);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'weights');
    await open.send({ type: 'source', state: 'stale' });
    const banner = open.page.locator('[data-source=stale]');
    await banner.locator('vscode-button').click();
    assert.deepEqual((await open.messages()).at(-1), { type: 'recompute' });
    await open.explain({ ...catExplanation, spec: textSpec('A dog sat') });
    assert.equal(await banner.count(), 0);
    assert.equal(await open.page.locator('.token-button').count(), 3);
    assert.equal((await open.state())?.switches.mask, 'causal');
    assert.equal(await currentStep(open), 'weights');
  });

  it('says so when the source is as before, or gone', async () => {
    await open.explain(catExplanation);
    await open.send({ type: 'source', state: 'stale' });
    await open.page.locator('[data-source=stale]').waitFor();
    await open.send({ type: 'source', state: 'fresh' });
    await open.page.locator('[data-source=stale]').waitFor({ state: 'detached' });
    await open.send({ type: 'source', state: 'gone' });
    await open.page.locator('[data-source=gone]').waitFor();
    assert.equal(await open.page.locator('[data-source=gone] vscode-button').count(), 0);
  });

  it('a new input begins with its own switches, at its beginning', async () => {
    await open.explain(catExplanation);
    await choose(open, 'mask', 'Causal');
    await goTo(open, 'output');
    await open.explain(explanation(textSpec('One more'), { label: 'other.md:1', uri: 'file:///other.md' }));
    assert.equal((await open.state())?.switches.mask, 'none');
    assert.equal(await currentStep(open), 'tokens');
    assert.deepEqual((await open.state())?.past, []);
  });

  it('takes new settings', async () => {
    await open.explain(catExplanation);
    await goTo(open, 'scores');
    await open.send({ type: 'settings', settings: { backend: 'cpu', digits: 4 } });
    await open.page.locator('.inspector-value', { hasText: /\.\d{4}$/ }).waitFor();
    assert.equal((await open.state())?.settings.backend, 'cpu');
  });

  it('refuses what is no message, says so in the log, and goes on', async () => {
    await open.explain(catExplanation);
    const bad = [{ type: 'explode' }, 'text', null, { type: 'settings', settings: { backend: 'quantum', digits: 2 } }];
    for (const message of bad) await open.send(message);
    await open.send({ type: 'explain', explanation: { spec: {}, source: { label: 'x' }, notes: [] }, settings: {} });
    await open.page.locator('.banner.error').waitFor();
    const logged = (await open.messages()).filter((m) => m.type === 'log');
    assert.equal(logged.length, 5);
    assert.match(JSON.stringify(logged), /settings.backend: expected auto or cpu or webgpu, found \\"quantum\\"/);
    assert.equal(await currentStep(open), 'tokens');
  });
});

describe('the keyboard', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => {
    open = await openPage();
    await open.explain(catExplanation);
  });
  afterEach(async () => {
    await open.close();
    assert.deepEqual(open.troubles, []);
  });

  it('walks from step to step with arrows and brackets', async () => {
    const { page } = open;
    await page.locator('h1').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(']');
    assert.equal(await currentStep(open), 'positions');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await currentStep(open), 'embedding');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    assert.equal(await currentStep(open), 'tokens');
  });

  it('the timeline has one tab stop; arrows, Home and End walk in it, side rooms included', async () => {
    const { page } = open;
    assert.equal(await page.locator('.timeline [tabindex="0"]').count(), 1);
    await page.locator('.timeline [aria-current=step]').focus();
    const seen = ['tokens'];
    for (let i = 0; i < 15; i++) {
      await page.keyboard.press('ArrowRight');
      seen.push((await currentStep(open)) ?? '');
    }
    assert.deepEqual(
      seen,
      'tokens embedding table positions x q wq k wk v wv scores scaled masked weights output'.split(' '),
    );
    await page.keyboard.press('Home');
    assert.equal(await currentStep(open), 'tokens');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-step')), 'tokens');
    await page.keyboard.press('End');
    assert.equal(await currentStep(open), 'output');
  });

  it('arrows in a matrix move in the matrix, and brackets still change the step', async () => {
    const { page } = open;
    await goTo(open, 'scores');
    await page.locator('[data-matrix=scores] [tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await currentStep(open), 'scores');
    assert.deepEqual((await open.state())?.cell, [2, 3]);
    await page.keyboard.press(']');
    assert.equal(await currentStep(open), 'scaled');
    assert.deepEqual((await open.state())?.cell, [2, 3]);
  });

  it('opens the controls, changes one and closes them, all by keyboard', async () => {
    const { page } = open;
    const button = page.locator('.header-actions vscode-button[aria-label^=Controls]');
    await button.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'controls-title');
    await page.locator('[data-group=scores] > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-group=scores][open]').waitFor();
    await page.locator('[data-control=mask]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await open.ready();
    assert.equal((await open.state())?.switches.mask, 'causal');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#controls').isVisible(), false);
    // The toolkit writes the attribute a moment later.
    await page.locator('vscode-button[aria-label^=Controls][aria-expanded=false]').waitFor();
    assert.ok(await button.evaluate((node) => node === document.activeElement));
  });

  it('says the step in a live region, and that numbers changed', async () => {
    const { page } = open;
    await goTo(open, 'scores');
    assert.equal(await page.locator('.spoken').innerText(), 'Scores, step 8 of 11, 6 by 6');
    await choose(open, 'scale', 'None');
    assert.match(await page.locator('.spoken').innerText(), /recomputed$/);
  });

  it('the focus is visible wherever it goes', async () => {
    const { page } = open;
    await goTo(open, 'scores');
    await openControls(open);
    await page.mouse.move(0, 0);
    await page.locator('.source').focus();
    const stops = new Set<string>();
    for (let i = 0; i < 24; i++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(focused);
      if (!stop) continue;
      const clip = { x: stop.x - 4, y: stop.y - 4, width: stop.width + 8, height: stop.height + 8 };
      const withFocus = await page.screenshot({ clip, caret: 'initial' });
      // The next Tab goes on from here all the same.
      await page.evaluate('document.activeElement.blur()');
      const without = await page.screenshot({ clip, caret: 'initial' });
      assert.ok(!withFocus.equals(without), `nothing shows the focus on ${stop.name}`);
      stops.add(stop.name);
    }
    assert.ok(stops.size >= 15, [...stops].join('; '));
  });
});

/** What has the focus, if it is in view. Text: it runs in the page, where tsx's helpers are missing. */
const focused = `(() => {
  const element = document.activeElement;
  const { x, y, width, height } = element.getBoundingClientRect();
  const inView = x >= 4 && y >= 4 && x + width <= innerWidth - 4 && y + height <= innerHeight - 4;
  return element !== document.body && width && inView
    ? { name: element.outerHTML.replace(/>[^]*/, '>').slice(0, 120), x, y, width, height }
    : undefined;
})()` as unknown as () => { name: string; x: number; y: number; width: number; height: number } | undefined;
