/** Tensors of random numbers, and the streams that they come from: PyTorch's and NumPy's. */
import { t } from '../../text';
import { wholeOf } from '../evaluate';
import {
  addNode,
  builtin,
  cause,
  drawnUnsure,
  input,
  loseStreams,
  newTensor,
  raise,
  nodeOf,
  overwrite,
  float,
  int,
  none,
  type Arguments,
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
import { count, isKnownShape, type Shape, isHalf, rounding, type DType, type Cause, type Node } from '../tensor';
import {
  absent,
  boundArgument,
  boundOf,
  dtypeOf,
  given,
  intArgument,
  nodeArgument,
  result,
  tensorArgument,
} from './support';
import { dropout } from './dropout';
import { notFollowed, type Call, type Row } from './table';
import { madeShape, madeType, row } from './creation';

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
function torchDraw(
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
  return newTensor('torch', torchDraw(call, kind, shape, yield* madeType(call), 0, 1));
}

function* torchNormal(call: Call): Run<Value> {
  if (absent(call.get('size'))) {
    const why = cause(call.m, t('{0} is not followed', 'torch.normal(tensor, …)'));
    loseStreams(call.m, why);
    return { kind: 'unknown', cause: why };
  }
  const [mean, std] = [yield* boundArgument(call, 'mean', 0), yield* boundArgument(call, 'std', 1)];
  return newTensor(
    'torch',
    torchDraw(call, 'normal', yield* madeShape(call, [given(call, 'size')]), call.m.floats, mean, std),
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
  if (low >= high)
    raise('RuntimeError', `random_ expects 'from' to be less than 'to', but got from=${low} >= to=${high}`);
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

/** `np.arange(n)` as `RandomState` shuffles it. */
function* order(call: Call): Run<Value> {
  const n = yield* intArgument(call, 'n');
  const stream = call.m.streams.numpy;
  const draw: Draw | undefined =
    stream &&
    ((size) => {
      const places = Float64Array.from({ length: size }, (_, i) => i);
      for (let i = size - 1; i > 0; i--) {
        const [j = 0] = stream.integers(1, 0, i + 1);
        [places[i], places[j]] = [places[j] as number, places[i] as number];
      }
      return places;
    });
  return newTensor('numpy', drawn(call, [n], 'int64', draw, 'np.random.permutation'));
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
  const why = cause(call.m, t('{0} is not known', 'np.random.Generator'));
  // What else it has draws from its stream too.
  const other = builtin('__getattr__', function* ({ positional: [, name] }) {
    yield;
    const shuffles = name?.kind === 'str' && name.value === 'shuffle';
    return builtin('', (args) => {
      held.delete(instance);
      return call.m.evaluator.call(
        call.m,
        { kind: 'unknown', cause: why, ...(shuffles && { changes: 'order' }) },
        args,
      );
    });
  });
  const instance: Instance = {
    kind: 'instance',
    of: { kind: 'class', name: 'Generator', bases: [], attributes: new Map([['__getattr__', other]]), cause: why },
    attributes: new Map(),
  };
  const made = whole === undefined ? undefined : createStream({ generator: kind, seed: whole });
  if (made?.ok) held.set(instance, made.value);
  // What `default_rng` shuffles goes another way.
  const more = kind === 'numpy.RandomState' ? ['permutation', 'shuffle', 'choice'] : [];
  for (const method of [...Object.keys(numpyDraws), 'rand', 'randn', ...more]) {
    const found = call.m.library(call.m, `np.random.${method}`);
    if (found)
      instance.attributes.set(method, {
        kind: 'method',
        self: instance,
        function: builtin(method, (args) => withStream(call, instance, found, args)),
      });
  }
  yield;
  return instance;
}

function* withStream({ m }: Call, instance: Instance, found: Value, args: Arguments): Run<Value> {
  const kept = m.streams.numpy;
  m.streams.numpy = held.get(instance);
  try {
    return yield* m.evaluator.call(m, found, { ...args, positional: args.positional.slice(1) });
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
  const dtype = dtypeOf(call, call.get('dtype'));
  const isOther = dtype !== undefined && dtype !== (integers ? 'int64' : 'float64');
  const why = isOther ? cause(call.m, t('{0} is not followed', `${name}(dtype=)`)) : (given.find((bound) => typeof bound !== 'number') as Cause | undefined); // prettier-ignore
  const end = call.get('endpoint');
  if (end?.kind === 'bool' && end.value)
    given[absent(call.get('high')) ? 0 : 1] = Number(given[absent(call.get('high')) ? 0 : 1]) + 1;
  const [a, b] = (why ? [0, 1] : given) as [number, number];
  const [low, high] = integers && absent(call.get('high')) ? [0, a] : [a, b];
  const size = call.get('size');
  const shape = absent(size) ? [] : yield* madeShape(call, [size]);
  const stream = call.m.streams.numpy;
  // NumPy redraws whole numbers that do not fit: how many it takes depends on the bounds.
  const known = stream && !(why && (integers ?? isOther)) ? (n: number) => draw(stream, n, low, high) : undefined;
  if (why && (integers ?? isOther) && stream) Object.assign(call.m.streams, { numpy: undefined, lost: why });
  const node = drawn(call, shape, dtype ?? (integers ? 'int64' : 'float64'), known, call.name, why);
  if (absent(size) && name === 'integers') return newTensor('numpy', node, { scalar: true });
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

export const drawRows: readonly Row[] = [
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
  row('np.random._order', 'n', order, 'numpy'),
  row('np.random.rand', '*sizes', (call) => numpySizes(call, 'uniform'), 'numpy'),
  row('np.random.randn', '*sizes', (call) => numpySizes(call, 'normal'), 'numpy'),
  row(
    'F.dropout torch.dropout F.dropout1d F.dropout2d F.dropout3d F.alpha_dropout',
    'input, p=, training|train=, inplace=',
    dropout,
    'transcribed',
  ),
];
