import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixDefaults, textDefaults, type AttentionSpec, type SpecMatrix } from '../../engine/index';
import type { Explanation, Source } from '../../webview/protocol';
import { fixture as tokensFixture } from '../engine/tokens-texts';

const fixture = <T>(name: string): T =>
  JSON.parse(readFileSync(join(__dirname, '../fixtures/attention', name), 'utf8')) as T;

export type Steps = Readonly<Record<string, SpecMatrix>>;
/** Every partial of “The cat sat on the mat”, computed with NumPy from the same seed. */
export const theCat = fixture<{ default: Steps; causal: Steps; unscaled: Steps }>('the-cat.json');
export const tutorials = fixture<Record<'000' | '001' | '004', Steps>>('tutorials.json');

export function explanation(
  spec: AttentionSpec,
  source: Partial<Source> = {},
  notes: readonly string[] = [],
): Explanation {
  return { spec, source: { label: 'lesson.md:12', ...source }, notes };
}

export const sentence = 'The cat sat on the mat';

export const textSpec = (text: string, changes: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...textDefaults,
  start: { from: 'text', text, tokenizer: 'words' },
  ...changes,
});

export const catExplanation = explanation(
  textSpec(sentence),
  { label: 'lesson.md:12', uri: 'file:///lesson.md', range: { start: 40, end: 40 + sentence.length } },
  ['The embedding and W_q, W_k, W_v are drawn from NumPy’s seed 0: random, not learned.'],
);

/** `count` words, some of them twice. */
export function words(count: number): string {
  const some = 'the quick brown fox jumps over a lazy dog while rain falls on green hills far away'.split(' ');
  return Array.from({ length: count }, (_, i) =>
    i < some.length ? some[i] : `${some[(i * 7) % some.length]}${i % 13}`,
  ).join(' ');
}

export function matrixOf(tutorial: Steps, name: string): SpecMatrix {
  const matrix = tutorial[name];
  if (!matrix) throw new Error(`the fixture has no ${name}`);
  return matrix;
}

/** Tutorial 001: Q and K, causal, to the weights. */
export const qkExplanation = explanation(
  {
    ...matrixDefaults,
    mask: 'causal',
    start: { from: 'qkv', q: matrixOf(tutorials['001'], 'q'), k: matrixOf(tutorials['001'], 'k') },
  },
  { label: '001.py:8' },
);

/** Q, K and V of tutorial 000. */
export const qkvExplanation = explanation(
  {
    ...matrixDefaults,
    start: {
      from: 'qkv',
      q: matrixOf(tutorials['000'], 'q'),
      k: matrixOf(tutorials['000'], 'k'),
      v: matrixOf(tutorials['000'], 'v'),
    },
  },
  { label: '000.py:41' },
);

/** Tutorial 004: x and the three weights, X·Wᵀ, float32, unscaled. */
export const fourExplanation = explanation(
  {
    ...matrixDefaults,
    start: { from: 'x', x: matrixOf(tutorials['004'], 'x') },
    projections: {
      from: 'given',
      wq: matrixOf(tutorials['004'], 'wq'),
      wk: matrixOf(tutorials['004'], 'wk'),
      wv: matrixOf(tutorials['004'], 'wv'),
    },
    convention: 'XWT',
    scale: 'none',
    dtype: 'float32',
  },
  { label: '004.ipynb: cell 3' },
  ['X·Wᵀ, because the text multiplies W·x with column vectors.'],
);

/** A small tokenizer.json as Hugging Face's library writes it: WordPiece in lower case, with [CLS] and [SEP]. */
export function bertFile(): string {
  const files = tokensFixture<readonly { readonly name: string; readonly json: object }[]>('huggingface.json.gz');
  const found = files.find(({ name }) => name === 'bert-uncased');
  if (!found) throw new Error('the fixture has no bert-uncased');
  return JSON.stringify(found.json);
}
