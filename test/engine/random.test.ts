import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fused32, fused64 } from '../../engine/random/fused';
import { createStream, generators, type Seed, type StreamChoice } from '../../engine/random/index';
import { isExact, make, streamOf, title, type Call, type Case } from './random-streams';

/** What test/reference/random_streams.py drew in one call. */
interface Drawn {
  readonly bytes: string;
  readonly digits: string;
  readonly sample: readonly (readonly [number, number])[];
}

const fixture = JSON.parse(readFileSync(join(__dirname, '../fixtures/random/streams.json'), 'utf8')) as {
  readonly from: string;
  readonly cases: readonly (Case & { readonly drawn: readonly Drawn[] })[];
};

const hash = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex').slice(0, 16);
const bytesOf = (values: Float64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const digitsOf = (values: Float64Array): string => Array.from(values, (x) => x.toExponential(12)).join('\n');

function assertDrawn(choice: StreamChoice, call: Call, values: Float64Array, drawn: Drawn): void {
  const label = `${title(choice)}: ${call.join(' ')}`;
  const exact = isExact(choice, call);
  for (const [i, expected] of drawn.sample) {
    const slack = exact ? 0 : 4 * 2 ** -52 * Math.max(Math.abs(expected), Math.abs(call[2] ?? 0));
    const actual = values[i] ?? NaN;
    assert.ok(Math.abs(actual - expected) <= slack, `${label}, value ${i}: ${actual}, expected ${expected}`);
  }
  if (exact) assert.equal(hash(bytesOf(values)), drawn.bytes, `${label}: the bytes of all values`);
  else assert.equal(hash(digitsOf(values)), drawn.digits, `${label}: 13 digits of all values`);
}

describe(`random streams against ${fixture.from}`, () => {
  assert.ok(fixture.cases.length > 30);
  for (const one of fixture.cases)
    it(`${title(one)}: ${one.calls.length} calls in a row`, () => {
      const stream = streamOf(one);
      assert.equal(one.calls.length, one.drawn.length);
      one.calls.forEach((call, i) => {
        const drawn = one.drawn[i];
        assert.ok(drawn);
        assertDrawn(one, call, make(stream, call), drawn);
      });
    });
});

describe('random streams as others print them', () => {
  const rounded = (values: Float64Array, digits: number): number[] =>
    Array.from(values, (x) => Number(x.toFixed(digits)));

  it('NumPy, default_rng(12345): the first draws of its quick start', () => {
    const stream = streamOf({ generator: 'numpy.default_rng', seed: 12345 });
    assert.deepEqual([...stream.uniform(1)], [0.22733602246716966]);
    assert.deepEqual([...streamOf({ generator: 'numpy.default_rng', seed: 12345 }).integers(3, 0, 10)], [6, 2, 7]);
  });

  // S. Raschka, Build a Large Language Model (From Scratch), 2024, chapter 2: PyTorch 2, torch.nn.Embedding(6, 3).
  it('PyTorch 2, manual_seed(123): an embedding of 6 by 3', () => {
    const stream = streamOf({ generator: 'torch', seed: 123 });
    assert.deepEqual(
      rounded(stream.normal(18), 4),
      [
        0.3374, -0.1778, -0.169, 0.9178, 1.581, 1.301, 1.2753, -0.201, -0.1606, -0.4015, 0.9666, -1.1481, -1.1589,
        0.3255, -0.6315, -2.84, -0.7849, -1.4096,
      ],
    );
  });

  // The same author's "Understanding and coding the self-attention mechanism", 2023: Embedding(6, 16), first row.
  it('PyTorch 2, manual_seed(123): an embedding of 6 by 16', () => {
    const stream = streamOf({ generator: 'torch', seed: 123 });
    assert.deepEqual(
      rounded(stream.normal(96).subarray(0, 16), 4),
      [
        0.3374, -0.1778, -0.3035, -0.588, 0.3486, 0.6603, -0.2196, -0.3792, 0.7671, -1.1925, 0.6984, -1.4097, 0.1794,
        1.8951, 0.4954, 0.2692,
      ],
    );
  });

  it('PyTorch, manual_seed(42): rand, as its 2.0 prints it', () => {
    const stream = streamOf({ generator: 'torch', seed: 42 });
    assert.deepEqual(rounded(stream.uniform(5), 4), [0.8823, 0.915, 0.3829, 0.9593, 0.3904]);
  });
});

describe('random streams: what a call leaves behind', () => {
  for (const generator of generators)
    it(`${generator}: uniform draws do not depend on how they are split`, () => {
      const [whole, split] = [streamOf({ generator, seed: 9 }), streamOf({ generator, seed: 9 })];
      assert.deepEqual([...split.uniform(7), ...split.uniform(0), ...split.uniform(23)], [...whole.uniform(30)]);
    });

  for (const generator of ['numpy.RandomState', 'numpy.default_rng'] as const)
    it(`${generator}: nor do normal ones`, () => {
      const [whole, split] = [streamOf({ generator, seed: 9 }), streamOf({ generator, seed: 9 })];
      assert.deepEqual([...split.normal(7), ...split.normal(0), ...split.normal(23)], [...whole.normal(30)]);
    });

  it('RandomState: an integer and an array of it are different seeds, as in NumPy', () => {
    const [a, b] = [
      streamOf({ generator: 'numpy.RandomState', seed: 7 }),
      streamOf({ generator: 'numpy.RandomState', seed: [7] }),
    ];
    assert.notDeepEqual(a.uniform(3), b.uniform(3));
  });

  it('torch: seeds that agree in their lower 32 bits give the same stream', () => {
    const of = (seed: Seed): number[] => [...streamOf({ generator: 'torch', seed }).uniform(3)];
    assert.deepEqual(of('4294967338'), of(42));
    assert.deepEqual(of(-1), of(4294967295));
    assert.deepEqual(of(18446744073709551615n), of(-1));
  });

  it('torch float32: every value is a float32', () => {
    const stream = streamOf({ generator: 'torch', seed: 1 });
    for (const values of [stream.normal(5, 0.1, 0.3), stream.normal(40, 0.1, 0.3), stream.uniform(9, -0.1, 0.3)])
      assert.deepEqual(values, Float64Array.from(Float32Array.from(values)));
  });
});

describe('random streams: fused multiply-add', () => {
  // (1 + 2^-12)² = 1 + 2^-11 + 2^-24 lies in the middle of two float32, (1 + 2^-27)(1 + 2^-26) in the middle of two float64.
  const [up32, down32] = [1 + 2 ** -11 + 2 ** -23, 1 + 2 ** -11];
  const [up64, down64] = [1 + 2 ** -26 + 2 ** -27 + 2 ** -52, 1 + 2 ** -26 + 2 ** -27];

  it('rounds once: what is added decides, however small', () => {
    const [a, b, c] = [1 + 2 ** -12, 1 + 2 ** -27, 1 + 2 ** -26];
    assert.deepEqual([fused32(a, a, 2 ** -70), fused32(a, a, -(2 ** -70)), fused32(a, a, 0)], [up32, down32, down32]);
    assert.deepEqual([fused32(-a, a, -(2 ** -70)), fused32(-a, a, 2 ** -70)], [-up32, -down32]);
    assert.deepEqual([fused64(b, c, 2 ** -120), fused64(b, c, -(2 ** -120)), fused64(b, c, 0)], [up64, down64, down64]);
    assert.deepEqual([fused64(-b, c, -(2 ** -120)), fused64(-b, c, 2 ** -120)], [-up64, -down64]);
  });

  it('keeps the digits that a rounded product would lose', () => {
    assert.equal(fused64(1 + 2 ** -30, 1 - 2 ** -30, -1), -(2 ** -60));
    assert.equal(fused32(1 + 2 ** -20, 1 - 2 ** -20, -1), -(2 ** -40));
  });
});

describe('random streams: bad seeds and arguments', () => {
  const bad: readonly (readonly [StreamChoice, string])[] = [
    [{ generator: 'numpy.RandomState', seed: -1 }, 'seed -1: must be between 0 and 2**32 - 1'],
    [{ generator: 'numpy.RandomState', seed: 2 ** 32 }, 'seed 4294967296: must be between 0 and 2**32 - 1'],
    [{ generator: 'numpy.RandomState', seed: [3, -2] }, 'seed [3, -2]: must be between 0 and 2**32 - 1'],
    [{ generator: 'numpy.RandomState', seed: [] }, 'seed []: must be non-empty'],
    [{ generator: 'numpy.RandomState', seed: 1.5 }, 'seed 1.5: must be an integer'],
    [{ generator: 'numpy.RandomState', seed: NaN }, 'seed NaN: must be an integer'],
    [{ generator: 'numpy.default_rng', seed: -1 }, 'seed -1: expected non-negative integer'],
    [{ generator: 'numpy.default_rng', seed: [4, -1n] }, 'seed [4, -1]: expected non-negative integer'],
    [{ generator: 'numpy.default_rng', seed: 'abc' }, 'seed "abc": must be an integer'],
    [{ generator: 'numpy.default_rng', seed: Infinity }, 'seed Infinity: must be an integer'],
    [
      { generator: 'numpy.default_rng', seed: 2 ** 53 },
      'seed 9007199254740992: is beyond 2**53 - 1, where a JavaScript number is not exact',
    ],
    [
      { generator: 'torch', seed: 2n ** 64n },
      'seed 18446744073709551616: must be between -0x8000_0000_0000_0000 and 0xffff_ffff_ffff_ffff',
    ],
    [
      { generator: 'torch', seed: -(2n ** 63n) - 1n },
      'seed -9223372036854775809: must be between -0x8000_0000_0000_0000 and 0xffff_ffff_ffff_ffff',
    ],
    [{ generator: 'torch', seed: [1] }, 'seed [1]: must be one integer'],
  ];
  for (const [choice, message] of bad)
    it(`${choice.generator}: ${message}`, () => {
      const stream = createStream(choice);
      assert.ok(!stream.ok);
      assert.deepEqual(
        stream.problems.map((p) => [p.code, p.message, p.path]),
        [['seed', message, 'random.seed']],
      );
    });

  it('refuses a seed of another type without throwing', () => {
    for (const seed of [null, undefined, {}, true, [null], [[1]], '1'.repeat(5000), ''])
      for (const generator of generators) assert.ok(!createStream({ generator, seed: seed as unknown as Seed }).ok);
  });

  it('throws a RangeError for bounds that Python refuses', () => {
    for (const generator of generators) {
      const stream = streamOf({ generator, seed: 0 });
      assert.throws(() => stream.integers(1, 3, 3), RangeError);
      assert.throws(() => stream.integers(1, 0, 0.5), RangeError);
      assert.throws(() => stream.normal(1, 0, -1), RangeError);
      assert.throws(() => stream.uniform(1, 0, NaN), RangeError);
    }
  });
});
