import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  wasmKernels,
  supportedBuilds,
  type Build,
  type WasmBuffer,
  type WasmKernels,
  type SoftmaxOperands,
} from '../../engine/run/backend/wasm/index';
import {
  assertNear,
  assertOutput,
  assertProduct,
  assertWeights,
  integers,
  product,
  reals,
  weightsOf,
} from './wasm-support';

// n, k, m: single cells, primes, beside and at the edges of tiles (4, 6, 8), of blocks (192 rows, 512 terms), and nothing at all.
const shapes: readonly (readonly [number, number, number])[] = [
  [1, 1, 1],
  [4, 8, 8],
  [6, 5, 8],
  [7, 3, 9],
  [13, 17, 19],
  [5, 2, 4],
  [200, 1, 1],
  [1, 1, 200],
  [1, 200, 1],
  [12, 511, 16],
  [7, 512, 9],
  [7, 513, 9],
  [3, 1025, 10],
  [191, 3, 7],
  [192, 3, 8],
  [193, 3, 9],
  [385, 2, 3],
  [0, 3, 4],
  [3, 0, 4],
  [3, 4, 0],
];

const script = join(__dirname, '../../engine/run/backend/wasm/build.mjs');
const mocha = createRequire(__filename).resolve('mocha/bin/mocha.js');

const run = (args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, args, { encoding: 'utf8' });

for (const build of supportedBuilds()) {
  describe(`wasm kernels, ${build}`, () => {
    const own = kernelsOf(build);
    describe('matmul', () => testMatmul(own));
    describe('softmax', () => testSoftmax(own));
    describe('attention', () => testAttention(own));
    describe('operands', () => testOperands(own));
  });
}

function kernelsOf(build: Build): WasmKernels {
  const own = wasmKernels(build);
  assert.ok(own, `${build} validates and does not start`);
  assert.equal(own.build, build);
  return own;
}

function testMatmul(own: WasmKernels): void {
  for (const [n, k, m] of shapes) {
    for (const transposed of [false, true]) {
      const name = `${n}×${k} by ${k}×${m}${transposed ? ', b transposed' : ''}`;
      it(`${name}: integers exactly, reals within 1·k·ε·Σ|terms|`, () => {
        const whole = { a: integers(n * k, 1), b: integers(k * m, 2), n, k, m, transposed };
        assert.deepEqual(own.matmul(whole).slice(), Float32Array.from(product(whole).sums));
        const real = { ...whole, a: reals(n * k, 3), b: reals(k * m, 4) };
        assertProduct(own.matmul(real), product(real), k, m);
      });
    }
  }

  it('carries NaN and ±∞ to where they belong and nowhere else', () => {
    const [n, k, m] = [9, 521, 11];
    const [a, b] = [reals(n * k, 5), reals(k * m, 6)];
    a[2 * k + 515] = NaN;
    a[8 * k + 1] = Infinity;
    b[520 * m + 10] = -Infinity;
    const { sums } = product({ a, b, n, k, m });
    const actual = own.matmul({ a, b, n, k, m });
    sums.forEach(
      (x, i) => Number.isFinite(x) || assert.ok(Object.is(actual[i], x), `${i}: ${actual[i]}, expected ${x}`),
    );
    sums.forEach((x, i) => Number.isFinite(x) && assert.ok(Number.isFinite(actual[i]), `${i}: ${actual[i]}`));
  });
}

