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
    assert.match(await said(), /S at “cat”, “sat” is −1\.41\./);
    await press('Escape');
    assert.equal(await open.page.locator('.picture').isVisible(), true);
  });

  it('has caption, place and digits of one frame at any time of the slider, and rests at a frame', async () => {
    await player('weights', { width: 700 });
    await press('Space');
    const slide = (time: number, kinds: readonly string[]): Promise<void> =>
      open.page.locator('.motion-slider').evaluate(
        (slider: HTMLInputElement, { time, kinds }) => {
          slider.value = String(time);
          for (const kind of kinds) slider.dispatchEvent(new Event(kind, { bubbles: true }));
        },
        { time, kinds },
      );
    const shown = async (time: number): Promise<{ at: string; said: string; digits: string[] }> => {
      await slide(time, ['input']);
      return { at: await place(), said: await said(), digits: await numbers() };
    };
    const frames: { at: string; said: string; digits: string[] }[] = [];
    for (let i = 0; i < 6; i++) frames.push(await shown(i));
    for (let time = 0; time < 5; time += 0.1) {
      const { at, said, digits } = await shown(time);
      const frame = frames.find((one) => one.at === at);
      assert.equal(said, frame?.said);
      assert.deepEqual(digits.filter((one) => !frame?.digits.includes(one)), [], `${at} at ${time}`);
    }
    await slide(2.4, ['input', 'change']);
    await open.page.waitForTimeout(500);
    assert.equal(await open.page.locator('.motion-slider').inputValue(), '2');
    assert.deepEqual(await shown(2), frames[2]);
  }); // prettier-ignore

  it('never lets the page itself scroll, which would cut the header, also when another text comes', async () => {
    const beyond = (): Promise<number> =>
      open.page.evaluate(() => {
        const { documentElement: page } = document;
        page.scrollTop = 100;
        return page.scrollTop;
      });
    for (const [width, step] of [[466, 'scores'], [1092, 'weights']] as const) {
      await player(step, { reducedMotion: true, width, height: 708 });
      assert.equal(await beyond(), 0, `${step}, ${width}`);
      await open.explain(explanation(textSpec('One two three')));
      assert.equal(await beyond(), 0, `${step}, ${width}, another text`);
      await open.close();
    }
    open = await openPage();
  }); // prettier-ignore

  it('is one still frame after another where the reader wants no motion', async () => {
    await player('weights', { reducedMotion: true });
    assert.equal(await open.page.getByRole('button', { name: 'Play' }).count(), 0);
    assert.equal(await place(), '1 of 6');
    assert.match(await said(), /The scores of “cat”/);
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.equal(await place(), '4 of 6');
    const scaled = (theCat.default['scaled']?.[1] ?? []).map(Number);
    const sum = scaled.reduce((all, x) => all + Math.exp(x - Math.max(...scaled)), 0);
    const [, told] = /Laid end to end they are ([\d.]+) long/.exec(await said()) ?? [];
    assert.ok(Math.abs(Number(told) - sum) < 0.0006, `${told}, NumPy ${sum}`);
    await press('Home', 'ArrowLeft');
    assert.equal(await place(), '1 of 6');
    assert.equal(await open.page.locator('.motion-said').getAttribute('aria-live'), 'polite');
    assert.match((await open.page.locator('.motion-slider').getAttribute('aria-valuetext')) ?? '', /^1 of 6\. The scores of “cat”/);
  }); // prettier-ignore

  it('opens the arithmetic of each of its numbers, by mouse and by keyboard', async () => {
    await player('scores', { reducedMotion: true });
    await press('ArrowRight');
    await open.page.locator('button.motion-piece.role-key:not([hidden])').nth(3).click();
    await open.ready();
    assert.equal(await currentStep(open), 'k');
    assert.deepEqual((await open.state())?.cell, [2, 3]);
    await goTo(open, 'scores');
    await open.page.locator('button.motion-piece.role-query').first().waitFor();
    await open.page.locator('.motion-slider').focus();
    const focused = open.page.locator('button.motion-piece:focus:not([hidden])');
    for (const end of ['End', 'Home']) {
      await press(end);
      // On a busy machine the frame of that moment, with its numbers, is drawn later than the key.
      await open.ready();
      await open.page.locator('button.motion-piece:not([hidden])').first().waitFor();
      await press('ArrowDown');
      await focused.waitFor();
    }
    await press('Enter');
    await open.page.locator('.stage:not([data-current-step="scores"])').waitFor();
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

  it('has sentence, picture and controls in view together in every panel, nothing over them, and the inspector only when it is asked for', async () => {
    for (const [width, height] of [[310, 700], [546, 700], [700, 700], [1092, 700]] as const)
      for (const step of ['scores', 'weights']) {
        await player(step, { reducedMotion: true, width, height });
        const frames = Number(/\d+$/.exec(await place())?.[0]);
        for (let i = 0; i < frames; i++) {
          assert.deepEqual(await outOfView(open), [], `${step}, frame ${i + 1}, ${width}×${height}`);
          await press('ArrowRight');
        }
        await open.page.locator('button.motion-piece:not([hidden])').last().click();
        await open.page.locator('.inspector .value, .inspector-box').first().waitFor();
        await open.page.waitForTimeout(100);
        assert.deepEqual(await outOfView(open, true), [], `${step}, arithmetic, ${width}×${height}`);
        await open.page.locator('.motion-slider').focus();
        await press('ArrowLeft');
        assert.equal(await open.page.locator('.inspector-box').isVisible(), width > 900);
        await open.close();
      }
    open = await openPage();
  }); // prettier-ignore

  const isOpen = (): Promise<boolean> => open.page.locator('.motion-player').isVisible();

  it('ends where another input is explained, which opens at its answer, and plays on where the same place was edited', async () => {
    await player('weights', { reducedMotion: true });
    const other = textSpec('One two three');
    await open.explain(explanation(other));
    await goTo(open, 'weights');
    assert.equal(await isOpen(), true, 'the same place, edited');
    await open.explain(explanation(textSpec(sentence), { label: 'b.txt:1' }));
    await goTo(open, 'weights');
    assert.equal(await isOpen(), false, 'another file');
    await open.page.locator('.motion > vscode-button').click();
    await open.send({ type: 'explain', explanation: explanation(other, { label: 'b.txt:2' }), settings: { backend: 'auto', digits: 2 }, view: { opening: true } });
    await open.page.locator('.opening-question', { hasText: 'two' }).waitFor();
    assert.equal(await isOpen(), false);
    await open.page.locator('.opening-road .opening-shared button').first().click();
    await open.ready();
    assert.equal(await open.page.locator('.picture').isVisible(), true, 'the answer’s numbers, not their motion');
  }); // prettier-ignore

  it('is closed by Escape wherever the focus is', async () => {
    const others = ['.source', '.timeline [data-step=weights]', '.motion-scope vscode-dropdown', 'body'];
    await player('scores', { reducedMotion: true });
    for (const other of others) {
      await open.page.locator('.motion-piece').first().waitFor();
      await open.page.locator(other).first().evaluate((node: HTMLElement) => (node === document.body ? (document.activeElement as HTMLElement).blur() : node.focus())); // prettier-ignore
      await press('Escape');
      assert.equal(await isOpen(), false, other);
      await open.page.locator('.motion > vscode-button').click();
    }
  });

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

/** What of the player is not in the window or is covered. While the arithmetic is open the picture may scroll, and the inspector is asked for instead. */
const outOfView = ({ page }: OpenPage, asked = false): Promise<string[]> =>
  page.evaluate((asked) => {
    const pieces = asked ? '.inspector-box' : 'button.motion-piece:not([hidden]), .motion-slot';
    const all = [...document.querySelectorAll(`.motion-said, .motion-box, .motion-controls, .motion-slider, .motion-controls vscode-button:not([hidden]), ${pieces}`)];
    return all
      .filter((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        if (node.matches('.inspector-box')) return top > innerHeight - 150;
        // Cells that have landed lie on their slots.
        if (node.matches('.motion-slot')) return bottom > innerHeight;
        const inside = left >= -1 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return !inside || right - left <= 2 || bottom - top <= 2 || on === null || !(node.contains(on) || on.contains(node));
      })
      .map((node) => `${node.className} ${node.textContent.slice(0, 12)} ${JSON.stringify(node.getBoundingClientRect())}`);
  }, asked); // prettier-ignore
