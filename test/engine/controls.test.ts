import assert from 'node:assert/strict';
import { fieldControls, matrixDefaults, readSwitches, textDefaults, writeSwitches, type AttentionSpec } from '../../engine/index'; // prettier-ignore

// Which controls an input has, what they write into the spec, and what they are called in a line.

type Change = Partial<AttentionSpec>;

const x = [[1, 2], [3, 4]]; // prettier-ignore
const text: AttentionSpec = { ...textDefaults, start: { from: 'text', text: 'a b', tokenizer: 'words' } };
const ids: AttentionSpec = { ...textDefaults, start: { from: 'ids', ids: [1, 2] } };
const ofX: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x } };
const qkv: AttentionSpec = { ...matrixDefaults, start: { from: 'qkv', q: x, k: x, v: x } };
const heads: AttentionSpec = { ...matrixDefaults, heads: 2, start: { from: 'qkv', q: [x, x], k: [x, x] } };
const scores: AttentionSpec = { ...matrixDefaults, start: { from: 'scores', scores: x, dK: 2 } };
const weights: AttentionSpec = { ...matrixDefaults, start: { from: 'weights', weights: x, v: x } };
const given = { from: 'given', wq: x, wk: x, wv: x } as const;
const flags = { kind: 'boolean', values: x, trueMeans: 'hidden' } as const;

const controlOf = (id: string): (typeof fieldControls)[number] => {
  const found = fieldControls.find((control) => control.id === id);
  assert.ok(found, id);
  return found;
};

