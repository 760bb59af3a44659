/** Statements. */
import { t } from '../../text';
import { type Cause, type Dim, Raised } from '../tensor';
import { dimOf } from './numbers';
import { asSymbol, shaped } from './stand-ins';
import {
  at,
  cause,
  isTimeToStop,
  note,
  PythonError,
  raise,
  step,
  unknown,
  type Machine,
  type ClassValue,
  dictOf,
  none,
  str,
  type Frame,
  type Instance,
  type Run,
  type Value,
} from '../machine';
import { assignedNames, rangeOf, textOf, type tree } from '../syntax';
import { attribute } from './attributes';
import { classAttribute, collectFields, derivesFrom, exceptionOf, linearized, makeClass } from './classes';
import { makeMembers } from './enumerations';
import { importFrom, importNames } from './imports';
import { evaluate, makeFunction, quick } from './expressions';
import { bind, unbind } from './frames';
import { iterator, nextItem, stopsIteration } from './iterate';
import { adopt, join, joinLeft, tried, watched, type Left } from './join';
import { fits, type Captured } from './match';
import { augmented, truthOf } from './operators';
import { causeOf } from './open';
import { getSubscript, setSubscript } from './subscript';
import { assign, remove } from './targets';

/** How a body ended, if not by its last statement. */
export type Signal = { readonly kind: 'return'; readonly value: Value } | { readonly kind: 'break' | 'continue' };

export function* runBody(m: Machine, body: readonly tree.Statement[], frame: Frame): Run<Signal | undefined> {
  for (const statement of body) {
    step(m);
    if (isTimeToStop(m)) yield;
    const signal = yield* run(m, statement, frame);
    if (signal) return signal;
  }
  return undefined;
}

/** Each kind is a generator of its own: one within the other would be resumed at every place to stop. */
function run(m: Machine, node: tree.Statement, frame: Frame): Run<Signal | undefined> {
  switch (node.nodeType) {
    case 'If':
      return conditional(m, node, frame);
    case 'For':
    case 'AsyncFor':
      return forLoop(m, node, frame);
    case 'While':
      return whileLoop(m, node, frame);
    case 'Expr':
    case 'Assign':
    case 'AugAssign':
    case 'AnnAssign':
    case 'Return':
      return simple(m, node, frame);
    default:
      return rarer(m, node, frame);
  }
}

type Simple = tree.ExpressionStatement | tree.Assign | tree.AugAssign | tree.AnnAssign | tree.Return;

function* simple(m: Machine, node: Simple, frame: Frame): Run<Signal | undefined> {
  switch (node.nodeType) {
    case 'Expr': {
      const value = yield* evaluate(m, node.value, frame);
      if (frame.globals === frame && frame.source.own && value.kind !== 'none' && node.value.nodeType !== 'Constant')
        m.evaluator.echo(m, frame.source, node, value);
      return undefined;
    }
    case 'Assign': {
      const value = quick(m, node.value, frame) ?? (yield* evaluate(m, node.value, frame));
      for (const target of node.targets) yield* assign(m, target, value, frame);
      return undefined;
    }
    case 'AugAssign':
      yield* augment(m, node, frame);
      return undefined;
    case 'AnnAssign':
      yield* annotated(m, node, frame);
      return undefined;
    case 'Return': {
      const value = node.value && (quick(m, node.value, frame) ?? (yield* evaluate(m, node.value, frame)));
      return { kind: 'return', value: value ?? none };
    }
  }
}

function define(m: Machine, frame: Frame, name: string, value: Value): undefined {
  bind(m, frame, name, value);
  if (frame === m.globals) m.defined.add(value);
}

function* rarer(m: Machine, node: tree.Statement, frame: Frame): Run<Signal | undefined> {
  switch (node.nodeType) {
    case 'Break':
      return { kind: 'break' };
    case 'Continue':
      return { kind: 'continue' };
    case 'FunctionDef':
    case 'AsyncFunctionDef':
      return define(m, frame, node.name, yield* decorated(m, yield* makeFunction(m, node.name, node.args, node.body, frame), node.decorator_list, frame)); // prettier-ignore
    case 'ClassDef':
      return define(m, frame, node.name, yield* decorated(m, yield* classOf(m, node, frame), node.decorator_list, frame)); // prettier-ignore
    case 'Import':
      yield* importNames(m, node, frame);
      return undefined;
    case 'ImportFrom':
      yield* importFrom(m, node, frame);
      return undefined;
    case 'With':
    case 'AsyncWith':
      return yield* within(m, node, frame);
    case 'Try':
    case 'TryStar':
      return yield* tryBlock(m, node, frame);
    case 'Raise':
      return yield* raised(m, node, frame);
    case 'Assert':
      yield* assertion(m, node, frame);
      return undefined;
    case 'Delete':
      for (const target of node.targets) yield* remove(m, target, frame);
      return undefined;
    case 'Global':
    case 'Nonlocal':
      for (const name of node.names) frame.declared.set(name, node.nodeType === 'Global' ? 'global' : 'nonlocal');
      return undefined;
    case 'Match':
      return yield* cases(m, node.cases, yield* evaluate(m, node.subject, frame), frame);
    default:
      return undefined;
  }
}

