import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { explainAttention, matrixDefaults, type AttentionTrace } from '../../engine/index';
import { epsilon, readNested, tiniest, type DType, type Nested } from './exact/cells';
import { compareTrace, type Golden, type Tally } from './exact/compare';
import { exp, pair, sinAndCos, squareRoot, tanh, type Pair } from './exact/double-double';
import { rules } from './exact/rules';
import { pythonOrSkip } from '../reference/python';

interface Fixture {
  readonly numpy: string;
  /** For how many specs PyTorch's own function gave what NumPy gave: checked before the file was written. */
  readonly 'agreed with torch': Readonly<Record<string, number>>;
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
      // Values of a source of their own have PyTorch's numbers in value-source.test.ts.
      const elsewhere = ['valueSource'];
      assert.deepEqual([...steps, ...elsewhere].sort(), Object.keys(rules).sort(), dtype);
    }
  });

  it('holds values that PyTorch agreed with', () => {
    const { layer = 0, softmax = 0, embedding = 0 } = fixture['agreed with torch'];
    assert.ok(layer >= 50 && softmax >= 300 && embedding >= 50, JSON.stringify(fixture['agreed with torch']));
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

describe('the NumPy program itself', () => {
  const every = 8;

  it('still makes the committed values', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy');
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
 * Another NumPy, or another processor, sums in another order and has another exp: within 64 ε of the largest number in the step,
 * times the largest logit, since an error in a score is as large an error in the ratio of two weights.
 */
function assertSame(live: Golden, kept: Golden): number {
  assert.deepEqual(Object.keys(live.steps), Object.keys(kept.steps), live.name);
  const { dtype } = live.spec;
  const logits = ['scores', 'scaled', 'biased', 'capped', 'tempered'].map((id) => largest(kept.steps[id] ?? [], dtype));
  const factor = 64 * epsilon(dtype) * (1 + Math.max(...logits));
  return Object.entries(live.steps).reduce((count, [id, nested]) => {
    const there = kept.steps[id] ?? [];
    assertNear(live, id, nested, there, factor * largest(there, dtype) + 64 * tiniest(dtype));
    return count + readNested(nested, dtype).values.length;
  }, 0);
}

const largest = (nested: Nested, dtype: DType): number =>
  readNested(nested, dtype).values.reduce((max, x) => (Number.isFinite(x) ? Math.max(max, Math.abs(x)) : max), 0);

function assertNear(golden: Golden, id: string, live: Nested, kept: Nested, allowed: number): void {
  const [here, there] = [readNested(live, golden.spec.dtype), readNested(kept, golden.spec.dtype)];
  assert.deepEqual(here.shape, there.shape, `${golden.name}, ${id}`);
  here.values.forEach((x, i) => {
    const y = there.values[i] ?? NaN;
    const agrees = Object.is(x, y) || x === y || Math.abs(x - y) <= allowed;
    assert.ok(agrees, `${golden.name}, ${id}, cell ${i}: ${x}, the file has ${y} (allowed ${allowed})`);
  });
}
