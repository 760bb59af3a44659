/** Arguments that no call gives: what they turn out to be by how they are used. */
import { t } from '../../text';
import {
  cause,
  input,
  type Machine,
  newTensor,
  builtin,
  sized,
  tuple,
  type StandIn,
  type SymbolicInt,
  type TensorValue,
  type Unknown,
  type Value,
} from '../machine';
import { symbol, type Dim, type DType, type Shape } from '../tensor';

export function standIn(m: Machine, name: string, shapeOf?: StandIn): Unknown {
  const why = cause(m, t('{0} is given by no call here', name));
  return { kind: 'unknown', cause: why, standIn: { name, parts: new Map(), ...(shapeOf ? { shapeOf } : {}) } };
}

/** `config.n_embd` is called `n_embd`. */
const shortName = ({ name }: StandIn): string => name.slice(name.lastIndexOf('.') + 1);

/** As a size: its own name. */
export function asSymbol(value: Unknown, { standIn: of }: { standIn: StandIn }): SymbolicInt {
  of.isSize = true;
  return { kind: 'symbol', dim: symbol(shortName(of)), cause: value.cause };
}

/** `config["n_embd"]`: a configuration that is a dictionary. */
export function entryOf(m: Machine, of: StandIn, key: string): Value {
  const known = of.parts.get(key);
  if (known) return known;
  const made = standIn(m, `${of.name}.${key}`);
  of.parts.set(key, made);
  return made;
}

/** Whether a program has arrays of NumPy alone: nothing else that it imports has tensors. */
export const hasArraysOnly = ({ modules }: Machine): boolean =>
  modules.has('numpy') && ![...modules.keys()].some((name) => /^(?:torch|tensorflow|keras|einops)\b/.test(name));

const unknownTensor = (
  m: Machine,
  value: Unknown,
  of: StandIn,
  shape: Shape | undefined,
  dtype?: DType,
): TensorValue => {
  const own = hasArraysOnly(m);
  return newTensor(own ? 'numpy' : 'torch', input(m, shape, dtype ?? (own ? 'float64' : 'float32'), value.cause, of.name)); // prettier-ignore
};

/** As a tensor, of any shape as long as nothing says which. */
export function asTensor(m: Machine, value: Unknown, of: StandIn): TensorValue {
  of.tensor ??= unknownTensor(m, value, of, undefined);
  return of.tensor;
}

/** From here on it has this shape, unless it had another before. */
export function shaped(m: Machine, value: Unknown, of: StandIn, shape: Shape): TensorValue {
  if (of.tensor?.node.shape) return of.tensor;
  of.tensor = unknownTensor(m, value, of, shape, of.tensor?.node.dtype);
  return of.tensor;
}

/** `x.shape`, `x.n_head`: a part is the same whenever it is asked for. */
export function partOf(m: Machine, value: Unknown, of: StandIn, name: string): Value {
  if (name === 'shape' && of.tensor?.node.shape)
    return tuple(of.tensor.node.shape.map((dim) => sized(dim, value.cause)));
  const known = of.parts.get(name);
  if (known) return known;
  if (name === 'size') return sizeOf(m, value, of);
  const method = tensorMethods.has(name) ? m.library(m, `Tensor.${name}`) : undefined;
  if (method) return { kind: 'method', self: of.tensor ?? value, function: method };
  const made = standIn(m, `${of.name}.${name}`, name === 'shape' ? of : undefined);
  of.parts.set(name, made);
  return made;
}

/** Methods that only tensors have: an object of this name is one. */
const tensorMethods = new Set(
  'view reshape transpose permute unsqueeze squeeze masked_fill matmul softmax contiguous flatten expand float long'.split(
    ' ',
  ),
);

/** `x.size()` is its shape, `x.size(0)` one of it. */
const sizeOf = (m: Machine, value: Unknown, of: StandIn): Value =>
  builtin('size', function* ({ positional: [axis] }) {
    yield;
    const shape = partOf(m, value, of, 'shape');
    if (!axis || axis.kind !== 'int') return shape;
    if (shape.kind === 'tuple') return shape.items.at(Number(axis.value)) ?? shape;
    return shape.kind === 'unknown' && shape.standIn ? partOf(m, shape, shape.standIn, `[${axis.value}]`) : shape;
  });

/** `B, T, C = x.shape`: as many axes as there are names, called by them. */
export function unpackShape(
  m: Machine,
  value: Unknown,
  of: StandIn,
  names: readonly (string | undefined)[],
): Value | undefined {
  const { shapeOf } = of;
  if (names.length === 2) of.isSequence = true;
  if (!shapeOf) return undefined;
  const dims = names.map((name, i): Dim =>
    symbol(name === undefined || /^_+$/.test(name) ? `${shortName(shapeOf)}.shape[${i}]` : name),
  );
  const { shape } = shaped(m, value, shapeOf, dims).node;
  return tuple((shape ?? dims).map((dim) => sized(dim, value.cause)));
}

/** `x.shape[-1]`, `x.size(0)`. */
export function sizeAt(m: Machine, value: Unknown, of: StandIn, index: number): Value | undefined {
  if (!of.shapeOf) return undefined;
  return partOf(m, value, of, `[${index}]`);
}
