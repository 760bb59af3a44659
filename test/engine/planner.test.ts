import assert from 'node:assert/strict';
import { matrixDefaults, planOf, textDefaults, type AttentionSpec, type Plan, type Step } from '../../engine/index';

// What is computed, of what, in which shape, for each way to begin and each variant: by the definitions, step by step.

type Change = Partial<AttentionSpec>;

const ones = (rows: number, columns: number): number[][] => Array.from({ length: rows }, () => Array<number>(columns).fill(1)); // prettier-ignore
const text: AttentionSpec = { ...textDefaults, dModel: 6, projections: { from: 'random', dK: 2, dV: 3 }, start: { from: 'text', text: 'a b a', tokenizer: 'words' } }; // prettier-ignore
const ofX: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: ones(2, 4) } };
const across: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: ones(2, 4), context: ones(3, 4) } };
const qkv: AttentionSpec = { ...matrixDefaults, start: { from: 'qkv', q: ones(2, 4), k: ones(3, 4), v: ones(3, 6) } };
const scores: AttentionSpec = { ...matrixDefaults, start: { from: 'scores', scores: ones(2, 3), dK: 9 } };
const weights: AttentionSpec = { ...matrixDefaults, start: { from: 'weights', weights: ones(2, 3), v: ones(3, 5) } };

function planned(spec: AttentionSpec): Plan {
  const plan = planOf(spec);
  assert.ok(plan.ok, JSON.stringify(plan));
  return plan.value;
}

const numbered = (value: unknown): string => (typeof value === 'number' && !Number.isInteger(value) && Number.isFinite(value) ? value.toPrecision(5) : String(value)); // prettier-ignore

/** `scores matmul(q, k; transposeB true) 2×3` */
function line({ id, call, operands, shape }: Step): string {
  const { op, ...more } = call;
  const settings = Object.entries(more).filter(([name]) => name !== 'divideByLatex').map(([name, value]) => `${name} ${numbered(value)}`); // prettier-ignore
  const given = [operands.join(', '), settings.join(', ')].filter(Boolean).join('; ');
  return `${id} ${op}(${given}) ${shape.join('×')}`;
}

/** The steps that a change adds or alters, and those that it takes away. */
function changes(spec: AttentionSpec, change: Change): { more: string[]; less: string[] } {
  const [before, after] = [planned(spec), planned({ ...spec, ...change })].map(({ steps }) => steps.map(line));
  return { more: (after ?? []).filter((s) => !before?.includes(s)), less: (before ?? []).filter((s) => !after?.includes(s)) }; // prettier-ignore
}

const stepOf = (spec: AttentionSpec, id: string): Step => {
  const found = planned(spec).steps.find((step) => step.id === id);
  assert.ok(found, id);
  return found;
};

