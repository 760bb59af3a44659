/** `value[key]`, `value[key] = …`, `del value[key]`. */
import { t } from '../../text';
import { count, isKnownShape } from '../tensor';
import {
  isCause,
  look,
  nodeOf,
  raise,
  still,
  unknown,
  type Machine,
  int,
  str,
  tuple,
  typeName,
  type List,
  type Run,
  type Value,
} from '../machine';
import { memberNamed, membersOf } from './enumerations';
import { needKey, openKey } from './containers';
import { recordList, setEntry } from './frames';
import { getItem, plainSlice, setItem } from './indexing';
import { dimOf, rangeSize, wholeOf } from './numbers';
import { causeOf } from './open';
import { loseValues } from './operators';
import { entryOf, sizeAt } from './stand-ins';
import { plainText } from './format';

export function* getSubscript(m: Machine, value: Value, key: Value): Run<Value> {
  switch (value.kind) {
    case 'tensor':
      return yield* getItem(m, value, key);
    case 'list':
    case 'tuple':
      return fromItems(m, value.kind === 'list' && value.unsure ? undefined : value.items, value, yield* wholeKey(m, value, key)); // prettier-ignore
    case 'str':
      return fromItems(m, [...value.value].map(str), value, yield* wholeKey(m, value, key));
    case 'bytes':
      return fromItems(m, [...value.value].map((c) => int(c.charCodeAt(0))), value, yield* wholeKey(m, value, key)); // prettier-ignore
    case 'range':
      return fromRange(m, value, yield* wholeKey(m, value, key));
    case 'dict':
      return yield* fromDict(m, value, key);
    case 'unknown':
      return fromUnknown(m, value, key);
    case 'instance': {
      const get = yield* m.evaluator.attribute(m, value, '__getitem__');
      if (get) return yield* m.evaluator.call(m, get, { positional: [key], keywords: new Map() });
      break;
    }
    case 'class': {
      const members = membersOf(value);
      if (members) return memberNamed(members, key);
      return value; // A type hint: list[int].
    }
    case 'builtin':
    case 'module':
      return value;
  }
  return raise('TypeError', `'${typeName(value)}' object is not subscriptable`);
}

/** `words[i]` of an element of an array of whole numbers: its number where that is known. Other tensors are refused as Python refuses them. */
function* wholeKey(m: Machine, of: Value, key: Value): Run<Value> {
  if (key.kind !== 'tensor') return key;
  const node = nodeOf(m, key);
  const isTorch = key.library === 'torch';
  if (node.dtype.includes('float') && !isTorch && node.shape?.length === 0) raise('TypeError', `${typeName(of)} indices must be integers or slices, not numpy.${node.dtype}`); // prettier-ignore
  const cells = node.shape && isKnownShape(node.shape) ? count(node.shape) : 1;
  if (node.dtype.includes('float') || cells !== 1 || (!isTorch && (node.shape?.length ?? 0) > 0))
    raise('TypeError', isTorch ? 'only integer tensors of a single element can be converted to an index' : 'only integer scalar arrays can be converted to a scalar index'); // prettier-ignore
  const found = yield* look(m, node);
  return isCause(found) ? key : int(found.data[0] ?? 0);
}

function fromUnknown(m: Machine, value: Value & { kind: 'unknown' }, key: Value): Value {
  const index = dimOf(key);
  if (value.standIn?.tensor) return { kind: 'unknown', cause: value.cause };
  if (value.standIn && key.kind === 'str') return entryOf(m, value.standIn, key.value);
  if (value.standIn && typeof index === 'number') {
    value.standIn.isSequence = true;
    return sizeAt(m, value, value.standIn, index) ?? still(value);
  }
  return still(value);
}

function fromItems(m: Machine, items: readonly Value[] | undefined, value: Value, key: Value): Value {
  if (!items)
    return { kind: 'unknown', cause: value.kind === 'list' && value.unsure ? value.unsure : causeOf(m, value) };
  if (key.kind === 'slice') return slicedItems(m, items, value, key);
  if (key.kind === 'unknown' || key.kind === 'symbol') return { kind: 'unknown', cause: key.cause };
  const index = key.kind === 'tensor' ? undefined : wholeOf(key);
  if (index === undefined) {
    if (key.kind === 'tensor') return unknown(m, t('the index is not known'));
    return raise('TypeError', `${typeName(value)} indices must be integers or slices, not ${typeName(key)}`);
  }
  return (
    items.at(Number(index)) ??
    raise('IndexError', `${value.kind === 'str' ? 'string' : typeName(value)} index out of range`)
  );
}

function slicedItems(m: Machine, items: readonly Value[], value: Value, key: Value & { kind: 'slice' }): Value {
  const cut = cutOf(m, items.length, key);
  if ('cause' in cut) return cut;
  const found = Array.from({ length: cut.size }, (_, i) => items[cut.start + i * cut.step] as Value);
  if (value.kind === 'str') return str(found.map((item) => (item.kind === 'str' ? item.value : '')).join(''));
  if (value.kind === 'bytes')
    return { kind: 'bytes', value: found.map((item) => String.fromCharCode(Number(wholeOf(item)))).join('') };
  return value.kind === 'list' ? { kind: 'list', items: found } : tuple(found);
}

