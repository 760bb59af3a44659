import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  explainAttention,
  matrixDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type SpecMatrix,
} from '../../engine/index';
import { columnInOtherLayout } from '../../engine/math/positions';

/*
 * What holds for attention whatever the numbers are. The two sides of a property are two runs; they may differ by what rounding can
 * do to each, stated beside each comparison. Inputs are multiples of 1/64 up to 4, so that small sums of them are exact.
 */

type Rows = number[][];
type Position = AttentionSpec['positions'];

const entry = fc.integer({ min: -256, max: 256 }).map((x) => x / 64);
const matrix = (rows: number, columns: number): fc.Arbitrary<Rows> =>
  fc.array(fc.array(entry, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows });
const length = fc.integer({ min: 1, max: 6 });
const dtypes = fc.constantFrom('float64' as const, 'float32' as const);

function run(spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>): AttentionTrace {
  const result = explainAttention({ ...matrixDefaults, ...spec });
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.problems));
  return result.value;
}

/** The rows of a step with two axes. */
function rowsOf(trace: AttentionTrace, step: string): Rows {
  const shape = trace.plan.steps.find((s) => s.id === step)?.shape ?? [];
  assert.equal(shape.length, 2, step);
  const [n = 0, m = 0] = shape;
  return Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => trace.value(step, [i, j])));
}

const epsilon = (dtype: AttentionSpec['dtype']): number => (dtype === 'float32' ? 2 ** -23 : 2 ** -52);

function assertClose(actual: Rows, expected: Rows, allowed: number, what: string): void {
  assert.deepEqual([actual.length, actual[0]?.length], [expected.length, expected[0]?.length], what);
  actual.forEach((row, i) =>
    row.forEach((x, j) => {
      const y = expected[i]?.[j] ?? NaN;
      assert.ok(Math.abs(x - y) <= allowed, `${what}[${i},${j}]: ${x}, expected ${y}, allowed ${allowed}`);
    }),
  );
}

const assertEqual = (actual: Rows, expected: Rows, what: string): void => assertClose(actual, expected, 0, what);

/** The same rows in another order: row i is the old row `order[i]`. */
const reordered = (rows: Rows, order: readonly number[]): Rows => order.map((i) => rows[i] ?? []);
const columnsReordered = (rows: Rows, order: readonly number[]): Rows =>
  rows.map((row) => order.map((i) => row[i] ?? NaN));
const numbered = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const permutation = (count: number): fc.Arbitrary<number[]> =>
  fc.shuffledSubarray(numbered(count), { minLength: count, maxLength: count });

function check<T extends unknown[]>(arbitrary: fc.Arbitrary<T>, property: (...values: T) => void): void {
  fc.assert(
    fc.property(arbitrary, (values) => property(...values)),
    { numRuns: 60, seed: 17 },
  );
}

describe('properties of softmax', () => {
  const scores = fc.tuple(length, length).chain(([n, m]) => matrix(n, m));

  it('each row of weights sums to 1, under every mask that leaves a key', () => {
    const masks = fc.constantFrom<AttentionSpec['mask']>(
      'none',
      'causal',
      { kind: 'padding', visible: 1 },
      { kind: 'window', size: 1, causal: true },
    );
    check(
      fc.tuple(
        length.chain((n) => matrix(n, n)),
        masks,
        dtypes,
      ),
      (s, mask, dtype) => {
        const weights = rowsOf(
          run({ dtype, mask, scale: 'none', start: { from: 'scores', scores: s, dK: 1 } }),
          'weights',
        );
        for (const row of weights) {
          const total = row.reduce((a, b) => a + b, 0);
          // m quotients rounded once each, and a sum whose own error is in them all.
          assert.ok(Math.abs(total - 1) <= 2 * row.length * epsilon(dtype), `${row.join(' ')} sums to ${total}`);
          assert.ok(row.every((w) => w >= 0 && w <= 1));
        }
      },
    );
  });

  it('a constant added to a row changes nothing', () => {
    const shifts = fc.integer({ min: -1000, max: 1000 });
    check(fc.tuple(scores, shifts, dtypes), (s, shift, dtype) => {
      const spec = { dtype, scale: 'none' } as const;
      const shifted = s.map((row) => row.map((x) => x + shift));
      // Multiples of 1/64 below 2^11 are exact in both dtypes, so the differences from the maximum are the same numbers.
      assertEqual(
        rowsOf(run({ ...spec, start: { from: 'scores', scores: shifted, dK: 1 } }), 'weights'),
        rowsOf(run({ ...spec, start: { from: 'scores', scores: s, dK: 1 } }), 'weights'),
        'weights',
      );
    });
  });
});

