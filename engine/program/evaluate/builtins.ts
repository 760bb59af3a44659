/** Python's built-in functions, types and exceptions. */
import { t } from '../../text';
import {
  isCause,
  look,
  raise,
  unknown,
  type Machine,
  nodeOf,
  bool,
  builtin,
  float,
  int,
  list,
  none,
  str,
  tuple,
  typeName,
  type Arguments,
  type ClassValue,
  type Iterator,
  type Run,
  type Value,
} from '../machine';
import { attribute, otherAttribute, setAttribute } from './attributes';
import { makeClass } from './classes';
import { makeDict, needKey } from './containers';
import { formatted } from './format';
import { iterator, settled } from './iterate';
import { dimOf, rangeSize, realOf, wholeOf } from './numbers';
import { binary, compare, isInstance, truthOf, unary } from './operators';
import { causeOf, guarded, itemsOrOpen, Open } from './open';
import { shownParts } from './shown';
import { asSymbol } from './stand-ins';

type Body = (m: Machine, args: readonly Value[], keywords: Arguments['keywords']) => Run<Value>;

function* length(m: Machine, value: Value): Run<Value> {
  switch (value.kind) {
    case 'str':
    case 'bytes':
      return int([...value.value].length);
    case 'tuple':
      return int(value.items.length);
    case 'list':
      return value.unsure ? { kind: 'unknown', cause: value.unsure, type: 'int' } : int(value.items.length);
    case 'dict':
    case 'set':
      return value.unsure ? { kind: 'unknown', cause: value.unsure, type: 'int' } : int(value.entries.size);
    case 'range':
      return int(rangeSize(value));
    case 'tensor': {
      const shape = yield* attribute(m, value, 'shape');
      return shape?.kind === 'tuple'
        ? (shape.items[0] ?? raise('TypeError', 'len() of a 0-d tensor'))
        : { kind: 'unknown', cause: causeOf(m, value), type: 'int' };
    }
    case 'unknown':
      return value.standIn
        ? asSymbol(value, { standIn: value.standIn })
        : { kind: 'unknown', cause: value.cause, type: 'int' };
    case 'instance': {
      const own = yield* attribute(m, value, '__len__');
      if (own) return yield* m.evaluator.call(m, own, { positional: [], keywords: new Map() });
    }
  }
  return raise('TypeError', `object of type '${typeName(value)}' has no len()`);
}

function* range(m: Machine, args: readonly Value[]): Run<Value> {
  const numbers: number[] = [];
  for (const arg of args) {
    const whole = arg.kind === 'tensor' ? yield* m.evaluator.number(m, arg) : arg;
    const value = wholeOf(whole);
    if (value === undefined) {
      if (whole.kind === 'unknown' || whole.kind === 'symbol' || whole.kind === 'tensor')
        return { kind: 'unknown', cause: causeOf(m, whole) };
      return raise('TypeError', `'${typeName(whole)}' object cannot be interpreted as an integer`);
    }
    numbers.push(Number(value));
  }
  const [start, stop, step] =
    numbers.length === 1 ? [0, numbers[0] as number, 1] : [numbers[0] as number, numbers[1] as number, numbers[2] ?? 1];
  return step === 0 ? raise('ValueError', 'range() arg 3 must not be zero') : { kind: 'range', start, stop, step };
}