describe('the steps of a plan', () => {
  it('are those between where it begins and where it ends', () => {
    const ends = (n: number, m: number, by: string): string[] => [
      `scaled divide(scores; by ${by}) ${n}×${m}`,
      `masked identity(scaled) ${n}×${m}`,
      `weights softmax(masked; emptyRow nan) ${n}×${m}`,
    ];
    const cases: readonly [AttentionSpec, readonly string[]][] = [
      [text, [
        'tokens tokens(rows false) 3×1',
        'table random(divideBy 1) 2×6',
        'embedding lookup(table, tokens; column 0) 3×6',
        'positions sinusoidal(layout interleaved) 3×6',
        'x add(embedding, positions) 3×6',
        ...['wq 6×2', 'wk 6×2', 'wv 6×3'].map((w) => w.replace(' ', ' random(divideBy 2.4495) ')),
        'q matmul(x, wq; transposeB false) 3×2',
        'k matmul(x, wk; transposeB false) 3×2',
        'v matmul(x, wv; transposeB false) 3×3',
        'scores matmul(q, k; transposeB true) 3×3',
        ...ends(3, 3, '1.4142'),
        'output matmul(weights, v; transposeB false) 3×3',
      ]],
      [ofX, [
        'x given(path start.x) 2×4',
        'q identity(x) 2×4', 'k identity(x) 2×4', 'v identity(x) 2×4',
        'scores matmul(q, k; transposeB true) 2×2',
        ...ends(2, 2, '2'),
        'output matmul(weights, v; transposeB false) 2×4',
      ]],
      [across, [
        'x given(path start.x) 2×4', 'context given(path start.context) 3×4',
        'q identity(x) 2×4', 'k identity(context) 3×4', 'v identity(context) 3×4',
        'scores matmul(q, k; transposeB true) 2×3',
        ...ends(2, 3, '2'),
        'output matmul(weights, v; transposeB false) 2×4',
      ]],
      [qkv, [
        'q given(path start.q) 2×4', 'k given(path start.k) 3×4', 'v given(path start.v) 3×6',
        'scores matmul(q, k; transposeB true) 2×3',
        ...ends(2, 3, '2'),
        'output matmul(weights, v; transposeB false) 2×6',
      ]],
      [scores, ['scores given(path start.scores) 2×3', ...ends(2, 3, '3')]],
      [weights, ['v given(path start.v) 3×5', 'weights given(path start.weights) 2×3', 'output matmul(weights, v; transposeB false) 2×5']],
    ]; // prettier-ignore
    for (const [spec, expected] of cases) assert.deepEqual(planned(spec).steps.map(line), expected);
  });

  it('change with each field where it enters, and nowhere else', () => {
    const hidden = 'masked mask(scaled, mask; fill -Infinity) 2×3';
    const plainMask = ['masked identity(scaled) 2×3', 'weights softmax(masked; emptyRow nan) 2×3'];
    const softmax = 'weights softmax(masked, mask; emptyRow nan) 2×3';
    const pattern = (after: number, before: number, visible: number): string => `mask patternMask(after ${after}, before ${before}, visible ${visible}) 2×3`; // prettier-ignore
    const masked = (mask: AttentionSpec['mask'], by: string): [AttentionSpec, Change, string[], string[]] => [qkv, { mask }, [by, hidden, softmax], plainMask]; // prettier-ignore
    const cases: readonly [AttentionSpec, Change, readonly string[], readonly string[]][] = [
      [qkv, { scale: 'none' }, ['scaled identity(scores) 2×3'], ['scaled divide(scores; by 2) 2×3']],
      [qkv, { scale: { divideBy: -5 } }, ['scaled divide(scores; by -5) 2×3'], ['scaled divide(scores; by 2) 2×3']],
      [qkv, { scale: 'sqrt_d_model' }, ['scaled divide(scores; by 4) 2×3'], ['scaled divide(scores; by 2) 2×3']],
      [qkv, { scale: 'sqrt_d_model', dModel: 9 }, ['scaled divide(scores; by 3) 2×3'], ['scaled divide(scores; by 2) 2×3']],
      [text, { scale: 'sqrt_d_model' }, ['scaled divide(scores; by 2.4495) 3×3'], ['scaled divide(scores; by 1.4142) 3×3']],
      [qkv, { softcap: 7 }, ['capped softcap(scaled; cap 7) 2×3', 'masked identity(capped) 2×3'], ['masked identity(scaled) 2×3']],
      [qkv, { temperature: 7 }, ['tempered divide(scaled; by 7) 2×3', 'masked identity(tempered) 2×3'], ['masked identity(scaled) 2×3']],
      [qkv, { softcap: 7, temperature: 3 }, ['capped softcap(scaled; cap 7) 2×3', 'tempered divide(capped; by 3) 2×3', 'masked identity(tempered) 2×3'], ['masked identity(scaled) 2×3']],
      [qkv, { positions: 'alibi' }, ['alibi alibi() 2×3', 'biased add(scaled, alibi) 2×3', 'masked identity(biased) 2×3'], ['masked identity(scaled) 2×3']],
      [qkv, { positions: 'alibi', softcap: 7 }, ['alibi alibi() 2×3', 'biased add(scaled, alibi) 2×3', 'capped softcap(biased; cap 7) 2×3', 'masked identity(capped) 2×3'], ['masked identity(scaled) 2×3']],
      // Hidden: j − i > after, i − j > before, or j ≥ visible; of 2 queries and 3 keys n and m hide nothing.
      masked('causal', pattern(0, 2, 3)),
      masked({ kind: 'causal', alignment: 'start' }, pattern(0, 2, 3)),
      masked({ kind: 'causal', alignment: 'end' }, pattern(1, 2, 3)),
      masked({ kind: 'padding', visible: 1 }, pattern(3, 2, 1)),
      masked({ kind: 'window', size: 1, causal: false }, pattern(1, 1, 3)),
      masked({ kind: 'window', size: 1, causal: true }, pattern(0, 1, 3)),
      masked({ kind: 'boolean', values: ones(2, 3), trueMeans: 'hidden' }, 'mask givenMask(path mask.values, hiddenIs 1) 2×3'),
      masked({ kind: 'boolean', values: ones(1, 3), trueMeans: 'visible' }, 'mask givenMask(path mask.values, hiddenIs 0) 2×3'),
      [qkv, { mask: { kind: 'additive', values: ones(2, 3) } }, ['mask given(path mask.values) 2×3', 'masked add(scaled, mask) 2×3'], ['masked identity(scaled) 2×3']],
      [{ ...qkv, mask: 'causal' }, { maskFill: -1e9 }, ['masked mask(scaled, mask; fill -1000000000) 2×3'], [hidden]],
      // The lowest finite numbers: −(2 − 2⁻⁵²)·2¹⁰²³ and −(2 − 2⁻²³)·2¹²⁷.
      [{ ...qkv, mask: 'causal' }, { maskFill: 'min' }, ['masked mask(scaled, mask; fill -1.7976931348623157e+308) 2×3'], [hidden]],
      [{ ...qkv, mask: 'causal' }, { maskFill: 'min', dtype: 'float32' }, ['masked mask(scaled, mask; fill -3.4028234663852886e+38) 2×3'], [hidden]],
      [qkv, { fullyMasked: 'zero' }, ['weights softmax(masked; emptyRow zero) 2×3'], ['weights softmax(masked; emptyRow nan) 2×3']],
      [ofX, { positions: 'learned-random' }, ['given given(path start.x) 2×4', 'positions random(divideBy 1) 2×4', 'x add(given, positions) 2×4'], ['x given(path start.x) 2×4']],
      [ofX, { positions: { learned: ones(2, 4) } }, ['given given(path start.x) 2×4', 'positions given(path positions.learned) 2×4', 'x add(given, positions) 2×4'], ['x given(path start.x) 2×4']],
      [text, { positions: 'sinusoidal-concatenated' }, ['positions sinusoidal(layout concatenated) 3×6'], ['positions sinusoidal(layout interleaved) 3×6']],
      [text, { positions: 'none' }, ['x identity(embedding) 3×6'], ['positions sinusoidal(layout interleaved) 3×6', 'x add(embedding, positions) 3×6']],
      [text, { embedding: { from: 'given', table: ones(9, 6) } }, ['table given(path embedding.table) 9×6'], ['table random(divideBy 1) 2×6']],
      [text, { start: { from: 'ids', ids: [4, 0, 4] } }, ['table random(divideBy 1) 5×6'], ['table random(divideBy 1) 2×6']],
      // One byte of UTF-8 each: a random table reaches the largest, 0x7a.
      [text, { start: { from: 'text', text: 'abz', tokenizer: 'bytes' } }, ['table random(divideBy 1) 123×6'], ['table random(divideBy 1) 2×6']],
      [text, { start: { from: 'text', text: 'abz', tokenizer: 'characters' } }, ['table random(divideBy 1) 3×6'], ['table random(divideBy 1) 2×6']],
      [text, { start: { from: 'text', text: 'a b', tokenizer: 'gpt2', pieces: [[64, 0, 1], [275, 1, 2], [64, 2, 3]] } },
        ['tokens tokens(rows true) 3×2', 'embedding lookup(table, tokens; column 1) 3×6'], ['tokens tokens(rows false) 3×1', 'embedding lookup(table, tokens; column 0) 3×6']],
      [text, { start: { from: 'text', text: 'a b', tokenizer: 'gpt2', pieces: [[3, 0, 1], [4, 1, 2], [3, 2, 3]] }, embedding: { from: 'given', table: ones(9, 6) } }, ['table given(path embedding.table) 9×6'], ['table random(divideBy 1) 2×6']],
      [text, { convention: 'XWT' }, ['wq', 'wk', 'wv'].map((w) => `${w} random(divideBy 2.4495) ${w === 'wv' ? 3 : 2}×6`).concat('q matmul(x, wq; transposeB true) 3×2', 'k matmul(x, wk; transposeB true) 3×2', 'v matmul(x, wv; transposeB true) 3×3'),
        ['wq', 'wk', 'wv'].map((w) => `${w} random(divideBy 2.4495) 6×${w === 'wv' ? 3 : 2}`).concat('q matmul(x, wq; transposeB false) 3×2', 'k matmul(x, wk; transposeB false) 3×2', 'v matmul(x, wv; transposeB false) 3×3')],
      [text, { projections: { from: 'random', dK: 2, dV: 3, bias: true } }, [
        'bq random(divideBy 2.4495) 1×2', 'bk random(divideBy 2.4495) 1×2', 'bv random(divideBy 2.4495) 1×3',
        'qProduct matmul(x, wq; transposeB false) 3×2', 'q add(qProduct, bq) 3×2', 'kProduct matmul(x, wk; transposeB false) 3×2', 'k add(kProduct, bk) 3×2',
        'vProduct matmul(x, wv; transposeB false) 3×3', 'v add(vProduct, bv) 3×3',
      ], ['q matmul(x, wq; transposeB false) 3×2', 'k matmul(x, wk; transposeB false) 3×2', 'v matmul(x, wv; transposeB false) 3×3']],
      [across, { projections: { from: 'given', wq: ones(4, 2), wk: ones(4, 2), wv: ones(4, 5), bk: [1, 1] } }, [
        'wq given(path projections.wq) 4×2', 'wk given(path projections.wk) 4×2', 'wv given(path projections.wv) 4×5', 'bk given(path projections.bk) 1×2',
        'q matmul(x, wq; transposeB false) 2×2', 'kProduct matmul(context, wk; transposeB false) 3×2', 'k add(kProduct, bk) 3×2', 'v matmul(context, wv; transposeB false) 3×5',
        'scaled divide(scores; by 1.4142) 2×3', 'output matmul(weights, v; transposeB false) 2×5',
      ], ['q identity(x) 2×4', 'k identity(context) 3×4', 'v identity(context) 3×4', 'scaled divide(scores; by 2) 2×3', 'output matmul(weights, v; transposeB false) 2×4']],
      [qkv, { outputProjection: { from: 'none' } }, [], []],
      // d_model is the spec's where there is no X.
      [qkv, { dModel: 5, outputProjection: { from: 'random' } }, ['attended matmul(weights, v; transposeB false) 2×6', 'wo random(divideBy 2.4495) 6×5', 'output matmul(attended, wo; transposeB false) 2×5'], ['output matmul(weights, v; transposeB false) 2×6']],
      [ofX, { dModel: 5, outputProjection: { from: 'random', bias: true } }, ['attended matmul(weights, v; transposeB false) 2×4', 'wo random(divideBy 2) 4×4', 'bo random(divideBy 2) 1×4', 'outputProduct matmul(attended, wo; transposeB false) 2×4', 'output add(outputProduct, bo) 2×4'], ['output matmul(weights, v; transposeB false) 2×4']],
      [qkv, { dModel: 5, convention: 'XWT', outputProjection: { from: 'random' } }, ['attended matmul(weights, v; transposeB false) 2×6', 'wo random(divideBy 2.4495) 5×6', 'output matmul(attended, wo; transposeB true) 2×5'], ['output matmul(weights, v; transposeB false) 2×6']],
      [qkv, { outputProjection: { from: 'given', wo: ones(6, 7), bo: ones(1, 7)[0] ?? [] } }, ['attended matmul(weights, v; transposeB false) 2×6', 'wo given(path outputProjection.wo) 6×7', 'bo given(path outputProjection.bo) 1×7', 'outputProduct matmul(attended, wo; transposeB false) 2×7', 'output add(outputProduct, bo) 2×7'], ['output matmul(weights, v; transposeB false) 2×6']],
      [qkv, { outputProjection: { from: 'given', wo: ones(6, 7) } }, ['attended matmul(weights, v; transposeB false) 2×6', 'wo given(path outputProjection.wo) 6×7', 'output matmul(attended, wo; transposeB false) 2×7'], ['output matmul(weights, v; transposeB false) 2×6']],
    ]; // prettier-ignore
    for (const [spec, change, more, less] of cases) assert.deepEqual(changes(spec, change), { more, less }, JSON.stringify(change)); // prettier-ignore
  });

  it('of several heads are cut, turned and shared before the scores, and joined after the values', () => {
    const branches = (spec: AttentionSpec): string[] =>
      planned(spec).steps.map(line).filter((s) => /^(\w(Heads|Shared|Rotat\w+)|scores|headOutputs|concat|output|alibi|attended) /.test(s)); // prettier-ignore
    assert.deepEqual(branches({ ...qkv, heads: 2 }), [
      'qHeads splitHeads(q; heads 2) 2×2×2', 'kHeads splitHeads(k; heads 2) 2×3×2', 'vHeads splitHeads(v; heads 2) 2×3×3',
      'scores matmul(qHeads, kHeads; transposeB true) 2×2×3', 'headOutputs matmul(weights, vHeads; transposeB false) 2×2×3', 'output concatHeads(headOutputs) 2×6',
    ]); // prettier-ignore
    const grouped = { from: 'qkv', q: ones(2, 8), k: ones(3, 4), v: ones(3, 6) } as const;
    assert.deepEqual(branches({ ...qkv, heads: 4, kvHeads: 2, start: grouped, positions: 'rope-half', dModel: 3, outputProjection: { from: 'random' } }), [
      'qHeads splitHeads(q; heads 4) 4×2×2', 'qRotations rotations() 4×1', 'qRotated rope(qHeads, qRotations; layout half) 4×2×2',
      'kHeads splitHeads(k; heads 2) 2×3×2', 'kRotations rotations() 6×1', 'kRotated rope(kHeads, kRotations; layout half) 2×3×2', 'kShared repeatHeads(kRotated; times 2) 4×3×2',
      'vHeads splitHeads(v; heads 2) 2×3×3', 'vShared repeatHeads(vHeads; times 2) 4×3×3',
      'scores matmul(qRotated, kShared; transposeB true) 4×2×3', 'headOutputs matmul(weights, vShared; transposeB false) 4×2×3', 'concat concatHeads(headOutputs) 2×12', 'output matmul(concat, wo; transposeB false) 2×3',
    ]); // prettier-ignore
    assert.deepEqual(branches({ ...qkv, positions: 'rope-interleaved' }), [
      'qRotations rotations() 4×2', 'qRotated rope(q, qRotations; layout interleaved) 2×4', 'kRotations rotations() 6×2', 'kRotated rope(k, kRotations; layout interleaved) 3×4',
      'scores matmul(qRotated, kRotated; transposeB true) 2×3', 'output matmul(weights, v; transposeB false) 2×6',
    ]); // prettier-ignore
    const [m, n] = [ones(2, 4), ones(3, 4)];
    assert.deepEqual(branches({ ...qkv, heads: 2, kvHeads: 1, positions: 'alibi', start: { from: 'qkv', q: [m, m], k: [n], v: [n] } }), [
      'kShared repeatHeads(k; times 2) 2×3×4', 'vShared repeatHeads(v; times 2) 2×3×4', 'scores matmul(q, kShared; transposeB true) 2×2×3',
      'alibi alibi() 2×2×3', 'headOutputs matmul(weights, vShared; transposeB false) 2×2×4', 'output concatHeads(headOutputs) 2×8',
    ]); // prettier-ignore
    // W_q has as many columns as all heads together, W_k and W_v as the key heads.
    const projected = planned({ ...text, heads: 4, kvHeads: 2, projections: { from: 'random', dK: 2, dV: 3, bias: true } }).steps.map(line); // prettier-ignore
    for (const expected of ['wq 6×8', 'wk 6×4', 'wv 6×6', 'bq 1×8', 'bk 1×4', 'bv 1×6']) assert.ok(projected.includes(expected.replace(' ', ' random(divideBy 2.4495) ')), expected); // prettier-ignore
  });

  it('say what they are: weights, masks, ids; inputs, branches and what follows', () => {
    const spec: AttentionSpec = { ...text, mask: 'causal', positions: 'rope-half', outputProjection: { from: 'random', bias: true } }; // prettier-ignore
    const { steps } = planned({ ...spec, projections: { from: 'random', dK: 2, dV: 3, bias: true } });
    const ids = (of: (step: Step) => boolean): string => steps.filter(of).map(({ id }) => id).join(' '); // prettier-ignore
    assert.equal(ids(({ kind }) => kind === 'weights'), 'weights'); // prettier-ignore
    assert.equal(ids(({ kind }) => kind === 'mask'), 'mask'); // prettier-ignore
    assert.equal(ids(({ kind }) => kind === 'ids'), 'tokens'); // prettier-ignore
    assert.equal(ids(({ place }) => place === 'input'), 'table wq wk wv bq bk bv qRotations kRotations mask wo bo'); // prettier-ignore
    assert.equal(ids(({ place }) => place === 'branch'), 'qProduct q kProduct k vProduct v qRotated kRotated'); // prettier-ignore
    assert.equal(ids(({ hiddenBy }) => hiddenBy === 'mask'), 'masked weights'); // prettier-ignore
    const given = { kind: 'boolean', values: ones(2, 3), trueMeans: 'hidden' } as const;
    assert.deepEqual([stepOf({ ...qkv, mask: given }, 'mask').kind, stepOf({ ...qkv, mask: { kind: 'additive', values: ones(2, 3) } }, 'mask').kind, stepOf(weights, 'weights').kind], ['mask', 'signed', 'weights']); // prettier-ignore
    assert.equal(stepOf({ ...qkv, mask: { kind: 'additive', values: ones(2, 3) } }, 'masked').hiddenBy, undefined);
  });

  it('have rows and columns named by tokens, given names, or numbers', () => {
    const named: AttentionSpec = { ...across, labels: { queries: ['p', 'q'], keys: ['x', 'y', 'z'] } };
    const labels = (spec: AttentionSpec, id: string): string => [stepOf(spec, id).rowLabels, stepOf(spec, id).columnLabels].map((l) => l.join()).join(' | '); // prettier-ignore
    const cases: readonly [AttentionSpec, string, string][] = [
      [text, 'tokens', 'a,b,a | id'],
      [text, 'table', 'a,b | 0,1,2,3,4,5'],
      [text, 'scores', 'a,b,a | a,b,a'],
      [text, 'wq', '0,1,2,3,4,5 | 0,1'],
      [text, 'output', 'a,b,a | 0,1,2'],
      [text, 'positions', 'a,b,a | 0,1,2,3,4,5'],
      [{ ...text, start: { from: 'ids', ids: [7, 8] } }, 'scores', '7,8 | 7,8'],
      [{ ...text, start: { from: 'ids', ids: [2, 1] } }, 'table', '0,1,2 | 0,1,2,3,4,5'],
      [{ ...text, start: { from: 'text', text: 'a b', tokenizer: 'gpt2', pieces: [[64, 0, 1], [275, 1, 3]] } }, 'tokens', 'a,·b | id,row'],
      [{ ...text, start: { from: 'text', text: '\u0002\u0001', tokenizer: 'bytes' } }, 'table', '0,1,2 | 0,1,2,3,4,5'],
      [named, 'x', 'p,q | 0,1,2,3'],
      [named, 'context', 'x,y,z | 0,1,2,3'],
      [named, 'k', 'x,y,z | 0,1,2,3'],
      [named, 'weights', 'p,q | x,y,z'],
      [named, 'output', 'p,q | 0,1,2,3'],
      [{ ...named, positions: 'rope-half' }, 'qRotations', 'p cos,p sin,q cos,q sin | 0,1'],
      [{ ...named, positions: 'rope-half' }, 'kRotations', 'x cos,x sin,y cos,y sin,z cos,z sin | 0,1'],
      [{ ...ofX, labels: { queries: ['p', 'q'] } }, 'scores', 'p,q | p,q'],
      [{ ...ofX, labels: { keys: ['p', 'q'] } }, 'scores', '0,1 | p,q'],
      [{ ...across, start: { from: 'x', x: ones(2, 4), context: ones(2, 4) }, labels: { queries: ['p', 'q'] } }, 'scores', 'p,q | 0,1'],
      [{ ...qkv, labels: { queries: ['p', 'q'] } }, 'scores', 'p,q | 0,1,2'],
    ]; // prettier-ignore
    for (const [spec, id, expected] of cases) assert.equal(labels(spec, id), expected, id);
  });

  it('are written as formulas', () => {
    const bare = "e^{M_{il} - \\max_{l'} M_{il'}}";
    const masked = (mask: AttentionSpec['mask']): AttentionSpec => ({ ...across, mask });
    const normal = '\\mathcal{N}(0, 1)';
    const angle = (of: string): string => `\\frac{p}{10000^{${of}}}`;
    const cases: readonly [AttentionSpec, string, string][] = [
      [across, 'scores', 'S = QK^{\\top}'],
      [across, 'scaled', 'Z = S \\,/\\, \\sqrt{4}'],
      [{ ...across, scale: 'none' }, 'scaled', 'Z = S'],
      [{ ...across, scale: { divideBy: 2.5 } }, 'scaled', 'Z = S \\,/\\, 2.5'],
      [{ ...across, softcap: 3 }, 'capped', "Z'' = 3 \\tanh(Z / 3)"],
      [{ ...across, temperature: 2 }, 'tempered', "Z''' = Z / T,\\quad T = 2"],
      [{ ...across, positions: 'alibi' }, 'alibi', 'B_{ij} = -m_h \\, |i - j|'],
      [{ ...across, positions: 'alibi' }, 'biased', "Z' = Z + B"],
      [across, 'masked', 'M = Z'],
      [across, 'weights', `A_{ij} = \\frac{e^{M_{ij} - \\max_l M_{il}}}{\\sum_l ${bare}}`],
      [masked('causal'), 'mask', 'H_{ij} = [\\,j > i\\,]'],
      [masked({ kind: 'causal', alignment: 'end' }), 'mask', 'H_{ij} = [\\,j > i + (1)\\,]'],
      [masked({ kind: 'padding', visible: 2 }), 'mask', 'H_{ij} = [\\,j \\ge 2\\,]'],
      [masked({ kind: 'window', size: 2, causal: true }), 'mask', 'H_{ij} = [\\,i - j > 2 \\lor j - i > 0\\,]'],
      [masked({ kind: 'window', size: 2, causal: false }), 'mask', 'H_{ij} = [\\,i - j > 2 \\lor j - i > 2\\,]'],
      [masked('causal'), 'masked', 'M_{ij} = \\begin{cases} -\\infty & H_{ij} = 1 \\\\ Z_{ij} & \\text{otherwise} \\end{cases}'],
      [{ ...masked('causal'), maskFill: 'min' }, 'masked', 'M_{ij} = \\begin{cases} \\min & H_{ij} = 1 \\\\ Z_{ij} & \\text{otherwise} \\end{cases}'],
      [{ ...masked('causal'), maskFill: -5 }, 'masked', 'M_{ij} = \\begin{cases} -5 & H_{ij} = 1 \\\\ Z_{ij} & \\text{otherwise} \\end{cases}'],
      [masked({ kind: 'boolean', values: ones(2, 3), trueMeans: 'hidden' }), 'mask', 'H \\in \\mathbb{R}^{2 \\times 3}'],
      [masked({ kind: 'additive', values: ones(2, 3) }), 'mask', 'B \\in \\mathbb{R}^{2 \\times 3}'],
      [masked({ kind: 'additive', values: ones(2, 3) }), 'masked', 'M = Z + B'],
      [qkv, 'output', 'O = AV'],
      [{ ...qkv, heads: 2 }, 'headOutputs', 'O_h = AV'],
      [{ ...qkv, heads: 2 }, 'output', 'O = \\operatorname{Concat}(O_1, \\dots, O_{2})'],
      [weights, 'weights', 'A \\in \\mathbb{R}^{2 \\times 3}'],
      [scores, 'scores', 'S \\in \\mathbb{R}^{2 \\times 3}'],
      [qkv, 'k', 'K \\in \\mathbb{R}^{3 \\times 4}'],
      [across, 'k', 'K = C'],
      [across, 'context', 'C \\in \\mathbb{R}^{3 \\times 4}'],
      [ofX, 'x', 'X \\in \\mathbb{R}^{2 \\times 4}'],
      [{ ...ofX, positions: 'learned-random' }, 'given', 'E \\in \\mathbb{R}^{2 \\times 4}'],
      [{ ...ofX, positions: 'learned-random' }, 'positions', `P \\sim ${normal}`],
      [{ ...ofX, positions: 'learned-random' }, 'x', 'X = E + P'],
      [{ ...text, positions: 'none' }, 'x', 'X = E'],
      [text, 'tokens', 't = (t_1, \\dots, t_{3})'],
      [text, 'table', `W_E \\sim ${normal}`],
      [text, 'embedding', 'E_i = W_E[t_i]'],
      [text, 'wq', `W_q \\sim ${normal} / \\sqrt{6}`],
      [text, 'positions', `P_{p,2i} = \\sin${angle('2i/d')},\\quad P_{p,2i+1} = \\cos${angle('2i/d')}`],
      [{ ...text, positions: 'sinusoidal-concatenated' }, 'positions', `P_{p,i} = \\sin${angle('i/(d/2)')},\\quad P_{p,d/2+i} = \\cos${angle('i/(d/2)')}`],
      [{ ...qkv, positions: 'rope-half' }, 'qRotations', `R_{2p,i} = \\cos${angle('2i/d')},\\quad R_{2p+1,i} = \\sin${angle('2i/d')}`],
    ]; // prettier-ignore
    for (const [spec, id, expected] of cases) assert.equal(stepOf(spec, id).formula.plain.replace(/\\,(?=[A-Z])/g, '').replace(/(?<=[A-Z])\\,(?=[A-Z])/g, ''), expected, id); // prettier-ignore
  });
});

