import assert from 'node:assert/strict';
import { recallCrossover, rememberCrossover } from '../../webview/compute/crossover';

describe('from how much work on a GPU is ahead', () => {
  it('is remembered by the page, and beyond it for 90 days', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (k: string) => kept.get(k) ?? null,
      setItem: (k: string, v: string) => void kept.set(k, v),
    };
    Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
    try {
      kept.set('explainAttention.gpuCrossover', '70000000 1000');
      assert.equal(recallCrossover(1000 + 91 * 24 * 3600 * 1000), undefined);
      kept.set('explainAttention.gpuCrossover', 'nonsense');
      assert.equal(recallCrossover(1000), undefined);
      rememberCrossover(Infinity, 5000);
      assert.equal(kept.get('explainAttention.gpuCrossover'), 'Infinity 5000');
      assert.equal(recallCrossover(6000), Infinity);
    } finally {
      Reflect.deleteProperty(globalThis, 'localStorage');
    }
    assert.equal(recallCrossover(), Infinity);
  });
});
