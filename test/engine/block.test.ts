import assert from 'node:assert/strict';
import {
  explainCell,
  matrixDefaults,
  planOf,
  runReference,
  shownWork,
  sourceValues,
  spansOf,
  validateSpec,
  workText,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';
import { printCell } from '../../engine/write';
import { arithmeticOf } from '../../engine/lessons/arithmetic';
import { erf } from '../../engine/math/math';
import { runWasm } from '../../engine/run/backend/wasm/run';
import { blockCases, nameOf, specOf } from './block-cases';
import { compare, evaluate, redoLesson, redoTerminal } from './redo-lines';
import { run, sentence } from './specs';

const flat = (nested: unknown): number[] =>
  Array.isArray(nested) ? nested.flatMap(flat) : [nested === '-inf' ? -Infinity : Number(nested)];
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

describe('layers of a transformer', () => {
  blockCases.forEach((one, i) => {
    it(`${i}: have PyTorch's numbers in every step: ${nameOf(one)}`, () => {
      const spec = specOf(one);
      const checked = validateSpec(JSON.parse(JSON.stringify(spec)));
      assert.ok(checked.ok, checked.ok ? '' : JSON.stringify(checked.problems));
      const trace = run(checked.value);
      assert.deepEqual(trace.plan.notes.map(({ path }) => path), []); // prettier-ignore
      for (const [id, expected] of Object.entries(one.steps)) {
        assert.deepEqual(trace.plan.steps.find((s) => s.id === id)?.shape, shapeOf(expected), `shape of ${id}`);
        const [here, there] = [valuesOf(trace, id), flat(expected)];
        const most = Math.max(1, ...there.filter(Number.isFinite).map(Math.abs));
        // Up to three layers of eight sums of at most 8 products each; both sides round in their own order.
        const allowed = 2000 * (one.case.dtype === 'float32' ? 2 ** -24 : 2 ** -53) * most;
        here.forEach((x, at) => {
          const y = there[at] ?? NaN;
          assert.ok(
            x === y || Math.abs(x - y) <= allowed,
            `${id}, cell ${at}: ${x}, PyTorch has ${y} (allowed ${allowed})`,
          );
        });
      }
    });
  });
});

describe('a number of a layer', () => {
  it('can be redone from what is printed: terminal, lessons, panel', () => {
    let lines = 0;
    for (const one of blockCases.filter(({ case: { epsilon, dtype } }) => epsilon > 0 && dtype === 'float64')) {
      const trace = run(specOf(one));
      for (const step of trace.plan.steps) {
        if (step.call.op !== 'layerNorm' && step.call.op !== 'apply') continue;
        for (const digits of [2, 4]) {
          for (let at = 0; at < 5; at++) {
            const index = step.shape.map((size, d) => (5 * at + 3 * d) % size);
            const made = explainCell(trace, step.id, index);
            assert.ok(made.kind === 'worked');
            const panel = shownWork(made, () => ({ decimals: digits }), { decimals: 4, figures: 4 }).map((shown) => {
              const { text, about } = shown.result;
              const said = `${about ? '≈' : '='} ${text}${about ? ` (±${about.bound})` : ''}`;
              return compare(workText(shown), evaluate(workText(shown)), said);
            });
            const found = [
              ...redoTerminal(printCell(trace, step.id, index, digits)),
              ...arithmeticOf(trace, step.id, index, digits).flatMap(redoLesson),
              ...panel,
            ];
            for (const { line, holds } of found) assert.ok(holds, `${step.id}: ${line}`);
            lines += found.length;
          }
        }
      }
    }
    assert.ok(lines > 3000, String(lines));
  }).timeout(60_000);

  it('of a layer norm comes from the mean, the variance and the root of its row', () => {
    const trace = run({ ...inX([[1, 2, 3, 6]]), block: { norm: 'before', epsilon: 0 } });
    const made = explainCell(trace, 'normed', [0, 3]);
    assert.ok(made.kind === 'worked');
    // Mean 3; the squares of −2, −1, 0, 3 sum to 14.
    assert.deepEqual(made.lines.map(({ value }) => value), [3, 3.5, Math.sqrt(3.5), 3 / Math.sqrt(3.5)]); // prettier-ignore
  });
});

/** X as it is, with Q = K = V = X. */
const inX = (x: number[][]): AttentionSpec => ({ ...matrixDefaults, start: { from: 'x', x } });

describe('a block', () => {
  const problems = (spec: AttentionSpec): string[] => {
    const checked = validateSpec(JSON.parse(JSON.stringify(spec)));
    return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
  };
  const x = [[1, 2], [3, 5]]; // prettier-ignore
  const block = { norm: 'before' } as const;
  const wq = [[1, 0], [0, 1]]; // prettier-ignore

  it('is refused where it does not fit, with the place', () => {
    const of = (more: Partial<AttentionSpec>): string[] => problems({ ...inX(x), block, ...more });
    const given = (weights: object, more: Partial<AttentionSpec> = {}): string[] =>
      of({ block: { ...block, weights: [weights] }, ...more });
    const feedForward = { of: 'gelu' } as const;
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ decode: { step: 0 } }), []);
    assert.deepEqual(of({ projections: { from: 'random', dK: 2, dV: 3 } }), ['block: attention makes rows of 3 numbers, X has 2: they cannot be added']); // prettier-ignore
    assert.deepEqual(of({ block: { ...block, layers: 49 } }), ['block.layers: block.layers is 49, expected a whole number from 1 to 48']); // prettier-ignore
    assert.deepEqual(of({ block: { ...block, layers: 2, shown: 3 } }), ['block.shown: block.shown is 3, expected a whole number from 1 to 2']); // prettier-ignore
    assert.deepEqual(of({ block: { ...block, layers: 2, weights: [{}] } }), ['block.weights: block.weights has entries: 1, block.layers is 2']); // prettier-ignore
    assert.deepEqual(of({ block: { ...block, layers: 2 }, projections: { from: 'given', wq, wk: wq, wv: wq } }), ['projections: projections: the weights of one layer are given, and there are 2']); // prettier-ignore
    assert.deepEqual(given({ wq }), ['block.weights.0: block.weights.0 has no wk, wv: W_q, W_k and W_v come together']); // prettier-ignore
    assert.deepEqual(given({ wq: [[1], [2], [3]], wk: wq, wv: wq }).map((text) => text.split(':')[0]), ['block.weights.0.wq', 'block.weights.0.wk']); // prettier-ignore
    assert.deepEqual(given({ bq: [1, 2] }), ['block.weights.0.bq: block.weights.0.bq: a bias that is given needs its weights beside it']); // prettier-ignore
    assert.deepEqual(given({ norm1: [1] }), ['block.weights.0.norm1: block.weights.0.norm1 has 1 number, expected 2']); // prettier-ignore
    assert.deepEqual(given({ norm1Bias: [1, 2] }), ['block.weights.0.norm1Bias: block.weights.0.norm1Bias without block.weights.0.norm1: gains and biases come together']); // prettier-ignore
    assert.deepEqual(of({ block: { norm: 'before', of: 'rms', weights: [{ norm1: [1, 2], norm1Bias: [1, 2] }] } }), ['block.weights.0.norm1Bias: block.weights.0.norm1Bias: an RMS norm has no biases']); // prettier-ignore
    assert.deepEqual(of({ block: { norm: 'none', weights: [{ norm1: [1, 2] }] } }), ['block.weights.0.norm1: block.weights.0.norm1: nothing is normed there']); // prettier-ignore
    assert.deepEqual(given({ w1: wq }), ['block.weights.0.w1: block.weights.0.w1: there is no feed-forward layer']); // prettier-ignore
    assert.deepEqual(given({ w1: wq }, { feedForward }), ['block.weights.0: block.weights.0 has no w2: the products of a feed-forward layer come together']); // prettier-ignore
    assert.deepEqual(given({ w1: wq, w2: [[1, 2]] }, { feedForward }), ['block.weights.0.w2: block.weights.0.w2 is 1×2, expected 2×2']); // prettier-ignore
    assert.deepEqual(given({ w1: wq, w2: wq, wg: wq }, { feedForward }), ['block.weights.0.wg: block.weights.0.wg: only SwiGLU has a gate']); // prettier-ignore
    assert.deepEqual(given({ w1: wq, w2: wq }, { feedForward: { of: 'gelu', width: 3 } }), ['feedForward.width: feedForward.width is 3, block.weights.0.w1 has 2']); // prettier-ignore
    assert.deepEqual(of({ unembedding: { from: 'tied' } }), ['unembedding: there is no embedding table to tie to: the start is "x"']); // prettier-ignore
    assert.deepEqual(of({ unembedding: { from: 'random' } }), ['unembedding.size: unembedding.size is missing: without a text nothing says how many words there are']); // prettier-ignore
    assert.deepEqual(of({ unembedding: { from: 'given', wu: [[1]] } }), ['unembedding.wu: unembedding.wu is 1×1, expected 2×1']); // prettier-ignore
    assert.deepEqual(of({ block: { ...block, last: { norm: [1, 2] } } }), ['block.last: block.last: nothing is normed there']); // prettier-ignore
  });

  it('is noted where there is nothing to add to, and so are its parts without it', () => {
    const noted = (spec: AttentionSpec): string[] => run(spec).plan.notes.map(({ message }) => message);
    const start = { from: 'qkv', q: x, k: x, v: x } as const;
    assert.deepEqual(noted({ ...matrixDefaults, start, block, feedForward: { of: 'relu' } }), [
      'block is ignored: the walk starts at Q and K',
      'feedForward is ignored: the walk starts at Q and K',
    ]);
    assert.deepEqual(noted({ ...inX(x), feedForward: { of: 'relu' }, unembedding: { from: 'tied' } }), [
      'feedForward is ignored: there is no block',
      'unembedding is ignored: there is no block',
    ]);
    assert.deepEqual(noted({ ...inX(x), block: { norm: 'none', of: 'rms', epsilon: 1, gains: 'random', finalNorm: true } }), [
      'block.of is ignored: nothing is normed',
      'block.epsilon is ignored: nothing is normed',
      'block.finalNorm is ignored: nothing is normed',
      'block.gains is ignored: nothing is normed',
    ]); // prettier-ignore
  });

  it('leads each layer’s words to its own steps', () => {
    const spec = { ...inX(x), block: { ...block, layers: 2, shown: 1 }, projections: { from: 'random', dK: 2, dV: 2 } } as const; // prettier-ignore
    const { plan } = run(spec);
    const step = plan.steps.find(({ id }) => id === 'layer2_scores');
    assert.ok(step);
    const symbols = spansOf(step.sentences.what).flatMap((span) => (span.kind === 'symbol' ? [[span.text, span.steps[0]]] : [])); // prettier-ignore
    assert.deepEqual(symbols, [['Q', 'layer2_q'], ['Kᵀ', 'layer2_k']]); // prettier-ignore
    const q = plan.steps.find(({ id }) => id === 'layer2_q');
    assert.match(q?.words.what ?? '', /^Row “?1”? of N times W_q/);
    assert.deepEqual(q?.operands, ['layer2_normed', 'layer2_wq']);
    assert.deepEqual(plan.steps.filter(({ id }) => id.startsWith('layer2_')).map(({ group }) => group?.name).filter((name) => name !== 'Layer 1'), []); // prettier-ignore
  });

  it('gives a layer the same numbers whichever is shown', () => {
    const of = (shown: number): AttentionTrace => run({ ...sentence, outputProjection: { from: 'random' }, block: { ...block, layers: 2, shown }, feedForward: { of: 'silu' } }); // prettier-ignore
    const [first, second] = [of(1), of(2)];
    for (const id of ['weights', 'output', 'blockOutput']) {
      assert.deepEqual(valuesOf(first, id), valuesOf(second, `layer1_${id}`));
      assert.deepEqual(valuesOf(first, `layer2_${id}`), valuesOf(second, id));
    }
  });

  it('has the same cells where nothing is held', () => {
    for (const one of blockCases.slice(2, 12).filter((_, i) => i % 3 === 0)) {
      const spec = specOf(one);
      const planned = planOf(spec);
      assert.ok(planned.ok);
      const sources = sourceValues(spec, planned.value);
      const deferred = new Set(planned.value.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
      const [held, computed] = [run(spec), runReference(spec, planned.value, undefined, deferred)];
      assert.ok(computed.ok);
      for (const id of Object.keys(one.steps))
        assert.deepEqual(valuesOf(computed.value, id), valuesOf(held, id), `${id}, ${nameOf(one)}`);
    }
  });

  it('has a preview near it where WebAssembly draws one', () => {
    const spec: AttentionSpec = { ...sentence, outputProjection: { from: 'random' }, block, feedForward: { of: 'gelu' }, unembedding: { from: 'tied', topK: 2 } }; // prettier-ignore
    const trace = run(spec);
    const found = runWasm(trace.plan, sourceValues(spec, trace.plan));
    assert.ok(found.ok);
    for (const id of ['normed', 'ffActive', 'blockOutput', 'logits', 'probabilities']) {
      const preview = found.value.get(id) ?? [];
      valuesOf(trace, id).forEach((value, i) => assert.ok(Math.abs(value - (preview[i] ?? NaN)) < 1e-4, id));
    }
  });
});

describe('erf', () => {
  it('has the values of Python’s math.erf within 2 units of the last place', () => {
    // python3: [math.erf(x) for x in (…)]
    const known: readonly (readonly [number, number])[] = [
      [1e-300, 1.1283791670955126e-300], [0.0625, 0.07043197772238707], [0.09375, 0.10547644378177959], [0.5, 0.5204998778130465], [1, 0.8427007929497149],
      [1.7, 0.9837904585907745], [2.5, 0.999593047982555], [4, 0.9999999845827421], [5.5, 0.9999999999999927], [7, 1.0],
    ]; // prettier-ignore
    for (const [x, y] of known) {
      assert.ok(Math.abs(erf(x) - y) <= 2 * 2 ** -52 * y, `${x}: ${erf(x)}, ${y}`);
      assert.equal(erf(-x), -erf(x));
    }
    assert.ok(Object.is(erf(-0), -0) && Number.isNaN(erf(NaN)) && erf(-Infinity) === -1);
  });
});