describe('the controls of a spec', () => {
  it('are those that mean something for it', () => {
    const always = 'dtype scale mask weighting softcap temperature positions';
    const drawn = 'dModel projections dK dV bias convention heads output generator seed';
    const cases: readonly [AttentionSpec, Change, string][] = [
      [text, {}, `tokenizer ${always} ${drawn}`],
      [ids, {}, `${always} ${drawn}`],
      [ofX, {}, `${always} projections convention heads output`],
      [qkv, {}, `${always} heads output`],
      [heads, {}, always],
      [scores, {}, always],
      [weights, {}, 'dtype output'],
      [weights, { mask: 'causal', scale: { divideBy: 2 } }, 'dtype output'],
      [ofX, { heads: 2 }, `${always} projections convention heads kvHeads output`],
      [ofX, { outputProjection: { from: 'random' } }, `${always} projections convention heads output outputBias generator seed`],
      [ofX, { outputProjection: { from: 'given', wo: x } }, `${always} projections convention heads output`],
      [ofX, { positions: 'learned-random' }, `${always} projections convention heads output generator seed`],
      [qkv, { positions: 'learned-random' }, `${always} heads output`],
      [ofX, { projections: { from: 'random', dK: 1, dV: 1 } }, `${always} projections dK dV bias convention heads output generator seed`],
      [qkv, { projections: { from: 'random', dK: 1, dV: 1 } }, `${always} heads output`],
      [ids, { embedding: { from: 'given', table: x }, projections: { from: 'none' } }, `${always} projections convention heads output`],
      [scores, { mask: 'causal' }, `${always} maskFill fullyMasked`],
      [scores, { mask: 'causal', maskFill: 'min' }, `${always} maskFill`],
      [scores, { mask: { kind: 'window', size: 1, causal: true } }, `${always} windowSize windowCounts maskFill fullyMasked`],
      [scores, { mask: { kind: 'padding', visible: 1 } }, `${always} visible maskFill fullyMasked`],
      [scores, { mask: flags }, `${always} maskFill fullyMasked`],
      [scores, { mask: { kind: 'additive', values: x } }, always],
      [scores, { scale: { divideBy: 3 } }, `${always} divideBy`],
      [scores, { weighting: { by: 'sigmoid' } }, `${always} weightingBiasKind`],
      [scores, { weighting: { by: 'sigmoid', bias: 1 } }, `${always} weightingBiasKind weightingBias`],
      [qkv, { weighting: { by: 'linear' }, mask: 'causal' }, 'dtype mask positions heads output weighting'],
    ]; // prettier-ignore
    // A field that is added later brings its own tests.
    const known = new Set(cases.flatMap(([, , expected]) => expected.split(' ')));
    for (const [spec, change, expected] of cases) {
      const changed = { ...spec, ...change };
      const found = fieldControls.filter((c) => c.applies(changed, readSwitches(changed))).map(({ id }) => id);
      assert.deepEqual(found.filter((id) => known.has(id)).sort(), expected.split(' ').sort(), JSON.stringify(changed));
    }
  });

  it('of RoPE are there where Q and K are rotated, and those of a scaling where it has such a number', () => {
    const cases: readonly [AttentionSpec, Change, string][] = [
      [ofX, { positions: 'rope-half' }, 'positionsDtype ropeBase ropeDims ropeScaling'],
      [qkv, { positions: 'rope-interleaved', rope: { scaling: { kind: 'linear', factor: 2 } } }, 'positionsDtype ropeBase ropeDims ropeFactor ropeScaling'],
      [text, { positions: 'rope-half', rope: { scaling: { kind: 'yarn', factor: 2, original: 8 } } }, 'positionsDtype ropeAttention ropeBase ropeBetaFast ropeBetaSlow ropeDims ropeFactor ropeOriginal ropeScaling'],
      [text, { positions: 'rope-half', rope: { scaling: { kind: 'llama3', factor: 2, lowFrequency: 1, highFrequency: 4, original: 8 } } }, 'positionsDtype ropeBase ropeDims ropeFactor ropeHigh ropeLow ropeOriginal ropeScaling'],
      [text, {}, 'positionsDtype'],
      [text, { positions: 'alibi', rope: { base: 5 } }, ''],
      [scores, { positions: 'rope-half' }, ''],
    ]; // prettier-ignore
    for (const [spec, change, expected] of cases) {
      const changed = { ...spec, ...change };
      const found = fieldControls.filter((c) => /^(rope|positionsDtype)/.test(c.id) && c.applies(changed, readSwitches(changed))).map(({ id }) => id); // prettier-ignore
      assert.deepEqual(found.sort().join(' '), expected, JSON.stringify(changed));
    }
  });

  it('change what they stand for and nothing else, and have then that value', () => {
    const cases: readonly [AttentionSpec, id: string, value: string | number, Change][] = [
      [text, 'dtype', 'float32', { dtype: 'float32' }],
      [text, 'dtype', 'bfloat16', { dtype: 'bfloat16' }],
      [text, 'tokenizer', 'characters', { start: { from: 'text', text: 'a b', tokenizer: 'characters' } }],
      [text, 'tokenizer', 'gpt2', { start: { from: 'text', text: 'a b', tokenizer: 'gpt2' } }],
      [text, 'tokenizer', 'file:own.json', { start: { from: 'text', text: 'a b', tokenizer: { file: 'own.json' } } }],
      [text, 'dModel', 32, { dModel: 32 }],
      [text, 'positions', 'rope-half', { positions: 'rope-half' }],
      [text, 'ropeBase', 500000, { rope: { base: 500000 } }],
      [{ ...text, rope: { base: 5, dims: 4 } }, 'ropeDims', 6, { rope: { base: 5, dims: 6 } }],
      [text, 'ropeScaling', 'linear', { rope: { scaling: { kind: 'linear', factor: 2 } } }],
      [{ ...text, rope: { scaling: { kind: 'linear', factor: 3 } } }, 'ropeScaling', 'linear', {}],
      [{ ...text, rope: { base: 7, scaling: { kind: 'linear', factor: 3 } } }, 'ropeScaling', 'none', { rope: { base: 7 } }],
      [{ ...text, rope: { scaling: { kind: 'yarn', factor: 3, original: 9 } } }, 'ropeFactor', 4, { rope: { scaling: { kind: 'yarn', factor: 4, original: 9 } } }],
      [{ ...text, rope: { scaling: { kind: 'yarn', factor: 3, original: 9 } } }, 'ropeOriginal', 4, { rope: { scaling: { kind: 'yarn', factor: 3, original: 4 } } }],
      [{ ...text, rope: { scaling: { kind: 'yarn', factor: 3, original: 9 } } }, 'ropeBetaFast', 16, { rope: { scaling: { kind: 'yarn', factor: 3, original: 9, betaFast: 16 } } }],
      [{ ...text, rope: { scaling: { kind: 'yarn', factor: 3, original: 9 } } }, 'ropeBetaSlow', 2, { rope: { scaling: { kind: 'yarn', factor: 3, original: 9, betaSlow: 2 } } }],
      [{ ...text, rope: { scaling: { kind: 'yarn', factor: 3, original: 9, attentionFactor: 2 } } }, 'ropeAttention', 0, { rope: { scaling: { kind: 'yarn', factor: 3, original: 9 } } }],
      [{ ...text, heads: 2 }, 'averageWeights', 'yes', { averageWeights: true }],
      [{ ...text, heads: 2, averageWeights: true }, 'averageWeights', 'no', { averageWeights: false }],
      [{ ...text, dtype: 'float32', random: { generator: 'torch', seed: 0 } }, 'weightsDividedIn', 'float32', { weightsDividedIn: 'float32' }],
      [text, 'weightsTimes', 0.02, { weightsTimes: 0.02 }],
      [text, 'sink', 'one', { sink: { from: 'one' } }],
      [{ ...text, sink: { from: 'given', logits: [2] } }, 'sink', 'given', {}],
      [{ ...text, sink: { from: 'given', logits: [2] } }, 'sink', 'random', { sink: { from: 'random' } }],
      [text, 'relativeBias', 'bidirectional', { relativeBias: { bidirectional: true } }],
      [{ ...text, relativeBias: { bidirectional: true, buckets: 8 } }, 'relativeBias', 'causal', { relativeBias: { bidirectional: false, buckets: 8 } }],
      [{ ...text, relativeBias: { bidirectional: true } }, 'buckets', 16, { relativeBias: { bidirectional: true, buckets: 16 } }],
      [{ ...text, relativeBias: { bidirectional: true } }, 'maxDistance', 16, { relativeBias: { bidirectional: true, maxDistance: 16 } }],
      [text, 'positionsDtype', 'float32', { positionsDtype: 'float32' }],
      [{ ...text, positionsDtype: 'float32' }, 'positionsDtype', 'float64', { positionsDtype: 'float64' }],
      [{ ...ofX, positions: { learned: x } }, 'positions', 'given', {}],
      [{ ...ofX, positions: { learned: x } }, 'positions', 'none', { positions: 'none' }],
      [text, 'projections', 'none', { projections: { from: 'none' } }],
      [ofX, 'projections', 'random', { projections: { from: 'random', dK: 8, dV: 8 } }],
      [{ ...ofX, projections: given }, 'projections', 'given', {}],
      [{ ...ofX, projections: given }, 'projections', 'none', { projections: { from: 'none' } }],
      [{ ...ofX, projections: given }, 'projections', 'random', { projections: { from: 'random', dK: 8, dV: 8 } }],
      [text, 'dK', 3, { projections: { from: 'random', dK: 3, dV: 8 } }],
      [text, 'dV', 3, { projections: { from: 'random', dK: 8, dV: 3 } }],
      [{ ...text, projections: { from: 'random', dK: 1, dV: 2, bias: false } }, 'dV', 3, { projections: { from: 'random', dK: 1, dV: 3, bias: false } }],
      [text, 'bias', 'yes', { projections: { from: 'random', dK: 8, dV: 8, bias: true } }],
      [{ ...text, projections: { from: 'random', dK: 1, dV: 2, bias: true } }, 'bias', 'no', { projections: { from: 'random', dK: 1, dV: 2 } }],
      [{ ...text, projections: { from: 'random', dK: 1, dV: 2, bias: true } }, 'dK', 5, { projections: { from: 'random', dK: 5, dV: 2, bias: true } }],
      [ofX, 'convention', 'XWT', { convention: 'XWT' }],
      [ofX, 'heads', 2, { heads: 2 }],
      [{ ...ofX, heads: 4 }, 'kvHeads', 2, { kvHeads: 2 }],
      [{ ...ofX, heads: 4, kvHeads: 4 }, 'kvHeads', 4, {}],
      [{ ...ofX, heads: 4, kvHeads: 2 }, 'heads', 8, { heads: 8 }],
      [ofX, 'output', 'random', { outputProjection: { from: 'random' } }],
      [{ ...ofX, outputProjection: { from: 'random', bias: true } }, 'output', 'none', { outputProjection: { from: 'none' } }],
      [{ ...ofX, outputProjection: { from: 'random', bias: true } }, 'output', 'random', {}],
      [{ ...ofX, outputProjection: { from: 'random', bias: false } }, 'outputBias', 'no', {}],
      [{ ...ofX, outputProjection: { from: 'random' } }, 'outputBias', 'yes', { outputProjection: { from: 'random', bias: true } }],
      [{ ...ofX, outputProjection: { from: 'random', bias: true } }, 'outputBias', 'no', { outputProjection: { from: 'random' } }],
      [{ ...ofX, outputProjection: { from: 'given', wo: x } }, 'output', 'given', {}],
      [{ ...ofX, outputProjection: { from: 'given', wo: x } }, 'output', 'random', { outputProjection: { from: 'random' } }],
      [ofX, 'output', 'none', {}],
      [qkv, 'scale', 'none', { scale: 'none' }],
      [qkv, 'scale', 'number', { scale: { divideBy: 2 } }],
      [{ ...qkv, scale: { divideBy: 2 } }, 'divideBy', 3.5, { scale: { divideBy: 3.5 } }],
      [qkv, 'mask', 'causal', { mask: 'causal' }],
      [{ ...qkv, mask: 'causal' }, 'mask', 'none', { mask: 'none' }],
      [qkv, 'mask', 'causal-end', { mask: { kind: 'causal', alignment: 'end' } }],
      [qkv, 'mask', 'window', { mask: { kind: 'window', size: 1, causal: false } }],
      [qkv, 'mask', 'window-causal', { mask: { kind: 'window', size: 1, causal: true } }],
      [qkv, 'mask', 'padding', { mask: { kind: 'padding', visible: 1 } }],
      [{ ...qkv, mask: flags }, 'mask', 'boolean-visible', { mask: { ...flags, trueMeans: 'visible' } }],
      [{ ...qkv, mask: { ...flags, trueMeans: 'visible' } }, 'mask', 'boolean-hidden', { mask: flags }],
      [{ ...qkv, mask: { kind: 'additive', values: x } }, 'mask', 'given', {}],
      [{ ...qkv, mask: { kind: 'window', size: 2, causal: true } }, 'windowCounts', 'self', { mask: { kind: 'window', size: 3, causal: true, counts: 'self' } }],
      [{ ...qkv, mask: { kind: 'window', size: 2, causal: false } }, 'windowCounts', 'self', { mask: { kind: 'window', size: 5, causal: false, counts: 'self' } }],
      [{ ...qkv, mask: { kind: 'window', size: 3, causal: true, counts: 'self' } }, 'windowCounts', 'others', { mask: { kind: 'window', size: 2, causal: true } }],
      [{ ...qkv, mask: { kind: 'window', size: 1, causal: true } }, 'windowSize', 4, { mask: { kind: 'window', size: 4, causal: true } }],
      [{ ...qkv, mask: { kind: 'padding', visible: 1 } }, 'visible', 2, { mask: { kind: 'padding', visible: 2 } }],
      [qkv, 'maskFill', '-1000000000', { maskFill: -1e9 }],
      [qkv, 'maskFill', 'min', { maskFill: 'min' }],
      [{ ...qkv, maskFill: 'min' }, 'maskFill', '-inf', { maskFill: '-inf' }],
      [qkv, 'fullyMasked', 'zero', { fullyMasked: 'zero' }],
      [qkv, 'fullyMasked', 'nan', {}],
      [{ ...qkv, fullyMasked: 'zero' }, 'fullyMasked', 'nan', { fullyMasked: 'nan' }],
      [qkv, 'softcap', 50, { softcap: 50 }],
      [qkv, 'temperature', 0.5, { temperature: 0.5 }],
      [text, 'generator', 'torch', { random: { generator: 'torch', seed: 0 } }],
      [text, 'seed', 7, { random: { generator: 'numpy.RandomState', seed: 7 } }],
    ]; // prettier-ignore
    for (const [spec, id, value, change] of cases) {
      const control = controlOf(id);
      const before = readSwitches(spec);
      const set = control.kind === 'choice' ? control.set(before, String(value), spec) : control.set(before, Number(value)); // prettier-ignore
      const after = { ...before, ...set };
      const written = writeSwitches(spec, after);
      const { kvHeads: _, ...rest } = spec;
      // Another number of heads takes back how many share a key head, where that was all of them.
      const expected = { ...(id === 'heads' && spec.kvHeads === spec.heads ? rest : spec), ...change };
      assert.deepEqual(written, expected, `${id} ${value} in ${JSON.stringify(spec)}`);
      assert.equal(control.get(after), String(value), id);
    }
  });

  it('take a field away where they say nothing', () => {
    const without: readonly [Change, id: string, value: number][] = [
      [{ softcap: 5 }, 'softcap', 0],
      [{ temperature: 2 }, 'temperature', 1],
      [{ heads: 4, kvHeads: 2 }, 'kvHeads', 4],
      [{ heads: 4, kvHeads: 4 }, 'heads', 2],
      [{ rope: { base: 5 } }, 'ropeBase', 10000],
      [{ rope: { dims: 4 } }, 'ropeDims', 0],
    ];
    for (const [change, id, value] of without) {
      const spec: AttentionSpec = { ...ofX, ...change };
      const control = controlOf(id);
      assert.ok(control.kind === 'number');
      const before = readSwitches(spec);
      const after = writeSwitches(spec, { ...before, ...control.set(before, value) });
      const gone = id === 'heads' ? 'kvHeads' : id.startsWith('rope') ? 'rope' : id;
      assert.ok(gone in spec && !(gone in after), id);
    }
    const empty = readSwitches(ofX);
    assert.deepEqual([controlOf('softcap').get(empty), controlOf('temperature').get(empty), controlOf('kvHeads').get(empty)], ['0', '1', '1']); // prettier-ignore
    for (const id of ['divideBy', 'windowSize', 'visible']) assert.equal(controlOf(id).get(empty), '', id);
  });

  it('keep what a vocabulary made of the text', () => {
    const cuts = [{ tokenizer: 'gpt2', pieces: [[64, 0, 1], [275, 1, 3]] }] as const; // prettier-ignore
    const to = (spec: AttentionSpec, tokenizer: string, known: readonly (typeof cuts)[number][]): unknown => {
      const control = controlOf('tokenizer');
      assert.ok(control.kind === 'choice');
      const before = readSwitches(spec);
      return writeSwitches(spec, { ...before, ...control.set(before, tokenizer, spec) }, known).start;
    };
    const cut = { from: 'text', text: 'a b', tokenizer: 'gpt2', pieces: cuts[0].pieces } as const;
    assert.deepEqual(to(text, 'gpt2', cuts), cut);
    assert.deepEqual(to(text, 'cl100k_base', cuts), { from: 'text', text: 'a b', tokenizer: 'cl100k_base' });
    assert.deepEqual(to({ ...text, start: cut }, 'gpt2', []), cut);
    assert.deepEqual(to({ ...text, start: cut }, 'bytes', []), { from: 'text', text: 'a b', tokenizer: 'bytes' });
    const file = { from: 'text', text: 'a b', tokenizer: { file: 'a' }, pieces: [[1, 0, 3]] } as const;
    assert.deepEqual(to({ ...text, start: file }, 'file:a', []), file);
    assert.deepEqual(to({ ...text, start: file }, 'file:b', []), { from: 'text', text: 'a b', tokenizer: { file: 'b' } }); // prettier-ignore
  });

  it('offer what the input allows', () => {
    const offered = (id: string, spec: AttentionSpec): readonly string[] => {
      const control = controlOf(id);
      return control.kind === 'choice'
        ? control.options(spec, ['a.json'], readSwitches(spec)).map(({ value }) => value)
        : [];
    };
    const added = ['sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random'];
    const ropes = ['rope-interleaved', 'rope-half'];
    const masks = ['none', 'causal', 'causal-end', 'window-causal', 'window', 'padding'];
    const fills = ['-inf', '-1000000000', 'min'];
    const cases: readonly [string, AttentionSpec, readonly string[]][] = [
      ['positions', ofX, ['none', ...added, ...ropes, 'alibi']],
      ['positions', qkv, ['none', ...ropes, 'alibi']],
      ['positions', scores, ['none', 'alibi']],
      ['positions', { ...scores, positions: 'rope-half' }, ['none', 'alibi', 'rope-half']],
      ['positions', { ...ofX, positions: { learned: x } }, ['none', ...added, ...ropes, 'alibi', 'given']],
      ['scale', ofX, ['sqrt_d_k', 'none', 'sqrt_d_model', 'number']],
      ['scale', qkv, ['sqrt_d_k', 'none', 'number']],
      ['mask', qkv, masks],
      ['mask', { ...qkv, mask: { kind: 'additive', values: x } }, [...masks, 'given']],
      ['mask', { ...qkv, mask: flags }, [...masks, 'boolean-visible', 'boolean-hidden']],
      ['maskFill', qkv, fills],
      ['maskFill', { ...qkv, maskFill: -1e9 }, fills],
      ['maskFill', { ...qkv, maskFill: -5 }, [...fills, '-5']],
      ['projections', ofX, ['random', 'none']],
      ['projections', { ...ofX, projections: given }, ['given', 'random', 'none']],
      ['output', ofX, ['none', 'random']],
      ['output', { ...ofX, outputProjection: { from: 'given', wo: x } }, ['given', 'none', 'random']],
      ['tokenizer', text, ['words', 'characters', 'bytes', 'gpt2', 'cl100k_base', 'o200k_base', 'file:a.json', 'choose']],
      ['dtype', ofX, ['float64', 'float32', 'float16', 'bfloat16']],
      ['convention', ofX, ['XW', 'XWT']],
      ['generator', text, ['numpy.RandomState', 'numpy.default_rng', 'torch']],
      ['fullyMasked', ofX, ['nan', 'zero']],
      ['bias', text, ['no', 'yes']],
      ['outputBias', text, ['no', 'yes']],
    ]; // prettier-ignore
    for (const [id, spec, expected] of cases) assert.deepEqual(offered(id, spec), expected, id);
  });

  it('say in a word what differs from the usual', () => {
    const cases: readonly [id: string, text: string, AttentionSpec, string][] = [
      ['heads', '1', ofX, '1 head'],
      ['heads', '2', ofX, '2 heads'],
      ['kvHeads', '2', { ...ofX, heads: 2 }, ''],
      ['kvHeads', '1', { ...ofX, heads: 2, kvHeads: 1 }, '1 for K and V'],
      ['output', 'None', ofX, 'no W_O'],
      ['output', 'Random W_O', ofX, 'Random W_O'],
      ['outputBias', 'None', ofX, ''],
      ['outputBias', 'Random', ofX, 'b_O'],
      ['bias', 'None', text, ''],
      ['bias', 'Random', text, 'biases'],
      ['scale', 'None', ofX, 'unscaled'],
      ['scale', '÷ √d_k', ofX, '÷ √d_k'],
      ['scale', '÷ a number', { ...ofX, scale: { divideBy: 2 } }, ''],
      ['divideBy', '2', { ...ofX, scale: { divideBy: 2 } }, '÷ 2'],
      ['mask', 'None', ofX, 'no mask'],
      ['mask', 'Causal', ofX, 'Causal'],
      ['maskFill', '−∞', ofX, ''],
      ['maskFill', '−1e9', { ...ofX, maskFill: -1e9 }, '−1e9'],
      ['fullyMasked', '0', { ...ofX, fullyMasked: 'zero' }, ''],
      ['softcap', '0', ofX, ''],
      ['softcap', '50', { ...ofX, softcap: 50 }, 'softcap 50'],
      ['temperature', '1', ofX, ''],
      ['temperature', '2', { ...ofX, temperature: 2 }, 'T = 2'],
      ['positions', 'None', ofX, 'no positions'],
      ['positions', 'ALiBi', ofX, 'ALiBi'],
      ['convention', 'X·W', ofX, ''],
      ['convention', 'X·W', { ...ofX, projections: given }, 'X·W'],
      ['dModel', '16', text, 'd_model 16'],
      ['dK', '8', text, 'd_k 8'],
      ['dV', '8', text, 'd_v 8'],
      ['windowSize', '2', ofX, 'of 2'],
      ['visible', '2', ofX, '2 keys'],
      ['seed', '3', text, 'seed 3'],
      ['generator', 'PyTorch', text, ''],
      ['qkNorm', 'None', ofX, ''],
      ['qkNorm', 'RMS of each head (Qwen 3)', { ...ofX, qkNorm: { over: 'head' } }, 'QK-norm'],
    ];
    for (const [id, shown, spec, expected] of cases)
      assert.equal(controlOf(id).brief?.(shown, readSwitches(spec)), expected, `${id} ${shown}`);
  });

  it('explain the choice that is made', () => {
    const cases: readonly [id: string, AttentionSpec, RegExp][] = [
      ['generator', { ...text, random: { generator: 'torch', seed: 3 } }, /^torch\.manual_seed\(3\), /],
      ['generator', { ...text, random: { generator: 'numpy.default_rng', seed: 3 } }, /^np\.random\.default_rng\(3\), /],
      ['generator', text, /^np\.random\.seed\(0\), /],
      ['mask', ofX, /^Every query sees every key/],
      ['mask', { ...ofX, mask: 'causal' }, /^A token sees itself and what stands before it/],
      ['mask', { ...ofX, mask: { kind: 'causal', alignment: 'start' } }, /^A token sees itself and what stands before it/],
      ['mask', { ...ofX, mask: { kind: 'causal', alignment: 'end' } }, /last query beside the last key.* Positions /],
      ['mask', { ...ofX, mask: { kind: 'window', size: 1, causal: true } }, /itself and some before/],
      ['mask', { ...ofX, mask: { kind: 'window', size: 1, causal: false } }, /both sides/],
      ['mask', { ...ofX, mask: { kind: 'padding', visible: 1 } }, /at the end are no text/],
      ['mask', { ...ofX, mask: flags }, /a 1 \(True\) is hidden/],
      ['mask', { ...ofX, mask: { ...flags, trueMeans: 'visible' } }, /a 1 \(True\) may be seen/],
      ['mask', { ...ofX, mask: { kind: 'additive', values: x } }, /added to the scores/],
      ['positions', ofX, /a set, not a sequence/],
      ['positions', { ...ofX, positions: 'alibi' }, /Press et al/],
      ['positions', { ...ofX, positions: { learned: x } }, /Rows that came with the input/],
      ['tokenizer', text, /^Words and punctuation/],
      ['tokenizer', { ...text, start: { from: 'text', text: 'a', tokenizer: { file: 'a' } } }, /tokens are kept/],
    ]; // prettier-ignore
    for (const [id, spec, expected] of cases) assert.match(controlOf(id).explainChoice?.(readSwitches(spec)) ?? '', expected, id); // prettier-ignore
    const { locked } = controlOf('convention');
    assert.equal(locked?.({ ...ofX, projections: given }, readSwitches({ ...ofX, projections: given })), undefined);
    assert.match(locked?.(ofX, readSwitches(ofX)) ?? '', /here none are/);
  });

  it('stand in their groups, with a name and a line that explains them', () => {
    const groups: Readonly<Record<string, string>> = {
      tokens: 'tokenizer', input: 'dModel positions', projections: 'projections dK dV bias convention', heads: 'heads kvHeads output outputBias',
      scores: 'scale divideBy softcap temperature mask windowSize windowCounts visible maskFill fullyMasked', numbers: 'dtype generator seed',
    }; // prettier-ignore
    for (const [group, ids] of Object.entries(groups))
      for (const id of ids.split(' ')) assert.equal(controlOf(id).group, group, id);
    for (const { id, label, explain } of fieldControls) assert.ok(label() && explain().length > 5, id);
    assert.deepEqual(fieldControls.filter(({ order }) => order === 1).map(({ id }) => id).slice(0, 3), ['dK', 'dV', 'bias']); // prettier-ignore
  });

  it('take numbers up to their limits', () => {
    const limits: readonly [string, number, number, boolean][] = [
      ['heads', 1, 256, true], ['kvHeads', 1, 256, true], ['dModel', 1, 4096, true], ['dK', 1, 4096, true], ['dV', 1, 4096, true],
      ['windowSize', 0, 100_000, true], ['visible', 0, 100_000, true], ['seed', 0, Number.MAX_SAFE_INTEGER, true],
      ['softcap', 0, Infinity, false], ['temperature', 1e-12, Infinity, false], ['divideBy', -Infinity, Infinity, false],
    ]; // prettier-ignore
    for (const [id, least, most, whole] of limits) {
      const control = controlOf(id);
      assert.ok(control.kind === 'number');
      assert.deepEqual([control.limit.least, control.limit.most, control.limit.whole], [least, most, whole], id);
    }
  });
});
