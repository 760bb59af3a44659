// What a page shows of a checked result: the steps that its mistake changes, and a spec that makes it, beside NumPy's numbers (test/reference/diagnose.py).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkResult,
  explainAttention,
  finish,
  matrixDefaults,
  parseMatrices,
  printedLiteral,
  valuesOf,
  verdictOf,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';

type Rows = readonly (readonly number[])[];
const { given, results } = JSON.parse(readFileSync(join(__dirname, '../fixtures/diagnose.json'), 'utf8')) as {
  readonly given: Readonly<Record<'x' | 'wq' | 'wk' | 'wv' | 'wo', Rows>> &
    Readonly<Record<'bq' | 'bk' | 'bv', number[]>>;
  readonly results: Readonly<Record<string, Rows>>;
};
const { x, wq, wk, wv, wo, bq, bk, bv } = given;
const spec: AttentionSpec = {
  ...matrixDefaults, start: { from: 'x', x }, dModel: 8, projections: { from: 'given', wq, wk, wv, bq, bk, bv },
  heads: 2, outputProjection: { from: 'given', wo }, mask: 'causal',
}; // prettier-ignore

function traceOf(of: AttentionSpec): AttentionTrace {
  const trace = explainAttention(of);
  return trace.ok ? trace.value : assert.fail(JSON.stringify(trace.problems));
}

const trace = traceOf(spec);
const shown = (rows: Rows, digits: number) => {
  const mine = { rows: rows.map((row) => row.map((cell) => Number(cell.toFixed(digits)))), digits };
  const checked = finish(checkResult(trace, mine));
  return checked.ok ? finish(verdictOf(trace, 'out', mine, checked.value)) : assert.fail(JSON.stringify(checked.problems));
}; // prettier-ignore

describe('the verdict on a result', () => {
  // Those that fields of a spec say, and that change this case (NumPy's numbers of which are in the fixture).
  const sayable = [
    'transposedWq', 'noBq', 'noBv', 'noBias', 'swapQK', 'noScale', 'scaleD', 'scaleModel', 'scaleTimes', 'scaleKeys',
    'maskTransposed', 'maskLoose', 'noMask', 'maskAdded', 'transposedWo',
  ]; // prettier-ignore
  it('has a spec that makes the mistake, with NumPy’s numbers', () => {
    for (const name of sayable) {
      const { remade } = shown(results[name] ?? [], 8);
      const again = traceOf((remade ?? assert.fail(`${name}: no spec`)).spec);
      const output = again.plan.steps.find(({ id }) => id === 'output') ?? assert.fail(name);
      const expected = (results[name] ?? []).flat();
      valuesOf(again, output).forEach((cell, i) => assert.ok(Math.abs(cell - (expected[i] ?? NaN)) < 1e-8, name));
    }
  });

  it('has none where no field says the mistake', () => {
    for (const name of ['softmaxQueries', 'viewHeads', 'viewMerge', 'residual'])
      assert.deepEqual([name, shown(results[name] ?? [], 8).remade], [name, undefined]);
  });

  it('names the steps that a mistake changes, from the first to the printed one', () => {
    const differs = (name: string): readonly string[] => shown(results[name] ?? [], 8).verdict.differs;
    assert.deepEqual(differs('noScale'), ['scaled', 'masked', 'weights', 'headOutputs', 'concat', 'output']);
    assert.deepEqual(differs('softmaxQueries'), ['weights', 'headOutputs', 'concat', 'output']);
    assert.deepEqual(differs('transposedWq').slice(0, 3), ['q', 'scores', 'scaled']);
    assert.deepEqual(differs('residual'), ['output']);
  });

  it('says the mistake, the cell that differs most, and what to write instead', () => {
    const { verdict } = shown(results['noScale'] ?? [], 4);
    assert.equal(verdict.says, 'out: step output with 1 mistake. The scores are not divided by √d_k.');
    assert.deepEqual(verdict.findings[0]?.write, ['S = Q @ K.T / np.sqrt(d_k)']);
    assert.deepEqual(verdict.at, { step: 'output', form: 'plain' });
    const [mine, right] = [results['noScale'], results['right']].map((rows = []) => rows.flat());
    const far = (mine ?? []).map((cell, i) => Math.abs(Number(cell.toFixed(4)) - (right?.[i] ?? NaN)));
    const [row = 0, column = 0] = verdict.cell ?? [];
    assert.equal(row * 8 + column, far.indexOf(Math.max(...far)));
  });

  it('is a step, or the nearest one, with the printed numbers', () => {
    const right = shown(results['right'] ?? [], 4).verdict;
    assert.deepEqual([right.is, right.at, right.differs], ['step', { step: 'output', form: 'plain' }, []]);
    const none = shown(
      x.map((row) => row.map((cell, j) => cell * 3 + j)),
      4,
    ).verdict;
    assert.deepEqual([none.is, none.at?.form, none.rows.length], ['none', 'plain', 6]);
    assert.match(none.says, /^out is no step of this attention/);
  });
});

describe('a written matrix as a result', () => {
  it('has the digits with which it is written', () => {
    const text = 'out = [[0.25, 1.5], [2, 0.125]]';
    const [matrix = assert.fail()] = parseMatrices(text).matrices;
    assert.deepEqual(printedLiteral(text, matrix), { rows: [[0.25, 1.5], [2, 0.125]], digits: 3 });
  }); // prettier-ignore

  it('is none where it is computed or has more than rows and columns', () => {
    const text = 'T = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]';
    const [matrix = assert.fail()] = parseMatrices(text).matrices;
    assert.equal(printedLiteral(text, matrix), undefined);
  });
});
