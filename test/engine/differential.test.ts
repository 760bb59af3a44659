import assert from 'node:assert/strict';
import {
  explainAttention,
  explainCell,
  fieldControls,
  insightsAt,
  matrixDefaults,
  planOf,
  readSwitches,
  textDefaults,
  validateSpec,
  writeSwitches,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { assertExported, assertGolden, specOf, unheld, type GoldenCase } from './golden';
import { fixture, run, sentence } from './specs';

/* Differential attention: against test/reference/differential.py, written from the paper (Ye et al. 2024), which knows nothing of the engine. */

const { cases } = fixture<{ cases: readonly GoldenCase[] }>('differential.json');
const most = ({ spec }: GoldenCase): number => (spec.dtype === 'float32' ? 4e-5 : 1e-12);
const pair: AttentionSpec = { ...sentence, heads: 2, differential: { lambda: 'random' } };
const wordsOf = (spec: AttentionSpec, id: string): string =>
  Object.values(run(spec).plan.steps.find((step) => step.id === id)?.words ?? {}).join(' ');

describe('differential attention', () => {
  cases.forEach((one, i) => {
    it(`${i}: has the program's numbers in every step`, () => assertGolden(run(specOf(one)), one, most(one)));

    it(`${i}: has the same cells where nothing is held`, () => assertGolden(unheld(specOf(one)), one, most(one)));

    it(`${i}: explains each cell by numbers that give it again`, () => {
      const trace = run(specOf(one));
      const { shape } = trace.plan.steps.find(({ id }) => id === 'differences') ?? { shape: [] };
      const at = shape.map((size) => size - 1);
      const difference = explainCell(trace, 'differences', at);
      assert.ok(difference.kind === 'worked' && difference.operand.step === 'weights');
      assert.equal(difference.operand.index.at(-3), 2 * (shape.at(-3) ?? 0) - 2);
      const [taken, last] = difference.lines;
      const round = trace.spec.dtype === 'float32' ? Math.fround : (x: number) => x;
      assert.equal(last?.value, round(difference.operand.value - (taken?.value ?? NaN)));
      assert.equal(trace.value('differences', at), last?.value);
      if (!trace.plan.steps.some(({ id }) => id === 'lambda')) return;
      const lambda = explainCell(trace, 'lambda', [0, 0]);
      assert.ok(lambda.kind === 'worked');
      assert.equal(lambda.lines.length, 3);
      assert.equal(trace.value('lambda', [0, 0]), lambda.lines[2]?.value);
    });
  });

  for (const library of ['numpy', 'torch'] as const)
    it(`is in the programs that are exported: ${library}`, function () {
      this.timeout(120_000);
      assertExported(cases, library, pythonOrSkip(this, 'numpy', 'torch'), most);
    });

  it('has the λ_init of each layer of a block', () => {
    const spec: AttentionSpec = { ...pair, differential: { lambda: 'init', layer: 2 }, outputProjection: { from: 'random' }, block: { norm: 'before', layers: 3, shown: 2 } };
    const { plan } = run(spec);
    const factors = plan.steps.flatMap(({ call }) => (call.op === 'headDifference' ? [call.by ?? NaN] : []));
    // 0.8 − 0.6·exp(−0.3·(l − 1)), l = 2, 3, 4, by Python's math.exp
    const expected = [0.35550906759096927, 0.4707130183435841, 0.5560582041556406];
    factors.forEach((by, i) => assert.ok(Math.abs(by - (expected[i] ?? NaN)) < 1e-15, `${by}`));
    assert.equal(factors.length, 3);
  });

  it('draws its vectors with deviation 0.1, before W_O', () => {
    const { plan, spec } = run({ ...pair, outputProjection: { from: 'random' } });
    const drawn = plan.steps.filter(({ call }) => call.op === 'random').map(({ id }) => id);
    assert.deepEqual(drawn.slice(-2), ['lambdaVectors', 'wo'], JSON.stringify(spec));
    const vectors = plan.steps.find(({ id }) => id === 'lambdaVectors');
    assert.ok(vectors?.call.op === 'random' && vectors.call.times === 0.1);
    assert.deepEqual([vectors.shape, vectors.rowLabels], [[4, 8], ['λ_q1', 'λ_k1', 'λ_q2', 'λ_k2']]);
  });

  it('is said: what is subtracted, and that no row sums to 1', () => {
    assert.match(wordsOf(pair, 'weights'), /next the second is taken from the first/);
    assert.match(wordsOf(pair, 'differences'), /less λ times that in the next.*sums to 1 − λ/);
    assert.match(wordsOf({ ...pair, differential: { lambda: 'init', init: 0.8 } }, 'differences'), /less λ = 0\.8 times/);
    assert.match(wordsOf(pair, 'headOutputs'), /row 1 of D|of D weighs.*no average/i);
    for (const step of run(pair).plan.steps)
      assert.doesNotMatch(Object.values(step.words).join(' '), /average the values|row sum to 1;/, step.id);
  });

  it('says of the joined heads how many there are', () => {
    const trace = run({ ...pair, heads: 4 });
    const heads = insightsAt(trace, 'output', [0, 0]).find(({ kind }) => kind === 'heads');
    assert.deepEqual(heads, { kind: 'heads', heads: 2, kvHeads: 2, width: 8, joined: 16 });
    assert.equal(trace.plan.steps.find(({ id }) => id === 'output')?.shape.at(-1), 16);
  });

  it('averages its differences, where the mean of the heads is asked for', () => {
    const trace = run({ ...pair, heads: 4, averageWeights: true });
    const mean = trace.plan.steps.find(({ id }) => id === 'averagedWeights');
    assert.deepEqual(mean?.operands, ['differences']);
    assert.equal(mean.call.op === 'averageHeads' && mean.call.heads, 2);
  });

  it('is chosen by one control, which doubles an odd number of heads', () => {
    const control = fieldControls.find(({ id }) => id === 'differential');
    assert.ok(control?.kind === 'choice');
    for (const heads of [1, 2, 3]) {
      const spec: AttentionSpec = { ...sentence, heads };
      const before = readSwitches(spec);
      const after = writeSwitches(spec, { ...before, ...control.set(before, 'random', spec) }, []);
      assert.equal(after.heads, heads % 2 ? 2 * heads : heads);
      assert.ok(explainAttention(after).ok);
    }
    const shared: AttentionSpec = { ...sentence, heads: 6, kvHeads: 3 };
    const before = readSwitches(shared);
    const after = writeSwitches(shared, { ...before, ...control.set(before, 'init', shared) }, []);
    assert.deepEqual([after.heads, after.kvHeads], [12, 6]);
    assert.ok(explainAttention(after).ok);
  });

  it('starts at given scores, and changes nothing of given weights', () => {
    const scores = [[[1, 2], [0, 1]], [[0, 3], [1, 1]]];
    const start: AttentionSpec['start'] = { from: 'scores', scores, dK: 4, v: [[1, 2], [3, 4]] };
    const found = run({ ...matrixDefaults, start, heads: 2, differential: { lambda: 'random' } });
    assert.deepEqual(found.plan.steps.find(({ id }) => id === 'lambdaVectors')?.shape, [4, 4]);
    assert.deepEqual(found.plan.steps.find(({ id }) => id === 'output')?.shape, [2, 2]);
    const planned = planOf({ ...matrixDefaults, start: { from: 'weights', weights: scores, v: start.v ?? [] }, heads: 2, differential: { lambda: 'random' } });
    assert.ok(planned.ok);
    assert.ok(!planned.value.steps.some(({ id }) => id === 'differences'));
    assert.match(planned.value.notes.map(({ message }) => message).join(), /differential is ignored: the walk starts at/);
  });

  for (const [change, path, message] of [
    [{ heads: 1 }, 'heads', /heads is 1, differential attention expects an even number/],
    [{ heads: 6, kvHeads: 3 }, 'kvHeads', /kvHeads is 3, differential attention expects an even number/],
    [{ weighting: { by: 'sigmoid' } }, 'weighting', /subtracts two softmaxes/],
    [{ weighting: { by: 'linear' } }, 'weighting', /subtracts two softmaxes/],
    [{ headChanges: [{ head: 0 }] }, 'headChanges', /heads of differential attention come in pairs/],
    [{ differential: { lambda: 'given', vectors: [[1, 2]] } }, 'differential.vectors', /is 1×2, expected 4×8/],
    [{ differential: { lambda: 'init', gain: [1, 2] } }, 'differential.gain', /has 2 numbers, expected 8/],
    [{ differential: { lambda: 'init', layer: 0 } }, 'differential.layer', /is 0, expected a whole number from 1/],
    [{ differential: { lambda: 'init', epsilon: -1 } }, 'differential.epsilon', /is -1, expected a finite number, 0 or more/],
  ] as const)
    it(`is refused where it stands: ${JSON.stringify(change)}`, () => {
      const found = explainAttention({ ...pair, ...(change as Partial<AttentionSpec>) });
      assert.ok(!found.ok);
      assert.equal(found.problems[0]?.path, path);
      assert.match(found.problems[0].message, message);
    });

  it('is refused where it is no field: no λ, or another', () => {
    for (const differential of [{}, { lambda: 'one' }, { lambda: 'given' }]) {
      const found = validateSpec({ ...textDefaults, start: sentence.start, heads: 2, differential });
      assert.ok(!found.ok && found.problems[0]?.path?.startsWith('differential'), JSON.stringify(differential));
    }
  });
}); // prettier-ignore
