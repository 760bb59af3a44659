import { allocate, tanh, type Tensor } from '../math';
import { say } from '../text';
import type { CellValue, Work } from './explanation';
import { formula, fraction, part, type Expression, type Symbol } from './formula';
import { elements, first, firstShape, need, rounding, type Operation } from './operation';

/** A function of each cell alone, as programs use it beside attention: in norms of queries and keys, and in additive scores. */
export interface Apply {
  readonly op: 'apply';
  readonly of: Applied;
}

export const appliedFunctions = ['square', 'root', 'inverseRoot', 'inverse', 'tanh'] as const;
export type Applied = (typeof appliedFunctions)[number];

interface Declared {
  readonly value: (x: number) => number;
  readonly work: (cell: Work) => Work;
  readonly formula: (of: Expression | Symbol) => Expression;
  readonly numpy: (x: string) => string;
  readonly torch: (x: string) => string;
}

const one: Work = { is: 'whole', value: 1 };

const functions: Readonly<Record<Applied, Declared>> = {
  square: {
    value: (x) => x * x,
    work: (of) => ({ is: 'square', of }),
    formula: (of) => formula`${of}^{2}`,
    numpy: (x) => `np.square(${x})`,
    torch: (x) => `torch.square(${x})`,
  },
  root: {
    value: Math.sqrt,
    work: (of) => ({ is: 'root', of }),
    formula: (of) => formula`\sqrt{${of}}`,
    numpy: (x) => `np.sqrt(${x})`,
    torch: (x) => `torch.sqrt(${x})`,
  },
  inverseRoot: {
    value: (x) => 1 / Math.sqrt(x),
    work: (of) => ({ is: 'quotient', of: one, by: { is: 'root', of } }),
    formula: (of) => fraction(formula`1`, formula`\sqrt{${of}}`),
    numpy: (x) => `1 / np.sqrt(${x})`,
    torch: (x) => `torch.rsqrt(${x})`,
  },
  inverse: {
    value: (x) => 1 / x,
    work: (of) => ({ is: 'quotient', of: one, by: of }),
    formula: (of) => fraction(formula`1`, of),
    numpy: (x) => `np.reciprocal(${x})`,
    torch: (x) => `torch.reciprocal(${x})`,
  },
  tanh: {
    value: tanh,
    work: (of) => ({ is: 'tanh', of }),
    formula: (of) => formula`\tanh\left(${of}\right)`,
    numpy: (x) => `np.tanh(${x})`,
    torch: (x) => `torch.tanh(${x})`,
  },
};

export const appliedFormula = (of: Applied, operand: Expression | Symbol): Expression => functions[of].formula(operand);

function kernel({ of }: Apply, a: Tensor, out: Tensor): Tensor {
  const [round, { value }] = [rounding(a), functions[of]];
  for (let i = 0; i < out.data.length; i++) out.data[i] = round(value(a.data[i] as number));
  return out;
}

const operandOf = (cell: CellValue): Work => ({ is: 'cell', cell });

export const apply: Operation<Apply, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: 'cell by cell',
  made: ({ of }, cell, cells) => {
    const operand = cells.read(0, cell.index);
    const line = { value: cell.value, work: functions[of].work(operandOf(operand)) };
    return { ...cell, kind: 'worked', operand, lines: [line], note: say('Each cell alone: no other is asked.') };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: ({ of }, result, [a]) => formula`${result} = ${appliedFormula(of, part(a))}`,
  step: 'by role',
  numpy: ({ of }, line) => functions[of].numpy(first(line)),
  torch: ({ of }, line) => functions[of].torch(first(line)),
};
