import assert from 'node:assert/strict';
import {
  decodeNumber,
  encodeMatrix,
  matrixDefaults,
  textDefaults,
  validateSpec,
  type Problem,
} from '../../engine/index';
import { withSettings } from '../../engine/spec/settings';

// What is refused, by whole sentences, beside what is just not. Shapes are those of the definitions: Q = X·W_q is (n×d_model)·(d_model×h·d_k).

type Fields = Readonly<Record<string, unknown>>;
type Said = readonly [path: string, message: string, hint?: string];

const ones = (...shape: readonly number[]): unknown => {
  const [size = 1, ...rest] = shape;
  return Array.from({ length: size }, () => (rest.length ? ones(...rest) : 1));
};

const text = { ...textDefaults, start: { from: 'text', text: 'The cat', tokenizer: 'words' } };
const x = { ...matrixDefaults, start: { from: 'x', x: ones(2, 4) } };
const qkv = { ...matrixDefaults, start: { from: 'qkv', q: ones(2, 4), k: ones(3, 4), v: ones(3, 4) } };
const scores = { ...matrixDefaults, start: { from: 'scores', scores: ones(2, 3), dK: 4, v: ones(3, 4) } };
const weights = { ...matrixDefaults, start: { from: 'weights', weights: ones(2, 3), v: ones(3, 4) } };

const problemsOf = (spec: unknown): readonly Problem[] => {
  const found = validateSpec(spec);
  if (found.ok) return [];
  for (const { code, message } of found.problems) assert.match(code, /^[a-z]+(?:-[a-z]+)*$/, message);
  return found.problems;
};
const said = (spec: unknown): Said[] => problemsOf(spec).map(({ path = '', message, hint }) => (hint === undefined ? [path, message] : [path, message, hint])); // prettier-ignore
const fits = (spec: unknown): void => assert.deepEqual(said(spec), [], JSON.stringify(spec).slice(0, 300));
const refused = (spec: Fields, ...expected: readonly Said[]): void => assert.deepEqual(said(spec), expected, JSON.stringify(spec).slice(0, 300)); // prettier-ignore

describe('numbers of a spec', () => {
  it('reach their limits, and not beyond', () => {
    const rules: readonly [path: string, least: number, most: number, code: string, with_: (n: number) => Fields][] = [
      ['heads', 1, 256, 'heads', (heads) => ({ ...text, heads })],
      ['dModel', 1, 4096, 'number', (dModel) => ({ ...text, dModel })],
      ['projections.dK', 1, 4096, 'number', (dK) => ({ ...text, projections: { from: 'random', dK, dV: 1 } })],
      ['projections.dV', 1, 4096, 'number', (dV) => ({ ...text, projections: { from: 'random', dK: 1, dV } })],
      ['mask.visible', 0, 1_000_000, 'number', (visible) => ({ ...text, mask: { kind: 'padding', visible } })],
      ['mask.size', 0, 1_000_000, 'number', (size) => ({ ...text, mask: { kind: 'window', size, causal: false } })],
      ['start.dK', 1, 4096, 'number', (dK) => ({ ...scores, start: { ...scores.start, dK } })],
      ['start.ids[1]', 0, 1_000_000, 'number', (id) => ({ ...text, start: { from: 'ids', ids: [0, id] } })],
      // What W_O has where nothing else says it: a column has a name at most, and 2²² are those that a plan may have.
      ['dModel', 1, 4_194_304, 'number', (dModel) => ({ ...qkv, dModel, outputProjection: { from: 'random' } })],
      ['dModel', 1, Number.MAX_SAFE_INTEGER, 'number', (dModel) => ({ ...scores, dModel, scale: 'sqrt_d_model' })],
    ];
    for (const [path, least, most, code, with_] of rules) {
      for (const n of [least, most]) fits(with_(n));
      for (const n of [least - 1, most + 1, least + 0.5]) {
        const expected = `${path} is ${n}, expected a whole number from ${least} to ${most}`;
        assert.deepEqual(problemsOf(with_(n)).slice(0, 1), [{ code, path, message: expected }], expected);
      }
    }
  });

  it('mean nothing where nothing reads them', () => {
    const { v: _, ...withoutV } = qkv.start;
    fits({ ...qkv, start: withoutV, dModel: -1, outputProjection: { from: 'random' } });
    fits({ ...qkv, dModel: -1 });
    fits({ ...qkv, dModel: -1, outputProjection: { from: 'given', wo: ones(4, 2) } });
    fits({ ...weights, dModel: -1, scale: 'sqrt_d_model' });
    fits({ ...x, dModel: -1, scale: 'sqrt_d_model' });
    fits({ ...qkv, projections: { from: 'random', dK: 0, dV: 0 } });
  });

  it('are above 0, or anything but 0, where they divide', () => {
    for (const name of ['softcap', 'temperature']) {
      for (const value of [5e-324, 1e300]) fits({ ...x, [name]: value });
      for (const value of [0, -0.5, Infinity, NaN])
        refused({ ...x, [name]: value }, [name, `${name} is ${value}, expected a finite number above 0`]);
    }
    for (const divideBy of [-2, 5e-324]) fits({ ...x, scale: { divideBy } });
    for (const divideBy of [0, Infinity, NaN])
      refused({ ...x, scale: { divideBy } }, ['scale', `scale: cannot divide by ${divideBy}`, 'Give a finite number other than 0.']); // prettier-ignore
  });

  it('of key heads divide the heads', () => {
    for (const kvHeads of [1, 2, 3, 6]) fits({ ...text, heads: 6, kvHeads });
    for (const kvHeads of [0, -1, 4, 12, 1.5]) refused({ ...text, heads: 6, kvHeads }, ['kvHeads', `kvHeads is ${kvHeads}, expected a divisor of heads (6)`]); // prettier-ignore
  });
});

