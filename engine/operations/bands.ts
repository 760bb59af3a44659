import { allocate, type Tensor } from '../math';
import type { CellValue } from './explanation';
import { formula, part as named, type Expression } from './formula';
import type { Part } from './part';
import { elements, first, need, shapeAt, type Cells, type CodeLine, type Operation, type Shape } from './operation';

/**
 * Some rows or columns of a matrix, band by band: `size` of them from `start` on, of each `stride`, `times` times. So W_q, W_k and W_v are cut out of a matrix that
 * holds all three: in one band each, or in one for each head.
 */
export interface Bands {
  readonly op: 'bands';
  readonly along: 'rows' | 'columns';
  readonly start: number;
  readonly size: number;
  readonly stride: number;
  readonly times: number;
}

function shapeOf({ along, size, stride, times }: Bands, operands: readonly Shape[]): Shape {
  const [n = 0, m = 0] = shapeAt(operands, 0);
  const all = along === 'rows' ? n : m;
  if (stride * times !== all) throw new Error(`${times} bands of ${stride} are not ${all} ${along}`);
  return along === 'rows' ? [times * size, m] : [n, times * size];
}

/** The row or column of the operand that one of the result is. */
const originOf = ({ start, size, stride }: Bands, i: number): number =>
  start + Math.floor(i / size) * stride + (i % size);

/** Where a cell of the result stands in the operand. */
const placeOf = (call: Bands, row: number, column: number): readonly [number, number] =>
  call.along === 'rows' ? [originOf(call, row), column] : [row, originOf(call, column)];

function copied(call: Bands, a: Tensor, out: Tensor, [top, left]: readonly [number, number]): Tensor {
  const [m, width] = [a.shape.at(-1) ?? 0, out.shape.at(-1) ?? 0];
  for (let i = 0; i < out.data.length; i++) {
    const [row, column] = placeOf(call, top + Math.floor(i / width), left + (i % width));
    out.data[i] = a.data[row * m + column] as number;
  }
  return out;
}

function partOf(call: Bands, part: Part): Tensor {
  const { rows, columns } = part.at;
  const [n, m] = part.sizesOf(0);
  const whole = part.operand(0, { rows: [0, n], columns: [0, m] });
  return copied(call, whole, allocate(part.dtype, [rows[1] - rows[0], columns[1] - columns[0]]), [rows[0], columns[0]]);
}

const range = (from: number, size: number): string => `${from}:${from + size}`;

function shown(call: Bands, of: Expression): Expression {
  const { along, start, size, stride, times } = call;
  const band = (at: number): Expression => {
    const taken = range(start + at * stride, size);
    return formula`{${of}}_{${along === 'rows' ? `${taken},\\,:` : `:,\\,${taken}`}}`;
  };
  if (times === 1) return band(0);
  const separator = along === 'rows' ? ';' : ',';
  return formula`\left[${band(0)}${separator}\, ${times > 2 ? '\\dots' : ''}${times > 2 ? `${separator}\\, ` : ''}${band(times - 1)}\right]`;
}

function code({ along, start, size, stride, times }: Bands, line: CodeLine): string {
  const taken = range(start, size);
  const [n = 0, m = 0] = line.shapes[0] ?? [];
  if (times === 1) return along === 'rows' ? `${first(line)}[${taken}]` : `${first(line)}[:, ${taken}]`;
  return along === 'rows'
    ? `${first(line)}.reshape(${times}, ${stride}, ${m})[:, ${taken}].reshape(${times * size}, ${m})`
    : `${first(line)}.reshape(${n}, ${times}, ${stride})[:, :, ${taken}].reshape(${n}, ${times * size})`;
}

export const bands: Operation<Bands, 'reference'> = {
  shape: shapeOf,
  work: elements,
  kernel: (call, [a], shape, dtype) => copied(call, need(a), allocate(dtype, shape), [0, 0]),
  gpu: 'reference',
  part: partOf,
  made: (call, cell: CellValue, { read }: Cells) => {
    const [row = 0, column = 0] = cell.index;
    return { ...cell, kind: 'moved', operand: read(0, placeOf(call, row, column)) };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: (call, result, [a]) => formula`${result} = ${shown(call, named(a))}`,
  step: 'by role',
  numpy: code,
  torch: code,
};
