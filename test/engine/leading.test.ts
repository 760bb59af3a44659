import assert from 'node:assert/strict';
import {
  leadingIndexAt,
  leadingDimensions,
  matrixDefaults,
  textDefaults,
  type AttentionSpec,
  type Plan,
} from '../../engine/index';
import { run } from './specs';

const m = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
];

const names = (spec: AttentionSpec): Record<string, string> => {
  const { plan } = run(spec);
  return Object.fromEntries(plan.steps.map((s) => [s.id, leadingDimensions(plan, spec.heads, s).join()]));
};

describe('the dimensions before rows and columns', () => {
  it('are heads from the split to the join', () => {
    const text: AttentionSpec = {
      ...textDefaults,
      start: { from: 'text', text: 'a b c', tokenizer: 'words' },
      heads: 2,
    };
    const found = names(text);
    assert.deepEqual(
      [found['q'], found['qHeads'], found['scores'], found['headOutputs'], found['output']],
      ['', 'head', 'head', 'head', ''],
    );
  });

  it('are a batch where the input has one, heads inside of it', () => {
    const batched = names({
      ...matrixDefaults,
      start: { from: 'x', x: [m, m] },
      heads: 2,
      mask: 'causal',
      positions: 'alibi',
    });
    assert.deepEqual(
      [batched['x'], batched['qHeads'], batched['scores'], batched['output']],
      ['batch', 'batch,head', 'batch,head', 'batch'],
    );
    assert.deepEqual([batched['mask'], batched['alibi']], ['', 'head']);
    const single = names({ ...matrixDefaults, start: { from: 'x', x: [m, m] } });
    assert.deepEqual([single['q'], single['scores']], ['batch', 'batch']);
  });

  it('are heads where Q, K and V are given with them', () => {
    const given = names({ ...matrixDefaults, start: { from: 'qkv', q: [m, m], k: [m, m], v: [m, m] }, heads: 2 });
    assert.deepEqual([given['q'], given['weights'], given['output']], ['head', 'head', '']);
  });

  it('point at the key head that a query head shares, and never outside', () => {
    const spec: AttentionSpec = {
      ...textDefaults,
      start: { from: 'text', text: 'a b c', tokenizer: 'words' },
      heads: 4,
      kvHeads: 2,
    };
    const { plan } = run(spec);
    const at = (id: string, head: number): readonly number[] =>
      leadingIndexAt(plan, 4, stepIn(plan, id), { batch: 7, head });
    assert.deepEqual(
      [0, 1, 2, 3].map((head) => at('kHeads', head)),
      [[0], [0], [1], [1]],
    );
    assert.deepEqual(
      [0, 1, 2, 3, 9].map((head) => at('scores', head)),
      [[0], [1], [2], [3], [3]],
    );
    assert.deepEqual(at('x', 3), []);
  });
});

function stepIn(plan: Plan, id: string): Plan['steps'][number] {
  const step = plan.steps.find((s) => s.id === id);
  assert.ok(step, id);
  return step;
}
