import { tanh } from '../math/math';
import { allocate, type Tensor } from '../math/tensor';
import { elements, first, firstShape, need, numpyScalar, rounding, torchScalar, type Operation } from './operation';

/** cap·tanh(x/cap). */
export interface Softcap {
  readonly op: 'softcap';
  readonly cap: number;
}

// cap·tanh(x/cap), each operation rounded
function kernel({ cap }: Softcap, a: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  const by = round(cap);
  for (let i = 0; i < out.data.length; i++) out.data[i] = round(tanh(round((a.data[i] as number) / by))) * by;
  return out;
}

export const softcap: Operation<Softcap> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  part: 'cell by cell',
  made: (call, cell, { read, round }) => {
    const operand = read(0, cell.index);
    const cap = round(call.cap);
    const ratio = round(operand.value / cap);
    return { ...cell, kind: 'capped', operand, cap, ratio, tanh: round(tanh(ratio)) };
  },
  onward: 'same place',
  numpy: ({ cap }, line) => `${numpyScalar(cap)} * np.tanh(${first(line)} / ${numpyScalar(cap)})`,
  torch: ({ cap }, line) => `${torchScalar(cap)} * torch.tanh(${first(line)} / ${torchScalar(cap)})`,
};
