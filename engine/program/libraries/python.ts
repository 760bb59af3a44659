/** Python's own library, as far as teaching code asks for it. */
import { classAttribute, collectFields, makeDict, realOf, wholeOf, causeOf } from '../evaluate';
import { cos, exp, log, pow, sin, tanh } from '../../math';
import { t } from '../../text';
import { erf, type Node } from '../tensor';
import {
  addNode,
  newTensor,
  nodeOf,
  raise,
  unknown,
  bool,
  dictOf,
  float,
  int,
  list,
  none,
  note,
  str,
  tuple,
  type ClassValue,
  type Run,
  type Value,
} from '../machine';
import { given } from './support';
import { notFollowed, type Call, type Row } from './table';

/** A number; of a tensor of one element its value. */
function* real(call: Call, name: string): Run<number | Value> {
  const value = given(call, name);
  const plain = value.kind === 'tensor' ? yield* call.m.evaluator.number(call.m, value) : value;
  const x = realOf(plain);
  if (x !== undefined) return x;
  if (plain.kind === 'unknown' || plain.kind === 'symbol' || plain.kind === 'tensor')
    return { kind: 'unknown', cause: causeOf(call.m, plain), type: 'float' };
  return raise('TypeError', 'must be real number');
}

const ofReal = (f: (x: number, y: number) => Value): Row['run'] =>
  function* (call) {
    const x = yield* real(call, 'x');
    const y = call.get('y') ? yield* real(call, 'y') : 0;
    return typeof x !== 'number' ? x : typeof y !== 'number' ? y : f(x, y);
  };

const domain = (x: number): Value => (Number.isNaN(x) ? raise('ValueError', 'math domain error') : float(x));

const math: Readonly<Record<string, (x: number, y: number) => Value>> = {
  sqrt: (x) => domain(Math.sqrt(x)),
  exp: (x) => float(exp(x)),
  log2: (x) => (x > 0 ? float(log(x) / Math.LN2) : raise('ValueError', 'math domain error')),
  log10: (x) => (x > 0 ? float(log(x) / Math.LN10) : raise('ValueError', 'math domain error')),
  sin: (x) => float(sin(x)),
  cos: (x) => float(cos(x)),
  tanh: (x) => float(tanh(x)),
  erf: (x) => float(erf(x)),
  pow: (x, y) => float(pow(x, y)),
  floor: (x) => int(Math.floor(x)),
  ceil: (x) => int(Math.ceil(x)),
  trunc: (x) => int(Math.trunc(x)),
  fabs: (x) => float(Math.abs(x)),
  isnan: (x) => bool(Number.isNaN(x)),
  isinf: (x) => bool(Math.abs(x) === Infinity),
  radians: (x) => float(x * (Math.PI / 180)),
  degrees: (x) => float(x * (180 / Math.PI)),
  tan: (x) => float(sin(x) / cos(x)),
  sinh: (x) => float((exp(x) - exp(-x)) / 2),
  cosh: (x) => float((exp(x) + exp(-x)) / 2),
  isfinite: (x) => bool(Number.isFinite(x)),
  fmod: (x, y) => (y === 0 ? raise('ValueError', 'math domain error') : float(x % y)),
  copysign: (x, y) => float(y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
};

/** Functions of whole numbers, exact in any size. */
const whole: Readonly<Record<string, (x: bigint, y: bigint) => bigint>> = {
  factorial: (x) => {
    if (x < 0n) raise('ValueError', 'factorial() not defined for negative values');
    let product = 1n;
    for (let i = 2n; i <= x; i++) product *= i;
    return product;
  },
  comb: (n, k) => {
    if (k > n) return 0n;
    let value = 1n;
    for (let i = 1n; i <= k; i++) value = (value * (n - k + i)) / i;
    return value;
  },
  perm: (n, k) => {
    let value = k > n ? 0n : 1n;
    for (let i = 0n; i < k; i++) value *= n - i;
    return value;
  },
};

/** Factors of more than this are not multiplied out. */
const largestWhole = 2000n;

const ofWhole = (f: (x: bigint, y: bigint) => bigint): Row['run'] =>
  function* (call) {
    const [x, y] = [given(call, 'x'), call.get('y') ?? int(0)];
    yield;
    const [a, b] = [wholeOf(x), wholeOf(y)];
    if (x.kind === 'unknown' || y.kind === 'unknown' || x.kind === 'symbol' || y.kind === 'symbol')
      return { kind: 'unknown', cause: causeOf(call.m, a === undefined ? x : y), type: 'int' };
    if (a === undefined || b === undefined)
      return raise(
        'TypeError',
        `'${call.m.evaluator.typeName(a === undefined ? x : y)}' object cannot be interpreted as an integer`,
      );
    if (BigInt(a) > largestWhole) return notFollowed(call.m, t('this number is too large to be followed'));
    return int(f(BigInt(a), BigInt(b)));
  };

/** The greatest common divisor or least common multiple of any number of whole numbers. */
function* divisors(call: Call, of: (a: bigint, b: bigint) => bigint, start: bigint): Run<Value> {
  let total = start;
  yield;
  for (const value of call.rest) {
    const x = wholeOf(value);
    if (x === undefined) return notFollowed(call.m, t('{0} of {1} is not known', 'integers', call.name));
    total = of(total, BigInt(x));
  }
  return int(total < 0n ? -total : total);
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));

