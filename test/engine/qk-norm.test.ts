import assert from 'node:assert/strict';
import {
  explainCell,
  matrixDefaults,
  planOf,
  runReference,
  shownWork,
  sourceValues,
  textDefaults,
  validateSpec,
  laterCells,
  workText,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';
import { runWasm } from '../../engine/run/backend/wasm/run';
import { arithmeticOf } from '../../engine/lessons/arithmetic';
import { printCell } from '../../engine/write';
import { normCases, specOf, type NormCase } from './qk-norm';
import { compare, evaluate, redoLesson, redoTerminal } from './redo-lines';
import { run, sentence } from './specs';

const flat = (nested: unknown): number[] => (Array.isArray(nested) ? nested.flatMap(flat) : [Number(nested)]);
const shapeOf = (nested: unknown): number[] =>
  Array.isArray(nested) ? [nested.length, ...shapeOf((nested as unknown[])[0])] : [];

function indexOf(at: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (let d = shape.length - 1, rest = at; d >= 0; rest = Math.floor(rest / (shape[d] ?? 1)), d--)
    index.unshift(rest % (shape[d] ?? 1));
  return index;
}

const valuesOf = (trace: AttentionTrace, id: string): number[] => {
  const shape = trace.plan.steps.find((s) => s.id === id)?.shape ?? [];
  return Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => trace.value(id, indexOf(i, shape)));
};

const nameOf = ({ case: { over, dtype, heads, kv, context, gq, epsilon } }: NormCase): string =>
  `${over}, ${dtype}, ${heads} heads, ${kv} for K${context ? ', cross' : ''}${gq ? ', gains' : ''}, ε = ${epsilon}`;