describe('values of the wrong kind', () => {
  const number = 'expected a finite number, "inf", "-inf", "nan" or "-0"';
  it('are refused where they stand, with what was found and what was expected', () => {
    const start = (value: unknown): Fields => ({ ...x, start: { from: 'x', x: value } });
    const cases: readonly [Fields, string, string][] = [
      [start('no'), 'start.x', 'start.x: expected rows of numbers, found "no"'],
      [start([[1], 2]), 'start.x[1]', 'start.x[1]: expected a row of numbers, found 2'],
      [start([[1, 'a']]), 'start.x[0][1]', `start.x[0][1]: ${number}, found "a"`],
      [start([[1, null]]), 'start.x[0][1]', `start.x[0][1]: ${number}, found null`],
      [start([[NaN]]), 'start.x[0][0]', `start.x[0][0]: ${number}, found NaN`],
      [start([[Infinity]]), 'start.x[0][0]', `start.x[0][0]: ${number}, found Infinity`],
      [start([[[1]], [[{}]]]), 'start.x[1][0][0]', `start.x[1][0][0]: ${number}, found an object`],
      [start([[1], [[1, 2]]]), 'start.x[1][0]', `start.x[1][0]: ${number}, found an array of 2`],
      [{ ...x, heads: '2' }, 'heads', 'heads: expected a number, found "2"'],
      [{ ...x, heads: undefined }, 'heads', 'heads: expected a number, found nothing'],
      [{ ...x, kvHeads: '2' }, 'kvHeads', 'kvHeads: expected a number, found "2"'],
      [{ ...x, version: 2 }, 'version', 'version: expected 1, found 2'],
      [{ ...x, dtype: 'f64' }, 'dtype', 'dtype: expected "float64" or "float32" or "float16" or "bfloat16", found "f64"'],
      [{ ...x, convention: 1 }, 'convention', 'convention: expected "XW" or "XWT", found 1'],
      [{ ...x, scale: 'half' }, 'scale', 'scale: expected "sqrt_d_k" or "none" or "sqrt_d_model", found "half"'],
      [{ ...x, scale: { divideBy: '2' } }, 'scale.divideBy', 'scale.divideBy: expected a number, found "2"'],
      [{ ...x, mask: 'all' }, 'mask', 'mask: expected "none" or "causal", found "all"'],
      [{ ...x, mask: null }, 'mask', 'mask: expected "none" or "causal", found null'],
      [{ ...x, mask: [] }, 'mask', 'mask: expected an object, found an array of 0'],
      [{ ...x, mask: { kind: 'all' } }, 'mask.kind', 'mask.kind: expected "causal" or "padding" or "window" or "boolean" or "additive", found "all"'],
      [{ ...x, mask: { kind: 'toString' } }, 'mask.kind', 'mask.kind: expected "causal" or "padding" or "window" or "boolean" or "additive", found "toString"'],
      [{ ...x, mask: { kind: 'causal', alignment: 'middle' } }, 'mask.alignment', 'mask.alignment: expected "start" or "end", found "middle"'],
      [{ ...x, mask: { kind: 'window', size: 1, causal: 'no' } }, 'mask.causal', 'mask.causal: expected true or false, found "no"'],
      [{ ...x, mask: { kind: 'boolean', values: ones(2, 2), trueMeans: 'yes' } }, 'mask.trueMeans', 'mask.trueMeans: expected "hidden" or "visible", found "yes"'],
      [{ ...x, maskFill: Infinity }, 'maskFill', 'maskFill: expected "-inf" or "min", found Infinity'],
      [{ ...x, maskFill: 'inf' }, 'maskFill', 'maskFill: expected "-inf" or "min", found "inf"'],
      [{ ...x, fullyMasked: 0 }, 'fullyMasked', 'fullyMasked: expected "nan" or "zero", found 0'],
      [{ ...x, labels: { queries: ['a', 1] } }, 'labels.queries', 'labels.queries: expected a list of texts, found an array of 2'],
      [{ ...x, labels: { keys: 'ab' } }, 'labels.keys', 'labels.keys: expected a list of texts, found "ab"'],
      [{ ...x, positions: 'rope' }, 'positions', 'positions: expected "none" or "sinusoidal-interleaved" or "sinusoidal-concatenated" or "learned-random" or "rope-interleaved" or "rope-half" or "alibi", found "rope"'],
      [{ ...x, projections: { from: 'random', dK: 1, dV: 1, bias: 1 } }, 'projections.bias', 'projections.bias: expected true or false, found 1'],
      [{ ...x, projections: { from: 'given', wq: ones(4, 4), wk: ones(4, 4), wv: ones(4, 4), bq: 3 } }, 'projections.bq', 'projections.bq: expected a list of numbers, found 3'],
      [{ ...x, outputProjection: { from: 'random', bias: 1 } }, 'outputProjection.bias', 'outputProjection.bias: expected true or false, found 1'],
      [{ ...text, start: { from: 'ids', ids: [1, 'a'] } }, 'start.ids[1]', `start.ids[1]: ${number}, found "a"`],
      [{ ...text, start: { ...text.start, text: 3 } }, 'start.text', 'start.text: expected a text, found 3'],
    ]; // prettier-ignore
    for (const [spec, path, message] of cases) refused(spec, [path, message]);
    assert.deepEqual(said(null), [['', 'spec: expected an object, found null']]);
    assert.deepEqual(said([1]), [['', 'spec: expected an object, found an array of 1']]);
  });

  it('are shown by their first 40 characters', () => {
    const shown = (name: string): string => said({ ...x, dtype: name })[0]?.[1].split(' found ')[1] ?? '';
    assert.equal(shown('a'.repeat(38)), `"${'a'.repeat(38)}"`);
    assert.equal(shown('a'.repeat(39)), `"${'a'.repeat(39)}…`);
  });

  it('named by a field that there is not, with the one that was meant', () => {
    refused({ ...x, Head: 1 }, ['Head', 'Head: unknown field', 'Did you mean heads?']);
    refused({ ...x, mask: { kind: 'padding', visible: 1, qqqqqqq: 1 } }, ['mask.qqqqqqq', 'mask.qqqqqqq: unknown field', 'Known fields: kind, visible.']); // prettier-ignore
    refused({ ...x, labels: { key: [] } }, ['labels.key', 'labels.key: unknown field', 'Did you mean keys?']);
  });

  it('are named a hundred times, and nested a text of 200 characters deep', () => {
    const rows = (count: number): Fields => ({ ...x, start: { from: 'x', x: Array<number>(count).fill(1) } });
    assert.deepEqual([99, 100, 101, 300].map((count) => problemsOf(rows(count)).length), [99, 100, 100, 100]); // prettier-ignore
    const ids = (count: number): Fields => ({ ...text, start: { from: 'ids', ids: Array<number>(count).fill(-1) } });
    assert.deepEqual([99, 100, 101, 300].map((count) => problemsOf(ids(count)).length), [99, 100, 100, 100]); // prettier-ignore
    // Every level adds `[0]` to `start.x`: at 64 of them a path has 199 characters, and below it there may be a matrix for each of a list.
    const nested = (levels: number): unknown => (levels ? [nested(levels - 1)] : 1);
    const last = (levels: number): string => said({ ...x, start: { from: 'x', x: nested(levels) } })[0]?.[1] ?? '';
    assert.equal(last(67), 'start.x has 67 dimensions, expected 2 to 3');
    assert.match(last(68), /: nested too deeply$/);
  });

  it('seeds are whole numbers, in digits where they are long', () => {
    const seeded = (seed: unknown): Fields => ({ ...text, random: { generator: 'torch', seed } });
    for (const seed of [3, '3', '-3']) fits(seeded(seed));
    const kind = 'random.seed: expected a number, or decimal digits in a text, found ';
    for (const seed of ['', '1.5', '1e3', '- 1', 'a1', '1a', true, null, '1'.repeat(1001)])
      assert.ok(said(seeded(seed))[0]?.[1].startsWith(kind), String(seed));
    assert.ok(!said(seeded('1'.repeat(1000)))[0]?.[1].startsWith(kind));
    refused(seeded(1.5), ['random.seed', 'seed 1.5: must be an integer']);
  });
});

