import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { explainAttention, matrixDefaults, type AttentionTrace } from '../../engine/index';
import { readNested, type Nested } from './exact/cells';
import { compareTrace, type Golden, type Tally } from './exact/compare';
import { exp, pair, sinAndCos, squareRoot, tanh, type Pair } from './exact/double-double';
import { rules } from './exact/rules';

interface Fixture {
  readonly numpy: string;
  readonly specs: readonly Golden[];
}

const committed = join(__dirname, '../fixtures/attention/variants.json.gz');
const program = join(__dirname, '../reference/attention_variants.py');
const fixture = JSON.parse(gunzipSync(readFileSync(committed)).toString('utf8')) as Fixture;
const tally: Tally = new Map();

function run(golden: Golden): AttentionTrace {
  const result = explainAttention(golden.spec);
  assert.ok(result.ok, `refused: ${result.ok ? '' : JSON.stringify(result.problems)}`);
  return result.value;
}

describe('every variant of attention, against NumPy', () => {
  it('has at least 300 specs, in both dtypes, and covers every step', () => {
    assert.ok(fixture.specs.length >= 300, `${fixture.specs.length} specs`);
    for (const dtype of ['float32', 'float64']) {
      const steps = new Set(fixture.specs.filter((g) => g.spec.dtype === dtype).flatMap((g) => Object.keys(g.steps)));
      assert.deepEqual([...steps].sort(), Object.keys(rules).sort(), dtype);
    }
  });

  for (const golden of fixture.specs) {
    it(golden.name, () => {
      const wrong = compareTrace(run(golden), golden, tally);
      assert.equal(wrong.length, 0, `${wrong.join('\n')}\n${JSON.stringify(golden.spec)}`);
    });
  }

  after(() => {
    console.log(
      '      Worst error as a share of what is allowed: from a step’s own operands, and against NumPy from the start.',
    );
    for (const [key, { cells, own, numpy }] of [...tally].sort(([a], [b]) => a.localeCompare(b))) {
      console.log(`      ${key.padEnd(22)} ${String(cells).padStart(6)} cells  ${own.toFixed(3)}  ${numpy.toFixed(3)}`);
    }
  });
});

describe('what the comparison rests on', () => {
  /** Digits by Python's decimal module with 60 digits. */
  const known: readonly (readonly [string, Pair, number, number])[] = [
    ['e', exp(pair(1)), 2.718281828459045, 1.4456468917292502e-16],
    ['exp(-1/2)', exp(pair(-0.5)), 0.6065306597126334, -6.593178415491414e-19],
    ['√2', squareRoot(2), 1.4142135623730951, -9.667293313452913e-17],
    ['sin 47', sinAndCos(pair(47)).sin, 0.123573122745224, 2.977077377885949e-18],
    ['cos 47', sinAndCos(pair(47)).cos, -0.9923354691509287, 2.1243712662694037e-17],
    ['sin 2.5', sinAndCos(pair(2.5)).sin, 0.5984721441039565, -5.521403334082375e-17],
    ['cos 2.5', sinAndCos(pair(2.5)).cos, -0.8011436155469337, -1.8674742705085553e-17],
    ['tanh 3/4', tanh(pair(0.75)), 0.6351489523872873, 1.7012977006564836e-17],
    ['tanh 1e-4', tanh(pair(1e-4)), 9.999999966666667e-5, 4.51890806545438e-21],
  ];
  for (const [name, found, hi, lo] of known) {
    it(`${name} to 28 digits`, () => {
      assert.equal(found.hi, hi);
      assert.ok(Math.abs(found.lo - lo) <= 1e-28 * Math.max(1, Math.abs(hi)), `${found.lo}, expected ${lo}`);
    });
  }

  it('rounds float32 after every addition', () => {
    // 1e8 + 1 is 1e8 in float32 (its ulp there is 8): NumPy, np.float32(1e8) + np.float32(1) - np.float32(1e8) == 0.
    const qkv = { from: 'qkv', q: [[1, 1, 1]], k: [[1e8, 1, -1e8]] } as const;
    const score = (dtype: 'float32' | 'float64'): number => {
      const result = explainAttention({ ...matrixDefaults, dtype, start: qkv });
      assert.ok(result.ok);
      return result.value.value('scores', [0, 0]);
    };
    assert.equal(score('float64'), 1);
    assert.equal(score('float32'), 0);
  });

  it('sees a wrong digit, a wrong sign of infinity and a missing step', () => {
    const golden = fixture.specs.find((g) => g.name.startsWith('primes'));
    assert.ok(golden);
    const trace = run(golden);
    const weights = golden.steps['weights'] as readonly (readonly number[])[];
    const spoiled = weights.map((row, i) => row.map((w, j) => (i === 3 && j === 5 ? w * (1 + 1e-12) : w)));
    const infinite = weights.map((row, i) => row.map((w, j) => (i === 0 && j === 0 ? ('-inf' as const) : w)));
    const { scaled: _, ...fewer } = golden.steps;
    const complaints = [{ ...golden.steps, weights: spoiled }, { ...golden.steps, weights: infinite }, fewer].map(
      (steps) => compareTrace(trace, { ...golden, steps }, new Map()).join('\n'),
    );
    assert.match(complaints[0] ?? '', /^weights\[3,5\]: /);
    assert.match(complaints[1] ?? '', /^weights\[0,0\]: .* -Infinity in NumPy/);
    assert.equal(complaints[2], 'scaled: only in the plan');
  });
});