/** A number from text or another number. */
function* number(m: Machine, value: Value | undefined, type: 'int' | 'float'): Run<Value> {
  if (!value) return type === 'int' ? int(0) : float(0);
  const plain = value.kind === 'tensor' ? yield* m.evaluator.number(m, value) : value;
  if (plain.kind === 'tensor') return { kind: 'unknown', cause: causeOf(m, plain), type };
  if (plain.kind === 'unknown')
    return type === 'int' && plain.standIn
      ? asSymbol(plain, { standIn: plain.standIn })
      : { kind: 'unknown', cause: plain.cause, type };
  if (plain.kind === 'symbol') return type === 'int' ? plain : { kind: 'unknown', cause: plain.cause, type };
  if (plain.kind === 'str') {
    const text = plain.value.trim().replaceAll('_', '').toLowerCase();
    const special = /^([-+]?)(inf|infinity|nan)$/.exec(text);
    if (special && type === 'float')
      return float(special[2] === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity);
    const fits = type === 'int' ? /^[-+]?\d+$/.test(text) : /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/.test(text);
    if (!fits)
      raise(
        'ValueError',
        type === 'int'
          ? `invalid literal for int() with base 10: '${plain.value}'`
          : `could not convert string to float: '${plain.value}'`,
      );
    return type === 'int' ? int(BigInt(text.replace(/^\+/, ''))) : float(Number(text));
  }
  const real = realOf(plain);
  if (real === undefined)
    return raise('TypeError', `${type}() argument must be a string or a real number, not '${typeName(plain)}'`);
  if (type === 'float') return float(real);
  return plain.kind === 'int' ? plain : int(Math.abs(real) > Number.MAX_SAFE_INTEGER ? BigInt(real) : Math.trunc(real));
}

function* extreme(
  m: Machine,
  args: readonly Value[],
  keywords: Arguments['keywords'],
  operator: 'Lt' | 'Gt',
): Run<Value> {
  const key = keywords.get('key');
  const all = args.length === 1 ? yield* comparedItems(m, args[0], key) : args;
  let best: Value | undefined;
  let bestKey: Value | undefined;
  for (const item of all) {
    const own =
      key && key.kind !== 'none' ? yield* m.evaluator.call(m, key, { positional: [item], keywords: new Map() }) : item;
    const wins = bestKey ? yield* truthOf(m, yield* compare(m, operator, own, bestKey)) : true;
    if (wins === undefined) return smaller(m, own, bestKey as Value, args);
    if (wins) [best, bestKey] = [item, own];
  }
  return (
    best ??
    keywords.get('default') ??
    raise('ValueError', `${operator === 'Lt' ? 'min' : 'max'}() arg is an empty sequence`)
  );
}

function smaller(m: Machine, a: Value, b: Value, args: readonly Value[]): Value {
  const whole = args.every((arg) => dimOf(arg) !== undefined);
  const type = whole
    ? 'int'
    : [a, b].every((one) => one.kind === 'float' || (one.kind === 'unknown' && one.type === 'float'))
      ? 'float'
      : undefined;
  const cause = causeOf(m, a.kind === 'unknown' || a.kind === 'symbol' ? a : b);
  return type ? { kind: 'unknown', cause, type } : { kind: 'unknown', cause };
}

/** Of a set all elements, whatever their order; not where several may have the same key. */
function* comparedItems(m: Machine, value: Value | undefined, key: Value | undefined): Run<readonly Value[]> {
  const all = yield* itemsOrOpen(m, value);
  return key && key.kind !== 'none' ? all : settled(all);
}

function* sorted(m: Machine, args: readonly Value[], keywords: Arguments['keywords']): Run<Value> {
  const key = keywords.get('key');
  const all = yield* comparedItems(m, args[0], key);
  const keyed: { readonly item: Value; readonly by: Value }[] = [];
  for (const item of all)
    keyed.push({
      item,
      by:
        key && key.kind !== 'none'
          ? yield* m.evaluator.call(m, key, { positional: [item], keywords: new Map() })
          : item,
    });
  // Merged in pairs, since a comparison may call the program's own code.
  const merge = function* (part: typeof keyed): Run<typeof keyed> {
    if (part.length < 2) return part;
    const middle = part.length >> 1;
    const [a, b] = [yield* merge(part.slice(0, middle)), yield* merge(part.slice(middle))];
    const out: typeof keyed = [];
    let [i, j] = [0, 0];
    while (i < a.length && j < b.length) {
      const less = yield* truthOf(m, yield* compare(m, 'Lt', (b[j] as (typeof b)[0]).by, (a[i] as (typeof a)[0]).by));
      if (less === undefined) throw new Open({ kind: 'unknown', cause: causeOf(m, (a[i] as (typeof a)[0]).by) });
      out.push((less ? b[j++] : a[i++]) as (typeof a)[0]);
    }
    return [...out, ...a.slice(i), ...b.slice(j)];
  };
  const reverse = keywords.get('reverse');
  const backwards = reverse ? (yield* truthOf(m, reverse)) === true : false;
  const ordered = (yield* merge(backwards ? [...keyed].reverse() : keyed)).map(({ item }) => item);
  return list(backwards ? ordered.reverse() : ordered);
}

