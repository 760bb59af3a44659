import { sizeOf } from '../math';
import type { Weights } from './weights';

/** Tensors that are read before they are asked for, and bytes of them in float32 at most. */
const [mostAhead, mostBytes] = [6, 1 << 26];

/**
 * Reads whole tensors before they are asked for, in the order in which a pass will ask, while it computes. What is asked for out of order is read then. What was
 * read and never asked for is let go.
 */
export function readAhead(weights: Weights, order: readonly string[]): Weights {
  const places = new Map(order.map((name, i) => [name, i]));
  const ahead = new Map<string, ReturnType<Weights['read']>>();
  const bytesOf = (name: string): number => 4 * sizeOf(weights.entries.get(name)?.shape ?? []);
  const begin = (at: number): void => {
    for (const name of [...ahead.keys()]) if ((places.get(name) ?? 0) < at) ahead.delete(name);
    let bytes = [...ahead.keys()].reduce((sum, name) => sum + bytesOf(name), 0);
    for (const name of order.slice(at, at + mostAhead)) {
      if (ahead.has(name)) continue;
      bytes += bytesOf(name);
      if (bytes > mostBytes) return;
      ahead.set(name, weights.read(name));
    }
  };
  return {
    ...weights,
    read(name, rows) {
      const place = places.get(name);
      if (rows || place === undefined) return weights.read(name, rows);
      const found = ahead.get(name) ?? weights.read(name);
      ahead.delete(name);
      begin(place + 1);
      return found;
    },
  };
}
