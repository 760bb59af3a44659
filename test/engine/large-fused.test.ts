import assert from 'node:assert/strict';
import {
  wasmKernels,
  type PooledAttentionOperands,
  type PooledAttentionResult,
} from '../../engine/run/backend/wasm/index';
import { hiddenCells, visibleKeys } from '../../engine/run/large/pattern-mask';

type Case = Omit<PooledAttentionOperands<Float32Array>, 'level'> & { readonly level: number };
interface Tally {
  min: number;
  max: number;
  sum: number;
  finite: number;
  nan: number;
}

/** Numbers from −1 to 1, the same in every run (Numerical Recipes' linear congruential generator). */
function reals(n: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Scores of a query in float64, biases and all. */
function scoresOf({ q, k, m, d, scale = 1, slope = 0, first }: Case, i: number): number[] {
  return Array.from({ length: m }, (_, j) => {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += (q[i * d + c] as number) * (k[j * d + c] as number);
    return sum * scale - slope * Math.abs(first + i - j);
  });
}

/** The same by the definition, one cell after the other. */
function plainly(of: Case): { tallies: Tally[]; output: number[]; tops: number[]; sums: number[] } {
  const { n, m, dv, v, level, first } = of;
  const width = Math.ceil(m / (1 << level));
  const tallies: Tally[] = Array.from({ length: 3 * width * Math.ceil(n / (1 << level)) }, () => ({
    min: Infinity,
    max: -Infinity,
    sum: 0,
    finite: 0,
    nan: 0,
  }));
  const [output, tops, sums]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < n; i++) {
    const scores = scoresOf(of, i);
    const [low, high] = visibleKeys({ op: 'patternMask', ...of }, first + i, m);
    const top = scores.slice(low, high).reduce((a, b) => Math.max(a, b), -Infinity);
    const powers = scores.map((s, j) => (j >= low && j < high ? Math.exp(s - top) : 0));
    const sum = high > low ? powers.reduce((a, b) => a + b) : NaN;
    const weights = powers.map((p) => p / sum);
    const into = (kind: number, j: number): Tally => tallies[((i >> level) * 3 + kind) * width + (j >> level)] as Tally;
    for (let j = 0; j < m; j++) {
      count(into(0, j), scores[j] as number);
      if (j >= low && j < high) count(into(1, j), scores[j] as number);
      count(into(2, j), weights[j] as number);
    }
    for (let c = 0; c < dv; c++) output.push(weights.reduce((all, w, j) => all + w * (v[j * dv + c] as number), 0));
    tops.push(top);
    sums.push(sum);
  }
  return { tallies, output, tops, sums };
}

function count(tally: Tally, x: number): void {
  if (Number.isNaN(x)) tally.nan++;
  if (!Number.isFinite(x)) return;
  tally.finite++;
  tally.min = Math.min(tally.min, x);
  tally.max = Math.max(tally.max, x);
  tally.sum += x;
}

const near = (got: number, want: number, where: string): void => {
  const good = Object.is(got, want) || Math.abs(got - want) <= 2e-5 * Math.max(1, Math.abs(want));
  if (!good && !(Number.isNaN(got) && Number.isNaN(want))) assert.fail(`${where}: ${got}, by the definition ${want}`);
};

function compare(found: PooledAttentionResult, of: Case, name: string): void {
  const wanted = plainly(of);
  wanted.tallies.forEach((want, t) => {
    const where = `tally ${t} of ${name}`;
    assert.equal(found.blockStats.counts[6 * t + 4], want.finite, `finite, ${where}`);
    assert.equal(found.blockStats.counts[6 * t + 5], want.nan, `NaN, ${where}`);
    near(found.blockStats.limits[6 * t] as number, want.min, `minimum, ${where}`);
    near(found.blockStats.limits[6 * t + 1] as number, want.max, `maximum, ${where}`);
    near(found.blockStats.sums[3 * t + 1] as number, want.sum, `sum, ${where}`);
  });
  compareRows(found, wanted, of, name);
}