function* print(m: Machine, args: readonly Value[], keywords: Arguments['keywords']): Run<Value> {
  const separator = keywords.get('sep');
  const texts: (string | undefined)[] = [];
  for (const arg of args) texts.push(yield* m.evaluator.text(m, arg, false));
  const text = texts.every((one) => one !== undefined)
    ? texts.join(separator?.kind === 'str' ? separator.value : ' ')
    : undefined;
  const parts = args.flatMap((arg) => shownParts(m, arg));
  // What no line calls prints nothing.
  if (!m.standIn)
    m.outputs.push({
      range: m.here,
      by: m.stack[0] ?? m.here,
      parts,
      printed: true,
      ...(text === undefined ? {} : { text }),
    });
  return none;
}

function* enumerated(m: Machine, args: readonly Value[], keywords: Arguments['keywords']): Run<Value> {
  const walker = yield* iterator(m, args[0] ?? none);
  if (!walker) throw new Open({ kind: 'unknown', cause: causeOf(m, args[0] ?? none) });
  let i = Number(wholeOf(args[1] ?? keywords.get('start') ?? int(0)) ?? 0);
  return {
    kind: 'iterator',
    next: function* () {
      const item = yield* walker.next();
      return item && tuple([int(i++), item]);
    },
  };
}

function* zipped(m: Machine, args: readonly Value[]): Run<Value> {
  const walkers: Iterator[] = [];
  for (const arg of args) {
    const walker = yield* iterator(m, arg);
    if (!walker) throw new Open({ kind: 'unknown', cause: causeOf(m, arg) });
    walkers.push(walker);
  }
  return {
    kind: 'iterator',
    next: function* () {
      const row: Value[] = [];
      for (const walker of walkers) {
        const item = yield* walker.next();
        if (!item) return undefined;
        row.push(item);
      }
      return walkers.length === 0 ? undefined : tuple(row);
    },
  };
}

function* mapped(m: Machine, args: readonly Value[]): Run<Value> {
  const [callee = none, ...sources] = args;
  const rows = yield* zipped(m, sources);
  return {
    kind: 'iterator',
    next: function* () {
      const row = rows.kind === 'iterator' ? yield* rows.next() : undefined;
      return row?.kind === 'tuple'
        ? yield* m.evaluator.call(m, callee, { positional: row.items, keywords: new Map() })
        : undefined;
    },
  };
}

function* filtered(m: Machine, [test = none, source]: readonly Value[]): Run<Value> {
  const out: Value[] = [];
  for (const item of yield* itemsOrOpen(m, source)) {
    const keeps = yield* truthOf(
      m,
      test.kind === 'none' ? item : yield* m.evaluator.call(m, test, { positional: [item], keywords: new Map() }),
    );
    if (keeps === undefined) throw new Open({ kind: 'unknown', cause: causeOf(m, item) });
    if (keeps) out.push(item);
  }
  return list(out);
}

function* summed(m: Machine, args: readonly Value[]): Run<Value> {
  let total = args[1] ?? int(0);
  const all = yield* itemsOrOpen(m, args[0]);
  const whole = settled(all);
  // Sums of floats depend on the order.
  for (const item of whole.every(({ kind }) => kind === 'int') ? whole : all)
    total = yield* binary(m, 'Add', total, item);
  return total;
}

