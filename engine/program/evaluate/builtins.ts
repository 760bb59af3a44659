/** Python's built-in functions and types by their names. */
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
  ellipsis,
  none,
  notImplemented,
  str,
  tuple,
  typeName,
  type Arguments,
  type Iterator,
  type Run,
  type Value,
} from '../machine';
import { attribute, otherAttribute, setAttribute } from './attributes';
import { classAttribute, makeClass } from './classes';
import { makeDict, needKey } from './containers';
import { makeExceptions } from './exceptions';
import { formatted } from './format';
import { itemOrEnd } from './generators';
import { iterator, settled, stopsIteration } from './iterate';
import { realOf, wholeOf } from './numbers';
import { binary, isInstance, truthOf, unary } from './operators';
import { causeOf, guarded, itemsOrOpen } from './open';
import { enumerated, every, extreme, filtered, length, mapped, range, sorted, summed, zipped } from './over-items';
import { shownParts } from './shown';
import { asSymbol } from './stand-ins';

type Body = (m: Machine, args: readonly Value[], keywords: Arguments['keywords']) => Run<Value>;

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
  if (plain.kind === 'instance')
    for (const name of [`__${type}__`, '__index__']) {
      const method = yield* attribute(m, plain, name);
      if (method) return yield* m.evaluator.call(m, method, { positional: [], keywords: new Map() });
    }
  if (real === undefined)
    return raise('TypeError', `${type}() argument must be a string or a real number, not '${typeName(plain)}'`);
  if (type === 'float') return float(real);
  return plain.kind === 'int' ? plain : int(Math.abs(real) > Number.MAX_SAFE_INTEGER ? BigInt(real) : Math.trunc(real));
}

/** `int('ff', 16)`. */
function* inBase(m: Machine, value: Value = none, base: Value): Run<Value> {
  yield;
  const of = Number(wholeOf(base) ?? NaN);
  if (value.kind !== 'str' || !(of >= 2 && of <= 36)) return { kind: 'unknown', cause: causeOf(m, value), type: 'int' };
  const text = value.value.trim().toLowerCase();
  const digits = text.replace(/^[-+]/, '').replace({ 2: /^0b/, 8: /^0o/, 16: /^0x/ }[of] ?? /^$/, '');
  const number = [...digits].reduce(
    (all, c) => all * of + (parseInt(c, of) >= 0 ? parseInt(c, of) : NaN),
    digits ? 0 : NaN,
  );
  if (Number.isNaN(number)) raise('ValueError', `invalid literal for int() with base ${of}: '${value.value}'`);
  if (!Number.isSafeInteger(number)) return { kind: 'unknown', cause: causeOf(m, value), type: 'int' };
  return int(text.startsWith('-') ? -number : number);
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
      : yield* attributeOrNone(m, value, name.value);
  return found?.kind === 'unknown' &&
    found.type === undefined &&
    value.kind === 'instance' &&
    !value.attributes.has(name.value)
    ? { kind: 'unknown', cause: found.cause, type: 'bool' }
    : bool(found !== undefined);
}

/** A property, or `__getattr__`, may raise an AttributeError of its own. */
function* attributeOrNone(m: Machine, value: Value, name: string): Run<Value | undefined> {
  try {
    return yield* attribute(m, value, name);
  } catch (error) {
    if (stopsIteration(m, error, 'AttributeError')) return undefined;
    throw error;
  }
}

