/** What changes a tensor's shape or the place of its cells. */
import { t } from '../../text/l10n';
import { getItem } from '../evaluate/indexing';
import { operate, raise } from '../machine';
import type { Node } from '../graph';
import { add, floorDivide, isKnownShape, multiply, same, symbol, type Dim, type Shape } from '../tensor/dims';
import { axisOf, broadcast } from '../tensor/shapes';
import {
  castNode,
  diagonalOf,
  elementsOf,
  expanded,
  isContiguous,
  newTensor,
  nodeOf,
  permuted,
  reshaped,
  sliced,
} from '../tensors';
import { int, list, none, tuple, type Run, type TensorValue, type Value } from '../values';
import {
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

const ofShape = (tensor: TensorValue): Shape => tensor.node.shape ?? [];

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
      ? listed.items
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
  const [from, to] = [yield* axisArgument(call, 'source', rank), yield* axisArgument(call, 'destination', rank)];
  const rest = ofShape(tensor).flatMap((_, i) => (i === from ? [] : [i]));
  return permuted(call.m, tensor, [...rest.slice(0, to), from, ...rest.slice(to)]);
}

function* unsqueezed(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = [...(nodeOf(call.m, tensor).shape ?? notKnown(call))];
  const value = given(call, 'dim');
  const axes: number[] = [];
  for (const item of value.kind === 'tuple' || value.kind === 'list' ? value.items : [value])
    axes.push(yield* intOf(call, item, 'dim'));
  for (const axis of axes) shape.splice(axisOf(call.library, axis, shape.length + 1), 0, 1);
  return reshaped(call.m, tensor, shape);
}

const notKnown = (call: Call): never => notFollowed(call.m, t('its shape is not known'));

