import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  explainAttention,
  explainCell,
  planOf,
  runReference,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type Step,
  type Tile,
} from '../../engine/index';
import { deferredSteps } from '../../engine/run/large/index';
import { pythonOrSkip, runReference as runPython } from '../reference/python';

/** The committed specs that NumPy has computed: every variant. */
const committed = (file: string): string =>
  gunzipSync(readFileSync(join(__dirname, '../fixtures/attention', file))).toString('utf8');
const { specs: variants } = JSON.parse(committed('variants.json.gz')) as { specs: readonly { spec: AttentionSpec }[] };
const odd = committed('odd.json.gz')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { spec: AttentionSpec });
const specs = [...variants, ...odd].map(({ spec }) => spec);

/** The same spec computed at once, and with as much as can be left for when it is looked at. */
function both(spec: AttentionSpec): { held: AttentionTrace; large: AttentionTrace; deferred: ReadonlySet<string> } {
  const planned = planOf(spec);
  assert.ok(planned.ok);
  const deferred = deferredSteps(planned.value, 0);
  const [held, large] = [explainAttention(spec), runReference(spec, planned.value, undefined, deferred)];
  assert.ok(held.ok && large.ok);
  return { held: held.value, large: large.value, deferred };
}

const leads = ({ shape }: Step): { batch: number; head: number }[] => {
  const [batches, heads] =
    shape.length > 3 ? [shape[0] ?? 1, shape[1] ?? 1] : [1, shape.length > 2 ? (shape[0] ?? 1) : 1];
  return Array.from({ length: batches * heads }, (_, i) => ({ batch: Math.floor(i / heads), head: i % heads }));
};

/** Bit for bit; node:assert compares typed arrays a hundred times slower. */
function same(actual: Tile, expected: Tile, message: string): void {
  for (const key of ['level', 'row', 'column', 'height', 'width'] as const)
    assert.equal(actual[key], expected[key], `${key} of ${message}`);
  for (const key of ['min', 'max', 'mean', 'nan', 'masked'] as const) {
    const [a, b] = [actual[key], expected[key]].map(({ buffer }) => Buffer.from(buffer)) as [Buffer, Buffer];
    assert.ok(a.equals(b), `${key} of ${message}`);
  }
}

const words = (n: number): string => Array.from({ length: n }, (_, i) => `w${i % 50}`).join(' ');
const long = (n: number): AttentionSpec => ({
  ...textDefaults,
  mask: 'causal',
  start: { from: 'text', text: words(n), tokenizer: 'words' },
});

describe('deferred steps', function () {
  this.timeout(60_000);

  it('have the bits of a whole computation, in every variant, at every level', () => {
    let [tiles, deferredTiles] = [0, 0];
    for (const spec of specs) {
      const { held, large, deferred } = both(spec);
      for (const step of held.plan.steps) {
        for (const lead of leads(step)) {
          for (const level of [0, 1, 2]) {
            const request = { ...lead, level };
            same(large.read(step.id, request), held.read(step.id, request), `${step.id} ${JSON.stringify(spec)}`);
            tiles++;
            if (deferred.has(step.id)) deferredTiles++;
          }
        }
      }
    }
    assert.ok(deferredTiles > 5000, `${deferredTiles} of ${tiles} tiles were of deferred steps`);
  });

  it('explain every cell as a whole computation does', () => {
    for (const spec of specs) {
      const { held, large, deferred } = both(spec);
      for (const id of deferred) {
        const { shape } = held.plan.steps.find((s) => s.id === id) as Step;
        const index = shape.map((size) => size - 1);
        assert.deepEqual(explainCell(large, id, index), explainCell(held, id, index), `${id} ${JSON.stringify(spec)}`);
      }
    }
  });

  it('report a fully masked query before anything is computed, as a whole computation does', () => {
    let found = 0;
    for (const spec of specs) {
      const { held, large, deferred } = both(spec);
      const hidden = held.problems.filter(({ code }) => code === 'hidden-row');
      if (!deferred.size || !hidden.length) continue;
      assert.deepEqual(large.problems, hidden, JSON.stringify(spec));
      found++;
    }
    assert.ok(found >= 5, `${found} specs hide a row`);
  });

  it('refuse an index outside of the step, as a held trace does', () => {
    const { held, large } = both(long(20));
    for (const trace of [held, large]) {
      assert.throws(() => trace.value('weights', [20, 0]), /index 20,0 is outside of 20×20/);
      assert.throws(() => trace.read('weights', { rows: [0, 21] }), /range 0…21 is outside of 0…20/);
      assert.throws(() => trace.read('nothing'), /no step nothing/);
    }
  });
});

