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
import { bucketOf, type Bucketing } from '../../engine/math';
import { pythonOrSkip } from '../reference/python';
import { fixture, run, sentence } from './specs';

/* T5's relative bias: against test/reference/t5_buckets.py, after Hugging Face's source, which knows nothing of the engine. */

type Nested = number | readonly Nested[];
interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}

const { edges, cases } = fixture<{
  edges: readonly (Bucketing & { from: number; found: readonly number[] })[];
  cases: readonly Case[];
}>('t5-buckets.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });

function near(
  found: (index: readonly number[]) => number,
  expected: Nested,
  what: string,
  at: readonly number[] = [],
): void {
  if (typeof expected !== 'number') expected.forEach((one, i) => near(found, one, what, [...at, i]));
  else
    assert.ok(Math.abs(found(at) - expected) < 1e-12, `${what}[${at.join()}]: ${found(at)}, PyTorch has ${expected}`);
}

describe('T5’s relative bias', () => {
  for (const { from, found, ...bucketing } of edges)
    it(`has PyTorch's bucket for every distance: ${JSON.stringify(bucketing)}`, () => {
      assert.deepEqual(found.map((_, i) => bucketOf(bucketing, from + i)), found);
    });

  cases.forEach((one, i) => {
    it(`${i}: has PyTorch's numbers in every step`, () => {
      const trace = run(specOf(one));
      for (const [id, expected] of Object.entries(one.steps)) near((at) => trace.value(id, at), expected, id);
    });

    it(`${i}: explains each bias by its bucket and the table`, () => {
      const trace = run(specOf(one));
      const shape = trace.plan.steps.find(({ id }) => id === 'relative')?.shape ?? [];
      const lead = shape.slice(0, -2).map((size) => size - 1);
      for (let row = 0; row < 5; row++)
        for (let column = 0; column < 5; column++) {
          const made = explainCell(trace, 'relative', [...lead, row, column]);
          assert.ok(made.kind === 'lookup');
          assert.equal(made.entry.value, made.value);
          assert.equal(made.entry.index[0], made.id.value);
          const of = explainCell(trace, 'buckets', made.id.index);
          assert.ok(of.kind === 'bucket');
        }
    });

    it(`${i}: has the same cells where nothing is held`, () => {
      const spec = specOf(one);
      const planned = planOf(spec);
      assert.ok(planned.ok);
      const deferred = new Set(planned.value.steps.flatMap(({ id, call }) => (sourceValues(spec, planned.value).has(id) && call.op !== 'buckets' ? [] : [id])));
      const computed = runReference(spec, planned.value, undefined, deferred);
      assert.ok(computed.ok);
      const { value } = computed;
      for (const id of ['buckets', 'related', 'weights']) near((at) => value.value(id, at), one.steps[id] ?? [], id);
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { code, variables } = programOf(spec, run(spec).plan, library);
        return { code, name: variables.get('weights') ?? '', weights: one.steps['weights'] };
      });
      const checks = 'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    numpy.testing.assert_allclose(numpy.asarray(room[one["name"]]), one["weights"], rtol=0, atol=1e-13)\nprint("same")';
      assert.equal(execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' }).trim(), 'same', library);
    }
  });

  it('says of a cell which distance it has, and whether its bucket has others', () => {
    // Of four buckets (eight for both directions) two have a distance each: 2 and 3 share the third, 4 and all beyond the last.
    const said = (bidirectional: boolean, row: number, column: number): unknown[] => {
      const relativeBias = { bidirectional, buckets: bidirectional ? 8 : 4, maxDistance: 5 };
      const trace = run({ ...sentence, heads: 2, mask: 'none', positions: 'none', scale: 'none', relativeBias });
      const made = explainCell(trace, 'buckets', [row, column]);
      assert.ok(made.kind === 'bucket');
      return [made.relative, made.value, made.alone];
    };
    const after = [0, 1, 2, 3, 4].map((column) => said(true, 0, column));
    assert.deepEqual(after, [[0, 0, true], [1, 5, true], [2, 6, false], [3, 6, false], [4, 7, false]]); // prettier-ignore
    const before = [0, 1, 2, 3, 4].map((column) => said(true, 4, column));
    assert.deepEqual(before, [[-4, 3, false], [-3, 2, false], [-2, 2, false], [-1, 1, true], [0, 0, true]]); // prettier-ignore
    // In one direction the keys behind the query have the bucket of distance 0.
    const one = [0, 1, 2, 3, 4].map((column) => said(false, 3, column));
    assert.deepEqual(one, [[-3, 2, false], [-2, 2, false], [-1, 1, true], [0, 0, false], [1, 0, false]]); // prettier-ignore
  });

  it('of an input goes by the positions of that input', () => {
    const relativeBias = { bidirectional: true, buckets: 8, maxDistance: 5 };
    const positionIds = { queries: [[0, 1], [5, 1]], keys: [[0, 3], [2, 4]] }; // prettier-ignore
    const start = { from: 'x', x: [[[1, 0], [0, 1]], [[1, 1], [0, 1]]] } as const; // prettier-ignore
    const trace = run({ ...sentence, start, heads: 1, mask: 'none', positions: 'none', scale: 'none', relativeBias, positionIds });
    const relative = (...at: number[]): unknown => {
      const made = explainCell(trace, 'buckets', at);
      return made.kind === 'bucket' && made.relative;
    };
    // The key's position less the query's.
    assert.deepEqual([relative(0, 0, 1), relative(0, 1, 0), relative(1, 0, 0), relative(1, 0, 1), relative(1, 1, 1)], [3, -1, -3, -1, 3]);
  });

  it('is a bias of distances alone: a step of a decoder is a row of the whole', () => {
    const spec: AttentionSpec = { ...sentence, heads: 2, mask: 'causal', positions: 'none', scale: 'none', relativeBias: { bidirectional: false, buckets: 4, maxDistance: 5 } };
    const whole = run(spec);
    for (let t = 0; t < 6; t++) {
      const step = run({ ...spec, decode: { step: t } });
      for (let j = 0; j <= t; j++) assert.equal(step.value('weights', [1, 0, j]), whole.value('weights', [1, t, j]));
    }
  });

  it('says in words what T5 does', () => {
    const wordsOf = (relativeBias: AttentionSpec['relativeBias'], id: string): string =>
      Object.values(run({ ...sentence, positions: 'none', scale: 'none', ...(relativeBias && { relativeBias }) }).plan.steps.find((step) => step.id === id)?.words ?? {}).join(' ');
    assert.match(wordsOf({ bidirectional: true }, 'buckets'), /from 128 on all are in the last\..*T5’s encoder/);
    assert.match(wordsOf({ bidirectional: false }, 'buckets'), /bucket 0.*T5’s decoder/);
    assert.match(wordsOf({ bidirectional: false }, 'related'), /T5 does not divide its scores either/);
    assert.match(wordsOf({ bidirectional: false }, 'x'), /A bias of the scores says how far apart tokens are/);
    assert.match(wordsOf(undefined, 'x'), /attention sees a set of tokens/);
  });

  for (const [relativeBias, path, message] of [
    [{}, 'relativeBias.bidirectional', /expected true or false/],
    [{ bidirectional: true, buckets: 3 }, 'relativeBias.buckets', /is 3, expected a whole number from 4/],
    [{ bidirectional: false, buckets: 32, maxDistance: 16 }, 'relativeBias.maxDistance', /is 16, expected more than 16/],
    [{ bidirectional: false, table: [[1], [2]], buckets: 3 }, 'relativeBias.table', /has 2 rows, expected 3/],
    [{ bidirectional: false, table: [[1, 2], [2, 3]] }, 'relativeBias.table', /has 2 columns, expected 1/],
    [{ bidirectional: false, table: [[1], [2, 3]] }, 'relativeBias.table', /row 2 has 2 numbers, row 1 has 1/],
  ] as const)
    it(`is refused where it stands: ${JSON.stringify(relativeBias)}`, () => {
      const found = validateSpec({ ...sentence, relativeBias });
      assert.ok(!found.ok);
      assert.deepEqual(found.problems.map((problem) => problem.path), [path]);
      assert.match(found.problems[0]?.message ?? '', message);
    });
}); // prettier-ignore
