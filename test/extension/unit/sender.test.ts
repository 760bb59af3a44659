import assert from 'node:assert/strict';
import { matrixDefaults, unpack } from '../../../engine/index';
import { createSender } from '../../../extension/panel/sender';
import { parseHostMessage, type HostMessage } from '../../../webview/protocol';

const settings = { backend: 'auto', digits: 4 } as const;
/** An explanation of n×100 numbers. */
const explain = (label: string, n: number): HostMessage => {
  const x = Array.from({ length: n }, (_, i) => Array.from({ length: 100 }, (_, j) => i + j / 100));
  const spec = { ...matrixDefaults, start: { from: 'x', x } } as const;
  return { type: 'explain', explanation: { spec, source: { label }, notes: [] }, settings };
};
const stale: HostMessage = { type: 'source', state: 'stale' };

/** A sender, and what was posted; each post is answered later. */
function sender() {
  const got: HostMessage[] = [];
  const page = { there: true, posted: (): void => undefined };
  const send = createSender(async (message) => {
    assert.ok(parseHostMessage(message).ok);
    got.push(message);
    page.posted();
    await new Promise((go) => setTimeout(go));
    return page.there;
  });
  return { send, got, page, kinds: () => got.map(({ type }) => type) };
}

/** The explanations as a page puts them together. */
const arrived = (got: readonly HostMessage[]): unknown[] =>
  got.flatMap((message) => {
    if (message.type === 'explain') return [message];
    if (message.type !== 'packed') return [];
    const parts = got.flatMap((part) => (part.type === 'numbers' && part.of === message.of ? [part.values] : []));
    assert.equal(parts.length, message.parts);
    return [unpack({ value: message.message, parts })];
  });

describe('what is sent to the panel’s page', () => {
  it('is one message where it is small', async () => {
    const { send, kinds } = sender();
    assert.equal(await send(explain('a', 3)), true);
    assert.deepEqual(kinds(), ['explain']);
  });

  it('is several, none above half a megabyte, where an explanation has many numbers', async () => {
    const { send, got, kinds } = sender();
    const message = explain('a', 1500);
    assert.equal(await send(message), true);
    assert.deepEqual(kinds(), ['numbers', 'numbers', 'numbers', 'packed']);
    for (const part of got) if (part.type === 'numbers') assert.ok(part.values.buffer.byteLength <= 1 << 19);
    assert.deepEqual(arrived(got), [message]);
  });

  it('keeps the order: what is sent meanwhile comes after', async () => {
    const { send, kinds } = sender();
    await Promise.all([send(explain('a', 700)), send(stale)]);
    assert.deepEqual(kinds(), ['numbers', 'numbers', 'packed', 'source']);
    await send(stale);
    assert.equal(kinds().at(-1), 'source');
  });

  for (const [what, n] of [
    ['large', 900],
    ['small', 2],
  ] as const)
    it(`ends one that is on its way for a newer, ${what} one`, async () => {
      const { send, got, page } = sender();
      const newer = explain('b', n);
      let second: PromiseLike<boolean> | undefined;
      page.posted = () => {
        if (got.length === 2) second = send(newer);
      };
      assert.equal(await send(explain('a', 3000)), true, 'it has been taken care of');
      assert.equal(await second, true);
      assert.deepEqual(arrived(got), [newer]);
      assert.ok(got.length < 6);
    });

  it('says when there was no page to get it, and stops there', async () => {
    const { send, page, kinds } = sender();
    page.there = false;
    assert.equal(await send(explain('a', 3000)), false);
    assert.deepEqual(kinds(), ['numbers']);
  });
});
