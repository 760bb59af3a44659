import type { Tensor } from '../../math';

/** A least-recently-used cache of computed rows: a reader usually asks for the same rows again. */
export interface RowCache {
  get(key: string, compute: () => Tensor): Tensor;
  /** A cached row, without marking it as used. */
  peek(key: string): Tensor | undefined;
}

/** Most bytes of cached rows: 128 rows of 131,072 float64 numbers. */
export const rowBytes = 1 << 27;

export function createRowCache(mostBytes = rowBytes): RowCache {
  // A map iterates its keys in the order of insertion: the first is the least recently used.
  const rows = new Map<string, Tensor>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= rows.get(key)?.data.byteLength ?? 0;
    rows.delete(key);
  };
  return {
    peek: (key) => rows.get(key),
    get(key, compute) {
      const found = rows.get(key);
      const row = found ?? compute();
      if (found) rows.delete(key);
      else bytes += row.data.byteLength;
      rows.set(key, row);
      for (const [oldest] of rows) {
        if (bytes <= mostBytes || oldest === key) break;
        drop(oldest);
      }
      return row;
    },
  };
}
