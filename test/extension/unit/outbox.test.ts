import assert from 'node:assert/strict';
import { matrixDefaults } from '../../../engine/index';
import { createOutbox } from '../../../extension/panel/outbox';
import type { Explanation, HostMessage } from '../../../webview/protocol';

const explanation = (label: string): Explanation => ({
  spec: { ...matrixDefaults, start: { from: 'x', x: [[1, 0]] } },
  source: { label, textHash: label },
  notes: [],
});
const settings = { backend: 'auto', digits: 4 } as const;
const explain = (label: string): HostMessage => ({ type: 'explain', explanation: explanation(label), settings });
const source = (state: 'fresh' | 'stale'): HostMessage => ({ type: 'source', state });
const problems: HostMessage = { type: 'problems', label: 'a.py:1', problems: [{ code: 'empty', message: 'nothing' }] };

/** An outbox with a page that comes and goes; `there` says whether posts arrive. */
function box() {
  const got: string[] = [];
  const page = { there: true };
  const outbox = createOutbox((message) => {
    if (page.there) got.push(message.type === 'explain' ? `explain ${message.explanation.source.label}` : message.type);
    return Promise.resolve(page.there);
  });
  return { outbox, page, take: () => got.splice(0) };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('messages to a page that comes and goes', () => {
  it('wait until the page is ready', () => {
    const { outbox, take } = box();
    outbox.put(explain('a'));
    outbox.put(source('stale'));
    assert.deepEqual(take(), []);
    outbox.ready(undefined);
    assert.deepEqual(take(), ['explain a', 'source']);
  });

  it('come in an order: settings behind what there is to explain, since they say that nothing else comes', () => {
    const { outbox, take } = box();
    outbox.put({ type: 'settings', settings });
    outbox.put(explain('a'));
    outbox.put(problems);
    outbox.ready(undefined);
    assert.deepEqual(take(), ['explain a', 'problems', 'settings']);
  });

  it('go at once when it is ready, and only once', () => {
    const { outbox, take } = box();
    outbox.ready(undefined);
    outbox.put(explain('a'));
    assert.deepEqual(take(), ['explain a']);
    outbox.put(problems);
    assert.deepEqual(take(), ['problems']);
    outbox.ready(explanation('a').source);
    assert.deepEqual(take(), []);
  });

  it('replace an undelivered one of their kind; an explanation answers earlier problems', () => {
    const { outbox, take } = box();
    outbox.put(explain('a'));
    outbox.put(problems);
    outbox.put(source('stale'));
    outbox.put(explain('b'));
    outbox.ready(undefined);
    assert.deepEqual(take(), ['explain b']);
  });

  it('wait while the page is hidden, and come to it when it is shown', () => {
    const { outbox, take } = box();
    outbox.ready(undefined);
    outbox.put(explain('a'));
    outbox.hidden();
    outbox.put(explain('b'));
    assert.deepEqual(take(), ['explain a']);
    outbox.shown();
    assert.deepEqual(take(), ['explain b']);
    outbox.ready(explanation('a').source);
    assert.deepEqual(take(), ['explain b'], 'a page that came back with the old one gets the new one again');
    outbox.ready(explanation('b').source);
    assert.deepEqual(take(), []);
  });

  it('are not taken for delivered when nobody got them', async () => {
    const { outbox, page, take } = box();
    outbox.ready(undefined);
    page.there = false;
    outbox.put(explain('a'));
    await settled();
    page.there = true;
    outbox.shown();
    assert.deepEqual(take(), ['explain a']);
  });

  it('that answer a question are sent once, unless nobody got them', async () => {
    const { outbox, page, take } = box();
    outbox.ready(undefined);
    outbox.put({ type: 'vocabulary', encoding: 'gpt2', bytes: new Uint8Array(3) });
    outbox.put({ type: 'tokenizerFile', name: 'a/tokenizer.json', text: '{}' });
    await settled();
    assert.deepEqual(take(), ['vocabulary', 'tokenizerFile']);
    page.there = false;
    outbox.put({ type: 'tokenizerFile', name: 'b/tokenizer.json', text: '{}' });
    await settled();
    page.there = true;
    outbox.ready(undefined);
    assert.deepEqual(take(), ['tokenizerFile'], 'one that nobody got is sent again');
    await settled();
    outbox.ready(undefined);
    assert.deepEqual(take(), []);
  });

  it('leave a restored page alone that shows what no host has sent', () => {
    const { outbox, take } = box();
    outbox.ready(explanation('restored').source);
    assert.deepEqual(take(), []);
    outbox.put(source('stale'));
    assert.deepEqual(take(), ['source']);
  });
});
