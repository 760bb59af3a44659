import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  matrixDefaults,
  maskedAfterSoftmax,
  scoreGeometryAt,
  overflow,
  scaleEffect,
  widthSweep,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { run } from './specs';

const numbers = (rows: number, columns: number, seed: number): number[][] =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => Math.sin(seed + 7 * i + 3 * j) * 2.5),
  );
const [q, k, v] = [numbers(7, 5, 1), numbers(7, 5, 2), numbers(7, 3, 3)];
const spec: AttentionSpec = { ...matrixDefaults, start: { from: 'qkv', q, k, v }, mask: 'causal' };
const divisors = [0.25, 1, Math.sqrt(5), 10, 1000];
const at = [4, 2];

/** The same shape of nested numbers, each within 1e-12 of the other's size. */
function assertClose(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number') {
    assert.ok(typeof actual === 'number', path);
    assert.ok(
      Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected)),
      `${path}: ${actual}, NumPy ${expected}`,
    );
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null, path);
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), path);
  for (const [key, value] of Object.entries(expected))
    assertClose((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
}

describe('insights against NumPy', () => {
  it('means over rows with NaN are NaN, as NumPy’s are: none of them is 0', () => {
    const x = [[1, 2], ['nan' as const, 0], [3, 1]];
    const [point] = scaleEffect(run({ ...matrixDefaults, start: { from: 'x', x } }), [2]);
    const { entropy, largest, jacobianNorm } = point ?? {};
    assert.deepEqual([entropy, largest, jacobianNorm], [NaN, NaN, NaN]);
  }); // prettier-ignore

  it('scale, width, meeting, mask after softmax, exponential', function () {
    this.timeout(60_000);
    const python = pythonOrSkip(this, 'numpy');
    const input = JSON.stringify({ q, k, at, divisors, sweep: 12 });
    const ran = spawnSync(python, [join(__dirname, '../reference/insights_numpy.py')], { input, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    const there = JSON.parse(ran.stdout) as Record<string, unknown>;
    const trace = run(spec);
    assertClose(scaleEffect(trace, divisors), there['effect'], 'effect');
    assertClose(maskedAfterSoftmax(trace), there['after'], 'after');
    assertClose(scoreGeometryAt(trace, at), there['meeting'], 'meeting');
    assertClose(overflow(run({ ...spec, mask: 'none' }))?.exponential, there['exponential'], 'exponential');
    assertClose(widthSweep(12), there['sweep'], 'sweep');
  });

  it('says in which formats exp overflows, and how far this input is from it', () => {
    const of = (score: number, dtype: 'float32' | 'float64'): ReturnType<typeof overflow> =>
      overflow(
        run({
          ...matrixDefaults,
          dtype,
          scale: 'none',
          start: { from: 'scores', scores: [[score, 0]], dK: 1, v: [[1], [2]] },
        }),
      );
    // NumPy: np.exp(np.float16(12)) is inf, np.exp(np.float32(12)) 162754.8; np.exp(np.float32(89)) is inf; np.exp(710.) is inf. bfloat16's largest is 3.39e38, whose logarithm is 88.72.
    assert.deepEqual(of(12, 'float64')?.overflowsIn, ['float16']);
    assert.deepEqual(of(89, 'float64')?.overflowsIn, ['float32', 'float16', 'bfloat16']);
    assert.deepEqual(of(710, 'float64')?.overflowsIn, ['float64', 'float32', 'float16', 'bfloat16']);
    assert.equal(of(710, 'float64')?.exponential, Infinity);
    assert.equal(of(-3, 'float64')?.factorToOverflow, Infinity);
    assert.ok(Math.abs((of(10, 'float32')?.factorToOverflow ?? 0) - 8.872283905206835) < 1e-12);
  });

  it('has nothing to say where the steps are not there', () => {
    const given = run({ ...matrixDefaults, start: { from: 'weights', weights: [[0.5, 0.5]], v: [[1], [2]] } });
    assert.deepEqual(scaleEffect(given, [1]), []);
    for (const insight of [scoreGeometryAt(given, [0, 0]), overflow(given), maskedAfterSoftmax(given)])
      assert.equal(insight, undefined);
  });
});
