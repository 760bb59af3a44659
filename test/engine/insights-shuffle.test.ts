import assert from 'node:assert/strict';
import {
  explainAttention,
  shuffleTokens,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';

const textSpec = (changes: Partial<AttentionSpec>): AttentionSpec => ({
  ...textDefaults,
  start: { from: 'text', text: 'The cat sat on the mat', tokenizer: 'words' },
  ...changes,
});

function traceOf(spec: AttentionSpec): AttentionTrace {
  const result = explainAttention(spec);
  assert.ok(result.ok);
  return result.value;
}

// np.argsort(np.random.RandomState(seed).randn(6)) of NumPy 1.24.
const orders = { 1: [5, 3, 1, 2, 4, 0], 2: [2, 4, 5, 0, 1, 3], 3: [3, 5, 4, 2, 1, 0] } as const;

const permuted = (rows: readonly number[][], order: readonly number[]): readonly number[][] =>
  order.map((i) => rows[i] ?? []);

function rowsOf(trace: AttentionTrace, step: string): number[][] {
  const tile = trace.read(step);
  return Array.from({ length: tile.height }, (_, i) => [...tile.max.subarray(i * tile.width, (i + 1) * tile.width)]);
}

describe('shuffled tokens', () => {
  it('are in the order that NumPy gives them', () => {
    const trace = traceOf(textSpec({ positions: 'none' }));
    for (const [seed, order] of Object.entries(orders))
      assert.deepEqual(shuffleTokens(trace, Number(seed))?.order, order, `seed ${seed}`);
  });

  it('only permute weights and output without positions: rows of O, rows and columns of A', () => {
    const trace = traceOf(textSpec({ positions: 'none' }));
    const found = shuffleTokens(trace, 1);
    assert.ok(found?.holds);
    assert.ok(found.output < 1e-12 && (found.weights ?? 1) < 1e-12);
    const [o, a] = [rowsOf(found.again, 'output'), rowsOf(found.again, 'weights')];
    const wanted = {
      o: permuted(rowsOf(trace, 'output'), orders[1]),
      a: permuted(rowsOf(trace, 'weights'), orders[1]),
    };
    o.forEach((row, i) => row.forEach((x, j) => assert.ok(Math.abs(x - (wanted.o[i]?.[j] ?? NaN)) < 1e-12)));
    a.forEach((row, i) =>
      row.forEach((x, j) => assert.ok(Math.abs(x - (wanted.a[i]?.[orders[1][j] ?? 0] ?? NaN)) < 1e-12)),
    );
  });

  it('say by how much order matters with positions, or with a causal mask', () => {
    for (const changes of [{ positions: 'sinusoidal-interleaved' }, { positions: 'none', mask: 'causal' }] as const) {
      const found = shuffleTokens(traceOf(textSpec(changes)), 1);
      assert.equal(found?.holds, false, JSON.stringify(changes));
      assert.ok((found?.output ?? 0) > 0.01 && (found?.weights ?? 0) > 0.01);
    }
  });

  it('hold for several heads in float32, and are none for one token', () => {
    const heads = shuffleTokens(traceOf(textSpec({ positions: 'none', heads: 2, dtype: 'float32' })), 2);
    assert.ok(heads?.holds && (heads.weights ?? 1) < 1e-5);
    const one = textSpec({ start: { from: 'text', text: 'Hello', tokenizer: 'words' } });
    assert.equal(shuffleTokens(traceOf(one), 1), undefined);
  });
});
