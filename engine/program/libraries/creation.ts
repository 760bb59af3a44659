/** Tensors from nothing: constants and ranges. */
import { t, finish, ownNames } from '../../text';
import { arrayNode, realOf } from '../evaluate';
import {
  addNode,
  cause,
  constant,
  input,
  raise,
  castNode,
  newTensor,
  unfilled,
  int,
  none,
  tuple,
  type Run,
  type Value,
} from '../machine';
import {
  count,
  isKnownShape,
  type Dim,
  type Shape,
  defaultOf,
  isFloat,
  rounding,
  type DType,
  type Node,
} from '../tensor';
import {
  absent,
  common,
  dtypeOf,
  flagArgument,
  given,
  intArgument,
  nodeArgument,
  realArgument,
  shapeOf,
} from './support';
import { notFollowed, type Call, type Row } from './table';

/** More numbers than these are not written down one by one. */
const largest = 4_000_000;

/** The shape of what is made anew, where -1 is no size to be found out. */
export function* madeShape(call: Call, values: readonly Value[]): Run<Shape> {
  const shape = yield* shapeOf(call, values);
  const wrong = isKnownShape(shape) ? shape.find((size) => size < 0) : undefined;
  if (wrong === undefined) return shape;
  return call.library === 'torch'
    ? raise('RuntimeError', `Trying to create tensor with negative dimension ${wrong}: [${shape.join(', ')}]`)
    : raise('ValueError', 'negative dimensions are not allowed');
}

/** A tensor whose elements follow from their places. */
function filled(call: Call, shape: Shape, dtype: DType, value: (i: number) => number, origin: string): Node {
  const { m } = call;
  if (!isKnownShape(shape)) return input(m, shape, dtype, cause(m, t('its sizes are known by name only')), origin);
  const size = count(shape);
  if (size > largest) return input(m, shape, dtype, cause(m, t('too much to compute here: {0}', size)), origin);
  const made = filling(size, rounding[dtype], value);
  if (size <= filledAtOnce) return constant(m, shape, dtype, finish(made()), origin);
  return addNode(m, 'constant', { shape, dtype, attributes: { origin }, fill: made });
}

/** A larger one (a mask of a whole context) is filled when it is looked at, which few are. */
const filledAtOnce = 1024;

const filling = (size: number, round: (x: number) => number, value: (i: number) => number) =>
  function* (): Run<Float64Array> {
    const data = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      if (i % stretch === stretch - 1) yield;
      data[i] = round(value(i));
    }
    return data;
  };

/** Numbers that are written down in one part: far below a millisecond. */
const stretch = 16_384;

const usual = (call: Call): DType => defaultOf(call.library, 'float', call.m.floats);

function* same(call: Call, value: number): Run<Value> {
  const shape = yield* madeShape(call, call.get('size') ? [given(call, 'size')] : call.rest);
  const dtype = yield* madeType(call);
  return newTensor(
    call.library,
    filled(call, shape, dtype, () => value, call.name),
  );
}

/** The number type of what is made anew: `x.new_zeros(2)` has that of `x`. */
export function* madeType(call: Call): Run<DType> {
  const asked = dtypeOf(call, call.get('dtype'));
  return asked ?? (call.get('input') ? (yield* nodeArgument(call, 'input')).dtype : usual(call));
}

/** What is left in memory is not known. */
function* empty(call: Call): Run<Value> {
  const shape = yield* madeShape(call, call.get('size') ? [given(call, 'size')] : call.rest);
  return unfilled(
    newTensor(
      call.library,
      input(call.m, shape, yield* madeType(call), cause(call.m, t('it is not filled yet')), call.name),
    ),
  );
}

function* like(call: Call, value: number | undefined): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const dtype = dtypeOf(call, call.get('dtype')) ?? node.dtype;
  if (!node.shape || value === undefined)
    return newTensor(
      call.library,
      input(call.m, node.shape, dtype, node.why ?? cause(call.m, t('it is not filled yet')), call.name),
    );
  return newTensor(
    call.library,
    filled(call, node.shape, dtype, () => value, call.name),
  );
}

