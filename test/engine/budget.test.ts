import assert from 'node:assert/strict';
import {
  bytesHeld,
  explainAttention,
  memoryLimit,
  overBudget,
  planOf,
  readLesson,
  readingLesson,
  runReferencePaced,
  specFromJson,
  validateSpec,
  type Plan,
  type Problem,
  type Result,
} from '../../engine/index';
import { createStream } from '../../engine/random/index';
import { matrixDefaults, textDefaults, type AttentionSpec } from '../../engine/spec/spec';
import { labelLimit } from '../../engine/spec/limits';
import { fenced } from './lessons-support';

/** Q, K and V given, and an output projection that is drawn: its width is the spec's own. */
const drawnOutput = (dModel: number, more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...matrixDefaults,
  dModel,
  start: { from: 'qkv', q: [[1, 2], [0, 1]], k: [[1, 0], [3, 1]], v: [[1, 0], [0, 2]] },
  outputProjection: { from: 'random', bias: false },
  ...more,
}); // prettier-ignore

const firstOf = (result: Result<unknown>): Problem => {
  assert.ok(!result.ok, 'refused');
  const [problem] = result.problems;
  assert.ok(problem);
  return problem;
};

/** Names of rows and columns, each list once, as somebody who reads them all makes them. */
const labelsMade = ({ steps }: Plan): number =>
  [...new Set(steps.flatMap(({ rowLabels, columnLabels }) => [rowLabels, columnLabels]))].reduce(
    (sum, labels) => sum + labels.length,
    0,
  );

describe('what a spec may cost', function () {
  this.timeout(20_000);

  for (const dModel of [1e8, 1e7, 1.5, 0, -1, Infinity])
    for (const [what, start] of [
      ['Q, K and V', drawnOutput(1).start],
      ['scores', { from: 'scores', scores: [[1]], dK: 1, v: [[1]] }],
      ['weights', { from: 'weights', weights: [[1]], v: [[1]] }],
    ] as const)
      it(`refuses a d_model of ${dModel} for a drawn W_O, from ${what}`, () => {
        const problem = firstOf(validateSpec(drawnOutput(dModel, { start })));
        assert.equal(problem.path, 'dModel');
        assert.equal(problem.message, `dModel is ${dModel}, expected a whole number from 1 to ${labelLimit}`);
      });

  it('refuses a d_model that √d_model cannot divide by, and takes any whole number', () => {
    const divided = (dModel: number): AttentionSpec =>
      drawnOutput(dModel, { scale: 'sqrt_d_model', outputProjection: { from: 'none' } });
    for (const dModel of [1.5, 0, -1]) assert.equal(firstOf(validateSpec(divided(dModel))).path, 'dModel');
    const trace = explainAttention(divided(1e8));
    assert.ok(trace.ok);
    // 1·1 + 2·0 = 1 over √100,000,000
    assert.equal(trace.value.value('scaled', [0, 0]), 1e-4);
  });

  it('takes a d_model that nothing reads, as it is, with a note', () => {
    const plan = planOf(drawnOutput(1.5, { outputProjection: { from: 'none' } }));
    assert.ok(plan.ok);
    assert.deepEqual(
      plan.value.notes.map(({ path }) => path),
      ['dModel'],
    );
  });

  it('computes a W_O wider than any embedding', () => {
    const trace = explainAttention(drawnOutput(100_000));
    assert.ok(trace.ok);
    assert.deepEqual(trace.value.plan.steps.at(-1)?.shape, [2, 100_000]);
  });

  it('plans millions of columns without making anything for each', () => {
    const before = process.memoryUsage().heapUsed;
    const plans = Array.from({ length: 50 }, () => planOf(drawnOutput(4_000_000)));
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(plans.every((plan) => plan.ok));
    assert.ok(grown < 20e6, `${grown} bytes for 50 plans`);
  });

  it('makes each list of names once', () => {
    const plan = planOf(drawnOutput(1000));
    assert.ok(plan.ok);
    const [wo, product] = [plan.value.steps.find(({ id }) => id === 'wo'), plan.value.steps.at(-1)];
    assert.equal(wo?.columnLabels.length, 1000);
    assert.equal(wo?.columnLabels[999], '999');
    assert.equal(wo?.columnLabels, product?.columnLabels);
    // Tokens, 2 indices, 1000 indices.
    assert.equal(labelsMade(plan.value), 1004);
  });

  it('refuses widths that together are more than can be named', () => {
    const problem = firstOf(planOf(drawnOutput(labelLimit)));
    assert.equal(problem.code, 'too-large');
    assert.match(problem.message, /rows and columns to name, the limit is 4194304/);
  });

  it('refuses before anything is held what the memory does not hold, and names the step', () => {
    const wide = drawnOutput(2_000_000, {
      start: { from: 'qkv', q: [[1]], k: [[1]], v: [Array.from({ length: 100 }, () => 1)] },
    });
    const plan = planOf(wide);
    assert.ok(plan.ok);
    assert.ok(bytesHeld(plan.value, 'float64') > memoryLimit);
    const problem = firstOf(explainAttention(wide));
    assert.match(problem.message, /would need 1617 MB, the limit is 1074 MB/);
    assert.equal(problem.hint, 'W_O is 100×2000000: take a smaller width.');
    assert.deepEqual(overBudget(plan.value, 'float64'), problem);
  });
});

