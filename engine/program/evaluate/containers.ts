/** Methods of text, lists, dicts and sets. */
import { t } from '../../text';
import type { Cause } from '../tensor';
import {
  PythonError,
  type Instance,
  type Iterator,
  raise,
  unknown,
  type Machine,
  bool,
  builtin,
  emptyDict,
  int,
  keyOf,
  list,
  none,
  str,
  tuple,
  typeName,
  type Arguments,
  type DictValue,
  type List,
  type Run,
  type SetValue,
  type Str,
  type Value,
} from '../machine';
import { recordList, recordSet, setEntry } from './frames';
import { formatted, plainText } from './format';
import { classAttribute } from './classes';
import { itemOrEnd } from './generators';
import { partOf, iterator, settled } from './iterate';
import { rangeSize, realOf, wholeOf } from './numbers';
import { causeOf, guarded, itemsOrOpen, Open } from './open';
import { decoded, textKeywords, textMethods, type TextMethod } from './strings';

type Methods<T> = Readonly<
  Record<string, (m: Machine, self: T, args: readonly Value[], keywords: Arguments['keywords']) => Run<Value>>
>;

const textOf = (value: Value | undefined): string => (value?.kind === 'str' ? value.value : '');

/** A method of text whose result is computed at once; an argument that is not known ends it. */
const ofText = (name: string, f: TextMethod): Methods<Str>[string] =>
  function* (_, self, args, keywords) {
    yield;
    const all = [...args];
    (textKeywords[name] ?? []).forEach((keyword, i) => {
      const value = keywords.get(keyword);
      if (!value) return;
      while (all.length < i) all.push(none);
      all[i] = value;
    });
    const open = all.find((arg) => arg.kind === 'unknown');
    return open?.kind === 'unknown' ? { kind: 'unknown', cause: open.cause } : f(self.value, all);
  };

const text: Methods<Str> = {
  ...Object.fromEntries(Object.entries(textMethods).map(([name, f]) => [name, ofText(name, f)])),
  join: function* (m, self, [parts]) {
    const all = yield* itemsOrOpen(m, parts);
    const open = all.find((part) => part.kind === 'unknown');
    if (open || parts?.kind === 'unknown') return unknown(m, t('not all parts that are joined are known'), 'str');
    const odd = all.findIndex((part) => part.kind !== 'str');
    if (odd >= 0)
      raise('TypeError', `sequence item ${odd}: expected str instance, ${typeName(all[odd] ?? none)} found`);
    return str(all.map((part) => textOf(part)).join(self.value));
  },
  format: function* (m, self, args, keywords) {
    return yield* formatTemplate(m, self.value, args, keywords);
  },
};

/** `'{} and {name:.2f}'.format(…)`. */
function* formatTemplate(
  m: Machine,
  template: string,
  args: readonly Value[],
  keywords: Arguments['keywords'],
): Run<Value> {
  const parts: string[] = [];
  let [from, next] = [0, 0];
  for (const found of template.matchAll(/\{\{|\}\}|\{([^{}:!]*)(?:!([rs]))?(?::([^{}]*))?\}/g)) {
    parts.push(template.slice(from, found.index));
    from = found.index + found[0].length;
    const [whole, name = '', conversion, specification = ''] = found;
    if (whole === '{{' || whole === '}}') parts.push(whole.charAt(0));
    else {
      const value = /^\d+$/.test(name) ? args[Number(name)] : name === '' ? args[next++] : keywords.get(name);
      const plain =
        value &&
        (specification === ''
          ? yield* m.evaluator.text(m, value, conversion === 'r')
          : formatted(value, specification));
      if (plain === undefined) return unknown(m, t('what is formatted here is not known'), 'str');
      parts.push(plain);
    }
  }
  return str(parts.join('') + template.slice(from));
}

