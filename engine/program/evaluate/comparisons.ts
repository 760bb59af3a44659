/** Comparisons: of numbers, text and lists, of tensors cell by cell, of objects by their own methods; identity and membership. */
import { t } from '../../text';
import {
  cause,
  constant,
  input,
  raise,
  type Machine,
  newTensor,
  bool,
  deepestNesting,
  keyOf,
  none,
  tuple,
  type Instance,
  typeName,
  type Run,
  type TensorValue,
  type Unknown,
  type Value,
} from '../machine';
import { count, isKnownShape } from '../tensor';
import { fieldsFor, openBase } from './classes';
import { needKey, openKey } from './containers';
import { plainText } from './format';
import { itemsOf, settled } from './iterate';
import { sameItems } from './join';
import { isNumber, order, rangeSize, sameSize } from './numbers';
import { causeOf } from './open';
import { asSet, byLibrary, byMethod, libraryOf, mirrored, methodNames, signs, truthOf } from './operators';

/** `a operator b` of a comparison. */
export function* compare(m: Machine, operator: string, a: Value, b: Value): Run<Value> {
  if (operator === 'Is' || operator === 'IsNot') return identity(a, b, operator === 'Is');
  if (operator === 'In' || operator === 'NotIn') return yield* membership(m, a, b, operator === 'In');
  const own = yield* byMethod(
    m,
    `__${methodNames[operator]}__`,
    `__${methodNames[mirrored[operator] ?? operator]}__`,
    a,
    b,
  );
  if (own) return own;
  const library = libraryOf(a, b);
  if (library && !isNoNumber(a) && !isNoNumber(b))
    return yield* byLibrary(m, library, `__${methodNames[operator]}__`, a, b);
  if (a.kind === 'unknown' || b.kind === 'unknown') return openComparison(a, b);
  if (operator === 'Eq' || operator === 'NotEq') {
    const array = [a, b].find((one) => one.kind === 'tensor' && one.library === 'numpy') as TensorValue | undefined;
    if (array) return unlikeArray(m, array, operator === 'Eq');
    const equal = a.kind === 'float' && Number.isNaN(a.value) ? false : yield* equalTo(m, a, b);
    return equal === undefined
      ? { kind: 'unknown', cause: causeOf(m, a.kind === 'symbol' ? a : b), type: 'bool' }
      : bool(equal === (operator === 'Eq'));
  }
  return ordered(m, operator, a, b);
}

/** What no tensor's element equals. */
const isNoNumber = ({ kind }: Value): boolean => kind === 'none' || kind === 'str';

/** NumPy compares each element with what is no number, PyTorch the tensor as a whole. */
function unlikeArray(m: Machine, { node }: TensorValue, isEqual: boolean): Value {
  const { shape } = node;
  const differs = Number(!isEqual);
  return newTensor(
    'numpy',
    shape && isKnownShape(shape)
      ? constant(m, shape, 'bool', new Float64Array(count(shape)).fill(differs))
      : input(m, shape, 'bool', node.why ?? cause(m, t('its shape is not known'))),
  );
}

/** One truth, unless what is not known may be an array: then it may be as many. */
function openComparison(a: Value, b: Value): Value {
  const { cause } = (a.kind === 'unknown' ? a : b) as Unknown;
  const isOne = [a, b].every((one) => one.kind !== 'unknown' || one.type !== undefined);
  return isOne ? { kind: 'unknown', cause, type: 'bool' } : { kind: 'unknown', cause };
}

function identity(a: Value, b: Value, is: boolean): Value {
  const open = [a, b].find((value) => value.kind === 'unknown') as Unknown | undefined;
  const other = a === open ? b : a;
  if (open && !(open.standIn?.tensor && other.kind === 'none')) {
    if (open.type !== undefined && other.kind === 'none') return bool(!is);
    return { kind: 'unknown', cause: open.cause, type: 'bool' };
  }
  const key = a.kind === b.kind && a.kind !== 'instance' ? keyOf(a) : undefined;
  return bool((a === b || (key !== undefined && key === keyOf(b))) === is);
}