function* squeezed(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const value = given(call, 'dim');
  const items =
    value.kind === 'tuple' || value.kind === 'list' ? value.items : value.kind === 'none' ? undefined : [value];
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
  return isContiguous(tensor) === true ? tensor : newTensor(tensor.library, nodeOf(call.m, tensor));
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

/** Tensors of a sequence that is joined. */
function* listed(call: Call): Run<readonly Value[]> {
  const value = given(call, 'tensors');
  return (yield* call.m.evaluator.items(call.m, value)) ?? notFollowed(call.m, t('what is joined is not known'));
}

function* concat(call: Call): Run<Value> {
  const { nodes, dtype } = yield* common(call, yield* listed(call));
  if (nodes.length === 0)
    raise(
      'RuntimeError',
      call.library === 'torch'
        ? 'torch.cat(): expected a non-empty list of Tensors'
        : 'need at least one array to concatenate',
    );
  // PyTorch passes by empty vectors, with which lists of tensors are begun.
  const used =
    call.library === 'torch' && nodes.length > 1
      ? nodes.filter(({ shape }) => !(shape?.length === 1 && shape[0] === 0))
      : nodes;
  const kept = used.length > 0 ? used : nodes.slice(0, 1);
  if (kept.some(({ shape }) => !shape)) return result(call, operate(call.m, 'concat', kept, {}, dtype, call.library));
  const axis = yield* axisArgument(call, 'dim', rankOf(call, kept[0] as Node), 0);
  return apply(call, 'concat', kept, { axis }, dtype);
}

function* stack(call: Call, fixed?: number): Run<Value> {
  const { nodes, dtype } = yield* common(call, yield* listed(call));
  if (nodes.length === 0) raise('RuntimeError', 'stack expects a non-empty TensorList');
  const [first] = nodes as [Node, ...Node[]];
  const shape = first.shape ?? notKnown(call);
  const axis = fixed ?? (yield* axisArgument(call, 'dim', shape.length + 1, 0));
  for (const [i, node] of nodes.entries())
    if (
      node.shape &&
      (node.shape.length !== shape.length || node.shape.some((dim, k) => same(dim, shape[k] as Dim) === false))
    )
      raise(
        call.library === 'torch' ? 'RuntimeError' : 'ValueError',
        call.library === 'torch'
          ? `stack expects each tensor to be equal size, but got [${shape.join(', ')}] at entry 0 and [${node.shape.join(', ')}] at entry ${i}`
          : 'all input arrays must have the same shape',
      );
  const parts = nodes.map((node) =>
    operate(
      call.m,
      'reshape',
      [node],
      { shape: [...shape.slice(0, axis), 1, ...shape.slice(axis)] },
      dtype,
      call.library,
    ),
  );
  return apply(call, 'concat', parts, { axis }, dtype);
}

/** `vstack`, `hstack`: vectors become rows first. */
function* stacked(call: Call, way: 'rows' | 'columns'): Run<Value> {
  const { nodes, dtype } = yield* common(call, yield* listed(call));
  if (nodes.length === 0)
    raise(
      call.library === 'torch' ? 'RuntimeError' : 'ValueError',
      call.library === 'torch'
        ? `${way === 'rows' ? 'v' : 'h'}stack expects a non-empty TensorList`
        : 'need at least one array to concatenate',
    );
  const wide = nodes.map((node) => {
    const shape = node.shape ?? notKnown(call);
    const needed = way === 'rows' ? 2 : 1;
    const to = shape.length >= needed ? shape : way === 'rows' ? [1, ...(shape.length === 0 ? [1] : shape)] : [1];
    return to === shape ? node : operate(call.m, 'reshape', [node], { shape: to }, dtype, call.library);
  });
  return apply(call, 'concat', wide, { axis: way === 'rows' || wide[0]?.shape?.length === 1 ? 0 : 1 }, dtype);
}

/** A part of a tensor from `start`, `size` long, along an axis. */
function narrowed(call: Call, tensor: TensorValue, axis: number, start: number, size: Dim): TensorValue {
  const shape = nodeOf(call.m, tensor).shape ?? [];
  return sliced(
    call.m,
    tensor,
    shape.map((_, i) => (i === axis ? start : 0)),
    shape.map(() => 1),
    shape.map((dim, i) => (i === axis ? size : dim)),
  );
}

/** `x.split(size)`, `x.split([sizes])`. Where the length has a name, the number of parts is what divides it. */
function* split(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const axis = yield* axisArgument(call, 'dim', shape.length, 0);
  const sizes = given(call, 'split_size_or_sections');
  const all: Dim[] =
    sizes.kind === 'list' || sizes.kind === 'tuple'
      ? [...(yield* shapeOf(call, [sizes]))]
      : yield* equalParts(call, shape[axis] as Dim, sizes);
  return partsOf(call, tensor, axis, all);
}

function* equalParts(call: Call, total: Dim, value: Value): Run<Dim[]> {
  const [size] = yield* shapeOf(call, [value]);
  const parts = floorDivide(total, size as Dim);
  if (typeof parts !== 'number') return notFollowed(call.m, t('how many parts there are is not known'));
  if (typeof total !== 'number' || typeof size !== 'number') return Array.from({ length: parts }, () => size as Dim);
  return Array.from({ length: Math.ceil(total / size) }, (_, i) => Math.min(size, total - i * size));
}

function partsOf(call: Call, tensor: TensorValue, axis: number, sizes: readonly Dim[]): Value {
  let start: Dim = 0;
  return tuple(
    sizes.map((size) => {
      const from = start;
      start = add(start, size);
      return narrowed(call, tensor, axis, typeof from === 'number' ? from : 0, size);
    }),
  );
}

function* chunk(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const axis = yield* axisArgument(call, 'dim', shape.length, 0);
  const n = yield* intArgument(call, 'chunks');
  const total = shape[axis] as Dim;
  if (typeof total !== 'number')
    return partsOf(
      call,
      tensor,
      axis,
      Array.from({ length: n }, () => floorDivide(total, n)),
    );
  const size = Math.max(1, Math.ceil(total / n));
  return partsOf(
    call,
    tensor,
    axis,
    Array.from({ length: Math.ceil(total / size) }, (_, i) => Math.min(size, total - i * size)),
  );
}

/** `np.split(a, n)`, `np.array_split`: n parts, or cuts. */
function* numpySplit(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const axis = yield* axisArgument(call, 'axis', shape.length, 0);
  const total = shape[axis] as Dim;
  const value = given(call, 'sections');
  if (typeof total !== 'number') return notFollowed(call.m, t('how many parts there are is not known'));
  if (value.kind === 'list' || value.kind === 'tuple') {
    const cuts = (yield* shapeOf(call, [value])).map(Number);
    const found = partsOf(
      call,
      tensor,
      axis,
      [...cuts, total].map((cut, i) => cut - (cuts[i - 1] ?? 0)),
    );
    return found.kind === 'tuple' ? list([...found.items]) : found;
  }
  const n = yield* intOf(call, value, 'sections');
  if (total % n !== 0 && call.name === 'np.split')
    raise('ValueError', 'array split does not result in an equal division');
  const found = partsOf(
    call,
    tensor,
    axis,
    Array.from({ length: n }, (_, i) => Math.floor(total / n) + (i < total % n ? 1 : 0)),
  );
  return found.kind === 'tuple' ? list([...found.items]) : found;
}

function* unbind(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const shape = nodeOf(call.m, tensor).shape ?? notKnown(call);
  const axis = yield* axisArgument(call, 'dim', shape.length, 0);
  const total = shape[axis];
  if (typeof total !== 'number') return notFollowed(call.m, t('how many parts there are is not known'));
  const rest = shape.filter((_, i) => i !== axis);
  return tuple(Array.from({ length: total }, (_, i) => reshaped(call.m, narrowed(call, tensor, axis, i, 1), rest)));
}

function* narrow(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const axis = yield* axisArgument(call, 'dim', rankOf(call, nodeOf(call.m, tensor)));
  return narrowed(call, tensor, axis, yield* intArgument(call, 'start'), yield* intArgument(call, 'length'));
}

function* selected(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const axis = yield* axisArgument(call, 'dim', rankOf(call, nodeOf(call.m, tensor)));
  const whole: Value = { kind: 'slice', lower: none, upper: none, step: none };
  return yield* getItem(call.m, tensor, tuple([...Array.from({ length: axis }, () => whole), given(call, 'index')]));
}

/** `x.repeat(2, 3)`: the whole again and again; NumPy's `tile`. */
function* repeat(call: Call, asked: readonly Value[]): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const shape = node.shape ?? notKnown(call);
  const times = yield* shapeOf(call, asked);
  const lead = Math.max(0, times.length - shape.length);
  if (call.library === 'torch' && call.name.endsWith('repeat') && times.length < shape.length)
    raise('RuntimeError', 'Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor');
  const all = [...Array.from({ length: Math.max(0, shape.length - times.length) }, (): Dim => 1), ...times];
  const to = all.map((n, i) => multiply(n, shape[i - lead] ?? 1));
  return apply(call, 'tile', [node], { shape: to }, node.dtype);
}

