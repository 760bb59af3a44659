import assert from 'node:assert/strict';
import katex from 'katex';
import { execFileSync } from 'node:child_process';
import {
  explainCell,
  fieldControls,
  insightsAt,
  matrixDefaults,
  planOf,
  programOf,
  readSwitches,
  runReference,
  sourceValues,
  validateSpec,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { fixture, run, sentence } from './specs';

/* Scores by something else than a dot product: against test/reference/scorings.py, d2l's module, which knows nothing of the engine. */

type Nested = number | readonly Nested[];
interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}

const { cases } = fixture<{ cases: readonly Case[] }>('scorings.json');
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });
/** Sums of 5 terms below 4, and of 6 below 16: the order of summation differs. */
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

const additive: AttentionSpec = { ...sentence, scoring: { by: 'additive' } };

describe('additive scores', () => {
  cases.forEach((one, i) => {
    it(`${i}: has PyTorch's numbers, held or not`, () => {
      const spec = specOf(one);
      const [trace, planned] = [run(spec), planOf(spec)];
      assert.ok(planned.ok);
      const sources = sourceValues(spec, planned.value);
      const deferred = new Set(planned.value.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
      const computed = runReference(spec, planned.value, undefined, deferred);
      assert.ok(computed.ok);
      for (const [id, expected] of Object.entries(one.steps)) {
        near((at) => trace.value(id, at), expected, allowed(one), id);
        near((at) => computed.value.value(id, at), expected, allowed(one), id);
      }
    });

    it(`${i}: explains each score by a sum of v·tanh(q + k)`, () => {
      const trace = run(specOf(one));
      const shape = trace.plan.steps.find(({ id }) => id === 'scores')?.shape ?? [];
      const at = [...shape.slice(0, -2).map((size) => size - 1), 2, 1];
      const made = explainCell(trace, 'scores', at);
      assert.ok(made.kind === 'worked');
      const [line] = made.lines;
      assert.ok(line?.work.is === 'sum');
      const total = line.work.of.reduce((sum, term) => {
        assert.ok(term.is === 'product');
        const [v, met] = term.of;
        assert.ok(v?.is === 'cell' && met?.is === 'tanh' && met.of.is === 'sum');
        const inside = met.of.of.reduce((all, part) => all + (part.is === 'cell' ? part.cell.value : NaN), 0);
        return sum + v.cell.value * Math.tanh(inside);
      }, 0);
      assert.ok(Math.abs(total - trace.value('scores', at)) < allowed(one), `${total}`);
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    for (const library of ['numpy', 'torch'] as const) {
      const programs = cases.map((one) => {
        const spec = specOf(one);
        const { code, variables } = programOf(spec, run(spec).plan, library);
        return { code, name: variables.get('scores') ?? '', values: one.steps['scores'], atol: allowed(one) };
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

  it('gives the output that d2l prints for keys that are all the same: means of the values that are seen', () => {
    // 10 keys of ones, values 0 … 39 in rows of 4, the first 2 and the first 6 of them valid: [2, 3, 4, 5] and [10, 11, 12, 13].
    const context = Array.from({ length: 10 }, (_, i) => [1, 1, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    const column = (rows: number, columns: number, of: (i: number, j: number) => number): number[][] =>
      Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => of(i, j)));
    const wk = column(6, 8, (i, j) => (i < 2 ? (i + 1) / (j + 2) : 0));
    const wv = column(6, 4, (i, j) => (i - 2 === j ? 1 : 0));
    const wq = column(20, 8, (i, j) => Math.cos(i + 3 * j));
    for (const [visible, expected] of [[2, [2, 3, 4, 5]], [6, [10, 11, 12, 13]]] as const) {
      const trace = run({
        ...matrixDefaults,
        start: { from: 'x', x: column(1, 20, (_, j) => Math.sin(j)), context },
        projections: { from: 'given', wq, wk, wv },
        mask: { kind: 'padding', visible },
        scoring: { by: 'additive' },
      });
      expected.forEach((value, j) => assert.ok(Math.abs(trace.value('output', [0, j]) - value) < 1e-12));
    }
  });

  it('is said: nothing is scaled, no product, v drawn', () => {
    const { plan } = run(additive);
    const wordsOf = (id: string): string => Object.values(plan.steps.find((step) => step.id === id)?.words ?? {}).join(' ');
    assert.match(wordsOf('scores'), /Row “cat” of Q plus row “sat” of K: 8 numbers, each through tanh and times v_a, added up\./);
    assert.match(wordsOf('scaled'), /Neither Bahdanau et al\. nor d2l divide these scores\./);
    assert.match(wordsOf('scoreVector'), /drawn from a normal distribution by np\.random\.seed\(\d+\), divided by √8/);
    assert.deepEqual(plan.notes, []);
    for (const id of ['scores', 'scaled'])
      assert.deepEqual(
        insightsAt(run(additive), id, [1, 2]).filter(({ kind }) => ['meeting', 'variance', 'scale', 'widths'].includes(kind)),
        [],
        id,
      );
    const notes = (change: Partial<AttentionSpec>): string[] => run({ ...additive, ...change }).plan.notes.map(({ message }) => message);
    assert.deepEqual(notes({ scale: { divideBy: 2 } }), ['scale is ignored: additive attention scales nothing']);
    assert.deepEqual(notes({ weighting: { by: 'linear' } }), ['scoring is ignored: linear attention compares features']);
  });

  it('has formulas that LaTeX takes: no subscript beside another', () => {
    for (const { formula } of run({ ...additive, heads: 2 }).plan.steps) katex.renderToString(formula.plain, { throwOnError: true });
  });

  it('has a control where Q and K are compared, and takes that of the scale away', () => {
    const shown = (change: Partial<AttentionSpec>): string[] => {
      const spec = { ...sentence, ...change };
      const known = ['scoring', 'scale', 'divideBy', 'seed'];
      return fieldControls.filter(({ id, applies }) => known.includes(id) && applies(spec, readSwitches(spec))).map(({ id }) => id);
    };
    const scores = { from: 'scores', scores: [[1]], dK: 1 } as const;
    const qkv = { from: 'qkv', q: [[1]], k: [[1]] } as const;
    assert.deepEqual(shown({}), ['scoring', 'scale', 'seed']);
    assert.deepEqual(shown({ scoring: { by: 'additive' }, scale: { divideBy: 3 } }), ['scoring', 'seed']);
    assert.deepEqual(shown({ weighting: { by: 'linear' } }), ['seed']);
    assert.deepEqual(shown({ start: scores, scoring: { by: 'additive' } }), ['scale']);
    assert.deepEqual(shown({ start: qkv, scoring: { by: 'additive' } }), ['scoring', 'seed']);
    assert.deepEqual(shown({ start: qkv, scoring: { by: 'additive', v: [[1]] } }), ['scoring']);
  });

  for (const [change, path, message] of [
    [{ scoring: { by: 'cosine' } }, 'scoring.by', /cosine/],
    [{ scoring: { by: 'additive', v: [[1, 2]] } }, 'scoring.v', /scoring\.v is 1×2, expected 1×8/],
    [{ scoring: { by: 'additive', v: [[1, 2, 3, 4, 5, 6, 7, 8]] }, heads: 2 }, 'scoring.v', /scoring\.v is 1×8, expected 2×8/],
  ] as const)
    it(`is refused where it stands: ${JSON.stringify(change)}`, () => {
      const found = validateSpec({ ...sentence, ...change });
      assert.ok(!found.ok);
      assert.equal(found.problems[0]?.path, path);
      assert.match(found.problems[0].message, message);
    });
}); // prettier-ignore
