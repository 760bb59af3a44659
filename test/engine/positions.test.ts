import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { explainCell, matrixDefaults, programOf, validateSpec, type AttentionSpec } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { fixture, run } from './specs';

/* Positions that a spec says: against test/reference/positions.py, which knows the definitions and not the engine. */

interface Case {
  readonly name: string;
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, unknown>>;
}

const { cases } = fixture<{ cases: readonly Case[] }>('positions.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });

function assertNear(
  found: (index: readonly number[]) => number,
  expected: unknown,
  what: string,
  at: readonly number[] = [],
): void {
  if (Array.isArray(expected)) expected.forEach((one, i) => assertNear(found, one, what, [...at, i]));
  else
    assert.ok(
      Math.abs(found(at) - Number(expected)) < 1e-13,
      `${what}[${at.join()}]: ${found(at)}, the definition gives ${String(expected)}`,
    );
}

describe('positions that a spec says', () => {
  for (const one of cases) {
    it(`are those of the definitions: ${one.name}`, () => {
      const trace = run(specOf(one));
      for (const [id, expected] of Object.entries(one.steps)) assertNear((at) => trace.value(id, at), expected, id);
      const still = one.name === 'alibi from 7 on, keys too';
      const said = ['positionIds.offset is ignored: queries and keys move together, and distances stay'];
      assert.deepEqual(trace.plan.notes.map(({ message }) => message), still ? said : []);
    });

    it(`are those by which a cell is explained: ${one.name}`, () => {
      const trace = run(specOf(one));
      for (const { id, call, shape } of trace.plan.steps) {
        if (call.op !== 'rotations' && call.op !== 'alibi' && call.op !== 'sinusoidal') continue;
        const lead = shape.slice(0, -2).map((size) => size - 1);
        for (const row of [0, (shape.at(-2) ?? 1) - 1]) {
          const made = explainCell(trace, id, [...lead, row, 1]);
          const value = trace.value(id, [...lead, row, 1]);
          if (made.kind === 'distance') assert.ok(Math.abs(value + made.slope * made.distance) < 1e-15);
          else if (made.kind === 'position') assert.ok(Math.abs(value - Math[made.fn](made.position / made.divisor)) < 1e-9);
          else assert.fail(made.kind);
        }
      }
    });
  }

  it('are in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { plan } = run(spec);
        const { code, variables } = programOf(spec, plan, library);
        return { code, name: variables.get('weights') ?? '', weights: one.steps['weights'] };
      });
      const checks = 'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    numpy.testing.assert_allclose(numpy.asarray(room[one["name"]]), one["weights"], rtol=0, atol=1e-13)\nprint("same")';
      assert.equal(execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(), 'same', library);
    }
  });

  it('are said to be given in the words of rotations, biases and sinusoids, and nowhere without', () => {
    const x = [[1, 2], [3, 4], [5, 6]];
    const qkv = { from: 'qkv', q: x, k: x, v: x } as const;
    const cases: readonly [Partial<AttentionSpec>, step: string, part: 'what' | 'notice', given: RegExp][] = [
      [{ start: { from: 'x', x }, positions: 'rope-half', positionIds: { offset: 7 } }, 'kRotations', 'what', /The first row stands at position 7\./],
      [{ start: { from: 'x', x }, positions: 'rope-half', positionIds: { queries: [4, 1, 0] } }, 'qRotations', 'what', /The positions are those you gave\./],
      [{ start: { from: 'x', x }, positions: 'rope-half', positionIds: { offset: 7 } }, 'qRotated', 'what', /of the position you gave it/],
      [{ start: { from: 'x', x }, positions: 'sinusoidal-interleaved', positionIds: { offset: 7 } }, 'positions', 'what', /The first row stands at position 7\./],
      [{ start: { from: 'x', x }, positions: 'sinusoidal-interleaved', positionIds: { queries: [2, 2, 2] } }, 'x', 'notice', /at two positions/],
      [{ start: qkv, positions: 'alibi', positionIds: { offset: 7 } }, 'alibi', 'what', /Query 0 stands at position 7, key 0 at position 0\./],
      [{ start: qkv, positions: 'alibi', positionIds: { keys: [4, 1, 0] } }, 'alibi', 'what', /Distances are those of the positions you gave\./],
      [{ start: qkv, positions: 'alibi', positionIds: { offset: 7 } }, 'biased', 'notice', /where the query stands is unchanged/],
      [{ start: qkv, positions: 'alibi', decode: { step: 2 } }, 'alibi', 'what', /Query 0 stands at position 2/],
    ];
    for (const [change, id, part, given] of cases) {
      const { positionIds: _, decode: __, ...without } = change;
      const wordsOf = (spec: Partial<AttentionSpec>): string =>
        run({ ...matrixDefaults, ...spec } as AttentionSpec).plan.steps.find((step) => step.id === id)?.words[part] ?? '';
      assert.match(wordsOf(change), given);
      assert.doesNotMatch(wordsOf(without), given);
    }
  });

  for (const [given, path, message] of [
    [{ offset: -1 }, 'positionIds.offset', /is -1, expected a whole number from 0/],
    [{ queries: [0, 1] }, 'positionIds.queries', /has 2 numbers, expected 3/],
    [{ keys: [[0, 1, 2], [0, 1, 2]] }, 'positionIds.keys', /lists for inputs of a batch: 2, expected 1 or 1/],
    [{ queries: [[0, 1, 2.5]] }, 'positionIds.queries[0][2]', /is 2\.5, expected a whole number/],
    [{ places: [1] }, 'positionIds.places', /unknown field/],
    [{ queries: 'x' }, 'positionIds.queries', /expected a list of positions, or one for each input, found "x"/],
  ] as const)
    it(`are refused where they stand: ${JSON.stringify(given)}`, () => {
      const spec = { ...matrixDefaults, positions: 'rope-half', start: { from: 'x', x: [[1, 2], [3, 4], [5, 6]] }, positionIds: given };
      const found = validateSpec(spec);
      assert.ok(!found.ok);
      assert.deepEqual(found.problems.map((problem) => problem.path), [path]);
      assert.match(found.problems[0]?.message ?? '', message);
    });
}); // prettier-ignore
