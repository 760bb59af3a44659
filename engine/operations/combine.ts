import { allocate, type Tensor } from '../math';
import { formula, fraction, part } from './formula';
import { elements, first, need, rounding, second, servedShape, type Operation } from './operation';

/** a − b, a · b or a / b, cell by cell; one b may serve several rows, columns, heads or batches. */
export interface Combine {
  readonly op: 'combine';
  readonly sign: '−' | '×' | '÷';
}

const of: { readonly [S in Combine['sign']]: (a: number, b: number) => number } = {
  '−': (a, b) => a - b,
  '×': (a, b) => a * b,
  '÷': (a, b) => a / b,
};
const written = { '−': '-', '×': '*', '÷': '/' } as const;

/** The place in b that serves place i of a. */
export function servedBy(shape: readonly number[], by: readonly number[], i: number): number {
  let [rest, at, stride] = [i, 0, 1];
  for (let d = 1; d <= shape.length; d++) {
    const [size, own] = [shape.at(-d) as number, by.at(-d) ?? 1];
    if (own > 1) at += (rest % size) * stride;
    stride *= own;
    rest = Math.floor(rest / size);
  }
  return at;
}

function kernel({ sign }: Combine, a: Tensor, b: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  const apply = of[sign];
  for (let i = 0; i < out.data.length; i++)
    out.data[i] = round(apply(a.data[i] as number, b.data[servedBy(a.shape, b.shape, i)] as number));
  return out;
}

export const combine: Operation<Combine, 'reference'> = {
  shape: servedShape,
  work: elements,
  kernel: (call, [a, b], shape, dtype) => kernel(call, need(a), need(b), allocate(dtype, shape)),
  gpu: 'reference',
  part: 'cell by cell',
  made: ({ sign }, cell, cells) => ({
    ...cell,
    kind: 'applied',
    function: sign,
    operands: [cells.read(0, cell.index), cells.served(1, cell.index)],
  }),
  nextCell: 'same place',
  picture: 'result',
  formula: ({ sign }, result, [a, b]) =>
    sign === '÷'
      ? formula`${result} = ${fraction(part(a), part(b))}`
      : formula`${result} = ${part(a)} ${sign === '−' ? '-' : '\\odot'} ${part(b)}`,
  step: 'by role',
  numpy: ({ sign }, line) => `${first(line)} ${written[sign]} ${second(line)}`,
  torch: ({ sign }, line) => `${first(line)} ${written[sign]} ${second(line)}`,
};