describe('QK-norm', () => {
  normCases.forEach((one, i) => {
    it(`${i}: has PyTorch's numbers: ${nameOf(one)}`, () => {
      const trace = run(specOf(one));
      for (const [id, expected] of Object.entries(one.steps)) {
        const step = trace.plan.steps.find((s) => s.id === id);
        assert.deepEqual(step?.shape, shapeOf(expected), `shape of ${id}`);
        const [here, there] = [valuesOf(trace, id), flat(expected)];
        const most = Math.max(...there.map(Math.abs));
        // Both sum d squares and multiply once more; scores sum 4 products of such, softmax takes their exponentials.
        const allowed = 64 * (one.case.dtype === 'float32' ? 2 ** -23 : 2 ** -52) * (1 + most) * (1 + most);
        here.forEach((x, at) => {
          const y = there[at] ?? NaN;
          assert.ok(Math.abs(x - y) <= allowed, `${id}, cell ${at}: ${x}, PyTorch has ${y} (allowed ${allowed})`);
        });
      }
    });
  });

  it('stands between projection, heads and RoPE', () => {
    const ids = (over: 'head' | 'all'): string[] =>
      run({ ...sentence, heads: 2, positions: 'rope-half', qkNorm: { over } })
        .plan.steps.map(({ id }) => id)
        .filter((id) => /^q/.test(id));
    assert.deepEqual(ids('head'), ['q', 'qHeads', 'qNormed', 'qRotations', 'qRotated']);
    assert.deepEqual(ids('all'), ['q', 'qNormed', 'qHeads', 'qRotations', 'qRotated']);
  });

  it('has the ε of both models where none is given', () => {
    const given = run({ ...sentence, qkNorm: { over: 'head', epsilon: 1e-6 } });
    assert.deepEqual(valuesOf(run({ ...sentence, qkNorm: { over: 'head' } }), 'weights'), valuesOf(given, 'weights'));
  });

  it('leaves a row of zeros at zero, and says that without ε there is no number', () => {
    const q = [[0, 0], [3, 4]]; // prettier-ignore
    const base: AttentionSpec = { ...matrixDefaults, start: { from: 'qkv', q, k: q } };
    assert.deepEqual(valuesOf(run({ ...base, qkNorm: { over: 'head' } }), 'qNormed').slice(0, 2), [0, 0]);
    const without = run({ ...base, qkNorm: { over: 'head', epsilon: 0 } });
    assert.deepEqual(valuesOf(without, 'qNormed'), [NaN, NaN, 3 / Math.sqrt(12.5), 4 / Math.sqrt(12.5)]);
  });

  it('norms what a decoder has: one query, many keys, one matrix a head', () => {
    const q = [[[3, 4]], [[6, 8]]], k = [[[1, 0], [0, 2]], [[5, 0], [0, 7]]]; // prettier-ignore
    const trace = run({
      ...matrixDefaults,
      heads: 2,
      start: { from: 'qkv', q, k },
      qkNorm: { over: 'head', epsilon: 0 },
    });
    const root = Math.SQRT2;
    const expected = [3, 4, 3, 4].map((x) => x / Math.sqrt(12.5));
    valuesOf(trace, 'qNormed').forEach((x, i) => assert.ok(Math.abs(x - (expected[i] ?? NaN)) < 1e-15));
    valuesOf(trace, 'kNormed').forEach((x, i) => assert.ok(Math.abs(x - ([root, 0, 0, root][i % 4] ?? NaN)) < 1e-15));
  });

  it('is refused where it does not fit, with the place', () => {
    const problem = (spec: Partial<AttentionSpec>): string => {
      const planned = planOf({ ...sentence, ...spec });
      return planned.ok ? 'none' : `${planned.problems[0]?.path}: ${planned.problems[0]?.message}`;
    };
    const gq = [1, 1, 1];
    assert.equal(problem({ qkNorm: { over: 'head', gq } }), 'qkNorm.gq: qkNorm.gq has 3 numbers, expected 8');
    assert.equal(
      problem({ heads: 2, qkNorm: { over: 'all', gk: gq } }),
      'qkNorm.gk: qkNorm.gk has 3 numbers, expected 16',
    );
    assert.equal(
      problem({ heads: 2, kvHeads: 1, qkNorm: { over: 'all', gk: gq } }),
      'qkNorm.gk: qkNorm.gk has 3 numbers, expected 8',
    );
    assert.match(
      problem({ qkNorm: { over: 'head', epsilon: -1 } }),
      /^qkNorm.epsilon: .* is -1, expected a finite number, 0 or more/,
    );
    const q = [[[1, 2]], [[3, 4]]]; // prettier-ignore
    assert.match(
      problem({ ...matrixDefaults, heads: 2, start: { from: 'qkv', q, k: q }, qkNorm: { over: 'all' } }),
      /^qkNorm.over: qkNorm.over is "all", but Q and K came as one matrix for each head/,
    );
    const unknown = validateSpec({ ...sentence, qkNorm: { over: 'row' } });
    assert.ok(!unknown.ok && unknown.problems[0]?.path === 'qkNorm.over');
  });

  it('is noted where there is no Q', () => {
    const planned = planOf({
      ...matrixDefaults,
      start: { from: 'scores', scores: [[1]], dK: 1 },
      qkNorm: { over: 'head' },
    });
    assert.ok(planned.ok);
    assert.deepEqual(planned.value.notes.map(({ path }) => path), ['qkNorm']); // prettier-ignore
  });

  it('has the same cells where nothing is held', () => {
    for (const one of normCases) {
      const spec = specOf(one);
      const planned = planOf(spec);
      assert.ok(planned.ok);
      const plan = planned.value;
      const sources = sourceValues(spec, plan);
      const deferred = new Set(plan.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
      const [held, computed] = [run(spec), runReference(spec, plan, undefined, deferred)];
      assert.ok(computed.ok);
      for (const id of ['qNormed', 'kNormed', 'weights'])
        assert.deepEqual(valuesOf(computed.value, id), valuesOf(held, id), `${id}, ${nameOf(one)}`);
      const part = { rows: [0, 1], columns: [1, 2] } as const;
      assert.deepEqual(computed.value.read('qNormed', part).max, held.read('qNormed', part).max);
    }
  });

  it('has a preview near it where WebAssembly draws one', () => {
    const spec = { ...sentence, qkNorm: { over: 'head' } } as const;
    const trace = run(spec);
    const found = runWasm(trace.plan, sourceValues(spec, trace.plan));
    assert.ok(found.ok);
    const preview = found.value.get('qNormed') ?? [];
    valuesOf(trace, 'qNormed').forEach((x, i) => assert.ok(Math.abs(x - (preview[i] ?? NaN)) < 1e-5));
  });
});

describe('a normed number', () => {
  const one = normCases.find(({ case: { gq, heads } }) => gq && heads === 4);
  assert.ok(one);
  const trace = run(specOf(one));

  it('comes from its row, its root and its gain', () => {
    const made = explainCell(trace, 'qNormed', [1, 0, 2]);
    assert.ok(made.kind === 'worked');
    assert.deepEqual([made.operand.step, made.operand.index], ['qHeads', [1, 0, 2]]);
    const [mean, root] = made.lines;
    const row = [0, 1, 2, 3].map((j) => trace.value('qHeads', [1, 0, j]));
    assert.ok(Math.abs((mean?.value ?? NaN) - row.reduce((sum, x) => sum + x * x, 0) / 4) < 1e-12);
    assert.ok(Math.abs((root?.value ?? NaN) - Math.sqrt((mean?.value ?? NaN) + one.case.epsilon)) < 1e-12);
    const gain = one.case.gq?.[2] ?? NaN;
    assert.ok(Math.abs(made.value - ((row[2] ?? NaN) / (root?.value ?? NaN)) * gain) < 1e-12);
  });

  it('goes on to its rotation', () => {
    assert.deepEqual(
      laterCells(trace, 'q', [0, 5]).map((c) => `${c.step}[${c.index.join(',')}]`),
      ['qHeads[1,0,1]', 'qNormed[1,0,1]', 'qRotated[1,0,1]'],
    );
  });

  it('is written in the terminal with every operand, and its lines follow from their digits', () => {
    const text = printCell(trace, 'qNormed', [1, 0, 2], 4);
    assert.match(text, /^qNormed\[1,0,2\] = .*\n {2}mean of squares: \(.*qHeads\[1,0,0\] .*²\) ÷ 4 = .*\n {2}root: √\(.* \+ .*\) = .*\n {2}qHeads\[1,0,2\] .* ÷ .* · qGains\[0,2\] /);
  }); // prettier-ignore

  it('can be redone from what is printed: terminal, lessons, panel', () => {
    let lines = 0;
    for (const of of normCases.filter(({ case: { epsilon } }) => epsilon > 0)) {
      const traced = run(specOf(of));
      const step = traced.plan.steps.find(({ id }) => id === 'qNormed');
      assert.ok(step);
      for (const digits of [2, 4]) {
        for (let at = 0; at < 8; at++) {
          const index = step.shape.map((size, d) => (5 * at + 3 * d) % size);
          const made = explainCell(traced, step.id, index);
          assert.ok(made.kind === 'worked');
          const panel = shownWork(made, () => ({ decimals: digits }), { decimals: 4, figures: 4 }).map((shown) => {
            const { text, about } = shown.result;
            return compare(
              workText(shown),
              evaluate(workText(shown)),
              `${about ? '≈' : '='} ${text}${about ? ` (±${about.bound})` : ''}`,
            );
          });
          const found = [
            ...redoTerminal(printCell(traced, step.id, index, digits)),
            ...arithmeticOf(traced, step.id, index, digits).flatMap(redoLesson),
            ...panel,
          ];
          assert.ok(found.length >= 9, `${found.length} lines`);
          for (const { line, holds } of found) assert.ok(holds, line);
          lines += found.length;
          assert.ok(found.filter(({ about }) => about).length <= 1);
        }
      }
    }
    assert.ok(lines > 3000, String(lines));
  }).timeout(60_000);

  it('has a row that is longer than an explanation', () => {
    const wide = Array.from({ length: 5000 }, (_, j) => ((j * 37) % 101) / 50 - 1);
    const long = run({ ...matrixDefaults, start: { from: 'qkv', q: [wide], k: [wide] }, qkNorm: { over: 'head' } });
    const made = explainCell(long, 'qNormed', [0, 4999]);
    assert.ok(made.kind === 'worked');
    const sum = wide.reduce((all, x) => all + x * x, 0);
    assert.ok(Math.abs((made.lines[0]?.value ?? NaN) - sum / 5000) < 1e-12);
    const [line = ''] = arithmeticOf(long, 'qNormed', [0, 4999], 4);
    assert.match(line, /\(4984 others\)/);
    for (const { holds, line: of } of redoLesson(line)) assert.ok(holds, of);
  });
});

describe('words about QK-norm', () => {
  it('name gains where there are some', () => {
    const words = (gq?: readonly number[]): string =>
      run({ ...textDefaults, ...sentence, qkNorm: { over: 'head', ...(gq && { gq }) } }).plan.steps.find(
        ({ id }) => id === 'qNormed',
      )?.words.what ?? '';
    assert.equal(
      words(),
      'Row “cat”: its 8 numbers are divided by the root of the mean of their squares plus ε = 0.000001.',
    );
    assert.match(words([1, 1, 1, 1, 1, 1, 1, 1]), /0\.000001\. Each is then multiplied by its gain in g_q\.$/);
  });
});
