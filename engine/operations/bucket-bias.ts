import { allocate, type Tensor } from '../math';
import { cell, formula, part } from './formula';
import { elements, need, type CodeLine, type Operation, type Shape } from './operation';

/**
 * A number of a table for each query and key, picked by their bucket (Raffel et al. 2020, section 2.1). Operands: table buckets×heads, buckets
 * [inputs×]n×m → [inputs×][heads×]n×m; without `perHead` the table has one column.
 */
export interface BucketBias {
  readonly op: 'bucketBias';
  readonly perHead: boolean;
}

function shapeOf({ perHead }: BucketBias, [table = [], buckets = []]: readonly Shape[]): Shape {
  return [...buckets.slice(0, -2), ...(perHead ? [table[1] ?? 1] : []), ...buckets.slice(-2)];
}

// table: b×heads, buckets: [inputs×]n×m, out: [inputs×][heads×]n×m
function kernel(table: Tensor, buckets: Tensor, out: Tensor): Tensor {
  const heads = table.shape[1] ?? 1;
  const cells = (buckets.shape.at(-2) ?? 1) * (buckets.shape.at(-1) ?? 1);
  for (let i = 0; i < out.data.length; i++) {
    const [matrix, at] = [Math.floor(i / cells), i % cells];
    const bucket = buckets.data[Math.floor(matrix / heads) * cells + at] as number;
    out.data[i] = table.data[bucket * heads + (matrix % heads)] as number;
  }
  return out;
}

/** The leading indices of the buckets of a cell, and its head. */
const placeOf = ({ perHead }: BucketBias, lead: Shape): { readonly input: Shape; readonly head: number } =>
  perHead ? { input: lead.slice(0, -1), head: lead.at(-1) ?? 0 } : { input: lead, head: 0 };

const code =
  (moved: (x: string) => string) =>
  ({ perHead }: BucketBias, { operands: [table = '', buckets = ''] }: CodeLine): string =>
    perHead ? moved(`${table}[${buckets}]`) : `${table}[${buckets}][..., 0]`;

export const bucketBias: Operation<BucketBias, 'reference'> = {
  shape: shapeOf,
  work: elements,
  kernel: (_, [table, buckets], shape, dtype) => kernel(need(table), need(buckets), allocate(dtype, shape)),
  gpu: 'reference',
  part: (call, part) => {
    const { input, head } = placeOf(call, part.lead);
    const column = { rows: [0, part.sizesOf(0)[0]], columns: [head, head + 1] } as const;
    return part.run([part.operand(0, column, []), part.operand(1, part.at, input)]);
  },
  made: (call, cell, { read, operandShape }) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const { input, head } = placeOf(call, cell.index.slice(0, -2));
    const id = read(1, [...(operandShape(1).length > 2 ? input : []), row, column]);
    return { ...cell, kind: 'lookup', id, entry: read(0, [id.value, head]) };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: (_, result, [table, buckets]) => formula`${cell(result, 'i', 'j')} = ${part(table)}[${cell(part(buckets), 'i', 'j')}]`,
  step: 'by role',
  numpy: code((x) => `np.moveaxis(${x}, -1, -3)`),
  torch: code((x) => `${x}.movedim(-1, -3)`),
}; // prettier-ignore