/** Each element again and again; NumPy's `repeat`. */
function* repeatInterleave(call: Call): Run<Value> {
  let tensor = yield* tensorArgument(call, 'input');
  if (absent(call.get('dim'))) tensor = reshaped(call.m, tensor, [-1]);
  const node = nodeOf(call.m, tensor);
  const shape = node.shape ?? notKnown(call);
  const axis = yield* axisArgument(call, 'dim', shape.length, 0);
  const value = given(call, 'repeats');
  const several =
    value.kind === 'list' || value.kind === 'tuple' ? (yield* shapeOf(call, [value])).map(Number) : undefined;
  const [once] = several ? [] : yield* shapeOf(call, [value]);
  const size = several ? several.reduce((a, b) => a + b, 0) : multiply(shape[axis] as Dim, once as Dim);
  const repeats = several ?? (typeof once === 'number' ? [once] : []);
  return apply(
    call,
    'repeat_interleave',
    [node],
    { axis, repeats, shape: shape.map((dim, i) => (i === axis ? size : dim)) },
    node.dtype,
  );
}

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
  const tensor = yield* tensorArgument(call, 'input');
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
  const items =
    fixed ?? (absent(value) ? undefined : value.kind === 'tuple' || value.kind === 'list' ? value.items : [value]);
  const axes: number[] = items ? [] : Array.from({ length: rank }, (_, i) => i);
  for (const item of items ?? [])
    for (const one of item.kind === 'tuple' || item.kind === 'list' ? item.items : [item])
      axes.push(axisOf(call.library, yield* intOf(call, one, 'dims'), rank));
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
    for (const one of value.kind === 'tuple' || value.kind === 'list' ? value.items : [value])
      out.push(yield* intOf(call, one, 'dims'));
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
  return yield* getItem(call.m, yield* tensorArgument(call, 'input'), yield* tensorArgument(call, 'mask'));
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

