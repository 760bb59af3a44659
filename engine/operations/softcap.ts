import { tanh, allocate, type Tensor } from '../math';
import { say } from '../text';
import type { Work } from './explanation';
import { formula, latexNumber, part } from './formula';
import {
  elements,
  first,
  firstShape,
  inHalf,
  need,
  numpyScalar,
  rounding,
  torchScalar,
  type CodeLine,
  type Operation,
  type Round,
} from './operation';

/** cap·tanh(x/cap). */
export interface Softcap {
  readonly op: 'softcap';
  readonly cap: number;
}

// cap·tanh(x/cap), each of its three operations rounded
function kernel({ cap }: Softcap, a: Tensor, out: Tensor, round: Round): Tensor {
  const by = rounding(a)(cap);
  for (let i = 0; i < out.data.length; i++) out.data[i] = round(tanh(round((a.data[i] as number) / by))) * by;
  return out;
}

const capped = (line: CodeLine, module: string, by: string): string =>
  inHalf(line, `${module}.tanh(${inHalf(line, `${first(line)} / ${by}`)})`);

export const softcap: Operation<Softcap, 'kernel'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype, half) => kernel(call, need(a), allocate(dtype, shape), half ?? rounding(need(a))),
  gpu: 'kernel',
  part: 'cell by cell',
  made: (call, cell, { read, round, half = round }) => {
    const operand = read(0, cell.index);
    const cap = round(call.cap);
    const ratio = half(operand.value / cap);
    const by: Work = { is: 'number', value: cap };
    return {
      ...cell,
      kind: 'worked',
      operand,
      lines: [
        { value: ratio, work: { is: 'quotient', of: { is: 'cell', cell: operand }, by } },
        { value: half(tanh(ratio)), work: { is: 'tanh', of: { is: 'line', at: 0 } } },
        { value: cell.value, work: { is: 'product', of: [by, { is: 'line', at: 1 }] } },
      ],
      note: say('No score can pass ±{0}; small ones hardly change.', call.cap),
    };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: ({ cap }, result, [a]) => formula`${result} = ${latexNumber(cap)} \tanh(${part(a)} / ${latexNumber(cap)})`,
  step: 'by role',
  numpy: ({ cap }, line) => `${numpyScalar(cap)} * ${capped(line, 'np', numpyScalar(cap))}`,
  torch: ({ cap }, line) => `${torchScalar(cap)} * ${capped(line, 'torch', torchScalar(cap))}`,
};