function* hypotenuse(call: Call): Run<Value> {
  let sum = 0;
  yield;
  for (const value of call.rest) {
    const x = realOf(value) ?? notFollowed(call.m, t('{0} of {1} is not known', 'coordinates', call.name));
    sum += x * x;
  }
  return float(Math.sqrt(sum));
}

function* isClose(call: Call): Run<Value> {
  const [a, b] = [yield* real(call, 'a'), yield* real(call, 'b')];
  if (typeof a !== 'number') return a;
  if (typeof b !== 'number') return b;
  const [rel, abs] = ['rel_tol', 'abs_tol'].map((name) => call.get(name));
  const [r, d] = [rel ? (realOf(rel) ?? 1e-9) : 1e-9, abs ? (realOf(abs) ?? 0) : 0];
  return bool(a === b || Math.abs(a - b) <= Math.max(r * Math.max(Math.abs(a), Math.abs(b)), d));
}

/** The logarithm, of another base as a quotient, as Python computes it. */
function* logarithm(call: Call): Run<Value> {
  const [x, base] = [yield* real(call, 'x'), call.get('base') ? yield* real(call, 'base') : Math.E];
  if (typeof x !== 'number') return x;
  if (typeof base !== 'number') return base;
  if (x <= 0) raise('ValueError', 'math domain error');
  return float(call.get('base') ? log(x) / log(base) : log(x));
}

function* isqrt(call: Call): Run<Value> {
  const x = yield* real(call, 'x');
  return typeof x === 'number' ? int(Math.floor(Math.sqrt(x))) : { ...(x as Value & { kind: 'unknown' }), type: 'int' };
}

function* product(call: Call): Run<Value> {
  let total: Value = int(1);
  for (const item of (yield* call.m.evaluator.items(call.m, given(call, 'iterable'))) ??
    notFollowed(call.m, t('what is multiplied is not known')))
    total = yield* call.m.evaluator.binary(call.m, 'Mult', total, item);
  return total;
}

/** `@dataclass`: fields in order, those of the bases first. */
function* dataclass(call: Call): Run<Value> {
  const of = call.get('cls');
  yield;
  const options = new Map([...call.keywords].map(([name, value]) => [name, value.kind === 'bool' && value.value]));
  const make = (made: Value): Value => {
    if (made.kind !== 'class') return made;
    collectFields(made);
    made.options = options;
    return made;
  };
  return of?.kind === 'class'
    ? make(of)
    : { kind: 'builtin', name: 'dataclass', call: (args) => identity(make(args.positional[0] ?? none)) };
}

/** `field(default=…)`, `field(default_factory=…)`. */
function* field(call: Call): Run<Value> {
  yield;
  const [factory, usual] = [call.get('default_factory'), call.get('default')];
  const off = ['init', 'repr', 'compare'].filter((name) => {
    const value = call.keywords.get(name);
    return value?.kind === 'bool' && !value.value;
  });
  return tuple(
    [factory ?? usual ?? none],
    ['default_factory', ...(factory ? [] : [usual ? 'default' : 'none']), ...off],
  );
}