function* every(m: Machine, args: readonly Value[], stops: boolean): Run<Value> {
  let open: Value | undefined;
  for (const item of settled(yield* itemsOrOpen(m, args[0]))) {
    const truth = yield* truthOf(m, item);
    if (truth === stops) return bool(stops);
    if (truth === undefined) open ??= item;
  }
  return open ? { kind: 'unknown', cause: causeOf(m, open), type: 'bool' } : bool(!stops);
}

function* hasAttribute(m: Machine, [value = none, name]: readonly Value[]): Run<Value> {
  if (value.kind === 'unknown') return { kind: 'unknown', cause: value.cause, type: 'bool' };
  if (name?.kind !== 'str') return bool(false);
  if (value.kind === 'module' && !value.names) {
    const whole = `${value.name}.${name.value}`;
    if (m.library(m, whole) !== undefined || m.isLibrary(whole)) return bool(true);
    return { ...unknown(m, t('{0} is not known', whole)), type: 'bool' };
  }
  const found =
    value.kind === 'tensor'
      ? m.library(m, `${value.library === 'torch' ? 'Tensor' : 'ndarray'}.${name.value}`)
      : yield* attribute(m, value, name.value);
  return found?.kind === 'unknown' &&
    found.type === undefined &&
    value.kind === 'instance' &&
    !value.attributes.has(name.value)
    ? { kind: 'unknown', cause: found.cause, type: 'bool' }
    : bool(found !== undefined);
}

function* getAttribute(m: Machine, [value = none, name, otherwise]: readonly Value[]): Run<Value> {
  if (name?.kind !== 'str')
    return name?.kind === 'unknown'
      ? { kind: 'unknown', cause: name.cause }
      : raise('TypeError', 'attribute name must be string');
  return (
    (yield* attribute(m, value, name.value)) ??
    otherwise ??
    otherAttribute(m, value, name.value) ??
    raise('AttributeError', `'${typeName(value)}' object has no attribute '${name.value}'`)
  );
}

function* rounded(m: Machine, [value = none, digits]: readonly Value[]): Run<Value> {
  const plain = value.kind === 'tensor' ? yield* m.evaluator.number(m, value) : value;
  const x = realOf(plain);
  if (x === undefined) return { kind: 'unknown', cause: causeOf(m, plain), type: digits ? 'float' : 'int' };
  if (plain.kind === 'int') return plain;
  const text = formatted(float(x), `.${Math.max(0, Number(digits && digits.kind !== 'none' ? wholeOf(digits) : 0))}f`);
  return digits && digits.kind !== 'none' ? float(Number(text)) : int(Number(text));
}

