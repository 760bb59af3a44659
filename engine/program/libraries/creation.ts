/** Tensors from nothing: constants, ranges, draws. */
import { t, finish } from '../../text';
import { arrayNode, realOf, wholeOf } from '../evaluate';
import {
  addNode,
  cause,
  constant,
  drawnUnsure,
  input,
  raise,
  castNode,
  newTensor,
  nodeOf,
  overwrite,
  unfilled,
  float,
  int,
  none,
  tuple,
  type Instance,
  type Run,
  type Value,
} from '../machine';
import {
  createStream,
  type RandomStream,
  drawTorchBounded,
  seedTorch,
  fillTorchNormal,
  fillTorchUniform,
  fillTorchNormalBfloat,
  fillTorchUniformHalf,
  type TorchStream,
} from '../../random';
import {
  count,
  isKnownShape,
  type Dim,
  type Shape,
  defaultOf,
  rounding,
  type DType,
  type Cause,
  type Node,
} from '../tensor';
import {
  absent,
  boundArgument,
  boundOf,
  common,
  dtypeOf,
  flagArgument,
  given,
  intArgument,
  nodeArgument,
  realArgument,
  result,
  shapeOf,
  tensorArgument,
} from './support';
import { dropout } from './dropout';
import { notFollowed, type Call, type Row } from './table';

/** More numbers than these are not written down one by one. */
const largest = 4_000_000;