/** Runs a change of a list, after it was recorded. */
const changes = (f: (self: List, args: readonly Value[]) => Value): Methods<List>[string] =>
  function* (m, self, args) {
    yield;
    recordList(m, self);
    return f(self, args);
  };

/** The place of what is equal; undefined where that is not known. */
function* placeOf(m: Machine, self: List, value: Value | undefined): Run<number | undefined> {
  for (const [i, item] of self.items.entries()) {
    const same = yield* m.evaluator.equal(m, item, value ?? none);
    if (same === undefined) return undefined;
    if (same) return i;
  }
  return raise('ValueError', `${plainText(value ?? none, true) ?? 'the value'} is not in list`);
}

/** Reads a list; one of which it is not known what it has gives nothing that is known. */
const reads = (f: Methods<List>[string]): Methods<List>[string] =>
  function* (m, self, args, keywords) {
    if (self.unsure) return { kind: 'unknown', cause: self.unsure };
    return yield* f(m, self, args, keywords);
  };

const lists: Methods<List> = {
  append: changes((self, [item]) => {
    self.items.push(item ?? none);
    return none;
  }),
  extend: function* (m, self, [more]) {
    const all = more?.kind === 'unknown' ? [] : yield* itemsOrOpen(m, more);
    recordList(m, self);
    if (more?.kind === 'unknown') self.unsure = more.cause;
    for (const one of [...all]) self.items.push(one);
    return none;
  },
  insert: function* (m, self, [place, item]) {
    yield;
    recordList(m, self);
    const at = place && wholeOf(place);
    if (at === undefined) self.unsure = { text: t('its place is not known'), range: m.here };
    else self.items.splice(Number(at), 0, item ?? none);
    return none;
  },
  pop: reads(function* (m, self, [place]) {
    yield;
    recordList(m, self);
    const at = place ? wholeOf(place) : -1;
    if (self.items.length === 0) raise('IndexError', 'pop from empty list');
    if (at === undefined) {
      self.unsure = { text: t('what is removed is not known'), range: m.here };
      return { kind: 'unknown', cause: self.unsure };
    }
    const i = Number(at);
    const [item] = i < -self.items.length || i >= self.items.length ? [] : self.items.splice(i, 1);
    return item ?? raise('IndexError', 'pop index out of range');
  }),
  remove: reads(function* (m, self, [item]) {
    const at = yield* placeOf(m, self, item);
    recordList(m, self);
    if (at === undefined) self.unsure = { text: t('what is removed is not known'), range: m.here };
    else self.items.splice(at, 1);
    return none;
  }),
  clear: changes((self) => {
    self.items = [];
    return none;
  }),
  reverse: changes((self) => {
    self.items = [...self.items].reverse();
    return none;
  }),
  copy: function* (_, self) {
    yield;
    return { ...self, items: [...self.items] };
  },
  index: reads(function* (m, self, [item]) {
    const at = yield* placeOf(m, self, item);
    return at === undefined ? unknown(m, t('its place is not known'), 'int') : int(at);
  }),
  count: reads(function* (m, self, [item]) {
    let found = 0;
    for (const one of self.items) {
      const same = yield* m.evaluator.equal(m, one, item ?? none);
      if (same === undefined) return unknown(m, t('how often it is there is not known'), 'int');
      if (same) found++;
    }
    return int(found);
  }),
  sort: function* (m, self, _, keywords) {
    const sorted = yield* m.evaluator.call(m, m.builtins.get('sorted') ?? none, { positional: [self], keywords });
    recordList(m, self);
    if (sorted.kind === 'list') self.items = sorted.items;
    else self.unsure = { text: t('the order of what is not known is not known'), range: m.here };
    return none;
  },
};

/** Why a key is not known, itself or a part of it. */
export function openKey(value: Value): Cause | undefined {
  if (value.kind === 'unknown' || value.kind === 'symbol') return value.cause;
  return value.kind === 'tuple' ? value.items.flatMap((item) => openKey(item) ?? [])[0] : undefined;
}

