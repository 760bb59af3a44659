import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixDefaults, validateSpec, wordsAt, type AttentionSpec } from '../../engine/index';
import type { Case } from './random-streams';
import { run } from './specs';

interface Drawn {
  readonly sample: readonly (readonly [number, number])[];
}

/** What NumPy and PyTorch drew (test/reference/random_streams.py). */
const { cases } = JSON.parse(readFileSync(join(__dirname, '../fixtures/random/streams.json'), 'utf8')) as {
  readonly cases: readonly (Case & { readonly drawn: readonly Drawn[] })[];
};

type Random = AttentionSpec['random'];

/** A table of 200 rows and 100 columns, drawn first: as many numbers as the fixture’s first call. */
const drawing = (random: Random, dtype: AttentionSpec['dtype'] = 'float64'): AttentionSpec => ({
  ...matrixDefaults,
  dtype,
  random,
  dModel: 100,
  start: { from: 'ids', ids: [199] },
});

const written = cases.filter(
  ({ seed, calls: [first] }) => typeof seed === 'string' && first?.[0] === 'randn' && first[1] === 20_000,
);

describe('a seed that a JSON number does not hold', () => {
  it('is in the fixture for default_rng and for torch', () => {
    assert.deepEqual([...new Set(written.map((c) => c.generator))].sort(), ['numpy.default_rng', 'torch']);
  });

  for (const { generator, seed, dtype = 'float64', drawn } of written) {
    it(`${generator}, ${String(seed).slice(0, 30)}, ${dtype}: the draws of Python`, () => {
      const spec = drawing({ generator, seed: seed as string }, dtype);
      assert.ok(validateSpec(JSON.parse(JSON.stringify(spec))).ok);
      const trace = run(spec);
      for (const [i, expected] of drawn[0]?.sample ?? []) {
        const found = trace.value('table', [Math.floor(i / 100), i % 100]);
        assert.ok(Math.abs(found - expected) <= 2 ** -50 * Math.abs(expected), `${i}: ${found}, expected ${expected}`);
      }
      const table = trace.plan.steps.find((s) => s.id === 'table');
      assert.ok(table && wordsAt(trace, table, [0, 0]).what.includes(`(${seed as string})`));
    });
  }

  const refused: readonly (readonly [Random['generator'], unknown, RegExp])[] = [
    ['numpy.default_rng', 2 ** 53, /beyond 2\*\*53 - 1/],
    ['numpy.default_rng', '-1', /non-negative/],
    ['numpy.default_rng', '1.5', /expected a number, or decimal digits/],
    ['numpy.default_rng', '', /expected a number, or decimal digits/],
    ['numpy.default_rng', '0x10', /expected a number, or decimal digits/],
    ['numpy.default_rng', [1, 2], /expected a number, or decimal digits/],
    ['numpy.RandomState', '4294967296', /between 0 and 2\*\*32 - 1/],
    ['torch', '18446744073709551616', /0xffff_ffff_ffff_ffff/],
    ['torch', '1'.repeat(1001), /expected a number, or decimal digits/],
  ];
  for (const [generator, seed, message] of refused) {
    it(`${generator} refuses ${JSON.stringify(seed).slice(0, 30)}`, () => {
      const result = validateSpec({ ...drawing({ generator, seed: 0 }), random: { generator, seed } });
      assert.ok(!result.ok);
      assert.deepEqual(result.problems.map(({ path }) => path), ['random.seed']); // prettier-ignore
      assert.match(result.problems[0]?.message ?? '', message);
    });
  }

  it('is the same number written either way', () => {
    const [text, number] = ['7', 7].map((seed) => run(drawing({ generator: 'numpy.default_rng', seed })));
    assert.equal(text?.value('table', [3, 9]), number?.value('table', [3, 9]));
  });
});
