/** Calls: arguments to parameters, functions, classes. */
import { t } from '../../text';
import {
  PythonError,
  loseStreams,
  raise,
  step,
  still,
  unknown,
  type Machine,
  dictOf,
  none,
  str,
  tuple,
  typeName,
  type Arguments,
  type ClassValue,
  type Frame,
  type FunctionValue,
  type Instance,
  type Run,
  type Unknown,
  type Value,
} from '../machine';
import type { Arg } from '../syntax';
import { Raised, type Cause } from '../tensor';
import { classAttribute, derivesFrom, extendsModule, fieldsFor, linearized, openBase, unready } from './classes';
import { memberOf, membersOf } from './enumerations';
import { evaluate } from './expressions';
import { needKey, openKey } from './containers';
import { recordList, setKey, unsetKey } from './frames';
import { generatorOf, newYields } from './generators';
import { causeOf } from './open';
import { stopsIteration } from './iterate';
import { join } from './join';
import { loseValues } from './operators';
import { runBody, type Signal } from './statements';
import { attribute, bound } from './attributes';

/** Most calls within calls; Python's own limit is 1000. */
const deepest = 60;

/** Libraries that are not followed and take no numbers from NumPy's or PyTorch's streams. */
const drawsNothing = new Set(
  'matplotlib seaborn plotly pandas IPython tqdm requests urllib json pickle pathlib re string datetime pprint argparse subprocess shutil glob csv io base64 zipfile tarfile gzip PIL cv2 nltk spacy graphviz networkx google wandb tiktoken datasets psutil socket threading hashlib textwrap numbers fractions decimal statistics traceback tempfile uuid platform rich tabulate torchviz urllib3 unicodedata heapq bisect random'.split(
    ' ',
  ),
);

/** Returns the callee's own generator. One that delegated to it would be resumed too, each time that it yields. */
export function call(m: Machine, callee: Value, args: Arguments): Run<Value> {
  step(m);
  switch (callee.kind) {
    case 'builtin':
      return callee.call(args);
    case 'function':
      return callFunction(m, callee, args);
    case 'method':
      return call(m, callee.function, { ...args, positional: [callee.self, ...args.positional] });
    case 'class':
      return instantiate(m, callee, args);
    case 'unknown':
      return notCalled(m, callee, args);
    case 'static':
    case 'classmethod':
      return call(m, callee.function, args);
    default:
      return callObject(m, callee, args);
  }
}

function* notCalled(m: Machine, callee: Unknown, { positional }: Arguments): Run<Value> {
  if (callee.standIn) callee.standIn.isCalled = true;
  if (!drawsNothing.has(callee.library ?? '')) loseStreams(m, callee.cause);
  if (callee.changes && callee.self) loseValues(m, callee.self, callee.cause);
  if (callee.changes) for (const one of positional) loseContents(m, one, callee.changes, callee.cause);
  return still(callee);
}

/** Something that is not followed wrote into what it was given, or put it into another order. */
function loseContents(m: Machine, value: Value, changes: true | 'order', why: Cause): void {
  if (value.kind === 'tensor') loseValues(m, value, why);
  else if (value.kind === 'list') {
    recordList(m, value);
    const [first, ...rest] = value.items;
    if (changes !== 'order') value.unsure ??= why;
    else if (first) {
      const any = rest.reduce((all, item) => join(m, all, item, why), first);
      value.items = value.items.map(() => any);
    }
  } else if (value.kind === 'dict' || value.kind === 'set') value.unsure ??= why;
}

function* callObject(m: Machine, callee: Value, args: Arguments): Run<Value> {
  const own = yield* attribute(m, callee, '__call__');
  if (own) return yield* call(m, own, args);
  return raise('TypeError', `'${typeName(callee)}' object is not callable`);
}