function* full(call: Call): Run<Value> {
  const value = given(call, 'fill_value');
  const size = call.get('size');
  const shape = size
    ? yield* madeShape(call, [size])
    : ((yield* nodeArgument(call, 'input')).shape ?? notFollowed(call.m, t('its shape is not known')));
  const real = realOf(value);
  const asked =
    dtypeOf(call, call.get('dtype')) ?? (call.get('input') ? (yield* nodeArgument(call, 'input')).dtype : undefined);
  const dtype = asked ?? defaultOf(call.library, value.kind === 'bool' || value.kind === 'int' ? value.kind : 'float', call.m.floats); // prettier-ignore
  if (real !== undefined)
    return newTensor(
      call.library,
      filled(call, shape, dtype, () => real, call.name),
    );
  const { nodes } = yield* common(call, [value]);
  const node = castNode(call.m, nodes[0] as Node, asked ?? (nodes[0] as Node).dtype, call.library);
  return newTensor(
    call.library,
    addNode(call.m, 'expand', { operands: [node], attributes: { shape }, shape, dtype: node.dtype }),
  );
}

function* fromData(call: Call): Run<Value> {
  const value = given(call, 'data');
  const asked = dtypeOf(call, call.get('dtype'));
  const { m, library } = call;
  if (
    value.kind === 'tensor' &&
    (asked === undefined || asked === value.node.dtype) &&
    /from_numpy|as_tensor|asarray/.test(call.name)
  )
    return { ...value, library, parameter: false, scalar: false };
  if (value.kind === 'instance') {
    const items = yield* m.evaluator.items(m, value);
    return newTensor(library, yield* arrayNode(m, { kind: 'list', items: [...(items ?? [])] }, library, asked));
  }
  return newTensor(library, yield* arrayNode(m, value, library, asked));
}

/** Number types of `torch.LongTensor` and others, by what stands before `Tensor`. */
const oldTypes = ownNames<DType>({
  Float: 'float32',
  Double: 'float64',
  Half: 'float16',
  BFloat16: 'bfloat16',
  Long: 'int64',
  Int: 'int32',
  Short: 'int16',
  Char: 'int8',
  Byte: 'uint8',
  Bool: 'bool',
});

/** `torch.set_default_dtype(torch.float64)`, `torch.set_default_tensor_type('torch.DoubleTensor')`. */
function* setFloats(call: Call): Run<Value> {
  yield;
  const type = given(call, 'd');
  const name = type.kind === 'str' ? type.value : 'name' in type ? String(type.name) : '';
  const dtype = type.kind === 'dtype' ? type.dtype : oldTypes[/(\w+)Tensor$/.exec(name)?.[1] ?? ''];
  if (call.m.unsure > 0 || !dtype || !isFloat(dtype)) return notFollowed(call.m, t('{0} is not known', call.name));
  call.m.floats = dtype;
  return none;
}

/** `torch.Tensor(2, 3)` is not filled, `torch.Tensor([…])` is float32. */
function* oldTensor(call: Call): Run<Value> {
  const [first] = call.rest;
  const dtype = oldTypes[call.name.slice(call.name.lastIndexOf('.') + 1, -'Tensor'.length)] ?? call.m.floats;
  if (first && ['list', 'tuple', 'tensor', 'range'].includes(first.kind))
    return newTensor('torch', yield* arrayNode(call.m, first, 'torch', dtype));
  // Without sizes it has no element, where a size for no axis would be one number.
  if (!first) return newTensor('torch', constant(call.m, [0], dtype, new Float64Array()));
  return unfilled(newTensor('torch', input(call.m, yield* madeShape(call, call.rest), dtype, cause(call.m, t('it is not filled yet')), call.name))); // prettier-ignore
}

