/** `itertools`: what walks over others. Results that Python makes one by one are lists here; endless ones are made as they are asked for. */
import { t } from '../../text';
import { iterator, wholeOf, causeOf, Open } from '../evaluate';

import { int, list, none, tuple, type Iterator, type Run, type Value } from '../machine';
import { absent, given, intArgument } from './support';
import { notFollowed, type Call, type Row } from './table';

function* walked(call: Call, value: Value): Run<readonly Value[]> {
  return (yield* call.m.evaluator.items(call.m, value)) ?? notFollowed(call.m, t('what is walked here is not known'));
}

function* walkerOf(call: Call, value: Value): Run<Iterator> {
  const found = yield* iterator(call.m, value);
  if (!found) throw new Open({ kind: 'unknown', cause: causeOf(call.m, value) });
  return found;
}

const iteratorOf = (next: () => Run<Value | undefined>): Iterator => ({ kind: 'iterator', next });

function* chained(call: Call): Run<Value> {
  const out: Value[] = [];
  const sources = call.name.endsWith('from_iterable') ? yield* walked(call, call.rest[0] ?? none) : call.rest;
  for (const source of sources) out.push(...(yield* walked(call, source)));
  return list(out);
}

/** More rows than these are not made. */
const most = 100_000;

const bounded = (call: Call, rows: Value[][]): Value[][] =>
  rows.length > most ? notFollowed(call.m, t('more than {0} elements are not made', most)) : rows;

function* products(call: Call): Run<Value> {
  let all: Value[][] = [[]];
  const repeat = call.keywords.get('repeat');
  const times = repeat ? Number(wholeOf(repeat) ?? notFollowed(call.m, t('what is walked here is not known'))) : 1;
  for (const source of Array.from({ length: times }, () => call.rest).flat()) {
    const items = yield* walked(call, source);
    all = bounded(
      call,
      all.flatMap((one) => items.map((item) => [...one, item])),
    );
  }
  return list(all.map((one) => tuple(one)));
}

/** Rows of `r` items: of places that `next` allows after those that are taken. */
function* arranged(call: Call, next: (taken: readonly number[], i: number) => boolean): Run<Value> {
  const items = yield* walked(call, given(call, 'iterable'));
  const r = yield* intArgument(call, 'r', items.length);
  let rows: number[][] = [[]];
  for (let n = 0; n < r; n++) {
    rows = rows.flatMap((taken) => items.flatMap((_, i) => (next(taken, i) ? [[...taken, i]] : [])));
    if (rows.length > most) return notFollowed(call.m, t('more than {0} elements are not made', most));
    yield;
  }
  return list(rows.map((places) => tuple(places.map((i) => items[i] as Value))));
}

function* repeated(call: Call): Run<Value> {
  const times = call.get('times');
  const value = given(call, 'object');
  if (!absent(times))
    return list(Array.from({ length: Math.min(most, yield* intArgument(call, 'times')) }, () => value));
  return iteratorOf(function* () {
    yield;
    return value;
  });
}

function* counted(call: Call): Run<Value> {
  let at = call.get('start') ?? int(0);
  const step = call.get('step') ?? int(1);
  yield;
  return iteratorOf(function* () {
    const value = at;
    at = yield* call.m.evaluator.binary(call.m, 'Add', at, step);
    return value;
  });
}

function* cycled(call: Call): Run<Value> {
  const items = yield* walked(call, given(call, 'iterable'));
  let i = 0;
  return iteratorOf(function* () {
    yield;
    return items[i++ % Math.max(1, items.length)];
  });
}

function* islice(call: Call): Run<Value> {
  const [source = none, ...bounds] = call.rest;
  const [a, b, c] = bounds.map((one) => (one.kind === 'none' ? undefined : Number(wholeOf(one) ?? NaN)));
  if ([a, b, c].some(Number.isNaN)) return notFollowed(call.m, t('where the slice ends is not known'));
  const [start, stop, step] = bounds.length === 1 ? [0, a ?? Infinity, 1] : [a ?? 0, b ?? Infinity, c ?? 1];
  const walker = yield* walkerOf(call, source);
  const out: Value[] = [];
  for (let i = 0; i < stop && out.length < most; i++) {
    const item = yield* walker.next();
    if (!item) break;
    if (i >= start && (i - start) % step === 0) out.push(item);
  }
  return list(out);
}

function* accumulated(call: Call): Run<Value> {
  const { m } = call;
  const combine = call.get('func');
  const initial = call.get('initial');
  const items = [...(absent(initial) ? [] : [initial]), ...(yield* walked(call, given(call, 'iterable')))];
  const out: Value[] = [];
  for (const item of items) {
    const last = out.at(-1);
    if (!last) out.push(item);
    else if (absent(combine)) out.push(yield* m.evaluator.binary(m, 'Add', last, item));
    else out.push(yield* m.evaluator.call(m, combine, { positional: [last, item], keywords: new Map() }));
  }
  return list(out);
}

function* longest(call: Call): Run<Value> {
  const rows: (readonly Value[])[] = [];
  for (const source of call.rest) rows.push(yield* walked(call, source));
  const fill = call.keywords.get('fillvalue') ?? none;
  const size = Math.max(0, ...rows.map(({ length }) => length));
  return list(Array.from({ length: size }, (_, i) => tuple(rows.map((row) => row[i] ?? fill))));
}

function* pairs(call: Call): Run<Value> {
  const items = yield* walked(call, given(call, 'iterable'));
  return list(items.slice(1).map((item, i) => tuple([items[i] as Value, item])));
}

const row = (names: string, signature: string, run: Row['run']): Row => ({
  names,
  signature,
  run,
  source: 'The Python Standard Library, itertools',
  oracle: 'python',
});

const after = (taken: readonly number[]): number => taken.at(-1) ?? -1;

export const itertoolsRows: readonly Row[] = [
  row('itertools.chain itertools.chain.from_iterable', '*iterables', chained),
  row('itertools.product', '*iterables, **', products),
  row('itertools.permutations', 'iterable, r=', (call) => arranged(call, (taken, i) => !taken.includes(i))),
  row('itertools.combinations', 'iterable, r', (call) => arranged(call, (taken, i) => i > after(taken))),
  row('itertools.combinations_with_replacement', 'iterable, r', (call) =>
    arranged(call, (taken, i) => i >= Math.max(0, after(taken))),
  ),
  row('itertools.repeat', 'object, times=', repeated),
  row('itertools.count', 'start=, step=', counted),
  row('itertools.cycle', 'iterable', cycled),
  row('itertools.islice', '*args', islice),
  row('itertools.accumulate', 'iterable, func=, *, initial=', accumulated),
  row('itertools.zip_longest', '*iterables, **', longest),
  row('itertools.pairwise', 'iterable', pairs),
];
