import assert from 'node:assert/strict';
import { textDefaults } from '../../engine/index';
import { rulesIn, violationsIn } from './axe';
import { quietly } from './each-page';
import { openPage, type OpenOptions, type OpenPage } from './harness';
import { catExplanation, explanation, sentence, textSpec, theCat } from './inputs';
import { currentStep, goTo } from './page-driver';
import { themeNames } from './themes';

describe('the motion of a computation', function () {
  this.timeout(120_000);
  let open: OpenPage;
  quietly(() => open);

  async function player(step: string, options: OpenOptions = {}): Promise<void> {
    open = await openPage({ own: true, ...options });
    await open.explain(catExplanation);
    await goTo(open, step);
    await open.page.locator('.motion > vscode-button').click();
    await open.page.locator('.motion-piece').first().waitFor();
  }
  const place = (): Promise<string> => open.page.locator('.motion-controls .place').innerText();
  const said = (): Promise<string> => open.page.locator('.motion-said').innerText();
  const press = (...keys: string[]): Promise<void> =>
    keys.reduce((before, key) => before.then(() => open.page.keyboard.press(key)), Promise.resolve());
  /** Texts of the numbers that can be seen. */
  const numbers = (): Promise<string[]> =>
    open.page
      .locator('button.motion-piece:not([hidden])')
      .evaluateAll((all) => all.map((one) => one.textContent.trim()));

  it('takes the place of the picture, and plays by itself from the first frame to the last', async () => {
    await player('scores');
    assert.equal(await open.page.locator('.picture').isVisible(), false);
    await press('Space', 'Home');
    assert.equal(await place(), '1 of 12');
    await press('Space');
    await open.page.locator('.motion-controls .place', { hasText: '3 of 12' }).waitFor();
    await press('Space');
    await open.page.keyboard.press('End');
    await open.page.locator('.motion-controls .place', { hasText: '12 of 12' }).waitFor();
    assert.match(await said(), /S at cat, sat is −1\.41\./);
    await press('Escape');
    assert.equal(await open.page.locator('.picture').isVisible(), true);
  });

  it('is one still frame after another where the reader wants no motion', async () => {
    await player('weights', { reducedMotion: true });
    assert.equal(await open.page.getByRole('button', { name: 'Play' }).count(), 1, 'Play of the steps alone');
    assert.equal(await place(), '1 of 6');
    assert.match(await said(), /The scores of cat/);
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.equal(await place(), '4 of 6');
    const scaled = (theCat.default['scaled']?.[1] ?? []).map(Number);
    const sum = scaled.reduce((all, x) => all + Math.exp(x - Math.max(...scaled)), 0);
    const [, told] = /Laid end to end they are ([\d.]+) long/.exec(await said()) ?? [];
    assert.ok(Math.abs(Number(told) - sum) < 0.0006, `${told}, NumPy ${sum}`);
    await press('Home', 'ArrowLeft');
    assert.equal(await place(), '1 of 6');
    assert.equal(await open.page.locator('.motion-said').getAttribute('aria-live'), 'polite');
    assert.match((await open.page.locator('.motion-slider').getAttribute('aria-valuetext')) ?? '', /^1 of 6\. The scores of cat/);
  }); // prettier-ignore

  it('opens the arithmetic of each of its numbers, by mouse and by keyboard', async () => {
    await player('scores', { reducedMotion: true });
    await press('ArrowRight');
    await open.page.locator('button.motion-piece.role-key:not([hidden])').nth(3).click();
    await open.ready();
    assert.equal(await currentStep(open), 'k');
    assert.deepEqual((await open.state())?.cell, [2, 3]);
    await goTo(open, 'scores');
    await open.page.locator('.motion-slider').focus();
    await press('End', 'ArrowDown', 'Home', 'ArrowDown', 'Enter');
    await open.ready();
    assert.notEqual(await currentStep(open), 'scores');
  });

  it('keeps everything else where it is, at every width, in every frame', async () => {
    for (const width of [310, 546, 1092]) {
      await player('scores', { reducedMotion: true, width });
      const tops = (): Promise<number[]> =>
        open.page.locator('.inspector-box, .motion-controls, .cards').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      const first = await tops();
      const widths = (): Promise<readonly [number, number]> => open.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      for (let i = 1; i < 12; i++) {
        await press('ArrowRight');
        assert.deepEqual(await tops(), first, `frame ${i + 1} at ${width}`);
        const [inner, outer] = await widths();
        assert.ok(inner <= outer);
      }
      await open.close();
    }
    open = await openPage();
  }); // prettier-ignore

  it('does not stay behind when the cell, the step or the numbers change, and is gone where numbers are hidden', async () => {
    await player('scores', { reducedMotion: true });
    await press('End');
    const before = await numbers();
    await open.explain(explanation(textSpec(sentence, { random: { ...textDefaults.random, seed: 7 } })));
    await goTo(open, 'scores');
    await open.page.locator('.motion-controls .place', { hasText: 'of 12' }).waitFor();
    await open.page.locator('.motion-slider').focus();
    await press('End');
    assert.notDeepEqual(await numbers(), before);
    await goTo(open, 'x');
    assert.equal(await open.page.locator('.motion').isVisible(), false);
    assert.equal(await open.page.locator('.picture').isVisible(), true);
    await goTo(open, 'weights');
    assert.equal(await open.page.locator('.motion').isVisible(), true);
  });

  it('has no violation of accessibility, light or dark', async () => {
    for (const theme of themeNames) {
      await player('weights', { reducedMotion: true, theme });
      await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
      assert.deepEqual(await violationsIn(open.page, rulesIn(theme)), []);
      await open.close();
    }
    open = await openPage();
  });
});