describe('the notes of a plan', () => {
  const notes = (spec: AttentionSpec): string[] => planned(spec).notes.map(({ path = '', message }) => `${path}: ${message}`); // prettier-ignore
  const ignored = (path: string, why: string): string => `${path}: ${path} is ignored: ${why}`;

  it('name each field that changes nothing, and why', () => {
    const atWeights = 'the walk starts at the weights';
    const cases: readonly [AttentionSpec, Change, readonly string[]][] = [
      [weights, { mask: 'causal' }, [ignored('mask', atWeights)]],
      [weights, { maskFill: 'min' }, [ignored('maskFill', atWeights)]],
      [weights, { fullyMasked: 'nan' }, [ignored('fullyMasked', atWeights)]],
      [weights, { scale: { divideBy: 2 } }, [ignored('scale', atWeights)]],
      [weights, { scale: 'sqrt_d_model' }, [ignored('scale', atWeights)]],
      [weights, { scale: 'none' }, []],
      [weights, { softcap: 2 }, [ignored('softcap', atWeights)]],
      [weights, { temperature: 2 }, [ignored('temperature', atWeights)]],
      [weights, { positions: 'alibi' }, [ignored('positions', atWeights)]],
      [weights, { dModel: 3 }, [ignored('dModel', atWeights)]],
      [weights, { projections: { from: 'random', dK: 1, dV: 1 } }, [ignored('projections', atWeights)]],
      [weights, { embedding: { from: 'random' } }, [ignored('embedding', atWeights)]],
      [scores, { projections: { from: 'random', dK: 1, dV: 1 } }, [ignored('projections', 'the walk starts at the scores')]],
      [scores, { kvHeads: 1 }, []],
      [{ ...scores, heads: 2, start: { from: 'scores', scores: [ones(2, 3), ones(2, 3)], dK: 9 } }, { kvHeads: 1 }, [ignored('kvHeads', 'there is no K and no V')]],
      [{ ...scores, heads: 2, start: { from: 'scores', scores: [ones(2, 3), ones(2, 3)], v: ones(3, 4), dK: 9 } }, { kvHeads: 1 }, []],
      [scores, { outputProjection: { from: 'random' } }, [ignored('outputProjection', 'there is no V, so no output')]],
      [scores, { outputProjection: { from: 'none' } }, []],
      [scores, { scale: 'none' }, [ignored('start.dK', 'the scores are not divided by √d_k')]],
      [scores, { scale: 'sqrt_d_model', dModel: 4 }, [ignored('start.dK', 'the scores are not divided by √d_k')]],
      [scores, { positions: 'learned-random' }, [ignored('positions', 'the walk starts at the scores')]],
      [qkv, { positions: 'sinusoidal-interleaved' }, [ignored('positions', 'the walk starts at Q and K')]],
      [ofX, { dModel: 3 }, [ignored('dModel', 'X has 4 columns')]],
      [ofX, { dModel: 4 }, []],
      [qkv, { dModel: 3 }, [ignored('dModel', 'the walk starts at Q and K')]],
      [qkv, { dModel: 3, outputProjection: { from: 'random' } }, []],
      [qkv, { dModel: 3, outputProjection: { from: 'given', wo: ones(6, 2) } }, [ignored('dModel', 'the walk starts at Q and K')]],
      [qkv, { dModel: 3, scale: 'sqrt_d_model' }, []],
      [ofX, { embedding: { from: 'random' } }, [ignored('embedding', 'the walk starts at X')]],
      [text, { embedding: { from: 'random' } }, []],
      [ofX, { convention: 'XWT' }, [ignored('convention', 'there is no W to apply')]],
      [qkv, { convention: 'XWT', outputProjection: { from: 'given', wo: ones(2, 6) } }, []],
      [text, { convention: 'XWT' }, []],
      [qkv, { maskFill: 'min' }, [ignored('maskFill', 'there is no mask')]],
      [qkv, { maskFill: 'min', mask: { kind: 'additive', values: ones(2, 3) } }, [ignored('maskFill', 'the mask is added')]],
      [qkv, { maskFill: 'min', mask: 'causal' }, []],
      [qkv, { fullyMasked: 'zero' }, []],
      [qkv, { random: { generator: 'torch', seed: 0 } }, [ignored('random', 'nothing is drawn')]],
      [qkv, { random: { generator: 'numpy.RandomState', seed: 1 } }, [ignored('random', 'nothing is drawn')]],
      [qkv, { random: { generator: 'numpy.RandomState', seed: 0 } }, []],
      [text, { random: { generator: 'torch', seed: 3 } }, []],
      [text, { labels: { queries: ['a'] } }, [ignored('labels', 'the tokens have names of their own')]],
      [{ ...text, start: { from: 'ids', ids: [1] } }, { labels: {} }, [ignored('labels', 'the tokens have names of their own')]],
      [ofX, { labels: { queries: ['a', 'b'] } }, []],
    ]; // prettier-ignore
    for (const [spec, change, expected] of cases) assert.deepEqual(notes({ ...spec, ...change }), expected, JSON.stringify(change)); // prettier-ignore
  });

  it('say where queries stand when a decoder has them elsewhere', () => {
    const [few, many] = [{ ...qkv, start: { from: 'qkv', q: ones(1, 4), k: ones(3, 4) } } as const, { ...qkv, start: { from: 'qkv', q: ones(3, 4), k: ones(2, 4) } } as const]; // prettier-ignore
    const decoder = (at: number): string => `In a decoder with a cache query 0 stands at position ${at}.`;
    const rope = 'positions: RoPE turns query 0 as key 0, both at position 0. ';
    const alibi = 'positions: ALiBi measures distances with query 0 beside key 0. ';
    const window = { kind: 'window', size: 1, causal: true } as const;
    const ends = { kind: 'causal', alignment: 'end' } as const;
    const cases: readonly [AttentionSpec, Change, readonly string[]][] = [
      [few, { positions: 'rope-half' }, [rope + decoder(2)]],
      [qkv, { positions: 'rope-half' }, [rope + decoder(1)]],
      [few, { positions: 'alibi', mask: ends }, [alibi + decoder(2)]],
      [few, { mask: window }, [`mask: The window is measured with query 0 beside key 0. ${decoder(2)}`]],
      [few, { positions: 'alibi', mask: window }, [alibi + decoder(2), `mask: The window is measured with query 0 beside key 0. ${decoder(2)}`]],
      [few, { mask: 'causal' }, []],
      [few, { mask: ends }, []],
      [many, { positions: 'alibi' }, []],
      [many, { positions: 'alibi', mask: 'causal' }, []],
      [many, { positions: 'alibi', mask: ends }, [`${alibi}The mask puts query 0 1 before key 0.`]],
      [ofX, { positions: 'alibi', mask: window }, []],
      [across, { positions: 'learned-random' }, []],
      [across, { positions: 'learned-random', mask: ends }, [`positions: Positions are added to X from 0 on, and none to the context. ${decoder(1)}`]],
    ]; // prettier-ignore
    for (const [spec, change, expected] of cases) assert.deepEqual(notes({ ...spec, ...change }), expected, JSON.stringify(change)); // prettier-ignore
  });
});