describe('pieces of a text', () => {
  const cut = (pieces: unknown, tokenizer: unknown = 'gpt2'): Fields => ({ ...text, start: { from: 'text', text: 'The cat', tokenizer, pieces } }); // prettier-ignore
  it('are ranges in the order of the text, each with an id', () => {
    fits(cut([[464, 0, 3], [3797, 3, 7]])); // prettier-ignore
    fits(cut([[1_000_000, 0, 7]]));
    fits(cut([[0, 0, 0, '[CLS]', true], [1, 0, 3, '', true], [2, 0, 7, 'x']])); // prettier-ignore
    const cases: readonly [unknown, string, string][] = [
      [[[1_000_001, 0, 3]], '[0]', 'id 1000001, expected a whole number from 0 to 1000000'],
      [[[-1, 0, 3]], '[0]', 'id -1, expected a whole number from 0 to 1000000'],
      [[[0.5, 0, 3]], '[0]', 'id 0.5, expected a whole number from 0 to 1000000'],
      [[[1, 3, 2]], '[0]', 'from 3 to 2 is no range'],
      [[[1, -1, 2]], '[0]', 'from -1 to 2 is no range'],
      [[[1, 0, 0.5]], '[0]', 'from 0 to 0.5 is no range'],
      [[[1, 0, 3], [2, 3, 8]], '[1]', 'ends at 8, the text at 7'], // prettier-ignore
      [[[1, 2, 3], [2, 1, 7]], '[1]', 'begins at 1, before the piece before it, at 2'], // prettier-ignore
    ];
    for (const [pieces, at, message] of cases) refused(cut(pieces), [`start.pieces${at}`, `start.pieces${at}: ${message}`]); // prettier-ignore
  });

  it('have three to five fields', () => {
    const bad = [[0, 0], [0, 0, '3'], [0, 0, 3, 5], [0, 0, 3, 'x', false], [0, 0, 3, 'x', true, 1], 'x'];
    for (const piece of bad)
      assert.match(said(cut([[0, 0, 3], piece]))[0]?.[1] ?? '', /^start\.pieces\[1\]: expected \[id, start, end, written\?, special\?\], found /, JSON.stringify(piece)); // prettier-ignore
    for (const none of [[], 'x'])
      assert.match(said(cut(none))[0]?.[1] ?? '', /^start\.pieces: expected pieces, found /);
    assert.match(
      said(cut([[0, 0, 3]], 'words'))[0]?.[1] ?? '',
      /^start\.pieces: expected no pieces: nothing decides them/,
    );
    refused(cut([[0, 0, 3]], 'word'), ['start.tokenizer', 'start.tokenizer: expected "words" or "characters" or "bytes" or "gpt2" or "cl100k_base" or "o200k_base", found "word"']); // prettier-ignore
  });
});

