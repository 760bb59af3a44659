import assert from 'node:assert/strict';
import katex from 'katex';
import {
  explainCell,
  fieldControls,
  readSwitches,
  validateSpec,
  writeSwitches,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { assertExported, assertGolden, specOf, unheld, type GoldenCase } from './golden';
import { fixture, run } from './specs';

/* Queries, keys and values of one matrix: against test/reference/fused.py, PyTorch's own module and the orders of three models. */

const { cases } = fixture<{ cases: readonly (GoldenCase & { readonly name: string })[] }>('fused.json');
const allowed = ({ spec }: GoldenCase): number => (spec.dtype === 'float32' ? 2e-5 : 1e-12);
const [first] = cases;
assert.ok(first);
const spec = specOf(first);

describe('one matrix for queries, keys and values', () => {
  cases.forEach((one, i) => {
    it(`${i}: ${one.name} has PyTorch's numbers, held or not`, () => {
      for (const trace of [run(specOf(one)), unheld(specOf(one))]) assertGolden(trace, one, allowed(one));
    });

    it(`${i}: ${one.name} says where each number of W_q, W_k and W_v stands in it`, () => {
      const trace = run(specOf(one));
      for (const id of ['wq', 'wk', 'wv']) {
        const shape = trace.plan.steps.find((step) => step.id === id)?.shape ?? [];
        const at = shape.map((size) => size - 1);
        const made = explainCell(trace, id, at);
        assert.ok(made.kind === 'moved');
        assert.equal(made.operand.step, 'wqkv');
        assert.equal(trace.value('wqkv', made.operand.index), trace.value(id, at));
      }
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) assertExported(cases, library, python, allowed);
  });

  it('is said: which rows or columns, and whose order it is', () => {
    const wordsOf = (name: string, id: string): string => {
      const one = cases.find((of) => of.name === name);
      assert.ok(one);
      return Object.values(run(specOf(one)).plan.steps.find((step) => step.id === id)?.words ?? {}).join(' ');
    };
    assert.match(wordsOf('in_proj_weight', 'wk'), /Rows 6 to 11 of W_qkv, which has 18 rows.*in_proj_weight of nn\.MultiheadAttention/);
    assert.match(wordsOf('c_attn', 'wv'), /Columns 12 to 17 of W_qkv, which has 18 columns/);
    assert.match(wordsOf('c_attn', 'bv'), /Columns 12 to 17 of b_qkv/);
    assert.match(wordsOf('query_key_value', 'wk'), /Of each 6 rows of W_qkv those from 2 to 3, 3 times.*GPT-NeoX/);
    assert.match(wordsOf('grouped', 'wq'), /Of each 8 rows of W_qkv those from 0 to 3, 2 times/);
    assert.match(wordsOf('c_attn', 'wqkv'), /cut Q, K and V out of the product; the numbers are the same/);
  });

  it('has formulas that LaTeX takes: no subscript beside another', () => {
    for (const one of cases)
      for (const { formula } of run(specOf(one)).plan.steps) katex.renderToString(formula.plain, { throwOnError: true });
  });

  it('has a control of its order, and the convention can be read two ways', () => {
    const shown = fieldControls.filter(({ applies }) => applies(spec, readSwitches(spec))).map(({ id }) => id);
    assert.ok(shown.includes('fusedOrder') && shown.includes('convention') && !shown.includes('dK'));
    const other = writeSwitches(spec, { ...readSwitches(spec), fusedOrder: 'heads' });
    assert.deepEqual(other.projections, { ...spec.projections, order: 'heads' });
    assert.deepEqual(writeSwitches(spec, readSwitches(spec)), spec);
    assert.equal(fieldControls.find(({ id }) => id === 'convention')?.locked?.(spec, readSwitches(spec)), undefined);
  });

  const fused = spec.projections.from === 'fused' ? spec.projections : undefined;
  assert.ok(fused);
  for (const [change, path, message] of [
    [{ projections: { ...fused, wqkv: fused.wqkv.slice(1) } }, 'projections.wqkv', /W_qkv gives 17 columns, which queries of 2 heads and keys and values of 2 do not share evenly/],
    [{ projections: { ...fused, wqkv: fused.wqkv.map((row) => row.slice(1)) } }, 'projections.wqkv', /W_qkv is 18×5, X·Wᵀ needs d×6 because X has 6 columns/],
    [{ projections: { ...fused, bqkv: [1, 2] } }, 'projections.bqkv', /projections\.bqkv has 2 numbers, expected 18/],
    [{ projections: { ...fused, order: 'mixed' } }, 'projections.order', /order/],
    [{ convention: 'XW' }, 'projections.wqkv', /W_qkv is 18×6, X·W needs 6×d/],
    [{ block: { norm: 'before', layers: 2 } }, 'projections', /the weights of one layer are given, and there are 2/],
    [{ start: { from: 'x', x: [[1, 2, 3, 4, 5, 6]], context: [[1, 2]] } }, 'start.context', /the context has 2 columns, X has 6/],
  ] as const)
    it(`is refused where it stands: ${path}: ${message.source}`, () => {
      const found = validateSpec({ ...spec, ...(change as Partial<AttentionSpec>) });
      assert.ok(!found.ok);
      assert.equal(found.problems[0]?.path, path);
      assert.match(found.problems[0].message, message);
    });
}); // prettier-ignore