/** What a slice takes of `length` items; unknown where a bound is not known. */
function cutOf(
  m: Machine,
  length: number,
  key: Value & { kind: 'slice' },
): ReturnType<typeof plainSlice> | (Value & { kind: 'unknown' }) {
  const bounds = [key.lower, key.upper, key.step];
  const [from, to, by] = bounds.map((one) => (one.kind === 'none' ? undefined : (dimOf(one) ?? NaN)));
  if ([from, to, by].some((x) => typeof x === 'object' || Number.isNaN(x)))
    return {
      kind: 'unknown',
      cause: causeOf(m, bounds.find((one) => one.kind === 'unknown' || one.kind === 'symbol') ?? key),
    };
  if (by === 0) return raise('ValueError', 'slice step cannot be zero');
  return plainSlice(length, from as number | undefined, to as number | undefined, (by as number | undefined) ?? 1);
}

function fromRange(m: Machine, value: Value & { kind: 'range' }, key: Value): Value {
  const { start, step } = value;
  const size = rangeSize(value);
  if (key.kind === 'slice') {
    const cut = cutOf(m, size, key);
    if ('cause' in cut) return cut;
    return { kind: 'range', start: start + cut.start * step, stop: start + cut.stop * step, step: cut.step * step };
  }
  if (key.kind === 'unknown' || key.kind === 'symbol' || key.kind === 'tensor')
    return { kind: 'unknown', cause: causeOf(m, key) };
  const index = wholeOf(key);
  if (index === undefined) return raise('TypeError', `range indices must be integers or slices, not ${typeName(key)}`);
  const i = Number(index) < 0 ? Number(index) + size : Number(index);
  return i >= 0 && i < size ? int(start + i * step) : raise('IndexError', 'range object index out of range');
}

function* fromDict(m: Machine, value: Value & { kind: 'dict' }, key: Value): Run<Value> {
  const open = openKey(key);
  if (open) return { kind: 'unknown', cause: open };
  if (value.unsure) return { kind: 'unknown', cause: value.unsure };
  const name = needKey(key);
  const found = value.entries.get(name)?.[1];
  if (found) return found;
  if (value.counts) return int(0);
  if (!value.missing && m.lost) return { kind: 'unknown', cause: m.lost };
  if (!value.missing) return raise('KeyError', plainText(key, true) ?? '?');
  const made = yield* m.evaluator.call(m, value.missing, { positional: [], keywords: new Map() });
  setEntry(m, value, name, [key, made]);
  return made;
}

export function* setSubscript(m: Machine, value: Value, key: Value, to: Value): Run<void> {
  if (value.kind === 'tensor') yield* setItem(m, value, key, to);
  else if (value.kind === 'list') yield* setInList(m, value, key, to);
  else if (value.kind === 'dict') {
    const open = openKey(key);
    if (open) value.unsure ??= open;
    else setEntry(m, value, needKey(key), [key, to]);
  } else if (value.kind === 'instance') {
    const set = yield* m.evaluator.attribute(m, value, '__setitem__');
    if (!set) raise('TypeError', `'${typeName(value)}' object does not support item assignment`);
    else yield* m.evaluator.call(m, set, { positional: [key, to], keywords: new Map() });
  } else if (value.kind === 'unknown' && value.self) loseValues(m, value.self, value.cause);
  else if (value.kind === 'unknown') m.lost ??= value.cause;
  else raise('TypeError', `'${typeName(value)}' object does not support item assignment`);
}

function* setInList(m: Machine, value: List, key: Value, to: Value): Run<void> {
  recordList(m, value);
  if (key.kind === 'slice') {
    const items = yield* m.evaluator.items(m, to);
    const part = partOfList(m, value, key);
    if (!items || !part) value.unsure = causeOf(m, items ? key : to);
    else if (key.step.kind === 'none' || wholeOf(key.step) === 1)
      value.items.splice(part.start, part.places.length, ...items);
    else if (part.places.length === items.length)
      part.places.forEach((place, i) => (value.items[place] = items[i] as Value));
    else
      raise(
        'ValueError',
        `attempt to assign sequence of size ${items.length} to extended slice of size ${part.places.length}`,
      );
    return;
  }
  const index = wholeOf(key);
  if (index === undefined) {
    value.unsure = causeOf(m, key);
    return;
  }
  const i = Number(index) < 0 ? Number(index) + value.items.length : Number(index);
  if (i < 0 || i >= value.items.length) raise('IndexError', 'list assignment index out of range');
  value.items[i] = to;
}

/** What a slice names of a list; undefined where its bounds, or the list's items, are not known. */
function partOfList(m: Machine, value: List, key: Value & { kind: 'slice' }): { readonly start: number; readonly places: readonly number[] } | undefined {
  const cut = value.unsure ? undefined : cutOf(m, value.items.length, key);
  if (!cut || 'cause' in cut) return undefined;
  return { start: cut.start, places: Array.from({ length: cut.size }, (_, i) => cut.start + i * cut.step) };
} // prettier-ignore

export function deleteSubscript(m: Machine, value: Value, key: Value): void {
  if (value.kind === 'dict') {
    const open = openKey(key);
    if (open) {
      value.unsure ??= open;
      return;
    }
    const name = needKey(key);
    if (!value.entries.has(name)) raise('KeyError', plainText(key, true) ?? '?');
    setEntry(m, value, name, undefined);
  } else if (value.kind === 'list') {
    recordList(m, value);
    if (key.kind === 'slice') {
      const places = partOfList(m, value, key)?.places;
      if (places) value.items = value.items.filter((_, i) => !places.includes(i));
      else value.unsure = causeOf(m, key);
      return;
    }
    const index = wholeOf(key);
    if (index === undefined) value.unsure = causeOf(m, key);
    else if (Number(index) >= value.items.length || Number(index) < -value.items.length)
      raise('IndexError', 'list assignment index out of range');
    else value.items.splice(Number(index), 1);
  }
}
