import { allocate, type Tensor } from '../math';
import { formula, part } from './formula';
import { elements, need, type CodeLine, type Operation } from './operation';
import { rowsOf } from './part';

/** Rows of a table (v×d) picked by one column of ids (n×c) → n×d. Operands: table, ids. */
export interface Lookup {
  readonly op: 'lookup';
  readonly column: number;
}

/** The ids, or the column of them that says which row of the table is meant. */
function picked({ column }: Lookup, { operands: [table, ids], shapes }: CodeLine): string {
  const columns = shapes[1]?.[1] ?? 1;
  return `${table}[${ids}${columns > 1 ? `[:, ${column}]` : ''}]`;
}

// table: v×d, ids: n×c, out: n×d
function kernel({ column }: Lookup, table: Tensor, ids: Tensor, out: Tensor): Tensor {
  const [n, d] = [out.shape[0] ?? 0, table.shape[1] ?? 0];
  const columns = ids.shape[1] ?? 1;
  for (let i = 0; i < n; i++) {
    const row = ids.data[i * columns + column] as number;
    out.data.set(table.data.subarray(row * d, (row + 1) * d), i * d);
  }
  return out;
}

export const lookup: Operation<Lookup, 'kernel'> = {
  shape: (_, [table = [], ids = []]) => [ids[0] ?? 0, table[1] ?? 0],
  work: elements,
  kernel: (call, [table, ids], shape, dtype) => kernel(call, need(table), need(ids), allocate(dtype, shape)),
  gpu: 'kernel',
  part: (_, part) => part.runOnRows([rowsOf(part, 0, [0, part.sizesOf(0)[0]]), rowsOf(part, 1)]),
  made: (call, cell, cells) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const id = cells.read(1, [row, call.column]);
    return { ...cell, kind: 'lookup', id, entry: cells.read(0, [id.value, column]) };
  },
  nextCell: 'mixed',
  picture: 'lookup',
  formula: (_, result, [table, ids]) => formula`${result}_i = ${part(table)}[${part(ids)}_i]`,
  step: 'by role',
  numpy: picked,
  torch: picked,
};