/** A function that keeps what it gave runs once for the same arguments. */
export function* callFunction(m: Machine, callee: FunctionValue, args: Arguments): Run<Value> {
  const { kept } = callee;
  if (!kept) return yield* callAnew(m, callee, args);
  const open = [...args.positional, ...args.keywords.values()].find(openKey);
  if (open) return { kind: 'unknown', cause: causeOf(m, open) };
  const key = [...args.positional, ...[...args.keywords].map(([name, value]) => tuple([str(name), value]))].map((one) => `${one.kind}${needKey(one)}`).join(); // prettier-ignore
  const known = kept.made.get(key);
  const made = known ?? (yield* callAnew(m, callee, args));
  // What was asked for last goes last.
  unsetKey(m, kept.made, key);
  setKey(m, kept.made, key, made);
  const [oldest] = kept.made.keys();
  if (kept.made.size > kept.size && oldest !== undefined) unsetKey(m, kept.made, oldest);
  return made;
}

function* callAnew(m: Machine, callee: FunctionValue, args: Arguments): Run<Value> {
  if (m.stack.length + m.depth > deepest * 4 || m.depth > deepest)
    return unknown(m, t('calls within calls, more than {0} deep', deepest));
  if (openRecursion(m, callee)) return unknown(m, t('{0} calls itself, and how often is not known', callee.name));
  const { stack, here, via } = m;
  const names = boundArguments(m, callee, yield* asSigned(m, callee, args));
  if ('kind' in names) return names;
  if (callee.isGenerator) {
    const frame = frameFor(m, callee, args, names);
    return generatorOf(m, frame.yields ?? newYields(), resultOf(m, callee, frame), callee);
  }
  const active = m.active.get(callee.body) ?? [];
  m.active.set(callee.body, [...active, m.journal]);
  m.entered.add(callee.body);
  m.depth++;
  if (callee.source.own) {
    m.stack = [...stack, here];
    m.via = undefined;
  }
  try {
    return yield* resultOf(m, callee, frameFor(m, callee, args, names));
  } catch (error) {
    if (error instanceof Raised && callee.source.own) error.range ??= m.here;
    throw error;
  } finally {
    m.active.set(callee.body, active);
    m.depth--;
    m.stack = stack;
    m.here = here;
    m.via = via;
  }
}

/** What TensorFlow makes of numbers and texts for a function with an `input_signature`: tensors. */
function* asSigned(m: Machine, { attributes }: FunctionValue, args: Arguments): Run<Arguments> {
  const signature = attributes.get('input_signature') ?? none;
  const constant = signature.kind === 'none' ? undefined : m.library(m, 'tf.constant');
  if (!constant) return args;
  const positional: Value[] = [];
  for (const one of args.positional)
    positional.push(/^(?:str|int|float|bool|list)$/.test(one.kind) ? yield* call(m, constant, { positional: [one], keywords: new Map() }) : one); // prettier-ignore
  return { ...args, positional };
}

/** Both ways of a condition that is not known, each of which calls the function again, would double with every call. */
function openRecursion(m: Machine, { body, name, source }: FunctionValue): boolean {
  // Modules within modules are called by the same lines of the library, which call no module again but by the code's own.
  if (!source.own && (name === '__call__' || name === 'forward')) return false;
  const active = m.active.get(body) ?? [];
  return active.length > 1 && active.at(-1) !== m.journal;
}

function* resultOf(m: Machine, callee: FunctionValue, frame: Frame): Run<Value> {
  if (!Array.isArray(callee.body)) return yield* evaluate(m, callee.body as Parameters<typeof evaluate>[1], frame);
  const why = { text: t('which way the code goes here is not known'), range: m.here };
  let signal: Signal | undefined;
  try {
    signal = yield* runBody(m, callee.body, frame);
  } catch (error) {
    // It may have returned before: `if mode == 'a': return 1` of an unknown mode, then `raise`.
    if (!(error instanceof Raised || error instanceof PythonError) || frame.maybe.length === 0) throw error;
    if (stopsIteration(m, error)) m.mayHaveEnded = true;
    return frame.maybe.reduce((value, other) => join(m, value, other, why));
  }
  const returned = signal?.kind === 'return' ? signal.value : none;
  return frame.maybe.reduce((value, other) => join(m, value, other, why), returned);
}