/** The shape of what is made anew, where -1 is no size to be found out. */
function* madeShape(call: Call, values: readonly Value[]): Run<Shape> {
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

const usual = (call: Call): DType => defaultOf(call.library, 'float');

function* same(call: Call, value: number): Run<Value> {
  const shape = yield* madeShape(call, call.get('size') ? [given(call, 'size')] : call.rest);
  const dtype = yield* madeType(call);
  return newTensor(
    call.library,
    filled(call, shape, dtype, () => value, call.name),
  );
}

/** The number type of what is made anew: `x.new_zeros(2)` has that of `x`. */
function* madeType(call: Call): Run<DType> {
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
  const dtype = asked ?? defaultOf(call.library, value.kind === 'bool' || value.kind === 'int' ? value.kind : 'float');
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

/** `torch.Tensor(2, 3)` is not filled, `torch.Tensor([…])` is float32. */
function* oldTensor(call: Call): Run<Value> {
  const [first] = call.rest;
  const dtype = /Long/.test(call.name) ? 'int64' : 'float32';
  if (first && (first.kind === 'list' || first.kind === 'tuple' || first.kind === 'tensor'))
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
  const dtype = asked ?? defaultOf(call.library, floats ? 'float' : 'int');
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

/** Fills some numbers from a stream. */
type Draw = (count: number) => Float64Array;

/** Drawn between bounds that are not known: as many numbers are taken from the stream all the same. */
function drawnOpen(call: Call, shape: Shape, dtype: DType, draw: Draw | undefined, why: Cause): Node {
  const size = isKnownShape(shape) ? count(shape) : Infinity;
  if (drawnUnsure(call.m) || size > call.m.draws) {
    if (call.library === 'torch') call.m.streams.torch = undefined;
    else call.m.streams.numpy = undefined;
  } else if (draw) {
    call.m.draws -= size;
    draw(size);
  }
  return input(call.m, shape, dtype, why, call.name);
}

/** A tensor of drawn numbers; without a seed only its shape is known. */
function drawn(call: Call, shape: Shape, dtype: DType, draw: Draw | undefined, origin = call.name, why?: Cause): Node {
  const { m } = call;
  if (call.library === 'torch') m.streams.behindDropout = undefined;
  if (why) return drawnOpen(call, shape, dtype, draw, why);
  if (drawnUnsure(m) || !draw)
    return input(m, shape, dtype, m.streams.lost ?? cause(m, t('without a seed each run draws other numbers')), origin);
  const size = isKnownShape(shape) ? count(shape) : Infinity;
  if (size > m.draws || !isKnownShape(shape)) {
    // What comes after is drawn from a place that is not known.
    if (call.library === 'torch') m.streams.torch = undefined;
    else m.streams.numpy = undefined;
    return input(m, shape, dtype, cause(m, t('too many numbers to draw here: {0}', size)), origin);
  }
  m.draws -= size;
  const data = draw(size);
  const round = rounding[dtype];
  return addNode(m, 'draw', {
    shape,
    dtype,
    attributes: { origin },
    value: { shape, dtype, data: data.map((x) => round(x)) },
  });
}

type TorchKind = 'uniform' | 'normal';

/** PyTorch's draws, of the number type that is asked for. */
export function torchDraw(
  call: Call,
  kind: TorchKind,
  shape: Shape,
  dtype: DType,
  from: number | Cause,
  to: number | Cause,
): Node {
  const why = [from, to].find((bound) => typeof bound !== 'number');
  const [a, b] = [from, to].map((bound, i) => (typeof bound === 'number' ? bound : i)) as [number, number];
  const stream = call.m.streams.torch;
  const draw: Draw = (size) => torchNumbers(stream as TorchStream, kind, dtype, size, [a, b]);
  const many = !isKnownShape(shape) || count(shape) >= 16;
  // Sixteen at a time float16 is computed in steps that are not followed; as many words are taken as in float32.
  const open = kind === 'normal' && dtype === 'float16' && many && stream && !call.m.sampling ? cause(call.m, t('{0} is not known', `${call.name} (${dtype})`)) : undefined; // prettier-ignore
  return drawn(call, shape, dtype, stream ? draw : undefined, call.name, (why as Cause | undefined) ?? open);
}

const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16';

function torchNumbers(
  stream: TorchStream,
  kind: TorchKind,
  dtype: DType,
  size: number,
  [a, b]: readonly [number, number],
): Float64Array {
  const data = new Float64Array(size);
  if (kind === 'uniform' && isHalf(dtype)) return fillTorchUniformHalf(stream, dtype === 'float16' ? 11 : 8, rounding[dtype], data, a, b); // prettier-ignore
  if (dtype === 'bfloat16' && size >= 16) return fillTorchNormalBfloat(stream, rounding[dtype], data, a, b);
  return (kind === 'uniform' ? fillTorchUniform : fillTorchNormal)(
    stream,
    dtype === 'float64' ? 'float64' : 'float32',
    data,
    a,
    b,
  );
}

function* torchRandom(call: Call, kind: TorchKind): Run<Value> {
  const shape = call.get('input')
    ? (yield* nodeArgument(call, 'input')).shape
    : yield* madeShape(call, call.get('size') ? [given(call, 'size')] : call.rest);
  if (!shape) return notFollowed(call.m, t('its shape is not known'));
  const dtype = dtypeOf(call, call.get('dtype')) ?? 'float32';
  return newTensor('torch', torchDraw(call, kind, shape, dtype, 0, 1));
}

function* torchNormal(call: Call): Run<Value> {
  const [mean, std] = [yield* boundArgument(call, 'mean', 0), yield* boundArgument(call, 'std', 1)];
  return newTensor(
    'torch',
    torchDraw(call, 'normal', yield* madeShape(call, [given(call, 'size')]), 'float32', mean, std),
  );
}

/** `x.normal_(mean, std)`, `x.uniform_(low, high)`. */
function* fillRandom(call: Call, kind: TorchKind, names: readonly [string, string], usualHigh: number): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const node = nodeOf(call.m, tensor);
  if (!node.shape) return tensor;
  const [a, b] = [yield* boundArgument(call, names[0], 0), yield* boundArgument(call, names[1], usualHigh)];
  overwrite(call.m, tensor, torchDraw(call, kind, node.shape, node.dtype, a, b));
  return tensor;
}

function* torchIntegers(call: Call): Run<Value> {
  const numbers: (number | Cause)[] = [];
  const values = [...call.rest];
  const size = call.get('size') ?? values.pop() ?? none;
  for (const value of [call.get('low'), ...values, call.get('high')])
    if (value) numbers.push(yield* boundOf(call, value));
  const why = numbers.find((bound) => typeof bound !== 'number');
  // A range within 2^32 takes one draw for each number, whatever it is.
  const bounds = why ? [0, 2] : (numbers as number[]);
  const [low, high] = bounds.length === 1 ? [0, bounds[0] as number] : (bounds as [number, number]);
  const stream = call.m.streams.torch;
  const draw: Draw | undefined =
    stream && ((n) => Float64Array.from({ length: n }, () => drawTorchBounded(stream, low, high)));
  return newTensor(
    'torch',
    drawn(
      call,
      yield* madeShape(call, [size]),
      dtypeOf(call, call.get('dtype')) ?? 'int64',
      draw,
      call.name,
      why as Cause | undefined,
    ),
  );
}

/** `torch.randperm(n)`, PyTorch's shuffle of Fisher and Yates. */
function* permutation(call: Call): Run<Value> {
  const n = yield* intArgument(call, 'n');
  const stream = call.m.streams.torch;
  const draw: Draw | undefined =
    stream &&
    ((size) => {
      const places = Float64Array.from({ length: size }, (_, i) => i);
      for (let i = 0; i < size - 1; i++) {
        const j = i + drawTorchBounded(stream, 0, size - i);
        [places[i], places[j]] = [places[j] as number, places[i] as number];
      }
      return places;
    });
  return newTensor('torch', drawn(call, [n], 'int64', draw));
}

function* seed(call: Call): Run<Value> {
  const value = call.get('seed');
  const whole = value && wholeOf(value);
  const { streams } = call.m;
  if (drawnUnsure(call.m)) return none;
  if (call.library === 'torch') {
    const made = whole === undefined ? undefined : seedTorch(whole);
    streams.torch = made?.ok ? made.value : undefined;
    streams.behindDropout = undefined;
    streams.lost = undefined;
  } else {
    const made = whole === undefined ? undefined : createStream({ generator: 'numpy.RandomState', seed: whole });
    streams.numpy = made?.ok ? made.value : undefined;
    streams.lost = undefined;
  }
  yield;
  return none;
}

/** Generators that a program holds: their streams. */
const held = new WeakMap<Instance, RandomStream>();

function* generator(call: Call, kind: 'numpy.default_rng' | 'numpy.RandomState'): Run<Value> {
  const value = call.get('seed');
  const whole = value && wholeOf(value);
  const instance: Instance = {
    kind: 'instance',
    of: {
      kind: 'class',
      name: 'Generator',
      bases: [],
      attributes: new Map(),
      cause: cause(call.m, t('{0} is not known', 'np.random.Generator')),
    },
    attributes: new Map(),
  };
  const made = whole === undefined ? undefined : createStream({ generator: kind, seed: whole });
  if (made?.ok) held.set(instance, made.value);
  for (const method of [...Object.keys(numpyDraws), 'rand', 'randn']) {
    const found = call.m.library(call.m, `np.random.${method}`);
    if (found?.kind === 'builtin')
      instance.attributes.set(method, {
        kind: 'method',
        self: instance,
        function: { ...found, call: (args) => withStream(call, instance, found, args) },
      });
  }
  yield;
  return instance;
}

function* withStream(
  { m }: Call,
  instance: Instance,
  found: Value & { kind: 'builtin' },
  args: Parameters<typeof found.call>[0],
): Run<Value> {
  const kept = m.streams.numpy;
  m.streams.numpy = held.get(instance);
  try {
    return yield* found.call({ ...args, positional: args.positional.slice(1) });
  } finally {
    if (!m.streams.numpy) held.delete(instance);
    m.streams.numpy = kept;
  }
}

type NumpyDraw = (stream: RandomStream, count: number, a: number, b: number) => Float64Array;
const numpyDraws: Readonly<
  Record<
    string,
    {
      readonly parameters: readonly [string, string, string];
      readonly usual: readonly [number, number];
      readonly draw: NumpyDraw;
      readonly integers?: boolean;
    }
  >
> = {
  normal: { parameters: ['loc', 'scale', 'size'], usual: [0, 1], draw: (s, n, a, b) => s.normal(n, a, b) },
  uniform: { parameters: ['low', 'high', 'size'], usual: [0, 1], draw: (s, n, a, b) => s.uniform(n, a, b) },
  standard_normal: { parameters: ['', '', 'size'], usual: [0, 1], draw: (s, n) => s.normal(n) },
  random: { parameters: ['', '', 'size'], usual: [0, 1], draw: (s, n) => s.uniform(n) },
  random_sample: { parameters: ['', '', 'size'], usual: [0, 1], draw: (s, n) => s.uniform(n) },
  randint: {
    parameters: ['low', 'high', 'size'],
    usual: [0, 0],
    draw: (s, n, a, b) => s.integers(n, a, b),
    integers: true,
  },
  integers: {
    parameters: ['low', 'high', 'size'],
    usual: [0, 0],
    draw: (s, n, a, b) => s.integers(n, a, b),
    integers: true,
  },
};

function* numpyRandom(call: Call, name: string): Run<Value> {
  const { parameters, usual: defaults, draw, integers } = numpyDraws[name] as (typeof numpyDraws)[string];
  const given = [yield* boundArgument(call, parameters[0], defaults[0]), yield* boundArgument(call, parameters[1], defaults[1])]; // prettier-ignore
  const why = given.find((bound) => typeof bound !== 'number') as Cause | undefined;
  const [a, b] = (why ? [0, 1] : given) as [number, number];
  const [low, high] = integers && absent(call.get('high')) ? [0, a] : [a, b];
  const size = call.get('size');
  const shape = absent(size) ? [] : yield* madeShape(call, [size]);
  const stream = call.m.streams.numpy;
  // NumPy redraws whole numbers that do not fit: how many it takes depends on the bounds.
  const known = stream && !(why && integers) ? (n: number) => draw(stream, n, low, high) : undefined;
  if (why && integers && stream) Object.assign(call.m.streams, { numpy: undefined, lost: why });
  const node = drawn(call, shape, integers ? 'int64' : 'float64', known, call.name, why);
  return absent(size) ? plainNumber(node, integers ?? false) : result(call, node);
}

/** Without a size NumPy draws a number of Python's own. */
function plainNumber(node: Node, whole: boolean): Value {
  const [x] = node.value?.data ?? [];
  if (x === undefined) return { kind: 'unknown', cause: node.why as Cause, type: whole ? 'int' : 'float' };
  return whole ? int(x) : float(x);
}

/** `np.random.rand(2, 3)`, `randn`. */
function* numpySizes(call: Call, kind: 'uniform' | 'normal'): Run<Value> {
  const stream = call.m.streams.numpy;
  const node = drawn(
    call,
    yield* madeShape(call, call.rest),
    'float64',
    stream && ((n) => (kind === 'uniform' ? stream.uniform(n) : stream.normal(n))),
  );
  return call.rest.length === 0 ? plainNumber(node, false) : result(call, node);
}

const doc = (name: string): string => `PyTorch, ${name}; NumPy, array creation routines`;
const row = (names: string, signature: string, run: Row['run'], oracle: Row['oracle'] = 'torch'): Row => ({
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
  row('torch.Tensor torch.FloatTensor torch.LongTensor', '*data', oldTensor),
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
  row('torch.rand', '*args, size=, dtype=', (call) => torchRandom(call, 'uniform')),
  row('torch.randn', '*args, size=, dtype=', (call) => torchRandom(call, 'normal')),
  row('torch.rand_like', 'input, *, dtype=', (call) => torchRandom(call, 'uniform')),
  row('torch.randn_like', 'input, *, dtype=', (call) => torchRandom(call, 'normal')),
  row('torch.normal', 'mean=, std=, size=', torchNormal),
  row('torch.randint', '*args, low=, high=, size=, dtype=', torchIntegers),
  row('torch.randperm', 'n', permutation),
  row('Tensor.normal_', 'input, mean=, std=', (call) => fillRandom(call, 'normal', ['mean', 'std'], 1)),
  row('Tensor.uniform_', 'input, from|a=, to|b=', (call) => fillRandom(call, 'uniform', ['from', 'to'], 1)),
  row('init.normal_', 'input|tensor, mean=, std=, generator=', (call) =>
    fillRandom(call, 'normal', ['mean', 'std'], 1),
  ),
  row('init.uniform_', 'input|tensor, a=, b=, generator=', (call) => fillRandom(call, 'uniform', ['a', 'b'], 1)),
  row('torch.manual_seed torch.random.manual_seed', 'seed', seed),
  row('np.random.seed', 'seed=', seed, 'numpy'),
  row('np.random.default_rng', 'seed=', (call) => generator(call, 'numpy.default_rng'), 'numpy'),
  row('np.random.RandomState', 'seed=', (call) => generator(call, 'numpy.RandomState'), 'numpy'),
  ...Object.entries(numpyDraws).map(([name, { parameters }]) =>
    row(
      `np.random.${name}`,
      `${parameters[0] === '' ? '' : `${parameters[0]}=, ${parameters[1]}=, `}size=, dtype=, *, endpoint=`,
      (call) => numpyRandom(call, name),
      'numpy',
    ),
  ),
  row('np.random.rand', '*sizes', (call) => numpySizes(call, 'uniform'), 'numpy'),
  row('np.random.randn', '*sizes', (call) => numpySizes(call, 'normal'), 'numpy'),
  row('F.dropout torch.dropout', 'input, p=, training|train=, inplace=', dropout, 'transcribed'),
];
