import { alike, fillOf, first, grouped, second, type Dialect, type Line } from './dialect';

/** NumPy, 1.20 and later. */
export const numpy: Dialect = {
  name: 'NumPy',
  module: 'np',
  dtype: (dtype) => `dtype = np.${dtype}`,
  print: (digits) => `np.set_printoptions(precision=${digits}, suppress=True, linewidth=160)`,
  array: (list) => `np.array(${list}, dtype=dtype)`,
  integers: (list) => `np.array(${list})`,
  from: (values, library) => `${grouped(values)}${library === 'torch' ? '.numpy()' : ''}.astype(dtype)`,
  operations: {
    ...alike('swapaxes'),
    softcap: ({ cap }, line) => `${cap} * np.tanh(${first(line)} / ${cap})`,
    repeatHeads: ({ times }, line) => `np.repeat(${first(line)}, ${times}, axis=-3)`,
    rope: ({ layout }, line) =>
      layout === 'half'
        ? `np.concatenate(turned(*np.split(${first(line)}, 2, axis=-1), ${second(line)}), axis=-1)`
        : `np.stack(turned(${first(line)}[..., 0::2], ${first(line)}[..., 1::2], ${second(line)}), axis=-1).reshape(${first(line)}.shape)`,
    mask: ({ fill }, line) => `np.where(${second(line)}, dtype(${fillOf(fill, 'np.inf')}), ${first(line)})`,
    softmax: ({ emptyRow }, line) => softmax(line, emptyRow === 'zero'),
  },
};

function softmax(line: Line, zero: boolean): string {
  const from = first(line);
  const { name } = line;
  return [
    `with np.errstate(invalid="ignore"):  # a row with nothing but -inf gives NaN`,
    `    ${name} = np.exp(${from} - ${from}.max(axis=-1, keepdims=True))`,
    `    ${name} = ${name} / ${name}.sum(axis=-1, keepdims=True)`,
    ...(zero ? [`${name} = np.where(np.isneginf(${from}).all(axis=-1, keepdims=True), dtype(0), ${name})`] : []),
  ].join('\n');
}