function testSoftmax(own: WasmKernels): void {
  it('is what NumPy prints for 1, 2, 3', () => {
    const actual = own.softmax({ x: Float32Array.of(1, 2, 3), n: 1, m: 3 });
    assert.deepEqual(
      [...actual].map((x) => x.toFixed(6)),
      ['0.090031', '0.244728', '0.665241'],
    );
  });

  for (const [n, m] of [
    [1, 1],
    [200, 1],
    [3, 2],
    [5, 3],
    [2, 4],
    [3, 7],
    [2, 8],
    [3, 13],
    [1, 200],
    [7, 1031],
  ] as const) {
    for (const scale of [1, 0.125, -3]) {
      it(`${n}×${m} times ${scale}, with and without a mask`, () => {
        const x = reals(n * m, 7).map((y) => 20 * y);
        const mask = Uint8Array.from(integers(n * m, 8), (y) => (y > 2 ? 1 : 0));
        for (const masked of [{}, { mask, fill: -1e9 }, { mask, fill: -Infinity }]) {
          const expected = weightsOf(Float64Array.from(x), { n, m, scale, ...masked });
          const bound = (i: number): number => (m + 8) * 2 ** -23 * (expected[i] ?? 0);
          assertNear(own.softmax({ x, n, m, scale, ...masked }), expected, bound);
          assertRows(softmaxOfHeld(own, { x, n, m, scale, ...masked }), { x, n, m, scale, ...masked });
        }
      });
    }
  }

  // What is held is not overwritten: the kernels first try it without its largest value, while no value is beyond 41.
  for (const most of [3, 40.9, 41, 41.5, 42, 60, 90, 300, 1e4, 7.3e6, 3e38])
    for (const [n, m] of [
      [2, 1],
      [5, 7],
      [3, 132],
      [4, 131],
    ] as const)
      it(`${n}×${m} held, values up to ±${most}, the extremes in every place in turn`, () => {
        for (let at = 0; at < Math.min(m, 9); at++) {
          const x = reals(n * m, 9).map((y) => (y * Math.min(most, 40)) / 2);
          x[at] = most;
          x[2 * m - 1 - at] = -most;
          assertRows(softmaxOfHeld(own, { x, n, m }), { x, n, m });
        }
      });

  it('gives NaN for what holds NaN or +∞, in place or held, wherever it stands; −∞ alone becomes 0', () => {
    const [n, m] = [3, 135];
    for (const odd of [NaN, Infinity, -Infinity])
      for (let at = 0; at < m; at++) {
        const x = reals(n * m, 10);
        x[m + at] = odd;
        for (const actual of [own.softmax({ x, n, m }).slice(), softmaxOfHeld(own, { x, n, m })])
          for (let i = 0; i < n * m; i++) {
            const [y, row] = [actual[i] ?? -1, Math.floor(i / m)];
            const right =
              row !== 1 || odd === -Infinity ? (i === m + at && odd === -Infinity ? y === 0 : y > 0) : Number.isNaN(y);
            assert.ok(right, `${odd} at ${at}: ${y} at ${i}`);
          }
      }
  });

  it('keeps subnormal weights: exp(−100) is 27·2⁻¹⁴⁹ in float32 (NumPy)', () => {
    const actual = own.softmax({ x: Float32Array.of(0, -100, -104, -Infinity), n: 1, m: 4 });
    assert.deepEqual([...actual], [1, 27 * 2 ** -149, 0, 0]);
  });

  it('keeps NaN of any bits: none becomes a number by way of its exponent', () => {
    for (const bits of [0x7fc00001, 0x7fc00002, 0x7f800001, 0xffc00155, 0x7fffffff]) {
      const x = Float32Array.from({ length: 12 }, (_, i) => i / 8);
      new Uint32Array(x.buffer)[5] = bits;
      const actual = own.softmax({ x, n: 1, m: 12 });
      actual.forEach((y, i) => assert.ok(Number.isNaN(y), `${bits.toString(16)}, ${i}: ${y}`));
    }
  });

  it('gives NaN for a row of −∞, and where a row holds NaN or +∞; other rows are not touched', () => {
    const rows = [
      [-Infinity, -Infinity, -Infinity, -Infinity, -Infinity],
      [1, NaN, 1, 1, 1],
      [0, 0, 0, 0, Infinity],
      [0, 0, 0, 0, 0],
    ];
    const actual = own.softmax({ x: Float32Array.from(rows.flat()), n: 4, m: 5 });
    for (let i = 0; i < 10; i++) assert.ok(Number.isNaN(actual[i]), `${i}: ${actual[i]}`);
    // exp(0 − ∞)/∞: NumPy has NaN in the whole row, as ∞ − ∞ is NaN and so is the sum.
    for (let i = 10; i < 15; i++) assert.ok(Number.isNaN(actual[i]), `${i}: ${actual[i]}`);
    for (let i = 15; i < 20; i++) assert.equal(actual[i], Math.fround(0.2));
  });
}

/** Softmax of what the kernels hold: it is not computed in place. */
function softmaxOfHeld(own: WasmKernels, operands: SoftmaxOperands<Float32Array>): Float32Array {
  const held = own.allocate(operands.x.length);
  held.values().set(operands.x);
  const weights = own.softmax({ ...operands, x: held }).slice();
  own.release();
  return weights;
}

/** Each row within the bound of a softmax, of distances from its largest value that are rounded or are not: of one of them throughout. */
function assertRows(actual: Float32Array, operands: SoftmaxOperands<Float32Array>): void {
  const { n, m } = operands;
  const x = Float64Array.from(operands.x);
  const rounded = weightsOf(x, operands);
  const exact = weightsOf(x, operands, (d) => d);
  const bound = (expected: number): number => (m + 8) * 2 ** -23 * expected;
  for (let i = 0; i < n; i++) {
    const [row, one, other] = [actual, rounded, exact].map((y) => [...y.subarray(i * m, (i + 1) * m)]) as [
      number[],
      number[],
      number[],
    ];
    const differs = (y: number, j: number): boolean => Math.abs((row[j] ?? NaN) - y) > bound(y) + 2 ** -148;
    const expected = one.some(differs) ? other : one;
    assertNear(row, expected, (j) => bound(expected[j] ?? 0));
  }
}