const plain: Readonly<Record<string, Body>> = {
  len: (m, [value = none]) => length(m, value),
  range: (m, args) => range(m, args),
  print,
  display: print,
  min: (m, args, keywords) => extreme(m, args, keywords, 'Lt'),
  max: (m, args, keywords) => extreme(m, args, keywords, 'Gt'),
  sum: (m, args) => summed(m, args),
  sorted,
  reversed: function* (m, [value]) {
    return list([...(yield* itemsOrOpen(m, value))].reverse());
  },
  enumerate: enumerated,
  zip: (m, args) => zipped(m, args),
  map: (m, args) => mapped(m, args),
  filter: (m, args) => filtered(m, args),
  any: (m, args) => every(m, args, true),
  all: (m, args) => every(m, args, false),
  abs: function* (m, [value = none]) {
    if (value.kind === 'tensor') {
      const method = yield* attribute(m, value, value.library === 'torch' ? 'abs' : '__abs__');
      if (method?.kind === 'method') return yield* m.evaluator.call(m, method, { positional: [], keywords: new Map() });
      return yield* m.evaluator.call(m, m.library(m, 'np.abs') ?? none, { positional: [value], keywords: new Map() });
    }
    const x = realOf(value);
    return x === undefined
      ? { kind: 'unknown', cause: causeOf(m, value), type: 'float' }
      : x < 0
        ? yield* unary(m, 'USub', value)
        : value;
  },
  round: (m, args) => rounded(m, args),
  divmod: function* (m, [a = none, b = none]) {
    return tuple([yield* binary(m, 'FloorDiv', a, b), yield* binary(m, 'Mod', a, b)]);
  },
  pow: (m, [a = none, b = none]) => binary(m, 'Pow', a, b),
  isinstance: function* (m, [value = none, of = none]) {
    yield;
    return (
      isInstance(value, of) ?? {
        kind: 'unknown',
        cause: causeOf(m, value.kind === 'unknown' ? value : of),
        type: 'bool',
      }
    );
  },
  issubclass: function* (m, [a = none, b = none]) {
    yield;
    return a.kind === 'class'
      ? (isInstance({ kind: 'instance', of: a, attributes: new Map() }, b) ?? bool(false))
      : unknown(m, t('{0} is not followed', 'issubclass'));
  },
  hasattr: (m, args) => hasAttribute(m, args),
  // Of texts each run of Python has another.
  hash: function* (m, [value = none]) {
    yield;
    return value.kind === 'int' ? value : unknown(m, t('{0} is not known', 'hash'), 'int');
  },
  getattr: (m, args) => getAttribute(m, args),
  setattr: function* (m, [value = none, name, to = none]) {
    if (name?.kind === 'str') yield* setAttribute(m, value, name.value, to);
    return none;
  },
  callable: function* (_, [value = none]) {
    yield;
    return bool(['function', 'builtin', 'method', 'class'].includes(value.kind));
  },
  id: function* (_, [value = none]) {
    yield;
    return str(needKey(tuple([value])));
  },
  repr: function* (m, [value = none]) {
    const text = yield* m.evaluator.text(m, value, true);
    return text === undefined ? { kind: 'unknown', cause: causeOf(m, value), type: 'str' } : str(text);
  },
  format: function* (m, [value = none, specification]) {
    yield;
    const text = formatted(value, specification?.kind === 'str' ? specification.value : '');
    return text === undefined ? { kind: 'unknown', cause: causeOf(m, value), type: 'str' } : str(text);
  },
  ord: function* (m, [value]) {
    yield;
    return value?.kind === 'str'
      ? int(value.value.codePointAt(0) ?? 0)
      : { kind: 'unknown', cause: causeOf(m, value ?? none), type: 'int' };
  },
  chr: function* (m, [value]) {
    yield;
    return value?.kind === 'int'
      ? str(String.fromCodePoint(Number(value.value)))
      : { kind: 'unknown', cause: causeOf(m, value ?? none), type: 'str' };
  },
  iter: function* (m, [value = none, last]) {
    // `iter(read, end)` calls until it gives the end.
    if (last) return unknown(m, t('how often this runs is not known'));
    return (yield* iterator(m, value)) ?? { kind: 'unknown', cause: causeOf(m, value) };
  },
  next: function* (m, [value = none, otherwise]) {
    if (value.kind === 'list' && value.unsure) return { kind: 'unknown', cause: value.unsure };
    const walker =
      value.kind === 'iterator' ? value : value.kind === 'list' ? shifted(value) : yield* iterator(m, value);
    if (!walker) return { kind: 'unknown', cause: causeOf(m, value) };
    return (yield* walker.next()) ?? otherwise ?? raise('StopIteration', '');
  },
  vars: function* (m, [value = none]) {
    return (
      (yield* attribute(m, value, '__dict__')) ?? raise('TypeError', 'vars() argument must have __dict__ attribute')
    );
  },
  property: function* (_, [getter = none, setter]) {
    yield;
    return setter ? { kind: 'property', getter, setter } : { kind: 'property', getter };
  },
  staticmethod: function* (_, [value = none]) {
    yield;
    return { kind: 'static', function: value };
  },
  classmethod: function* (_, [value = none]) {
    yield;
    return { kind: 'classmethod', function: value };
  },
};

/** A generator was run to its end: what is left of it is a list. */
const shifted = (value: Value & { kind: 'list' }): Iterator => ({
  kind: 'iterator',
  next: function* () {
    yield;
    return value.items.shift();
  },
});

