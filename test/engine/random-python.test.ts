import assert from 'node:assert/strict';
import { pythonOrSkip, runReference, ulps } from '../reference/python';
import { isExact, make, streamOf, title, type Call, type Case } from './random-streams';

const count = 20_000;
const calls: readonly Call[] = [
  ['rand', count],
  ['uniform', count, -2.5, 0.1],
  ['randn', count],
  ['normal', count, 0, 0.02],
  ['integers', count, 0, 50257],
  ['rand', count],
];
/** 15 at a time, PyTorch draws normals one by one. */
const small: readonly Call[] = Array.from({ length: 1334 }, () => ['randn', 15]);

const seeds = [1, 7, 1234, 2 ** 31];
const cases: Record<'numpy' | 'torch', readonly Case[]> = {
  numpy: seeds.flatMap((seed) => [
    { generator: 'numpy.RandomState', seed, calls },
    { generator: 'numpy.default_rng', seed, calls },
  ]),
  torch: seeds.flatMap((seed) =>
    (['float32', 'float64'] as const).flatMap((dtype) => [
      { generator: 'torch', dtype, seed, calls },
      { generator: 'torch', dtype, seed, calls: small },
    ]),
  ),
};

/** What is kept of the comparison of one kind of draw. */
interface Tally {
  draws: number;
  equal: number;
  worst: number;
}

function tally(into: Map<string, Tally>, one: Case, call: Call, actual: Float64Array, expected: Float64Array): void {
  const key = `${one.generator}${one.dtype ? ` ${one.dtype}` : ''} ${call[0]}${call[1] < 16 ? ', fewer than 16' : ''}`;
  const entry = into.get(key) ?? { draws: 0, equal: 0, worst: 0 };
  into.set(key, entry);
  expected.forEach((value, i) => {
    const distance = ulps(actual[i] ?? NaN, value);
    entry.draws++;
    if (distance === 0) entry.equal++;
    entry.worst = Math.max(entry.worst, distance);
    const slack = isExact(one, call) && process.arch === 'x64' ? 0 : slackOf(one, value);
    const error = Math.abs((actual[i] ?? NaN) - value);
    assert.ok(error <= slack, `${title(one)}: ${call[0]} ${i} is ${actual[i]}, expected ${value} (${distance} ulp)`);
  });
}

/**
 * 4 units in the last place: a logarithm, a square root, a sine or cosine and their product, each of the library's within
 * one. On other processors than x86-64, where NumPy's and PyTorch's own builds differ in last bits: as many of float32.
 */
const slackOf = ({ dtype }: Case, value: number): number =>
  dtype === 'float32' ? 5e-6 : 4 * 2 ** -52 * Math.abs(value);

const told = (tallies: ReadonlyMap<string, Tally>): string =>
  [...tallies]
    .map(([key, { draws, equal, worst }]) => {
      const share = draws === equal ? 'all equal' : `${((100 * equal) / draws).toFixed(3)} % equal, worst ${worst} ulp`;
      return `      ${key}: ${draws} draws, ${share}`;
    })
    .join('\n');

for (const library of ['numpy', 'torch'] as const)
  describe(`random streams, drawn now by ${library} in Python`, function () {
    this.timeout(120_000);
    const tallies = new Map<string, Tally>();
    let drawn: Float64Array = new Float64Array();
    let at = 0;

    before(function () {
      const command = pythonOrSkip(this, 'numpy', ...(library === 'torch' ? ['torch'] : []));
      drawn = runReference(command, 'random_streams.py', ['draw'], JSON.stringify(cases[library]));
    });

    for (const one of cases[library])
      it(`${title(one)}, ${one.calls.length} calls`, () => {
        const stream = streamOf(one);
        for (const call of one.calls) {
          const expected = drawn.subarray(at, (at += call[1]));
          assert.equal(expected.length, call[1]);
          tally(tallies, one, call, make(stream, call), expected);
        }
      });

    after(() => {
      if (tallies.size) console.log(told(tallies));
    });
  });
