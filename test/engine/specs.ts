import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  explainAttention,
  matrixDefaults,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type SpecMatrix,
} from '../../engine/index';
import type { Expected } from './tolerance';

/** A file that a program in test/reference/ wrote. */
export const fixture = <T>(name: string): T =>
  JSON.parse(readFileSync(join(__dirname, '../fixtures/attention', name), 'utf8')) as T;

export type Steps = Record<string, Expected>;
export const theCat = fixture<{ default: Steps; causal: Steps; unscaled: Steps }>('the-cat.json');
export const tutorials = fixture<Record<'000' | '001' | '004', Record<string, SpecMatrix>>>('tutorials.json');

/** A trace, or a failure that shows the Problems. */
export function run(spec: AttentionSpec): AttentionTrace {
  const result = explainAttention(spec);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

export const need = (steps: Record<string, SpecMatrix>, name: string): SpecMatrix => {
  const matrix = steps[name];
  assert.ok(matrix, `fixture has ${name}`);
  return matrix;
};

/** “The cat sat on the mat” with the command's defaults for text. */
export const sentence: AttentionSpec = {
  ...textDefaults,
  start: { from: 'text', text: 'The cat sat on the mat', tokenizer: 'words' },
};

/** Tutorial 001: Q and K as printed, scaled, causal. */
export const spec001: AttentionSpec = {
  ...matrixDefaults,
  mask: 'causal',
  start: { from: 'qkv', q: need(tutorials['001'], 'q'), k: need(tutorials['001'], 'k') },
};

/** Tutorial 004: columns x_1 … x_4 in float32, W·x, not scaled. */
export const spec004: AttentionSpec = {
  ...matrixDefaults,
  start: { from: 'x', x: need(tutorials['004'], 'x') },
  projections: {
    from: 'given',
    wq: need(tutorials['004'], 'wq'),
    wk: need(tutorials['004'], 'wk'),
    wv: need(tutorials['004'], 'wv'),
  },
  convention: 'XWT',
  scale: 'none',
  dtype: 'float32',
};

const [t000, row] = [tutorials['000'], (name: string) => need(tutorials['000'], name)[0] ?? []];

/** Tutorial 000: seed 3, with biases, not scaled. */
export const spec000: AttentionSpec = {
  ...matrixDefaults,
  start: { from: 'x', x: need(t000, 'x') },
  projections: {
    from: 'given',
    wq: need(t000, 'wq'),
    wk: need(t000, 'wk'),
    wv: need(t000, 'wv'),
    bq: row('bq'),
    bk: row('bk'),
    bv: row('bv'),
  },
  convention: 'XWT',
  scale: 'none',
};
