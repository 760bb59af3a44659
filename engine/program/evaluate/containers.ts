/** Methods of text, lists, dicts and sets. */
import { t } from '../../text/l10n';
import { raise, unknown, type Machine } from '../machine';
import {
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
  type Builtin,
  type DictValue,
  type List,
  type Run,
  type SetValue,
  type Str,
  type Value,
} from '../values';
import { recordList, setEntry } from './frames';
import { formatted } from './format';
import { wholeOf } from './numbers';

type Methods<T> = Readonly<
  Record<string, (m: Machine, self: T, args: readonly Value[], keywords: Arguments['keywords']) => Run<Value>>
>;

const textOf = (value: Value | undefined, otherwise = ''): string => (value?.kind === 'str' ? value.value : otherwise);

function* items(m: Machine, value: Value | undefined): Run<readonly Value[]> {
  return (value && (yield* m.evaluator.items(m, value))) ?? [];
}

/** A method of text whose result is computed at once. */
const ofText = (f: (self: string, args: readonly Value[]) => Value): Methods<Str>[string] =>
  function* (_, self, args) {
    yield;
    return f(self.value, args);
  };

const strip = (text: string, set: Value | undefined, left: boolean, right: boolean): string => {
  const drops = (c: string | undefined): boolean =>
    c !== undefined && (set?.kind === 'str' ? set.value.includes(c) : /\s/.test(c));
  let [from, to] = [0, text.length];
  while (left && from < to && drops(text[from])) from++;
  while (right && to > from && drops(text[to - 1])) to--;
  return text.slice(from, to);
};

function split(text: string, [mark, limit]: readonly Value[]): Value {
  const most = limit?.kind === 'int' ? Number(limit.value) : -1;
  if (mark?.kind !== 'str') {
    const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
    return list(
      (most < 0 ? words : [...words.slice(0, most), ...(words.length > most ? [words.slice(most).join(' ')] : [])]).map(
        str,
      ),
    );
  }
  const parts = text.split(mark.value);
  return list(
    (most < 0 || parts.length <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(mark.value)]).map(str),
  );
}

const starts = (args: readonly Value[], test: (part: string) => boolean): Value => {
  const [asked] = args;
  return bool((asked?.kind === 'tuple' ? asked.items : [asked]).some((part) => test(textOf(part))));
};

