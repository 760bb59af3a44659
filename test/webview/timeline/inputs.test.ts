import assert from 'node:assert/strict';
import { explainAttention, matrixDefaults, type AttentionSpec, type Step } from '../../../engine/index';
import { inputsOf, neighbour } from '../../../webview/trace';

/* What stands beside a step among the steps: without this an input of an input could not be looked at. */

const plan = (spec: Partial<AttentionSpec>) => {
  const found = explainAttention({ ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3, 4]] }, ...spec });
  assert.ok(found.ok);
  return found.value.plan;
}; // prettier-ignore

describe('the inputs of a step', () => {
  const beside = (of: ReturnType<typeof plan>, id: string): string[] =>
    inputsOf(of, of.steps.find((step) => step.id === id) as Step).map((step) => step.id);

  it('are with those that they are cut out of, each behind its own', () => {
    const wqkv = [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]]; // prettier-ignore
    const fused = plan({ projections: { from: 'fused', order: 'blocks', wqkv } });
    assert.deepEqual(beside(fused, 'q'), ['wqkv', 'wq']);
    const at = (id: string): Step => fused.steps.find((step) => step.id === id) as Step;
    assert.equal(neighbour(fused, at('wqkv'), 1)?.id, 'wq');
    assert.equal(neighbour(fused, at('wqkv'), -1)?.id, 'x');
  });

  it('are T5’s table and buckets beside the scores that they change', () => {
    assert.deepEqual(beside(plan({ relativeBias: { bidirectional: true } }), 'related'), ['biasTable', 'buckets', 'relative']); // prettier-ignore
  });
});
