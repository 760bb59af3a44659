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

/* The mean of the heads' weights: against test/reference/average_weights.py, which calls torch.nn.MultiheadAttention and knows nothing of the engine. */

type Nested = number | readonly Nested[];
interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}

const { cases } = fixture<{ cases: readonly Case[] }>('average-weights.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });
// The output is a sum of 12 products of numbers up to 10.
const allowed = ({ spec }: Case): number => (spec.dtype === 'float32' ? 1e-5 : 1e-13);

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

describe('the mean of the heads’ weights', () => {
  cases.forEach((one, i) => {
    const { heads, dtype, mask } = one.spec;
    const name = `${i}: ${heads} heads, ${dtype}, ${mask === 'causal' ? 'causal' : 'no mask'}`;

    it(`${name} has nn.MultiheadAttention’s numbers, held or not`, () => {
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

    it(`${name} explains a cell by the cells of all heads`, () => {
      const trace = run(specOf(one));
      const shape = trace.plan.steps.find(({ id }) => id === 'averagedWeights')?.shape ?? [];
      const at = [...shape.slice(0, -2).map(() => 1), 3, 2];
      const made = explainCell(trace, 'averagedWeights', at);
      assert.ok(made.kind === 'worked');
      assert.equal(made.lines.at(-1)?.value, trace.value('averagedWeights', at));
      const [sum] = made.lines;
      assert.ok(sum?.work.is === 'sum' && sum.work.of.length === heads);
      sum.work.of.forEach((term, head) => {
        assert.ok(term.is === 'cell');
        assert.deepEqual(term.cell.index, [...at.slice(0, -2), head, 3, 2]);
      });
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { code, variables } = programOf(spec, run(spec).plan, library);
        return { code, name: variables.get('averagedWeights') ?? '', values: one.steps['averagedWeights'], atol: allowed(one) };
      }); // prettier-ignore
      const checks =
        'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    numpy.testing.assert_allclose(numpy.asarray(room[one["name"]]), one["values"], rtol=0, atol=one["atol"])\nprint("same")';
      assert.equal(
        execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(),
        'same',
        library,
      );
    }
  });

  it('is hatched by a mask of one matrix, which serves all heads, and by no other', () => {
    const hiddenBy = (mask: AttentionSpec['mask']): string | undefined => {
      const { plan } = run({ ...sentence, heads: 2, averageWeights: true, mask });
      return plan.steps.find(({ id }) => id === 'averagedWeights')?.hiddenBy;
    };
    const own = Array.from({ length: 2 }, (_, head) =>
      Array.from({ length: 6 }, (__, i) => Array.from({ length: 6 }, (___, j) => (j > i + head ? 1 : 0))),
    );
    assert.equal(hiddenBy('causal'), 'mask');
    assert.equal(hiddenBy({ kind: 'boolean', values: own, trueMeans: 'hidden' }), undefined);
  });

  it('changes no other number, and stands apart in each layer of a stack', () => {
    const spec: AttentionSpec = { ...sentence, heads: 2, block: { norm: 'before', layers: 2 } };
    const [plain, averaged] = [run(spec), run({ ...spec, averageWeights: true })];
    const added = averaged.plan.steps.filter(({ id }) => !plain.plan.steps.some((step) => step.id === id));
    assert.equal(added.length, 2);
    const outputs = plain.plan.steps.filter(({ operands }) => operands.length);
    assert.ok(outputs.length > 20);
    for (const { id, shape } of outputs) {
      const at = shape.map((size) => size - 1);
      assert.equal(averaged.value(id, at), plain.value(id, at), id);
    }
  });

  it('averages the weights that weigh the values, where those are another head’s', () => {
    const trace = run({ ...sentence, heads: 2, headChanges: [{ head: 1, weightsOf: 0 }], averageWeights: true });
    const [own, mean] = [trace.value('weights', [0, 1, 2]), trace.value('averagedWeights', [1, 2])];
    assert.equal(mean, own);
    assert.notEqual(trace.value('weights', [1, 1, 2]), own);
  });

  it('says that it changes nothing with one head, and is refused where it is no flag', () => {
    const { steps, notes } = run({ ...sentence, averageWeights: true }).plan;
    assert.ok(!steps.some(({ id }) => id === 'averagedWeights'));
    assert.deepEqual(
      notes.map(({ path, message }) => [path, message]),
      [['averageWeights', 'averageWeights is ignored: there is only one head']],
    );
    const found = validateSpec({ ...sentence, averageWeights: 'yes' });
    assert.ok(!found.ok);
    assert.deepEqual(found.problems.map(({ path }) => path), ['averageWeights']); // prettier-ignore
  });
});