/** What has no hash is refused; what is not known ends the call. */
export function needKey(value: Value): string {
  const key = keyOf(value);
  if (key !== undefined) return key;
  if (value.kind === 'unknown' || value.kind === 'symbol') throw new Open({ kind: 'unknown', cause: value.cause });
  if (value.kind === 'tuple') value.items.forEach(needKey);
  // Its own `__eq__` and `__hash__` say which are one key.
  if (value.kind === 'instance' && classAttribute(value.of, '__hash__'))
    throw new Open({ kind: 'unknown', cause: { text: t('{0} is not known', 'hash'), range: { start: 0, end: 0 } } });
  return raise('TypeError', `unhashable type: '${typeName(value)}'`);
}

const pairs = (self: DictValue): readonly (readonly [Value, Value])[] => [...self.entries.values()];

/** Adds to a Counter: what a dict counts, or each item once. */
function* count(m: Machine, self: DictValue, from: Value): Run<void> {
  const items = yield* m.evaluator.items(m, from);
  if (!items || (from.kind === 'dict' && from.unsure)) self.unsure ??= causeOf(m, from);
  for (const item of items ?? []) {
    const open = openKey(item);
    if (open) {
      self.unsure ??= open;
      continue;
    }
    const key = needKey(item);
    const more = (from.kind === 'dict' && from.entries.get(key)?.[1]) || int(1);
    const before = self.entries.get(key)?.[1];
    setEntry(m, self, key, [item, before ? yield* m.evaluator.binary(m, 'Add', before, more) : more]);
  }
}

function* update(m: Machine, self: DictValue, from: Value | undefined): Run<void> {
  if (self.counts) return from && (yield* count(m, self, from));
  if (from?.kind === 'dict') {
    if (from.unsure) self.unsure ??= from.unsure;
    for (const [key, entry] of from.entries) setEntry(m, self, key, entry);
    return;
  }
  const all = from && (yield* m.evaluator.items(m, from));
  if (!all) self.unsure ??= causeOf(m, from ?? none);
  for (const pair of all ?? []) {
    const [key, value] = (yield* m.evaluator.items(m, pair)) ?? [];
    const open = key ? openKey(key) : causeOf(m, pair);
    if (open) self.unsure ??= open;
    else if (key && value) setEntry(m, self, needKey(key), [key, value]);
  }
}

const viewing = (ofDict: List['ofDict'] & string): Methods<DictValue>[string] =>
  function* (_, self) {
    yield;
    return {
      kind: 'list',
      ofDict,
      dict: self,
      get items() {
        return pairs(self).map((pair) => partOf(pair, ofDict));
      },
      set items(_) {
        // Nothing is put into a view.
      },
      get unsure() {
        return self.unsure;
      },
      set unsure(why) {
        if (why) self.unsure ??= why;
      },
    } as List;
  };

