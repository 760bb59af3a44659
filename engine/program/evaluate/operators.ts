/** Operators: numbers, text and lists, tensors by the functions of their library, objects by their own methods. */
import { t } from '../../text';
import {
  cause,
  refuseOverlap,
  input,
  isCause,
  look,
  raise,
  still,
  unknown,
  type Machine,
  castNode,
  expandNode,
  nodeOf,
  overwrite,
  bool,
  keyOf,
  int,
  type DictValue,
  type SetValue,
  none,
  notImplemented,
  str,
  tuple,
  typeName,
  type Bool,
  type Run,
  type TensorValue,
  type Unknown,
  type Value,
} from '../machine';
import {
  promote,
  quotientOf,
  scalarName,
  type DType,
  type Library,
  same,
  type Cause,
  type Shape,
  broadcast,
  compactText,
  listText,
} from '../tensor';
import { operandOf } from './arrays';
import { builtinClasses, derivesFrom } from './classes';
import { plainText, percentFormatted } from './format';
import { recordList, recordSet, setEntry } from './frames';
import { itemsOf } from './iterate';
import { arithmetic, rangeSize, realOf, typeOfNumber, wholeOf } from './numbers';
import { causeOf } from './open';
import { asSymbol, hasArraysOnly } from './stand-ins';

export const methodNames: Readonly<Record<string, string>> = {
  Add: 'add',
  Sub: 'sub',
  Mult: 'mul',
  Div: 'truediv',
  FloorDiv: 'floordiv',
  Mod: 'mod',
  Pow: 'pow',
  MatMult: 'matmul',
  BitAnd: 'and',
  BitOr: 'or',
  BitXor: 'xor',
  LShift: 'lshift',
  RShift: 'rshift',
  Eq: 'eq',
  NotEq: 'ne',
  Lt: 'lt',
  LtE: 'le',
  Gt: 'gt',
  GtE: 'ge',
};
export const signs: Readonly<Record<string, string>> = {
  Add: '+',
  Sub: '-',
  Mult: '*',
  Div: '/',
  FloorDiv: '//',
  Mod: '%',
  Pow: '** or pow()',
  MatMult: '@',
  BitAnd: '&',
  BitOr: '|',
  BitXor: '^',
  LShift: '<<',
  RShift: '>>',
  Lt: '<',
  LtE: '<=',
  Gt: '>',
  GtE: '>=',
};
export const mirrored: Readonly<Record<string, string>> = {
  Lt: 'Gt',
  LtE: 'GtE',
  Gt: 'Lt',
  GtE: 'LtE',
  Eq: 'Eq',
  NotEq: 'NotEq',
};

export const libraryOf = (a: Value, b: Value): Library | undefined => {
  const [x, y] = [tensorIn(a), tensorIn(b)];
  return x?.library === 'torch' || y?.library === 'torch' ? 'torch' : (x ?? y)?.library;
};

const tensorIn = (value: Value): TensorValue | undefined =>
  value.kind === 'tensor' ? value : value.kind === 'unknown' ? value.standIn?.tensor : undefined;

/** The library's own function for an operator between tensors. */
export function* byLibrary(
  m: Machine,
  library: Library,
  method: string,
  a: Value,
  ...rest: readonly Value[]
): Run<Value> {
  const found = m.library(m, `${library === 'torch' ? 'Tensor' : 'ndarray'}.${method}`);
  if (!found) return unknown(m, t('{0} is not known', method));
  return yield* m.evaluator.call(m, found, { positional: [a, ...rest], keywords: new Map() });
}

/** `a operator b`. */
export function* binary(m: Machine, operator: string, a: Value, b: Value): Run<Value> {
  const own = yield* byMethod(m, `__${methodNames[operator]}__`, `__r${methodNames[operator]}__`, a, b);
  if (own) return own;
  const library =
    operator === 'MatMult'
      ? (libraryOf(a, b) ?? (isOpen(a) || isOpen(b) ? (hasArraysOnly(m) ? 'numpy' : 'torch') : undefined))
      : libraryOf(a, b);
  if (library && (operator !== 'Mod' || a.kind !== 'str'))
    return yield* byLibrary(m, library, `__${methodNames[operator]}__`, a, b);
  if (isOpen(a) || isOpen(b)) return openOperands(m, operator, a, b);
  if (a.kind === 'unknown' || b.kind === 'unknown') return unknownOperand(operator, a, b);
  return arithmetic(m, operator, a, b) ?? (yield* onContainers(m, operator, a, b)) ?? refuse(operator, a, b);
}

