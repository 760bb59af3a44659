/** Python's values as tensors: nested lists, numbers, what is not known. */
import { t } from '../../text';
import {
  cause,
  constant,
  input,
  operate,
  raise,
  type Machine,
  castNode,
  nodeOf,
  scalarNode,
  typeName,
  type Run,
  type Unknown,
  type Value,
} from '../machine';
import {
  type Cause,
  type Node,
  type Shape,
  count,
  defaultOf,
  promote,
  rounding,
  type DType,
  type Library,
  type Operand,
} from '../tensor';
import { asTensor } from './stand-ins';
import { realOf } from './numbers';

/** As promotion sees it; undefined for what is no number and no tensor. */
export function operandOf(m: Machine, value: Value): Operand | undefined {
  if (value.kind === 'tensor') return { dtype: value.node.dtype, scalar: value.node.shape?.length === 0 };
  if (value.kind === 'int' || value.kind === 'float' || value.kind === 'bool') return { weak: value.kind };
  if (value.kind === 'symbol') return { weak: 'int' };
  if (value.kind !== 'unknown') return undefined;
  if (value.standIn?.tensor) return operandOf(m, value.standIn.tensor);
  return { weak: value.type === 'int' || value.type === 'bool' ? value.type : 'float' };
}

/** One operand of an operation, of a number type that is given for Python's own numbers. */
export function* operandNode(m: Machine, value: Value, library: Library, dtype: DType): Run<Node> {
  if (value.kind === 'tensor') return nodeOf(m, value);
  const real = realOf(value);
  if (real !== undefined) {
    if (library === 'numpy' && value.kind === 'int') needRoom(real, dtype);
    return scalarNode(m, real, dtype);
  }
  if (value.kind === 'symbol') return input(m, [], dtype, value.cause);
  if (value.kind === 'unknown') return unknownNode(m, value, dtype);
  return yield* arrayNode(m, value, library);
}

/** NumPy 2 (NEP 50): a Python integer takes the array's type, and has to fit. */
function needRoom(whole: number, dtype: DType): void {
  const [, unsigned, size] = /^(u?)int(8|16|32)$/.exec(dtype) ?? [];
  if (size === undefined) return;
  const all = size === '8' ? 256 : size === '16' ? 65_536 : 4_294_967_296;
  const least = unsigned === 'u' ? 0 : -all / 2;
  if (whole < least || whole >= least + all)
    raise('OverflowError', `Python integer ${whole} out of bounds for ${dtype}`);
}

/** What is not known: a number where it is known to be one, or where nothing says that it has axes. */
export function unknownNode(m: Machine, value: Unknown, dtype: DType): Node {
  if (value.type !== undefined) return input(m, [], dtype, value.cause);
  const { standIn } = value;
  if (standIn) return standIn.tensor ? nodeOf(m, standIn.tensor) : nodeOf(m, asTensor(m, value, standIn));
  return ofOpenType(m, undefined, dtype, value.cause);
}

const ofOpenType = (m: Machine, shape: Shape | undefined, dtype: DType, why: Cause): Node =>
  input(m, shape, dtype, why, '', true);

/** Leaves of a nested list, and its shape. */
interface Leaves {
  readonly values: Value[];
  readonly shape: readonly number[];
}

/** NumPy 2's limit. */
const mostAxes = 64;

