import { parenthesized, type Dialect } from './dialect';

/** PyTorch, 1.13 and later, on the CPU. */
export const torch: Dialect = {
  name: 'PyTorch',
  module: 'torch',
  dtype: (dtype) => `dtype = torch.${dtype}`,
  half: (precision) => `def half(x):
    """x rounded to ${precision}; each step is computed in float32."""
    return x.to(torch.${precision}).float()`,
  print: (digits) => `torch.set_printoptions(precision=${digits}, sci_mode=False, linewidth=160)`,
  array: (list) => `torch.tensor(${list}, dtype=dtype)`,
  integers: (list) => `torch.tensor(${list})`,
  from: (values, library) => `${library === 'torch' ? parenthesized(values) : `torch.as_tensor(${values})`}.to(dtype)`,
  library: 'torch',
};
