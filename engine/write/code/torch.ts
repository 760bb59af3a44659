import { alike, fillOf, first, grouped, second, type Dialect } from './dialect';

/** PyTorch, 1.13 and later, on the CPU. */
export const torch: Dialect = {
  name: 'PyTorch',
  module: 'torch',
  dtype: (dtype) => `dtype = torch.${dtype}`,
  print: (digits) => `torch.set_printoptions(precision=${digits}, sci_mode=False, linewidth=160)`,
  array: (list) => `torch.tensor(${list}, dtype=dtype)`,
  integers: (list) => `torch.tensor(${list})`,
  from: (values, library) => `${library === 'torch' ? grouped(values) : `torch.as_tensor(${values})`}.to(dtype)`,
  operations: {
    ...alike('transpose'),
    softcap: ({ cap }, line) => `${cap} * torch.tanh(${first(line)} / ${cap})`,
    repeatHeads: ({ times }, line) => `${first(line)}.repeat_interleave(${times}, dim=-3)`,
    rope: ({ layout }, line) =>
      layout === 'half'
        ? `torch.cat(turned(*${first(line)}.chunk(2, dim=-1), ${second(line)}), dim=-1)`
        : `torch.stack(turned(${first(line)}[..., 0::2], ${first(line)}[..., 1::2], ${second(line)}), dim=-1).reshape(${first(line)}.shape)`,
    mask: ({ fill }, line) => `${first(line)}.masked_fill(${second(line)}, ${fillOf(fill, 'math.inf')})`,
    softmax: ({ emptyRow }, line) => {
      const weights = `${line.name} = torch.softmax(${first(line)}, dim=-1)`;
      const empty = `torch.isneginf(${first(line)}).all(dim=-1, keepdim=True)`;
      return emptyRow === 'zero' ? `${weights}\n${line.name} = ${line.name}.masked_fill(${empty}, 0)` : weights;
    },
  },
};
