import { exp, allocate, type Tensor } from '../math';
import { cell, exp as power, formula, fraction, part, type Expression } from './formula';
import { elements, first, firstShape, need, rounding, type CodeLine, type Operation } from './operation';

/**
 * exp(x − max) / Σ exp(x − max) over each row. The optional second operand is the mask, as data, for backends
 * that need not honour infinities. A row with nothing but −inf gives NaN, as NumPy and PyTorch do, or 0 on `emptyRow: 'zero'`.
 */
export interface Softmax {
  readonly op: 'softmax';
  readonly emptyRow: 'nan' | 'zero';
}

// pass 1: the row's maximum; pass 2: exp(x − max) and its sum; pass 3: divide.
function kernel({ emptyRow }: Softmax, a: Tensor, out: Tensor): Tensor {
  const m = a.shape.at(-1) ?? 0;
  for (let start = 0; start < a.data.length; start += m) {
    const { max, exponentials, sum } = softmaxParts(a, start, m);
    const empty = max === -Infinity && emptyRow === 'zero';
    for (let j = 0; j < m; j++) out.data[start + j] = empty ? 0 : (exponentials[j] as number) / sum;
  }
  return out;
}

export interface SoftmaxParts {
  /** The row's maximum; NaN when the row holds a NaN. */
  readonly max: number;
  /** exp(x − max), rounded to the dtype. */
  readonly exponentials: Float64Array;
  /** Their sum in index order, rounded to the dtype at every addition. */
  readonly sum: number;
}

/** The numbers on the way to one row of a softmax: `m` values of `a` from offset `start`. */
export function softmaxParts(a: Tensor, start: number, m: number): SoftmaxParts {
  const round = rounding(a);
  let max = -Infinity;
  for (let j = 0; j < m; j++) {
    const x = a.data[start + j] as number;
    if (x > max || Number.isNaN(x)) max = x;
    if (Number.isNaN(x)) break;
  }
  const exponentials = new Float64Array(m);
  let sum = 0;
  for (let j = 0; j < m; j++) {
    const e = round(exp(round((a.data[start + j] as number) - max)));
    exponentials[j] = e;
    sum = round(sum + e);
  }
  return { max, exponentials, sum };
}

function numpy({ emptyRow }: Softmax, line: CodeLine): string {
  const from = first(line);
  const { name } = line;
  const empty = `np.isneginf(${from}).all(axis=-1, keepdims=True)`;
  return [
    `with np.errstate(invalid="ignore"):  # a row with nothing but -inf gives NaN`,
    `    ${name} = np.exp(${from} - ${from}.max(axis=-1, keepdims=True))`,
    `    ${name} = ${name} / ${name}.sum(axis=-1, keepdims=True)`,
    ...(emptyRow === 'zero' ? [`${name} = np.where(${empty}, dtype(0), ${name})`] : []),
  ].join('\n');
}

function torch({ emptyRow }: Softmax, line: CodeLine): string {
  const weights = `${line.name} = torch.softmax(${first(line)}, dim=-1)`;
  const empty = `torch.isneginf(${first(line)}).all(dim=-1, keepdim=True)`;
  return emptyRow === 'zero' ? `${weights}\n${line.name} = ${line.name}.masked_fill(${empty}, 0)` : weights;
}

export const softmax: Operation<Softmax, 'kernel'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'kernel',
  part: (_, part) => part.fromRows(),
  made: ({ emptyRow }, cell, cells) => {
    const parts = cells.softmax(cell);
    return { ...cell, kind: 'softmax', ...parts, zeroed: parts.max === -Infinity && emptyRow === 'zero' };
  },
  nextCell: 'same place',
  picture: 'softmax',
  formula: (_, result, [a]) => {
    const below = (column: string, over: string): Expression =>
      formula`${cell(part(a), 'i', column)} - \max_${over.length > 1 ? `{${over}}` : over} ${cell(part(a), 'i', over)}`;
    const share = fraction(power(below('j', 'l')), formula`\sum_l ${power(below('l', "l'"))}`);
    return formula`${cell(result, 'i', 'j')} = ${share}`;
  },
  step: 'by role',
  numpy,
  torch,
};
