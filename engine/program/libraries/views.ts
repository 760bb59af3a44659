/** What sees a tensor with another shape: its axes split, joined, exchanged, added, left out or repeated. */
import { t } from '../../text';
import {
  raise,
  elementsOf,
  expanded,
  inOrder,
  isContiguous,
  newTensor,
  nodeOf,
  permuted,
  reshaped,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { same, axisOf, broadcast } from '../tensor';
import {
  itemsIn,
  absent,
  axesArgument,
  axisArgument,
  given,
  intOf,
  nodeArgument,
  rankOf,
  shapeOf,
  tensorArgument,
} from './support';
import { notFollowed, type Call, type Row } from './table';
import { ofShape, notKnown, row } from './moving';

function* reshape(call: Call, mode: 'view' | 'reshape'): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const [asked] = call.rest;
  if (mode === 'view' && (asked?.kind === 'dtype' || asked?.kind === 'class'))
    return notFollowed(call.m, t('view(dtype) is not followed'));
  nodeOf(call.m, tensor);
  return reshaped(call.m, tensor, yield* shapeOf(call, call.rest), mode);
}

function* reshapeFunction(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  nodeOf(call.m, tensor);
  return reshaped(call.m, tensor, yield* shapeOf(call, [given(call, 'shape')]));
}

function* transposed(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const rank = rankOf(call, nodeOf(call.m, tensor));
  const [a, b] = [yield* axisArgument(call, 'dim0', rank), yield* axisArgument(call, 'dim1', rank)];
  return swapped(call, tensor, a, b);
}

function swapped(call: Call, tensor: TensorValue, a: number, b: number): TensorValue {
  const axes = ofShape(tensor).map((_, i) => (i === a ? b : i === b ? a : i));
  return axes.length === 0 ? tensor : permuted(call.m, tensor, axes);
}

function* permute(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const rank = rankOf(call, nodeOf(call.m, tensor));
  const [first] = call.rest;
  const listed =
    call.get('dims') ??
    (call.rest.length === 1 && first && (first.kind === 'tuple' || first.kind === 'list') ? first : undefined);
  const items =
    listed?.kind === 'tuple' || listed?.kind === 'list'
      ? itemsIn(listed)
      : call.rest.filter(({ kind }) => kind !== 'none');
  const axes: number[] = [];
  for (const item of items) axes.push(axisOf(call.library, yield* intOf(call, item, 'dims'), rank));
  if (axes.length === 0 && call.library === 'numpy')
    return permuted(
      call.m,
      tensor,
      ofShape(tensor).map((_, i) => rank - 1 - i),
    );
  if (axes.length !== rank)
    raise(
      call.library === 'torch' ? 'RuntimeError' : 'ValueError',
      call.library === 'torch'
        ? `permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ${rank} is not equal to len(dims) = ${axes.length}`
        : "axes don't match array",
    );
  return permuted(call.m, tensor, axes);
}

/** `np.transpose(a, axes)`. */
function* permuteFunction(call: Call): Run<Value> {
  const axes = call.get('axes');
  return yield* permute({ ...call, rest: absent(axes) ? [] : [axes] });
}

function* mirrored(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const rank = rankOf(call, nodeOf(call.m, tensor));
  return rank < 2
    ? tensor
    : permuted(
        call.m,
        tensor,
        ofShape(tensor).map((_, i) => rank - 1 - i),
      );
}

function* matrixTransposed(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const rank = rankOf(call, nodeOf(call.m, tensor));
  return swapped(call, tensor, rank - 2, rank - 1);
}

function* moveAxis(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const rank = rankOf(call, nodeOf(call.m, tensor));
  const [from, to] = [yield* axesArgument(call, 'source', rank), yield* axesArgument(call, 'destination', rank)];
  const rest = ofShape(tensor).flatMap((_, i) => (from.includes(i) ? [] : [i]));
  const order = ofShape(tensor).map((_, i) => (to.includes(i) ? from[to.indexOf(i)] : rest.shift()) ?? 0);
  return permuted(call.m, tensor, order);
}

function* unsqueezed(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = [...(nodeOf(call.m, tensor).shape ?? notKnown(call))];
  const value = given(call, 'dim');
  const axes: number[] = [];
  for (const item of itemsIn(value)) axes.push(yield* intOf(call, item, 'dim'));
  for (const axis of axes) shape.splice(axisOf(call.library, axis, shape.length + 1), 0, 1);
  return reshaped(call.m, tensor, shape);
}

function* squeezed(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const value = given(call, 'dim');
  const items = value.kind === 'none' ? undefined : itemsIn(value);
  const axes: number[] = [];
  for (const item of items ?? []) axes.push(axisOf(call.library, yield* intOf(call, item, 'dim'), shape.length));
  if (call.library === 'numpy' && axes.some((axis) => typeof shape[axis] === 'number' && shape[axis] !== 1))
    raise('ValueError', 'cannot select an axis to squeeze out which has size not equal to one');
  return reshaped(
    call.m,
    tensor,
    shape.filter((dim, i) => !(dim === 1 && (!items || axes.includes(i)))),
  );
}

