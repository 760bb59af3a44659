import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { explainCell, matrixDefaults, programOf, validateSpec, type AttentionSpec } from '../../engine/index';
import { turnsOf } from '../../engine/math';
import { pythonOrSkip } from '../reference/python';
import { fixture, run, sentence } from './specs';

/* RoPE with another base, of some columns, and scaled: against test/reference/rope_variants.py, after Hugging Face's source, which knows nothing of the engine. */

interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const { cases, llama } = fixture<{ cases: readonly Case[]; llama: readonly (readonly number[])[] }>(
  'rope-variants.json',
);
/** Recorded by test/reference/yarn_library.py. */
const library = fixture<{
  cases: readonly {
    readonly d: number;
    readonly base: number;
    readonly original: number;
    readonly factor: number;
    readonly inverse: readonly number[];
  }[];
}>('yarn-library.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });
const nameOf = ({ spec: { rope, positions, positionsDtype = 'float64' } }: Case): string =>
  `${String(positions)} ${JSON.stringify(rope ?? {})} ${positionsDtype}`;

/** PyTorch's float32 functions are within an ulp or two, ours are rounded correctly: an angle near 1000 moves by 1000 such. */
const allowed = ({ spec }: Case): number =>
  spec.positionsDtype === 'float32' ? 8 * 2 ** -23 * Math.max(1, spec.positionIds?.offset ?? 0) : 3e-13;

describe('RoPE as models have it', () => {
  for (const one of cases) {
    it(`has PyTorch's numbers in every step: ${nameOf(one)}`, () => {
      const trace = run(specOf(one));
      assert.deepEqual(trace.plan.notes, []);
      for (const [id, rows] of Object.entries(one.steps))
        rows.forEach((row, i) =>
          row.forEach((expected, j) => {
            const found = trace.value(id, [i, j]);
            const size = Math.max(1, Math.abs(expected));
            assert.ok(Math.abs(found - expected) <= 8 * size * allowed(one), `${id}[${i},${j}]: ${found}, PyTorch has ${expected}`);
          }),
        );
    });

    it(`explains each cell of rotations by its own arithmetic: ${nameOf(one)}`, () => {
      const trace = run(specOf(one));
      const id = one.steps['qRotations'] ? 'qRotations' : 'positions';
      const shape = trace.plan.steps.find((step) => step.id === id)?.shape ?? [];
      for (let i = 0; i < (shape[0] ?? 0); i++)
        for (let j = 0; j < (shape[1] ?? 0); j++) {
          const made = explainCell(trace, id, [i, j]);
          assert.ok(made.kind === 'position');
          const value = Math[made.fn](made.angle) * (made.times ?? 1);
          assert.ok(Math.abs(made.value - value) < 3e-7, `${id}[${i},${j}]`);
          assert.ok(Math.abs(made.angle - made.position / made.divisor) <= 2e-7 * Math.max(1, made.angle));
          if (!made.turn) continue;
          const { plain, share, factor, divisor } = made.turn;
          assert.ok(Math.abs(divisor - plain / (share + (1 - share) / factor)) <= 4e-7 * divisor, `divisor of pair ${j}`);
        }
    });
  }

  it('scales by YaRN as the transformers library does, at sizes of published models', () => {
    for (const { d, base, original, factor, inverse } of library.cases) {
      const turns = turnsOf(d / 2, { base, scaling: { kind: 'yarn', factor, original } });
      inverse.forEach((expected, i) => {
        const found = 1 / (turns[i]?.divisor ?? 0);
        assert.ok(Math.abs(found - expected) <= 1e-6 * expected, `pair ${i} of ${d / 2}: ${found}, the library has ${expected}`);
      });
      assert.ok(new Set(turns.map(({ share }) => share)).size > 5, 'a ramp of several pairs');
    }
  });

  it('in float32 is the float32 of PyTorch, where float64 is not', () => {
    const x = Array.from({ length: 16 }, (_, i) => Array.from({ length: 64 }, (__, j) => ((i * 7 + j * 3) % 11) - 5));
    const equal = (positionsDtype: 'float64' | 'float32'): number => {
      const trace = run({ ...matrixDefaults, dtype: 'float32', positions: 'rope-half', positionsDtype, start: { from: 'x', x } });
      return llama.flatMap((row, i) => row.map((y, j) => Number(trace.value('qRotations', [i, j]) === y))).reduce((a, b) => a + b, 0) / 1024;
    };
    const [in64, in32] = [equal('float64'), equal('float32')];
    assert.ok(in32 > 0.93 && in64 < 0.7, `equal cells: float32 ${in32}, float64 ${in64}`);
  });

  it('says nothing new where it asks for the paper’s rotations', () => {
    const plain = run({ ...sentence, positions: 'rope-half' });
    for (const rope of [{}, { base: 10000 }, { dims: 8 }]) {
      const said = run({ ...sentence, positions: 'rope-half', rope, positionsDtype: 'float64' });
      for (const step of plain.plan.steps)
        assert.deepEqual(said.read(step.id, { rows: [0, step.shape.at(-2) ?? 0], columns: [0, step.shape.at(-1) ?? 0], level: 0 } as never), plain.read(step.id, { rows: [0, step.shape.at(-2) ?? 0], columns: [0, step.shape.at(-1) ?? 0], level: 0 } as never), step.id);
      assert.deepEqual(said.plan.steps.map(({ words }) => words), plain.plan.steps.map(({ words }) => words));
    }
  });

  it('counts a dynamic scaling’s length over the whole text, so that a step of a decoder is a row of it', () => {
    const spec: AttentionSpec = { ...sentence, mask: 'causal', positions: 'rope-half', rope: { scaling: { kind: 'dynamic', factor: 3, original: 2 } } };
    const whole = run(spec);
    for (let t = 0; t < 6; t++) {
      const step = run({ ...spec, decode: { step: t } });
      for (let j = 0; j <= t; j++) assert.equal(step.value('weights', [0, j]), whole.value('weights', [t, j]));
    }
  });

  it('is said in words', () => {
    const notice = (rope: AttentionSpec['rope'], id = 'qRotations'): string =>
      run({ ...sentence, positions: 'rope-half', ...(rope && { rope }) }).plan.steps.find((step) => step.id === id)?.words.notice ?? '';
    assert.match(notice({ base: 500000 }), /The base \(rope_theta\) is 500000/);
    assert.match(notice({ scaling: { kind: 'linear', factor: 4 } }), /divides every position by 4/);
    assert.match(notice({ scaling: { kind: 'ntk', factor: 8 } }), /raises the base to 160000\./);
    assert.match(notice({ scaling: { kind: 'dynamic', factor: 2, original: 300 } }), /has 6 positions and the model was trained on 300: .* nothing yet/);
    assert.match(notice({ base: 20, scaling: { kind: 'yarn', factor: 4, original: 32 } }), /Cosines and sines are multiplied by 1\.13863\./);
    assert.match(notice({ base: 20, scaling: { kind: 'yarn', factor: 4, original: 32 } }, 'qRotated'), /becomes 1\.13863 times as long/);
    assert.match(notice({ dims: 4 }, 'qRotated'), /The first 4 of 8 columns turn \(partial rotary\); the others stay\./);
    assert.equal(notice(undefined, 'qRotated'), 'Lengths do not change: a rotation keeps them.');
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.filter(({ steps }) => steps['weights']).map((one) => {
        const spec = specOf(one);
        const { plan } = run(spec);
        const { code, variables } = programOf(spec, plan, library);
        return { code, name: variables.get('weights') ?? '', weights: one.steps['weights'], atol: 8 * allowed(one) };
      });
      const checks = 'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    numpy.testing.assert_allclose(numpy.asarray(room[one["name"]]), one["weights"], rtol=0, atol=one["atol"])\nprint("same")';
      assert.equal(execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(), 'same', library);
    }
  });

  for (const [rope, path, message] of [
    [{ base: 0 }, 'rope.base', /rope\.base is 0, expected a finite number above 0/],
    [{ dims: 3 }, 'rope.dims', /is 3, expected an even number/],
    [{ dims: 10 }, 'rope.dims', /is 10, but a head has 8 columns/],
    [{ dims: 2, scaling: { kind: 'ntk', factor: 2 } }, 'rope.scaling', /has no value for d = 2/],
    [{ scaling: { kind: 'linear' } }, 'rope.scaling.factor', /expected a number, found nothing/],
    [{ scaling: { kind: 'linear', factor: -1 } }, 'rope.scaling.factor', /is -1/],
    [{ scaling: { kind: 'yarn', factor: 2, original: 0 } }, 'rope.scaling.original', /is 0, expected a whole number/],
    [{ scaling: { kind: 'llama3', factor: 2, lowFrequency: 4, highFrequency: 4, original: 8 } }, 'rope.scaling.highFrequency', /is 4, expected more than 4/],
    [{ base: 1, scaling: { kind: 'yarn', factor: 2, original: 8 } }, 'rope.base', /no ramp/],
    [{ scaling: { kind: 'longrope', factor: 2 } }, 'rope.scaling.kind', /found "longrope"/],
    [{ theta: 5 }, 'rope.theta', /unknown field/],
  ] as const)
    it(`is refused where it stands: ${JSON.stringify(rope)}`, () => {
      const found = validateSpec({ ...sentence, positions: 'rope-half', rope });
      assert.ok(!found.ok);
      assert.deepEqual(found.problems.map((problem) => problem.path), [path]);
      assert.match(found.problems[0]?.message ?? '', message);
    });
}); // prettier-ignore
