/** Classes and functions that no line calls are read with stand-in arguments, so that their lines have shapes too. */
import { exceptionOf, exceptionText, derivesFrom, fieldsNeeded } from './classes';
import { t } from '../../text';
import { call } from './calls';
import { standIn } from './stand-ins';
import {
  at,
  note,
  PythonError,
  Stopped,
  type Machine,
  type ClassValue,
  type FunctionValue,
  type Instance,
  type Run,
  type Value,
} from '../machine';
import { textOf, type Source, type Statement, type Unit, type Arg } from '../syntax';
import { Raised } from '../tensor';
import { attribute } from './attributes';

/** How a function was read: what its stand-in arguments turned out to be, and what it computed. */
export interface Reading {
  readonly args: ReadonlyMap<string, Value>;
  /** Of its nodes in the graph, the first and the one after the last. */
  readonly nodes: readonly [from: number, to: number];
}

/** By function: of a constructor or a method too; by class where its fields are what a constructor takes. */
export type Readings = Map<FunctionValue | ClassValue, Reading>;

export function* standInCalls(m: Machine, units: readonly Unit[]): Run<Readings> {
  m.standIn = true;
  const readings: Readings = new Map();
  let left = m.steps;
  for (const value of definitionsOf(m, units)) {
    // One that never ends leaves steps for those after it.
    const share = Math.ceil(left / 2);
    m.steps = share;
    yield* ended(m, () =>
      value.kind === 'function' ? callOnce(m, readings, value, []) : methodsOnce(m, readings, value),
    );
    left -= share - Math.max(0, m.steps);
  }
  m.steps = left;
  return readings;
}

function* ended(m: Machine, run: () => Run<void>): Run<void> {
  try {
    yield* run();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    note(m, 'stopped', t('stopped here: the program takes more steps than are followed'));
  }
}

/** The functions and classes of the text itself; those whose name was bound again, as tutorials do from version to version, come last. */
export function definitionsOf(m: Machine, units: readonly Unit[]): readonly (FunctionValue | ClassValue)[] {
  const sources = new Set(units.map(({ source }) => source));
  return [...new Set([...m.globals.names.values(), ...m.defined])].filter(
    (value): value is FunctionValue | ClassValue =>
      (value.kind === 'function' && sources.has(value.source)) ||
      (value.kind === 'class' && [...value.attributes.values()].map(bare).some(isOwn)),
  );
}

export const isOwn = (value: Value | undefined): value is FunctionValue =>
  value?.kind === 'function' && value.source.own;

/** What `@staticmethod` and `@classmethod` stand before. */
export const bare = (value: Value): Value =>
  value.kind === 'static' || value.kind === 'classmethod' ? value.function : value;

function* methodsOnce(m: Machine, readings: Readings, of: ClassValue): Run<void> {
  for (const value of of.attributes.values()) {
    const free = bare(value);
    if (free !== value && isOwn(free)) yield* callOnce(m, readings, free, value.kind === 'static' ? [] : [of]);
  }
  const methods = [...of.attributes.values()].filter(isOwn);
  if (methods.length === 0 || methods.every(({ body }) => m.entered.has(body)) || derivesFrom(of, 'BaseException'))
    return;
  const self = yield* instanceOf(m, readings, of);
  if (!self) return;
  for (const method of methods) if (!m.entered.has(method.body)) yield* callOnce(m, readings, method, [self]);
}

/** An instance made with stand-ins; one without attributes where its constructor refuses them. */
function* instanceOf(m: Machine, readings: Readings, of: ClassValue): Run<Instance | undefined> {
  const start = yield* attribute(m, of, '__init__');
  const args =
    start?.kind === 'function'
      ? standIns(m, neededToMake(of, start))
      : new Map<string, Value>(fieldsNeeded(of).map((name) => [name, standIn(m, name)]));
  const from = m.graph.nodes.length;
  const made = yield* guarded(m, () => call(m, of, { positional: [], keywords: args }));
  readings.set(start?.kind === 'function' ? start : of, { args, nodes: [from, m.graph.nodes.length] });
  return made?.kind === 'instance' ? made : { kind: 'instance', of, attributes: new Map() };
}