const isOpen = (value: Value): value is Unknown & { standIn: NonNullable<Unknown['standIn']> } =>
  value.kind === 'unknown' && value.standIn !== undefined;

/** Stand-ins that are used like numbers are sizes; a tensor was looked for before. */
function openOperands(m: Machine, operator: string, a: Value, b: Value): Value {
  const [x, y] = [a, b].map((value) => (isOpen(value) ? asSymbol(value, value) : value)) as [Value, Value];
  if (x.kind === 'unknown' || y.kind === 'unknown') return unknownOperand(operator, x, y);
  return arithmetic(m, operator, x, y) ?? { kind: 'unknown', cause: (isOpen(a) ? a : (b as Unknown)).cause };
}

function unknownOperand(operator: string, a: Value, b: Value): Value {
  const first = (a.kind === 'unknown' ? a : b) as Unknown;
  const types = [a, b].map(typeOfNumber);
  if (types.includes(undefined)) return still(first);
  if (operator === 'Div' || types.includes('float')) return still(first, 'float');
  // A power of whole numbers is a fraction where the exponent is below 0.
  return still(first, operator === 'Pow' ? undefined : 'int');
}

/** What an object's own method gives; undefined where there is none, or each that there is leaves it to the other operand. */
export function* byMethod(m: Machine, name: string, reflected: string, a: Value, b: Value): Run<Value | undefined> {
  return (yield* methodGives(m, a, name, b)) ?? (reflected ? yield* methodGives(m, b, reflected, a) : undefined);
}

function* methodGives(m: Machine, of: Value, name: string, other: Value): Run<Value | undefined> {
  const method = of.kind === 'instance' ? yield* m.evaluator.attribute(m, of, name) : undefined;
  const given = method && (yield* m.evaluator.call(m, method, { positional: [other], keywords: new Map() }));
  return given === notImplemented ? undefined : given;
}

function* onContainers(m: Machine, operator: string, a: Value, b: Value): Run<Value | undefined> {
  if (operator === 'Add' && a.kind === b.kind) {
    if (a.kind === 'str' && b.kind === 'str') return str(a.value + b.value);
    if (a.kind === 'bytes' && b.kind === 'bytes') return { kind: 'bytes', value: a.value + b.value };
    if (a.kind === 'list' && b.kind === 'list')
      return (a.unsure ?? b.unsure)
        ? { kind: 'unknown', cause: a.unsure ?? cause(m, '') }
        : { kind: 'list', items: [...a.items, ...b.items] };
    if (a.kind === 'tuple' && b.kind === 'tuple') return tuple([...a.items, ...b.items]);
  }
  if (operator === 'Mult') return repeated(m, a, b) ?? repeated(m, b, a);
  if (operator === 'Mod' && a.kind === 'str') return yield* percent(m, a.value, b);
  if ((a.kind === 'dict' || a.kind === 'set') && (b.kind === 'dict' || b.kind === 'set') && (a.unsure ?? b.unsure))
    return { kind: 'unknown', cause: causeOf(m, a.unsure ? a : b) };
  if (a.kind === 'dict' && b.kind === 'dict' && a.counts && b.counts && (operator === 'Add' || operator === 'Sub'))
    return yield* counted(m, operator, a, b);
  // `int | None`: `isinstance` takes a tuple of types for the same.
  const types = [a, b].flatMap((one) => (one.kind === 'tuple' ? one.items : [one]));
  if (operator === 'BitOr' && types.every(({ kind }) => kind === 'class' || kind === 'none')) return tuple(types);
  if (operator === 'BitOr' && a.kind === 'dict' && b.kind === 'dict')
    return { kind: 'dict', entries: new Map([...a.entries, ...b.entries]) };
  const [x, y] = [asSet(a), asSet(b)];
  return x && y && setOperation(operator, x, y);
}

/** Counts of both together, or of one less the other's; a Counter keeps those above 0. */
function* counted(m: Machine, operator: 'Add' | 'Sub', a: DictValue, b: DictValue): Run<Value> {
  const entries = new Map<string, readonly [Value, Value]>();
  for (const [key, [item]] of [...a.entries, ...b.entries]) {
    const [x, y] = [a, b].map((one) => one.entries.get(key)?.[1] ?? int(0));
    const made = yield* binary(m, operator, x ?? none, y ?? none);
    if (realOf(made) === undefined) return made;
    if ((realOf(made) ?? 0) > 0) entries.set(key, [item, made]);
  }
  return { kind: 'dict', entries, counts: true };
}