function* membership(m: Machine, a: Value, b: Value, isIn: boolean): Run<Value> {
  if (b.kind === 'instance') {
    const own = yield* m.evaluator.attribute(m, b, '__contains__');
    if (own) return yield* m.evaluator.call(m, own, { positional: [a], keywords: new Map() });
  }
  if (a.kind === 'unknown' || b.kind === 'unknown')
    return { kind: 'unknown', cause: causeOf(m, a.kind === 'unknown' ? a : b), type: 'bool' };
  if (b.kind === 'str') return bool((a.kind === 'str' && b.value.includes(a.value)) === isIn);
  if (b.kind === 'dict' || b.kind === 'set')
    return b.unsure || openKey(a)
      ? { kind: 'unknown', cause: b.unsure ?? openKey(a) ?? causeOf(m, a), type: 'bool' }
      : bool(b.entries.has(needKey(a)) === isIn);
  if (b.kind === 'iterator')
    for (;;) {
      const item = yield* b.next();
      if (!item) return bool(!isIn);
      const same = yield* equalTo(m, a, item);
      if (same === undefined) return { kind: 'unknown', cause: causeOf(m, item), type: 'bool' };
      if (same) return bool(isIn);
    }
  const items = yield* itemsOf(m, b);
  if (!items) return { kind: 'unknown', cause: causeOf(m, b), type: 'bool' };
  let open: Value | undefined;
  for (const item of settled(items)) {
    const same = yield* equalTo(m, a, item);
    if (same === true) return bool(isIn);
    if (same === undefined) open ??= item;
  }
  return open ? { kind: 'unknown', cause: causeOf(m, open), type: 'bool' } : bool(!isIn);
}

/** Two containers that are being compared. */
type Pair = readonly [Value, Value];

/** Whether two values are equal; undefined where that is not known. `around` are the containers in which they stand. */
export function* equalTo(m: Machine, a: Value, b: Value, around: readonly Pair[] = []): Run<boolean | undefined> {
  if (a === b) return true;
  if (around.some(([x, y]) => x === a && y === b))
    raise('RecursionError', 'maximum recursion depth exceeded in comparison');
  if (around.length > deepestNesting) return undefined;
  if (isNumber(a) && isNumber(b)) {
    const known = order(a, b);
    return known === undefined ? sameSize(a, b) : known === 0;
  }
  const sequence = (value: Value): readonly Value[] | undefined =>
    value.kind === 'list' || value.kind === 'tuple' ? value.items : undefined;
  const isView = [a, b].some((one) => one.kind === 'list' && one.ofDict);
  if (isView) return equalViews(a, b);
  const [x, y] = [sequence(a), sequence(b)];
  if (x && y && a.kind === b.kind) {
    if ((a.kind === 'list' && a.unsure) || (b.kind === 'list' && b.unsure)) return undefined;
    if (x.length !== y.length) return false;
    let all: boolean | undefined = true;
    for (const [i, item] of x.entries()) {
      const same = yield* equalTo(m, item, y[i] ?? none, [...around, [a, b]]);
      if (same === false) return false;
      if (same === undefined) all = undefined;
    }
    return all;
  }
  if (a.kind === 'instance' || b.kind === 'instance') return yield* equalByMethod(m, a, b);
  if (a.kind === 'tensor' || b.kind === 'tensor') {
    if (isNoNumber(a) || isNoNumber(b)) return false;
    const result = yield* compare(m, 'Eq', a, b);
    return yield* truthOf(m, result);
  }
  if (a.kind === 'dict' && b.kind === 'dict') return yield* equalDicts(m, a, b, [...around, [a, b]]);
  if (a.kind === 'set' && b.kind === 'set') return sameItems(a, b);
  if (a.kind === 'range' && b.kind === 'range') return sameNumbers(a, b);
  if (a.kind === 'device' || b.kind === 'device') return plainText(a, false) === plainText(b, false);
  if (a.kind === 'unknown' || b.kind === 'unknown') return undefined;
  const key = keyOf(a);
  return key !== undefined && key === keyOf(b);
}

/** Keys and items of a dict equal sets of the same; its values equal nothing. */
function equalViews(a: Value, b: Value): boolean | undefined {
  if ([a, b].some((one) => one.kind === 'unknown' || (one.kind === 'list' && one.unsure))) return undefined;
  const [x, y] = [asSet(a), asSet(b)];
  return x !== undefined && y !== undefined && sameItems(x, y);
}