function compareRows(
  found: PooledAttentionResult,
  wanted: ReturnType<typeof plainly>,
  { n, dv }: Case,
  name: string,
): void {
  for (let i = 0; i < n * dv; i++)
    near(found.output[i] as number, wanted.output[i] as number, `output ${i} of ${name}`);
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(wanted.sums[i])) {
      assert.ok(Number.isNaN(found.rowSums[i]), `sum of row ${i} of ${name}`);
      continue;
    }
    // Any number may be taken from a row's scores before their exponentials are summed.
    const moved = (found.rowSums[i] as number) * Math.exp((found.rowMaxima[i] as number) - (wanted.tops[i] as number));
    near(moved, wanted.sums[i] as number, `sum of row ${i} of ${name}`);
  }
}

const masks = {
  none: { before: Infinity, after: Infinity, visible: Infinity },
  causal: { before: Infinity, after: 0, visible: Infinity },
  window: { before: 40, after: 3, visible: Infinity },
  padding: { before: Infinity, after: Infinity, visible: 530 },
  'rows that see nothing': { before: 5, after: 0, visible: 1050 },
} as const;

const builds = (['relaxed', 'simd128'] as const).filter((build) => wasmKernels(build));

describe('fused attention with pooled scores and weights', function () {
  this.timeout(120_000);

  for (const build of builds) {
    const own = wasmKernels(build);
    it(`has the blocks, rows and outputs of the definition (${build})`, () => {
      for (const [mask, seen] of Object.entries(masks)) {
        for (const [m, n, level] of [
          [70, 33, 1],
          [523, 31, 3],
          [1061, 48, 5],
          [1100, 21, 10],
        ] as const) {
          // Scores within ±40 or so, beyond that, and with biases.
          for (const [scale, slope] of [
            [3, 0],
            [14, 0],
            [3, 0.25],
          ] as const) {
            const first = m > 1000 ? 1024 : 32;
            const [d, dv] = [5, 3];
            const given = { q: reals(n * d, 1), k: reals(m * d, 2), v: reals(m * dv, 3) };
            const of: Case = { ...given, n, m, d, dv, scale, slope, first, level, ...seen };
            const found = own?.pooledAttention?.(of);
            assert.ok(found);
            compare(found, of, `${mask}, m = ${m}, level ${level}, scale ${scale}, slope ${slope}`);
          }
        }
      }
    });

    it(`counts what is not a number, and leaves the rows beside it alone (${build})`, () => {
      const [m, n, d, dv, level] = [600, 40, 4, 2, 4];
      for (const seen of [masks.none, masks.causal]) {
        const q = reals(n * d, 4);
        q[17 * d] = NaN;
        const of: Case = { q, k: reals(m * d, 5), v: reals(m * dv, 6), n, m, d, dv, first: 64, level, ...seen };
        const found = own?.pooledAttention?.(of);
        assert.ok(found);
        compare(found, of, 'NaN in query 17');
      }
    });

    it(`has the same rows and outputs where nothing is pooled (${build})`, () => {
      const [m, n, d, dv] = [1300, 30, 8, 8];
      for (const [mask, seen] of Object.entries(masks)) {
        const given = { q: reals(n * d, 7), k: reals(m * d, 8), v: reals(m * dv, 9), n, m, d, dv, first: 640 };
        const of: Case = { ...given, level: 5, ...seen };
        const wanted = plainly(of);
        const found = own?.pooledAttention?.({ ...given, ...seen });
        assert.ok(found);
        assert.equal(found.blockStats.counts.length, 0);
        compareRows(found, wanted, of, `${mask}, no level`);
      }
    });
  }
});

describe('a pattern mask', () => {
  it('counts the hidden cells of a rectangle as counting them one by one does', () => {
    for (const [after, before, visible] of [
      [0, Infinity, Infinity],
      [3, 5, 40],
      [-4, Infinity, Infinity],
      [Infinity, 7, 33],
      [0, 0, 60],
    ] as const) {
      const call = { op: 'patternMask', after, before, visible } as const;
      for (let top = 0; top < 48; top += 7) {
        for (let left = 0; left < 48; left += 5) {
          for (const [height, width] of [
            [1, 1],
            [4, 9],
            [16, 16],
          ] as const) {
            let hidden = 0;
            for (let i = top; i < top + height; i++)
              for (let j = left; j < left + width; j++) if (j > i + after || j < i - before || j >= visible) hidden++;
            const where = `${height}×${width} from ${top}, ${left}: ${after}, ${before}, ${visible}`;
            assert.equal(hiddenCells(call, [top, top + height], [left, left + width]), hidden, where);
          }
        }
      }
    }
  });
});