describe('16,384 tokens', function () {
  this.timeout(60_000);
  const n = 16_384;

  it('have rows of weights and outputs as NumPy computes them, and blocks over them', function () {
    const python = pythonOrSkip(this, 'numpy');
    const [first, last] = [9000, 9016];
    const expected = runPython(python, 'large_rows.py', [n, first, last].map(String), '');
    const result = explainAttention(long(n));
    assert.ok(result.ok, JSON.stringify(result));
    const trace = result.value;
    const weights = trace.read('weights', { rows: [first, last] }).mean;
    const output = trace.read('output', { rows: [first, last] }).mean;
    for (let row = 0; row < last - first; row++) {
      const from = row * (n + 8);
      // 1·k·ε: a weight is divided by a sum of k exponentials, an output is a sum of k terms whose magnitudes sum to at most 4.
      const k = first + row + 1;
      near(weights.subarray(row * n, (row + 1) * n), expected.subarray(from, from + n), k, 0);
      near(output.subarray(row * 8, (row + 1) * 8), expected.subarray(from + n, from + n + 8), k, 4);
    }
    const tile = trace.read('weights', { rows: [first, last], columns: [8960, 9024], level: 4 });
    assert.deepEqual([tile.row, tile.column, tile.height, tile.width], [8992, 8960, 2, 4]);
    assert.deepEqual(
      Array.from(tile.masked.subarray(4)),
      Array.from([0, 1, 2, 3], (x) => hiddenIn(9008, 8960 + 16 * x)),
    );
  });
});

describe('an explanation with too many terms to show all', function () {
  this.timeout(60_000);
  const n = 6000;
  let trace: AttentionTrace;
  before(() => {
    const result = explainAttention(long(n));
    assert.ok(result.ok);
    trace = result.value;
  });

  it('shows the first, the largest and the cell’s own term of a softmax, and the sum of the others', () => {
    const cell = explainCell(trace, 'weights', [5500, 4321]);
    assert.ok(cell.kind === 'softmax' && cell.rest);
    const weights = trace.read('weights', { rows: [5500, 5501] }).mean;
    const at = cell.terms.map(({ operand }) => operand.index[1] ?? -1);
    assert.equal(at.length + cell.rest.count, n);
    assert.deepEqual(
      at,
      [...new Set(at)].sort((a, b) => a - b),
      'in order, each once',
    );
    assert.deepEqual(at.slice(0, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.ok(at.includes(4321));
    const least = [...weights].sort((a, b) => b - a)[63] as number;
    weights.forEach((weight, j) => assert.ok(weight <= least || at.includes(j), `key ${j} is among the 64 largest`));
    for (const { operand, weight } of cell.terms) assert.equal(weight, weights[operand.index[1] ?? -1]);
    const shown = cell.terms.reduce((sum, t) => sum + t.exponential, 0);
    assert.ok(Math.abs(shown + cell.rest.exponentials - cell.sum) <= n * 2 ** -52 * cell.sum);
    assert.ok(Math.abs(cell.rest.weights - cell.rest.exponentials / cell.sum) <= n * 2 ** -52);
  });

  it('has true partial sums of a product', () => {
    const cell = explainCell(trace, 'output', [5500, 3]);
    assert.ok(cell.kind === 'products' && cell.rest);
    assert.equal(cell.terms.length + cell.rest.count, n);
    const weights = trace.read('weights', { rows: [5500, 5501] }).mean;
    let [sum, next] = [0, 0];
    for (let t = 0; t < n; t++) {
      sum += (weights[t] as number) * trace.value('v', [t, 3]);
      if (cell.terms[next]?.left.index[1] !== t) continue;
      assert.equal(cell.terms[next]?.partialSum, sum, `term ${t}`);
      next++;
    }
    assert.equal(sum, cell.value);
    assert.equal(next, cell.terms.length);
  });
});

/** How many of the 16×16 cells from (row, column) a causal mask hides. */
const hiddenIn = (row: number, column: number): number =>
  Array.from({ length: 256 }, (_, i) => column + (i % 16) > row + (i >> 4)).filter(Boolean).length;

function near(actual: Float64Array, expected: Float64Array, ulps: number, scale: number): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((x, i) => {
    const want = expected[i] as number;
    const allowed = ulps * 2 ** -52 * Math.max(Math.abs(want), scale);
    assert.ok(Math.abs(x - want) <= allowed, `[${i}] is ${x}, NumPy gives ${want}`);
  });
}
