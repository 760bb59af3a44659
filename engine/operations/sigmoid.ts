import { allocate, exp, type Tensor } from '../math';
import { say } from '../text';
import type { Work, WorkLine } from './explanation';
import { cell, formula, latexNumber, part } from './formula';
import {
  elements,
  first,
  firstShape,
  inHalf,
  need,
  numpyScalar,
  rounding,
  torchScalar,
  type Operation,
  type Round,
} from './operation';

/** 1 / (1 + exp(−(x + bias))): the weights of sigmoid attention (Ramapuram et al. 2024, eq. 3). −∞ gives 0. */
export interface Sigmoid {
  readonly op: 'sigmoid';
  readonly bias: number;
}

// each operation rounded; exp of a large number is ∞, and 1/∞ is 0
function kernel({ bias }: Sigmoid, a: Tensor, out: Tensor, half: Round): Tensor {
  const round = rounding(a);
  const by = round(bias);
  for (let i = 0; i < out.data.length; i++) {
    const power = round(exp(-half((a.data[i] as number) + by)));
    out.data[i] = 1 / round(1 + power);
  }
  return out;
}

const one: Work = { is: 'whole', value: 1 };

export const sigmoid: Operation<Sigmoid, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype, half) => kernel(call, need(a), allocate(dtype, shape), half ?? rounding(need(a))),
  gpu: 'reference',
  part: 'cell by cell',
  made: ({ bias }, of, { read, round, half = round }) => {
    const operand = read(0, of.index);
    const by = round(bias);
    const terms: Work[] = [
      { is: 'cell', cell: operand },
      { is: 'number', value: by },
    ];
    const power: Work = { is: 'exp', of: { is: 'negative', of: { is: 'line', at: 0 } } };
    const lines: WorkLine[] = [
      { name: say('with bias'), value: half(operand.value + by), work: { is: 'sum', of: terms } },
      { value: of.value, work: { is: 'quotient', of: one, by: { is: 'sum', of: [one, power] } } },
    ];
    return { ...of, kind: 'worked', operand, lines, note: say('Each cell alone: no other is asked.') };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: ({ bias }, result, [a]) =>
    formula`${cell(result, 'i', 'j')} = \sigma(${cell(part(a), 'i', 'j')} + ${latexNumber(bias)})`,
  step: 'by role',
  numpy: ({ bias }, line) =>
    [
      `with np.errstate(over="ignore"):  # exp of a large number is inf, and 1 / inf is 0`,
      `    ${line.name} = 1 / (1 + np.exp(-${inHalf(line, `(${first(line)} + ${numpyScalar(bias)})`)}))`,
    ].join('\n'),
  torch: ({ bias }, line) => `torch.sigmoid(${inHalf(line, `${first(line)} + ${torchScalar(bias)}`)})`,
};
