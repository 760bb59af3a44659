import assert from 'node:assert/strict';
import { compareWithTrace } from '../../engine/run/backend/webgpu/index';
import {
  isSource,
  planOf,
  runReference,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type Plan,
} from '../../engine/index';

const hideThird = [
  [0, 1, 1, 1],
  [0, 0, 1, 1],
  [1, 1, 1, 1],
  [0, 0, 0, 0],
];
const base: AttentionSpec = {
  ...textDefaults,
  heads: 2,
  mask: { kind: 'boolean', values: hideThird, trueMeans: 'hidden' },
  start: { from: 'text', text: 'a b c d', tokenizer: 'words' },
};

function compute(spec: AttentionSpec): { plan: Plan; trace: AttentionTrace; values: Map<string, Float32Array> } {
  const plan = planOf(spec);
  assert.ok(plan.ok);
  const trace = runReference(spec, plan.value);
  assert.ok(trace.ok);
  const values = new Map<string, Float32Array>();
  for (const step of plan.value.steps) {
    if (isSource(step.call)) continue;
    const heads = step.shape.length > 2 ? (step.shape[0] ?? 1) : 1;
    const cells = Array.from({ length: heads }, (_, head) => [...trace.value.read(step.id, { head }).mean]).flat();
    values.set(step.id, Float32Array.from(cells));
  }
  return { plan: plan.value, trace: trace.value, values };
}

describe('compareWithTrace', () => {
  it('finds masked −∞ and NaN equal, in every head', () => {
    const { plan, trace, values } = compute({ ...base, dtype: 'float32' });
    assert.equal(values.get('masked')?.[1], -Infinity);
    assert.ok(Number.isNaN(values.get('weights')?.[8]));
    const found = compareWithTrace(plan, trace, values);
    assert.equal(found.value, 0);
    assert.deepEqual(
      found.perStep.map((s) => s.step),
      [...values.keys()],
    );
  });

  it('finds rounding to float32, and a fill beyond float32 equal to the lowest', () => {
    const { plan, trace, values } = compute({ ...base, maskFill: 'min' });
    values.set(
      'masked',
      (values.get('masked') ?? new Float32Array()).map((x) => Math.max(x, -3.4028234663852886e38)),
    );
    const found = compareWithTrace(plan, trace, values);
    assert.ok(found.value > 0 && found.value < 1e-6, String(found.value));
  });

  it('names step and cell of the largest difference', () => {
    const { plan, trace, values } = compute({ ...base, dtype: 'float32' });
    const scores = values.get('scores');
    assert.ok(scores);
    scores[16 + 2 * 4 + 3] = (scores[16 + 2 * 4 + 3] as number) + 0.5; // head 1, row 2, column 3
    const found = compareWithTrace(plan, trace, values);
    assert.equal(found.step, 'scores');
    assert.ok(Math.abs(found.value - 0.5) < 1e-6);
    assert.deepEqual(found.perStep.find((s) => s.step === 'scores')?.index, [1, 2, 3]);
  });

  for (const [kind, value] of [['a number where NaN belongs', 0.25], ['the wrong infinity', Infinity]] as const) {
    it(`is infinite for ${kind}`, () => {
      const { plan, trace, values } = compute({ ...base, dtype: 'float32' });
      const [step, cell] = kind.includes('NaN') ? ['weights', 8] as const : ['masked', 1] as const;
      const data = values.get(step);
      assert.ok(data);
      data[cell] = value;
      const found = compareWithTrace(plan, trace, values);
      assert.deepEqual([found.step, found.value], [step, Infinity]);
    });
  } // prettier-ignore

  it('refuses to compare nothing', () => {
    const { plan, trace } = compute(base);
    assert.throws(() => compareWithTrace(plan, trace, new Map()), /no step of the plan to compare/);
  });
});
