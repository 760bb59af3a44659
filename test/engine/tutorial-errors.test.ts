// Each error that the five tutorials contain, shown to be one on the tutorial's own numbers. All figures are printed in
// the texts or were recomputed with NumPy (test/reference/tutorial_figures.py).
import assert from 'node:assert/strict';
import {
  matrixDefaults,
  properties,
  valuesOf,
  type AttentionSpec,
  type AttentionTrace,
  type SpecMatrix,
} from '../../engine/index';
import { run, spec000, spec001, spec004, tutorials } from './specs';

/** Rows of a step's numbers. */
function rows(trace: AttentionTrace, id: string): number[][] {
  const step = trace.plan.steps.find((s) => s.id === id);
  assert.ok(step);
  const [values, m] = [valuesOf(trace, step), step.shape.at(-1) ?? 1];
  return Array.from({ length: values.length / m }, (_, i) => [...values.subarray(i * m, (i + 1) * m)]);
}

const sum = (row: readonly number[]): number => row.reduce((a, b) => a + b, 0);
const near = (a: number, b: number, within = 1e-8): boolean => Math.abs(a - b) <= within;

describe('tutorial 001, what is wrong', () => {
  // The 6×6 scores that it prints for “The cat sat on the mat”, d_k = 64.
  const printed: SpecMatrix = [
    [2.1, 1.2, 0.8, 0.9, 2.0, 0.7],
    [1.1, 3.2, 4.1, 0.6, 1.0, 1.8],
    [0.9, 4.0, 2.8, 2.1, 0.8, 2.2],
    [0.7, 1.5, 2.3, 1.9, 1.1, 3.1],
    [1.8, 1.0, 0.9, 1.2, 2.1, 0.8],
    [0.6, 2.1, 1.9, 2.8, 0.7, 2.5],
  ];
  const fromScores = (scale: AttentionSpec['scale']): AttentionTrace =>
    run({ ...matrixDefaults, scale, start: { from: 'scores', scores: printed, dK: 64 } });

  it('its first softmax divides by the sum of the whole matrix: what it prints is each exp over that sum', () => {
    const wrong = [
      [0.07803034, 0, 0, 0],
      [0.16527315, 0.14826346, 0, 0],
      [0.09695434, 0.12295084, 0.02724707, 0],
      [0.18313716, 0.05602635, 0.07202319, 0.05009411],
    ];
    const masked = rows(run(spec001), 'masked').map((row) => row.map((x) => Math.exp(x)));
    const all = sum(masked.flat());
    wrong.forEach((row, i) =>
      row.forEach((x, j) => assert.ok(near(x, (masked[i]?.[j] ?? NaN) / all, 1e-7), `${i},${j}`)),
    );
    assert.ok(
      wrong.every((row) => !near(sum(row), 1, 0.1)),
      'none of its rows sums to 1',
    );
    assert.ok(near(sum(wrong.flat()), 1, 1e-6), 'its whole matrix does');
    assert.ok(
      rows(run(spec001), 'weights').every((row) => near(sum(row), 1)),
      'with softmax over rows each row does',
    );
  });

  it('its “After Softmax” weights for “cat” do not follow from its scores, scaled or not', () => {
    const claimed = [0.05, 0.15, 0.65, 0.03, 0.07, 0.05];
    for (const scale of ['sqrt_d_k', 'none'] as const) {
      const cat = rows(fromScores(scale), 'weights')[1] ?? [];
      assert.ok(
        claimed.some((x, j) => !near(x, cat[j] ?? NaN, 0.05)),
        `${scale}: ${cat.map((x) => x.toFixed(2)).join(' ')}`,
      );
    }
    // Softmax keeps the order of the scores: 1.0 for “the” cannot get more weight than 1.8 for “mat”.
    assert.ok((claimed[4] ?? 0) > (claimed[5] ?? 0) && (printed[1]?.[4] ?? 0) < (printed[1]?.[5] ?? 0));
  });
});

describe('tutorial 003, what is wrong', () => {
  const trace = run({
    ...matrixDefaults,
    start: {
      from: 'x',
      x: [
        [-0.424, -0.574, 0.513],
        [-0.133, 0.461, 0.228],
        [0.123, 0.455, 0.11],
      ],
    },
  });

  it('with Q = K the scores are symmetric, the weights are not', () => {
    const holds = Object.fromEntries(properties(trace).map((p) => [p.id, p.holds]));
    assert.deepEqual([holds['scores-symmetric'], holds['weights-symmetric']], [true, false]);
  });

  it('the weights’ rows sum to 1, the output’s rows do not', () => {
    assert.ok(rows(trace, 'weights').every((row) => near(sum(row), 1)));
    assert.ok(rows(trace, 'output').every((row) => !near(sum(row), 1, 0.1)));
  });
});

describe('tutorial 004, what is wrong', () => {
  it('what it prints as w_23 and w_24 are the scores, not the weights', () => {
    const trace = run(spec004);
    const [scores, weights] = [rows(trace, 'scores')[1] ?? [], rows(trace, 'weights')[1] ?? []];
    [-13.573791, -1.7212026].forEach((printed, i) => {
      assert.ok(near(printed, scores[i + 2] ?? NaN, 1e-5));
      assert.ok(!near(printed, weights[i + 2] ?? NaN, 1));
    });
  });
});

describe('tutorial 000, what is wrong', () => {
  it('embedding six ids with a table of width 3 gives 6×3, not “a 6x1 matrix”', () => {
    const table: SpecMatrix = [
      [0.2668, -1.041, -1.5245],
      [-0.8257, 0.0528, 1.3637],
      [-1.7534, -0.4505, -1.0951],
    ];
    const start = { from: 'ids', ids: [1, 1, 1, 1, 1, 1] } as const;
    const trace = run({ ...matrixDefaults, start, embedding: { from: 'given', table } });
    assert.deepEqual(trace.plan.steps.find((s) => s.id === 'embedding')?.shape, [6, 3]);
    assert.deepEqual(rows(trace, 'embedding')[5], [-0.8257, 0.0528, 1.3637]);
  });

  it('its function takes tokens as rows (N×D) though its docstring says D×N', () => {
    const x = tutorials['000']['x'] ?? [];
    const asWritten = run(spec000);
    const columns = (x[0] ?? []).map((_, j) => x.map((row) => row[j] ?? 0));
    assert.deepEqual([x.length, x[0]?.length], [3, 4]);
    assert.equal(rows(asWritten, 'weights').length, 3);
    // With D×N, as the docstring has it, X·Aᵀ is not defined: 3 columns meet 4.
    assert.throws(() => run({ ...spec000, start: { from: 'x', x: columns } }), /X has 3 columns/);
  });

  it('V·softmax(QKᵀ) is written for columns: with rows the product is softmax(QKᵀ)·V, of another value', () => {
    const trace = run(spec000);
    const [v, weights, output] = [rows(trace, 'v'), rows(trace, 'weights'), rows(trace, 'output')];
    // Rows of V have 4 columns, the weights 3 rows: V·A does not even fit; Vᵀ·A does, and is not the output.
    assert.notEqual(v[0]?.length, weights.length);
    const vTA = (v[0] ?? []).map((_, d) =>
      weights.map((__, j) => sum(v.map((row, i) => (row[d] ?? 0) * (weights[i]?.[j] ?? 0)))),
    );
    assert.ok(vTA.some((row, d) => row.some((x, j) => !near(x, output[j]?.[d] ?? NaN, 0.01))));
  });
});