function* partial(call: Call): Run<Value> {
  const [callee = none, ...first] = call.rest;
  const given = call.keywords;
  yield;
  return {
    kind: 'builtin',
    name: 'partial',
    call: ({ positional, keywords }) =>
      call.m.evaluator.call(call.m, callee, {
        positional: [...first, ...positional],
        keywords: new Map([...given, ...keywords]),
      }),
  };
}

function* namedTuple(call: Call): Run<Value> {
  const fields = given(call, 'fields');
  const items =
    fields.kind === 'str'
      ? fields.value.split(/[\s,]+/).map(str)
      : ((yield* call.m.evaluator.items(call.m, fields)) ?? []);
  const names = items.flatMap((item) => (item.kind === 'str' ? [item.value] : []));
  const type = given(call, 'name');
  return {
    kind: 'builtin',
    name: type.kind === 'str' ? type.value : 'namedtuple',
    call: function* ({ positional, keywords }) {
      yield;
      return tuple(
        names.map(
          (name, i) =>
            positional[i] ?? keywords.get(name) ?? raise('TypeError', `missing required argument: '${name}'`),
        ),
        names,
      );
    },
  };
}

function* defaultDict(call: Call): Run<Value> {
  const [missing, from] = call.rest;
  return yield* makeDict(call.m, from, call.keywords, missing && missing.kind !== 'none' ? missing : undefined);
}

/** A copied parameter is a leaf of its own, with the same numbers: layers that are copies are told apart by theirs. */
function ownLeaf({ m }: Call, node: Node): Node {
  // Of what is known in shape only both have the same stand-in.
  if (node.operands.length > 0 || node.why) return node;
  const { operation, attributes, shape, dtype, assumes, value, fill } = node;
  return addNode(m, operation, {
    attributes,
    shape,
    dtype,
    assumes,
    ...(value && { value }),
    ...(fill && { fill }),
  });
}

/** Copies, deep ones with the structure that is shared kept shared. */
function* copy(call: Call, deep: boolean): Run<Value> {
  yield;
  const made = new Map<object, Value>();
  const copied = (value: Value, again: boolean): Value => {
    const known = made.get(value);
    if (known) return known;
    const inner = (one: Value): Value => (again ? copied(one, true) : one);
    const keep = <T extends Value>(one: T): T => {
      made.set(value, one);
      return one;
    };
    switch (value.kind) {
      case 'list': {
        const one = keep({ ...value, items: [] as Value[] });
        one.items = value.items.map(inner);
        return one;
      }
      case 'tuple':
        return { ...value, items: value.items.map(inner) };
      case 'dict':
        return keep({
          ...value,
          entries: new Map([...value.entries].map(([key, [k, v]]) => [key, [k, inner(v)] as const])),
        });
      case 'set':
        return keep({ ...value, entries: new Map(value.entries) });
      case 'instance': {
        if (classAttribute(value.of, again ? '__deepcopy__' : '__copy__')) return unknown(call.m, t('{0} is not known', call.name)); // prettier-ignore
        const one = keep({ ...value, attributes: new Map<string, Value>() });
        for (const [name, v] of value.attributes)
          one.attributes.set(name, v.kind === 'method' && v.self === value ? { ...v, self: one } : inner(v));
        return one;
      }
      case 'tensor': {
        if (!value.isRoot) return keep(again ? newTensor(value.library, nodeOf(call.m, value)) : { ...value });
        const node = again ? ownLeaf(call, value.root.node) : value.root.node;
        return keep({ ...value, node, root: { ...value.root, node } });
      }
      default:
        return value;
    }
  };
  return copied(given(call, 'x'), deep);
}