/** A set, or keys or items of a dict, which are a list here. */
export function asSet(value: Value): SetValue | undefined {
  if (value.kind === 'set') return value;
  if (value.kind !== 'list' || !value.ofDict || value.ofDict === 'values' || value.unsure) return undefined;
  const entries = value.items.flatMap((item) => {
    const key = keyOf(item);
    return key === undefined ? [] : [[key, item] as const];
  });
  return { kind: 'set', entries: new Map(entries) };
}

function setOperation(operator: string, a: SetValue, b: SetValue): SetValue | undefined {
  const made = (entries: readonly (readonly [string, Value])[]): SetValue => ({
    kind: 'set',
    entries: new Map(entries),
  });
  switch (operator) {
    case 'BitXor':
      return made([...a.entries, ...b.entries].filter(([key]) => a.entries.has(key) !== b.entries.has(key)));
    case 'BitAnd':
      return made([...a.entries].filter(([key]) => b.entries.has(key)));
    case 'Sub':
      return made([...a.entries].filter(([key]) => !b.entries.has(key)));
    case 'BitOr':
      return made([...a.entries, ...b.entries]);
    default:
      return undefined;
  }
}

/** Repeated lists longer than this are not built. */
const longest = 200_000;

function repeated(m: Machine, a: Value, b: Value): Value | undefined {
  const times = wholeOf(b);
  const size = a.kind === 'str' ? a.value.length : a.kind === 'list' || a.kind === 'tuple' ? a.items.length : undefined;
  if (size === undefined) return undefined;
  if (b.kind === 'symbol') return still({ kind: 'unknown', cause: b.cause });
  if (times === undefined) return undefined;
  if (size * Number(times) > longest) return unknown(m, t('this is too long to be followed'));
  const n = Math.max(0, Number(times));
  if (a.kind === 'str') return str(a.value.repeat(n));
  const items = Array.from({ length: n }, () => (a.kind === 'list' || a.kind === 'tuple' ? a.items : [])).flat();
  if (a.kind !== 'list') return tuple(items);
  return { kind: 'list', items, ...(a.unsure && n > 0 ? { unsure: a.unsure } : {}) };
}

function* percent(m: Machine, template: string, values: Value): Run<Value> {
  const all = values.kind === 'tuple' ? values.items : [values];
  const texts = new Map<Value, string | undefined>();
  for (const value of all) texts.set(value, yield* m.evaluator.text(m, value, false));
  const made = percentFormatted(template, all, (value, asRepr) => (asRepr ? plainText(value, true) : texts.get(value)));
  return made === undefined ? unknown(m, t('what is formatted here is not known'), 'str') : str(made);
}

const refuse = (operator: string, a: Value, b: Value): never => {
  if (operator === 'Add' && ['str', 'list', 'tuple'].includes(a.kind)) {
    const [x, y] = [typeName(a), typeName(b)];
    raise(
      'TypeError',
      a.kind === 'str'
        ? `can only concatenate str (not "${y}") to str`
        : `can only concatenate ${x} (not "${y}") to ${x}`,
    );
  }
  return raise(
    'TypeError',
    `unsupported operand type(s) for ${signs[operator]}: '${typeName(a)}' and '${typeName(b)}'`,
  );
};

/** `a operator= b`: in place for tensors and lists. */
export function* augmented(m: Machine, operator: string, a: Value, b: Value): Run<Value> {
  if (a.kind === 'list' && operator === 'Add') {
    const more = yield* itemsOf(m, b);
    recordList(m, a);
    // A copy: a list may be added to itself.
    if (more) for (const one of [...more]) a.items.push(one);
    else a.unsure = b.kind === 'unknown' ? b.cause : cause(m, t('what is added is not known'));
    return a;
  }
  if (a.kind === 'instance') {
    const own = yield* byMethod(m, `__i${methodNames[operator]}__`, '', a, b);
    if (own) return own;
  }
  if (a.kind === 'unknown' && a.self) loseValues(m, a.self, a.cause);
  if (a.kind === 'tensor' && a.library === 'numpy' && !a.scalar) checkOutput(m, a, operator, b);
  if (a.kind === 'tensor' && b.kind === 'tensor') refuseOverlap(a, b);
  const result = yield* binary(m, operator, a, b);
  if (a.kind === 'list' && result.kind === 'list') {
    recordList(m, a);
    a.items = result.items;
    return a;
  }
  if (a.kind === 'set' && result.kind === 'set') {
    recordSet(m, a);
    const items = [...result.entries];
    a.entries.clear();
    for (const [key, item] of items) a.entries.set(key, item);
    return a;
  }
  if (a.kind === 'dict' && result.kind === 'dict') {
    for (const [key, entry] of result.entries) setEntry(m, a, key, entry);
    return a;
  }
  const target = tensorIn(a);
  if (!target || target.scalar || result.kind !== 'tensor') return result;
  return inPlace(m, target, result);
}

