import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { explainCell, matrixDefaults, programOf, type AttentionSpec } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { fixture, run } from './specs';

/* Weights as torch.randn(…) / math.sqrt(d) gives them, bit for bit: against test/reference/divided_weights.py, that expression itself. */

interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const { cases } = fixture<{ cases: readonly Case[] }>('divided-weights.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });

/** How many of the drawn numbers are not PyTorch's. */
function others(spec: AttentionSpec, { steps }: Case): number {
  const trace = run(spec);
  return Object.entries(steps)
    .flatMap(([id, rows]) => rows.flatMap((row, i) => row.map((x, j) => trace.value(id, [i, j]) !== x)))
    .filter(Boolean).length;
}

describe('weights divided in float32', () => {
  cases.forEach((one, i) => {
    const spec = specOf(one);
    const width = 'x' in spec.start ? spec.start.x[0]?.length : 0;

    it(`${i}: ${spec.dtype}, d = ${width}: all are PyTorch’s, bit for bit`, () => {
      assert.equal(others(spec, one), 0);
    });

    it(`${i}: ${spec.dtype}, d = ${width}: a cell is its draw by √d, rounded`, () => {
      const trace = run(spec);
      const made = explainCell(trace, 'wo', [1, 2]);
      assert.ok(made.kind === 'drawn');
      assert.equal(made.draw, Math.fround(made.draw));
      assert.equal(made.divideBy, Math.fround(made.divideBy));
      if (spec.dtype === 'float32') assert.equal(Math.fround(made.draw / made.divideBy), trace.value('wo', [1, 2]));
    });
  });

  it('are other numbers than those divided in float64, where √d is no float32', () => {
    const { weightsDividedIn: _, ...spec } = specOf(cases[0] as Case);
    const [differ, all] = [others(spec, cases[0] as Case), 3 * 6 * 8 + 8 * 6];
    assert.ok(differ > 0 && differ < all, `${differ} of ${all}`);
    const exact = cases[3] as Case;
    const { weightsDividedIn: __, outputProjection: ___, ...whole } = specOf(exact);
    const { wo: ____, ...steps } = exact.steps;
    assert.equal(others(whole, { spec: exact.spec, steps }), 0);
  });

  it('are written as the expression in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { code, variables } = programOf(spec, run(spec).plan, library);
        if (spec.dtype === 'float32') assert.match(code, /torch\.randn\(\d+, \d+, dtype=torch\.float32\) \/ (math\.sqrt\(|4)/);
        return { code, steps: Object.entries(one.steps).map(([id, values]) => ({ name: variables.get(id) ?? '', values })) };
      }); // prettier-ignore
      const checks =
        'import json, sys, contextlib, io\nimport numpy, torch\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    for step in one["steps"]:\n        found = torch.as_tensor(room[step["name"]]).double().numpy()\n        assert (found == numpy.array(step["values"])).all(), (step["name"], one["code"])\nprint("same")';
      assert.equal(
        execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(),
        'same',
        library,
      );
    }
  });

  it('say where they change nothing', () => {
    const spec = specOf(cases[0] as Case);
    for (const [change, message] of [
      [{ dtype: 'float64' }, 'weightsDividedIn is ignored: the numbers are float64'],
      [{ random: { generator: 'numpy.RandomState', seed: 0 } }, 'weightsDividedIn is ignored: NumPy draws and divides in float64'],
      [{ projections: { from: 'none' }, outputProjection: { from: 'none' } }, 'weightsDividedIn is ignored: no weights are drawn'],
    ] as const) {
      const { notes } = run({ ...spec, ...change }).plan;
      assert.ok(notes.some((note) => note.message === message), JSON.stringify(notes));
    } // prettier-ignore
  });
});
