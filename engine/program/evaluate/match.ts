/** `match`: patterns, tried in order (PEP 634). */
import {
  list,
  raise,
  type ClassValue,
  type DictValue,
  type Frame,
  type Machine,
  type Run,
  type Value,
} from '../machine';
import type { tree } from '../syntax';
import { attribute } from './attributes';
import { classAttribute } from './classes';
import { compare } from './comparisons';
import { needKey } from './containers';
import { evaluate } from './expressions';
import { itemsOf } from './iterate';
import { isInstance, truthOf } from './operators';

/** What a pattern binds, once all of it fits. */
export type Captured = Map<string, Value>;

/** Whether a value fits a pattern; undefined where that is not known. */
export function* fits(
  m: Machine,
  pattern: tree.Pattern,
  value: Value,
  frame: Frame,
  into: Captured,
): Run<boolean | undefined> {
  switch (pattern.nodeType) {
    case 'MatchValue':
      return yield* truthOf(m, yield* compare(m, 'Eq', value, yield* evaluate(m, pattern.value, frame)));
    case 'MatchSingleton': {
      if (value.kind === 'unknown') return undefined;
      const of = pattern.value;
      return of === null ? value.kind === 'none' : value.kind === 'bool' && value.value === of;
    }
    case 'MatchAs': {
      const fit = pattern.pattern ? yield* fits(m, pattern.pattern, value, frame, into) : true;
      if (pattern.name !== undefined) into.set(pattern.name, value);
      return fit;
    }
    case 'MatchOr':
      return yield* oneOf(m, pattern, value, frame, into);
    case 'MatchSequence':
      return yield* sequence(m, pattern, value, frame, into);
    case 'MatchMapping':
      return yield* mapping(m, pattern, value, frame, into);
    case 'MatchClass':
      return yield* ofClass(m, pattern, value, frame, into);
    default:
      return undefined;
  }
}

function* oneOf(
  m: Machine,
  { patterns }: tree.MatchOr,
  value: Value,
  frame: Frame,
  into: Captured,
): Run<boolean | undefined> {
  for (const one of patterns) {
    const own: Captured = new Map();
    const fit = yield* fits(m, one, value, frame, own);
    if (fit === false) continue;
    for (const [name, captured] of own) into.set(name, captured);
    return fit;
  }
  return false;
}

/** All in order, as far as one does not fit. */
function* each(
  m: Machine,
  pairs: readonly (readonly [tree.Pattern, Value | undefined])[],
  frame: Frame,
  into: Captured,
): Run<boolean | undefined> {
  let all: boolean | undefined = true;
  for (const [pattern, value] of pairs) {
    const fit = value ? yield* fits(m, pattern, value, frame, into) : false;
    if (fit === false) return false;
    if (fit === undefined) all = undefined;
  }
  return all;
}

function* sequence(
  m: Machine,
  { patterns }: tree.MatchSequence,
  value: Value,
  frame: Frame,
  into: Captured,
): Run<boolean | undefined> {
  if (value.kind === 'unknown') return undefined;
  if (value.kind !== 'list' && value.kind !== 'tuple' && value.kind !== 'range') return false;
  const items = yield* itemsOf(m, value);
  if (!items) return undefined;
  const star = patterns.findIndex(({ nodeType }) => nodeType === 'MatchStar');
  const behind = star < 0 ? 0 : patterns.length - star - 1;
  if (star < 0 ? items.length !== patterns.length : items.length < patterns.length - 1) return false;
  return yield* each(
    m,
    patterns.map((one, i) => {
      if (one.nodeType !== 'MatchStar')
        return [one, items[star >= 0 && i > star ? items.length - (patterns.length - i) : i]];
      const rest = list([...items.slice(star, items.length - behind)]);
      return [{ ...one, nodeType: 'MatchAs' }, rest];
    }),
    frame,
    into,
  );
}

function* mapping(
  m: Machine,
  { keys, patterns, rest }: tree.MatchMapping,
  value: Value,
  frame: Frame,
  into: Captured,
): Run<boolean | undefined> {
  if (value.kind === 'unknown' || (value.kind === 'dict' && value.unsure)) return undefined;
  if (value.kind !== 'dict') return false;
  const asked: string[] = [];
  for (const key of keys) asked.push(needKey(yield* evaluate(m, key, frame)));
  if (rest !== undefined && rest !== null) {
    const others: DictValue = {
      kind: 'dict',
      entries: new Map([...value.entries].filter(([k]) => !asked.includes(k))),
    };
    into.set(rest, others);
  }
  return yield* each(
    m,
    patterns.map((one, i) => [one, value.entries.get(asked[i] as string)?.[1]]),
    frame,
    into,
  );
}

/** `int(n)` and the like bind the value itself. */
const ofThemselves = new Set('bool bytearray bytes dict float frozenset int list set str tuple'.split(' '));

function* ofClass(
  m: Machine,
  { cls, patterns, kwd_attrs, kwd_patterns }: tree.MatchClass,
  value: Value,
  frame: Frame,
  into: Captured,
): Run<boolean | undefined> {
  const of = yield* evaluate(m, cls, frame);
  const is = isInstance(value, of);
  if (!is?.value) return is?.value;
  const pairs: (readonly [tree.Pattern, Value | undefined])[] = [];
  const [first] = patterns;
  if (first && of.kind === 'class' && ofThemselves.has(of.name)) pairs.push([first, value]);
  else if (first) {
    const names = of.kind === 'class' ? namesOf(of) : undefined;
    if (!names) return undefined;
    if (patterns.length > names.length)
      raise('TypeError', `${typeNameOf(of)}() accepts ${names.length} positional sub-pattern${names.length === 1 ? '' : 's'} (${patterns.length} given)`); // prettier-ignore
    for (const [i, pattern] of patterns.entries())
      pairs.push([pattern, yield* attribute(m, value, names[i] as string)]);
  }
  for (const [i, pattern] of kwd_patterns.entries())
    pairs.push([pattern, yield* attribute(m, value, kwd_attrs[i] as string)]);
  return yield* each(m, pairs, frame, into);
}

const typeNameOf = (of: Value): string => (of.kind === 'class' ? of.name : '');

/** `__match_args__`: written, or the fields of a dataclass. */
function namesOf(of: ClassValue): readonly string[] | undefined {
  const written = classAttribute(of, '__match_args__');
  if (written?.kind === 'tuple') return written.items.flatMap((one) => (one.kind === 'str' ? [one.value] : []));
  return of.fields ?? (of.cause ? undefined : []);
}