function* augment(m: Machine, node: tree.AugAssign, frame: Frame): Run<void> {
  const { target } = node;
  if (target.nodeType === 'Subscript') {
    const owner = yield* evaluate(m, target.value, frame);
    const key = yield* evaluate(m, target.slice, frame);
    const value = yield* evaluate(m, node.value, frame);
    at(m, frame.source, node);
    const before = yield* getSubscript(m, owner, key);
    const after = yield* augmented(m, node.op.nodeType, before, value);
    const shares = owner.kind === 'tensor' && after.kind === 'tensor' && after === before && after.root === owner.root;
    if (!shares) yield* setSubscript(m, owner, key, after);
    return;
  }
  const before = yield* evaluate(m, target, frame);
  const value = yield* evaluate(m, node.value, frame);
  at(m, frame.source, node);
  yield* assign(m, target, yield* augmented(m, node.op.nodeType, before, value), frame);
}

/** Annotations say nothing here but the order of a dataclass's fields. */
function* annotated(m: Machine, node: tree.AnnAssign, frame: Frame): Run<void> {
  const fields = frame.names.get('__annotations__');
  if (
    fields?.kind === 'dict' &&
    node.target.nodeType === 'Name' &&
    !textOf(frame.source, node.annotation).includes('ClassVar')
  )
    for (const [key, entry] of dictOf([[node.target.id, none]]).entries) fields.entries.set(key, entry);
  if (node.value) yield* assign(m, node.target, yield* evaluate(m, node.value, frame), frame);
}

/** How one branch ended: also by an exception, which in the other may not come. */
interface Branch {
  readonly signal: Signal | undefined;
  readonly error?: unknown;
}

function* branch(run: Run<Signal | undefined>): Run<Branch> {
  try {
    return { signal: yield* run };
  } catch (error) {
    if (error instanceof PythonError || error instanceof Raised) return { signal: undefined, error };
    throw error;
  }
}

function* conditional(m: Machine, node: tree.If, frame: Frame): Run<Signal | undefined> {
  const test = quick(m, node.test, frame) ?? (yield* evaluate(m, node.test, frame));
  at(m, frame.source, node.test);
  const truth = m.forced?.get(node) ?? (yield* truthOf(m, test));
  if (truth !== undefined) return yield* runBody(m, truth ? node.body : node.orelse, frame);
  const why = causeOf(m, test);
  const a = yield* tried(m, () => branch(runBody(m, node.body, frame)));
  const b = yield* tried(m, () => branch(runBody(m, node.orelse, frame)));
  return together(m, a, b, why, frame);
}

/** The first case that fits is taken; where that is not known, it or one of those behind it. */
function* cases(
  m: Machine,
  [first, ...rest]: readonly tree.MatchCase[],
  subject: Value,
  frame: Frame,
): Run<Signal | undefined> {
  if (!first) return undefined;
  at(m, frame.source, first);
  const captured: Captured = new Map();
  const fit = yield* fits(m, first.pattern, subject, frame, captured);
  if (fit === false) return yield* cases(m, rest, subject, frame);
  for (const [name, value] of captured) bind(m, frame, name, value);
  const holds = first.guard ? yield* truthOf(m, yield* evaluate(m, first.guard, frame)) : true;
  if (holds === false) return yield* cases(m, rest, subject, frame);
  if (fit && holds) return yield* runBody(m, first.body, frame);
  const why = cause(m, t('which way the code goes here is not known'));
  const a = yield* tried(m, () => branch(runBody(m, first.body, frame)));
  const b = yield* tried(m, () => branch(cases(m, rest, subject, frame)));
  return together(m, a, b, why, frame);
}

interface Tried {
  readonly result: Branch;
  readonly left: readonly Left[];
}

