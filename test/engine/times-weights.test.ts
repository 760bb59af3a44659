import assert from 'node:assert/strict';
import { explainCell, validateSpec, explainAttention, type AttentionSpec } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { assertExported, assertGolden, specOf, type GoldenCase } from './golden';
import { fixture, run, sentence } from './specs';

/* Weights as torch.randn(…) * factor and np.random.randn(…) * factor give them, bit for bit: against test/reference/times_weights.py, those expressions. */

const { cases } = fixture<{ cases: readonly GoldenCase[] }>('times-weights.json');

describe('drawn weights times a factor', () => {
  cases.forEach((one, i) => {
    const spec = specOf(one);

    it(`${i}: ${spec.random.generator}, ${spec.dtype}, ${spec.weightsTimes}: are the library’s, bit for bit`, () => {
      assertGolden(run(spec), one, 0);
    });

    it(`${i}: a cell is its draw times the factor, rounded`, () => {
      const trace = run(spec);
      const made = explainCell(trace, 'wq', [1, 1]);
      assert.ok(made.kind === 'drawn' && made.times !== undefined);
      const found = trace.value('wq', [1, 1]);
      if (spec.dtype === 'float64') assert.equal(made.draw * made.times, found);
      if (spec.dtype === 'float32') assert.equal(Math.fround(made.draw * made.times), found);
    });
  });

  it('are written as the expression in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    assertExported(cases, 'numpy', python, () => 0);
    assertExported(cases, 'torch', python, () => 0);
  });

  it('leave the draws of tables and positions as they are', () => {
    const [plain, scaled] = [run(sentence), run({ ...sentence, weightsTimes: 0.5 })];
    assert.equal(scaled.value('table', [1, 2]), plain.value('table', [1, 2]));
    assert.notEqual(scaled.value('wq', [1, 2]), plain.value('wq', [1, 2]));
  });

  it('say where they change nothing, and refuse what is no factor', () => {
    const none: Partial<AttentionSpec> = { projections: { from: 'none' } };
    const notes = (change: Partial<AttentionSpec>): readonly string[] =>
      run({ ...sentence, ...change }).plan.notes.map(({ message }) => message);
    assert.deepEqual(notes({ ...none, weightsTimes: 0.02 }), ['weightsTimes is ignored: no weights are drawn']);
    const torch: Partial<AttentionSpec> = { dtype: 'float32', random: { generator: 'torch', seed: 0 } };
    assert.deepEqual(notes({ ...none, ...torch, weightsDividedIn: 'float32' }), [
      'weightsDividedIn is ignored: no weights are drawn',
    ]);
    assert.deepEqual(notes({ ...torch, weightsDividedIn: 'float32', weightsTimes: 0.02 }), [
      'weightsDividedIn is ignored: drawn weights are multiplied, not divided',
    ]);
    for (const weightsTimes of [0, -1, 'x']) {
      const read = validateSpec({ ...sentence, weightsTimes });
      const found = read.ok ? explainAttention(read.value) : read;
      assert.ok(!found.ok && found.problems[0]?.path === 'weightsTimes', String(weightsTimes));
    }
  });
});
