/** What picks or moves single cells: triangles, diagonals, rolling, padding, gathering by index. */
import { t } from '../../text';
import { getItem } from '../evaluate';
import {
  operate,
  raise,
  castNode,
  diagonalOf,
  expandNode,
  newTensor,
  nodeOf,
  permuted,
  reshaped,
  sliced,
  int,
  none,
  tuple,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { type Node, add, broadcast, isKnownShape, same, symbol, type Dim, axisOf } from '../tensor';
import {
  itemsIn,
  absent,
  apply,
  axisArgument,
  common,
  given,
  intArgument,
  intOf,
  nodeArgument,
  rankOf,
  realArgument,
  result,
  shapeOf,
  tensorArgument,
  tensorOf,
} from './support';
import { notFollowed, type Call, type Row } from './table';
import { notKnown, row } from './moving';

function* triangle(call: Call, side: 'tril' | 'triu'): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const k = yield* intArgument(call, 'diagonal', 0);
  if (node.shape && node.shape.length < 2) {
    if (call.library === 'torch') raise('RuntimeError', `${side}: input tensor must have at least 2 dimensions`);
    const square = operate(
      call.m,
      'expand',
      [node],
      { shape: [...node.shape, ...node.shape] },
      node.dtype,
      call.library,
    );
    return apply(call, side, [square], { k }, node.dtype);
  }
  return apply(call, side, [node], { k }, node.dtype);
}

function* diagonal(call: Call): Run<Value> {
  const of = yield* tensorArgument(call, 'input');
  const tensor = call.name.endsWith('diagonal') ? yield* planesLast(call, of) : of;
  const node = nodeOf(call.m, tensor);
  const shape = node.shape ?? notKnown(call);
  const k = yield* intArgument(call, 'diagonal', 0);
  // NumPy's diag of a matrix is its diagonal, a view; PyTorch's copies.
  const shares = call.name.endsWith('diagonal') || call.name === 'np.diag';
  if (shape.length === 1 && !call.name.endsWith('diagonal')) {
    const n = add(shape[0] as Dim, Math.abs(k));
    return apply(call, 'diagonal_matrix', [node], { k, shape: [n, n] }, node.dtype);
  }
  const size = diagonalSize(shape.at(-2) ?? 0, shape.at(-1) ?? 0, k);
  const found = diagonalOf(call.m, tensor, k, [...shape.slice(0, -2), size]);
  return shares ? found : newTensor(call.library, found.node);
}

/** The two axes of the planes whose diagonals are asked for, the first two where none is said, moved behind the others. */
function* planesLast(call: Call, tensor: TensorValue): Run<TensorValue> {
  const rank = rankOf(call, nodeOf(call.m, tensor));
  if (rank <= 2 && !call.get('dim1')) return tensor;
  const axes: number[] = [];
  for (const [i, name] of ['dim1', 'dim2'].entries())
    axes.push(axisOf(call.library, yield* intArgument(call, name, i), rank));
  const others = Array.from({ length: rank }, (_, i) => i).filter((axis) => !axes.includes(axis));
  return permuted(call.m, tensor, [...others, ...axes]);
}

function diagonalSize(n: Dim, m: Dim, k: number): Dim {
  if (typeof n !== 'number' || typeof m !== 'number') return same(n, m) === true && k === 0 ? n : symbol('?');
  return Math.max(0, k >= 0 ? Math.min(n, m - k) : Math.min(n + k, m));
}

function* flip(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const rank = rankOf(call, node);
  const value = call.get('dims') ?? (call.rest.length > 0 ? tuple(call.rest) : undefined);
  const last = call.name.slice(-2);
  const fixed = last === 'ud' ? [int(0)] : last === 'lr' ? [int(1)] : undefined;
  const items = fixed ?? (absent(value) ? undefined : itemsIn(value));
  const axes: number[] = items ? [] : Array.from({ length: rank }, (_, i) => i);
  for (const item of items ?? [])
    for (const one of itemsIn(item)) axes.push(axisOf(call.library, yield* intOf(call, one, 'dims'), rank));
  if (call.library === 'torch') return apply(call, 'flip', [node], { axes }, node.dtype);
  // NumPy walks backwards over the same storage.
  const shape = node.shape ?? notKnown(call);
  const whole = isKnownShape(shape) ? shape : notFollowed(call.m, t('its sizes are known by name only'));
  return sliced(
    call.m,
    yield* tensorArgument(call, 'input'),
    whole.map((n, i) => (axes.includes(i) ? Math.max(0, n - 1) : 0)),
    whole.map((_, i) => (axes.includes(i) ? -1 : 1)),
    shape,
  );
}

