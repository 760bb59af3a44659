import assert from 'node:assert/strict';
import {
  explainAttention,
  matrixDefaults,
  planOf,
  textDefaults,
  type AttentionSpec,
  type Plan,
  type Step,
} from '../../engine/index';

const x = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 2, 3]]; // prettier-ignore
const context = [[1, 2], [3, 4]]; // prettier-ignore
const square = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]; // prettier-ignore
const narrow = [[1, 0, 0, 0], [0, 1, 0, 0]]; // prettier-ignore
const text = { ...textDefaults, dModel: 4, start: { from: 'text', text: 'a b a', tokenizer: 'words' } } as const;

function plan(spec: AttentionSpec): Plan {
  const planned = planOf(spec);
  assert.ok(planned.ok, JSON.stringify(planned));
  return planned.value;
}

function step(spec: AttentionSpec, id: string): Step {
  const found = plan(spec).steps.find((s) => s.id === id);
  assert.ok(found, id);
  return found;
}

/** Everything that is said of a step. */
const said = (spec: AttentionSpec, id: string): string => Object.values(step(spec, id).words).join('\n');

const given: AttentionSpec = {
  ...matrixDefaults,
  start: { from: 'x', x },
  projections: { from: 'given', wq: square, wk: square, wv: square, bq: [1, 2, 3, 4] },
};
const crossed: AttentionSpec = {
  ...matrixDefaults,
  start: { from: 'x', x, context },
  convention: 'XW',
  projections: { from: 'given', wq: square, wk: narrow, wv: narrow, bk: [1, 2, 3, 4] },
};
const scores: AttentionSpec = { ...matrixDefaults, start: { from: 'scores', scores: [[1, 2], [3, 4]], dK: 7 } }; // prettier-ignore