describe('what stands on the axes of the next token', () => {
  const blocked: AttentionSpec = { ...text, dModel: 4, projections: { from: 'random', dK: 4, dV: 4 }, block: { norm: 'before' } }; // prettier-ignore
  const ofLogits = (more: Change) => {
    const { steps } = planned({ ...blocked, start: { from: 'text', text: 'a b c', tokenizer: 'words' }, ...more });
    const logits = steps.find(({ id }) => id === 'logits');
    return { shape: logits?.shape.join('×'), columns: logits?.columnLabels.slice(0, 3).join(' '), formula: logits?.formula.plain }; // prettier-ignore
  };
  it('is the words where its table is theirs, and else numbers', () => {
    const wu = ones(4, 2);
    assert.deepEqual(ofLogits({ unembedding: { from: 'tied' } }), { shape: '3×3', columns: 'a b c', formula: 'L = X^{(1)}\\,W_E^{\\top}' }); // prettier-ignore
    assert.deepEqual(ofLogits({ unembedding: { from: 'random' } }), { shape: '3×3', columns: 'a b c', formula: 'L = X^{(1)}\\,W_U' }); // prettier-ignore
    assert.deepEqual(ofLogits({ unembedding: { from: 'random', size: 5 } }).columns, '0 1 2');
    assert.deepEqual(ofLogits({ unembedding: { from: 'given', wu, bu: [1, 2] } }), { shape: '3×2', columns: '0 1', formula: 'L = X^{(1)}\\,W_U + b_U' }); // prettier-ignore
    assert.deepEqual(ofLogits({ unembedding: { from: 'tied' }, embedding: { from: 'given', table: ones(3, 4) } }).columns, '0 1 2'); // prettier-ignore
    const bytes = ofLogits({
      unembedding: { from: 'random' },
      start: { from: 'text', text: 'ab', tokenizer: 'bytes' },
    });
    assert.equal(bytes.columns, '0 1 2');
  });
});

