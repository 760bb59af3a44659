import { encodeNumber, type SpecNumber } from '../spec';
import type { Paced } from '../text';

/** Numbers between two yields. */
const numbersPerSlice = 4096;

/** `encodeMatrix` with places to stop: rows × columns of `values`, row-major. */
export function* encodeMatrixPaced(
  [rows, columns]: readonly [number, number],
  values: ArrayLike<number>,
): Paced<SpecNumber[][]> {
  const found: SpecNumber[][] = [];
  for (let i = 0, taken = 0; i < rows; i++) {
    const row: SpecNumber[] = [];
    for (let j = 0; j < columns; j++) {
      row.push(encodeNumber(values[i * columns + j] as number));
      if (++taken % numbersPerSlice === 0) yield;
    }
    found.push(row);
  }
  return found;
}
