import assert from 'node:assert/strict';
import { startPage } from '../../../extension/pages/start-page';

const patience = 20;
const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A panel whose page speaks or not. */
function panelThat(visible: boolean, log: (waited: number) => void = () => undefined) {
  const loads: string[] = [];
  let heard = (): void => undefined;
  let changed = (): void => undefined;
  let disposed = (): void => undefined;
  const nothing = { dispose: () => undefined };
  const panel = {
    visible,
    webview: {
      set html(value: string) {
        loads.push(value);
      },
      onDidReceiveMessage: (listener: () => void) => ((heard = listener), nothing),
    },
    onDidChangeViewState: (listener: () => void) => ((changed = listener), nothing),
    onDidDispose: (listener: () => void) => ((disposed = listener), nothing),
  };
  let number = 0;
  const waits: number[] = [];
  const { retry } = startPage(panel as unknown as Parameters<typeof startPage>[0], {
    html: () => `page ${++number}`,
    onReload: (waited) => (waits.push(waited), log(waited)),
    patience,
  });
  const show = (now: boolean): void => {
    panel.visible = now;
    changed();
  };
  return { loads, waits, speak: () => heard(), asked: retry, show, close: () => disposed() };
}

describe('a page that is loaded', () => {
  it('is left alone once it has said a word', async () => {
    const page = panelThat(true);
    page.speak();
    await later(4 * patience);
    assert.deepEqual(page.loads, ['page 1']);
  });

  it('is loaded again where it says nothing, each time later, and three times at most', async () => {
    const page = panelThat(true);
    await later(40 * patience);
    assert.deepEqual(page.loads, ['page 1', 'page 2', 'page 3', 'page 4']);
    assert.deepEqual(page.waits, [patience, 2 * patience, 4 * patience]);
  });

  it('is loaded once more where it was given up and the reader asks for it, and waited for as at first', async () => {
    const page = panelThat(true);
    page.asked();
    assert.equal(page.loads.length, 1, 'it may yet come');
    while (page.loads.length < 4) await later(patience);
    page.asked();
    assert.equal(page.loads.length, 5);
    while (page.loads.length < 6) await later(patience);
    assert.equal(page.waits[3], patience);
    page.speak();
    const { length } = page.loads;
    page.asked();
    await later(4 * patience);
    assert.equal(page.loads.length, length, 'what was heard of is left alone');
  });

  it('is not waited for while it is hidden, and again from when it is shown', async () => {
    const page = panelThat(false);
    await later(4 * patience);
    assert.deepEqual(page.loads, ['page 1']);
    page.show(true);
    while (page.loads.length < 2) await later(patience);
    page.show(false);
    const { length } = page.loads;
    await later(8 * patience);
    assert.equal(page.loads.length, length);
  });

  it('is given up where the extension was stopped and can log no more', async () => {
    const page = panelThat(true, () => {
      throw new Error('Channel has been closed');
    });
    await later(8 * patience);
    assert.deepEqual([page.loads, page.waits], [['page 1'], [patience]]);
  });

  it('is not waited for once its panel is closed', async () => {
    const page = panelThat(true);
    page.close();
    await later(4 * patience);
    assert.deepEqual(page.loads, ['page 1']);
  });
});