describe('shapes that do not fit', () => {
  const from = (start: Fields, more: Fields = {}): Fields => ({ ...matrixDefaults, start, ...more });

  it('have one length in each dimension, and as many dimensions as the input may have', () => {
    const given = (value: unknown): Fields => from({ from: 'qkv', q: value, k: ones(2, 2) });
    const first = (spec: Fields): Said | undefined => said(spec)[0];
    assert.deepEqual(first(given([])), ['start.q', 'start.q is empty']);
    assert.deepEqual(first(given([[]])), ['start.q', 'start.q is empty']);
    assert.deepEqual(first(given([[1, 2], [1]])), ['start.q', 'start.q: row 2 has 1 number, row 1 has 2']); // prettier-ignore
    assert.deepEqual(first(given([[[1, 2]], [[1]]])), ['start.q[1]', 'start.q[1]: row 1 has 1 number, the rows before have 2']); // prettier-ignore
    assert.deepEqual(first(given(ones(1, 1, 1, 1, 1))), ['start.q', 'start.q has 5 dimensions, expected 2 to 4']);
    assert.deepEqual(first(from({ from: 'x', x: ones(1, 1, 1, 1) })), ['start.x', 'start.x has 4 dimensions, expected 2 to 3']); // prettier-ignore
    fits(from({ from: 'x', x: ones(1, 1, 1) }));
    fits(from({ from: 'qkv', q: ones(1, 1, 1, 1), k: ones(1, 1, 1, 1) }));
    // A matrix of weights has two.
    const table = { from: 'given', table: ones(20, 3) };
    fits({ ...text, start: { from: 'ids', ids: [19] }, embedding: table });
    refused({ ...text, start: { from: 'ids', ids: [1, 20, 3] }, embedding: table }, ['start.ids', 'id 20 is outside of the table, which has 20 rows']); // prettier-ignore
    refused({ ...text, embedding: { from: 'given', table: ones(1, 3) } }, ['start.text', 'id 1 is outside of the table, which has 1 row']); // prettier-ignore
    assert.deepEqual(first({ ...text, start: { from: 'ids', ids: [] } }), ['start.ids', 'start.ids is empty']);
  });

  it('rows of another length, a hundred of them', () => {
    const ragged = (count: number): Fields => ({ ...x, start: { from: 'x', x: [[1, 1, 1, 1], ...Array.from({ length: count }, () => [1])] } }); // prettier-ignore
    assert.deepEqual([99, 100, 101, 300].map((count) => problemsOf(ragged(count)).length), [99, 100, 100, 100]); // prettier-ignore
  });

  it('a table: a row for each id, as wide as the projections take', () => {
    const table = (rows: number, columns: number, width: number): Fields => ({
      ...text, start: { from: 'ids', ids: [0, 2] }, embedding: { from: 'given', table: ones(rows, columns) }, projections: { from: 'given', wq: ones(width, 4), wk: ones(width, 4), wv: ones(width, 4) },
    }); // prettier-ignore
    fits(table(3, 6, 6));
    refused(table(2, 6, 6), ['start.ids', 'id 2 is outside of the table, which has 2 rows']);
    assert.deepEqual(said(table(3, 6, 3)).map(([path]) => path), ['projections.wq', 'projections.wk', 'projections.wv']); // prettier-ignore
  });

  it('queries, keys and values', () => {
    const hint = (q: string, k: string): string => `QKᵀ needs the same d_k in both: Q is ${q}, K is ${k}.`;
    refused(from({ from: 'qkv', q: ones(2, 4), k: ones(3, 1) }), ['start.k', 'K has 1 column, Q has 4', hint('2×4', '3×1')]); // prettier-ignore
    refused(from({ from: 'qkv', q: ones(2, 4), k: ones(3, 4), v: ones(2, 4) }), ['start.v', 'V has 2 rows, K has 3', 'Each key needs its value: K is 3×4, V is 2×4.']); // prettier-ignore
    // Heads cut columns where there are no dimensions for them: 6 = 3·2 for Q, 2 = 1·2 for K.
    fits(from({ from: 'qkv', q: ones(2, 6), k: ones(3, 2), v: ones(3, 5) }, { heads: 3, kvHeads: 1 }));
    fits(from({ from: 'qkv', q: ones(3, 2, 2), k: ones(1, 4, 2), v: ones(1, 4, 5) }, { heads: 3, kvHeads: 1 }));
    refused(from({ from: 'qkv', q: ones(2, 6), k: ones(3, 6), v: ones(3, 5) }, { heads: 3 }), ['start.v', 'V has 5 columns, which 3 heads do not share evenly']); // prettier-ignore
    refused(from({ from: 'qkv', q: ones(2, 2, 2), k: ones(3, 3, 2) }, { heads: 3 }), ['start.q', 'Q is 2×2×2, expected 3 as its number of heads, found 2']); // prettier-ignore
    refused(from({ from: 'qkv', q: ones(2, 3, 2, 2), k: ones(3, 3, 2, 2) }, { heads: 3 }), ['start.k', 'start.k is 3×3×2×2, start.q is 2×3×2×2', 'Both need the same batches: the first of their dimensions.']); // prettier-ignore
    refused(from({ from: 'qkv', q: ones(2, 3, 2, 2), k: ones(3, 2, 2) }, { heads: 3 }), ['start.k', 'start.k is 3×2×2, start.q is 2×3×2×2', 'Both need the same batches: the first of their dimensions.']); // prettier-ignore
    refused(from({ from: 'qkv', q: ones(2, 3, 2, 2), k: ones(2, 3, 2, 2), v: ones(1, 3, 2, 2) }, { heads: 3 }), ['start.v', 'start.v is 1×3×2×2, start.q is 2×3×2×2', 'Both need the same batches: the first of their dimensions.']); // prettier-ignore
  });

  it('scores and weights, a matrix for each head', () => {
    for (const [name, more] of [
      ['scores', { dK: 1 }],
      ['weights', {}],
    ] as const) {
      const path = `start.${name}`;
      const given = (values: unknown, v: unknown = ones(3, 4)): Fields => ({ from: name, [name]: values, v, ...more });
      fits(from(given(ones(2, 2, 3)), { heads: 2 }));
      refused(from(given(ones(2, 3)), { heads: 2 }), [path, `${path} is 2×3, expected a matrix for each of 2 heads`]);
      refused(from(given(ones(3, 2, 3)), { heads: 2 }), [path, `${path} is 3×2×3, expected a matrix for each of 2 heads`]); // prettier-ignore
      refused(from(given(ones(2, 3), ones(2, 4))), ['start.v', `V has 2 rows, ${path} has 3 columns`, 'Each key needs its value.']); // prettier-ignore
      refused(from(given(ones(2, 2, 3), ones(3, 3)), { heads: 2 }), ['start.v', 'V has 3 columns, which 2 heads do not share evenly']); // prettier-ignore
      refused(from(given(ones(5, 2, 2, 3), ones(4, 2, 3, 3)), { heads: 2 }), ['start.v', `start.v is 4×2×3×3, ${path} is 5×2×2×3`, 'Both need the same batches: the first of their dimensions.']); // prettier-ignore
    }
  });

  it('X as its own queries, keys and values', () => {
    fits({ ...x, heads: 4 });
    refused({ ...x, heads: 3 }, ['heads', '3 heads do not share 4 columns of X evenly']);
    refused({ ...x, heads: 2, kvHeads: 1 }, ['kvHeads', 'Q = K = V = X leaves as many key heads as query heads']);
    refused(from({ from: 'x', x: ones(2, 4), context: ones(3, 5) }), ['start.context', 'the context has 5 columns, X has 4', 'Without projections both need the same d_model.']); // prettier-ignore
    fits(from({ from: 'x', x: ones(5, 2, 4), context: ones(5, 3, 4) }));
    refused(from({ from: 'x', x: ones(5, 2, 4), context: ones(3, 4) }), ['start.context', 'start.context is 3×4, start.x is 5×2×4', 'Both need the same batches: the first of their dimensions.']); // prettier-ignore
    refused(from({ from: 'x', x: ones(5, 2, 4), context: ones(4, 3, 4) }), ['start.context', 'start.context is 4×3×4, start.x is 5×2×4', 'Both need the same batches: the first of their dimensions.']); // prettier-ignore
  });

  it('weights, in the convention that is said', () => {
    const given = (wq: unknown, wk: unknown, wv: unknown, more: Fields = {}): Fields => ({ projections: { from: 'given', wq, wk, wv, ...more } }); // prettier-ignore
    fits({ ...x, ...given(ones(4, 2), ones(4, 2), ones(4, 3), { bq: [1, 1], bk: [1, 1], bv: [1, 1, 1] }) });
    fits({ ...x, ...given(ones(2, 4), ones(2, 4), ones(3, 4)), convention: 'XWT' });
    refused({ ...x, ...given(ones(2, 4), ones(4, 4), ones(4, 4)) }, ['projections.wq', 'W_q is 2×4, X·W needs 4×d because X has 4 columns', 'X·Wᵀ would fit: switch the convention.']); // prettier-ignore
    refused({ ...x, ...given(ones(4, 3), ones(4, 3), ones(5, 6)) }, ['projections.wv', 'W_v is 5×6, X·W needs 4×d because X has 4 columns', 'Neither X·W nor X·Wᵀ fits.']); // prettier-ignore
    refused({ ...x, ...given(ones(2, 4), ones(2, 4), ones(4, 3)), convention: 'XWT' }, ['projections.wv', 'W_v is 4×3, X·Wᵀ needs d×4 because X has 4 columns', 'X·W would fit: switch the convention.']); // prettier-ignore
    const across = from({ from: 'x', x: ones(2, 4), context: ones(3, 1) });
    fits({ ...across, ...given(ones(4, 2), ones(1, 2), ones(1, 3)) });
    refused({ ...across, ...given(ones(4, 2), ones(4, 2), ones(1, 3)) }, ['projections.wk', 'W_k is 4×2, X·W needs 1×d because the context has 1 column', 'Neither X·W nor X·Wᵀ fits.']); // prettier-ignore
    refused({ ...x, ...given(ones(4, 2), ones(4, 3), ones(4, 3)) }, ['projections.wk', 'W_k gives keys of width 3, W_q gives queries of width 2', 'QKᵀ needs the same d_k in both.']); // prettier-ignore
    refused({ ...x, ...given(ones(4, 2), ones(4, 2), ones(4, 3), { bq: [1], bv: [1, 1] }) },
      ['projections.bq', 'projections.bq has 1 number, expected 2'], ['projections.bv', 'projections.bv has 2 numbers, expected 3']); // prettier-ignore
    fits({ ...x, heads: 4, kvHeads: 2, ...given(ones(4, 8), ones(4, 4), ones(4, 6)) });
    refused({ ...x, heads: 4, kvHeads: 2, ...given(ones(4, 8), ones(4, 4), ones(4, 5)) }, ['projections.wv', 'W_v gives 5 columns, which 2 heads do not share evenly']); // prettier-ignore
    assert.deepEqual(said({ ...x, heads: 4, ...given(ones(4, 6), ones(4, 4), ones(4, 4)) })[0], ['projections.wq', 'W_q gives 6 columns, which 4 heads do not share evenly']); // prettier-ignore
  });

  it('rotations and sines of pairs of columns', () => {
    const rope = ['positions', 'rotations need an even d_k, found 3', 'Columns are rotated in pairs.'] as const;
    for (const positions of ['rope-half', 'rope-interleaved']) {
      refused({ ...text, positions, projections: { from: 'random', dK: 3, dV: 3 } }, rope);
      fits({ ...text, positions, projections: { from: 'random', dK: 2, dV: 3 } });
      refused(from({ from: 'qkv', q: ones(1, 6), k: ones(1, 6) }, { positions, heads: 2 }), rope);
      refused(from({ from: 'x', x: ones(1, 6) }, { positions, heads: 2 }), rope);
      refused({ ...from({ from: 'x', x: ones(1, 2) }, { positions }), projections: { from: 'given', wq: ones(2, 3), wk: ones(2, 3), wv: ones(2, 2) } }, rope); // prettier-ignore
    }
    for (const positions of ['sinusoidal-interleaved', 'learned-random', 'alibi', 'none']) fits({ ...text, positions, dModel: 5, projections: { from: 'random', dK: 3, dV: 3 } }); // prettier-ignore
    refused({ ...text, positions: 'sinusoidal-concatenated', dModel: 5 }, ['positions', 'concatenated positions need an even d_model, found 5', 'Half of the columns are sines, half are cosines.']); // prettier-ignore
    fits({ ...text, positions: 'sinusoidal-concatenated', dModel: 6 });
  });

  it('given positions: a row for each of X', () => {
    const learned = (...shape: number[]): Fields => ({ positions: { learned: ones(...shape) } });
    fits({ ...x, ...learned(2, 4) });
    refused({ ...x, ...learned(3, 4) }, ['positions.learned', 'positions are 3×4, X is 2×4']);
    refused({ ...x, ...learned(2, 5) }, ['positions.learned', 'positions are 2×5, X is 2×4']);
    fits({ ...text, dModel: 4, ...learned(2, 4) });
    refused({ ...text, dModel: 4, ...learned(3, 4) }, ['positions.learned', 'positions are 3×4, X is 2×4']);
    refused({ ...text, dModel: 4, start: { from: 'ids', ids: [7, 7, 7] }, ...learned(2, 4) }, ['positions.learned', 'positions are 2×4, X is 3×4']); // prettier-ignore
    // Before a vocabulary has cut the text nobody knows its rows.
    fits({ ...text, dModel: 4, start: { ...text.start, tokenizer: 'gpt2' }, ...learned(9, 4) });
  });

  it('masks: each axis is 1, or that of the scores', () => {
    const mask = (...shape: number[]): Fields => ({ mask: { kind: 'additive', values: ones(...shape) } });
    const hint = 'Each of its axes is 1, or as large as that of the scores.';
    for (const shape of [[2, 3], [1, 3], [2, 1], [1, 1]]) fits({ ...qkv, ...mask(...shape) }); // prettier-ignore
    for (const shape of [[3, 2], [2, 2], [3, 3]]) refused({ ...qkv, ...mask(...shape) }, ['mask.values', `the mask is ${shape.join('×')}, the scores are 2×3`, hint]); // prettier-ignore
    refused({ ...qkv, ...mask(1, 2, 3) }, ['mask.values', 'the mask is 1×2×3, the scores are 2×3', hint]);
    const heads = from({ from: 'qkv', q: ones(5, 2, 2, 4), k: ones(5, 2, 3, 4) }, { heads: 2 });
    for (const shape of [[5, 2, 2, 3], [5, 1, 1, 3], [2, 2, 3], [1, 2, 1], [2, 3]]) fits({ ...heads, ...mask(...shape) }); // prettier-ignore
    for (const shape of [[5, 2, 3], [4, 2, 2, 3], [5, 3, 2, 3]]) refused({ ...heads, ...mask(...shape) }, ['mask.values', `the mask is ${shape.join('×')}, the scores are 5×2×2×3`, hint]); // prettier-ignore
    for (const [spec, rows] of [[{ ...x, heads: 2 }, 2], [{ ...text, heads: 2 }, 2], [{ ...text, heads: 2, start: { from: 'ids', ids: [1, 2, 3] } }, 3]] as const) {
      fits({ ...spec, ...mask(2, rows, rows) });
      refused({ ...spec, ...mask(3, rows, rows) }, ['mask.values', `the mask is 3×${rows}×${rows}, the scores are 2×${rows}×${rows}`, hint]);
    } // prettier-ignore
    refused({ ...scores, ...mask(3, 3) }, ['mask.values', 'the mask is 3×3, the scores are 2×3', hint]);
    refused({ ...from({ from: 'x', x: ones(5, 2, 4) }), ...mask(4, 2, 2) }, ['mask.values', 'the mask is 4×2×2, the scores are 5×2×2', hint]); // prettier-ignore
  });

  it('names: one for each row', () => {
    const named = (queries: number, keys: number): Fields => ({ labels: { queries: Array<string>(queries).fill('a'), keys: Array<string>(keys).fill('b') } }); // prettier-ignore
    const across = from({ from: 'x', x: ones(2, 4), context: ones(3, 4) });
    for (const spec of [qkv, scores, weights, across]) {
      fits({ ...spec, ...named(2, 3) });
      refused({ ...spec, ...named(1, 4) }, ['labels.queries', 'labels.queries has 1 name, expected 2'], ['labels.keys', 'labels.keys has 4 names, expected 3']); // prettier-ignore
    }
    refused({ ...x, ...named(3, 2) }, ['labels.queries', 'labels.queries has 3 names, expected 2']);
    fits({ ...text, ...named(9, 9) });
    fits({ ...text, start: { from: 'ids', ids: [1] }, ...named(9, 9) });
  });

  it('W_O beside the joined heads', () => {
    const wo = (rows: number, columns: number, bo?: number): Fields => ({ outputProjection: { from: 'given', wo: ones(rows, columns), ...(bo ? { bo: ones(bo) } : {}) } }); // prettier-ignore
    const unfit = (found: string, needs: string, width: number, hint: string): Said => ['outputProjection.wo', `W_O is ${found}, ${needs} because the heads have ${width} columns together`, hint]; // prettier-ignore
    const neither = 'h·d_v must be one side of W_O.';
    fits({ ...qkv, ...wo(4, 7, 7) });
    fits({ ...qkv, ...wo(7, 4, 7), convention: 'XWT' });
    refused({ ...qkv, ...wo(7, 4) }, unfit('7×4', 'O·W needs 4×d', 4, 'O·Wᵀ would fit: switch the convention.'));
    refused({ ...qkv, ...wo(4, 7), convention: 'XWT' }, unfit('4×7', 'O·Wᵀ needs d×4', 4, 'O·W would fit: switch the convention.')); // prettier-ignore
    refused({ ...qkv, ...wo(5, 7) }, unfit('5×7', 'O·W needs 4×d', 4, neither));
    refused({ ...qkv, ...wo(4, 7, 4) }, ['outputProjection.bo', 'outputProjection.bo has 4 numbers, expected 7']);
    // h·d_v: 3 heads that share one of 5 columns; 4 heads on 2 of 3 columns each; what random weights have; X's own width.
    fits({
      ...from({ from: 'qkv', q: ones(2, 6), k: ones(3, 2), v: ones(3, 5) }, { heads: 3, kvHeads: 1 }),
      ...wo(15, 2),
    });
    fits({ ...from({ from: 'qkv', q: ones(3, 2, 2), k: ones(1, 4, 2), v: ones(1, 4, 5) }, { heads: 3, kvHeads: 1 }), ...wo(15, 2) }); // prettier-ignore
    fits({ ...x, heads: 4, kvHeads: 2, projections: { from: 'given', wq: ones(4, 8), wk: ones(4, 4), wv: ones(4, 6) }, ...wo(12, 2) }); // prettier-ignore
    fits({ ...x, heads: 4, kvHeads: 2, convention: 'XWT', projections: { from: 'given', wq: ones(8, 4), wk: ones(4, 4), wv: ones(6, 4) }, ...wo(2, 12) }); // prettier-ignore
    fits({ ...text, heads: 3, projections: { from: 'random', dK: 2, dV: 5 }, ...wo(15, 2) });
    fits({ ...x, ...wo(4, 2) });
    fits({ ...text, dModel: 6, projections: { from: 'none' }, ...wo(6, 2) });
    fits({ ...text, dModel: 6, projections: { from: 'none' }, embedding: { from: 'given', table: ones(2, 3) }, ...wo(3, 2) }); // prettier-ignore
    fits({ ...scores, start: { from: 'scores', scores: ones(2, 3), dK: 4 }, ...wo(9, 2) });
    refused({ ...scores, ...wo(9, 2) }, unfit('9×2', 'O·W needs 4×d', 4, neither));
    refused({ ...weights, ...wo(9, 2) }, unfit('9×2', 'O·W needs 4×d', 4, neither));
    // Before everything else fits nothing is said of it.
    refused({ ...x, heads: 3, ...wo(9, 2) }, ['heads', '3 heads do not share 4 columns of X evenly']);
  });
});