describe('the words of a step', () => {
  it('say of a biased query that the bias is added, not that it is a product', () => {
    assert.match(said(given, 'q'), /^Row 1 of X·W_q plus b_q, number by number\.$/m);
    assert.match(said({ ...given, convention: 'XWT' }, 'qProduct'), /^X·W_qᵀ, before its bias$/m);
  });

  it('name the context where keys and values come from it', () => {
    assert.match(said(crossed, 'wk'), /what turns the context into keys\?[^]*applied as C·W_k\./);
    assert.match(said(crossed, 'wq'), /what turns X into queries\?[^]*applied as X·W_q\./);
    assert.match(said(crossed, 'v'), /Row 1 of C times W_v: 2 products for each of 4 columns/);
    assert.equal(step(crossed, 'kProduct').symbol, 'C·W_k');
    const same: AttentionSpec = { ...crossed, start: { from: 'x', x, context: x }, projections: { from: 'none' } };
    assert.match(said(same, 'k'), /No projection: K = C\./);
    assert.doesNotMatch(said(same, 'k'), /Q = K/);
    assert.match(said(same, 'x'), /so Q = X and K = V = C\./);
  });

  it('call rows without names by their number, without quotes, and by what they are where the number stands alone', () => {
    const spec: AttentionSpec = { ...matrixDefaults, mask: 'causal', start: { from: 'qkv', q: x, k: x, v: x } };
    assert.match(step(spec, 'scores').words.what, /^Row 1 of Q meets column 2 of Kᵀ/);
    assert.match(step(spec, 'scores').words.why, /the query of row 1 and the key of row 2 point to the same side/);
    assert.match(step(spec, 'masked').words.what, /: row 1 keeps itself/);
    assert.match(step(spec, 'output').words.why, /^The result for row 1 is/);
    const named = { ...text, start: { from: 'text', text: 'cat sat mat', tokenizer: 'words' } } as const;
    // A word that stands twice is said with its place.
    assert.match(step(text, 'scores').words.what, /^Row “b” of Q meets column “a \(2\)” of Kᵀ/);
    assert.match(step(named, 'scores').words.why, /the query of “sat” and the key of “mat” point to the same side/);
  });

  it('say of given scores and weights that they were given', () => {
    assert.match(said(scores, 'scores'), /2×2, as given: row 1 is a query/);
    assert.doesNotMatch(said(scores, 'scores'), /0 products/);
    const weights: AttentionSpec = { ...matrixDefaults, start: { from: 'weights', weights: [[3, 2]], v: [[1], [2]] } };
    assert.match(said(weights, 'weights'), /as given/);
    assert.doesNotMatch(said(weights, 'weights'), /goes through exp|each row sums to 1, so/);
  });

  it('promise the shuffled rows only where nothing tells places apart', () => {
    const none: AttentionSpec = { ...text, positions: 'none' };
    assert.match(said(none, 'x'), /Shuffle the tokens/);
    for (const change of [{ positions: 'alibi' }, { positions: 'rope-half' }, { mask: 'causal' }] as const)
      assert.doesNotMatch(said({ ...none, ...change }, 'x'), /Shuffle|sees a set of tokens/, JSON.stringify(change));
    assert.match(said({ ...none, positions: 'rope-half' }, 'x'), /RoPE rotates Q and K/);
    assert.match(said({ ...text, mask: 'causal' }, 'positions'), /only the mask/);
  });

  it('say what a mask hides, by its kind', () => {
    const told = (mask: AttentionSpec['mask'], change: Partial<AttentionSpec> = {}): [string, string] => {
      const spec: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x }, mask, ...change };
      return [said(spec, 'mask'), said(spec, 'masked')];
    };
    assert.match(told('causal')[0], /above the diagonal/);
    assert.match(told({ kind: 'padding', visible: 2 })[0], /first 2 keys of 3/);
    assert.match(told({ kind: 'window', size: 1, causal: true })[0], /at most 1 away, and none after it/);
    // Hugging Face, masking_utils.py, sliding_window_overlay: a key is seen where kv_idx > q_idx - sliding_window.
    for (const slidingWindow of [1, 2, 3, 4]) {
      const size = slidingWindow - 1;
      assert.match(
        told({ kind: 'window', size, causal: true })[0],
        new RegExp(`its sliding_window is ${slidingWindow}\\.`),
      );
      const scores = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
      const mask = { kind: 'window', size, causal: true } as const;
      const trace = explainAttention({ ...matrixDefaults, start: { from: 'scores', scores, dK: 1 }, mask });
      assert.ok(trace.ok);
      const { value } = trace.value;
      const seen = (q: number, kv: number): boolean => kv <= q && kv > q - slidingWindow;
      for (let q = 0; q < 4; q++)
        for (let kv = 0; kv < 4; kv++)
          assert.equal(value('weights', [q, kv]) > 0, seen(q, kv), `${slidingWindow}: ${q}, ${kv}`);
    }
    assert.match(told({ kind: 'boolean', values: [[1, 0, 1], [1, 1, 1], [0, 0, 1]], trueMeans: 'visible' })[0], /true means visible/); // prettier-ignore
    const added = told({ kind: 'additive', values: [[0, -2, 0], [0, 0, 0], [1, 0, 0]] }); // prettier-ignore
    assert.match(added[0], /no key is hidden/);
    assert.doesNotMatch(added.join(), /1 hides|exp\(−∞\) is 0/);
    assert.match(told({ kind: 'additive', values: [[0, '-inf', 0], [0, 0, 0], [0, 0, 0]] })[1], /exp\(−∞\) is 0/); // prettier-ignore
    assert.doesNotMatch(told('causal', { maskFill: -5 })[1], /−∞|no weight at all/);
    assert.match(told('causal', { maskFill: -5 })[1], /can keep some weight/);
    assert.match(told('causal', { maskFill: 'min' })[1], /unless all keys are hidden/);
  });

  it('tell where a causal mask ends when m ≠ n', () => {
    const start = { from: 'qkv', q: [[1], [2]], k: [[1], [2], [3], [4], [5]] } as const; // prettier-ignore
    const of = (alignment: 'start' | 'end'): string =>
      said({ ...matrixDefaults, start, mask: { kind: 'causal', alignment } }, 'mask');
    assert.match(of('start'), /Query i sees no key after i, /);
    assert.match(of('end'), /Query i sees no key after i \+ 3, /);
  });

  it('say that a negative divisor turns the order round', () => {
    assert.match(said({ ...given, scale: { divideBy: -2 } }, 'scaled'), /turned round/);
    assert.match(said({ ...given, scale: { divideBy: 2 } }, 'scaled'), /order in each row stays/);
  });

  it('tell drawn parameters from given ones, and W_O from none', () => {
    const drawn: AttentionSpec = {
      ...text,
      projections: { from: 'random', dK: 2, dV: 3, bias: true },
      outputProjection: { from: 'random', bias: true },
    };
    assert.match(said(drawn, 'bq'), /2 numbers, drawn from .*np\.random\.seed\(0\), divided by √4\./);
    assert.match(said(drawn, 'wo'), /3×4, drawn from .*, divided by √3\./);
    assert.doesNotMatch(said(drawn, 'wo'), /heads/);
    assert.match(said({ ...drawn, heads: 2, outputProjection: { from: 'none' } }, 'output'), /no W_O mixes them/);
    assert.match(said({ ...drawn, heads: 2 }, 'concat'), /W_O will mix them/);
  });
});

describe('the formula of a step', () => {
  const formula = (spec: AttentionSpec, id: string): string => step(spec, id).formula.plain;

  it('transposes W_O under its bias too', () => {
    const outputProjection = { from: 'given', wo: square, bo: [1, 2, 3, 4] } as const;
    assert.equal(formula({ ...given, convention: 'XWT', outputProjection }, 'output'), 'Y = O\\,W_O^{\\top} + b_O');
    assert.equal(formula({ ...given, outputProjection }, 'output'), 'Y = O\\,W_O + b_O');
  });

  it('names what is rotated, and what is shared', () => {
    const spec: AttentionSpec = {
      ...matrixDefaults,
      heads: 2,
      kvHeads: 1,
      positions: 'rope-half',
      start: { from: 'qkv', q: x, k: x.map((r) => r.slice(2)) },
    };
    assert.equal(formula(spec, 'qRotated'), 'Q_{\\text{rotated}} = \\operatorname{rope}(Q_{\\text{heads}})');
    assert.equal(formula(spec, 'kShared'), 'K_{\\text{shared}} = \\operatorname{repeatHeads}(K_{\\text{rotated}})');
  });

  it('writes powers of ten as LaTeX does', () => {
    const small = (divideBy: number): string => formula({ ...given, scale: { divideBy } }, 'scaled');
    assert.equal(small(1e-7), 'Z = S \\,/\\, 10^{-7}');
    assert.equal(small(2.5e21), 'Z = S \\,/\\, 2.5 \\times 10^{21}');
    assert.equal(small(0.5), 'Z = S \\,/\\, 0.5');
  });
});