const dicts: Methods<DictValue> = {
  keys: viewing('keys'),
  values: viewing('values'),
  items: viewing('items'),
  get: function* (_, self, [key, otherwise]) {
    yield;
    if (key?.kind === 'unknown') return { kind: 'unknown', cause: key.cause };
    return self.entries.get(needKey(key ?? none))?.[1] ?? otherwise ?? none;
  },
  setdefault: function* (m, self, [key, otherwise]) {
    yield;
    const open = openKey(key ?? none);
    if (open) return { kind: 'unknown', cause: (self.unsure ??= open) };
    const name = needKey(key ?? none);
    if (!self.entries.has(name)) setEntry(m, self, name, [key ?? none, otherwise ?? none]);
    return self.entries.get(name)?.[1] ?? none;
  },
  clear: function* (m, self) {
    yield;
    for (const key of [...self.entries.keys()]) setEntry(m, self, key, undefined);
    return none;
  },
  popitem: function* (m, self, [last], keywords) {
    yield;
    const isFirst = [last ?? keywords.get('last')].some((one) => one?.kind === 'bool' && !one.value);
    const [key, pair] = [...self.entries].at(isFirst ? 0 : -1) ?? raise('KeyError', "'popitem(): dictionary is empty'");
    setEntry(m, self, key, undefined);
    return tuple([...pair]);
  },
  pop: function* (m, self, [key, otherwise]) {
    yield;
    const open = openKey(key ?? none);
    if (open) return { kind: 'unknown', cause: (self.unsure ??= open) };
    const name = needKey(key ?? none);
    const found = self.entries.get(name)?.[1] ?? otherwise ?? raise('KeyError', plainText(key ?? none, true) ?? '?');
    setEntry(m, self, name, undefined);
    return found;
  },
  update: function* (m, self, [from], keywords) {
    if (from) yield* update(m, self, from);
    for (const [name, value] of keywords) setEntry(m, self, `s${name}`, [str(name), value]);
    return none;
  },
  copy: function* (_, self) {
    yield;
    return { ...self, entries: new Map(self.entries) };
  },
  most_common: function* (_, self, [count]) {
    yield;
    const sizeOf = ([, value]: readonly [Value, Value]): number => Number(wholeOf(value) ?? 0);
    const ordered = [...pairs(self)].sort((a, b) => sizeOf(b) - sizeOf(a));
    return list(
      ordered.slice(0, count?.kind === 'int' ? Number(count.value) : ordered.length).map((pair) => tuple(pair)),
    );
  },
};

/** Another set of what is in both, in one, in either. */
const combined = (keep: (here: boolean, there: boolean) => boolean): Methods<SetValue>[string] =>
  function* (m, self, sources) {
    let entries = new Map(self.entries);
    for (const source of sources) {
      const other = new Map(settled(yield* itemsOrOpen(m, source)).map((item) => [needKey(item), item]));
      entries = new Map([...entries, ...other].filter(([key]) => keep(entries.has(key), other.has(key))));
    }
    return { kind: 'set', entries };
  };

const related = (test: (self: SetValue, other: ReadonlySet<string>) => boolean): Methods<SetValue>[string] =>
  function* (m, self, [other]) {
    return bool(test(self, new Set(settled(yield* itemsOrOpen(m, other)).map(needKey))));
  };

const setOf = (self: SetValue): readonly string[] => [...self.entries.keys()];

/** What a set has is not known from a change on that takes what is not known. */
const changesSet = (change: (self: SetValue, key: string, item: Value) => void): Methods<SetValue>[string] =>
  function* (m, self, [item = none]) {
    yield;
    recordSet(m, self);
    const open = openKey(item);
    if (open) self.unsure ??= open;
    else change(self, needKey(item), item);
    return none;
  };

const sets: Methods<SetValue> = {
  add: changesSet((self, key, item) => void self.entries.set(key, item)),
  update: function* (m, self, sources) {
    recordSet(m, self);
    for (const source of sources) {
      const items = yield* m.evaluator.items(m, source);
      if (!items) self.unsure ??= causeOf(m, source);
      for (const item of settled(items ?? [])) {
        const open = openKey(item);
        if (open) self.unsure ??= open;
        else self.entries.set(needKey(item), item);
      }
    }
    return none;
  },
  discard: changesSet((self, key) => void self.entries.delete(key)),
  remove: changesSet((self, key, item) => {
    if (!self.entries.delete(key)) raise('KeyError', plainText(item, true) ?? '?');
  }),
  pop: function* (m, self) {
    yield;
    if (self.entries.size === 0) raise('KeyError', "'pop from an empty set'");
    // Which of them it takes is not said.
    recordSet(m, self);
    self.unsure = { text: t('what is removed is not known'), range: m.here };
    return { kind: 'unknown', cause: self.unsure };
  },
  clear: function* (m, self) {
    yield;
    recordSet(m, self);
    self.entries.clear();
    return none;
  },
  copy: combined((here) => here),
  union: combined(() => true),
  intersection: combined((here, there) => here && there),
  difference: combined((here, there) => here && !there),
  symmetric_difference: combined((here, there) => here !== there),
  issubset: related((self, other) => setOf(self).every((key) => other.has(key))),
  issuperset: related((self, other) => [...other].every((key) => self.entries.has(key))),
  isdisjoint: related((self, other) => setOf(self).every((key) => !other.has(key))),
};

