import assert from 'node:assert/strict';
import { matrixDefaults, textDefaults, validateSpec, type AttentionSpec } from '../../engine/index';

// The numbers of each field at their limits: the last that is taken, and the first that is refused, by its path.

const text: AttentionSpec = { ...textDefaults, dModel: 4, start: { from: 'text', text: 'a b c', tokenizer: 'words' } };
const x: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: [[1, 2, 3, 4], [5, 6, 7, 8], [1, 0, 0, 1]] } }; // prettier-ignore
const scores: AttentionSpec = { ...matrixDefaults, start: { from: 'scores', scores: [[1, 2], [3, 4]], dK: 4 } }; // prettier-ignore
const two: Partial<AttentionSpec> = { heads: 2 };
const rotary: AttentionSpec = { ...x, positions: 'rope-half' };
const layered: AttentionSpec = { ...x, block: { norm: 'before', layers: 3 } };
const yarn = { kind: 'yarn', factor: 4, original: 8 } as const;
const llama = { kind: 'llama3', factor: 8, lowFrequency: 1, highFrequency: 4, original: 8192 } as const;
const random = { from: 'random', dK: 4, dV: 4 } as const;
const decode = { step: 0 };

type Json = Readonly<Record<string, unknown>>;

/** The spec with a number at a path. */
function withNumber(of: Json, path: readonly string[], value: unknown): Json {
  const [first = '', ...rest] = path;
  const inner = of[first];
  if (rest.length === 0) return { ...of, [first]: value };
  if (Array.isArray(inner))
    return { ...of, [first]: inner.map((one: Json, i) => (String(i) === rest[0] ? withNumber(one, rest.slice(1), value) : one)) }; // prettier-ignore
  return { ...of, [first]: withNumber((inner ?? {}) as Json, rest, value) };
}

const pathsOf = (spec: Json): readonly (string | undefined)[] => {
  const result = validateSpec(spec);
  // What is refused has a code and says what was found.
  for (const { code, message } of result.ok ? [] : result.problems)
    assert.match(`${code}: ${message}`, /^[a-z][a-z-]+: .*\w/);
  return result.ok ? [] : result.problems.map(({ path }) => path);
};

