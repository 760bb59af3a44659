import assert from 'node:assert/strict';
import { rulesIn, violationsIn } from './axe';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { catExplanation } from './inputs';
import { themeNames } from './themes';

const place = { at: 3, of: 17, says: 'Line 5. These are the weights: softmax of the scaled scores.', playing: true, pace: '1×' }; // prettier-ignore

describe('the bar of reading along', function () {
  this.timeout(120_000);
  let open: OpenPage;
  quietly(() => open);
  const bar = () => open.page.locator('.along-bar');
  const tell = (changed: Partial<typeof place>): Promise<void> =>
    open.send({ type: 'along', place: { ...place, ...changed } });

  it('says where the reader is, leads on and back by mouse and keyboard, and ends', async () => {
    open = await openPage();
    await open.explain(catExplanation);
    assert.equal(await bar().isVisible(), false);
    await tell({});
    await bar().getByText('3 of 17: Line 5. These are the weights').waitFor();
    assert.equal(await bar().locator('.along-says').getAttribute('aria-live'), 'polite');
    for (const name of ['the place before', 'Pause', 'the next place', 'Speed 1×'])
      await bar().getByRole('button', { name }).click();
    await bar().getByRole('button', { name: 'end' }).focus();
    await open.page.keyboard.press('Enter');
    const asked = (await open.messages()).flatMap((message) => (message.type === 'along' ? [message.act] : []));
    assert.deepEqual(asked, ['previous', 'play', 'next', 'faster', 'stop']);
    await tell({ at: 17, playing: false });
    // A message is taken up in a task of its own.
    await bar().locator('.along-play').filter({ hasText: /^\s*Play\s*$/ }).waitFor(); // prettier-ignore
    await bar().getByRole('button', { name: 'the next place', disabled: true }).waitFor();
    await open.send({ type: 'along' });
    await bar().waitFor({ state: 'hidden' });
  });

  it('is in view with its buttons at every width, without faults of accessibility', async () => {
    for (const theme of themeNames) {
      open = await openPage({ own: true, theme, width: 310, height: 700 });
      await open.explain(catExplanation);
      await tell({});
      await bar().waitFor();
      assert.deepEqual(await violationsIn(open.page, rulesIn(theme)), []);
      for (const width of [310, 546, 700, 1092]) {
        await open.page.setViewportSize({ width, height: 700 });
        const boxes = await bar().locator('vscode-button, .along-says').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect)); // prettier-ignore
        assert.ok(boxes.every(({ left, right, bottom }) => left >= 0 && right <= width && bottom < 180), JSON.stringify(boxes)); // prettier-ignore
      }
      await open.close();
    }
    open = await openPage();
  });
});