const tuples: Methods<Value> = {
  // TensorFlow's shapes are no tuples, but are used as such.
  as_list: function* (_, self) {
    yield;
    return asList(self);
  },
  index: (m, self, args, keywords) => (lists['index'] as Methods<List>[string])(m, asList(self), args, keywords),
  count: (m, self, args, keywords) => (lists['count'] as Methods<List>[string])(m, asList(self), args, keywords),
};

const asList = (self: Value): List => ({ kind: 'list', items: self.kind === 'tuple' ? [...self.items] : [] });

/** The first of the sequence's numbers that equals `value`, by its place; -1 where none does, undefined where that is not known. */
function* placeInRange(m: Machine, self: Value, value: Value | undefined): Run<number | undefined> {
  const number = value && realOf(value);
  if (self.kind !== 'range' || !value) return -1;
  if (number === undefined) return (yield* m.evaluator.equal(m, int(0), value)) === undefined ? undefined : -1;
  const place = (number - self.start) / self.step;
  return Number.isInteger(place) && place >= 0 && place < rangeSize(self) ? place : -1;
}

const ranges: Methods<Value> = {
  index: function* (m, self, [value]) {
    const place = yield* placeInRange(m, self, value);
    if (place === undefined) return unknown(m, t('its place is not known'), 'int');
    return place < 0
      ? raise('ValueError', `${plainText(value ?? none, true) ?? 'the value'} is not in range`)
      : int(place);
  },
  count: function* (m, self, [value]) {
    const place = yield* placeInRange(m, self, value);
    return place === undefined ? unknown(m, t('how often it is there is not known'), 'int') : int(place < 0 ? 0 : 1);
  },
};

const bytes: Methods<Value> = {
  join: function* (m, self, [parts]) {
    const all = yield* itemsOrOpen(m, parts);
    const texts = all.map((part) => (part.kind === 'bytes' ? part.value : undefined));
    const odd = texts.indexOf(undefined);
    if (odd >= 0) {
      const part = all[odd] ?? none;
      if (part.kind === 'unknown') return { kind: 'unknown', cause: part.cause };
      raise('TypeError', `sequence item ${odd}: expected a bytes-like object, ${typeName(part)} found`);
    }
    return { kind: 'bytes', value: texts.join(self.kind === 'bytes' ? self.value : '') };
  },
  decode: function* (_, self) {
    yield;
    return self.kind === 'bytes' ? decoded(self.value) : none;
  },
};

const real: Methods<Value> = {
  item: function* (_, self) {
    yield;
    return self;
  },
  is_integer: function* (_, self) {
    yield;
    return bool(Number.isInteger(realOf(self)));
  },
  bit_length: function* (_, self) {
    yield;
    const size = BigInt(wholeOf(self) ?? 0);
    return int(size === 0n ? 0 : (size < 0n ? -size : size).toString(2).length);
  },
};

/** Of generators. What is thrown by its class is made first. */
const generators: Methods<Value> = {
  send: (m, self, [value = none]) => ofGenerator(m, self, (walker) => walker.send?.(value)),
  __next__: (m, self) => ofGenerator(m, self, (walker) => walker.next()),
  throw: function* (m, self, [thrown = none]) {
    const made = thrown.kind === 'class' ? yield* m.evaluator.call(m, thrown, { positional: [], keywords: new Map() }) : thrown; // prettier-ignore
    if (made.kind !== 'instance') raise('TypeError', `exceptions must be classes or instances deriving from BaseException, not ${typeName(made)}`); // prettier-ignore
    return yield* ofGenerator(m, self, (walker) => walker.throw?.(new PythonError(made as Instance, m.here)));
  },
  close: function* (_, self) {
    if (self.kind === 'iterator' && self.close) yield* self.close();
    return none;
  },
};

