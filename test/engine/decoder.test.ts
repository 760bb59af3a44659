import assert from 'node:assert/strict';
import {
  matrixDefaults,
  planOf,
  type AttentionSpec,
  type Mask,
  type Positions,
  type SpecMatrix,
} from '../../engine/index';
import { run } from './specs';

/*
 * A step of a decoder with a cache: the last queries beside all keys. Right is what the whole sequence gives in its last rows. Whatever
 * differs from that says so; what does not, says nothing.
 */

const matrix = (rows: number, columns: number, seed: number): number[][] =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => ((seed + 37 * i + 61 * j + 17 * i * j) % 101) / 47 - 1.03),
  );
const [q, k, v] = [matrix(5, 4, 1), matrix(5, 4, 2), matrix(5, 3, 3)];
const ends: Mask = { kind: 'causal', alignment: 'end' };

const whole = (positions: Positions, mask: Mask, heads = 1): AttentionSpec => ({
  ...matrixDefaults,
  positions,
  mask,
  heads,
  start: { from: 'qkv', q, k, v: heads === 1 ? v : matrix(5, 4, 3) },
});

/** The last `rows` queries of it alone. */
function step(spec: AttentionSpec, rows: number, mask: Mask): AttentionSpec {
  assert.ok(spec.start.from === 'qkv');
  return { ...spec, mask, start: { ...spec.start, q: (spec.start.q as SpecMatrix).slice(-rows) } };
}

/** The last rows of the weights, of each head. */
function lastWeights(spec: AttentionSpec, rows: number): number[] {
  const trace = run(spec);
  const n = trace.plan.tokens.length;
  const cells = (head: number): number[] =>
    Array.from({ length: rows * 5 }, (_, at) =>
      trace.value('weights', [...(spec.heads > 1 ? [head] : []), n - rows + Math.floor(at / 5), at % 5]),
    );
  return Array.from({ length: spec.heads }, (_, head) => cells(head)).flat();
}

const placesOf = (spec: AttentionSpec): string[] => {
  const plan = planOf(spec);
  assert.ok(plan.ok);
  return plan.value.notes.filter(({ code }) => code === 'positions').map(({ path, message }) => `${path}: ${message}`);
};

const decoder = (row: string): string =>
  `In a decoder with a cache query 0 stands at position ${row === '1 row' ? 4 : 3}.`;
const window: Mask = { kind: 'window', size: 1, causal: true };

describe('the last queries beside all keys', () => {
  for (const [what, positions, wholeMask, stepMask, heads, says] of [
    ['a causal mask alone', 'none', 'causal', ends, 1, undefined],
    ['no mask and no positions', 'none', 'none', 'none', 1, undefined],
    ['RoPE in halves', 'rope-half', 'causal', ends, 1, 'positions: RoPE turns query 0 as key 0, both at position 0.'],
    ['RoPE in pairs', 'rope-interleaved', 'causal', ends, 2, 'positions: RoPE turns query 0 as key 0, both at position 0.'],
    ['ALiBi', 'alibi', 'causal', ends, 2, 'positions: ALiBi measures distances with query 0 beside key 0.'],
    ['a window', 'none', window, window, 1, 'mask: The window is measured with query 0 beside key 0.'],
    ['a window to both sides', 'none', { ...window, causal: false }, { ...window, causal: false }, 1, 'mask: The window is measured with query 0 beside key 0.'],
  ] as const)
    for (const rows of [1, 2])
      it(`have the weights of the whole sequence, or a note that they have not: ${what}, ${rows} of 5`, () => {
        const all = whole(positions, wholeMask, heads);
        const last = step(all, rows, stepMask);
        const [right, found] = [lastWeights(all, rows), lastWeights(last, rows)];
        const same = right.every((x, i) => Math.abs(x - (found[i] ?? NaN)) < 1e-12);
        assert.equal(same, says === undefined, `${right.join()} beside ${found.join()}`);
        assert.deepEqual(placesOf(last), says === undefined ? [] : [`${says} ${decoder(rows === 1 ? '1 row' : '2 rows')}`]);
        assert.deepEqual(placesOf(all), []);
      }); // prettier-ignore

  it('have a note where positions are added to X and the mask aligns the ends; cross-attention has none', () => {
    const crossing = (positions: Positions, mask: Mask): AttentionSpec => ({
      ...matrixDefaults,
      positions,
      mask,
      start: { from: 'x', x: matrix(2, 4, 1), context: matrix(5, 4, 2) },
    });
    for (const positions of ['sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random', { learned: matrix(2, 4, 5) }] as const) {
      assert.deepEqual(placesOf(crossing(positions, ends)), [
        `positions: Positions are added to X from 0 on, and none to the context. ${decoder('2 rows')}`,
      ]);
      assert.deepEqual(placesOf(crossing(positions, 'none')), []);
    }
  }); // prettier-ignore

  it('say it too where the queries are more than the keys and the mask aligns the ends', () => {
    const spec: AttentionSpec = {
      ...matrixDefaults,
      positions: 'rope-half',
      mask: ends,
      start: { from: 'qkv', q, k: k.slice(0, 3) },
    };
    assert.deepEqual(placesOf(spec), [
      'positions: RoPE turns query 0 as key 0, both at position 0. The mask puts query 0 2 before key 0.',
    ]);
  });
});

it('a window says in its words what Hugging Face calls it', () => {
  // transformers' sliding_window_overlay: a key is seen where kv_idx > q_idx − sliding_window: with 3 the token and two before it.
  const spec = whole('none', { kind: 'window', size: 2, causal: true });
  const trace = run(spec);
  const slidingWindow = 3;
  for (let i = 0; i < 5; i++)
    for (let j = 0; j < 5; j++) assert.equal(trace.value('mask', [i, j]), j > i - slidingWindow && j <= i ? 0 : 1);
  const notice = trace.plan.steps.find(({ id }) => id === 'mask')?.words.notice;
  assert.match(
    notice ?? '',
    /at most 2 away, and none after it\. Hugging Face counts the token itself: its sliding_window is 3\./,
  );
});

it('a window that counts the token itself is that of Hugging Face, on one side and on both', () => {
  for (const size of [1, 2, 3, 4, 5, 6]) {
    const hides = (causal: boolean): number[] => {
      const trace = run(whole('none', { kind: 'window', size, causal, counts: 'self' }));
      return Array.from({ length: 25 }, (_, at) => trace.value('mask', [Math.floor(at / 5), at % 5]));
    };
    const rule = (sees: (i: number, j: number) => boolean): number[] =>
      Array.from({ length: 25 }, (_, at) => (sees(Math.floor(at / 5), at % 5) ? 0 : 1));
    // masking_utils.py: sliding_window_overlay with the causal mask; modeling_modernbert.py: |distance| ≤ local_attention // 2.
    assert.deepEqual(
      hides(true),
      rule((i, j) => j > i - size && j <= i),
    );
    assert.deepEqual(
      hides(false),
      rule((i, j) => Math.abs(i - j) <= Math.floor(size / 2)),
    );
  }
  const refused = planOf(whole('none', { kind: 'window', size: 0, causal: true, counts: 'self' }));
  assert.ok(!refused.ok);
  assert.match(refused.problems[0]?.message ?? '', /mask\.size is 0, expected a whole number from 1/);
});
