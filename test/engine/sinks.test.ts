import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  explainCell,
  matrixDefaults,
  planOf,
  programOf,
  properties,
  runReference,
  sourceValues,
  validateSpec,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { fixture, run, sentence } from './specs';

/* Softmax with sinks and plus one: against test/reference/sinks.py, after gpt-oss's source and Miller's formula, which knows nothing of the engine. */

type Nested = number | readonly Nested[];
interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}

const { cases } = fixture<{ cases: readonly Case[] }>('sinks.json');
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

describe('a sink of softmax', () => {
  cases.forEach((one, i) => {
    it(`${i}: has PyTorch's numbers in every step`, () => {
      const trace = run(specOf(one));
      for (const [id, expected] of Object.entries(one.steps)) near((at) => trace.value(id, at), expected, allowed(one), id);
    });

    it(`${i}: has the same cells where nothing is held`, () => {
      const spec = specOf(one);
      const planned = planOf(spec);
      assert.ok(planned.ok);
      const sources = sourceValues(spec, planned.value);
      const deferred = new Set(planned.value.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
      const computed = runReference(spec, planned.value, undefined, deferred);
      assert.ok(computed.ok);
      const { value } = computed;
      for (const [id, expected] of Object.entries(one.steps)) near((at) => value.value(id, at), expected, allowed(one), id);
    });

    it(`${i}: explains each cell by the one before`, () => {
      const trace = run(specOf(one));
      const shape = trace.plan.steps.find(({ id }) => id === 'sunk')?.shape ?? [];
      const lead = shape.slice(0, -2).map((size) => size - 1);
      const last = (shape.at(-1) ?? 1) - 1;
      const sink = explainCell(trace, 'sunk', [...lead, 0, last]);
      assert.ok(sink.kind === 'given' ? sink.value === 0 : sink.kind === 'moved' && sink.operand.value === sink.value);
      assert.ok(explainCell(trace, 'sunk', [...lead, 0, 0]).kind === 'unchanged');
      const weight = explainCell(trace, 'weights', [...lead, 0, 0]);
      assert.ok(weight.kind === 'moved' && weight.operand.step === 'shares');
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { code, variables } = programOf(spec, run(spec).plan, library);
        return { code, name: variables.get('shares') ?? '', shares: one.steps['shares'], atol: allowed(one) };
      });
      const checks = 'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    numpy.testing.assert_allclose(numpy.asarray(room[one["name"]]), one["shares"], rtol=0, atol=one["atol"])\nprint("same")';
      assert.equal(execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(), 'same', library);
    }
  });

  it('is said: rows no longer sum to 1', () => {
    const trace = run({ ...sentence, heads: 2, mask: 'causal', sink: { from: 'random' } });
    const wordsOf = (id: string): string => Object.values(trace.plan.steps.find((step) => step.id === id)?.words ?? {}).join(' ');
    assert.match(wordsOf('weights'), /No row sums to 1 any more: what is missing is the sink’s share\./);
    assert.match(wordsOf('headOutputs'), /sum to less than 1: a sink takes the rest/);
    for (const step of trace.plan.steps) assert.doesNotMatch(Object.values(step.words).join(' '), /weights still sum to 1|each row that sees a key sums to 1/);
    assert.equal(properties(trace).find(({ id }) => id === 'rows-sum-to-1')?.holds, false);
    assert.equal(trace.plan.steps.find(({ id }) => id === 'sunk')?.columnLabels.at(-1), 'sink');
  });

  for (const [sink, path, message] of [
    [{ from: 'given', logits: [1, 2] }, 'sink.logits', /sink\.logits has 2 numbers, expected 1/],
    [{ from: 'given' }, 'sink.logits', /expected a list of numbers, found nothing/],
    [{ from: 'two' }, 'sink.from', /found "two"/],
  ] as const)
    it(`is refused where it stands: ${JSON.stringify(sink)}`, () => {
      const found = validateSpec({ ...sentence, sink });
      assert.ok(!found.ok);
      assert.deepEqual(found.problems.map((problem) => problem.path), [path]);
      assert.match(found.problems[0]?.message ?? '', message);
    });
}); // prettier-ignore