/** Goes on as one of two branches may have ended. One that raises is not taken: the program is read as one that works. */
function together(m: Machine, a: Tried, b: Tried, why: Cause, frame: Frame): Signal | undefined {
  if (a.result.error && b.result.error) throw a.result.error;
  const [x, y] = [a.result.signal, b.result.signal];
  const raised = a.result.error ?? b.result.error;
  if (raised) {
    if (stopsIteration(m, raised)) m.mayHaveEnded = true;
    adopt(m, a.result.error ? b.left : a.left);
    return a.result.error ? y : x;
  }
  if (x?.kind === 'return' && y?.kind === 'return') {
    joinLeft(m, a.left, b.left, why);
    return { kind: 'return', value: join(m, x.value, y.value, why) };
  }
  if (x?.kind === y?.kind) {
    joinLeft(m, a.left, b.left, why);
    return x;
  }
  const [ended, goesOn] = x && (!y || x.kind === 'return') ? [x, b] : [y, a];
  if (ended?.kind === 'return') frame.maybe.push(ended.value);
  else m.unsureLoop ??= why;
  adopt(m, goesOn.left);
  return goesOn.result.signal;
}

function* forLoop(m: Machine, node: tree.For, frame: Frame): Run<Signal | undefined> {
  const source = yield* evaluate(m, node.iter, frame);
  at(m, frame.source, node.iter);
  const walker = yield* iterator(m, source);
  if (!walker) {
    yield* assign(m, node.target, { kind: 'unknown', cause: causeOf(m, source) }, frame);
    return yield* onceOrNot(m, node.body, frame, causeOf(m, source));
  }
  const next = function* (): Run<boolean | undefined> {
    const { item, isSure } = yield* nextItem(m, walker);
    if (item) yield* assign(m, node.target, item, frame);
    return isSure ? item !== undefined : undefined;
  };
  return yield* looped(m, node, frame, next, (why) => assign(m, node.target, { kind: 'unknown', cause: why }, frame));
}

/** Steps of one loop: of a longer one the rest is read once, for its shapes. */
const longestLoop = 60_000;
/** Operations of one loop, likewise, once it has gone round a few times. */
const widestLoop = { nodes: 10_000, turns: 4 };

/** Asked after each turn of a loop: why its other turns are not followed one by one. */
function lengthOf(m: Machine, { yields }: Frame): () => Cause | undefined {
  const { steps, trained, here } = m;
  // A generator's loop has not taken the steps that others took while it stood.
  const away = { ...(yields?.away ?? { steps: 0, nodes: 0 }) };
  const nodes = m.graph.nodes.length;
  let turns = 0;
  return () => {
    turns++;
    if (m.trained > trained) return { text: t('training is not followed'), range: here };
    const others = yields?.away ?? away;
    const long = steps - m.steps - (others.steps - away.steps) >= longestLoop;
    const made = m.graph.nodes.length - nodes - (others.nodes - away.nodes);
    const wide = turns >= widestLoop.turns && made >= widestLoop.nodes;
    if (!long && !wide) return undefined;
    const text = t('this loop takes more steps than are followed');
    note(m, 'unknown', text, here);
    return { text, range: here };
  };
}

/** A loop whose turns are known; a turn that may end it makes what it assigns unsure. */
function* looped(
  m: Machine,
  node: tree.For | tree.While,
  frame: Frame,
  next: () => Run<boolean | undefined>,
  forgetItem: (why: Cause) => Run<void>,
): Run<Signal | undefined> {
  const outer = m.unsureLoop;
  const tooLong = lengthOf(m, frame);
  m.unsureLoop = undefined;
  let signal: Signal | undefined;
  let more = yield* next();
  while (more) {
    step(m);
    signal = yield* runBody(m, node.body, frame);
    if (signal?.kind === 'break' || signal?.kind === 'return') break;
    if (m.unsureLoop && --m.unsureTurns < 0) break;
    more = yield* next();
    const why = more && tooLong();
    if (!why) continue;
    yield* forgetItem(why);
    m.unsureLoop = outer;
    m.shortened++;
    try {
      return yield* onceOrNot(m, node.body, frame, why);
    } finally {
      m.shortened--;
    }
  }
  const unsure = m.unsureLoop;
  m.unsureLoop = outer;
  if (more === undefined)
    return yield* onceOrNot(m, node.body, frame, { text: t('how often this runs is not known'), range: m.here });
  if (unsure) forgetAssigned(m, node.body, frame, unsure);
  if (signal?.kind === 'return') return signal;
  return signal?.kind === 'break' ? undefined : yield* runBody(m, node.orelse, frame);
}

