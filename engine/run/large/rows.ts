import type { Tensor } from '../../math/tensor';

/** Rows that were computed lately, at most so many bytes of them: a reader's next question is about the same rows. */
export interface RowCache {
  get(key: string, compute: () => Tensor): Tensor;
  /** A row that is there, without being asked for anew. */
  peek(key: string): Tensor | undefined;
}

/** Bytes of rows that are kept: 128 rows of 131,072 float64 numbers. */
export const rowBytes = 1 << 27;

export function createRowCache(mostBytes = rowBytes): RowCache {
  // A map gives its keys in the order in which they were set: the first is the one not asked for longest.
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
