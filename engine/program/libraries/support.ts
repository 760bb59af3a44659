/** What rows of the table have in common: arguments as tensors, sizes, axes and number types. */
import { ownNames, t } from '../../text';
import {
  type Attributes,
  type Cause,
  type Node,
  symbol,
  type Dim,
  type Shape,
  dtypes,
  isFloat,
  promote,
  type DType,
  type Operand,
  type OperationName,
  axisOf,
} from '../tensor';
import {
  arrayNode,
  operandNode,
  operandOf,
  unknownNode,
  dimOf,
  realOf,
  wholeOf,
  asSymbol,
  shaped,
  asTensor,
} from '../evaluate';
import {
  cause,
  isCause,
  look,
  operate,
  raise,
  castNode,
  newTensor,
  nodeOf,
  none,
  tuple,
  typeName,
  sized,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { NotFollowed, notFollowed, type Call } from './table';

export const absent = (value: Value | undefined): value is undefined => value === undefined || value.kind === 'none';

/** An argument, or None where none is given. */
export const given = (call: Call, name: string): Value => call.get(name) ?? none;

/** A value as a tensor; lists and numbers too, as NumPy takes them. */
export function* tensorOf(call: Call, value: Value): Run<TensorValue> {
  const { m, library } = call;
  if (value.kind === 'tensor') return value;
  if (value.kind === 'unknown')
    return value.standIn ? asTensor(m, value, value.standIn) : newTensor(library, unknownNode(m, value, 'float32'));
  if (value.kind === 'none' || value.kind === 'str' || value.kind === 'instance')
    return raise('TypeError', `${call.name}(): argument must be Tensor, not ${typeName(value)}`);
  return newTensor(library, yield* arrayNode(m, value, library));
}

export const tensorArgument = (call: Call, name: string): Run<TensorValue> => tensorOf(call, given(call, name));

export function* nodeArgument(call: Call, name: string): Run<Node> {
  return nodeOf(call.m, yield* tensorArgument(call, name));
}

/** A result: NumPy gives a scalar where there is no axis. */
export const result = ({ library }: Pick<Call, 'library'>, node: Node): TensorValue =>
  newTensor(library, node, { scalar: library === 'numpy' && node.shape?.length === 0 });

export const apply = (
  call: Call,
  name: OperationName,
  operands: readonly Node[],
  attributes: Attributes,
  dtype: DType,
): TensorValue => result(call, operate(call.m, name, operands, attributes, dtype, call.library));

/** Operands in their common type. */
export function* common(call: Call, values: readonly Value[], least?: DType): Run<{ nodes: Node[]; dtype: DType }> {
  const operands = values.map((value) => operandOf(call.m, value));
  const open = operands.indexOf(undefined);
  const listed: (Operand | undefined)[] = [...operands];
  const nodes: Node[] = [];
  if (open >= 0)
    for (const [i, value] of values.entries())
      if (!operands[i]) {
        const node = nodeOf(call.m, yield* tensorOf(call, value));
        listed[i] = { dtype: node.dtype, scalar: node.shape?.length === 0 };
      }
  const dtype = promote(call.library, [...(listed as Operand[]), ...(least ? [{ dtype: least, scalar: false }] : [])], call.m.floats); // prettier-ignore
  for (const value of values)
    nodes.push(castNode(call.m, yield* operandNode(call.m, value, call.library, dtype), dtype, call.library));
  return { nodes, dtype };
}

/** A whole number; what is not known ends the call. */
export function* intOf(call: Call, value: Value, name: string): Run<number> {
  const whole = wholeOf(value);
  if (whole !== undefined) return Number(whole);
  if (value.kind === 'tensor') {
    const values = yield* look(call.m, nodeOf(call.m, value));
    if (isCause(values)) throw new NotFollowed(values);
    const [whole] = values.data;
    return values.data.length === 1 && Number.isSafeInteger(whole) && !isFloat(values.dtype)
      ? (whole as number)
      : raise('TypeError', 'only integer tensors of a single element can be converted to an index');
  }
  if (value.kind === 'symbol' || value.kind === 'unknown') throw new NotFollowed(value.cause);
  return raise('TypeError', `${call.name}(): argument '${name}' must be int, not ${typeName(value)}`);
}

export function* intArgument(call: Call, name: string, otherwise?: number): Run<number> {
  const value = call.get(name);
  return absent(value) && otherwise !== undefined ? otherwise : yield* intOf(call, value ?? none, name);
}

export function realArgument(call: Call, name: string, otherwise?: number): number {
  const value = call.get(name);
  if (absent(value) && otherwise !== undefined) return otherwise;
  const real = value && realOf(value);
  if (real !== undefined) return real;
  if (value?.kind === 'unknown' || value?.kind === 'symbol') throw new NotFollowed(value.cause);
  if (value?.kind === 'tensor' && value.node.value?.data.length === 1) return value.node.value.data[0] as number;
  return notFollowed(call.m, t('{0} of {1} is not known', name, call.name));
}

/** A number, or why it is not known: of a draw the shape is known all the same. */
export function* boundArgument(call: Call, name: string, otherwise: number): Run<number | Cause> {
  const value = call.get(name);
  return absent(value) ? otherwise : yield* boundOf(call, value);
}

export function* boundOf(call: Call, value: Value): Run<number | Cause> {
  const plain = value.kind === 'tensor' ? yield* call.m.evaluator.number(call.m, value) : value;
  const real = realOf(plain);
  if (real !== undefined) return real;
  if (plain.kind === 'unknown' || plain.kind === 'symbol') return plain.cause;
  if (plain.kind === 'tensor') return plain.node.why ?? cause(call.m, t('its values are not computed'));
  return raise('TypeError', `${call.name}(): a number is expected, not ${typeName(plain)}`);
}

export function* flagArgument(call: Call, name: string, otherwise = false): Run<boolean> {
  const value = call.get(name);
  if (value === undefined) return otherwise;
  return (
    (yield* call.m.evaluator.truth(call.m, value)) ?? notFollowed(call.m, t('{0} of {1} is not known', name, call.name))
  );
}

/** A size: a number or a name. */
export function* sizeOf(call: Call, value: Value): Run<Dim> {
  if (value.kind === 'unknown' && value.standIn) return asSymbol(value, { standIn: value.standIn }).dim;
  const dim = dimOf(value);
  if (dim !== undefined) return dim;
  if (value.kind === 'unknown') throw new NotFollowed(value.cause);
  if (value.kind === 'tensor') return yield* intOf(call, value, 'size');
  return raise(
    'TypeError',
    `${call.name}(): argument 'size' must be tuple of ints, but found element of type ${typeName(value)}`,
  );
}

/** What a tuple or a list has; a value that is neither stands alone. */
export function itemsIn(value: Value): readonly Value[] {
  if (value.kind === 'list' && value.unsure) throw new NotFollowed(value.unsure);
  return value.kind === 'tuple' || value.kind === 'list' ? value.items : [value];
}

/** Arguments that may be given one by one or as one list. */
export const listedOf = (values: readonly Value[]): readonly Value[] =>
  values.length === 1 && values[0] ? itemsIn(values[0]) : values;

/** Sizes: `(2, 3)` or `((2, 3),)`. */
export function* shapeOf(call: Call, values: readonly Value[]): Run<Shape> {
  const [only] = values;
  if (values.length === 1 && only?.kind === 'unknown' && only.standIn?.shapeOf) return yield* standInShape(call, only);
  const out: Dim[] = [];
  for (const item of listedOf(values)) out.push(yield* sizeOf(call, item));
  return out;
}

function* standInShape(call: Call, value: Value & { kind: 'unknown' }): Run<Shape> {
  return value.standIn?.shapeOf?.tensor?.node.shape ?? notFollowed(call.m, value.cause.text);
}

export const shapeValue = (call: Call, node: Node): Value => {
  if (!node.shape) return { kind: 'unknown', cause: node.why ?? cause(call.m, t('its shape is not known')) };
  const { items } = tuple(
    node.shape.map((dim) => sized(dim, node.why ?? cause(call.m, t('its sizes are known by name only')))),
  );
  return { kind: 'tuple', items, isSize: call.library === 'torch' };
};

export const rankOf = (call: Call, node: Node): number => node.shape?.length ?? notKnownRank(call, node);

export const notKnownRank = (call: Call, node: Node): never => {
  throw new NotFollowed(node.why ?? cause(call.m, t('its shape is not known')));
};

export function* axisArgument(call: Call, name: string, rank: number, otherwise?: number): Run<number> {
  return axisOf(call.library, yield* intArgument(call, name, otherwise), rank);
}

/** Axes of a reduction: all where none is given. */
export function* axesArgument(call: Call, name: string, rank: number): Run<number[]> {
  const value = call.get(name);
  if (absent(value)) return Array.from({ length: rank }, (_, i) => i);
  const out: number[] = [];
  for (const item of itemsIn(value)) out.push(axisOf(call.library, yield* intOf(call, item, name), rank));
  return out;
}

const byText = ownNames<DType>({
  int: 'int64',
  float: 'float64',
  bool: 'bool',
  long: 'int64',
  double: 'float64',
  half: 'float16',
  f4: 'float32',
  f8: 'float64',
  i4: 'int32',
  i8: 'int64',
});

/** A number type as `dtype=` takes it. */
export function dtypeOf(call: Call, value: Value | undefined): DType | undefined {
  if (absent(value)) return undefined;
  if (value.kind === 'dtype') return value.dtype;
  const name = value.kind === 'class' ? value.name : value.kind === 'str' ? value.value : '';
  const known = byText[name] ?? dtypes.find((dtype) => dtype === name);
  if (known) return known;
  if (value.kind === 'unknown') throw new NotFollowed(value.cause);
  return notFollowed(call.m, t('{0} is not a number type that is supported', name));
}

/** Like `tensorOf`, for an argument that no call gives: its last axis is told by what it meets. */
export function* withLastAxis(call: Call, value: Value, last: Dim | undefined): Run<TensorValue> {
  const { m } = call;
  const { standIn } = value.kind === 'unknown' ? value : { standIn: undefined };
  if (
    value.kind === 'unknown' &&
    standIn &&
    last !== undefined &&
    !standIn.tensor?.node.shape &&
    m.ranks.has(standIn.name)
  ) {
    const names = m.ranks.get(standIn.name) ?? 2;
    const lead = Array.from({ length: names - 1 }, (_, i) => symbol(['n', 'B', 'h', 'b'][names - 2 - i] ?? `n${i}`));
    return shaped(m, value, standIn, [...lead, last]);
  }
  return yield* tensorOf(call, value);
}
