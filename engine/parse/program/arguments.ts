import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
import type { Place } from './arithmetic';
import { typeNamed } from './dtypes';
import { describe, refuse, type Library, type NumberType, type Value } from './values';

/** The arguments of a call, computed. Each is taken once; `done` refuses what is left. */
export interface Arguments {
  /** The call. */
  readonly at: Place;
  /** As written: `np.full`. */
  readonly name: string;
  readonly positional: readonly Value[];
  readonly named: Map<string, Value>;
  taken: number;
}

/** The next positional argument, or the one of that name. */
export function taken(args: Arguments, name: string): Value | undefined {
  if (args.taken < args.positional.length && !args.named.has(name)) return args.positional[args.taken++];
  const value = args.named.get(name);
  args.named.delete(name);
  return value;
}

/** One that is never given by position. */
export function option(args: Arguments, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const value = args.named.get(name);
    if (value === undefined) continue;
    args.named.delete(name);
    return value;
  }
  return undefined;
}

export function required(args: Arguments, name: string): Value {
  return taken(args, name) ?? refuse(args.at, t('{0}(…) without {1}', args.name, name));
}

export function wholeNumber(value: Value, name: string, at: TextRange): number {
  const single = value.kind === 'array' && value.shape.length === 0 ? value.values[0] : undefined;
  const n = value.kind === 'scalar' && value.type !== 'float' ? value.value : single;
  return n !== undefined && Number.isSafeInteger(n)
    ? n
    : refuse(at, t('{0} is {1}, expected a whole number', name, describe(value)));
}

export function realNumber(value: Value, name: string, at: TextRange): number {
  if (value.kind === 'scalar') return value.value;
  if (value.kind === 'array' && value.shape.length === 0) return value.values[0] ?? NaN;
  return refuse(at, t('{0} is {1}, expected a number', name, describe(value)));
}

export const isNone = (value: Value | undefined): boolean =>
  value === undefined || (value.kind === 'word' && value.text === 'None');

/** `(2, 3)`, `[2, 3]` or `2`. */
export function sizesOf(value: Value, at: TextRange): number[] {
  if (value.kind === 'array' && value.shape.length === 1) return [...value.values].map((n) => size(n, at));
  if (value.kind === 'sequence') return value.items.map((v) => wholeNumber(v, t('a size'), at));
  return [wholeNumber(value, t('a size'), at)];
}

const size = (n: number, at: TextRange): number =>
  Number.isSafeInteger(n) ? n : refuse(at, t('a size is {0}, expected a whole number', n));

/** All positional arguments that are left as sizes: `(2, 3)` as one, or `2, 3`. */
export function restAsSizes(args: Arguments, ...names: readonly string[]): number[] {
  const named = option(args, ...names);
  if (named !== undefined) return sizesOf(named, args.at);
  const rest = args.positional.slice(args.taken);
  args.taken = args.positional.length;
  const [only] = rest;
  if (only && rest.length === 1) return sizesOf(only, args.at);
  return rest.map((v) => wholeNumber(v, t('a size'), args.at));
}

/** No size below 0, none of them −1. */
export function checkedSizes(sizes: readonly number[], at: TextRange): readonly number[] {
  const wrong = sizes.find((n) => n < 0);
  return wrong === undefined ? sizes : refuse(at, t('a size is {0}', wrong));
}

export function dtypeOption(args: Arguments, library: Library): NumberType | undefined {
  const value = option(args, 'dtype');
  return isNone(value) || value === undefined ? undefined : typeOf(value, library, args.at);
}

export const typeOf = (value: Value, library: Library, at: TextRange): NumberType =>
  value.kind === 'word' ? typeNamed(value.text, library, at) : refuse(at, t('{0} is no dtype', describe(value)));

/** Arguments that leave the numbers as they are. */
const harmless = ['device', 'requires_grad', 'copy', 'name', 'layout', 'pin_memory', 'subok', 'like', 'trainable'];

/** Refuses the arguments that were not taken. */
export function done(args: Arguments): void {
  for (const name of harmless) args.named.delete(name);
  const [name] = args.named.keys();
  if (name !== undefined) refuse(args.at, t('{0}(…, {1}=) is not computed', args.name, name));
  if (args.taken < args.positional.length)
    refuse(args.at, t('{0}(…) with {1} arguments is not computed', args.name, args.positional.length));
}