function* getAttribute(m: Machine, [value = none, name, otherwise]: readonly Value[]): Run<Value> {
  if (name?.kind !== 'str')
    return name?.kind === 'unknown'
      ? { kind: 'unknown', cause: name.cause }
      : raise('TypeError', 'attribute name must be string');
  return (
    (yield* otherwise ? attributeOrNone(m, value, name.value) : attribute(m, value, name.value)) ??
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
  range,
  print,
  display: print,
  min: (m, args, keywords) => extreme(m, args, keywords, 'Lt'),
  max: (m, args, keywords) => extreme(m, args, keywords, 'Gt'),
  sum: summed,
  sorted,
  reversed: function* (m, [value]) {
    if (value?.kind === 'instance' && classAttribute(value.of, '__reversed__'))
      return unknown(m, t('{0} is not known', 'reversed'));
    return list([...(yield* itemsOrOpen(m, value))].reverse());
  },
  enumerate: enumerated,
  zip: zipped,
  map: mapped,
  filter: filtered,
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
  round: rounded,
  divmod: function* (m, [a = none, b = none]) {
    if (a.kind === 'instance' && classAttribute(a.of, '__divmod__')) return unknown(m, t('{0} is not known', 'divmod'));
    return tuple([yield* binary(m, 'FloorDiv', a, b), yield* binary(m, 'Mod', a, b)]);
  },
  pow: function* (m, [a = none, b = none, mod]) {
    const whole = [a, b, mod ?? none].map((one) => (one.kind === 'int' ? BigInt(one.value) : undefined));
    if (!mod) return yield* binary(m, 'Pow', a, b);
    const [base, power, by] = whole;
    if (base === undefined || power === undefined || by === undefined || power < 0n || by <= 0n)
      return unknown(m, t('{0} is not known', 'pow'));
    let [out, square] = [1n % by, ((base % by) + by) % by];
    for (let left = power; left > 0n; left >>= 1n) {
      if (left & 1n) out = (out * square) % by;
      square = (square * square) % by;
    }
    return int(out);
  },
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
  hasattr: hasAttribute,
  // Of texts each run of Python has another.
  hash: function* (m, [value = none]) {
    yield;
    return value.kind === 'int' ? value : unknown(m, t('{0} is not known', 'hash'), 'int');
  },
  getattr: getAttribute,
  setattr: function* (m, [value = none, name, to = none]) {
    if (name?.kind === 'str') yield* setAttribute(m, value, name.value, to);
    return none;
  },
  callable: function* (_, [value = none]) {
    yield;
    return bool(
      ['function', 'builtin', 'method', 'class'].includes(value.kind) ||
        (value.kind === 'instance' && classAttribute(value.of, '__call__') !== undefined),
    );
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
    const walker = value.kind === 'list' ? shifted(value) : yield* iterator(m, value);
    if (!walker) return { kind: 'unknown', cause: causeOf(m, value) };
    return yield* itemOrEnd(m, walker, walker.next(), otherwise);
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

function* setOf(m: Machine, [value]: readonly Value[]): Run<Value> {
  const items = settled(value ? yield* itemsOrOpen(m, value) : []);
  return { kind: 'set', entries: new Map(items.map((item) => [needKey(item), item])) };
}

/** Types that make values of Python's own. */
const types: Readonly<Record<string, Body>> = {
  slice: function* (_, args) {
    yield;
    const [a = none, b = none, c = none] = args.length === 1 ? [none, args[0]] : args;
    return { kind: 'slice', lower: a, upper: b, step: c };
  },
  int: (m, [value, base]) => (base ? inBase(m, value, base) : number(m, value, 'int')),
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
  set: setOf,
  frozenset: setOf,
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
  type: function* (m, [value = none, bases]) {
    yield;
    if (bases) return unknown(m, t('{0} is not known', 'type(…, …)'));
    if (value.kind === 'unknown') return { kind: 'unknown', cause: value.cause };
    return value.kind === 'instance' ? value.of : (m.builtins.get(typeName(value)) ?? makeClass(typeName(value)));
  },
};

/** What Python or a notebook has besides: it is not followed, but it is there. */
const others =
  'BaseExceptionGroup ExceptionGroup aiter anext ascii bin breakpoint bytearray compile complex copyright credits delattr dir exit globals help hex license locals memoryview oct quit __doc__ __builtins__ __import__ __debug__ __build_class__ get_ipython In Out _';

const withArguments = (m: Machine, body: Body): Parameters<typeof builtin>[1] =>
  guarded(({ positional, keywords }) => body(m, positional, keywords));

export function makeBuiltins(m: Machine): void {
  const { builtins } = m;
  for (const [name, body] of Object.entries(plain)) builtins.set(name, builtin(name, withArguments(m, body)));
  for (const [name, body] of Object.entries(types))
    builtins.set(name, makeClass(name, [], new Map([['__new__', builtin(name, withArguments(m, body))]])));
  builtins.set('object', makeClass('object'));
  makeExceptions(builtins);
  builtins.set('NoneType', makeClass('NoneType'));
  builtins.set('Ellipsis', ellipsis);
  builtins.set('NotImplemented', notImplemented);
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