export const newFrame = (
  parts: Pick<Frame, 'outer' | 'globals' | 'source'> & Partial<Pick<Frame, 'running' | 'self' | 'yields'>>,
): Frame => ({ ...parts, names: new Map(), declared: new Map(), maybe: [] });

function frameFor(m: Machine, callee: FunctionValue, args: Arguments, names: ReadonlyMap<string, Value>): Frame {
  const { closure, source } = callee;
  const self = args.positional[0];
  const frame = newFrame({
    outer: closure,
    globals: closure.globals,
    source,
    running: callee,
    ...(self ? { self } : {}),
    ...(callee.isGenerator ? { yields: newYields() } : {}),
  });
  for (const [name, value] of names) {
    frame.names.set(name, value);
    if (source.own) noteBinding(m, callee, name, value);
  }
  return frame;
}

/** Parameters are names too: what they are bound to is what a reader looks for first. */
function noteBinding(m: Machine, { parameters, source }: FunctionValue, name: string, value: Value): void {
  const { posonlyargs, args, vararg, kwonlyargs, kwarg } = parameters;
  const parameter = [...posonlyargs, ...args, ...kwonlyargs, vararg, kwarg].find((one) => one?.arg === name);
  if (parameter && name !== 'self') m.evaluator.bound(m, source, parameter, name, value);
}

/** Arguments by their parameters; an unknown value where a function of a library is given what is not followed. */
function boundArguments(
  m: Machine,
  callee: FunctionValue,
  { positional, keywords }: Arguments,
): Map<string, Value> | Unknown {
  const { posonlyargs, args, vararg, kwonlyargs, kwarg } = callee.parameters;
  const names = new Map<string, Value>();
  const plain: readonly Arg[] = [...posonlyargs, ...args];
  plain.forEach(({ arg }, i) => positional[i] && names.set(arg, positional[i]));
  const rest = positional.slice(plain.length);
  if (vararg) names.set(vararg.arg, tuple(rest));
  else if (rest.length > 0) return tooMany(m, callee, plain.length, positional.length);
  const others: [string, Value][] = [];
  for (const [name, value] of keywords) {
    if (names.has(name) && plain.some(({ arg }) => arg === name))
      raise('TypeError', `${callee.qualifiedName}() got multiple values for argument '${name}'`);
    if ([...args, ...kwonlyargs].some(({ arg }) => arg === name)) names.set(name, value);
    else if (kwarg) others.push([name, value]);
    else return notTaken(m, callee, `got an unexpected keyword argument '${name}'`, `${name}=`);
  }
  if (kwarg) names.set(kwarg.arg, dictOf(others));
  plain.forEach(({ arg }, i) => fill(names, arg, callee.defaults[i - plain.length + callee.defaults.length]));
  kwonlyargs.forEach(({ arg }) => fill(names, arg, callee.keywordDefaults.get(arg)));
  const lacking = (of: readonly Arg[]): string[] => of.flatMap(({ arg }) => (names.has(arg) ? [] : [arg]));
  missing(callee, lacking(plain), 'positional');
  missing(callee, lacking(kwonlyargs), 'keyword-only');
  return names;
}

function fill(names: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value && !names.has(name)) names.set(name, value);
}

function tooMany(m: Machine, callee: FunctionValue, takes: number, given: number): Unknown {
  const least = takes - callee.defaults.length;
  const range = least === takes ? `${takes}` : `from ${least} to ${takes}`;
  return notTaken(
    m,
    callee,
    `takes ${range} positional argument${takes === 1 ? '' : 's'} but ${given} were given`,
    '…',
  );
}

/** Python refuses it; but a function of a library may take more, in this version or another, than is followed here. */
function notTaken(m: Machine, { source, qualifiedName }: FunctionValue, refusal: string, given: string): Unknown {
  if (source.own) return raise('TypeError', `${qualifiedName}() ${refusal}`);
  return unknown(m, t('{0} is not followed', `${qualifiedName.replace('.__init__', '')}(${given})`));
}

