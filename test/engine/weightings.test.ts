import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  explainCell,
  matrixDefaults,
  planOf,
  programOf,
  runReference,
  sourceValues,
  validateSpec,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { fixture, run, sentence } from './specs';

/* Weights by something else than softmax: against test/reference/weightings.py, written from the papers' formulas, which knows nothing of the engine. */

type Nested = number | readonly Nested[];
interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}

const { cases } = fixture<{ cases: readonly Case[] }>('weightings.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });
const allowed = ({ spec }: Case): number => (spec.dtype === 'float32' ? 2e-6 : 1e-13);

function near(
  found: (index: readonly number[]) => number,
  expected: Nested,
  most: number,
  what: string,
  at: readonly number[] = [],
): void {
  if (typeof expected !== 'number') expected.forEach((one, i) => near(found, one, most, what, [...at, i]));
  else assert.ok(Math.abs(found(at) - expected) < most, `${what}[${at.join()}]: ${found(at)}, PyTorch has ${expected}`);
}

describe('weights by something else than softmax', () => {
  cases.forEach((one, i) => {
    const name = `${i}: ${one.spec.weighting?.by}`;

    it(`${name} has PyTorch's numbers, held or not`, () => {
      const spec = specOf(one);
      const [trace, planned] = [run(spec), planOf(spec)];
      assert.ok(planned.ok);
      const sources = sourceValues(spec, planned.value);
      const deferred = new Set(planned.value.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
      const computed = runReference(spec, planned.value, undefined, deferred);
      assert.ok(computed.ok);
      const { value } = computed;
      for (const [id, expected] of Object.entries(one.steps)) {
        near((at) => trace.value(id, at), expected, allowed(one), id);
        near((at) => value.value(id, at), expected, allowed(one), id);
      }
    });

    it(`${name} explains each weight`, () => {
      const trace = run(specOf(one));
      const shape = trace.plan.steps.find(({ id }) => id === 'weights')?.shape ?? [];
      const at = [...shape.slice(0, -2).map(() => 0), 1, 0];
      const made = explainCell(trace, 'weights', at);
      assert.ok(made.kind === 'worked');
      assert.equal(made.lines.at(-1)?.value, trace.value('weights', at));
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { code, variables } = programOf(spec, run(spec).plan, library);
        const id = 'output' in one.steps ? 'output' : 'headOutputs';
        return { code, name: variables.get(id) ?? '', values: one.steps[id], atol: allowed(one) };
      });
      const checks =
        'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    numpy.testing.assert_allclose(numpy.asarray(room[one["name"]]), one["values"], rtol=0, atol=one["atol"])\nprint("same")';
      assert.equal(
        execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(),
        'same',
        library,
      );
    }
  });

  it('is said: no softmax, no row that sums to 1, nothing of exp', () => {
    const trace = run({ ...sentence, heads: 2, mask: 'causal', weighting: { by: 'sigmoid' } });
    const wordsOf = (id: string): string =>
      Object.values(trace.plan.steps.find((step) => step.id === id)?.words ?? {}).join(' ');
    assert.match(wordsOf('weights'), /plus b = −1\.79176 goes through/);
    assert.match(wordsOf('headOutputs'), /a weighted sum, not an average/);
    for (const { id, words } of trace.plan.steps)
      assert.doesNotMatch(Object.values(words).join(' '), /still sum to 1|exp\(−∞\)|after softmax/, id);
    const { notes } = run({
      ...sentence,
      weighting: { by: 'sigmoid' },
      sink: { from: 'one' },
      mask: 'causal',
      fullyMasked: 'zero',
    }).plan;
    assert.deepEqual(
      notes.map(({ path, message }) => [path, message]),
      [
        ['fullyMasked', 'fullyMasked is ignored: there is no softmax'],
        ['sink', 'sink is ignored: there is no softmax'],
      ],
    );
  });

  it('is refused where it stands', () => {
    const found = validateSpec({ ...sentence, weighting: { by: 'hardmax' } });
    assert.ok(!found.ok);
    assert.deepEqual(
      found.problems.map(({ path }) => path),
      ['weighting.by'],
    );
  });
});