function* arange(call: Call): Run<Value> {
  const values = [...call.rest];
  for (const name of ['start', 'end', 'step']) {
    const value = call.get(name);
    if (value) values.push(value);
  }
  const named = ['start', 'end', 'step'].map((name) => call.get(name));
  const [start, end, by] =
    named.some(Boolean) && call.rest.length === 1
      ? [call.rest[0], named[1] ?? none, named[2]]
      : values.length === 1
        ? [undefined, values[0], undefined]
        : values;
  const asked = dtypeOf(call, call.get('dtype'));
  const floats = [start, end, by].some(
    (value) => value?.kind === 'float' || (value?.kind === 'unknown' && value.type === 'float'),
  );
  const dtype = asked ?? defaultOf(call.library, floats ? 'float' : 'int', call.m.floats);
  const [from, to, step] = [start, end, by].map((value, i) => (value ? realOf(value) : i === 2 ? 1 : 0));
  if (from === undefined || to === undefined || step === undefined)
    return newTensor(call.library, yield* namedRange(call, start, end ?? none, step, dtype));
  if (step === 0) raise('RuntimeError', 'step must be nonzero');
  const size = Math.max(0, Math.ceil((to - from) / step));
  // NumPy fills from the first two values, each rounded: x0 + i·(x1 − x0).
  const delta = call.library === 'numpy' && floats ? from + step - from : step;
  return newTensor(
    call.library,
    filled(call, [size], dtype, (i) => from + i * delta, call.name),
  );
}

function* namedRange(
  call: Call,
  start: Value | undefined,
  end: Value,
  step: number | undefined,
  dtype: DType,
): Run<Node> {
  const [to] = yield* shapeOf(call, [asWhole(end)]);
  const [from] = start ? yield* shapeOf(call, [asWhole(start)]) : [0];
  if (from !== 0 || to === undefined || step !== 1) return notFollowed(call.m, t('how long it is is not known'));
  return input(call.m, [to], dtype, cause(call.m, t('its sizes are known by name only')), call.name);
}

/** `torch.arange(0.0, d)` counts in floats as far as `torch.arange(0, d)`. */
const asWhole = (value: Value): Value =>
  value.kind === 'float' && Number.isInteger(value.value) ? int(value.value) : value;

function* linspace(call: Call): Run<Value> {
  const [from, to] = [realArgument(call, 'start'), realArgument(call, 'end')];
  const steps = yield* intArgument(call, 'steps', call.library === 'numpy' ? 50 : undefined);
  const closed = yield* flagArgument(call, 'endpoint', true);
  const dtype = dtypeOf(call, call.get('dtype')) ?? usual(call);
  const parts = closed ? steps - 1 : steps;
  const step = (to - from) / parts;
  const round = rounding[dtype];
  // PyTorch counts the second half from the end.
  const torchValue = (i: number): number => {
    const by = round((round(to) - round(from)) / parts);
    return i < Math.floor(steps / 2) ? from + by * i : to - by * (steps - i - 1);
  };
  const value = (i: number): number =>
    steps === 1 ? from : call.library === 'torch' ? torchValue(i) : i === parts ? to : i * step + from;
  return newTensor(call.library, filled(call, [steps], dtype, value, call.name));
}

function* eye(call: Call): Run<Value> {
  const [n] = yield* shapeOf(call, [given(call, 'n')]);
  const [columns] = absent(call.get('m')) ? [n] : yield* shapeOf(call, [given(call, 'm')]);
  const k = yield* intArgument(call, 'k', 0);
  const width = Number(columns);
  return newTensor(
    call.library,
    filled(
      call,
      [n as Dim, columns as Dim],
      dtypeOf(call, call.get('dtype')) ?? usual(call),
      (i) => ((i % width) - Math.floor(i / width) === k ? 1 : 0),
      call.name,
    ),
  );
}

function* tri(call: Call): Run<Value> {
  const n = yield* intArgument(call, 'n');
  const width = yield* intArgument(call, 'm', n);
  const k = yield* intArgument(call, 'k', 0);
  return newTensor(
    call.library,
    filled(
      call,
      [n, width],
      dtypeOf(call, call.get('dtype')) ?? usual(call),
      (i) => ((i % width) - Math.floor(i / width) <= k ? 1 : 0),
      call.name,
    ),
  );
}

