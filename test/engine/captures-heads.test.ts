// What is said of one recorded head: soft caps, types of tensors and of results, parts of the rows, queries that see nothing. Exact results are NumPy's.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { exactHead, finish, judgedWords, judgeHead, type CapturedHead } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';

type Rows = readonly (readonly number[])[];

/** Four queries of a text of six tokens, from the third on, over six keys. */
const q: Rows = [
  [0.5, -1.25, 2],
  [1.5, 0.25, -0.75],
  [-2, 1, 0.5],
  [0.125, 3, -1],
];
const k: Rows = [
  [1, 0.5, -0.25],
  [0.75, -2, 1],
  [2, 1, 0],
  [-1.5, 0.25, 0.5],
  [0, 1, 1],
  [1, -1, 3],
];
const v: Rows = [[1, 2], [-1, 0.5], [0.25, -3], [2, 2], [-0.5, 1], [3, -1]]; // prettier-ignore

const program = `
import json, sys, numpy as np
q, k, v, scale, cap = json.load(sys.stdin)
s = np.array(q) @ np.array(k).T * scale
if cap: s = cap * np.tanh(s / cap)
s = np.where(np.arange(6)[None] <= np.arange(4)[:, None] + 2, s, -np.inf)
e = np.exp(s - s.max(1, keepdims=True))
print(json.dumps((e / e.sum(1, keepdims=True) @ np.array(v)).tolist()))
`;

const matrix = (rows: Rows) => ({ rows: rows.length, columns: rows[0]?.length ?? 0, values: Float64Array.from(rows.flat()) }); // prettier-ignore

type About = Partial<CapturedHead['about']>;

const headOf = (out: Rows, about: About = {}): CapturedHead => ({
  about: {
    module: 'a', class: 'A', kind: 'sdpa', function: 'f', where: ['a.py', 1, 'f'], call: 0, dtype: 'float32', computed: 'float32', device: 'cpu', shape: [1, 1, 6, 6], batch: [0], heads: [0], kv: [0],
    rows: [2, 6], keys: 6, scale: 0.5, causal: 0, fill: '-inf', softcap: null, dropout: 0, notes: [], ...about,
  },
  at: { attention: 0, input: 0, head: 0 }, n: 4, m: 6, q: matrix(q), k: matrix(k), v: matrix(v), out: matrix(out),
}); // prettier-ignore

const said = (head: CapturedHead): string => judgedWords(finish(judgeHead(head, finish(exactHead(head)))), head);

describe('a recorded head', () => {
  let right: (cap?: number) => number[][];
  before(function () {
    const python = pythonOrSkip(this, 'numpy');
    right = (cap) => {
      const ran = spawnSync(python, ['-c', program], {
        input: JSON.stringify([q, k, v, 0.5, cap ?? 0]),
        encoding: 'utf8',
      });
      assert.equal(ran.status, 0, ran.stderr);
      return JSON.parse(ran.stdout) as number[][];
    };
  });
  const changed = (rows: number[][], cells: readonly (readonly [number, number, number])[]): number[][] => {
    const own = rows.map((row) => [...row]);
    for (const [i, j, by] of cells) (own[i] as number[])[j] = (own[i]?.[j] ?? 0) + by;
    return own;
  };

  it('has the exact result of its own rows: the third token sees three keys', () => {
    const out = right();
    const exact = finish(exactHead(headOf(out)));
    out.flat().forEach((x, i) => assert.ok(Math.abs(x - (exact.out[i] ?? NaN)) < 1e-14, `${i}`));
    assert.match(said(headOf(out)), /^Its output is the exact one(?:\.$| within what float32 rounds away)/);
  });

  it('has its soft cap', () => {
    const out = right(1.5);
    assert.match(said(headOf(out, { softcap: 1.5 })), /^Its output is the exact one/);
    assert.match(said(headOf(out)), /Its output differs by more than float32 explains/);
  });

  it('is allowed what the coarser of its tensors’ and its result’s type rounds', () => {
    const out = changed(right(), [[1, 0, 0.004]]);
    assert.match(said(headOf(out)), /differs by more than float32 explains/);
    assert.match(said(headOf(out, { computed: 'bfloat16' })), /^Its output is the exact one within what bfloat16 rounds away: apart by 4\.[01]e−3 at most\.$/); // prettier-ignore
    assert.match(said(headOf(out, { dtype: 'bfloat16', computed: 'bfloat16' })), /^Its output is the exact one/);
  });

  it('says in how many queries and where, by places of the whole text, and no number of those that agree', () => {
    const words = said(headOf(changed(right(), [[1, 0, 0.5], [1, 1, 0.25], [3, 1, -75]]))); // prettier-ignore
    const own = (right()[3]?.[1] ?? NaN) - 75;
    assert.ok(words.includes(`in 2 of its queries: ${String(Number(own.toPrecision(6))).replace('-', '−')} in row 5, column 1, exact is `), words); // prettier-ignore
    assert.match(words, /^No mask, scale or type that was tried explains it\./);
    assert.match(said(headOf(changed(right(), [[0, 0, 1e-4]]))), /in 1 of its queries: .* in row 2, column 0, .* rounding explains \d\.\de−[67]\.$/); // prettier-ignore
  });

  it('names a scale and a mask that explain every number, and dropout instead of a comparison', () => {
    assert.match(said(headOf(right(), { scale: 1 / 3 })), /differs/);
    const unmasked = finish(exactHead(headOf(right()), { causal: null })).out;
    const rows = Array.from({ length: 4 }, (_, i) => [unmasked[2 * i] ?? 0, unmasked[2 * i + 1] ?? 0]);
    assert.match(said(headOf(rows)), /^Without its causal mask every number is explained: later keys were seen\./);
    assert.equal(said(headOf(rows, { dropout: 0.1 })), 'Not compared: dropout left out weights at random (p = 0.1).');
  });
});
