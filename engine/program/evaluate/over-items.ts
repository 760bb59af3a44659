/** Python's built-in functions that go over items: len, range, min, max, sorted, enumerate, zip, map, filter, sum, any, all. */
import {
  bool,
  int,
  list,
  none,
  raise,
  tuple,
  typeName,
  type Arguments,
  type Iterator,
  type Machine,
  type Run,
  type Value,
} from '../machine';
import { attribute } from './attributes';
import { membersOf } from './enumerations';
import { iterator, nextItem, settled, walk, type Turn } from './iterate';
import { dimOf, rangeSize, wholeOf } from './numbers';
import { compare } from './comparisons';
import { binary, truthOf } from './operators';
import { causeOf, itemsOrOpen, Open } from './open';
import { asSymbol } from './stand-ins';

export function* length(m: Machine, value: Value): Run<Value> {
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
    case 'class': {
      const members = membersOf(value);
      if (members) return int(members.size);
      break;
    }
    case 'instance': {
      const own = yield* attribute(m, value, '__len__');
      if (own) return yield* m.evaluator.call(m, own, { positional: [], keywords: new Map() });
    }
  }
  return raise('TypeError', `object of type '${typeName(value)}' has no len()`);
}

export function* range(m: Machine, args: readonly Value[]): Run<Value> {
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

export function* extreme(
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

export function* sorted(m: Machine, args: readonly Value[], keywords: Arguments['keywords']): Run<Value> {
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

export function* enumerated(m: Machine, args: readonly Value[], keywords: Arguments['keywords']): Run<Value> {
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

export function* zipped(m: Machine, args: readonly Value[]): Run<Value> {
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

export function* mapped(m: Machine, args: readonly Value[]): Run<Value> {
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

export function* filtered(m: Machine, [test = none, source]: readonly Value[]): Run<Value> {
  const walker = yield* iterator(m, source ?? none);
  if (!walker) throw new Open({ kind: 'unknown', cause: causeOf(m, source ?? none) });
  const kept: Iterator = {
    kind: 'iterator',
    next: function* () {
      for (;;) {
        const item = yield* walker.next();
        if (!item) return undefined;
        const positional = [item];
        const keeps = yield* truthOf(m, test.kind === 'none' ? item : yield* m.evaluator.call(m, test, { positional, keywords: new Map() })); // prettier-ignore
        if (keeps === undefined) {
          kept.lost ??= causeOf(m, item);
          m.mayHaveEnded = true;
        }
        if (keeps !== false) return item;
      }
    },
  };
  return kept;
}

export function* summed(m: Machine, args: readonly Value[]): Run<Value> {
  let total = args[1] ?? int(0);
  const all = yield* itemsOrOpen(m, args[0]);
  const whole = settled(all);
  // Sums of floats depend on the order.
  for (const item of whole.every(({ kind }) => kind === 'int') ? whole : all)
    total = yield* binary(m, 'Add', total, item);
  return total;
}

export function* every(m: Machine, args: readonly Value[], stops: boolean): Run<Value> {
  const source = args[0] ?? none;
  const items = source.kind === 'iterator' ? source : walk(settled(yield* itemsOrOpen(m, source)));
  const walker = yield* iterator(m, items);
  let open: Value | undefined;
  for (;;) {
    const { item, isSure }: Turn = walker ? yield* nextItem(m, walker) : { item: undefined, isSure: false };
    if (!isSure) return { kind: 'unknown', cause: causeOf(m, items), type: 'bool' };
    if (!item) return open ? { kind: 'unknown', cause: causeOf(m, open), type: 'bool' } : bool(!stops);
    const truth = yield* truthOf(m, item);
    if (truth === stops) return bool(stops);
    if (truth === undefined) open ??= item;
  }
}