/** `np.triu_indices(n, k)`: rows and columns of the places, in order. */
function* triangleIndices(call: Call, upper: boolean): Run<Value> {
  const n = yield* intArgument(call, 'n');
  const width = yield* intArgument(call, 'm', n);
  const k = yield* intArgument(call, 'k', 0);
  const places = Array.from({ length: n * width }, (_, i) => i).filter((i) => {
    const along = (i % width) - Math.floor(i / width);
    return upper ? along >= k : along <= k;
  });
  const [rows, columns] = [places.map((i) => Math.floor(i / width)), places.map((i) => i % width)].map((values) =>
    newTensor(call.library, constant(call.m, [values.length], 'int64', Float64Array.from(values), call.name)),
  );
  return tuple([rows ?? none, columns ?? none]);
}

const doc = (name: string): string => `PyTorch, ${name}; NumPy, array creation routines`;
export const row = (names: string, signature: string, run: Row['run'], oracle: Row['oracle'] = 'torch'): Row => ({
  names,
  signature,
  run,
  source: doc(names.split(' ')[0] as string),
  oracle,
});

export const creationRows: readonly Row[] = [
  row(
    'torch.tensor torch.as_tensor torch.asarray torch.from_numpy',
    'data|object, dtype=, device=, requires_grad=',
    fromData,
  ),
  row('np.array np.asarray np.asanyarray', 'data|object|a, dtype=', fromData, 'numpy'),
  row(['', ...Object.keys(oldTypes)].map((type) => `torch.${type}Tensor`).join(' '), '*data', oldTensor),
  row('torch.get_default_dtype', '', function* (call) {
    yield;
    return { kind: 'dtype', dtype: call.m.floats, library: 'torch' };
  }),
  row('torch.set_default_dtype torch.set_default_tensor_type', 'd|t', setFloats),
  row('torch.zeros', '*args, size=, dtype=', (call) => same(call, 0)),
  row('torch.ones', '*args, size=, dtype=', (call) => same(call, 1)),
  row('torch.empty', '*args, size=, dtype=', empty),
  row('np.zeros', 'size|shape, dtype=', (call) => same(call, 0), 'numpy'),
  row('np.ones', 'size|shape, dtype=', (call) => same(call, 1), 'numpy'),
  row('np.empty', 'size|shape, dtype=', empty, 'numpy'),
  row('torch.zeros_like np.zeros_like', 'input|a, dtype=', (call) => like(call, 0)),
  row('torch.ones_like np.ones_like', 'input|a, dtype=', (call) => like(call, 1)),
  row('torch.empty_like np.empty_like', 'input|a, dtype=', (call) => like(call, undefined)),
  row('torch.full np.full', 'size|shape, fill_value, dtype=', full),
  row('torch.full_like np.full_like', 'input|a, fill_value, dtype=', full),
  row('Tensor.new_zeros', 'input, *args, size=, dtype=', (call) => same(call, 0)),
  row('Tensor.new_ones', 'input, *args, size=, dtype=', (call) => same(call, 1)),
  row('Tensor.new_empty', 'input, *args, size=, dtype=', empty),
  row('Tensor.new_full', 'input, size, fill_value, dtype=', full),
  row('torch.arange np.arange', '*args, start=, end|stop=, step=, dtype=', arange),
  row('torch.linspace', 'start, end, steps, *, dtype=', linspace),
  row('np.linspace', 'start, end|stop, steps|num=, endpoint=, *, dtype=', linspace, 'numpy'),
  row('torch.eye np.eye np.identity', 'n|N, m|M=, k=, dtype=', eye),
  row('np.tri', 'n|N, m|M=, k=, dtype=', tri, 'numpy'),
  row('np.triu_indices', 'n, k=, m=', (call) => triangleIndices(call, true), 'numpy'),
  row('np.tril_indices', 'n, k=, m=', (call) => triangleIndices(call, false), 'numpy'),
];