const text: Methods<Str> = {
  lower: ofText((s) => str(s.toLowerCase())),
  upper: ofText((s) => str(s.toUpperCase())),
  title: ofText((s) =>
    str(s.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())),
  ),
  capitalize: ofText((s) => str(s.charAt(0).toUpperCase() + s.slice(1).toLowerCase())),
  strip: ofText((s, [set]) => str(strip(s, set, true, true))),
  lstrip: ofText((s, [set]) => str(strip(s, set, true, false))),
  rstrip: ofText((s, [set]) => str(strip(s, set, false, true))),
  split: function* (_, self, args, keywords) {
    yield;
    return split(self.value, [args[0] ?? keywords.get('sep') ?? none, args[1] ?? keywords.get('maxsplit') ?? none]);
  },
  splitlines: ofText((s) => list(s.split(/\r\n|\n|\r/).map(str))),
  startswith: ofText((s, args) => starts(args, (part) => s.startsWith(part))),
  endswith: ofText((s, args) => starts(args, (part) => s.endsWith(part))),
  replace: ofText((s, [from, to]) => str(s.replaceAll(textOf(from), () => textOf(to)))),
  find: ofText((s, [part]) => int(s.indexOf(textOf(part)))),
  count: ofText((s, [part]) => int(s.split(textOf(part)).length - 1)),
  isdigit: ofText((s) => bool(/^\d+$/.test(s))),
  isalpha: ofText((s) => bool(/^\p{L}+$/u.test(s))),
  isspace: ofText((s) => bool(/^\s+$/.test(s))),
  zfill: ofText((s, [width]) => str(s.padStart(Number(width?.kind === 'int' ? width.value : 0), '0'))),
  ljust: ofText((s, [width, fill]) =>
    str(s.padEnd(Number(width?.kind === 'int' ? width.value : 0), textOf(fill, ' '))),
  ),
  rjust: ofText((s, [width, fill]) =>
    str(s.padStart(Number(width?.kind === 'int' ? width.value : 0), textOf(fill, ' '))),
  ),
  encode: ofText((s) => ({ kind: 'bytes', value: String.fromCharCode(...new TextEncoder().encode(s)) })),
  join: function* (m, self, [parts]) {
    const all = yield* items(m, parts);
    const odd = all.find((part) => part.kind !== 'str');
    if (odd || parts?.kind === 'unknown') return unknown(m, t('not all parts that are joined are known'), 'str');
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

const placeOf = (self: List, value: Value | undefined): number => {
  const key = value && keyOf(value);
  const i = self.items.findIndex((item) => item === value || (key !== undefined && keyOf(item) === key));
  return i >= 0 ? i : raise('ValueError', 'the value is not in list');
};

const lists: Methods<List> = {
  append: changes((self, [item]) => {
    self.items.push(item ?? none);
    return none;
  }),
  extend: function* (m, self, [more]) {
    const all = yield* items(m, more);
    recordList(m, self);
    if (more?.kind === 'unknown') self.unsure = more.cause;
    self.items.push(...all);
    return none;
  },
  insert: changes((self, [place, item]) => {
    self.items.splice(Number(place && wholeOf(place)), 0, item ?? none);
    return none;
  }),
  pop: changes((self, [place]) => {
    const i = place ? Number(wholeOf(place)) : -1;
    const [item] = self.items.splice(i < 0 ? i + self.items.length : i, 1);
    return item ?? raise('IndexError', 'pop from empty list');
  }),
  remove: changes((self, [item]) => {
    self.items.splice(placeOf(self, item), 1);
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
  index: function* (_, self, [item]) {
    yield;
    return int(placeOf(self, item));
  },
  count: function* (_, self, [item]) {
    yield;
    const key = item && keyOf(item);
    return int(self.items.filter((one) => one === item || (key !== undefined && keyOf(one) === key)).length);
  },
  sort: function* (m, self, _, keywords) {
    const sorted = yield* m.evaluator.call(m, m.builtins.get('sorted') ?? none, { positional: [self], keywords });
    recordList(m, self);
    if (sorted.kind === 'list') self.items = sorted.items;
    else self.unsure = { text: t('the order of what is not known is not known'), range: m.here };
    return none;
  },
};

export const needKey = (value: Value): string =>
  keyOf(value) ?? raise('TypeError', `unhashable type: '${typeName(value)}'`);

const pairs = (self: DictValue): readonly (readonly [Value, Value])[] => [...self.entries.values()];

function* update(m: Machine, self: DictValue, from: Value | undefined): Run<void> {
  if (from?.kind === 'dict') for (const [key, entry] of from.entries) setEntry(m, self, key, entry);
  else
    for (const pair of yield* items(m, from)) {
      const [key, value] = yield* items(m, pair);
      if (key && value) setEntry(m, self, needKey(key), [key, value]);
    }
}

const dicts: Methods<DictValue> = {
  keys: function* (_, self) {
    yield;
    return list(pairs(self).map(([key]) => key));
  },
  values: function* (_, self) {
    yield;
    return list(pairs(self).map(([, value]) => value));
  },
  items: function* (_, self) {
    yield;
    return list(pairs(self).map((pair) => tuple(pair)));
  },
  get: function* (_, self, [key, otherwise]) {
    yield;
    if (key?.kind === 'unknown') return { kind: 'unknown', cause: key.cause };
    return self.entries.get(needKey(key ?? none))?.[1] ?? otherwise ?? none;
  },
  setdefault: function* (m, self, [key, otherwise]) {
    yield;
    const name = needKey(key ?? none);
    if (!self.entries.has(name)) setEntry(m, self, name, [key ?? none, otherwise ?? none]);
    return self.entries.get(name)?.[1] ?? none;
  },
  pop: function* (m, self, [key, otherwise]) {
    yield;
    const name = needKey(key ?? none);
    const found = self.entries.get(name)?.[1] ?? otherwise ?? raise('KeyError', name.slice(1));
    setEntry(m, self, name, undefined);
    return found;
  },
  update: function* (m, self, [from], keywords) {
    yield* update(m, self, from);
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

const sets: Methods<SetValue> = {
  add: function* (_, self, [item]) {
    yield;
    self.entries.set(needKey(item ?? none), item ?? none);
    return none;
  },
  update: function* (m, self, [more]) {
    for (const item of yield* items(m, more)) self.entries.set(needKey(item), item);
    return none;
  },
  discard: function* (_, self, [item]) {
    yield;
    self.entries.delete(needKey(item ?? none));
    return none;
  },
  union: function* (m, self, [more]) {
    const all = new Map(self.entries);
    for (const item of yield* items(m, more)) all.set(needKey(item), item);
    return { kind: 'set', entries: all };
  },
  intersection: function* (m, self, [more]) {
    const keys = new Set((yield* items(m, more)).map(needKey));
    return { kind: 'set', entries: new Map([...self.entries].filter(([key]) => keys.has(key))) };
  },
};

const tuples: Methods<Value> = {
  index: (m, self, args, keywords) => (lists['index'] as Methods<List>[string])(m, asList(self), args, keywords),
  count: (m, self, args, keywords) => (lists['count'] as Methods<List>[string])(m, asList(self), args, keywords),
};

const asList = (self: Value): List => ({ kind: 'list', items: self.kind === 'tuple' ? [...self.items] : [] });

const bytes: Methods<Value> = {
  decode: function* (_, self) {
    yield;
    const codes = self.kind === 'bytes' ? [...self.value].map((c) => c.charCodeAt(0)) : [];
    return str(new TextDecoder('utf-8').decode(Uint8Array.from(codes)));
  },
};

const byKind = { str: text, list: lists, dict: dicts, set: sets, tuple: tuples, bytes } as unknown as Readonly<
  Partial<Record<Value['kind'], Methods<Value>>>
>;

/** A method of a plain value; undefined where Python has none, or none that is followed. */
export function methodOf(m: Machine, value: Value, name: string): Builtin | undefined {
  const found = byKind[value.kind]?.[name];
  if (found) return builtin(name, ({ positional, keywords }) => found(m, value, positional, keywords));
  const number = value.kind === 'int' || value.kind === 'float' ? value : undefined;
  if (number && name === 'item') return builtin(name, ofText(() => number).bind(undefined, m, str(''), [], new Map()));
  if (number && name === 'is_integer')
    return builtin(
      name,
      ofText(() => bool(Number.isInteger(Number(number.value)))).bind(undefined, m, str(''), [], new Map()),
    );
  return undefined;
}

/** `dict(pairs, **keywords)`. */
export function* makeDict(
  m: Machine,
  from: Value | undefined,
  keywords: Arguments['keywords'],
  missing?: Value,
): Run<DictValue> {
  const dict = emptyDict(missing);
  yield* update(m, dict, from);
  for (const [name, value] of keywords) dict.entries.set(`s${name}`, [str(name), value]);
  return dict;
}