describe('properties of attention', () => {
  const square = fc.tuple(length, fc.integer({ min: 1, max: 5 })).chain(([n, d]) => matrix(n, d));

  it('permuting the tokens permutes the output, without positions', () => {
    const cases = square.chain((x) => fc.tuple(fc.constant(x), permutation(x.length), dtypes));
    check(cases, (x, order, dtype) => {
      const before = run({ dtype, start: { from: 'x', x } });
      const after = run({ dtype, start: { from: 'x', x: reordered(x, order) } });
      // The scores are exact; only the two sums over keys have another order, of n terms, and V is at most 4.
      assertClose(
        rowsOf(after, 'output'),
        reordered(rowsOf(before, 'output'), order),
        16 * x.length * epsilon(dtype),
        'output',
      );
    });
  });

  it('with positions, it does not', () => {
    const x = [
      [1, 0],
      [0, 1],
      [0.5, 2],
    ];
    for (const positions of ['sinusoidal-interleaved', 'rope-half', 'alibi'] as const) {
      const before = rowsOf(run({ positions, start: { from: 'x', x } }), 'output');
      const after = rowsOf(run({ positions, start: { from: 'x', x: reordered(x, [2, 0, 1]) } }), 'output');
      const moved = reordered(before, [2, 0, 1]);
      const worst = Math.max(...after.flatMap((row, i) => row.map((y, j) => Math.abs(y - (moved[i]?.[j] ?? NaN)))));
      // One head's ALiBi slope is 1/256; rounding is twelve digits below.
      assert.ok(worst > 1e-3, `${positions}: the outputs differ by ${worst}`);
    }
  });

  it('under the causal mask, an output does not depend on later tokens', () => {
    const cases = fc
      .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 4 }))
      .chain(([n, d]) => fc.tuple(matrix(n, d), matrix(n, d), fc.integer({ min: 1, max: n - 1 }), dtypes));
    check(cases, (x, other, kept, dtype) => {
      const spec = { dtype, mask: 'causal', positions: 'none' } as const;
      const changed = x.map((row, i) => (i < kept ? row : (other[i] ?? row)));
      const before = rowsOf(run({ ...spec, start: { from: 'x', x } }), 'output');
      const after = rowsOf(run({ ...spec, start: { from: 'x', x: changed } }), 'output');
      assertEqual(after.slice(0, kept), before.slice(0, kept), 'output');
      // What is cut off is as if it had never been there.
      const alone = rowsOf(run({ ...spec, start: { from: 'x', x: x.slice(0, kept) } }), 'output');
      assertEqual(before.slice(0, kept), alone, 'output');
    });
  });

  it('with a context that is X, cross-attention is self-attention', () => {
    check(fc.tuple(square, dtypes, fc.constantFrom('none', 'rope-half', 'alibi')), (x, dtype, name) => {
      const even = (x[0]?.length ?? 1) % 2 === 0;
      const positions: Position = name === 'rope-half' && !even ? 'none' : (name as Position);
      const spec = { dtype, positions, projections: { from: 'random', dK: 2, dV: 3 } } as const;
      const self = run({ ...spec, start: { from: 'x', x } });
      const cross = run({ ...spec, start: { from: 'x', x, context: x } });
      for (const step of ['q', 'k', 'v', 'weights', 'output']) {
        assertEqual(rowsOf(cross, step), rowsOf(self, step), step);
      }
    });
  });
});

