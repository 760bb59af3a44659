/** Walking over values. */
import {
  cause,
  raise,
  PythonError,
  type Machine,
  nodeOf,
  int,
  recordChange,
  str,
  tuple,
  typeName,
  type DictValue,
  type Iterator,
  type List,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { t } from '../../text';
import { Raised } from '../tensor';
import { exceptionOf } from './classes';
import { membersOf } from './enumerations';
import { part } from './indexing';

/** More items than these are not walked. */
export const itemLimit = 100_000;

/** Each in turn; undefined where it is not known what there is. */
export function* iterator(m: Machine, value: Value): Run<Iterator | undefined> {
  if (value.kind === 'iterator') return begun(m, value);
  if (value.kind === 'range') return rangeIterator(value);
  if (value.kind === 'instance') return yield* ofInstance(m, value);
  const items = yield* itemsOf(m, value);
  if (value.kind === 'dict' || (value.kind === 'list' && value.dict)) return items && ofDict(value);
  return items && walk(items);
}

/** A walk over an iterator begins. Where the branch that walks is undone, it is not known how much of it is left. */
export function begun(m: Machine, walker: Iterator): Iterator | undefined {
  if (walker.lost) return undefined;
  recordChange(m, () => ({
    owner: walker,
    key: 'walks',
    get: () => int(walker.walks ?? 0),
    set: (value) => {
      if (value?.kind === 'int' && Number(value.value) === (walker.walks ?? 0)) delete walker.lost;
      else walker.lost ??= cause(m, t('how much of it was walked is not known'));
    },
  }));
  walker.walks = (walker.walks ?? 0) + 1;
  return walker;
}

/** Python refuses to go on in a dict that has grown or shrunk; where an entry is not known, it is not known whether it has. */
function ofDict(value: Value & { kind: 'dict' | 'list' }): Iterator {
  const { entries } = (value.kind === 'dict' ? value : value.dict) as DictValue;
  const start = [...entries];
  let i = 0;
  return {
    kind: 'iterator',
    next: function* () {
      const isSame = entries.size === start.length;
      if (!isSame && ![...entries.values()].some(([, held]) => held.kind === 'unknown')) raise('RuntimeError', 'dictionary changed size during iteration'); // prettier-ignore
      const [name, before] = start[i++] ?? [];
      const pair = name === undefined ? undefined : (entries.get(name) ?? before);
      return pair && partOf(pair, value.kind === 'list' ? value.ofDict : undefined);
    },
  };
}

/** What a dict, or a view of it, has of an entry. */
export const partOf = ([key, value]: readonly [Value, Value], view: List['ofDict']): Value =>
  view === 'items' ? tuple([key, value]) : view === 'values' ? value : key;

export const walk = (items: Iterable<Value>): Iterator => {
  const rest = items[Symbol.iterator]();
  return {
    kind: 'iterator',
    next: function* () {
      const { done, value } = rest.next();
      return done ? undefined : value;
    },
  };
};

function rangeIterator({ start, stop, step }: Value & { kind: 'range' }): Iterator {
  let at = start;
  return {
    kind: 'iterator',
    next: function* () {
      if (step > 0 ? at >= stop : at <= stop) return undefined;
      const value = int(at);
      at += step;
      return value;
    },
  };
}

export const stopsIteration = (m: Machine, error: unknown, end = 'StopIteration'): boolean =>
  (error instanceof Raised || error instanceof PythonError) && exceptionOf(m, error).of.name === end;

/** `raise StopIteration` of an iterator's own `__next__` ends the loop over it. */
function* untilStopped(m: Machine, turn: Run<Value>, end = 'StopIteration'): Run<Value | undefined> {
  try {
    return yield* turn;
  } catch (error) {
    if (stopsIteration(m, error, end)) return undefined;
    throw error;
  }
}

/** The next item, and whether it is sure that there is one or none. */
export const nextItem = (m: Machine, walker: Iterator): Run<Turn> => turnOf(m, walker, walker.next());

export interface Turn {
  readonly item: Value | undefined;
  readonly isSure: boolean;
}

export function* turnOf(m: Machine, walker: Iterator, turn: Run<Value | undefined>): Run<Turn> {
  const before = m.mayHaveEnded;
  m.mayHaveEnded = false;
  const item = yield* turn;
  const isSure = !m.mayHaveEnded && !walker.lost;
  m.mayHaveEnded = before;
  return { item, isSure };
}

function* ofInstance(m: Machine, value: Value & { kind: 'instance' }): Run<Iterator | undefined> {
  const make = yield* m.evaluator.attribute(m, value, '__iter__');
  const nothing = { positional: [], keywords: new Map<string, Value>() };
  if (make?.kind === 'unknown') return undefined;
  if (make) {
    const made = yield* m.evaluator.call(m, make, nothing);
    if (made.kind !== 'instance') return yield* iterator(m, made);
    const next = yield* m.evaluator.attribute(m, made, '__next__');
    return next && { kind: 'iterator', next: () => untilStopped(m, m.evaluator.call(m, next, nothing)) };
  }
  const get = yield* m.evaluator.attribute(m, value, '__getitem__');
  const length = yield* m.evaluator.attribute(m, value, '__len__');
  if (!get) return raise('TypeError', `'${typeName(value)}' object is not iterable`);
  if (get.kind === 'unknown') return undefined;
  const size = length ? yield* m.evaluator.call(m, length, nothing) : int(itemLimit);
  if (size.kind !== 'int') return undefined;
  let i = 0;
  return {
    kind: 'iterator',
    next: function* () {
      if (i >= size.value) return undefined;
      return yield* untilStopped(m, m.evaluator.call(m, get, { ...nothing, positional: [int(i++)] }), 'IndexError');
    },
  };
}

/** Elements of a set as a loop meets them. Python's order of texts differs from run to run; numbers below 8 come in order, since each is its own place in the smallest table. */
export function inSomeOrder(m: Machine, items: readonly Value[]): readonly Value[] {
  if (items.length < 2) return items;
  const places = items.map((item) => (item.kind === 'int' ? Number(item.value) : -1));
  if (places.every((place) => place >= 0 && place < 8)) return [...items].sort((a, b) => places[items.indexOf(a)] as number - (places[items.indexOf(b)] as number)); // prettier-ignore
  const why = cause(m, t('the order of a set is not known'));
  return items.map((_, place) => ({ kind: 'unknown', cause: why, oneOf: { items, place } }));
}

/** The elements of a set where all of them are there, each once: for what does not ask for their order. */
export function settled(all: readonly Value[]): readonly Value[] {
  const parts = all.map((one) => (one.kind === 'unknown' ? one.oneOf : undefined));
  const [first] = parts;
  if (first?.items.length !== all.length || parts.some((part) => part?.items !== first.items)) return all;
  return new Set(parts.map((part) => part?.place)).size === all.length ? first.items : all;
}

/** All items, or undefined where they are not known or too many. */
export function* itemsOf(m: Machine, value: Value): Run<readonly Value[] | undefined> {
  switch (value.kind) {
    case 'list':
      return value.unsure ? undefined : value.items;
    case 'tuple':
      return value.items;
    case 'dict':
      return value.unsure ? undefined : [...value.entries.values()].map(([key]) => key);
    case 'set':
      return value.unsure ? undefined : inSomeOrder(m, [...value.entries.values()]);
    case 'str':
      return [...value.value].map(str);
    case 'bytes':
      return [...value.value].map((c) => int(c.charCodeAt(0)));
    case 'range':
    case 'iterator':
    case 'instance':
      return yield* drained(m, value);
    case 'tensor':
      return tensorItems(m, value);
    case 'unknown':
      return undefined;
    default: {
      const members = value.kind === 'class' ? membersOf(value) : undefined;
      return members ? [...members.values()] : raise('TypeError', `'${typeName(value)}' object is not iterable`);
    }
  }
}

function* drained(m: Machine, value: Value): Run<readonly Value[] | undefined> {
  const walker = yield* iterator(m, value);
  const items: Value[] = [];
  if (!walker) return undefined;
  for (;;) {
    const { item, isSure } = yield* nextItem(m, walker);
    if (!isSure || items.length > itemLimit) return undefined;
    if (!item) return items;
    items.push(item);
    if (items.length % 512 === 0) yield;
  }
}

/** The parts of a tensor along its first axis. */
export function tensorItems(m: Machine, value: TensorValue): readonly Value[] | undefined {
  const { shape } = nodeOf(m, value);
  const [size] = shape ?? [];
  if (shape?.length === 0) return raise('TypeError', 'iteration over a 0-d tensor');
  if (typeof size !== 'number' || size > itemLimit) return undefined;
  return Array.from({ length: size }, (_, i) => part(m, value, i));
}