describe('a block of a lesson with a hostile width', () => {
  const body = 'Q = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 2]]';
  for (const width of ['100000000', '10000000', '1.5', '0', '-1'])
    it(`${width} has a problem at its setting, at once`, () => {
      const info = `attention dModel=${width} outputProjection.from=random outputProjection.bias=false`;
      const [problem] = readLesson(fenced(info, body)).problems;
      assert.match(problem?.message ?? '', /^dModel is \S+, expected a whole number from 1 to/);
      assert.equal(problem?.range?.start, 3 + 'attention '.length);
    });

  it('is not computed where it is whole but large', () => {
    const info = 'attention dModel=4000000 outputProjection.from=random outputProjection.bias=false';
    const [problem] = readLesson(fenced(info, body)).problems;
    assert.match(problem?.message ?? '', /a lesson computes at most/);
  });
});

describe('the background budget', () => {
  for (const generator of ['numpy.RandomState', 'numpy.default_rng', 'torch'] as const)
    for (const dtype of ['float64', 'float32'] as const)
      it(`stops every few thousand draws and draws the same: ${generator}, ${dtype}`, function () {
        this.timeout(20_000);
        // Beside the 4096 of a part and the 16 of PyTorch's kernel.
        for (const rows of [1, 15, 16, 17, 4095, 4096, 4097, 4111, 4112, 4113, 8192, 8200]) {
          const start = { from: 'ids', ids: [rows - 1] } as const;
          const spec: AttentionSpec = { ...textDefaults, dtype, dModel: 1, start, random: { generator, seed: 7 } };
          const plan = planOf(spec);
          assert.ok(plan.ok);
          const work = runReferencePaced(spec, plan.value);
          let parts = 0;
          let part = work.next();
          for (; !part.done; part = work.next()) parts++;
          assert.ok(parts >= plan.value.steps.length + Math.floor(rows / 4200));
          const trace = part.value;
          assert.ok(trace.ok);
          const whole = createStream({ generator, seed: 7, dtype });
          assert.ok(whole.ok);
          const draws = whole.value.normal(rows);
          const round = dtype === 'float32' ? Math.fround : (x: number): number => x;
          for (let i = 0; i < rows; i++) assert.equal(trace.value.value('table', [i, 0]), round(draws[i] ?? NaN));
        }
      });

  it('yields some hundred times while a million numbers are drawn', function () {
    this.timeout(60_000);
    const work = readingLesson(fenced('attention', '{"start":{"from":"ids","ids":[1000000,3]},"dModel":1}'));
    let parts = 0;
    for (let part = work.next(); !part.done; part = work.next()) parts++;
    assert.ok(parts > 244, `${parts} parts`);
  });
});

describe('arrays of unequal depth', () => {
  const deeper = [[[1]], [[[2, 3]]]];
  const shallower = [[[[1]]], [[2]]];
  const x = [[1, 2], [3, 4]]; // prettier-ignore
  const given = { from: 'given', wq: [[1], [2]], wk: [[1], [2]], wv: [[1], [2]] };
  for (const [path, change] of [
    ['start.x', (at: unknown) => ({ start: { from: 'x', x: at } })],
    ['start.context', (at: unknown) => ({ start: { from: 'x', x, context: at } })],
    ['start.values', (at: unknown) => ({ start: { from: 'x', x, values: at } })],
    ['start.q', (at: unknown) => ({ start: { from: 'qkv', q: at, k: x } })],
    ['start.k', (at: unknown) => ({ start: { from: 'qkv', q: x, k: at } })],
    ['start.v', (at: unknown) => ({ start: { from: 'qkv', q: x, k: x, v: at } })],
    ['start.scores', (at: unknown) => ({ heads: 2, start: { from: 'scores', scores: at, dK: 1 } })],
    ['start.weights', (at: unknown) => ({ heads: 2, start: { from: 'weights', weights: at, v: [[1]] } })],
    ['mask.values', (at: unknown) => ({ heads: 2, start: { from: 'x', x: [[1, 1]] }, mask: { kind: 'additive', values: at } })],
    ['positions.learned', (at: unknown) => ({ start: { from: 'x', x }, positions: { learned: at } })],
    ['projections.wq', (at: unknown) => ({ start: { from: 'x', x }, projections: { ...given, wq: at } })],
    ['embedding.table', (at: unknown) => ({ start: { from: 'ids', ids: [0] }, embedding: { from: 'given', table: at } })],
    ['outputProjection.wo', (at: unknown) => ({ start: { from: 'qkv', q: x, k: x, v: x }, outputProjection: { from: 'given', wo: at } })],
  ] as const)
    for (const at of [deeper, shallower, [[1, 2], [[3, 4]]], [[[1, 2]], [3, 4]]])
      it(`${path} ${JSON.stringify(at)} is refused at its place`, () => {
        const { path: where = '', message } = firstOf(validateSpec({ ...matrixDefaults, ...change(at) }));
        assert.ok(where.startsWith(path), where);
        assert.ok(message.startsWith(where), message);
      }); // prettier-ignore
});

it('of a spec with a fault in every row the first hundred are named', () => {
  const x = Array.from({ length: 5000 }, (_, i) => (i % 2 ? [1, 2] : ['one']));
  const checked = validateSpec({ ...matrixDefaults, start: { from: 'x', x } });
  assert.equal(!checked.ok && checked.problems.length, 100);
});

it('a saved spec with a hostile width is refused at the width', () => {
  const text = JSON.stringify(drawnOutput(1e8));
  const read = specFromJson(text);
  assert.ok(read);
  const { range } = firstOf(read);
  assert.equal(text.slice(range?.start, range?.end), '100000000');
});
