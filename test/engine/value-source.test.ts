import assert from 'node:assert/strict';
import { matrixDefaults, planOf, validateSpec, type AttentionSpec } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { assertExported, assertGolden, specOf, unheld, type GoldenCase } from './golden';
import { matrix } from './field-values';
import { fixture, run } from './specs';

/* Values from another input than keys: against test/reference/value_source.py, which calls nn.MultiheadAttention and knows nothing of the engine. */

const { cases } = fixture<{ cases: readonly GoldenCase[] }>('value-source.json');
// Sums of 8 products of numbers up to 30.
const allowed = ({ spec }: GoldenCase): number => (spec.dtype === 'float32' ? 1e-4 : 1e-12);
const x = matrix(3, 4, 1);
const from = (start: object, more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...matrixDefaults,
  ...more,
  start: { from: 'x', x, ...start },
});

describe('values from an input of their own', () => {
  cases.forEach((one, i) => {
    const { heads, dtype, positions } = one.spec;
    it(`${i}: ${heads} heads, ${dtype}, ${positions === 'none' ? 'query, key and value' : 'DETR'}: PyTorch’s numbers, held or not`, () => {
      const spec = specOf(one);
      assertGolden(run(spec), one, allowed(one));
      assertGolden(unheld(spec), one, allowed(one));
    });
  });

  for (const library of ['numpy', 'torch'] as const)
    it(`are in the programs that are exported: ${library}`, function () {
      this.timeout(120_000);
      assertExported(cases, library, pythonOrSkip(this, 'numpy', 'torch'), allowed);
    });

  it('are V itself without projections, of any width that heads share, and cut for a decoder’s step', () => {
    const values = matrix(3, 6, 9);
    const trace = run(from({ values }, { heads: 2, projections: { from: 'none' }, mask: 'causal', decode: { step: 1 } }));
    const shapes = Object.fromEntries(trace.plan.steps.map(({ id, shape }) => [id, shape.join('×')]));
    assert.deepEqual([shapes['v'], shapes['vStep'], shapes['output']], ['3×6', '2×6', '1×6']); // prettier-ignore
    assert.equal(trace.value('v', [2, 5]), values[2]?.[5]);
  });

  it('serve every layer of a stack', () => {
    const spec = from({ values: matrix(3, 5, 9) }, { mask: 'causal', projections: { from: 'random', dK: 4, dV: 4 }, block: { norm: 'before', layers: 2 } }); // prettier-ignore
    const { steps } = run(spec).plan;
    const made = steps.filter(({ operands }) => operands.includes('valueSource')).map(({ id }) => id);
    assert.equal(made.length, 2, made.join());
  });

  it('change nothing where they are what values came from anyway', () => {
    const context = matrix(2, 4, 5);
    for (const [start, same] of [[{}, { values: x }], [{ context }, { context, values: context }]] as const) {
      const [plain, own] = [run(from(start)), run(from(same))];
      for (const { id, shape } of plain.plan.steps) {
        const at = shape.map((size) => size - 1);
        assert.equal(own.value(id, at), plain.value(id, at), id);
      }
    }
  }); // prettier-ignore

  for (const [start, more, path, message] of [
    [{ values: matrix(2, 4, 1) }, {}, 'start.values', /start\.values has 2 rows, expected 3/],
    [{ context: matrix(2, 4, 1), values: x }, {}, 'start.values', /start\.values has 3 rows, expected 2/],
    [{ values: [x, x, x] }, {}, 'start.values', /start\.values is 3×3×4, start\.x is 3×4/],
    [{ values: [[1], [2, 3], [4]] }, {}, 'start.values', /row 2 has 2 numbers/],
    [{ values: matrix(3, 3, 1) }, { heads: 2, projections: { from: 'none' } }, 'start.values', /V has 3 columns, which 2 heads do not share evenly/],
    [{ values: matrix(3, 3, 1) }, { projections: { from: 'fused', wqkv: matrix(4, 12, 2), order: 'blocks' } }, 'start.values', /start\.values has 3 columns, X has 4/],
    [{ values: matrix(3, 3, 1) }, { projections: { from: 'given', wq: matrix(4, 2, 1), wk: matrix(4, 2, 2), wv: matrix(4, 2, 3) } }, 'projections.wv', /W_v is 4×2, X·W needs 3×d because start\.values has 3 columns/],
  ] as const)
    it(`are refused where they stand: ${message.source}`, () => {
      const found = planOf(from(start, more as Partial<AttentionSpec>));
      assert.ok(!found.ok);
      assert.equal(found.problems[0]?.path, path);
      assert.match(found.problems[0].message, message);
    });

  it('are a tensor', () => {
    const found = validateSpec({ ...matrixDefaults, start: { from: 'x', x, values: 'x' } });
    assert.ok(!found.ok);
    assert.equal(found.problems[0]?.path, 'start.values');
  });
}); // prettier-ignore
