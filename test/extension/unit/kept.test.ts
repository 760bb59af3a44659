import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { keptStates } from '../../../extension/panels/kept';
import { pageHtml } from '../../../extension/pages/html';

/** A memento that holds JSON, as VS Code's does. */
function memento(): vscode.Memento & { readonly values: Map<string, unknown> } {
  const values = new Map<string, unknown>();
  return {
    values,
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) =>
      Promise.resolve(void (value === undefined ? values.delete(key) : values.set(key, value))),
  } as vscode.Memento & { readonly values: Map<string, unknown> };
}

const at = (saved: number, step = 'weights'): string => JSON.stringify({ version: 1, saved, step });

describe('a state of a page that the host keeps', () => {
  it('is given where it is newer than what VS Code brought back, and only there', async () => {
    const kept = keptStates(memento(), 'a');
    assert.equal(kept.newerThan(undefined), undefined);
    await kept.keep(at(200));
    assert.equal(kept.newerThan({ saved: 199 }), at(200));
    assert.equal(kept.newerThan({ version: 1 }), at(200), 'what an earlier version saved has no time');
    assert.equal(kept.newerThan({ saved: 200 }), undefined);
    assert.equal(kept.newerThan({ saved: 201 }), undefined);
  });

  it('is that of its panel', async () => {
    const storage = memento();
    await keptStates(storage, 'a').keep(at(200));
    assert.equal(keptStates(storage, 'b').newerThan({ saved: 1 }), undefined);
  });

  it('is forgotten with its panel, and where it became too large', async () => {
    const storage = memento();
    const kept = keptStates(storage, 'a');
    await kept.keep(at(200));
    await kept.keep('');
    assert.deepEqual(storage.keys(), []);
    await kept.keep(at(300));
    await kept.forget();
    assert.deepEqual(storage.keys(), []);
  });

  it('counts for nothing where it is damaged', async () => {
    const storage = memento();
    const kept = keptStates(storage, 'a');
    for (const damaged of ['{"saved": 9', 'null', '7', '{"saved": "9"}']) {
      await kept.keep(damaged);
      assert.equal(kept.newerThan({ saved: 1 }), undefined, damaged);
    }
    storage.values.set(storage.keys()[0] ?? '', { saved: 9 });
    assert.equal(kept.newerThan({ saved: 1 }), undefined, 'not a text');
  });

  it('leaves room: of many panels, the newest are kept', async () => {
    const storage = memento();
    storage.values.set('explainAttention.inputs', [1]);
    for (let i = 1; i <= 12; i++) await keptStates(storage, `p${i}`).keep(at(i));
    const panels = storage.keys().filter((key) => key !== 'explainAttention.inputs');
    assert.deepEqual(
      panels,
      [5, 6, 7, 8, 9, 10, 11, 12].map((i) => `explainAttention.page.p${i}`),
    );
  });

  it('stands in the page as data that ends nothing', () => {
    const files = { at: (name: string) => name, cspSource: 'x' };
    const state = JSON.stringify({ saved: 1, label: '</script><b>&"' });
    const html = pageHtml(files, 'n', 'p', undefined, state);
    const [, inside = ''] = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html) ?? [];
    assert.deepEqual(JSON.parse(inside), JSON.parse(state));
    assert.ok(!pageHtml(files, 'n', 'p').includes('id="state"'));
  });
});