function* whileLoop(m: Machine, node: tree.While, frame: Frame): Run<Signal | undefined> {
  const next = function* (): Run<boolean | undefined> {
    const test = yield* evaluate(m, node.test, frame);
    at(m, frame.source, node.test);
    return yield* truthOf(m, test);
  };
  return yield* looped(m, node, frame, next, function* () {
    yield;
  });
}

/** A loop of which it is not known how often it runs: one turn for its shapes, then what it changed is unsure. */
function* onceOrNot(m: Machine, body: readonly tree.Statement[], frame: Frame, why: Cause): Run<Signal | undefined> {
  const { result, left } = yield* tried(m, () => branch(runBody(m, body, frame)));
  if (result.error) throw result.error;
  joinLeft(m, left, [], why);
  forgetAssigned(m, body, frame, why, new Set(left.map(({ slot }) => slot.key)));
  if (result.signal?.kind === 'return') frame.maybe.push(result.signal.value);
  return undefined;
}

/** Names that a body may bind, but for those of which it is known what it leaves. */
function forgetAssigned(
  m: Machine,
  body: readonly tree.Statement[],
  frame: Frame,
  why: Cause,
  but?: Set<string>,
): void {
  for (const name of assignedNames(body))
    if (!but?.has(name) && (but || frame.names.has(name))) bind(m, frame, name, { kind: 'unknown', cause: why });
}

function* decorated(m: Machine, value: Value, decorators: readonly tree.Expression[], frame: Frame): Run<Value> {
  let result = value;
  for (const node of [...decorators].reverse()) {
    const decorator = yield* evaluate(m, node, frame);
    at(m, frame.source, node);
    const made = yield* m.evaluator.call(m, decorator, { positional: [result], keywords: new Map() });
    if (made.kind !== 'unknown') {
      result = made;
      continue;
    }
    note(m, 'assumed', t('the decorator is not followed: what it decorates is read as it stands'));
    // It may add an `__init__` and other members.
    if (result.kind === 'class') result.cause ??= made.cause;
    if (result.kind === 'function') result = { ...result, cause: made.cause };
  }
  return result;
}

function* classOf(m: Machine, node: tree.ClassDef, frame: Frame): Run<Value> {
  const bases: Value[] = [];
  for (const base of node.bases) bases.push(yield* evaluate(m, base, frame));
  at(m, frame.source, node);
  const open = bases.find((base) => base.kind !== 'class' && base.kind !== 'builtin' && base.kind !== 'module');
  const inner: Frame = {
    names: new Map(),
    outer: frame,
    globals: frame.globals,
    declared: new Map(),
    source: frame.source,
    maybe: [],
  };
  inner.names.set('__annotations__', dictOf([]));
  yield* runBody(m, node.body, inner);
  const known = bases.flatMap((base) => (base.kind === 'class' ? [base] : []));
  const of: ClassValue = {
    ...makeClass(node.name, known, inner.names),
    ...(open ? { cause: causeOf(m, open) } : {}),
    ...(frame.source.own ? { own: true as const } : {}),
  };
  // Methods look names up around the class, not in it.
  for (const value of inner.names.values()) adoptMethod(of, value, frame);
  const parent = linearized(of).find(({ fields }) => fields);
  if (classAttribute(of, '__collects_fields__')) collectFields(of);
  else if (parent) Object.assign(of, { fields: parent.fields, without: parent.without, options: parent.options });
  makeMembers(of);
  yield* madeKnown(m, node, of, frame);
  return of;
}

/** What Python calls once a class is there: `__set_name__` of its descriptors, `__init_subclass__` of its bases. A metaclass is not followed. */
function* madeKnown(m: Machine, node: tree.ClassDef, of: ClassValue, frame: Frame): Run<void> {
  const keywords = new Map<string, Value>();
  for (const { arg, value } of node.keywords) keywords.set(arg ?? '', yield* evaluate(m, value, frame));
  const meta = keywords.get('metaclass');
  keywords.delete('metaclass');
  if (meta && !(meta.kind !== 'unknown' && 'name' in meta && /ABCMeta|EnumMeta|EnumType/.test(String(meta.name))))
    of.cause ??= causeOf(m, unknown(m, t('{0} is not followed', 'metaclass')));
  for (const [name, value] of of.attributes) {
    const tell = value.kind === 'instance' ? classAttribute(value.of, '__set_name__') : undefined;
    if (tell) yield* m.evaluator.call(m, tell, { positional: [value, of, str(name)], keywords: new Map() });
  }
  const hook = linearized(of).slice(1).map(({ attributes }) => attributes.get('__init_subclass__')).find((one) => one); // prettier-ignore
  if (hook)
    yield* m.evaluator.call(m, hook.kind === 'classmethod' ? hook.function : hook, { positional: [of], keywords });
}

