// What products are made of: both operands packed as panels, and a panel of one times all of the other. AssemblyScript.
import { packColumns, packRows } from './pack';
import { COLUMNS, ROWS, tile } from './tile';

// @ts-ignore: decorator
@inline
export function up(n: u32, to: u32): u32 {
  return ((n + to - 1) / to) * to;
}

// Terms from … from + terms of b, as panels of COLUMNS columns.
export function packRight(b: usize, k: u32, m: u32, transposed: bool, from: u32, terms: u32, to: usize): void {
  for (let j: u32 = 0; j < m; j += COLUMNS, to += 4 * COLUMNS * terms) {
    const columns = min(COLUMNS, m - j);
    if (transposed) packRows(b + 4 * (j * k + from), 4 * k, columns, terms, to, COLUMNS);
    else packColumns(b + 4 * (from * m + j), 4 * m, columns, terms, to);
  }
}

// `terms` columns of a, whose rows have k, as panels of ROWS rows.
export function packLeft(a: usize, k: u32, rows: u32, terms: u32, to: usize): void {
  for (let i: u32 = 0; i < rows; i += ROWS, to += 4 * ROWS * terms)
    packRows(a + 4 * i * k, 4 * k, min(ROWS, rows - i), terms, to, ROWS);
}

// c: rows×m; a panel of b is read by all rows while it is in the first cache
export function panels(left: usize, right: usize, c: usize, rows: u32, terms: u32, m: u32, add: bool): void {
  for (let j: u32 = 0; j < m; j += COLUMNS, right += 4 * COLUMNS * terms) {
    const columns = min(COLUMNS, m - j);
    let a = left;
    for (let i: u32 = 0; i < rows; i += ROWS, a += 4 * ROWS * terms)
      tile(terms, a, right, c + 4 * (i * m + j), 4 * m, min(ROWS, rows - i), columns, add);
  }
}
