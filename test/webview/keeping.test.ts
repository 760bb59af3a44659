// What a page gives to VS Code and to the host to keep, and which of the two it takes back.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { keeping as keepingOf, type StateApi } from '../../webview/keeping';
import { parsePageMessage, type Explanation, type PageMessage, type PageState } from '../../webview/protocol';

function vscodeApi(own?: unknown) {
  const posted: PageMessage[] = [];
  const saved: PageState[] = [];
  const api = {
    postMessage: (message: PageMessage) => void posted.push(message),
    getState: () => own,
    setState: (state: PageState) => void saved.push(state),
  };
  const copies = (): (PageState | '')[] =>
    posted.flatMap((message) => {
      assert.ok(parsePageMessage(message).ok, 'the host takes it');
      if (message.type !== 'kept') return [];
      return [message.state === '' ? ('' as const) : (JSON.parse(message.state) as PageState)];
    });
  return { api, saved, copies };
}

const explanation = { notes: [] as readonly string[] } as Explanation;
const state = (step: string, of = explanation): PageState => ({ version: 1, explanation: of, step }) as PageState;

const keeping = (api: StateApi<PageState>, panel: string | undefined, copy: string | undefined) =>
  keepingOf(api, { name: panel ? { panel } : undefined, copy, heavy: ({ explanation: part }) => part });

describe('the state of a page', () => {
  it('is kept by VS Code and the host at once, with one time and the name of the panel', () => {
    const { api, saved, copies } = vscodeApi();
    keeping(api, 'p', undefined).setState(state('weights'));
    assert.deepEqual(copies(), saved);
    const [{ panel, step, saved: time = 0 } = {}] = saved;
    assert.deepEqual([panel, step], ['p', 'weights']);
    assert.ok(Math.abs(Date.now() - time) < 5000);
  });

  it('is copied a few times a second while it changes all the time, the last one too', async () => {
    const { api, saved, copies } = vscodeApi();
    const host = keeping(api, 'p', undefined);
    for (let i = 0; i < 100; i++) host.setState(state(`step${i}`));
    assert.equal(saved.length, 100);
    assert.equal(copies().length, 1);
    await wait(500);
    assert.equal(copies().length, 2);
    assert.deepEqual(copies().at(-1), saved.at(-1));
    host.setState(state('later'));
    assert.equal((copies().at(-1) as PageState).step, 'later', 'at once again');
  });

  it('is not copied where it is large, and an older copy is given up', async () => {
    const { api, saved, copies } = vscodeApi();
    const host = keeping(api, 'p', undefined);
    host.setState(state('small'));
    const large = { notes: ['x'.repeat(300_000)] as readonly string[] } as Explanation;
    for (let i = 0; i < 3; i++) {
      host.setState(state('large', large));
      await wait(200);
    }
    assert.equal(saved.length, 4);
    assert.deepEqual(copies().map((copy) => copy && copy.step), ['small', '']); // prettier-ignore
  });

  it('is VS Code’s alone in a page without a name', () => {
    const { api, saved, copies } = vscodeApi();
    keeping(api, undefined, undefined).setState(state('weights'));
    assert.deepEqual([saved, copies()], [[state('weights')], []]);
  });

  it('comes back from whoever has the newer one', () => {
    const read = (own: unknown, copy: string | undefined): unknown => keeping(vscodeApi(own).api, 'p', copy).getState();
    const [old, young] = [{ saved: 1 }, { saved: 2 }];
    assert.deepEqual(read(old, JSON.stringify(young)), young);
    assert.deepEqual(read(young, JSON.stringify(old)), young);
    assert.deepEqual(read({ version: 1 }, JSON.stringify(old)), old);
    assert.deepEqual(read(old, undefined), old);
    assert.deepEqual(read(old, '{'), old);
    assert.equal(read(undefined, undefined), undefined);
  });
});