/** The first python3 that has NumPy. */
function findPython(): string | undefined {
  const candidates = ['python3', '/usr/bin/python3', '/usr/local/bin/python3', 'python'];
  return candidates.find((python) => {
    if (python.startsWith('/') && !existsSync(python)) return false;
    try {
      execFileSync(python, ['-c', 'import numpy'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

describe('the NumPy program itself', () => {
  const every = 8;

  it('still makes the committed values', function () {
    this.timeout(120_000);
    const python = findPython();
    if (python === undefined) {
      console.log('      skipped: no python3 with NumPy (Debian: apt-get install python3-numpy)');
      return this.skip();
    }
    const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    const printed = execFileSync(python, [program, '--every', String(every)], { env: environment, maxBuffer: 2 ** 28 });
    const live = JSON.parse(printed.toString('utf8')) as Fixture;
    const kept = fixture.specs.filter((_, i) => i % every === 0);
    assert.deepEqual(
      live.specs.map((g) => g.spec),
      kept.map((g) => g.spec),
    );
    const cells = live.specs.reduce((count, golden, i) => count + assertSame(golden, kept[i] ?? golden), 0);
    assert.ok(cells > 1000, `${cells} cells`);
    console.log(
      `      ${live.specs.length} specs, ${cells} cells; NumPy ${live.numpy} here, ${fixture.numpy} in the file`,
    );
  });
});

/**
 * Another NumPy, or another processor, sums in another order and has other kernels for exp: 1e-4 of float32's and 1e-10 of float64's
 * largest number in the step. Logits of thousands turn an error in a score into one as large in a weight.
 */
function assertSame(live: Golden, kept: Golden): number {
  assert.deepEqual(Object.keys(live.steps), Object.keys(kept.steps), live.name);
  return Object.entries(live.steps).reduce((count, [id, nested]) => {
    const here = readNested(nested, live.spec.dtype);
    const there = readNested(kept.steps[id] as Nested, live.spec.dtype);
    assert.deepEqual(here.shape, there.shape, `${live.name}, ${id}`);
    const largest = there.values.reduce((max, x) => (Number.isFinite(x) ? Math.max(max, Math.abs(x)) : max), 0);
    const allowed = (live.spec.dtype === 'float32' ? 1e-4 : 1e-10) * largest;
    here.values.forEach((x, i) => {
      const y = there.values[i] ?? NaN;
      const agrees = Object.is(x, y) || x === y || Math.abs(x - y) <= allowed;
      assert.ok(agrees, `${live.name}, ${id}, cell ${i}: ${x}, the file has ${y}`);
    });
    return count + here.values.length;
  }, 0);
}