function* roll(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const dims = call.get('dims');
  if (absent(dims)) {
    const flat = reshaped(call.m, yield* tensorArgument(call, 'input'), [-1]);
    const rolled = operate(
      call.m,
      'roll',
      [nodeOf(call.m, flat)],
      { axes: [0], repeats: [yield* intArgument(call, 'shifts')] },
      node.dtype,
      call.library,
    );
    return reshaped(call.m, result(call, rolled), node.shape ?? notKnown(call));
  }
  const all = function* (value: Value): Run<number[]> {
    const out: number[] = [];
    for (const one of itemsIn(value)) out.push(yield* intOf(call, one, 'dims'));
    return out;
  };
  const axes = (yield* all(dims)).map((axis) => axisOf(call.library, axis, rankOf(call, node)));
  return apply(call, 'roll', [node], { axes, repeats: yield* all(given(call, 'shifts')) }, node.dtype);
}

/** Pairs from the last axis on: how much before and after. */
function* pad(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const shape = node.shape ?? notKnown(call);
  const mode = call.get('mode');
  if (mode?.kind === 'str' && mode.value !== 'constant')
    return notFollowed(call.m, t('padding by {0} is not followed', mode.value));
  const pairs = (yield* shapeOf(call, [given(call, 'pad')])).map(Number);
  const around = (i: number): readonly [number, number] => {
    const at = 2 * (shape.length - 1 - i);
    return [pairs[at] ?? 0, pairs[at + 1] ?? 0];
  };
  const to = shape.map((dim, i) => add(dim, around(i)[0] + around(i)[1]));
  return apply(
    call,
    'pad',
    [node],
    { shape: to, repeats: shape.flatMap((_, i) => around(i)), value: realArgument(call, 'value', 0) },
    node.dtype,
  );
}

function* gather(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const axis = yield* axisArgument(call, 'dim', rankOf(call, node));
  return apply(call, 'gather', [node, yield* nodeArgument(call, 'index')], { axis }, node.dtype);
}

function* scatter(call: Call, adds: boolean): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const axis = yield* axisArgument(call, 'dim', rankOf(call, node));
  const { nodes } = yield* common(call, [given(call, 'src')], node.dtype);
  const operands = [
    node,
    yield* nodeArgument(call, 'index'),
    castNode(call.m, nodes[0] as Node, node.dtype, call.library),
  ];
  return apply(call, 'scatter', operands, { axis, value: adds ? 1 : 0 }, node.dtype);
}

/** Rows (or other parts along an axis) by whole numbers. */
function* indexSelect(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const rank = rankOf(call, nodeOf(call.m, tensor));
  if (absent(call.get('dim')))
    return yield* getItem(call.m, reshaped(call.m, tensor, [-1]), yield* tensorArgument(call, 'index'));
  const axis = yield* axisArgument(call, 'dim', rank);
  const whole: Value = { kind: 'slice', lower: none, upper: none, step: none };
  return yield* getItem(
    call.m,
    tensor,
    tuple([...Array.from({ length: axis }, () => whole), yield* tensorOf(call, given(call, 'index'))]),
  );
}

function* maskedSelect(call: Call): Run<Value> {
  const parts = [yield* tensorArgument(call, 'input'), yield* tensorArgument(call, 'mask')];
  const nodes = parts.map((part) => nodeOf(call.m, part));
  const shape = broadcast(
    call.library,
    nodes.map((node) => node.shape ?? []),
  );
  const [input, mask] = nodes.map((node) => newTensor('torch', node.shape ? expandNode(call.m, node, shape, 'torch') : node)); // prettier-ignore
  return yield* getItem(call.m, input as TensorValue, mask as TensorValue);
}

export const moveRows: readonly Row[] = [
  row('torch.tril Tensor.tril np.tril', 'input|m, diagonal|k=', (call) => triangle(call, 'tril')),
  row('torch.triu Tensor.triu np.triu', 'input|m, diagonal|k=', (call) => triangle(call, 'triu')),
  row('torch.diag Tensor.diag np.diag', 'input|v, diagonal|k=', diagonal),
  row(
    'torch.diagonal Tensor.diagonal np.diagonal ndarray.diagonal',
    'input|a, diagonal|offset=, dim1|axis1=, dim2|axis2=',
    diagonal,
  ),
  row('torch.flip Tensor.flip', 'input, *args, dims=', flip),
  row('np.flip', 'input|m, dims|axis=', flip, 'numpy'),
  row('np.flipud np.fliplr', 'input|m', flip, 'numpy'),
  row('torch.flipud torch.fliplr Tensor.flipud Tensor.fliplr', 'input', flip),
  row('torch.roll Tensor.roll np.roll', 'input|a, shifts|shift, dims|axis=', roll),
  row('F.pad', 'input, pad, mode=, value=', pad),
  row('torch.gather Tensor.gather', 'input, dim|axis, index', gather),
  row('np.take_along_axis', 'input|arr, index|indices, dim|axis', gather, 'numpy'),
  row('torch.scatter Tensor.scatter', 'input, dim|axis, index, src|value', (call) => scatter(call, false)),
  row('torch.scatter_add Tensor.scatter_add', 'input, dim|axis, index, src', (call) => scatter(call, true)),
  row('torch.index_select Tensor.index_select', 'input, dim|axis, index', indexSelect),
  row('np.take ndarray.take', 'input|a, index|indices, dim|axis=', indexSelect, 'numpy'),
  row('torch.masked_select Tensor.masked_select', 'input, mask', maskedSelect),
];
