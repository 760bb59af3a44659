import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bytesHeld,
  matrixDefaults,
  memoryLimit,
  overBudget,
  planOf,
  readLesson,
  runReference,
  textDefaults,
  validateSpec,
  type AttentionSpec,
  type Plan,
} from '../../engine/index';
import { labelLimit } from '../../engine/spec/limits';
import { deferredOf, isSmall, workHeld, workLimit } from '../../engine/run/budget';
import { fenced } from './lessons-support';

/*
 * Whatever stands in whatever field: a spec is refused in words or planned, without an exception and without allocating what it only asks for;
 * and what is then computed is within the budget.
 */

type Json = Readonly<Record<string, unknown>>;

const bases: readonly Json[] = [
  { ...textDefaults, start: { from: 'text', text: 'a b a', tokenizer: 'words' } },
  { ...textDefaults, start: { from: 'text', text: 'ab', tokenizer: 'gpt2', pieces: [[3, 0, 1], [9, 1, 2, 'b', true]] } },
  { ...textDefaults, start: { from: 'ids', ids: [2, 0] }, embedding: { from: 'random' } },
  { ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3, 4]], context: [[1, 2]] }, positions: { learned: [[1, 2], [3, 4]] } },
  { ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3, 4]] }, projections: { from: 'given', wq: [[1], [2]], wk: [[1], [2]], wv: [[1], [2]], bq: [1], bk: [1], bv: [1] } },
  { ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3, 4]] }, projections: { from: 'random', dK: 2, dV: 2, bias: true }, heads: 2, kvHeads: 1 },
  { ...matrixDefaults, start: { from: 'qkv', q: [[1, 2]], k: [[3, 4]], v: [[5, 6]] }, outputProjection: { from: 'random', bias: true }, scale: 'sqrt_d_model' },
  { ...matrixDefaults, start: { from: 'qkv', q: [[1, 2]], k: [[3, 4]], v: [[5, 6]] }, outputProjection: { from: 'given', wo: [[1], [2]], bo: [1] }, softcap: 2, temperature: 2 },
  { ...matrixDefaults, start: { from: 'scores', scores: [[1, 2]], dK: 2, v: [[1], [2]] }, mask: { kind: 'window', size: 1, causal: true }, outputProjection: { from: 'random' } },
  { ...matrixDefaults, start: { from: 'weights', weights: [[0.5, 0.5]], v: [[1], [2]] }, labels: { queries: ['a'], keys: ['b', 'c'] } },
  { ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3, 4]] }, mask: { kind: 'boolean', values: [[0, 1], [1, 0]], trueMeans: 'hidden' }, scale: { divideBy: 2 }, maskFill: -1e9 },
  { ...matrixDefaults, start: { from: 'x', x: [[[1, 2]], [[3, 4]]] }, mask: { kind: 'additive', values: [[[0]], [['-inf']]] }, positions: 'alibi' },
  { ...matrixDefaults, start: { from: 'x', x: [[1, 2]] }, mask: { kind: 'padding', visible: 1 }, fullyMasked: 'zero' },
  { ...textDefaults, dModel: 4, outputProjection: { from: 'random' }, start: { from: 'ids', ids: [2, 0] }, block: { norm: 'after', of: 'rms', gains: 'random', epsilon: 0.1, layers: 2, shown: 1 }, feedForward: { of: 'swiglu', width: 3, bias: true }, unembedding: { from: 'random', size: 5, topK: 2 } },
  { ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3, 4]] }, block: { norm: 'before', weights: [{ norm1: [1, 2], w1: [[1], [2]], w2: [[1, 2]] }] }, feedForward: { of: 'gelu' }, unembedding: { from: 'given', wu: [[1], [2]] } },
]; // prettier-ignore

/** Numbers that are asked for rather than given: small, at each bound, far beyond it, and none at all. */
const size = fc.oneof(
  fc.integer({ min: -2, max: 20 }),
  fc.constantFrom(0, -0, -1, 0.5, 1.5, NaN, Infinity, -Infinity, 1e300, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 1e7, 1e8),
  fc.constantFrom(255, 256, 257, 1000, 4095, 4096, 4097, 1_000_000, 1_000_001, 4_194_303, 4_194_304, 4_194_305),
);