/** `@cache`, `@lru_cache`, `@lru_cache(maxsize=…)`: the oldest of more results than that are forgotten. */
function* keeping(call: Call): Run<Value> {
  yield;
  const of = call.get('maxsize');
  const limit =
    of?.kind === 'none' || (!of && call.name.endsWith('.cache')) ? Infinity : Number((of && wholeOf(of)) ?? 128);
  const keep = (value: Value, size: number): Value => {
    if (value.kind !== 'function') return value;
    const made = new Map<string, Value>();
    const clear: Value = { kind: 'builtin', name: 'cache_clear', call: () => (made.clear(), identity(none)) };
    const attributes = new Map([...value.attributes, ['cache_clear', clear] as const]);
    return {
      ...value,
      attributes,
      kept: { size, made },
      cause: { text: t('{0} is not known', 'functools.lru_cache'), range: call.m.here },
    };
  };
  if (of?.kind === 'function') return keep(of, call.name.endsWith('.cache') ? Infinity : 128);
  return { kind: 'builtin', name: call.name, call: (args) => identity(keep(args.positional[0] ?? none, limit)) };
}

function* reduced(call: Call): Run<Value> {
  const items = [
    ...((yield* call.m.evaluator.items(call.m, given(call, 'iterable'))) ??
      notFollowed(call.m, t('what is walked here is not known'))),
  ];
  let total =
    call.get('initial') ?? items.shift() ?? raise('TypeError', 'reduce() of empty iterable with no initial value');
  for (const item of items)
    total = yield* call.m.evaluator.call(call.m, given(call, 'function'), {
      positional: [total, item],
      keywords: new Map(),
    });
  return total;
}

/** What gives back its argument: decorators and hints that change nothing. */
const first: Row['run'] = function* (call) {
  yield;
  return call.rest[0] ?? { kind: 'builtin', name: call.name, call: (args) => identity(args.positional[0]) };
};

function* identity(value: Value | undefined): Run<Value> {
  yield;
  return value ?? none;
}

/** A context or decorator that changes no value here. */
const context: Row['run'] = function* (call) {
  yield;
  const [decorated] = call.rest;
  return decorated?.kind === 'function' ? decorated : passing(call);
};

/** A context, or a decorator, that changes nothing. */
const passing = (call: Call): Value => ({ kind: 'builtin', name: call.name, call: (args) => identity(args.positional[0]) }); // prettier-ignore

/** On a processor it computes products in bfloat16; CUDA's is off where there is no such card. */
const autocast: Row['run'] = function* (call) {
  yield;
  const [device, enabled] = [call.get('device_type'), call.get('enabled')];
  const isOn = enabled?.kind !== 'bool' || enabled.value;
  if (isOn && (call.name.includes('.cpu.') || (device?.kind === 'str' && device.value === 'cpu')))
    note(call.m, 'assumed', t('{0} is on here: what follows is computed without it', call.name));
  return passing(call);
};

const fixed = (value: Value): Row['run'] =>
  function* () {
    yield;
    return value;
  };

const row = (names: string, signature: string, run: Row['run'], oracle: Row['oracle'] = 'python'): Row => ({
  names,
  signature,
  run,
  source: 'The Python Standard Library',
  oracle,
});

/** Nothing comes of these: they print, draw, wait or set what has no effect on numbers. */
const silent =
  'd2l.show_heatmaps d2l.plot d2l.set_figsize d2l.use_svg_display torch.set_printoptions np.set_printoptions warnings.filterwarnings warnings.warn warnings.simplefilter torch.set_default_device torch.backends.cudnn.flags torch.cuda.manual_seed torch.cuda.manual_seed_all torch.cuda.empty_cache torch.cuda.synchronize torch.set_num_threads torch.use_deterministic_algorithms torch.set_float32_matmul_precision torch._assert time.sleep gc.collect sys.setrecursionlimit os.makedirs logging.basicConfig logging.info np.seterr torch._dynamo.reset';

