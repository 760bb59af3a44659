// Hashes of traces as Node computes them, with which every other host is compared. The test bundles for extension hosts contain these in place of
// test/extension/web/expected.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { explainAttention, hashTrace, planClass, readLesson, specFromText, traceOfBlock } from '../../engine/index';
import type { AttentionSpec, AttentionTrace, Result } from '../../engine/index';
import { root } from './paths';

export const literals = [
  'Q = [[1, 2, 0.5], [0, 1, -1]]\nK = [[1, 0, 2], [3, 1, 1]]\nV = [[1, 0], [0, 1]]',
  'X = [[0.1, 0.2], [0.3, -0.4], [1e3, 1e-3]]',
  'The cat sat on the mat',
];

const lesson = readFileSync(join(root, 'test/fixtures/lessons/room.md'), 'utf8');

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.value;
}
const hashOf = (trace: Result<AttentionTrace>): string => hashTrace(must(trace));

/** The specs of the literals and of every block of the lesson, with the hashes of their traces. */
export function hashesInNode(): { readonly specs: readonly AttentionSpec[]; readonly hashes: readonly string[] } {
  const { blocks } = readLesson(lesson).lesson;
  const specs = [...literals.map((text) => must(specFromText(text)).spec), ...blocks.map(({ spec }) => spec)];
  return { specs, hashes: specs.map((spec) => hashOf(explainAttention(spec))) };
}

function variantOfAda(): string {
  const plan = must(planClass({ lesson, name: 'room.md', students: ['Ada', 'Grace'], seed: 2017 }));
  return plan.files.find((file) => file.path === 'students/Ada/room.md')?.text ?? '';
}

function contents(): string {
  const hashes = {
    literals: literals.map((text) => hashOf(explainAttention(must(specFromText(text)).spec))),
    lesson: readLesson(lesson).lesson.blocks.map((block) => hashOf(traceOfBlock(block))),
    variant: variantOfAda(),
  };
  return `export const hashes = ${JSON.stringify(hashes)};\nexport const lesson = ${JSON.stringify(lesson)};\nexport const literals = ${JSON.stringify(literals)};`;
}

export const withExpected: Plugin = {
  name: 'with-expected',
  setup(it) {
    it.onLoad({ filter: /test[\\/]extension[\\/]web[\\/]expected\.ts$/ }, () => ({ contents: contents(), loader: 'ts' })); // prettier-ignore
  },
};