function* ofGenerator(
  m: Machine,
  self: Value,
  turn: (walker: Iterator) => Run<Value | undefined> | undefined,
): Run<Value> {
  const walker = yield* iterator(m, self);
  const asked = walker && turn(walker);
  return asked ? yield* itemOrEnd(m, walker, asked) : { kind: 'unknown', cause: causeOf(m, self) };
}

const byKind = {
  iterator: generators,
  str: text,
  list: lists,
  dict: dicts,
  set: sets,
  tuple: tuples,
  range: ranges,
  bytes,
  int: real,
  float: real,
  bool: real,
} as unknown as Readonly<Partial<Record<Value['kind'], Methods<Value>>>>;

/** What Python has besides: it is not followed, but it is there. */
const others: Readonly<Partial<Record<Value['kind'], string>>> = {
  str: 'format_map isprintable istitle maketrans translate',
  dict: 'move_to_end elements subtract total default_factory',
  set: 'difference_update intersection_update symmetric_difference_update',
  int: 'as_integer_ratio bit_count conjugate denominator from_bytes imag numerator real to_bytes',
  float: 'as_integer_ratio conjugate fromhex hex imag real',
  bytes:
    'hex split replace startswith endswith find count strip lower upper index rfind lstrip rstrip splitlines partition title translate isdigit isalpha zfill fromhex',
  iterator: 'gi_frame gi_code gi_running gi_yieldfrom',
};

/** Of these, what changes its own value. */
const mutating = /^(?:move_to_end|subtract|appendleft|popleft|extendleft|rotate|\w+_update)$/;

/** Whether a type of Python has a method that is followed. */
export const hasMethod = (type: string, name: string): boolean =>
  Object.hasOwn(byKind, type) && Object.hasOwn(byKind[type as Value['kind']] ?? {}, name);

/** A method of a plain value; undefined where Python has none. */
export function methodOf(m: Machine, value: Value, name: string): Value | undefined {
  if (value.kind === 'list' && value.ofDict) return name === 'isdisjoint' || name === 'mapping' || name.startsWith('__') ? unknown(m, t('{0} is not known', `dict.${value.ofDict}.${name}`)) : undefined; // prettier-ignore
  const found = Object.hasOwn(byKind[value.kind] ?? {}, name) ? byKind[value.kind]?.[name] : undefined;
  if (found && (value.kind === 'dict' || value.kind === 'set') && value.unsure)
    return { kind: 'unknown', cause: value.unsure };
  if (found)
    return builtin(
      name,
      guarded(({ positional, keywords }) => found(m, value, positional, keywords)),
    );
  if (mutating.test(name) && (value.kind === 'list' || value.kind === 'dict' || value.kind === 'set'))
    value.unsure ??= { text: t('{0} is not known', `${typeName(value)}.${name}`), range: m.here };
  return others[value.kind]?.split(' ').includes(name) || /^__\w+__$/.test(name)
    ? unknown(m, t('{0} is not known', `${typeName(value)}.${name}`))
    : undefined;
}

/** `dict(pairs, **keywords)`. */
export function* makeDict(
  m: Machine,
  from: Value | undefined,
  keywords: Arguments['keywords'],
  missing?: Value,
  counts = false,
): Run<DictValue> {
  const dict: DictValue = counts ? { kind: 'dict', entries: new Map(), counts } : emptyDict(missing);
  if (from) yield* update(m, dict, from);
  if (from?.kind === 'dict' && from.unsure) dict.unsure = from.unsure;
  for (const [name, value] of keywords) dict.entries.set(`s${name}`, [str(name), value]);
  return dict;
}