/** Types that make values of Python's own. */
const types: Readonly<Record<string, Body>> = {
  slice: function* (_, args) {
    yield;
    const [a = none, b = none, c = none] = args.length === 1 ? [none, args[0]] : args;
    return { kind: 'slice', lower: a, upper: b, step: c };
  },
  int: (m, [value]) => number(m, value, 'int'),
  float: (m, [value]) => number(m, value, 'float'),
  bool: function* (m, [value = none]) {
    const truth = yield* truthOf(m, value);
    return truth === undefined ? { kind: 'unknown', cause: causeOf(m, value), type: 'bool' } : bool(truth);
  },
  str: function* (m, [value]) {
    const text = value ? yield* m.evaluator.text(m, value, false) : '';
    return text === undefined ? { kind: 'unknown', cause: causeOf(m, value ?? none), type: 'str' } : str(text);
  },
  list: function* (m, [value]) {
    return list(value ? [...(yield* itemsOrOpen(m, value))] : []);
  },
  tuple: function* (m, [value]) {
    return tuple(value ? yield* itemsOrOpen(m, value) : []);
  },
  set: function* (m, [value]) {
    return {
      kind: 'set',
      entries: new Map(settled(value ? yield* itemsOrOpen(m, value) : []).map((item) => [needKey(item), item])),
    };
  },
  frozenset: function* (m, [value]) {
    return {
      kind: 'set',
      entries: new Map(settled(value ? yield* itemsOrOpen(m, value) : []).map((item) => [needKey(item), item])),
    };
  },
  bytes: function* (m, [value]) {
    if (value?.kind === 'bytes') return value;
    if (value?.kind === 'str')
      return { kind: 'bytes', value: String.fromCharCode(...new TextEncoder().encode(value.value)) };
    const codes = value ? (yield* itemsOrOpen(m, value)).map((item) => Number(wholeOf(item) ?? NaN)) : [];
    if (codes.some(Number.isNaN)) return { kind: 'unknown', cause: causeOf(m, value ?? none) };
    if (codes.some((code) => code < 0 || code > 255)) raise('ValueError', 'bytes must be in range(0, 256)');
    return { kind: 'bytes', value: codes.map((code) => String.fromCharCode(code)).join('') };
  },
  dict: (m, [value], keywords) => makeDict(m, value, keywords),
  type: function* (m, [value = none]) {
    yield;
    if (value.kind === 'unknown') return { kind: 'unknown', cause: value.cause };
    return value.kind === 'instance' ? value.of : (m.builtins.get(typeName(value)) ?? makeClass(typeName(value)));
  },
};

const exceptions: readonly (readonly [string, string])[] = [
  ['Exception', 'BaseException'],
  ['ArithmeticError', 'Exception'],
  ['ZeroDivisionError', 'ArithmeticError'],
  ['OverflowError', 'ArithmeticError'],
  ['AssertionError', 'Exception'],
  ['AttributeError', 'Exception'],
  ['ImportError', 'Exception'],
  ['ModuleNotFoundError', 'ImportError'],
  ['LookupError', 'Exception'],
  ['IndexError', 'LookupError'],
  ['KeyError', 'LookupError'],
  ['NameError', 'Exception'],
  ['RuntimeError', 'Exception'],
  ['NotImplementedError', 'RuntimeError'],
  ['EinopsError', 'RuntimeError'],
  ['StopIteration', 'Exception'],
  ['TypeError', 'Exception'],
  ['UFuncTypeError', 'TypeError'],
  ['ValueError', 'Exception'],
  ['AxisError', 'ValueError'],
  ['OSError', 'Exception'],
  ['FileNotFoundError', 'OSError'],
  ['Warning', 'Exception'],
  ['UserWarning', 'Warning'],
  ['DeprecationWarning', 'Warning'],
  ['FutureWarning', 'Warning'],
];