/** Ranges are equal where their numbers are. */
function sameNumbers(a: Value & { kind: 'range' }, b: Value & { kind: 'range' }): boolean {
  const size = rangeSize(a);
  return size === rangeSize(b) && (size === 0 || a.start === b.start) && (size < 2 || a.step === b.step);
}

/** By `__eq__`; an instance that has none equals itself alone. */
function* equalByMethod(m: Machine, a: Value, b: Value): Run<boolean | undefined> {
  const own = yield* byMethod(m, '__eq__', '__eq__', a, b);
  if (own) return yield* truthOf(m, own);
  if (
    a.kind === 'instance' &&
    b.kind === 'instance' &&
    a.of === b.of &&
    a.of.fields &&
    a.of.options?.get('eq') !== false &&
    !openBase(a.of)
  )
    return yield* equalTo(m, fieldsAsTuple(a), fieldsAsTuple(b));
  return a.kind === 'unknown' || b.kind === 'unknown' ? undefined : false;
}

/** What a dataclass compares. */
const fieldsAsTuple = ({ of, attributes }: Instance): ReturnType<typeof tuple> =>
  tuple(fieldsFor(of, 'compare').map((name) => attributes.get(name) ?? none));

function* equalDicts(
  m: Machine,
  a: Value & { kind: 'dict' },
  b: Value & { kind: 'dict' },
  around: readonly Pair[],
): Run<boolean | undefined> {
  if (a.unsure ?? b.unsure) return undefined;
  if (a.entries.size !== b.entries.size) return false;
  for (const [key, [, value]] of a.entries) {
    const other = b.entries.get(key);
    const same = other ? yield* equalTo(m, value, other[1], around) : false;
    if (same !== true) return same;
  }
  return true;
}

const holds: Readonly<Record<string, (x: number) => boolean>> = {
  Lt: (x) => x < 0,
  LtE: (x) => x <= 0,
  Gt: (x) => x > 0,
  GtE: (x) => x >= 0,
};

function ordered(m: Machine, operator: string, a: Value, b: Value): Value {
  const test = holds[operator];
  if (a.kind === 'set' && b.kind === 'set') {
    const open = a.unsure ?? b.unsure;
    if (open) return { kind: 'unknown', cause: open, type: 'bool' };
    const [small, large] = operator.startsWith('Lt') ? [a, b] : [b, a];
    const isWithin = [...small.entries.keys()].every((key) => large.entries.has(key));
    return bool(isWithin && (operator.endsWith('E') || small.entries.size < large.entries.size));
  }
  if (a.kind === 'str' && b.kind === 'str')
    return bool(test?.(a.value < b.value ? -1 : a.value > b.value ? 1 : 0) ?? false);
  if (a.kind === 'list' && b.kind === 'list' && (a.unsure ?? b.unsure))
    return { kind: 'unknown', cause: causeOf(m, a.unsure ? a : b), type: 'bool' };
  if ((a.kind === 'tuple' || a.kind === 'list') && a.kind === b.kind)
    return orderedItems(m, operator, a.items, b.items);
  if (a.kind === 'instance' && b.kind === 'instance' && a.of === b.of && a.of.options?.get('order'))
    return orderedItems(m, operator, fieldsAsTuple(a).items, fieldsAsTuple(b).items);
  const added = [a, b].flatMap((one) => (one.kind === 'instance' && one.of.cause) || [])[0];
  if (added) return { kind: 'unknown', cause: added, type: 'bool' };
  if (!isNumber(a) || !isNumber(b))
    return raise(
      'TypeError',
      `'${signs[operator]}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
    );
  const known = order(a, b);
  if (known === undefined) return { kind: 'unknown', cause: causeOf(m, a.kind === 'symbol' ? a : b), type: 'bool' };
  return bool(test?.(known) ?? false);
}

function orderedItems(m: Machine, operator: string, a: readonly Value[], b: readonly Value[]): Value {
  for (const [i, item] of a.entries()) {
    const other = b[i];
    if (!other) break;
    if (keyOf(item) !== undefined && keyOf(item) === keyOf(other)) continue;
    return ordered(m, operator, item, other);
  }
  return bool(holds[operator]?.(a.length - b.length) ?? false);
}