describe('properties of heads', () => {
  const projected = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))
    .chain(([n, d, h]) =>
      fc.tuple(matrix(n, d), matrix(d, 2 * h), matrix(d, 2 * h), matrix(d, 3 * h), fc.constant(h), dtypes),
    );
  const columns = (rows: Rows, from: number, to: number): Rows => rows.map((row) => row.slice(from, to));

  it('each of h heads is a single head with its own columns of the weights', () => {
    check(projected, (x, wq, wk, wv, heads, dtype) => {
      const many = run({ dtype, heads, start: { from: 'x', x }, projections: { from: 'given', wq, wk, wv } });
      numbered(heads).forEach((h) => {
        const own = {
          from: 'given',
          wq: columns(wq, 2 * h, 2 * h + 2),
          wk: columns(wk, 2 * h, 2 * h + 2),
          wv: columns(wv, 3 * h, 3 * h + 3),
        } as const;
        const one = run({ dtype, heads: 1, start: { from: 'x', x }, projections: own });
        assertEqual(columns(rowsOf(many, 'output'), 3 * h, 3 * h + 3), rowsOf(one, 'output'), `head ${h}`);
      });
    });
  });

  it('one head given as a list of heads is that head', () => {
    check(
      fc.tuple(
        fc.tuple(length, length, length).chain(([n, m, d]) => fc.tuple(matrix(n, d), matrix(m, d))),
        dtypes,
      ),
      ([q, k], dtype) => {
        const listed = run({ dtype, heads: 1, start: { from: 'qkv', q: [q], k: [k], v: [k] } });
        const plain = rowsOf(run({ dtype, heads: 1, start: { from: 'qkv', q, k, v: k } }), 'output');
        const shape = listed.plan.steps.find((s) => s.id === 'output')?.shape ?? [];
        const read = plain.map((row, i) =>
          row.map((_, j) => listed.value('output', [...shape.slice(2).map(() => 0), i, j])),
        );
        assertEqual(read, plain, 'output');
      },
    );
  });

  it('as many key heads as query heads is multi-head attention', () => {
    check(projected, (x, wq, wk, wv, heads, dtype) => {
      const spec = { dtype, heads, start: { from: 'x', x }, projections: { from: 'given', wq, wk, wv } } as const;
      const grouped = run({ ...spec, kvHeads: heads });
      const plain = run(spec);
      assert.deepEqual(
        grouped.plan.steps.map((s) => s.id),
        plain.plan.steps.map((s) => s.id),
      );
      assertEqual(rowsOf(grouped, 'output'), rowsOf(plain, 'output'), 'output');
    });
  });

  it('one key head is multi-head attention with the same columns for every head', () => {
    check(projected, (x, wq, wk, wv, heads, dtype) => {
      const [key, value] = [columns(wk, 0, 2), columns(wv, 0, 3)];
      const repeat = (rows: Rows): Rows => rows.map((row) => numbered(heads).flatMap(() => row));
      const given = (k: SpecMatrix, v: SpecMatrix) => ({ from: 'given', wq, wk: k, wv: v }) as const;
      const start = { from: 'x', x } as const;
      const shared = run({ dtype, heads, kvHeads: 1, start, projections: given(key, value) });
      const copied = run({ dtype, heads, start, projections: given(repeat(key), repeat(value)) });
      assertEqual(rowsOf(shared, 'output'), rowsOf(copied, 'output'), 'output');
    });
  });
});