/** Exceptions that only their base tells apart here. */
const moreExceptions: readonly (readonly [string, string])[] = [
  ['BaseException', 'KeyboardInterrupt SystemExit GeneratorExit'],
  ['Exception', 'BufferError EOFError MemoryError ReferenceError StopAsyncIteration SyntaxError SystemError'],
  ['ArithmeticError', 'FloatingPointError'],
  ['NameError', 'UnboundLocalError'],
  ['RuntimeError', 'RecursionError'],
  ['OSError', 'BlockingIOError ChildProcessError ConnectionError FileExistsError InterruptedError IsADirectoryError NotADirectoryError PermissionError ProcessLookupError TimeoutError'],
  ['ConnectionError', 'BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError'],
  ['SyntaxError', 'IndentationError'],
  ['IndentationError', 'TabError'],
  ['ValueError', 'UnicodeError'],
  ['UnicodeError', 'UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError'],
  ['Warning', 'BytesWarning EncodingWarning ImportWarning PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning'],
]; // prettier-ignore

/** What Python or a notebook has besides: it is not followed, but it is there. */
const others =
  'BaseExceptionGroup ExceptionGroup NotImplemented aiter anext ascii bin breakpoint bytearray compile complex copyright credits delattr dir exit globals help hex license locals memoryview oct quit __doc__ __builtins__ __import__ __debug__ __build_class__ get_ipython In Out _';

const withArguments = (m: Machine, body: Body): Parameters<typeof builtin>[1] =>
  guarded(({ positional, keywords }) => body(m, positional, keywords));

export function makeBuiltins(m: Machine): void {
  const { builtins } = m;
  for (const [name, body] of Object.entries(plain)) builtins.set(name, builtin(name, withArguments(m, body)));
  for (const [name, body] of Object.entries(types))
    builtins.set(name, makeClass(name, [], new Map([['__new__', builtin(name, withArguments(m, body))]])));
  builtins.set('object', makeClass('object'));
  builtins.set('BaseException', makeClass('BaseException'));
  for (const [name, base] of exceptions) builtins.set(name, makeClass(name, [builtins.get(base) as ClassValue]));
  for (const [base, names] of moreExceptions)
    for (const name of names.split(' ')) builtins.set(name, makeClass(name, [builtins.get(base) as ClassValue]));
  for (const name of ['IOError', 'EnvironmentError']) builtins.set(name, builtins.get('OSError') as ClassValue);
  builtins.set('NoneType', makeClass('NoneType'));
  builtins.set('Ellipsis', { kind: 'ellipsis' });
  builtins.set('__name__', str('__main__'));
  builtins.set('__file__', str('program.py'));
  for (const name of ['open', 'input', 'exec', 'eval'])
    builtins.set(name, builtin(name, withArguments(m, refused(name))));
}

/** A name that Python itself has, of which nothing is followed; undefined where it has none. */
export function otherBuiltin(m: Machine, name: string): Value | undefined {
  if (!others.split(' ').includes(name)) return undefined;
  // Names may be bound through it.
  if (/^(?:globals|locals|get_ipython|__builtins__)$/.test(name)) m.star ??= '';
  return unknown(m, t('{0} is not known', name));
}

const refused = (name: string): Body =>
  function* (m) {
    yield;
    if (name === 'exec') m.star ??= '';
    const found = unknown(m, t('{0} is not followed: nothing is read or run', name));
    // What reads a file draws nothing.
    return name === 'open' || name === 'input' ? { ...found, library: 'io' } : found;
  };

/** A tensor of one element as a Python number; itself where that is not known. */
export function* numberIn(m: Machine, value: Value): Run<Value> {
  if (value.kind !== 'tensor') return value;
  const node = nodeOf(m, value);
  const values = yield* look(m, node);
  if (isCause(values) || values.data.length !== 1) return value;
  const [x = NaN] = values.data;
  return node.dtype === 'bool' ? bool(x !== 0) : node.dtype.includes('float') ? float(x) : int(x);
}