describe('the symbols of a plan', () => {
  const roles = /\\htmlClass\{role-(?:token|x|position|query|key|value|scores|mask|weights|output|parameter)\}\{[^}]/g;
  const random = { from: 'random', dK: 2, dV: 2 } as const;
  const specs: readonly AttentionSpec[] = [
    text, ofX, across, qkv, scores, weights,
    { ...text, projections: { ...random, bias: true } as never, outputProjection: { from: 'random' }, block: { norm: 'before', finalNorm: true }, feedForward: { of: 'swiglu' }, unembedding: { from: 'random', topK: 2 } },
    { ...text, positions: 'rope-half', qkNorm: { over: 'head' }, softcap: 5, temperature: 2 },
    { ...text, positions: 'alibi' }, { ...text, positions: 'sinusoidal-interleaved' },
    { ...text, relativeBias: { bidirectional: true } },
    { ...text, sink: { from: 'one' } },
    { ...text, scale: 'none', weighting: { by: 'linear' } }, { ...text, weighting: { by: 'sigmoid' } },
    { ...ofX, projections: { from: 'fused', order: 'blocks', wqkv: ones(4, 12), bqkv: Array<number>(12).fill(0) } },
    { ...ofX, heads: 2, differential: { lambda: 'init' } },
    { ...ofX, heads: 2, headChanges: [{ head: 0 }, { head: 1, weightsOf: 0 }] },
    { ...ofX, averageWeights: true } as never,
    { ...ofX, mask: 'causal', convention: 'XWT' } as never,
  ]; // prettier-ignore
  it('have each a role that is known, and are the same without it', () => {
    let [plans, symbols] = [0, 0];
    for (const spec of specs) {
      const plan = planOf(spec);
      assert.ok(plan.ok, JSON.stringify([spec, plan]));
      plans++;
      for (const { id, formula } of plan.value.steps) {
        const all = formula.roles.split('\\htmlClass').length - 1;
        assert.equal(formula.roles.match(roles)?.length ?? 0, all, `${id}: ${formula.roles}`);
        assert.ok(!/undefined|\{\}_|\^\{\}/.test(formula.plain), `${id}: ${formula.plain}`); // prettier-ignore
        symbols += all;
      }
    }
    assert.ok(plans >= 14 && symbols > 300, `${plans} plans, ${symbols} symbols`);
  });
});