describe('steps of a program', () => {
  const own = { name: 'a', role: 'x' };
  const step = (id: string, op: string, more: object): Fields => ({ ...own, id, op, ...more });
  const given = (id: string, ...shape: readonly number[]): Fields => step(id, 'given', { values: ones(...shape) });
  const program = (...steps: readonly Fields[]): Fields => ({
    ...matrixDefaults, scale: 'none', projections: { from: 'none' }, start: { from: 'program', steps, tokens: { queries: 2, keys: 2 }, dtype: 'float64' },
  }); // prettier-ignore
  const a = given('a', 2, 2);
  const then = (op: string, more: object): Fields => program(a, step('b', op, { operands: ['a'], ...more }));

  it('take as many steps before them as their operation has', () => {
    const binary = { matmul: { transposeB: true }, add: {}, combine: { sign: '×' }, mask: { fill: '-inf' } };
    for (const [op, fields] of Object.entries(binary)) {
      fits(program(a, given('h', 2, 2), step('b', op, { ...fields, operands: ['a', 'h'] })));
      refused(then(op, fields), ['start.steps[1].operands', 'start.steps[1].operands: expected 2 names, found 1']);
    }
    fits(then('softmax', {}));
    refused(then('softmax', { operands: ['a', 'a'] }), ['start.steps[1].operands', 'start.steps[1].operands: expected 1 name, found 2']); // prettier-ignore
    refused(then('softmax', { operands: ['b'] }), ['start.steps[1].operands', 'start.steps[1].operands: no step b before it']); // prettier-ignore
  });

  it('have a name of their own, a letter and at most 40 more signs', () => {
    fits(program(given(`a${'1'.repeat(40)}`, 2, 2)));
    for (const id of ['', '1a', 'a b', `a${'1'.repeat(41)}`])
      refused(program(given(id, 2, 2)), ['start.steps[0].id', `start.steps[0].id: expected letters and digits, found ${id}`]); // prettier-ignore
    refused(program(a, a), ['start.steps[1].id', 'start.steps[1].id: a is there twice']);
  });

  it('are 1 to 400, and give 2²⁰ numbers', () => {
    refused(program(), ['start.steps', 'start.steps is empty']);
    const steps = Array.from({ length: 401 }, (_, i) => given(`a${i}`, 1, 1));
    fits(program(...steps.slice(0, 400)));
    refused(program(...steps), ['start.steps', 'the program has 401 steps, the limit is 400']);
    fits(program(given('a', 1024, 512), given('b', 512, 1024)));
    refused(program(given('a', 1024, 512), given('b', 513, 1024)), ['start.steps', 'the program gives 1049600 numbers, the limit is 1048576']); // prettier-ignore
  });

  it('have queries and keys, heads and repetitions within limits', () => {
    const whole = (path: string, n: number, most: number): Said => [path, `${path} is ${n}, expected a whole number from 1 to ${most}`]; // prettier-ignore
    const sized = (queries: number, keys: number): Fields => ({ ...program(), start: { from: 'program', steps: [a], tokens: { queries, keys }, dtype: 'float64' } }); // prettier-ignore
    fits(sized(1, 2 ** 20));
    refused(sized(0, 1), whole('start.tokens.queries', 0, 2 ** 20));
    refused(sized(1, 2 ** 20 + 1), whole('start.tokens.keys', 2 ** 20 + 1, 2 ** 20));
    for (const n of [1, 256]) fits(then('splitHeads', { heads: n }));
    for (const n of [0, 257]) refused(then('splitHeads', { heads: n }), whole('start.steps[1].heads', n, 256));
    for (const n of [1, 256]) fits(then('repeatHeads', { times: n }));
    for (const n of [0, 257]) refused(then('repeatHeads', { times: n }), whole('start.steps[1].times', n, 256));
  });

  it('stand at a start and an end of the text', () => {
    fits(program({ ...a, range: [0, 4] }));
    for (const range of [[0], [0, 4, 5], [0, 4.5]])
      assert.equal(
        said(program({ ...a, range }))
          .at(-1)?.[0]
          .startsWith('start.steps[0].range'),
        true,
        range.join(),
      );
    refused(program({ ...a, range: [0] }), ['start.steps[0].range', 'start.steps[0].range: expected a start and an end']); // prettier-ignore
  });

  it('pick a place for each cell of 2 to 4 dimensions', () => {
    const picked = 'start.steps[1]: expected 2 to 4 whole sizes and a place for each cell';
    const pick = (shape: number[], places: number[]): Fields => then('pick', { shape, places });
    fits(pick([1, 2], [0, 3]));
    fits(pick([1, 1, 1, 2], [0, 3]));
    for (const [shape, places] of [
      [[2], [0, 3]],
      [
        [1, 1, 1, 1, 2],
        [0, 3],
      ],
      [[1, 2], [0]],
      [[2, 2], [0]],
      [
        [1, 2],
        [0, -1],
      ],
      [
        [-1, -2],
        [0, 1],
      ],
      [[0, 2], []],
    ] as const)
      // prettier-ignore
      refused(pick([...shape], [...places]), ['start.steps[1]', picked]);
  });

  it('view 2 to 4 dimensions by as many strides', () => {
    const viewed = 'start.steps[1]: expected 2 to 4 whole sizes and as many strides';
    const view = (shape: readonly number[], strides: readonly number[], offset = 0): Fields => then('rearrange', { shape, strides, offset }); // prettier-ignore
    fits(view([2, 2], [1, 2]));
    fits(view([1, 1, 2, 2], [0, 0, 1, -2], 2));
    fits(view([1024, 1024], [0, 0]));
    const bad = [[[4], [1]], [[1, 1, 1, 2, 2], [0, 0, 0, 2, 1]], [[2, 2], [1]], [[0, 2], [1, 2]], [[-1, 2], [1, 2]], [[1024, 1025], [0, 0]], [[2, 2], [1, 2 ** 20 + 1]]] as const; // prettier-ignore
    for (const [shape, strides] of bad) refused(view(shape, strides), ['start.steps[1]', viewed]);
    refused(view([2, 2], [1, 2], -1), ['start.steps[1]', viewed]);
  });

  it('hide by a number, an infinity or NaN', () => {
    const masked = (fill: unknown): Fields => program(a, given('h', 2, 2), step('b', 'mask', { operands: ['a', 'h'], fill })); // prettier-ignore
    for (const fill of [-1e9, 0, '-inf', 'inf', 'nan', '-0']) fits(masked(fill));
    for (const fill of ['', 'Inf', null]) assert.equal(said(masked(fill))[0]?.[0], 'start.steps[2].fill', String(fill));
  });
});

