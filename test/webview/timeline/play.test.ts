// Runs alone: a second passes for each step.
import assert from 'node:assert/strict';
import { quietly } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { catExplanation } from '../inputs';
import { currentStep, goTo } from '../page-driver';

describe('play', function () {
  this.timeout(120_000);
  let open: OpenPage;
  const start = async (reducedMotion = false): Promise<void> => {
    open = await openPage({ reducedMotion });
    await open.explain(catExplanation);
    // Once, then twice and four times as fast: a second for a step.
    await speed().click();
    await speed().click();
  };
  const speed = (): ReturnType<OpenPage['page']['locator']> => open.page.locator('.play vscode-button').nth(1);
  const player = (): ReturnType<OpenPage['page']['locator']> => open.page.locator('.play vscode-button').first();
  const at = (step: string): Promise<void> => open.page.locator(`.stage[data-current-step="${step}"]`).waitFor();
  /** The toolkit writes its label a frame later. */
  const says = (label: string): Promise<void> =>
    open.page.locator(`.play vscode-button[aria-label=${label}]`).waitFor();
  /** Everything that the live region has said, from now on. */
  const listen = (): Promise<void> =>
    open.page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const live = document.querySelector('.spoken');
      if (!live) throw new Error('no live region');
      new MutationObserver(() => said.push(live.textContent ?? '')).observe(live, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
  const said = (): Promise<string[]> => open.page.evaluate(() => (window as unknown as { said: string[] }).said);

  quietly(() => open);

  it('walks the steps, stops at the end, and says each of them once', async () => {
    await start();
    assert.equal(await speed().innerText(), '4×');
    await goTo(open, 'scaled');
    await listen();
    await player().click();
    await says('Pause');
    for (const step of ['weights', 'output']) await at(step);
    await says('Play'); // it has stopped
    await open.page.waitForTimeout(1300);
    assert.equal(await currentStep(open), 'output');
    const names = (await said()).map((text) => text.split(',')[0]);
    assert.deepEqual(names, ['Attention weights', 'Output']);
    assert.equal(await open.page.locator('.spoken').getAttribute('aria-live'), 'polite');
    await player().click();
    await at('tokens');
    await says('Pause'); // from the end it begins anew
  });

  it('plays and pauses by Space, which buttons and cells keep for themselves', async () => {
    await start();
    await goTo(open, 'x');
    await open.page.locator('#stage-title').focus();
    await open.page.keyboard.press('Space');
    await says('Pause');
    await at('q');
    await open.page.keyboard.press('Space');
    await says('Play');
    await open.page.waitForTimeout(1300);
    assert.equal(await currentStep(open), 'q');
    await open.page.locator('.token-button').first().focus();
    await open.page.keyboard.press('Space');
    await says('Play');
  });

  it('pauses when the reader goes to a step, and keeps its speed through a reload', async () => {
    await start();
    await player().click();
    await goTo(open, 'scores');
    await says('Play');
    await open.page.waitForTimeout(1300);
    assert.equal(await currentStep(open), 'scores');
    await open.page.reload();
    await open.ready();
    assert.equal(await speed().innerText(), '4×');
    await says('Play');
  });

  it('goes from step to step without any motion where less motion is wanted', async () => {
    await start(true);
    await goTo(open, 'scaled');
    await player().click();
    await at('weights');
    const moving = await open.page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
  });
});
