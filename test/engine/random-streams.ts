import assert from 'node:assert/strict';
import { createStream, type RandomStream, type StreamChoice } from '../../engine/random/index';

/** A stream whose seed must be right. */
export function streamOf(choice: StreamChoice): RandomStream {
  const stream = createStream(choice);
  assert.ok(stream.ok, stream.ok ? '' : stream.problems[0]?.message);
  return stream.value;
}

/** A method as test/reference/random_streams.py names it, the count, and its arguments. */
export type Call = readonly [method: 'randn' | 'normal' | 'rand' | 'uniform' | 'integers', count: number, ...number[]];
export type Case = StreamChoice & { readonly calls: readonly Call[] };

export function make(stream: RandomStream, [method, count, ...args]: Call): Float64Array {
  const [a = 0, b = 1] = args;
  if (method === 'integers') return stream.integers(count, a, b);
  if (method === 'randn') return stream.normal(count);
  if (method === 'rand') return stream.uniform(count);
  return stream[method](count, a, b);
}

export const title = ({ generator, seed, dtype }: StreamChoice): string => {
  const text = JSON.stringify(seed);
  return `${generator}, seed ${text.length > 30 ? `${text.slice(0, 30)}…` : text}${dtype ? `, ${dtype}` : ''}`;
};

/** Draws that are equal to the last bit by construction; the others went through the C library's log, sin or cos. */
export const isExact = (choice: StreamChoice, [method]: Call): boolean =>
  !(method === 'randn' || method === 'normal') || (choice.generator === 'torch' && choice.dtype !== 'float64');