function testAttention(own: WasmKernels): void {
  for (const [n, m, d, dv] of [
    [1, 1, 1, 1],
    [7, 5, 3, 2],
    [6, 8, 64, 64],
    [13, 17, 19, 23],
    [5, 1031, 7, 9],
    [25, 513, 64, 65],
    [3, 4, 600, 5],
    [2, 3, 0, 4],
    [3, 0, 2, 4],
    [0, 3, 2, 4],
  ] as const) {
    it(`n = ${n}, m = ${m}, d = ${d}, dv = ${dv}: weights and output, output alone, masked`, () => {
      const given = { q: reals(n * d, 11), k: reals(m * d, 12), v: reals(m * dv, 13), n, m, d, dv, scale: 0.125 };
      const mask = Uint8Array.from({ length: n * m }, (_, i) => (i % m > Math.floor(i / m) ? 1 : 0));
      for (const operands of [given, { ...given, mask }]) {
        const { output, weights } = own.attention(operands, true);
        assert.ok(weights);
        assertWeights(weights, operands);
        assertOutput(output, operands);
        const alone = output.slice();
        assert.deepEqual(own.attention(operands, false), { output: alone });
      }
    });
  }

  // Scores from far below to far above what is raised without a look for the largest (60 in powers of 2), by way of each operand.
  for (const factor of [1e-3, 1, 3, 8, 30])
    for (const by of ['q', 'k', 'scale'] as const)
      it(`scores ${factor} times as large by ${by}, with any fill`, () => {
        const [n, m, d, dv] = [13, 30, 16, 5];
        const times = (x: Float32Array, name: string): Float32Array => (by === name ? x.map((y) => y * factor) : x);
        const [q, k] = [times(reals(n * d, 14), 'q'), times(reals(m * d, 15), 'k')];
        const given = { q, k, v: reals(m * dv, 16), n, m, d, dv, scale: by === 'scale' ? -factor : 1 };
        const mask = Uint8Array.from({ length: n * m }, (_, i) => ((i * 7) % 5 === 0 || i % m > n + i / m ? 1 : 0));
        for (const operands of [given, ...[-Infinity, -1e9, 0.5, -3.4e38].map((fill) => ({ ...given, mask, fill }))]) {
          const { output, weights } = own.attention(operands, true);
          assertWeights(weights ?? [], operands);
          assertOutput(output, operands);
        }
      });

  for (const most of [1, 20, 100])
    it(`weights of scores up to ±${most} are in the ratio of their exponentials, within a few ulp`, () => {
      const m = 129;
      const k = Float32Array.from({ length: m }, (_, i) => (most * (i - 64)) / 64);
      const { weights } = own.attention({ q: Float32Array.of(1), k, v: k, n: 1, m, d: 1, dv: 1 }, true);
      // 1/ln 2 and its product with a query are rounded once each.
      const share = (y: number): number => (6 + y) * 2 ** -23;
      const to = most > 60 ? m - 1 : 64;
      const expected = Float64Array.from(k, (y) => Math.exp(y - (k[to] ?? NaN)) * (weights?.[to] ?? NaN));
      assertNear(weights ?? [], expected, (i) => share(Math.abs(k[i] ?? NaN)) * (expected[i] ?? 0));
    });

  // [what stands in q, in k, scale, which weights of the row and column it stands in]
  for (const [inQ, inK, scale, row, column] of [
    [NaN, 1, 1, NaN, 1],
    [Infinity, 1, 1, NaN, 1],
    [1, NaN, 1, NaN, NaN],
    [0, Infinity, 1, NaN, NaN],
    [0, -Infinity, 1, NaN, NaN],
    [3e38, 1e-30, 1e-25, 1, 1],
    [1e19, 1e-24, 1e10, 1, 1],
  ] as const)
    it(`q ${inQ}, k ${inK}, scale ${scale}: numbers where float64 has numbers`, () => {
      const [n, m, d, dv] = [14, 9, 4, 3];
      const [q, k] = [new Float32Array(n * d), new Float32Array(m * d)];
      q[5 * d] = inQ;
      k[2 * d] = inK;
      const { weights } = own.attention({ q, k, v: reals(m * dv, 3), n, m, d, dv, scale }, true);
      // One score is not 0; where it is a number, it is far beyond what float32 has an exponential of, or next to nothing.
      const score = inQ * inK * scale;
      weights?.forEach((w, i) => {
        const [ofRow, ofColumn] = [Math.floor(i / m), i % m];
        const nan = ofRow === 5 ? row * column : column;
        const known = ofRow === 5 && score > 1 ? Number(ofColumn === 2) : 1 / m;
        const expected = Number.isNaN(nan) ? NaN : known;
        assert.ok(
          Object.is(w, expected) || Math.abs(w - expected) < 1e-6,
          `${ofRow}, ${ofColumn}: ${w}, not ${expected}`,
        );
      });
    });

  it('gives NaN for a fully masked row alone', () => {
    const [n, m, d, dv] = [8, 9, 4, 3];
    const mask = new Uint8Array(n * m).fill(1, 4 * m, 5 * m);
    const operands = { q: reals(n * d, 1), k: reals(m * d, 2), v: reals(m * dv, 3), n, m, d, dv, mask };
    const { output, weights } = own.attention(operands, true);
    output.forEach((x, i) => assert.equal(Number.isNaN(x), Math.floor(i / dv) === 4, `output ${i}`));
    weights?.forEach((x, i) => assert.equal(Number.isNaN(x), Math.floor(i / m) === 4, `weights ${i}`));
  });
}