/** Why it is not known which items a list has, or one within it. */
function unsureOf(value: Value, depth = 0): Cause | undefined {
  if ((value.kind !== 'list' && value.kind !== 'tuple') || depth >= mostAxes) return undefined;
  if (value.kind === 'list' && value.unsure) return value.unsure;
  for (const item of value.items) {
    const found = unsureOf(item, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function leavesOf(value: Value, depth = 0): Leaves {
  if (value.kind !== 'list' && value.kind !== 'tuple') return { values: [value], shape: [] };
  if (depth >= mostAxes) return raise('ValueError', 'too many dimensions');
  const parts = value.items.map((item) => leavesOf(item, depth + 1));
  const [first] = parts;
  const ragged = parts.findIndex((part) => part.shape.join() !== first?.shape.join());
  if (ragged > 0)
    return raise(
      'ValueError',
      `expected sequence of length ${first?.shape[0] ?? 0} at dim 1 (got ${parts[ragged]?.shape[0] ?? 0})`,
    );
  return { values: parts.flatMap(({ values }) => values), shape: [parts.length, ...(first?.shape ?? [])] };
}

/** `np.array(value)`, `torch.tensor(value)`; `asked` is the number type if one is given. */
export function* arrayNode(m: Machine, value: Value, library: Library, asked?: DType): Run<Node> {
  if (value.kind === 'tensor') return castNode(m, nodeOf(m, value), asked ?? value.node.dtype, library);
  const usual = defaultOf(library, 'float', m.floats);
  if (value.kind === 'unknown')
    return asked && !value.standIn
      ? input(m, value.type === undefined ? undefined : [], asked, value.cause)
      : unknownNode(m, value, asked ?? usual);
  const unsure = unsureOf(value);
  if (unsure) return asked ? input(m, undefined, asked, unsure) : ofOpenType(m, undefined, usual, unsure);
  const items = value.kind === 'range' ? yield* m.evaluator.items(m, value) : undefined;
  const { values, shape } = leavesOf(items ? { kind: 'list', items: [...items] } : value);
  if (values.some(({ kind }) => kind === 'tensor')) return yield* stackedLeaves(m, values, shape, library, asked);
  const operands = values.map((leaf) => operandOf(m, leaf));
  const odd = operands.indexOf(undefined);
  if (odd >= 0) {
    const name = typeName(values[odd] as Value);
    // NumPy and TensorFlow have arrays of text, and NumPy of anything.
    if (library === 'torch' && !m.modules.has('tensorflow'))
      return raise('TypeError', `can't convert ${name} to a number`);
    return ofOpenType(
      m,
      undefined,
      asked ?? 'float64',
      cause(m, t('{0} is not followed as an element of an array', name)),
    );
  }
  const dtype = asked ?? (values.length === 0 ? usual : promote(library, operands as Operand[], m.floats));
  const open = values.find((leaf) => realOf(leaf) === undefined);
  // Where nothing says that they are numbers, they may be lists.
  const isOpen = ({ kind, ...rest }: Value): boolean => kind === 'unknown' && !('type' in rest && rest.type) && !('standIn' in rest && rest.standIn); // prettier-ignore
  const inner = values.length > 0 && values.every(isOpen) ? undefined : shape;
  if (open)
    return (asked || !values.some(isOpen) ? input : ofOpenType)(
      m,
      inner,
      dtype,
      'cause' in open ? open.cause : cause(m, t('a number of it is not known')),
    );
  const data = Float64Array.from(values, (leaf) => rounding[dtype](realOf(leaf) ?? NaN));
  return constant(m, values.length === 0 ? [0] : shape, dtype, data);
}

/** Tensors within lists: as many more axes in front. */
function* stackedLeaves(
  m: Machine,
  values: readonly Value[],
  shape: readonly number[],
  library: Library,
  asked: DType | undefined,
): Run<Node> {
  const operands = values.flatMap((leaf) => operandOf(m, leaf) ?? []);
  const dtype = asked ?? promote(library, operands, m.floats);
  const open = values.find((leaf) => leaf.kind === 'unknown' && leaf.type !== undefined);
  if (open?.kind === 'unknown' && values.every((leaf) => leaf.kind !== 'tensor' || leaf.node.shape?.length === 0))
    return input(m, shape, dtype, open.cause);
  const nodes: Node[] = [];
  for (const leaf of values) nodes.push(castNode(m, yield* operandNode(m, leaf, library, dtype), dtype, library));
  const inner: Shape = nodes[0]?.shape ?? [];
  const rows = nodes.map((node) => operate(m, 'reshape', [node], { shape: [1, ...inner] }, dtype, library));
  const joined = operate(m, 'concat', rows, { axis: 0 }, dtype, library);
  return operate(m, 'reshape', [joined], { shape: [...(count(shape) === 0 ? [0] : shape), ...inner] }, dtype, library);
}