const tiny = 1e-300;
const cases: readonly (readonly [spec: AttentionSpec, path: string, taken: readonly unknown[], refused: readonly unknown[]])[] = [
  [x, 'heads', [1, 2, 4], [0, -1, 1.5, 257]],
  [{ ...x, ...two, projections: random }, 'kvHeads', [1, 2], [0, 3, -1, 0.5, 4]],
  [text, 'dModel', [1, 4, 4096], [0, -1, 1.5]],
  [{ ...x, projections: random }, 'projections.dK', [1, 4096], [0, 4097, 1.5]],
  [{ ...x, projections: random }, 'projections.dV', [1, 4096], [0, 4097, 1.5]],
  [scores, 'start.dK', [1, 4096], [0, 4097, 1.5]],
  // A scale divides, a softcap is reached, a temperature divides.
  [x, 'softcap', [tiny, 1, 50], [0, -1]],
  [x, 'temperature', [tiny, 1, 50], [0, -1]],
  [{ ...x, projections: random }, 'weightsTimes', [tiny, 1], [0, -1]],
  [{ ...x, qkNorm: { over: 'head' } }, 'qkNorm.epsilon', [0, tiny, 1], [-tiny, -1]],
  [{ ...layered }, 'block.epsilon', [0, tiny, 1], [-tiny, -1]],
  [{ ...layered }, 'block.layers', [1, 48], [0, 49, 1.5]],
  [{ ...layered }, 'block.shown', [1, 3], [0, 4, 1.5]],
  [{ ...layered, feedForward: { of: 'relu' } }, 'feedForward.width', [1, 4096], [0, 4097, 1.5]],
  [{ ...text, projections: random, block: { norm: 'before' }, unembedding: { from: 'random' } }, 'unembedding.topK', [1, 2], [0, 1.5, 1_000_001]],
  [{ ...text, projections: random, block: { norm: 'before' }, unembedding: { from: 'random' } }, 'unembedding.size', [1, 3], [0, 1.5, 1_000_001]],
  [{ ...x, ...two, headChanges: [{ head: 0 }] }, 'headChanges.0.head', [0, 1], [2, -1, 0.5]],
  [{ ...x, ...two, headChanges: [{ head: 0, weightsOf: 1 }] }, 'headChanges.0.weightsOf', [1], [2, -1, 0.5]],
  // A window counts the keys beside the token, and the token too where it says so: one at least.
  [{ ...x, mask: { kind: 'window', size: 1, causal: true } }, 'mask.size', [0, 1, 1_000_000], [-1, 0.5, 1_000_001]],
  [{ ...x, mask: { kind: 'window', size: 1, causal: true, counts: 'self' } }, 'mask.size', [1, 1_000_000], [0, 0.5, 1_000_001]],
  [{ ...x, mask: { kind: 'padding', visible: 1 } }, 'mask.visible', [0, 3], [-1, 0.5, 1_000_001]],
  // Buckets of both sides are halved, and half of those are one distance each (Raffel et al. 2020).
  [{ ...x, relativeBias: { bidirectional: true } }, 'relativeBias.buckets', [4, 32, 256], [3, 0, 4097, 4.5]],
  [{ ...x, relativeBias: { bidirectional: false } }, 'relativeBias.buckets', [2, 3, 32], [1, 0, 4097, 2.5]],
  [{ ...x, relativeBias: { bidirectional: true, buckets: 32 } }, 'relativeBias.maxDistance', [9, 128, 1_000_000], [8, 1, 1_000_001, 9.5]],
  [{ ...x, relativeBias: { bidirectional: false, buckets: 32 } }, 'relativeBias.maxDistance', [17, 128], [16, 1]],
  [{ ...x, relativeBias: { bidirectional: false, buckets: 33 } }, 'relativeBias.maxDistance', [17], [16]],
  [rotary, 'rope.base', [tiny, 1, 10_000], [0, -1]],
  [rotary, 'rope.dims', [2, 4], [0, 1, 1.5, -2]],
  [{ ...rotary, rope: { scaling: { kind: 'linear', factor: 2 } } }, 'rope.scaling.factor', [tiny, 1, 4], [0, -1]],
  [{ ...rotary, rope: { scaling: yarn } }, 'rope.scaling.original', [1, 8192], [0, 1.5]],
  [{ ...rotary, rope: { scaling: yarn } }, 'rope.scaling.betaFast', [0.5, 32], [0, -1]],
  [{ ...rotary, rope: { scaling: yarn } }, 'rope.scaling.attentionFactor', [0.5, 1], [0, -1]],
  [{ ...rotary, rope: { scaling: yarn } }, 'rope.base', [2, 10_000], [1, 0]],
  // Llama 3: low frequencies are scaled, high ones are kept, and those between are mixed.
  [{ ...rotary, rope: { scaling: llama } }, 'rope.scaling.highFrequency', [4, 1.5], [1, 0.5, 0]],
  [{ ...rotary, rope: { scaling: llama } }, 'rope.scaling.lowFrequency', [1, 3.5], [0, -1]],
  [{ ...x, positions: 'sinusoidal-interleaved' }, 'positionIds.offset', [0, 1_000_000], [-1, 0.5, 1_000_001]],
  // Three tokens, so three steps of a decoder.
  [{ ...x, decode, mask: 'causal' }, 'decode.step', [0, 2], [3, -1, 0.5]],
  [{ ...x, ...two, differential: { lambda: 'init' } }, 'differential.layer', [1, 10_000], [0, 10_001, 1.5]],
  [{ ...x, ...two, differential: { lambda: 'init' } }, 'differential.epsilon', [0, tiny], [-tiny, -1]],
]; // prettier-ignore

describe('a step of a decoder', () => {
  it('is refused where queries and keys are not of the same tokens', () => {
    const { start } = x;
    const refusal = (of: Partial<AttentionSpec>): string | undefined => {
      const result = validateSpec({ ...x, decode, ...of });
      return result.ok ? undefined : result.problems.map(({ code, path, message }) => `${code} ${path}: ${message}`).join('; ');
    };
    assert.equal(refusal({}), undefined);
    assert.equal(refusal({ start: { ...start, context: [[1, 2, 3, 4]] } as AttentionSpec['start'] }), 'decode decode: decode needs queries and keys of the same tokens, found a start from "x"');
    assert.equal(refusal({ start: { from: 'qkv', q: [[1, 2]], k: [[1, 2], [3, 4]], v: [[1], [2]] } }), 'decode decode: decode needs as many queries as keys, found 1 and 2');
    assert.equal(refusal({ start: { from: 'qkv', q: [[1, 2], [5, 6]], k: [[1, 2], [3, 4]], v: [[1], [2]] } }), undefined);
    assert.equal(refusal({ start: scores.start }), 'decode decode: decode needs queries and keys of the same tokens, found a start from "scores"');
  }); // prettier-ignore
});

describe('the numbers of a field', () => {
  for (const [spec, path, taken, refused] of cases)
    it(`${path} ${JSON.stringify(spec.mask)} ${JSON.stringify(spec.rope?.scaling?.kind ?? spec.relativeBias ?? '')}`, () => {
      const keys = path.split('.');
      const named = path.replace(/\.(\d+)\b/g, '[$1]');
      for (const value of taken) assert.deepEqual(pathsOf(withNumber(spec as unknown as Json, keys, value)), [], `${value}`);
      for (const value of [...refused, '4', null]) {
        const paths = pathsOf(withNumber(spec as unknown as Json, keys, value));
        assert.ok(paths.includes(named), `${JSON.stringify(value)}: ${paths.join(', ')}`);
      }
    }); // prettier-ignore
});