const nested = fc.letrec((tie) => ({
  array: fc.array(fc.oneof({ depthSize: 'small' }, fc.constantFrom(0, 1, 'inf', 'nan', '-0'), tie('array')), {
    maxLength: 3,
  }),
})).array;

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: size },
  { weight: 2, arbitrary: nested },
  fc.constantFrom(null, true, '', 'inf', 'nan', '-0', 'none', 'random', 'given', '9'.repeat(1000), {}, [], [[]], [[[]]]),
  fc.record({ kind: fc.constantFrom('window', 'padding', 'causal', 'boolean', 'additive'), size, visible: size, causal: fc.boolean(), values: nested, alignment: fc.constantFrom('start', 'end'), trueMeans: fc.constantFrom('hidden', 'visible') }, { requiredKeys: ['kind'] }),
  fc.record({ from: fc.constantFrom('random', 'given', 'none'), dK: size, dV: size, bias: fc.boolean() }, { requiredKeys: ['from'] }),
); // prettier-ignore

const fields = [
  'dModel', 'heads', 'kvHeads', 'softcap', 'temperature', 'maskFill', 'scale', 'scale.divideBy', 'mask', 'mask.size',
  'mask.visible', 'mask.values', 'mask.causal', 'random.seed', 'random.generator', 'dtype', 'convention', 'positions',
  'positions.learned', 'projections', 'projections.dK', 'projections.dV', 'projections.bias', 'projections.wq',
  'projections.bq', 'outputProjection', 'outputProjection.from', 'outputProjection.bias', 'outputProjection.wo',
  'outputProjection.bo', 'embedding', 'embedding.table', 'labels', 'labels.queries', 'labels.keys', 'fullyMasked',
  'start.x', 'start.context', 'start.values', 'start.q', 'start.k', 'start.v', 'start.scores', 'start.weights', 'start.dK', 'start.ids',
  'start.text', 'start.pieces', 'start.tokenizer', 'version', 'block', 'block.norm', 'block.layers', 'block.shown', 'block.epsilon', 'block.gains',
  'block.weights', 'block.last', 'feedForward', 'feedForward.of', 'feedForward.width', 'feedForward.bias', 'unembedding', 'unembedding.from', 'unembedding.size',
  'unembedding.topK', 'unembedding.wu',
]; // prettier-ignore

type Change = readonly [path: string, to: unknown];

/** Fields that the spec has: numbers inside them, and themselves. */
const pathsOf = (json: Json): string[] =>
  Object.entries(json).flatMap(([key, inner]) => [
    key,
    ...(typeof inner === 'object' && !Array.isArray(inner) ? pathsOf(inner as Json).map((p) => `${key}.${p}`) : []),
  ]);

const numeric = new Set('dModel heads kvHeads softcap temperature maskFill scale.divideBy mask.size mask.visible random.seed projections.dK projections.dV start.dK block.layers block.shown block.epsilon feedForward.width unembedding.size unembedding.topK'.split(' ')); // prettier-ignore

/** One change of a spec: a number for a number most of the time, anything anywhere now and then. */
const changeOf = (base: Json): fc.Arbitrary<Change> => {
  const own = pathsOf(base).filter((path) => fields.includes(path));
  const numbers = own.filter((path) => numeric.has(path));
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...numbers), size) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...own), value) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...fields), value) },
  );
};

const hostile = fc
  .constantFrom(...bases)
  .chain((base) => fc.tuple(fc.constant(base), fc.array(changeOf(base), { minLength: 1, maxLength: 2 })));

function changed(base: Json, [path, to]: Change): Json {
  const [first = '', ...rest] = path.split('.');
  const inner = base[first];
  const below = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Json) : {};
  return { ...base, [first]: rest.length ? changed(below, [rest.join('.'), to]) : to };
}

