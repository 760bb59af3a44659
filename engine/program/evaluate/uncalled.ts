/** Classes and functions that no line calls are read with stand-in arguments, so that their lines have shapes too. */
import { exceptionOf, exceptionText, derivesFrom } from './classes';
import { call } from './calls';
import { standIn } from './stand-ins';
import { at, note, PythonError, type Machine } from '../machine';
import type { Unit } from '../syntax/parse';
import type { Arg } from '../syntax/tree';
import { Raised } from '../tensor/errors';
import type { ClassValue, FunctionValue, Instance, Run, Value } from '../values';
import { attribute } from './attributes';

export function* standInCalls(m: Machine, units: readonly Unit[]): Run<void> {
  m.standIn = true;
  const sources = new Set(units.map(({ source }) => source));
  for (const value of [...m.globals.names.values()]) {
    if (value.kind === 'function' && sources.has(value.source)) yield* callOnce(m, value, []);
    if (value.kind === 'class') yield* methodsOnce(m, value);
  }
}

const isOwn = (value: Value | undefined): value is FunctionValue => value?.kind === 'function' && value.source.own;

function* methodsOnce(m: Machine, of: ClassValue): Run<void> {
  const methods = [...of.attributes.values()].filter(isOwn);
  if (methods.length === 0 || methods.every(({ body }) => m.entered.has(body)) || derivesFrom(of, 'BaseException'))
    return;
  const self = yield* instanceOf(m, of);
  if (!self) return;
  for (const method of methods) if (!m.entered.has(method.body)) yield* callOnce(m, method, [self]);
}

/** An instance made with stand-ins; one without attributes where its constructor refuses them. */
function* instanceOf(m: Machine, of: ClassValue): Run<Instance | undefined> {
  const start = yield* attribute(m, of, '__init__');
  const args = start?.kind === 'function' ? standIns(m, start, 1) : new Map<string, Value>();
  const made = yield* guarded(m, () => call(m, of, { positional: [], keywords: args }));
  return made?.kind === 'instance' ? made : { kind: 'instance', of, attributes: new Map() };
}

/** Stand-ins for the parameters that have no default. */
function standIns(
  m: Machine,
  { parameters, defaults, source, keywordDefaults }: FunctionValue,
  from: number,
): Map<string, Value> {
  const plain = [...parameters.posonlyargs, ...parameters.args];
  const needed: readonly Arg[] = [
    ...plain.slice(from, plain.length - defaults.length),
    ...parameters.kwonlyargs.filter(({ arg }) => !keywordDefaults.has(arg)),
  ];
  return new Map(
    needed.map((parameter) => {
      at(m, source, parameter);
      return [parameter.arg, standIn(m, parameter.arg)] as const;
    }),
  );
}

function* callOnce(m: Machine, value: FunctionValue, first: readonly Value[]): Run<void> {
  if (m.entered.has(value.body)) return;
  const args = standIns(m, value, first.length);
  yield* guarded(m, () => call(m, value, { positional: first, keywords: args }));
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