function testOperands(own: WasmKernels): void {
  it('refuses an operand that is not of its shape', () => {
    const a = new Float32Array(6);
    assert.throws(() => own.matmul({ a, b: a, n: 2, k: 3, m: 3 }), /b has 6 values, 3×3 expected/);
    assert.throws(() => own.softmax({ x: a, n: 2, m: 4 }), /x has 6 values, 2×4 expected/);
    assert.throws(() => own.softmax({ x: a, n: 2, m: 3, mask: new Uint8Array(5) }), /mask has 5 values, 2×3 expected/);
  });

  it('leaves operands in its own memory unchanged, and computes the same from them', () => {
    const [n, m, d] = [7, 9, 5];
    const given = { q: reals(n * d, 1), k: reals(m * d, 2), v: reals(m * d, 3) };
    const once = own.attention({ ...given, n, m, d, dv: d }, true);
    const expected = [once.output.slice(), once.weights?.slice()];
    const hold = (values: Float32Array): WasmBuffer => {
      const held = own.allocate(values.length);
      held.values().set(values);
      return held;
    };
    const held = { q: hold(given.q), k: hold(given.k), v: hold(given.v) };
    // More than a page: memory grows, and what is held moves with it.
    own.softmax({ x: new Float32Array(1 << 20), n: 1 << 10, m: 1 << 10 });
    const { output, weights } = own.attention({ ...held, n, m, d, dv: d }, true);
    assert.deepEqual([output.slice(), weights?.slice()], expected);
    own.softmax({ x: held.q, n, m: d });
    assert.deepEqual(held.q.values().slice(), given.q);
    own.release();
    if (own.build === 'plain') return;
    assert.throws(() => own.softmax({ x: held.q, n, m: d }), /was released/);
    assert.throws(() => held.q.values(), /was released/);
  });

  it('takes operands from its own memory, and reuses that memory after release', () => {
    const [n, k] = [300, 300];
    const a = integers(n * k, 1);
    const once = own.matmul({ a, b: a, n, k, m: n }).slice();
    const held = own.bytes();
    for (let i = 0; i < 5; i++) assert.deepEqual(own.matmul({ a, b: a, n, k, m: n }).slice(), once);
    assert.equal(own.bytes(), held);
  });
}

describe('wasm modules', () => {
  it('are what their sources compile to', function () {
    this.timeout(60000);
    const { status, stderr } = run([script, '--check']);
    assert.equal(status, 0, stderr);
  });

  it('are replaced by plain JavaScript where WebAssembly is missing or refused', () => {
    const { WebAssembly: kept } = globalThis;
    const refuse = (): never => {
      throw new kept.CompileError('Wasm code generation disallowed by embedder');
    };
    const refusing = { validate: kept.validate, Module: refuse, Instance: refuse };
    try {
      for (const stand of [undefined, refusing]) {
        Object.assign(globalThis, { WebAssembly: stand });
        assert.equal(wasmKernels().build, 'plain');
        assert.equal(wasmKernels('simd128'), undefined);
      }
    } finally {
      Object.assign(globalThis, { WebAssembly: kept });
    }
  });

  it('run with SIMD here', () => assert.ok(supportedBuilds().includes('simd128')));

  it('run with relaxed SIMD here or in a Node that is told to', function () {
    if (supportedBuilds().includes('relaxed')) return;
    this.timeout(60000);
    const flags = ['--experimental-wasm-relaxed-simd', mocha, '--reporter', 'dot'];
    const files = [__filename, join(__dirname, 'wasm-parity.test.ts')];
    const { status, stdout, stderr } = run([...flags, ...files, '--grep', 'wasm (kernels|backend), relaxed']);
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /\d\d passing/);
  });
});
