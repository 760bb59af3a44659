/** What makes one tensor of several, or several of one: joining, splitting, repeating. */
import { t } from '../../text';
import { getItem } from '../evaluate';
import {
  operate,
  raise,
  elementsOf,
  expanded,
  nodeOf,
  reshaped,
  sliced,
  list,
  none,
  tuple,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { type Node, add, floorDivide, multiply, same, type Dim } from '../tensor';
import {
  listedOf,
  absent,
  apply,
  axisArgument,
  common,
  given,
  intArgument,
  intOf,
  nodeArgument,
  rankOf,
  result,
  shapeOf,
  tensorArgument,
  tensorOf,
} from './support';
import { notFollowed, type Call, type Row } from './table';
import { notKnown, row } from './moving';

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
  if (shape.length === 0) raise('RuntimeError', 'split expects at least a 1-dimensional tensor');
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
  if (shape.length === 0) raise('RuntimeError', 'chunk expects at least a 1-dimensional tensor');
  const axis = yield* axisArgument(call, 'dim', shape.length, 0);
  const n = yield* intArgument(call, 'chunks');
  const total = shape[axis] as Dim;
  if (n < 1) raise('RuntimeError', `chunk expects \`chunks\` to be greater than 0, got: ${n}`);
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
  const asked = given(call, 'repeats');
  const each = asked.kind === 'tensor' && asked.node.shape?.length === 1 ? yield* call.m.evaluator.items(call.m, asked) : undefined; // prettier-ignore
  const value: Value = !each ? asked : each.length === 1 ? (each[0] as Value) : { kind: 'list', items: [...each] };
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

function* meshgrid(call: Call): Run<Value> {
  const indexing = call.keywords.get('indexing');
  const swap = indexing ? indexing.kind === 'str' && indexing.value === 'xy' : call.library === 'numpy';
  const values = listedOf(call.rest);
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

export const joinRows: readonly Row[] = [
  row('torch.cat torch.concat torch.concatenate np.concatenate', 'tensors|arrays, dim|axis=', concat),
  row('torch.stack np.stack', 'tensors|arrays, dim|axis=', (call) => stack(call)),
  row('torch.vstack np.vstack torch.row_stack', 'tensors|tup', (call) => stacked(call, 'rows')),
  row('torch.hstack np.hstack', 'tensors|tup', (call) => stacked(call, 'columns')),
  row('torch.split Tensor.split', 'input|tensor, split_size_or_sections|split_size, dim=', split),
  row('np.split np.array_split', 'input|ary, sections|indices_or_sections, axis=', numpySplit, 'numpy'),
  row('torch.chunk Tensor.chunk', 'input, chunks, dim|axis=', chunk),
  row('torch.unbind Tensor.unbind', 'input, dim|axis=', unbind),
  row('torch.narrow Tensor.narrow', 'input, dim|axis, start, length', narrow),
  row('torch.select Tensor.select', 'input, dim|axis, index', selected),
  row('Tensor.repeat', 'input, *sizes', (call) => repeat(call, call.rest)),
  row('torch.tile np.tile', 'input|A, dims|reps', (call) => repeat(call, [given(call, 'dims')])),
  row(
    'torch.repeat_interleave Tensor.repeat_interleave np.repeat ndarray.repeat',
    'input|a, repeats, dim|axis=',
    repeatInterleave,
  ),
  row('torch.meshgrid np.meshgrid', '*tensors, **', meshgrid),
];