function adoptMethod(of: ReturnType<typeof makeClass>, value: Value, frame: Frame): void {
  if (value.kind === 'function') {
    if (!value.owner) value.qualifiedName = `${of.name}.${value.name}`;
    value.owner ??= of;
    if (value.closure.names === of.attributes) Object.assign(value, { closure: frame });
  } else if (value.kind === 'property') {
    adoptMethod(of, value.getter, frame);
    if (value.setter) adoptMethod(of, value.setter, frame);
  } else if (value.kind === 'static' || value.kind === 'classmethod') adoptMethod(of, value.function, frame);
}

function* within(m: Machine, node: tree.With, frame: Frame): Run<Signal | undefined> {
  const nothing = { positional: [], keywords: new Map<string, Value>() };
  const exits: Value[] = [];
  for (const { context_expr, optional_vars } of node.items) {
    const context = yield* evaluate(m, context_expr, frame);
    const enter = context.kind === 'instance' ? yield* attribute(m, context, '__enter__') : undefined;
    // Python's own say what they are by None.
    const isOwn = context.kind === 'builtin' && /grad|inference|err|suppress|warn|anomaly/.test(context.name);
    const entered = enter ? yield* m.evaluator.call(m, enter, nothing) : isOwn ? none : context;
    const exit = context.kind === 'instance' ? yield* attribute(m, context, '__exit__') : undefined;
    if (exit) exits.push(exit);
    if (optional_vars) yield* assign(m, optional_vars, entered, frame);
  }
  let signal: Signal | undefined;
  let raisedHere: PythonError | Raised | undefined;
  try {
    signal = yield* runBody(m, node.body, frame);
  } catch (error) {
    if (exits.length === 0 || !(error instanceof PythonError || error instanceof Raised)) throw error;
    raisedHere = error;
  }
  for (const exit of exits.reverse()) {
    const error = raisedHere && exceptionOf(m, raisedHere);
    const isDone = yield* m.evaluator.call(m, exit, { ...nothing, positional: error ? [error.of, error, none] : [none, none, none] }); // prettier-ignore
    if (yield* truthOf(m, isDone)) raisedHere = undefined;
  }
  if (raisedHere) throw raisedHere;
  return signal;
}

function* tryBlock(m: Machine, node: tree.Try, frame: Frame): Run<Signal | undefined> {
  let signal: Signal | undefined;
  const absent = absentIn(node);
  if (absent !== undefined) {
    at(m, frame.source, node);
    note(m, 'assumed', t('{0} is read as not installed, since the code says what it does without it', absent));
    signal = yield* handled(m, node, frame, new Raised('ModuleNotFoundError', `No module named '${absent}'`));
    return (yield* runBody(m, node.finalbody, frame)) ?? signal;
  }
  const before = m.unknowns;
  const { result, undo } = yield* watched(m, () => attempted(m, node, frame));
  if (result.error) signal = yield* handled(m, node, frame, result.error as PythonError | Raised);
  else if (m.unknowns > before && node.handlers.length > 0)
    signal = yield* perhapsHandled(m, node, frame, { result, left: undo() });
  else signal = result.signal;
  return (yield* runBody(m, node.finalbody, frame)) ?? signal;
}

/** Libraries of kernels for a GPU, which are not followed; what code does without them is what it says in Python alone. */
const ofGpus = /^(?:cupy|apex|triton|bitsandbytes)$/;

/** Of `try: import cupy as np` with `except ImportError: import numpy as np`, the library. */
function absentIn({ body, handlers }: tree.Try): string | undefined {
  const names = body.flatMap((one) =>
    one.nodeType === 'Import'
      ? one.names.map(({ name }) => name)
      : one.nodeType === 'ImportFrom'
        ? [one.module ?? '']
        : [],
  );
  const absent = names.map((name) => name.split('.')[0] ?? '').find((name) => ofGpus.test(name));
  return absent !== undefined && handlers.some(({ type }) => !type || expectsAbsence(type)) ? absent : undefined;
}

const expectsAbsence = (type: tree.Expression): boolean =>
  type.nodeType === 'Tuple'
    ? type.elts.some(expectsAbsence)
    : type.nodeType === 'Name' && /^(?:ImportError|ModuleNotFoundError|Exception|BaseException)$/.test(type.id);

