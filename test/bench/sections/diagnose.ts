import { catalogue, checkResult } from '../../../engine/diagnose';
import {
  explainAttention,
  finish,
  matrixDefaults,
  type AttentionSpec,
  type AttentionTrace,
} from '../../../engine/index';
import { measure, type Measured } from '../measure';
import type { Place } from '../peers';
import { plainAttention, problemOf } from '../plainAttention';
import type { Form, Section } from './index';

export const diagnose: Section = {
  name: 'diagnose',
  words:
    'a 64×64 result that is none, checked against all mistakes and pairs, against plain attention of that size, 1000 times',
  run,
};

const [size, heads, times] = [64, 8, 1000];

/** Numbers with 4 digits, the same each time. */
function drawn(rows: number, seed: number): number[][] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.round(1e4 * (state / 0x80000000 - 1)) / 1e4;
  };
  return Array.from({ length: rows }, () => Array.from({ length: size }, next));
}

/** The most usual kind, and one in which most of the catalogue can happen. */
const kinds: readonly (readonly [string, Partial<AttentionSpec>])[] = [
  ['causal', { mask: 'causal' }],
  ['window, RoPE, norm after', { mask: { kind: 'window', size: 5, causal: true }, positions: 'rope-half', block: { norm: 'after', of: 'layer' } }],
]; // prettier-ignore

function traceOf(fields: Partial<AttentionSpec>): AttentionTrace {
  const [x, wq, wk, wv, wo] = [1, 2, 3, 4, 5].map((seed) => drawn(size, seed)) as [number[][], number[][], number[][], number[][], number[][]];
  const trace = explainAttention({
    ...matrixDefaults, dModel: size, heads, start: { from: 'x', x }, projections: { from: 'given', wq, wk, wv }, outputProjection: { from: 'given', wo }, ...fields,
  });
  if (!trace.ok) throw new Error(JSON.stringify(trace.problems));
  return trace.value;
} // prettier-ignore

async function* run(_: Place, { effort }: Form): AsyncGenerator<Measured> {
  const problem = problemOf(size, size);
  for (const [kind, fields] of kinds) {
    const trace = traceOf(fields);
    const results = [6, 7, 8].map((seed) => ({ rows: drawn(size, seed), digits: 4 }));
    const contenders = [
      {
        name: 'ours: every mistake, every pair',
        run: (input: number) => finish(checkResult(trace, results[input] ?? { rows: [], digits: 4 })),
        check: (found: unknown) => ((found as { value?: { is: string } }).value?.is === 'none' ? undefined : 'named something'),
      },
      {
        name: `plain attention, ${times} times`,
        run: () => {
          for (let i = 0; i < times; i++) plainAttention(problem);
        },
        check: () => undefined,
      },
    ];
    yield await measure({ name: `${kind}, ${heads} heads, ${catalogue.length} mistakes`, amount: 1, unit: 'checks', inputs: results.length, contenders }, effort);
  }
} // prettier-ignore