/** NumPy looks at types before it looks at shapes. */
function checkOutput(m: Machine, target: TensorValue, operator: string, b: Value): void {
  const [x, y] = [operandOf(m, target), operandOf(m, b)];
  if (!x || !y || !['Add', 'Sub', 'Mult', 'Div'].includes(operator)) return;
  const dtype = promote('numpy', [x, y]);
  refuseCast(target, operator === 'Div' ? quotientOf('numpy', dtype) : dtype, operator);
}

const ufuncs: Readonly<Record<string, string>> = { Add: 'add', Sub: 'subtract', Mult: 'multiply', Div: 'divide' };

const rank = (dtype: DType): number => (dtype === 'bool' ? 0 : dtype.includes('float') ? 2 : 1);

/** A result goes into a tensor of the same kind of numbers, or of a higher one. */
function refuseCast({ library, node }: TensorValue, from: DType, operator = ''): void {
  const to = node.dtype;
  const unsigned = library === 'numpy' && to === 'uint8' && from !== 'uint8' && from !== 'bool';
  if (rank(from) <= rank(to) && !unsigned) return;
  if (library === 'torch')
    raise('RuntimeError', `result type ${scalarName(from)} can't be cast to the desired output type ${scalarName(to)}`);
  const name = ufuncs[operator];
  raise(
    'UFuncTypeError',
    `Cannot cast ufunc ${name ? `'${name}' ` : ''}output from dtype('${from}') to dtype('${to}') with casting rule 'same_kind'`,
  );
}

/** What an operation in place leaves in a tensor: its own shape and type. */
export function inPlace(m: Machine, target: TensorValue, result: TensorValue): Value {
  const [from, to] = [nodeOf(m, result), target.node];
  // The number type of what is not known is not known either.
  if (!from.why && !to.why) refuseCast(target, from.dtype);
  if (sharesPlaces(target)) raise('RuntimeError', 'unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.'); // prettier-ignore
  const cast = castNode(m, from, to.dtype, target.library);
  if (!from.shape || !to.shape) overwrite(m, target, cast);
  else {
    const common = broadcast(target.library, [to.shape, from.shape]);
    if (!isShape(common, to.shape)) refuseOutput(target.library, to.shape, common);
    overwrite(m, target, expandNode(m, cast, to.shape, target.library));
  }
  return target;
}

/** Writes a result into what is given for it: `out=`, a tensor that an operation changes. PyTorch gives that another size where it has to. */
export function into(m: Machine, target: Value | undefined, made: Value): Value {
  if (target?.kind === 'tuple') {
    target.items.forEach((one, i) => into(m, one, made.kind === 'tuple' ? (made.items[i] ?? none) : made));
    return made;
  }
  if (target?.kind !== 'tensor') return made;
  if (made.kind === 'unknown') loseValues(m, target, made.cause);
  if (made.kind !== 'tensor') return made;
  const [from, { shape, dtype }] = [nodeOf(m, made), target.node];
  if (target.library !== 'torch' || !shape || !from.shape || isShape(shape, from.shape))
    return inPlace(m, target, made);
  overwrite(m, target, castNode(m, from, dtype, 'torch'));
  return target;
}

/** Something that is not followed wrote into the tensor. */
export function loseValues(m: Machine, tensor: TensorValue, why: Cause): void {
  const { shape, dtype } = nodeOf(m, tensor);
  overwrite(m, tensor, input(m, shape, dtype, why));
}

/** Whether some of its elements are one in memory, as `expand` makes them. */
export const sharesPlaces = ({ library, strides, node: { shape } }: TensorValue): boolean => {
  if (library !== 'torch' || !strides || shape?.includes(0)) return false;
  return strides.some((stride, i) => stride === 0 && shape?.[i] !== 1);
};

const isShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((dim, i) => same(dim, b[i] ?? -1) !== false);

const refuseOutput = (library: Library, to: Shape, common: Shape): never =>
  library === 'torch'
    ? raise('RuntimeError', `output with shape ${listText(to)} doesn't match the broadcast shape ${listText(common)}`)
    : raise(
        'ValueError',
        `non-broadcastable output operand with shape ${compactText(to)} doesn't match the broadcast shape ${compactText(common)}`,
      );

export function* unary(m: Machine, operator: string, value: Value): Run<Value> {
  if (operator === 'Not') {
    const truth = yield* truthOf(m, value);
    return truth === undefined ? { kind: 'unknown', cause: causeOf(m, value), type: 'bool' } : bool(!truth);
  }
  const method = { USub: '__neg__', UAdd: '__pos__', Invert: '__invert__' }[operator] ?? '';
  const tensor = tensorIn(value);
  if (tensor) return yield* byLibrary(m, tensor.library, method, tensor);
  if (value.kind === 'instance') {
    const own = yield* m.evaluator.attribute(m, value, method);
    if (own) return yield* m.evaluator.call(m, own, { positional: [], keywords: new Map() });
  }
  if (value.kind === 'unknown')
    return isOpen(value) ? openOperands(m, 'Mult', value, { kind: 'int', value: -1 }) : still(value, value.type);
  const whole = wholeOf(value);
  if (operator === 'Invert' && whole !== undefined) return { kind: 'int', value: Number(-BigInt(whole) - 1n) };
  if (operator === 'UAdd') return value;
  if (value.kind === 'float') return { kind: 'float', value: -value.value };
  return (
    arithmetic(m, 'Mult', value, { kind: 'int', value: -1 }) ??
    raise('TypeError', `bad operand type for unary ${operator === 'USub' ? '-' : '~'}: '${typeName(value)}'`)
  );
}

/** `bool(value)`; undefined where that is not known. */
export function* truthOf(m: Machine, value: Value): Run<boolean | undefined> {
  switch (value.kind) {
    case 'none':
      return false;
    case 'bool':
      return value.value;
    case 'int':
    case 'float':
      return Number(value.value) !== 0;
    case 'str':
    case 'bytes':
      return value.value !== '';
    case 'list':
      return value.unsure ? undefined : value.items.length > 0;
    case 'tuple':
      return value.items.length > 0;
    case 'dict':
    case 'set':
      return value.unsure ? undefined : value.entries.size > 0;
    case 'range':
      return rangeSize(value) > 0;
    case 'unknown':
      return undefined;
    case 'symbol':
      return undefined;
    case 'tensor':
      return yield* tensorTruth(m, value);
    case 'instance':
      return yield* instanceTruth(m, value);
    default:
      return true;
  }
}

function* tensorTruth(m: Machine, value: TensorValue): Run<boolean | undefined> {
  const node = nodeOf(m, value);
  const values = yield* look(m, node);
  if (isCause(values)) return undefined;
  if (values.data.length === 1) return values.data[0] !== 0;
  return value.library === 'torch'
    ? raise('RuntimeError', 'Boolean value of Tensor with more than one value is ambiguous')
    : raise(
        'ValueError',
        'The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()',
      );
}

function* instanceTruth(m: Machine, value: Value & { kind: 'instance' }): Run<boolean | undefined> {
  const test =
    (yield* m.evaluator.attribute(m, value, '__bool__')) ?? (yield* m.evaluator.attribute(m, value, '__len__'));
  if (!test || test.kind === 'unknown') return test ? undefined : true;
  return yield* truthOf(m, yield* m.evaluator.call(m, test, { positional: [], keywords: new Map() }));
}

/** `isinstance(value, of)`. */
export function isInstance(value: Value, of: Value): Bool | undefined {
  if (of.kind === 'tuple') {
    const all = of.items.map((one) => isInstance(value, one));
    return all.some((one) => one?.value) ? bool(true) : all.includes(undefined) ? undefined : bool(false);
  }
  if (of.kind === 'none' && value.kind !== 'unknown') return bool(value.kind === 'none');
  if (of.kind !== 'class') return undefined;
  if (value.kind === 'instance') return bool(derivesFrom(value.of, of.name) || of.name === 'object');
  if (value.kind === 'unknown') return value.standIn?.tensor && of.name === 'Tensor' ? bool(true) : undefined;
  return bool(builtinClasses(value).includes(of.name));
}