describe('exchanged weights of heads', () => {
  it('weigh the values in formula and words, under their own symbol', () => {
    const plan = planOf({ ...ofX, heads: 2, headChanges: [{ head: 1, weightsOf: 0 }] });
    const step = plan.ok ? plan.value.steps.find(({ id }) => id === 'headOutputs') : undefined;
    assert.equal(step?.formula.plain, "O_h = A'\\,V");
    assert.match(step?.words.what ?? '', /of A′ weighs the rows of V/);
  });
});

describe('what has no plan', () => {
  const message = (spec: AttentionSpec): string => {
    const plan = planOf(spec);
    return plan.ok ? '' : plan.problems.map((p) => `${p.code}: ${p.message}`).join('; ');
  };
  it('is a text without tokens, one that a vocabulary has not cut, and one with too many names', () => {
    assert.equal(message({ ...text, start: { from: 'text', text: ' ', tokenizer: 'words' } }), 'empty: the text has no tokens'); // prettier-ignore
    assert.match(message({ ...text, start: { from: 'text', text: 'a', tokenizer: 'gpt2' } }), /^vocabulary-needed: /);
    // Names are counted once a list: 2 queries, 3 keys, columns 4, 6 and d, and d columns of W_O have no others. 2²² are the most.
    const named = (dModel: number): string => message({ ...qkv, dModel, outputProjection: { from: 'random' } });
    assert.equal(named(4_194_304 - 15), '');
    assert.equal(named(4_194_304 - 14), 'too-large: the steps have 4194305 rows and columns to name, the limit is 4194304'); // prettier-ignore
    assert.equal(message({ ...ofX, heads: 3 }), 'heads: 3 heads do not share 4 columns of X evenly');
  });
});