/** A parameter that a call has to give. */
export interface Needed extends Arg {
  readonly source: Source;
}

/** Parameters that have no default, from the place `from` on. */
export function neededOf(of: FunctionValue, from: number): readonly Needed[] {
  const { parameters, defaults, keywordDefaults, source } = of;
  const plain = [...parameters.posonlyargs, ...parameters.args];
  const needed = [
    ...plain.slice(from, Math.max(from, plain.length - defaults.length)),
    ...parameters.kwonlyargs.filter(({ arg }) => !keywordDefaults.has(arg)),
  ];
  return needed.map((parameter) => ({ ...parameter, source }));
}

/** What a constructor needs, and of the one that it hands the rest on to (`super().__init__(*args, **kwargs)`) what that needs too. */
export function neededToMake(of: ClassValue, start: FunctionValue): readonly Needed[] {
  const own = neededOf(start, 1);
  const at = start.owner ?? of;
  const behind = at.bases.map(constructorOf).find((one) => one !== undefined);
  const given = start.parameters.kwarg && behind ? handedOn(start) : undefined;
  if (!behind || !given) return own;
  const names = new Set([...start.parameters.args, ...start.parameters.kwonlyargs].map(({ arg }) => arg));
  const needed = behind.owner ? neededToMake(behind.owner, behind) : neededOf(behind, 1);
  return [...own, ...needed.slice(given.count).filter(({ arg }) => !names.has(arg) && !given.names.includes(arg))];
}

function constructorOf({ attributes, bases }: ClassValue): FunctionValue | undefined {
  const own = attributes.get('__init__');
  return own ? (isOwn(own) ? own : undefined) : bases.map(constructorOf).find((one) => one !== undefined);
}

/** How many arguments `super().__init__(dim, heads=2, **kwargs)` gives by place, and which by name; undefined where it hands no others on. */
function handedOn({
  body,
  source,
}: FunctionValue): { readonly count: number; readonly names: readonly string[] } | undefined {
  const text = Array.isArray(body) ? (body as readonly Statement[]).map((one) => textOf(source, one)).join('\n') : '';
  const [, bare, list] = /(?:super\(([^()]*)\)|\b\w+)\.__init__\(([^()]*\*\*[^()]*)\)/.exec(text) ?? [];
  if (list === undefined) return undefined;
  const all = list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('*'));
  const named = all.flatMap((one) => /^(\w+)\s*=/.exec(one)?.[1] ?? []);
  // `Base.__init__(self, …)` gives the object too.
  const byClass = bare === undefined && !text.includes('super(') ? 1 : 0;
  return { count: Math.max(0, all.length - named.length - byClass), names: named };
}

/** Stand-ins for the parameters that have no default. */
const standIns = (m: Machine, needed: readonly Needed[]): Map<string, Value> =>
  new Map(
    needed.map((parameter) => {
      at(m, parameter.source, parameter);
      return [parameter.arg, standIn(m, parameter.arg)] as const;
    }),
  );

function* callOnce(m: Machine, readings: Readings, value: FunctionValue, first: readonly Value[]): Run<void> {
  if (m.entered.has(value.body)) return;
  const args = standIns(m, neededOf(value, first.length));
  const from = m.graph.nodes.length;
  yield* guarded(m, () => call(m, value, { positional: first, keywords: args }));
  readings.set(value, { args, nodes: [from, m.graph.nodes.length] });
}

function* guarded(m: Machine, run: () => Run<Value>): Run<Value | undefined> {
  try {
    return yield* run();
  } catch (error) {
    if (!(error instanceof Raised || error instanceof PythonError)) throw error;
    note(m, 'unknown', exceptionText(exceptionOf(m, error)), error.range ?? m.here);
    return undefined;
  } finally {
    Object.assign(m, { stack: [], depth: 0, via: undefined, journal: undefined, unsure: 0, unsureLoop: undefined });
  }
}
