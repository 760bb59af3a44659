import assert from 'node:assert/strict';
import { explainAttention, matrixDefaults, planOf, type AttentionSpec, type Mask } from '../../engine/index';

const [batch, heads, n, m, d] = [2, 3, 2, 4, 2];
const tensor = (sizes: readonly number[], at: (i: number) => number, first = { i: 0 }): unknown =>
  sizes.length === 0 ? at(first.i++) : Array.from({ length: sizes[0] ?? 0 }, () => tensor(sizes.slice(1), at, first));
const wave = (i: number): number => ((i * 37) % 11) / 4 - 1;
const start = {
  from: 'qkv',
  q: tensor([batch, heads, n, d], wave),
  k: tensor([batch, heads, m, d], (i) => wave(i + 3)),
  v: tensor([batch, heads, m, d], (i) => wave(i + 5)),
} as unknown as AttentionSpec['start'];
const boolean = (values: unknown): Mask => ({ kind: 'boolean', values, trueMeans: 'hidden' }) as unknown as Mask;
const additive = (values: unknown): Mask => ({ kind: 'additive', values }) as unknown as Mask;
const specOf = (mask: Mask): AttentionSpec => ({ ...matrixDefaults, start, heads, mask });

function weightsOf(mask: Mask): readonly number[] {
  const trace = explainAttention(specOf(mask));
  assert.ok(trace.ok, trace.ok ? '' : trace.problems[0]?.message);
  const cells: number[] = [];
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++) cells.push(...trace.value.read('weights', { batch: b, head: h }).mean);
  assert.ok(cells.length >= batch * heads * n * m);
  return cells;
}

/** Each size of 1 of the leading axes written out. */
const repeated = (values: unknown, [size = 1, ...rest]: readonly number[]): unknown => {
  const items = values as readonly unknown[];
  const all = items.length === 1 ? new Array<unknown>(size).fill(items[0]) : items;
  return rest.length === 0 ? all : all.map((item) => repeated(item, rest));
};

describe('a mask with a leading axis of size 1', () => {
  // As NumPy and PyTorch broadcast: masks of these shapes against scores of 2×3×2×4.
  for (const lead of [[2, 1], [1, 3], [1, 1], [1], [3]] as const) {
    it(`${[...lead, n, m].join('×')} serves every batch and head, as one that is written out`, () => {
      const shape = lead.length === 1 ? [heads] : [batch, heads];
      for (const [make, cell] of [
        [boolean, (i: number) => (i % 5 === 1 ? 1 : 0)],
        [additive, (i: number) => -((i * 7) % 4)],
      ] as const) {
        const values = tensor([...lead, n, m], cell);
        assert.deepEqual(weightsOf(make(values)), weightsOf(make(repeated(values, shape))));
      }
    });
  }

  it('is refused where it is neither 1 nor that of the scores, and queries and keys are not repeated', () => {
    for (const sizes of [
      [2, 2, n, m],
      [3, 1, n, m],
      [1, 1, 1, 1, n, m],
      [1, m],
      [n, 1],
      [1, 1, 1, m],
    ]) {
      const planned = planOf(specOf(boolean(tensor(sizes, () => 0))));
      assert.ok(!planned.ok, sizes.join('×'));
    }
  });
});