function* expand(call: Call, names: readonly Value[]): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const from = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const asked = yield* shapeOf(call, names);
  const lead = asked.length - from.length;
  const to = asked.map((dim, i) => {
    const own = from[i - lead];
    if (dim === -1)
      return own ?? raise('RuntimeError', 'expand: -1 is not allowed in a leading, non-existing dimension');
    if (own !== undefined && own !== 1 && same(own, dim) === false)
      return raise(
        'RuntimeError',
        `The expanded size of the tensor (${String(dim)}) must match the existing size (${String(own)}) at non-singleton dimension ${i}.  Target sizes: [${asked.join(', ')}].  Tensor sizes: [${from.join(', ')}]`,
      );
    return dim;
  });
  return expanded(call.m, tensor, to);
}

function* expandAs(call: Call): Run<Value> {
  const shape = (yield* nodeArgument(call, 'other')).shape ?? notKnown(call);
  return expanded(call.m, yield* tensorArgument(call, 'input'), shape);
}

function* contiguous(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  return isContiguous(tensor) === true ? tensor : inOrder(newTensor(tensor.library, nodeOf(call.m, tensor)));
}

function* flattened(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  if (shape.length === 0) return reshaped(call.m, tensor, [1]);
  const [from, to] = [
    yield* axisArgument(call, 'start_dim', shape.length, 0),
    yield* axisArgument(call, 'end_dim', shape.length, -1),
  ];
  return reshaped(call.m, tensor, [
    ...shape.slice(0, from),
    elementsOf(shape.slice(from, to + 1)),
    ...shape.slice(to + 1),
  ]);
}

function* unflattened(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const axis = yield* axisArgument(call, 'dim', shape.length);
  const sizes = yield* shapeOf(call, [given(call, 'sizes')]);
  return reshaped(call.m, tensor, [...shape.slice(0, axis), ...sizes, ...shape.slice(axis + 1)]);
}

function* broadcastTo(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const to = yield* shapeOf(call, [given(call, 'shape')]);
  broadcast(call.library, [nodeOf(call.m, tensor).shape ?? notKnown(call), to]);
  return expanded(call.m, tensor, to);
}

function* atLeast(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const least = Number(/\d/.exec(call.name)?.[0] ?? 1);
  return shape.length >= least
    ? tensor
    : reshaped(call.m, tensor, [...Array.from({ length: least - shape.length }, () => 1), ...shape]);
}

export const viewRows: readonly Row[] = [
  row('Tensor.view', 'input, *shape', (call) => reshape(call, 'view')),
  row('Tensor.reshape ndarray.reshape', 'input, *shape', (call) => reshape(call, 'reshape')),
  row('torch.reshape np.reshape', 'input|a, shape|newshape', reshapeFunction),
  row('Tensor.view_as Tensor.reshape_as', 'input, other', function* (call) {
    return reshaped(
      call.m,
      yield* tensorArgument(call, 'input'),
      (yield* nodeArgument(call, 'other')).shape ?? notKnown(call),
    );
  }),
  row(
    'torch.transpose torch.swapaxes torch.swapdims Tensor.transpose Tensor.swapaxes Tensor.swapdims np.swapaxes ndarray.swapaxes',
    'input|a, dim0|axis0|axis1, dim1|axis2',
    transposed,
  ),
  row('Tensor.permute', 'input, *args, dims=', permute),
  row('torch.permute', 'input, dims', permute),
  row('np.transpose', 'input|a, axes=', permuteFunction, 'numpy'),
  row('ndarray.transpose', 'input, *axes', permute, 'numpy'),
  row('Tensor.T ndarray.T', 'input', mirrored, 'torch', true),
  row('torch.t Tensor.t', 'input', mirrored),
  row('Tensor.mT ndarray.mT', 'input', matrixTransposed, 'torch', true),
  row('torch.movedim Tensor.movedim np.moveaxis torch.moveaxis', 'input|a, source, destination', moveAxis),
  row('torch.unsqueeze Tensor.unsqueeze np.expand_dims', 'input|a, dim|axis', unsqueezed),
  row('torch.squeeze Tensor.squeeze np.squeeze ndarray.squeeze', 'input|a, dim|axis=', squeezed),
  row('Tensor.expand', 'input, *sizes', (call) => expand(call, call.rest)),
  row('Tensor.expand_as', 'input, other', expandAs),
  row('torch.broadcast_to Tensor.broadcast_to np.broadcast_to', 'input|array, shape|size', broadcastTo),
  row('Tensor.contiguous', 'input, memory_format=', contiguous),
  row('np.ascontiguousarray', 'input|a, dtype=', contiguous, 'numpy'),
  row('torch.flatten Tensor.flatten', 'input, start_dim=, end_dim=', flattened),
  row('torch.ravel Tensor.ravel np.ravel ndarray.ravel', 'input|a, order=', function* (call) {
    return reshaped(call.m, yield* tensorArgument(call, 'input'), [-1]);
  }),
  row(
    'ndarray.flatten',
    'input, order=',
    function* (call) {
      return newTensor('numpy', nodeOf(call.m, reshaped(call.m, yield* tensorArgument(call, 'input'), [-1])));
    },
    'numpy',
  ),
  row('torch.unflatten Tensor.unflatten', 'input, dim, sizes', unflattened),
  row('torch.atleast_2d np.atleast_2d torch.atleast_1d np.atleast_1d', 'input|arys', atLeast),
];