describe('properties of positions', () => {
  it('concatenated sines and cosines are the interleaved ones in another order', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 6 }), dtypes);
    check(sizes, (n, pairs, dtype) => {
      const x = numbered(n).map(() => numbered(2 * pairs).map(() => 0));
      const of = (positions: Position): Rows => rowsOf(run({ dtype, positions, start: { from: 'x', x } }), 'positions');
      const order = [...numbered(pairs).map((i) => 2 * i), ...numbered(pairs).map((i) => 2 * i + 1)];
      const columns = numbered(2 * pairs);
      assert.deepEqual(order, columns.map((j) => columnInOtherLayout('concatenated', j, 2 * pairs))); // prettier-ignore
      assert.deepEqual(columns, order.map((j) => columnInOtherLayout('interleaved', j, 2 * pairs))); // prettier-ignore
      assertEqual(of('sinusoidal-concatenated'), columnsReordered(of('sinusoidal-interleaved'), order), 'positions');
    });
  });

  it('rotated halves are rotated adjacent pairs in another order of columns', () => {
    const cases = fc
      .tuple(length, length, fc.integer({ min: 1, max: 3 }))
      .chain(([n, m, pairs]) => fc.tuple(matrix(n, 2 * pairs), matrix(m, 2 * pairs), fc.constant(pairs), dtypes));
    check(cases, (q, k, pairs, dtype) => {
      const order = [...numbered(pairs).map((i) => 2 * i), ...numbered(pairs).map((i) => 2 * i + 1)];
      const adjacent = run({ dtype, positions: 'rope-interleaved', start: { from: 'qkv', q, k } });
      const start = { from: 'qkv', q: columnsReordered(q, order), k: columnsReordered(k, order) } as const;
      const halves = run({ dtype, positions: 'rope-half', start });
      assertEqual(rowsOf(halves, 'qRotated'), columnsReordered(rowsOf(adjacent, 'qRotated'), order), 'qRotated');
    });
  });

  it('RoPE: the score of the same query and key depends on their distance alone', () => {
    const conventions = fc.constantFrom('rope-interleaved' as const, 'rope-half' as const);
    const vectors = fc
      .integer({ min: 1, max: 3 })
      .chain((pairs) => fc.tuple(matrix(1, 2 * pairs), matrix(1, 2 * pairs)));
    check(fc.tuple(vectors, conventions, dtypes), ([[q = []], [k = []]], positions, dtype) => {
      const count = 9;
      const start = { from: 'qkv', q: numbered(count).map(() => q), k: numbered(count).map(() => k) } as const;
      const scores = rowsOf(run({ dtype, positions, start }), 'scores');
      const magnitude = Math.hypot(...q) * Math.hypot(...k);
      // Rotations keep lengths; an angle of at most 8, off by 7 ε of itself, at both ends, and the sums.
      const allowed = epsilon(dtype) * magnitude * (2 * 7 * count + 4 * q.length);
      const first = numbered(2 * count - 1).map(
        (d) => scores[Math.max(0, d - count + 1)]?.[Math.max(0, count - 1 - d)],
      );
      const expected = scores.map((row, i) => row.map((_, j) => first[i - j + count - 1] ?? NaN));
      assertClose(scores, expected, allowed, 'scores');
    });
  });

  it('RoPE keeps the lengths of queries', () => {
    check(
      fc.tuple(
        fc.tuple(length, fc.integer({ min: 1, max: 3 })).chain(([n, p]) => matrix(n, 2 * p)),
        dtypes,
      ),
      (q, dtype) => {
        const turned = rowsOf(run({ dtype, positions: 'rope-half', start: { from: 'qkv', q, k: q } }), 'qRotated');
        turned.forEach((row, i) => {
          const before = Math.hypot(...(q[i] ?? []));
          const off = Math.abs(Math.hypot(...row) - before);
          assert.ok(off <= 8 * epsilon(dtype) * before, `row ${i}: ${off} from ${before}`);
        });
      },
    );
  });

  it('ALiBi: the bias depends on distance alone and is 0 on the diagonal', () => {
    const x = numbered(5).map((i) => [i, 1, 0, 2]);
    const trace = run({ heads: 4, positions: 'alibi', start: { from: 'x', x } });
    // Press et al. 2022, section 3: for 4 heads the slopes are 1/4, 1/16, 1/64, 1/256.
    [1 / 4, 1 / 16, 1 / 64, 1 / 256].forEach((slope, h) =>
      numbered(5).forEach((i) =>
        numbered(5).forEach((j) =>
          assert.equal(trace.value('alibi', [h, i, j]) + 0, -slope * Math.abs(i - j) + 0, `alibi[${h},${i},${j}]`),
        ),
      ),
    );
  });
});
