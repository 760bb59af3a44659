/** Matrices that were rounded when they were printed: each cell by the two numbers between which it was. */
import { exp } from '../../math';

export type Cell = readonly [least: number, most: number];
export type Bounded = readonly (readonly Cell[])[];

export const exactly = (rows: readonly (readonly number[])[]): Bounded => rows.map((row) => row.map((x) => [x, x]));

export const turned = (m: Bounded): Bounded => (m[0] ?? []).map((_, j) => m.map((row) => row[j] as Cell));

export const times = (m: Bounded, by: number): Bounded =>
  m.map((row) => row.map(([a, b]) => (by < 0 ? [b * by, a * by] : [a * by, b * by])));

/** Undefined where they do not fit. */
export function product(a: Bounded, b: Bounded): Bounded | undefined {
  const inner = a[0]?.length ?? 0;
  if (inner === 0 || inner !== b.length) return undefined;
  return a.map((row) =>
    (b[0] ?? []).map((_, j) => {
      let [least, most] = [0, 0];
      row.forEach(([lo, hi], k) => {
        const [from, to] = b[k]?.[j] ?? [NaN, NaN];
        const all = [lo * from, lo * to, hi * from, hi * to];
        least += Math.min(...all);
        most += Math.max(...all);
      });
      return [least, most];
    }),
  );
}

export const causal = (m: Bounded): Bounded =>
  m.map((row, i) => row.map((cell, j) => (j > i ? [-Infinity, -Infinity] : cell)));

/** Softmax over each row. A cell is largest where it is itself at its most and all others at their least. */
export const softmax = (m: Bounded): Bounded => m.map(shares);

function shares(row: readonly Cell[]): readonly Cell[] {
  const top = row.reduce((most, [, hi]) => Math.max(most, hi), -Infinity);
  const powers = row.map(([lo, hi]): Cell => [exp(lo - top), exp(hi - top)]);
  const [least, most] = powers.reduce<Cell>(([a, b], [lo, hi]) => [a + lo, b + hi], [0, 0]);
  return powers.map(([lo, hi]) => [lo / (most - hi + lo), hi / (least - lo + hi)]);
}

/** Softmax over all cells at once. */
export function softmaxOfAll(m: Bounded): Bounded {
  const width = m[0]?.length ?? 0;
  const all = shares(m.flat());
  return m.map((_, i) => all.slice(i * width, (i + 1) * width));
}

/** What float32 may have lost, of the largest number. */
const lost = 2e-6;

/** [row, column] of the printed cell that is farthest from what it can be; undefined where each can be what is printed, or the shapes differ. */
export function farthest(printed: Bounded, own: Bounded): readonly [number, number] | undefined {
  if (!sameSize(printed, own)) return undefined;
  const large = own.flat().reduce((most, [a, b]) => Math.max(most, size(a), size(b)), 0);
  let [at, far]: [readonly [number, number] | undefined, number] = [undefined, lost * large];
  printed.forEach((row, i) =>
    row.forEach(([least, most], j) => {
      const [from, to] = own[i]?.[j] ?? [NaN, NaN];
      const by = least === from && most === to ? 0 : Math.max(from - most, least - to);
      if (by > far) [at, far] = [[i, j], by];
    }),
  );
  return at;
}

const size = (x: number): number => (Number.isFinite(x) ? Math.abs(x) : 0);

export const sameSize = (a: Bounded, b: Bounded): boolean => a.length === b.length && a[0]?.length === b[0]?.length;

export const fits = (printed: Bounded, own: Bounded | undefined): boolean =>
  own !== undefined && sameSize(printed, own) && farthest(printed, own) === undefined;

export const middle = ([least, most]: Cell): number => (least === most ? least : (least + most) / 2);