export const pythonRows: readonly Row[] = [
  ...Object.entries(math).map(([name, f]) => row(`math.${name}`, 'x, y=', ofReal(f))),
  row('math.log', 'x, base=', logarithm),
  ...Object.entries(whole).map(([name, f]) => row(`math.${name}`, 'x, y=', ofWhole(f))),
  row('math.gcd', '*integers', (call) => divisors(call, gcd, 0n)),
  row('math.lcm', '*integers', (call) =>
    divisors(call, (a, b) => (a === 0n || b === 0n ? 0n : (a * b) / gcd(a, b)), 1n),
  ),
  row('math.hypot', '*coordinates', hypotenuse),
  row('math.isclose', 'a, b, *, rel_tol=, abs_tol=', isClose),
  row('math.isqrt', 'x', isqrt),
  row('math.prod', 'iterable', product),
  row('dataclasses.dataclass', 'cls=, *, **', dataclass),
  row('enum.auto', '', fixed(tuple([], ['auto']))),
  row('dataclasses.field', '*, default=, default_factory=, **', field),
  row('functools.cached_property', 'getter', function* (call) {
    yield;
    return { kind: 'property', getter: given(call, 'getter'), cached: true };
  }),
  row('functools.partial', '*args, **', partial),
  row('functools.lru_cache functools.cache', 'maxsize=, typed=', keeping),
  row('dict.fromkeys', 'iterable, value=', function* (call) {
    const value = call.get('value') ?? none;
    const keys = (yield* call.m.evaluator.items(call.m, given(call, 'iterable'))) ?? notFollowed(call.m, t('what is walked here is not known')); // prettier-ignore
    return yield* makeDict(call.m, list(keys.map((key) => tuple([key, value]))), new Map());
  }),
  row('functools.wraps', '*args', function* (call) {
    yield;
    const [of] = call.rest;
    const named = (made: Value | undefined): Value | undefined =>
      made?.kind === 'function' && of?.kind === 'function' ? { ...made, name: of.name } : made;
    return { kind: 'builtin', name: call.name, call: (args) => identity(named(args.positional[0])) };
  }),
  row('functools.reduce', 'function, iterable, initial=', reduced),
  row(
    'abc.abstractmethod typing.final typing.overload typing.override typing.runtime_checkable torch.jit.script torch.compile torch.jit.ignore torch.jit.export',
    '*args, **',
    first,
  ),
  row(
    'torch.no_grad torch.inference_mode torch.enable_grad torch.set_grad_enabled torch.cuda.amp.autocast np.errstate np.printoptions warnings.catch_warnings torch.autograd.set_detect_anomaly',
    '*args, **',
    context,
  ),
  row('torch.autocast torch.amp.autocast', 'device_type, dtype=, enabled=, cache_enabled=', autocast),
  row('torch.cpu.amp.autocast', 'enabled=, dtype=, cache_enabled=', autocast),
  row('collections.namedtuple', 'name, fields, *, **', namedTuple),
  row('collections.Counter', 'iterable=, **', (call) =>
    makeDict(call.m, call.get('iterable'), call.keywords, undefined, true),
  ),
  row('collections.OrderedDict', 'pairs=, **', (call) => makeDict(call.m, call.get('pairs'), call.keywords)),
  row('collections.defaultdict', '*args, **', defaultDict),
  row('copy.deepcopy', 'x', (call) => copy(call, true)),
  row('copy.copy', 'x', (call) => copy(call, false)),
  row('typing.cast', 'type, value', function* (call) {
    yield;
    return given(call, 'value');
  }),
  row('typing.TypeVar typing.NewType', '*args, **', fixed(none)),
  row(
    'torch.cuda.is_available torch.backends.mps.is_available torch.cuda.is_bf16_supported torch.is_grad_enabled torch.jit.is_scripting torch.is_autocast_enabled',
    '*args',
    fixed(bool(false)),
  ),
  row('torch.cuda.device_count', '', fixed(int(0))),
  row('torch.device', 'type, index=', function* (call) {
    yield;
    const type = given(call, 'type');
    return type.kind === 'str' ? { kind: 'device', name: type.value } : type;
  }),
  row(silent, '*args, **', fixed(none)),
  row('device.type', 'self', function* (call) {
    yield;
    const self = given(call, 'self');
    return str(self.kind === 'device' ? (self.name.split(':')[0] as string) : '');
  }),
  row('inspect.signature', 'callable', function* (call) {
    yield;
    return {
      kind: 'instance',
      of: { kind: 'class', name: 'Signature', bases: [], attributes: new Map() } satisfies ClassValue,
      attributes: new Map([['parameters', parametersOf(given(call, 'callable'))]]),
    };
  }),
];

const parametersOf = (value: Value): Value => {
  const function_ = value.kind === 'method' ? value.function : value;
  return dictOf(
    function_.kind === 'function'
      ? [...function_.parameters.args, ...function_.parameters.kwonlyargs].map(({ arg }) => [arg, none] as const)
      : [],
  );
};