function missing(
  { qualifiedName: name }: Pick<FunctionValue, 'qualifiedName'>,
  lacking: readonly string[],
  kind: string,
): void {
  if (lacking.length === 0) return;
  const names = lacking.map((arg) => `'${arg}'`);
  const last = names.pop() as string;
  const listed = names.length === 0 ? last : `${names.join(', ')}${names.length > 1 ? ',' : ''} and ${last}`;
  raise(
    'TypeError',
    `${name}() missing ${lacking.length} required ${kind} argument${lacking.length === 1 ? '' : 's'}: ${listed}`,
  );
}

function* instantiate(m: Machine, of: ClassValue, args: Arguments): Run<Value> {
  const members = membersOf(of);
  if (members) return memberOf(of, members, args.positional[0] ?? args.keywords.get('value'));
  const make = classAttribute(of, '__new__');
  if (make?.kind === 'function') {
    const made = yield* call(m, make, { ...args, positional: [of, ...args.positional] });
    return made.kind === 'instance' && linearized(made.of).includes(of) ? yield* begin(m, made, args) : made;
  }
  if (make?.kind === 'builtin') {
    // Python's own value would lose what the class adds to it.
    const adds = of.own && [...of.attributes.keys()].some((name) => !/^__(?:annotations|doc|slots)__$/.test(name));
    return adds ? unknown(m, t('{0} is not known', of.name)) : yield* make.call(args);
  }
  return yield* begin(m, { kind: 'instance', of, attributes: new Map() }, args);
}

/** `__init__` of an instance. */
function* begin(m: Machine, instance: Instance, args: Arguments): Run<Value> {
  const { of } = instance;
  const start = classAttribute(of, '__init__');
  const isException = derivesFrom(of, 'BaseException');
  if (isException) instance.attributes.set('args', tuple(args.positional));
  if (start) {
    if (of.own && extendsModule(m, of)) unready.add(instance);
    const started = yield* call(m, start, { ...args, positional: [instance, ...args.positional] });
    return started.kind === 'unknown' && start.kind === 'function' && !start.source.own ? started : instance;
  }
  if (isException) return instance;
  if (of.fields) yield* fillFields(m, of, instance, args);
  else if (!openBase(of) && args.positional.length + args.keywords.size > 0)
    raise('TypeError', `${of.name}() takes no arguments`);
  return instance;
}

/** What a dataclass's own `__init__` does. */
function* fillFields(m: Machine, of: ClassValue, instance: Instance, { positional, keywords }: Arguments): Run<void> {
  const fields = fieldsFor(of, 'init');
  const least = fields.filter((name) => !classAttribute(of, name)).length + 1;
  if (positional.length > fields.length)
    raise(
      'TypeError',
      `${of.name}.__init__() takes ${least > fields.length ? '' : `from ${least} to `}${fields.length + 1} positional arguments but ${positional.length + 1} were given`,
    );
  for (const name of keywords.keys())
    if (!fields.includes(name))
      raise('TypeError', `${of.name}.__init__() got an unexpected keyword argument '${name}'`);
  const lacking: string[] = [];
  for (const name of of.fields ?? []) {
    const i = fields.indexOf(name);
    const value = (i < 0 ? undefined : (positional[i] ?? keywords.get(name))) ?? (yield* defaultOf(m, of, name));
    if (value) instance.attributes.set(name, value);
    else if (i >= 0) lacking.push(name);
  }
  missing({ qualifiedName: `${of.name}.__init__` }, lacking, 'positional');
  const after = classAttribute(of, '__post_init__');
  if (after) yield* call(m, bound(instance, after), { positional: [], keywords: new Map() });
}

function* defaultOf(m: Machine, of: ClassValue, name: string): Run<Value | undefined> {
  const value = classAttribute(of, name);
  if (value?.kind !== 'tuple' || value.names?.[0] !== 'default_factory') return value;
  return yield* call(m, value.items[0] ?? none, { positional: [], keywords: new Map() });
}