/** Names of rows and columns: made where they are few, else counted by their lengths, which tokens and sizes decide. */
function labelsOf({ steps, tokens, keyTokens }: Plan): number {
  const sizes = new Set(steps.flatMap(({ shape }) => shape.slice(-2)));
  const most = [...sizes].reduce((a, b) => a + b, 0);
  if (most > 10_000) return most;
  const lists = new Set(steps.flatMap(({ rowLabels, columnLabels }) => [rowLabels, columnLabels]));
  for (const { rowLabels, columnLabels, shape } of steps)
    assert.deepEqual([rowLabels.length, columnLabels.length], [shape.at(-2) ?? 1, shape.at(-1) ?? 1]);
  return [...lists].reduce((sum, list) => sum + list.length, 0) - tokens.length - keyTokens.length;
}

function hold(spec: AttentionSpec, compute = true): 'refused' | 'planned' | 'computed' {
  const planned = planOf(spec);
  if (!planned.ok) return 'refused';
  const plan = planned.value;
  for (const { id, shape } of plan.steps)
    assert.ok(
      shape.every((n) => Number.isInteger(n) && n >= 1),
      `${id} is ${shape.join('×')}`,
    );
  assert.ok(labelsOf(plan) <= labelLimit, 'names');
  if (!overBudget(plan, spec.dtype)) {
    assert.ok(bytesHeld(plan, spec.dtype) <= memoryLimit, 'bytes');
    assert.ok(workHeld(plan, deferredOf(plan)) <= workLimit, 'work');
  }
  if (!compute || !isSmall(plan)) return 'planned';
  assert.ok(runReference(spec, plan).ok, 'a small plan is computed');
  return 'computed';
}

describe('any value in any field of a spec', function () {
  this.timeout(120_000);

  it('is refused in words, or planned and computed within the budget', () => {
    const seen = { refused: 0, planned: 0, computed: 0 };
    fc.assert(
      fc.property(hostile, ([base, changes]) => {
        const checked = validateSpec(changes.reduce(changed, base));
        if (!checked.ok) {
          assert.ok(checked.problems.length > 0 && checked.problems.length <= 200);
          seen.refused++;
        } else seen[hold(checked.value)]++;
      }),
      { numRuns: 4000 },
    );
    assert.ok(seen.computed > 500 && seen.refused > 500, JSON.stringify(seen));
  });

  it('is planned in little time and memory where it is large', () => {
    const width = fc.constantFrom(1, 2, 64, 1000, 4096);
    const large = fc.record({
      heads: fc.constantFrom(1, 2, 16, 256),
      dModel: fc.constantFrom(1, 2, 512, 4096),
      dK: width,
      dV: width,
      bias: fc.boolean(),
      convention: fc.constantFrom('XW', 'XWT'),
      positions: fc.constantFrom('none', 'learned-random', 'rope-half', 'alibi', 'sinusoidal-interleaved'),
      ids: fc.constantFrom([0], [1_000_000, 3]),
    });
    const [seen, before] = [{ refused: 0, planned: 0, computed: 0 }, process.memoryUsage()];
    fc.assert(
      fc.property(large, ({ dK, dV, bias, ids, ...more }) => {
        const projections = { from: 'random', dK, dV, bias };
        const start = { from: 'ids', ids };
        const outputProjection = { from: 'random', bias };
        const checked = validateSpec({ ...textDefaults, ...more, start, projections, outputProjection });
        if (checked.ok) seen[hold(checked.value, false)]++;
        else seen.refused++;
      }),
      { numRuns: 500 },
    );
    assert.ok(seen.planned > 200, JSON.stringify(seen));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const grown = heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers;
    assert.ok(grown < 3e8, `${grown} bytes`);
  });

  it('neither throws nor stalls in the opening line of a lesson’s block', () => {
    const setting = fc.tuple(
      fc.constantFrom(...fields),
      fc.oneof(size.map(String), fc.constantFrom('random', 'none', 'given')),
    );
    const body = 'Q = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 2]]';
    fc.assert(
      fc.property(fc.constantFrom(body, 'The cat sat'), fc.array(setting, { maxLength: 4 }), (text, settings) => {
        const info = ['attention', ...settings.map(([path, to]) => `${path}=${to}`)].join(' ');
        for (const { message } of readLesson(fenced(info, text)).problems) assert.ok(message.length < 600);
      }),
      { numRuns: 300 },
    );
  });
});
