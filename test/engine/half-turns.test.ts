import assert from 'node:assert/strict';
import { matrixDefaults, programOf, type AttentionSpec } from '../../engine/index';
import { execFileSync } from 'node:child_process';
import { unitOf } from '../../engine/math';
import { pythonOrSkip } from '../reference/python';
import { fixture, run } from './specs';

/* What code computes in several operations is rounded after each in float16 and bfloat16: RoPE's two products and their sum, the sum and tanh of additive scores. */

type Heads = readonly (readonly (readonly number[])[])[];
interface Case {
  readonly dtype: 'bfloat16' | 'float16';
  readonly layout: 'half' | 'interleaved';
  readonly positions: readonly number[];
  readonly base: number;
  readonly v: readonly (readonly number[])[];
  readonly q: Heads;
  readonly k: Heads;
  readonly qRotated: Heads;
  readonly kRotated: Heads;
  readonly additive: Heads;
}
const { cases } = fixture<{ cases: readonly Case[] }>('half-turns.json');

const specOf = (one: Case): AttentionSpec => ({
  ...matrixDefaults,
  dtype: one.dtype,
  heads: 3,
  start: { from: 'qkv', q: one.q, k: one.k, v: one.k },
});
const turning = (one: Case): AttentionSpec => ({
  ...specOf(one),
  positions: `rope-${one.layout}`,
  rope: { base: one.base },
  positionIds: { queries: one.positions, keys: one.positions },
});
const additive = (one: Case): AttentionSpec => ({ ...specOf(one), scoring: { by: 'additive', v: one.v } });

/** How many cells of a step are not the program's, and how far the farthest is, in units of the dtype. */
function differing(spec: AttentionSpec, id: string, expected: Heads): { cells: number; most: number } {
  const trace = run(spec);
  let [cells, most] = [0, 0];
  expected.forEach((head, h) =>
    head.forEach((row, i) =>
      row.forEach((x, j) => {
        const found = trace.value(id, [h, i, j]);
        if (found !== x) cells++;
        most = Math.max(most, Math.abs(found - x) / (unitOf[spec.dtype] * Math.max(Math.abs(x), 1)));
      }),
    ),
  );
  return { cells, most };
}

describe('operations of several in float16 and bfloat16', () => {
  for (const one of cases) {
    it(`turn pairs (${one.layout}) bit for bit as ${one.dtype} does in code`, () => {
      for (const [id, expected] of [['qRotated', one.qRotated], ['kRotated', one.kRotated]] as const)
        assert.deepEqual(differing(turning(one), id, expected), { cells: 0, most: 0 }, id);
    }); // prettier-ignore

    it(`add and take tanh (${one.layout}) as ${one.dtype} does in code, to the order of the sum`, () => {
      const { cells, most } = differing(additive(one), 'scores', one.additive);
      assert.ok(cells <= 3 && most <= 2, `${cells} cells, ${most} units`);
    });
  }

  it('are rounded likewise in the program that is written', function () {
    this.timeout(60_000);
    const python = pythonOrSkip(this, 'torch', 'numpy');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.flatMap((one) =>
        [[turning(one), 'qRotated', one.qRotated] as const, [additive(one), 'scores', one.additive] as const].map(
          ([spec, id, values]) => {
            const { code, variables } = programOf(spec, run(spec).plan, library);
            return { code, name: variables.get(id), values, most: id === 'scores' ? 3 : 0 };
          },
        ),
      );
      const checks =
        'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    found = numpy.asarray(room[one["name"]], dtype=float)\n    assert (found != numpy.array(one["values"])).sum() <= one["most"], one["name"]\nprint("same")';
      const said = execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' });
      assert.equal(said.trim(), 'same', library);
    }
  });
});
