import { fillOf, grouped, lookedUp, numberOrRoot, rank, tuple, type Dialect, type Line } from './dialect';

const first = ({ operands }: Line): string => operands[0] ?? '';
const second = ({ operands }: Line): string => operands[1] ?? '';

/** The last two dimensions exchanged. */
const transposed = (name: string, dimensions: number): string =>
  dimensions === 2 ? `${name}.T` : `${name}.swapaxes(-2, -1)`;

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
    lookup: (call, line) => lookedUp(call, line.operands, line.shapes[1]?.[1] ?? 1),
    add: (_, line) => `${first(line)} + ${second(line)}`,
    matmul: ({ transposeB }, line) =>
      `${first(line)} @ ${transposeB ? transposed(second(line), rank(line.shapes[1])) : second(line)}`,
    divide: ({ by }, line) => `${first(line)} / ${numberOrRoot(by)}`,
    softcap: ({ cap }, line) => `${cap} * np.tanh(${first(line)} / ${cap})`,
    splitHeads: (_, line) => `${first(line)}.reshape(${splitShape(line)}).swapaxes(-3, -2)`,
    concatHeads: (_, line) => `${first(line)}.swapaxes(-3, -2).reshape(${tuple(line.step.shape)})`,
    repeatHeads: ({ times }, line) => `np.repeat(${first(line)}, ${times}, axis=-3)`,
    rope: ({ layout }, line) =>
      layout === 'half'
        ? `np.concatenate(turned(*np.split(${first(line)}, 2, axis=-1), ${second(line)}), axis=-1)`
        : `np.stack(turned(${first(line)}[..., 0::2], ${first(line)}[..., 1::2], ${second(line)}), axis=-1).reshape(${first(line)}.shape)`,
    mask: ({ fill }, line) => `np.where(${second(line)}, dtype(${fillOf(fill, 'np.inf')}), ${first(line)})`,
    softmax: ({ emptyRow }, line) => softmax(line, emptyRow === 'zero'),
    identity: (_, line) => first(line),
  },
};

/** …×n×h×d, before the heads are moved in front of the rows. */
export function splitShape({ step }: Line): string {
  const [h = 1, n = 1, d = 1] = step.shape.slice(-3);
  return tuple([...step.shape.slice(0, -3), n, h, d]);
}

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