function* attempted(m: Machine, node: tree.Try, frame: Frame): Run<Branch> {
  const tried = yield* branch(runBody(m, node.body, frame));
  return tried.error || tried.signal ? tried : yield* branch(runBody(m, node.orelse, frame));
}

/** Something in it is not followed, so that it is not known whether it raises: it may, or one of the handlers goes on. */
function* perhapsHandled(m: Machine, node: tree.Try, frame: Frame, whole: Tried): Run<Signal | undefined> {
  const why = cause(m, t('whether this raises is not known'));
  let signal: Signal | undefined;
  let sofar = whole;
  for (const handler of node.handlers) {
    const other = yield* tried(m, () => caught(m, handler, frame, { kind: 'unknown', cause: why }));
    const joined = yield* tried(m, function* () {
      yield;
      return { signal: together(m, sofar, other, why, frame) };
    });
    sofar = joined;
    signal = joined.result.signal;
  }
  adopt(m, sofar.left);
  return signal;
}

function* caught(m: Machine, handler: tree.Handler, frame: Frame, value: Value): Run<Branch> {
  if (handler.name) bind(m, frame, handler.name, value);
  const found = yield* branch(runBody(m, handler.body, frame));
  if (handler.name) unbind(m, frame, handler.name);
  return found;
}

function* handled(m: Machine, node: tree.Try, frame: Frame, error: PythonError | Raised): Run<Signal | undefined> {
  const value = exceptionOf(m, error);
  for (const handler of node.handlers) {
    const type = handler.type ? yield* evaluate(m, handler.type, frame) : undefined;
    if (type && !catches(type, value)) continue;
    m.handling.push(value);
    const { signal, error: raised } = yield* caught(m, handler, frame, value);
    m.handling.pop();
    if (!raised) return signal;
    yield* runBody(m, node.finalbody, frame);
    throw raised as Error;
  }
  yield* runBody(m, node.finalbody, frame);
  throw error;
}

const catches = (type: Value, { of }: Instance): boolean =>
  type.kind === 'tuple'
    ? type.items.some((one) => catches(one, { kind: 'instance', of, attributes: new Map() }))
    : type.kind === 'class' && derivesFrom(of, type.name);

function* raised(m: Machine, node: tree.Raise, frame: Frame): Run<never> {
  at(m, frame.source, node);
  const range = frame.source.own ? rangeOf(frame.source, node) : m.here;
  if (!node.exc) {
    const last = m.handling.at(-1);
    throw last ? new PythonError(last, range) : new Raised('RuntimeError', 'No active exception to reraise');
  }
  const exception = yield* evaluate(m, node.exc, frame);
  const value =
    exception.kind === 'class'
      ? yield* m.evaluator.call(m, exception, { positional: [], keywords: new Map() })
      : exception;
  if (value.kind !== 'instance') throw new Raised('Exception', t('an exception that is not known'));
  throw new PythonError(value, range);
}

/** `assert k.shape == (n, heads, d)`: what stands in for an argument has that shape. */
function* learnShape(m: Machine, test: tree.Expression, frame: Frame): Run<void> {
  if (test.nodeType !== 'Compare' || test.ops.length !== 1 || test.ops[0]?.nodeType !== 'Eq') return;
  const [right] = test.comparators;
  if (test.left.nodeType !== 'Attribute' || test.left.attr !== 'shape' || right?.nodeType !== 'Tuple') return;
  const value = yield* evaluate(m, test.left, frame);
  if (value.kind !== 'unknown' || !value.standIn?.shapeOf) return;
  const dims: Dim[] = [];
  for (const part of right.elts) {
    const size = yield* evaluate(m, part, frame);
    const dim = size.kind === 'unknown' && size.standIn ? asSymbol(size, { standIn: size.standIn }).dim : dimOf(size);
    if (dim === undefined) return;
    dims.push(dim);
  }
  shaped(m, value, value.standIn.shapeOf, dims);
}

function* assertion(m: Machine, node: tree.Assert, frame: Frame): Run<void> {
  if (m.standIn) yield* learnShape(m, node.test, frame);
  const truth = yield* truthOf(m, yield* evaluate(m, node.test, frame));
  if (truth !== false) return;
  const message = node.msg ? yield* m.evaluator.text(m, yield* evaluate(m, node.msg, frame), false) : '';
  at(m, frame.source, node);
  raise('AssertionError', message ?? '');
}
