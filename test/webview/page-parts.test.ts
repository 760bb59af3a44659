import assert from 'node:assert/strict';
import { finish, matrixDefaults, packPaced } from '../../engine/index';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation } from './inputs';

/** Q, K and V of 8×2304 numbers each; the last of Q is `last`. */
function large(label: string, last: number) {
  const rows = (n: number): number[][] =>
    Array.from({ length: n }, (_, i) => Array.from({ length: 2304 }, (_, j) => ((i * 31 + j) % 97) / 97));
  const q = rows(8);
  (q[7] as number[])[2303] = last;
  const spec = { ...matrixDefaults, start: { from: 'qkv', q, k: rows(8), v: rows(8) } } as const;
  return {
    type: 'explain',
    explanation: explanation(spec, { label }),
    settings: { backend: 'auto', digits: 2 },
  } as const;
}

describe('a large explanation that comes in parts', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => {
    open = await openPage();
  });
  quietly(() => open);

  /** Posts as the host does; `which` of the messages. */
  async function post(of: number, message: unknown, which = (_index: number): boolean => true): Promise<void> {
    const packed = finish(packPaced(message));
    const texts = packed.parts.map((part) => JSON.stringify([...part]));
    const wanted = texts.map((_, i) => which(i));
    await open.page.evaluate(
      ([id, value, parts, take]) => {
        parts.forEach((text, index) => {
          const values = Float64Array.from(JSON.parse(text) as number[]);
          if (take[index]) window.postMessage({ type: 'numbers', of: id, index, values }, '*');
        });
        window.postMessage({ type: 'packed', of: id, parts: parts.length, message: value }, '*');
      },
      [of, packed.value, texts, wanted] as const,
    );
  }
  const label = (): Promise<unknown> => open.state().then((state) => state?.explanation.source.label);

  /** Until something that was not there before is shown. */
  async function shown(act: () => Promise<void>): Promise<void> {
    const before = await open.page.evaluate(() => Number(document.body.dataset['shown'] ?? 0));
    await act();
    await open.page.locator(`body[data-shown]:not([data-shown="${before}"])`).waitFor({ state: 'attached' });
    await open.ready();
  }

  it('is put together, is what was sent, and stays across a reload', async () => {
    const message = large('a.py:1', 0.125);
    await shown(() => post(1, message));
    assert.deepEqual((await open.state())?.explanation, message.explanation);
    await open.page.reload();
    await open.ready();
    assert.deepEqual((await open.state())?.explanation, message.explanation);
    assert.deepEqual(await open.messages(), [{ type: 'ready', restored: true, source: message.explanation.source }]);
  });

  it('gives way to a newer one of which the first part came', async () => {
    await open.page.evaluate(() =>
      window.postMessage({ type: 'numbers', of: 1, index: 0, values: new Float64Array(65536) }, '*'),
    );
    await shown(() => post(2, large('b.py:2', 2)));
    assert.equal(await label(), 'b.py:2');
  });

  it('is refused, and the one before stays, where a part is missing', async () => {
    await shown(() => post(1, large('a.py:1', 1)));
    await post(2, large('b.py:2', 2), () => false);
    await open.page.locator('.banner, [role=alert]').first().waitFor();
    assert.equal(await label(), 'a.py:1');
    assert.match(JSON.stringify(await open.messages()), /a message of the host was refused/);
  });
});