function* meshgrid(call: Call): Run<Value> {
  const indexing = call.keywords.get('indexing');
  const swap = indexing ? indexing.kind === 'str' && indexing.value === 'xy' : call.library === 'numpy';
  const [only] = call.rest;
  const values = call.rest.length === 1 && (only?.kind === 'list' || only?.kind === 'tuple') ? only.items : call.rest;
  const tensors: TensorValue[] = [];
  for (const value of values) tensors.push(yield* tensorOf(call, value));
  const sizes = tensors.map((tensor) => elementsOf(nodeOf(call.m, tensor).shape ?? notKnown(call)));
  const place = (i: number): number => (swap && i < 2 ? 1 - i : i);
  const to = sizes.map((_, i) => sizes[place(i)] as Dim);
  const grids = tensors.map((tensor, i) =>
    expanded(
      call.m,
      reshaped(
        call.m,
        tensor,
        sizes.map((_, k) => (k === place(i) ? -1 : 1)),
      ),
      to,
    ),
  );
  return call.library === 'torch' ? tuple(grids) : list(grids);
}

const doc = (name: string): string => `PyTorch, ${name}; NumPy, array manipulation routines`;

const row = (
  names: string,
  signature: string,
  run: Row['run'],
  oracle: Row['oracle'] = 'torch',
  property = false,
): Row => ({
  names,
  signature,
  run,
  source: doc(names.split(' ')[0] as string),
  oracle,
  ...(property ? { property } : {}),
});

export const moveRows: readonly Row[] = [
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
  row('torch.cat torch.concat torch.concatenate np.concatenate', 'tensors|arrays, dim|axis=', concat),
  row('torch.stack np.stack', 'tensors|arrays, dim|axis=', (call) => stack(call)),
  row('torch.vstack np.vstack torch.row_stack', 'tensors|tup', (call) => stacked(call, 'rows')),
  row('torch.hstack np.hstack', 'tensors|tup', (call) => stacked(call, 'columns')),
  row('torch.split Tensor.split', 'input|tensor, split_size_or_sections|split_size, dim=', split),
  row('np.split np.array_split', 'input|ary, sections|indices_or_sections, axis=', numpySplit, 'numpy'),
  row('torch.chunk Tensor.chunk', 'input, chunks, dim=', chunk),
  row('torch.unbind Tensor.unbind', 'input, dim=', unbind),
  row('torch.narrow Tensor.narrow', 'input, dim, start, length', narrow),
  row('torch.select Tensor.select', 'input, dim, index', selected),
  row('Tensor.repeat', 'input, *sizes', (call) => repeat(call, call.rest)),
  row('torch.tile np.tile', 'input|A, dims|reps', (call) => repeat(call, [given(call, 'dims')])),
  row(
    'torch.repeat_interleave Tensor.repeat_interleave np.repeat ndarray.repeat',
    'input|a, repeats, dim|axis=',
    repeatInterleave,
  ),
  row('torch.tril Tensor.tril np.tril', 'input|m, diagonal|k=', (call) => triangle(call, 'tril')),
  row('torch.triu Tensor.triu np.triu', 'input|m, diagonal|k=', (call) => triangle(call, 'triu')),
  row('torch.diag Tensor.diag np.diag', 'input|v, diagonal|k=', diagonal),
  row('torch.diagonal Tensor.diagonal np.diagonal ndarray.diagonal', 'input|a, diagonal|offset=', diagonal),
  row('torch.flip Tensor.flip', 'input, *args, dims=', flip),
  row('np.flip', 'input|m, dims|axis=', flip, 'numpy'),
  row('np.flipud np.fliplr', 'input|m', flip, 'numpy'),
  row('torch.flipud torch.fliplr Tensor.flipud Tensor.fliplr', 'input', flip),
  row('torch.roll Tensor.roll np.roll', 'input|a, shifts|shift, dims|axis=', roll),
  row('F.pad', 'input, pad, mode=, value=', pad),
  row('torch.gather Tensor.gather', 'input, dim, index', gather),
  row('np.take_along_axis', 'input|arr, index|indices, dim|axis', gather, 'numpy'),
  row('torch.scatter Tensor.scatter', 'input, dim, index, src|value', (call) => scatter(call, false)),
  row('torch.scatter_add Tensor.scatter_add', 'input, dim, index, src', (call) => scatter(call, true)),
  row('torch.index_select Tensor.index_select', 'input, dim, index', indexSelect),
  row('np.take ndarray.take', 'input|a, index|indices, dim|axis=', indexSelect, 'numpy'),
  row('torch.masked_select Tensor.masked_select', 'input, mask', maskedSelect),
  row('torch.atleast_2d np.atleast_2d torch.atleast_1d np.atleast_1d', 'input|arys', atLeast),
  row('torch.meshgrid np.meshgrid', '*tensors, **', meshgrid),
];