describe('numbers that JSON lacks', () => {
  it('are words, in rows of row-major values', () =>
    assert.deepEqual(encodeMatrix([2, 3], [1, NaN, Infinity, -Infinity, -0, 6]), [
      [1, 'nan', 'inf'],
      ['-inf', '-0', 6],
    ]));

  it('are read as those numbers', () => {
    assert.deepEqual(([2.5, 'nan', 'inf', '-inf', '-0'] as const).map(decodeNumber), [
      2.5,
      NaN,
      Infinity,
      -Infinity,
      -0,
    ]);
  });

  it('may stand in a matrix', () => fits({ ...x, start: { from: 'x', x: [['inf', '-inf', 'nan', '-0']] } }));
});

describe('gains of a norm', () => {
  const ofHeads = (over: string, gq: number, gk: number): Fields => ({
    ...qkv, heads: 2, kvHeads: 1, start: { from: 'qkv', q: ones(2, 8), k: ones(3, 4), v: ones(3, 4) }, qkNorm: { over, gq: ones(gq), gk: ones(gk) },
  }); // prettier-ignore

  it('are as many as a head has columns, or all of the query’s', () => {
    fits(ofHeads('head', 4, 4));
    fits(ofHeads('all', 8, 4));
    assert.deepEqual(said(ofHeads('head', 8, 4)).map(([path]) => path), ['qkNorm.gq']); // prettier-ignore
    assert.deepEqual(said(ofHeads('head', 4, 2)).map(([path]) => path), ['qkNorm.gk']); // prettier-ignore
    assert.deepEqual(said(ofHeads('all', 4, 4)).map(([path]) => path), ['qkNorm.gq']); // prettier-ignore
  });

  it('span all heads only where Q and K came whole', () => {
    const split = (heads: number): Fields => ({ ...qkv, heads, start: { from: 'qkv', q: ones(heads, 2, 4), k: ones(heads, 3, 4), v: ones(heads, 3, 4) }, qkNorm: { over: 'all' } }); // prettier-ignore
    fits(split(1));
    refused(split(2), ['qkNorm.over', 'qkNorm.over is "all", but Q and K came as one matrix for each head', 'Take "head", or give Q and K whole.']); // prettier-ignore
  });
});

describe('settings of a line', () => {
  it('change a field of their own, and nothing that every object has', () => {
    const spec = withSettings({ heads: 1 }, [{ path: 'a.b', value: 2 }, { path: '__proto__.taken', value: 3 }, { path: 'heads', value: 4 }]); // prettier-ignore
    assert.equal(JSON.stringify(spec), '{"heads":4,"a":{"b":2},"__proto__":{"taken":3}}');
    assert.equal('taken' in {}, false);
  });
});
