import assert from 'node:assert/strict';
import {
  costs,
  hashTrace,
  insightsAt,
  matrixDefaults,
  properties,
  rowSharpness,
  sampledRows,
  scaleEffect,
  type AttentionTrace,
  type ScalePoint,
  type SpecNumber,
  scoreVariance,
  softmaxJacobian,
  type AttentionSpec,
  type Property,
} from '../../engine/index';
import { run, sentence, spec001 } from './specs';

const near = (actual: number, expected: number, digits: number): void =>
  assert.equal(actual.toFixed(digits), expected.toFixed(digits));

describe('insights', () => {
  it('gives the variances that tutorial 001 prints', () => {
    const found = scoreVariance(run(spec001));
    assert.ok(found);
    near(found.query, 0.7053850744, 7);
    near(found.key, 0.8671733397, 7);
    near(found.scores, 5.1762414213, 7);
    near(found.scaled, 0.6470301777, 7);
    assert.equal(found.predictedForUnitVariance, 8);
    near(found.predicted, 8 * 0.7053850744 * 0.8671733397, 6);
  });

  it('gives entropy, largest weight and Jacobian norm of each row', () => {
    const spec: AttentionSpec = {
      ...matrixDefaults,
      start: {
        from: 'weights',
        weights: [
          [0.5, 0.25, 0.25],
          [1, 0, 0],
        ],
        v: [[1], [2], [3]],
      },
    };
    const [mixed, certain] = rowSharpness(run(spec));
    assert.ok(mixed && certain);
    near(mixed.entropy, 1.5 * Math.LN2, 14);
    assert.deepEqual([mixed.largest, mixed.largestAt], [0.5, 0]);
    // diag 1/4, 3/16, 3/16; off diagonal −1/8, −1/8, −1/16 twice each
    near(mixed.jacobianNorm, Math.sqrt(1 / 16 + 2 * (9 / 256) + 4 / 64 + 2 / 256), 14);
    assert.deepEqual([certain.entropy, certain.jacobianNorm], [0, 0]);
    assert.deepEqual([...softmaxJacobian([0.5, 0.5])], [0.25, -0.25, -0.25, 0.25]);
  });

  const holds = (spec: AttentionSpec): Partial<Record<Property['id'], boolean>> =>
    Object.fromEntries(properties(run(spec)).map((p) => [p.id, p.holds]));

  it('finds QKᵀ symmetric and the weights not, when Q = K (the error in tutorial 003)', () => {
    const spec: AttentionSpec = {
      ...matrixDefaults,
      start: {
        from: 'x',
        x: [
          [1, 2],
          [0, -1],
          [3, 0.5],
        ],
      },
    };
    assert.deepEqual(holds(spec), {
      'rows-sum-to-1': true,
      'scores-symmetric': true,
      'weights-symmetric': false,
      causal: false,
      'permutation-equivariant': true,
    });
  });

  it('compares all pairs of cells across the diagonal, in every head, where a matrix goes over many blocks', () => {
    // 150 tokens: one whole block of 128 cells and a part of one.
    const text = Array.from({ length: 150 }, (_, i) => `w${i}`).join(' ');
    const trace = run({ ...sentence, start: { ...sentence.start, text } as AttentionSpec['start'], heads: 2 });
    const found = Object.fromEntries(properties(trace).map(({ id, deviation }) => [id, deviation]));
    const [symmetry, later] = [[0], [0]];
    for (let head = 0; head < 2; head++)
      for (let i = 0; i < 150; i++)
        for (let j = i + 1; j < 150; j++) {
          const [above, below] = [trace.value('weights', [head, i, j]), trace.value('weights', [head, j, i])];
          symmetry.push(Math.abs(above - below));
          later.push(above);
        }
    assert.equal(found['weights-symmetric'], Math.max(...symmetry));
    assert.equal(found['causal'], Math.max(...later));
  });

  it('sees that positions and a causal mask make order matter', () => {
    assert.equal(holds(sentence)['permutation-equivariant'], false);
    assert.equal(holds({ ...sentence, positions: 'none' })['permutation-equivariant'], true);
    const causal = holds({ ...sentence, positions: 'none', mask: 'causal' });
    assert.equal(causal['permutation-equivariant'], false);
    assert.equal(causal.causal, true);
  });

  it('counts parameters against a fully connected layer', () => {
    const found = costs(run({ ...sentence, outputProjection: { from: 'random', bias: true } }));
    assert.ok(found);
    // W_q, W_k, W_v of 16×8, W_O of 8×16, b_O of 16; 6 tokens of 16 numbers to 6 of 16.
    assert.equal(found.parameters, 3 * 128 + 128 + 16);
    assert.equal(found.fullyConnectedParameters, 96 * 96);
  });

  it('counts each input of a batch alone, and a context among the inputs', () => {
    const [x, context] = [[[1, 2], [3, 4], [5, 6]], [[1, 2]]]; // prettier-ignore
    const of = (start: AttentionSpec['start']): ReturnType<typeof costs> => costs(run({ ...matrixDefaults, start }));
    // 3 tokens of 2 numbers to 3 of 2: 36 weights, applied to each input; with a context of 1 token 8 numbers go in.
    const batch = of({ from: 'x', x: [x, x, x, x] });
    assert.deepEqual([batch?.fullyConnectedParameters, batch?.fullyConnectedMultiplyAdds], [36, 4 * 36]);
    assert.equal(of({ from: 'x', x, context })?.fullyConnectedParameters, 8 * 6);
    const trace = run({
      ...matrixDefaults,
      start: { from: 'x', x: [x, x, x, x], context: [context, context, context, context] },
    });
    const crossing = insightsAt(trace, 'k', [0, 0, 0]).find((insight) => insight.kind === 'cross');
    assert.deepEqual(crossing, { kind: 'cross', queries: 3, keys: 1 });
  });

  it('sweeps scales over some rows of many, evenly spaced, and says how many', () => {
    const n = 600;
    const scores = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) => Math.sin(3 * i + 7 * j + ((i * j) % 11)) * 4),
    );
    const of = (rows: number[][]): AttentionTrace =>
      run({ ...matrixDefaults, start: { from: 'scores', scores: rows, dK: 4 } });
    const all = of(scores);
    const scale = insightsAt(all, 'scaled', [0, 0]).find((insight) => insight.kind === 'scale');
    // 360,000 cells are three times 2^17, not quite: one row in three, the middle one.
    assert.deepEqual([scale?.taken, scale?.rows], [200, 600]);
    const some = scores.filter((_, i) => i % 3 === 1);
    assert.deepEqual(scaleEffect(all, [0.1, 2, 30]), scaleEffect(of(some), [0.1, 2, 30]));
    const few = insightsAt(of(some), 'scaled', [0, 0]).find((insight) => insight.kind === 'scale');
    assert.deepEqual([few?.taken, few?.rows], [200, 200]);
    assert.deepEqual(
      [sampledRows(2000, 2000), sampledRows(1, 1), sampledRows(362, 362), sampledRows(3, 1 << 20)],
      [65, 1, 362, 1],
    );
  });

  it('has the entropy of a saturated row to all digits, and NaN where softmax is', () => {
    const at = (row: SpecNumber[]): ScalePoint | undefined =>
      scaleEffect(run({ ...matrixDefaults, start: { from: 'scores', scores: [row], dK: 1 } }), [1])[0];
    // Python's decimal, 60 digits: p = 1/(1 + e^-40), −p·log p − (1 − p)·log(1 − p).
    assert.ok(
      Math.abs((at([0, -40])?.entropy ?? 0) / 1.7418252446695515e-16 - 1) < 1e-14,
      String(at([0, -40])?.entropy),
    );
    assert.equal(at([0, '-inf'])?.entropy, 0);
    assert.ok(Number.isNaN(at([0, 'inf'])?.largest));
    assert.ok(Number.isNaN(at([0, 'nan'])?.largest));
  });

  it('takes the maximum of a row after a negative divisor', () => {
    const start = { from: 'scores', scores: [[1000, -1000]], dK: 1 } as const;
    const [point] = scaleEffect(run({ ...matrixDefaults, start }), [-1]);
    assert.deepEqual([point?.largest, point?.entropy], [1, 0]);
  });
});

describe('hashTrace', () => {
  it('changes with any value or field of the spec, and with nothing else', () => {
    const hash = hashTrace(run(sentence));
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.equal(hashTrace(run(JSON.parse(JSON.stringify(sentence)) as AttentionSpec)), hash);
    assert.notEqual(hashTrace(run({ ...sentence, mask: 'causal' })), hash);
    assert.notEqual(hashTrace(run({ ...sentence, random: { ...sentence.random, seed: 1 } })), hash);
  });

  it('tells zero from negative zero and takes every NaN as one', () => {
    const of = (x: '-0' | 0 | 'nan'): string =>
      hashTrace(run({ ...matrixDefaults, start: { from: 'x', x: [[x, 1]] } }));
    assert.notEqual(of('-0'), of(0));
    assert.equal(of('nan'), of('nan'));
  });
});
