/** Expressions. */
import { t } from '../../text';
import type { Cause } from '../tensor';
import {
  at,
  cause,
  note,
  raise,
  unknown,
  type Machine,
  bool,
  ellipsis,
  float,
  int,
  list,
  none,
  str,
  tuple,
  type DictValue,
  type Frame,
  type FunctionValue,
  type Run,
  type SetValue,
  type Value,
} from '../machine';
import { startOf, textOf, type tree } from '../syntax';
import { attribute, otherAttribute, plainAttribute } from './attributes';
import { otherBuiltin } from './builtins';
import { needKey } from './containers';
import { formatted } from './format';
import { isLocal, lookUp, unbound } from './frames';
import { savedHyperparameters } from './hyperparameters';
import { generatorOf, given, newYields } from './generators';
import { iterator, itemsOf, nextItem, turnOf, type Turn } from './iterate';
import { join, joinLeft, tried } from './join';
import { compare } from './comparisons';
import { binary, truthOf, unary } from './operators';
import { causeOf, Open } from './open';
import { asShown } from './shown';
import { getSubscript } from './subscript';
import { assign } from './targets';
import { unimported } from './unimported';
import { watch } from './watch';

export const evaluate = (m: Machine, node: tree.Expression, frame: Frame): Run<Value> =>
  m.seen && frame.source.own && node.nodeType !== 'Constant' ? watched(m, node, frame) : valueOf(m, node, frame);

function* watched(m: Machine, node: tree.Expression, frame: Frame): Run<Value> {
  const value = yield* valueOf(m, node, frame);
  watch(m, frame.source, node, value, 'evaluated');
  return value;
}

/** Returns the generator of the expression's kind. A generator that delegated to it would be resumed too, each time that it yields. */
function valueOf(m: Machine, node: tree.Expression, frame: Frame): Run<Value> {
  switch (node.nodeType) {
    case 'Name':
      return nameOf(m, node, frame);
    case 'Attribute':
      return attributeOf(m, node, frame);
    case 'Call':
      return callOf(m, node, frame);
    case 'BinOp':
      return binaryOf(m, node, frame);
    case 'Subscript':
      return subscriptOf(m, node, frame);
    default:
      return simple(m, node, frame);
  }
}

function* simple(m: Machine, node: tree.Expression, frame: Frame): Run<Value> {
  switch (node.nodeType) {
    case 'Constant':
      return constantOf(m, node, frame);
    case 'UnaryOp': {
      const value = quick(m, node.operand, frame) ?? (yield* evaluate(m, node.operand, frame));
      at(m, frame.source, node);
      return yield* unary(m, node.op.nodeType, value);
    }
    case 'Tuple':
      return tuple(yield* elements(m, node.elts, frame));
    case 'List':
      return list([...(yield* elements(m, node.elts, frame))]);
    default:
      return yield* rarer(m, node, frame);
  }
}

function* binaryOf(m: Machine, node: tree.BinOp, frame: Frame): Run<Value> {
  const a = quick(m, node.left, frame) ?? (yield* evaluate(m, node.left, frame));
  const b = quick(m, node.right, frame) ?? (yield* evaluate(m, node.right, frame));
  at(m, frame.source, node);
  return yield* binary(m, node.op.nodeType, a, b);
}

function* subscriptOf(m: Machine, node: tree.Subscript, frame: Frame): Run<Value> {
  const value = quick(m, node.value, frame) ?? (yield* evaluate(m, node.value, frame));
  const key = quick(m, node.slice, frame) ?? (yield* evaluate(m, node.slice, frame));
  at(m, frame.source, node);
  return yield* getSubscript(m, value, key);
}

/** Evaluates expressions that neither call nor yield, as most do. Undefined for all others, which `evaluate` takes. */
export function quick(m: Machine, node: tree.Expression, frame: Frame): Value | undefined {
  const value = glance(m, node, frame);
  if (value) noteGlance(m, node, value, frame);
  return value;
}

/** Without any effect. */
function glance(m: Machine, node: tree.Expression, frame: Frame): Value | undefined {
  if (node.nodeType === 'Name') return lookUp(m, frame, node.id);
  if (node.nodeType === 'Constant') return constants.get(node);
  if (node.nodeType !== 'Attribute') return undefined;
  const owner = glance(m, node.value, frame);
  return owner && plainAttribute(m, owner, node.attr);
}

/** Does what `evaluate` does beside the value: reports values to watchers, inner expressions first, and sets the current place. */
function noteGlance(m: Machine, node: tree.Expression, value: Value, frame: Frame): void {
  const isSeen = m.seen !== undefined && frame.source.own;
  if (node.nodeType === 'Attribute') {
    const owner = isSeen ? glance(m, node.value, frame) : undefined;
    if (owner) noteGlance(m, node.value, owner, frame);
    at(m, frame.source, node);
  }
  if (isSeen && node.nodeType !== 'Constant') watch(m, frame.source, node, value, 'evaluated');
}

/** A dict or set with an unknown key is unknown. */
function* rarer(m: Machine, node: tree.Expression, frame: Frame): Run<Value> {
  try {
    return yield* rare(m, node, frame);
  } catch (error) {
    if (error instanceof Open) return error.value;
    throw error;
  }
}

function* rare(m: Machine, node: tree.Expression, frame: Frame): Run<Value> {
  switch (node.nodeType) {
    case 'Compare':
      return yield* comparison(m, node, frame);
    case 'BoolOp':
      return yield* boolean(m, node, frame);
    case 'IfExp':
      return yield* conditional(m, node, frame);
    case 'Slice':
      return {
        kind: 'slice',
        lower: node.lower ? yield* evaluate(m, node.lower, frame) : none,
        upper: node.upper ? yield* evaluate(m, node.upper, frame) : none,
        step: node.step ? yield* evaluate(m, node.step, frame) : none,
      };
    case 'Dict':
      return yield* dictOf(m, node, frame);
    case 'Set':
      return setOf(yield* elements(m, node.elts, frame));
    case 'ListComp':
    case 'SetComp':
      return yield* comprehension(m, node, frame);
    case 'GeneratorExp':
      return yield* generatorExpression(m, node, frame);
    case 'DictComp':
      return yield* dictComprehension(m, node, frame);
    case 'Lambda':
      return yield* makeFunction(m, '<lambda>', node.args, node.body, frame);
    case 'JoinedStr':
      return yield* formattedText(m, node, frame);
    case 'NamedExpr': {
      const value = yield* evaluate(m, node.value, frame);
      // A name that a comprehension binds so is one of what stands around it.
      let around = frame;
      while (around.around) around = around.around;
      yield* assign(m, node.target, value, around);
      return value;
    }
    case 'Yield':
    case 'YieldFrom':
      return yield* yieldOf(m, node, frame);
    default:
      at(m, frame.source, node);
      return unknown(m, t('{0} is not followed', textOf(frame.source, node).slice(0, 40)));
  }
}

function* nameOf(m: Machine, node: tree.Name, frame: Frame): Run<Value> {
  const found = lookUp(m, frame, node.id);
  if (found) return found;
  at(m, frame.source, node);
  const own = isLocal(frame, node.id);
  const usual = own ? undefined : yield* unimported(m, node.id);
  if (usual) return usual;
  const other = own ? undefined : otherBuiltin(m, node.id);
  if (other) return other;
  // `from module import *` may have defined it, or `exec`.
  if (!own && m.star !== undefined && !m.binds(node.id)) return unknown(m, t('{0} is not known', m.star === '' ? node.id : `${m.star}.${node.id}`)); // prettier-ignore
  const text = own ? unbound(node.id) : `name '${node.id}' is not defined`;
  // What no line calls is read on behind it: the name is still to be written or imported, and the lines after it have their shapes.
  if (m.standIn && !m.sampling) return unknown(m, `NameError: ${text}`);
  return raise(own ? 'UnboundLocalError' : 'NameError', text);
}

/** Values of literals, by their node: they are the same each time. */
const constants = new WeakMap<tree.Constant, Value>();

function constantOf(m: Machine, node: tree.Constant, frame: Frame): Value {
  const known = constants.get(node);
  if (known) return known;
  const value = readConstant(m, node, frame);
  if (value.kind !== 'unknown') constants.set(node, value);
  return value;
}

/** Numbers are read from their text: `1.` is a float, although its value is whole. */
function readConstant(m: Machine, node: tree.Constant, frame: Frame): Value {
  const { value } = node;
  if (value === null || value === undefined) return none;
  if (typeof value === 'boolean') return bool(value);
  if (typeof value === 'string')
    return /b/i.test(node.quote_style?.replace(/["']/g, '') ?? '')
      ? { kind: 'bytes', value }
      : value === '...' && node.quote_style === undefined
        ? ellipsis
        : str(value);
  if (typeof value === 'bigint') return int(value);
  if (typeof value !== 'number') {
    at(m, frame.source, node);
    return textOf(frame.source, node).startsWith('...')
      ? ellipsis
      : unknown(m, t('{0} is not followed', textOf(frame.source, node)));
  }
  const digits =
    /^(?:0[xob][\da-f_]+|[\d_]*\.?[\d_]*(?:e[-+]?[\d_]+)?)/i.exec(
      frame.source.text.slice(startOf(frame.source, node)),
    )?.[0] ?? '';
  const isFloat = /^0[xob]/i.test(digits) ? false : /[.e]/i.test(digits);
  return isFloat ? float(value) : int(Number.isSafeInteger(value) ? value : BigInt(digits.replaceAll('_', '')));
}

function* attributeOf(m: Machine, node: tree.Attribute, frame: Frame): Run<Value> {
  const value = quick(m, node.value, frame) ?? (yield* evaluate(m, node.value, frame));
  at(m, frame.source, node);
  const found = plainAttribute(m, value, node.attr) ?? (yield* attribute(m, value, node.attr));
  if (found) return found;
  const other = otherAttribute(m, value, node.attr);
  if (other) return other;
  if (value.kind === 'module' && value.names)
    return raise('AttributeError', `module '${value.name}' has no attribute '${node.attr}'`);
  const whose = value.kind === 'class' ? `type object '${value.name}'` : `'${m.evaluator.typeName(value)}' object`;
  return raise('AttributeError', `${whose} has no attribute '${node.attr}'`);
}

/** The items, those of `*rest` included. */
function* elements(m: Machine, nodes: readonly tree.Expression[], frame: Frame): Run<readonly Value[]> {
  const out: Value[] = [];
  for (const node of nodes) {
    if (node.nodeType !== 'Starred') out.push(quick(m, node, frame) ?? (yield* evaluate(m, node, frame)));
    else {
      const value = yield* evaluate(m, node.value, frame);
      const items = yield* itemsOf(m, value);
      if (items) for (const item of items) out.push(item);
      else out.push({ kind: 'unknown', cause: causeOf(m, value), spread: true });
    }
  }
  return out;
}

function setOf(items: readonly Value[]): SetValue {
  return { kind: 'set', entries: new Map(items.map((item) => [needKey(item), item])) };
}

function* dictOf(m: Machine, node: tree.Dict, frame: Frame): Run<Value> {
  const dict: DictValue = { kind: 'dict', entries: new Map() };
  for (const [i, keyNode] of node.keys.entries()) {
    const key = keyNode ? yield* evaluate(m, keyNode, frame) : undefined;
    const value = yield* evaluate(m, node.values[i] as tree.Expression, frame);
    if (key) {
      if (key.kind === 'unknown') return key;
      dict.entries.set(needKey(key), [key, value]);
    } else if (value.kind === 'dict' && !value.unsure)
      for (const [key, entry] of value.entries) dict.entries.set(key, entry);
    else return { kind: 'unknown', cause: causeOf(m, value) };
  }
  return dict;
}

/** `super.__init__()`, which lacks the call of `super`: what Python says of it. */
function refuseBareSuper(m: Machine, { func, args }: tree.Call, frame: Frame): void {
  if (func.nodeType !== 'Attribute' || func.value.nodeType !== 'Name' || func.value.id !== 'super') return;
  if (lookUp(m, frame, 'super')) return;
  at(m, frame.source, func);
  if (func.attr !== '__init__') raise('AttributeError', `type object 'super' has no attribute '${func.attr}'`);
  if (args.length === 0) raise('TypeError', "descriptor '__init__' of 'super' object needs an argument");
  raise('TypeError', "descriptor '__init__' requires a 'super' object but received another");
}

function* callOf(m: Machine, node: tree.Call, frame: Frame): Run<Value> {
  refuseBareSuper(m, node, frame);
  const special =
    node.func.nodeType === 'Name' && /^(?:super|locals)$/.test(node.func.id)
      ? yield* superOf(m, node, node.func.id, frame)
      : yield* savedHyperparameters(m, node, frame);
  if (special) return special;
  const callee = quick(m, node.func, frame) ?? (yield* evaluate(m, node.func, frame));
  const positional = yield* elements(m, node.args, frame);
  const keywords = new Map<string, Value>();
  for (const { arg, value } of node.keywords) {
    const found = quick(m, value, frame) ?? (yield* evaluate(m, value, frame));
    if (arg) keywords.set(arg, found);
    else if (found.kind === 'dict')
      for (const [key, given] of found.entries.values()) keywords.set(key.kind === 'str' ? key.value : '', given);
    else if (found.kind === 'unknown') return { kind: 'unknown', cause: found.cause };
  }
  at(m, frame.source, node);
  const open = positional.find((value) => value.kind === 'unknown' && value.spread);
  if (open) return { kind: 'unknown', cause: causeOf(m, open) };
  return yield* m.evaluator.call(m, callee, { positional, keywords });
}

/** `super()`, which knows the class in which it stands. */
function* superOf(m: Machine, node: tree.Call, name: string, frame: Frame): Run<Value> {
  if (name === 'locals') return localsOf(frame);
  const [after, self] = yield* elements(m, node.args, frame);
  let at: Frame | undefined = frame;
  while (at && !at.running?.owner) at = at.outer;
  const of = after?.kind === 'class' ? after : at?.running?.owner;
  const who = self ?? at?.self;
  return of && who ? { kind: 'super', self: who, after: of } : raise('RuntimeError', 'super(): no arguments');
}

const localsOf = ({ names }: Frame): DictValue => ({
  kind: 'dict',
  entries: new Map([...names].map(([name, value]) => [`s${name}`, [str(name), value] as const])),
});

function* comparison(m: Machine, node: tree.Compare, frame: Frame): Run<Value> {
  let left = quick(m, node.left, frame) ?? (yield* evaluate(m, node.left, frame));
  let result: Value = bool(true);
  for (const [i, { nodeType }] of node.ops.entries()) {
    const other = node.comparators[i] as tree.Expression;
    const right = quick(m, other, frame) ?? (yield* evaluate(m, other, frame));
    at(m, frame.source, node);
    result = yield* compare(m, nodeType, left, right);
    if (i + 1 < node.ops.length && (yield* truthOf(m, result)) === false) return result;
    left = right;
  }
  return result;
}

/** `and`, `or`: the first operand that decides. Unknown if an unknown operand comes before it. */
function* boolean(m: Machine, node: tree.BoolOp, frame: Frame): Run<Value> {
  const stops = node.op.nodeType === 'Or';
  let open: Value | undefined;
  let value: Value = none;
  for (const part of node.values) {
    value = yield* evaluate(m, part, frame);
    const truth = yield* truthOf(m, value);
    if (truth === stops) break;
    if (truth === undefined) open ??= value;
  }
  if (!open || open === value) return value;
  const isBool = (one: Value): boolean => one.kind === 'bool' || (one.kind === 'unknown' && one.type === 'bool');
  const decided = isBool(open) && value.kind === 'bool' && value.value === stops;
  return decided
    ? value
    : isBool(open) && isBool(value)
      ? { kind: 'unknown', cause: causeOf(m, open), type: 'bool' }
      : { kind: 'unknown', cause: causeOf(m, open) };
}

function* conditional(m: Machine, node: tree.IfExp, frame: Frame): Run<Value> {
  const test = yield* evaluate(m, node.test, frame);
  const truth = yield* truthOf(m, test);
  if (truth !== undefined) return yield* evaluate(m, truth ? node.body : node.orelse, frame);
  const why = causeOf(m, test);
  const [a, b] = [
    yield* tried(m, () => evaluate(m, node.body, frame)),
    yield* tried(m, () => evaluate(m, node.orelse, frame)),
  ];
  joinLeft(m, a.left, b.left, why);
  return join(m, a.result, b.result, why);
}

/** Most elements that a comprehension makes. */
const mostElements = 100_000;

function* generated(
  m: Machine,
  generators: readonly tree.Comprehension[],
  frame: Frame,
  each: (inner: Frame) => Run<void>,
  first?: Value,
): Run<Value | undefined> {
  const inner: Frame = { ...frame, names: new Map(), outer: frame, maybe: [], around: frame };
  let made = 0;
  function* from(depth: number): Run<Value | undefined> {
    const generator = generators[depth];
    if (!generator) {
      if (++made > mostElements) return unknown(m, t('more than {0} elements are not made', mostElements));
      yield* each(inner);
      return undefined;
    }
    const source = (depth === 0 && first) || (yield* evaluate(m, generator.iter, depth === 0 ? frame : inner));
    const walker = yield* iterator(m, source);
    if (!walker) return { kind: 'unknown', cause: causeOf(m, source) };
    for (;;) {
      const { item, isSure } = yield* nextItem(m, walker);
      if (!isSure) return { kind: 'unknown', cause: cause(m, t('how often this runs is not known')) };
      if (!item) return undefined;
      if (made % 256 === 255) yield;
      m.steps--;
      yield* assign(m, generator.target, item, inner);
      let keep: boolean | undefined = true;
      for (const test of generator.ifs) if (keep) keep = yield* truthOf(m, yield* evaluate(m, test, inner));
      if (keep === undefined) return { kind: 'unknown', cause: cause(m, t('which elements are taken is not known')) };
      const open = keep ? yield* from(depth + 1) : undefined;
      if (open) return open;
    }
  }
  return yield* from(0);
}

/** Most steps and operations of one comprehension. In a longer one, the remaining elements are taken to look like those before. */
const longest = { steps: 80_000, nodes: 15_000 };

const tooLong = (m: Machine): Cause => {
  const text = t('this takes more steps than are followed');
  note(m, 'unknown', text);
  return { text, range: m.here };
};

/** One more element like the others: an unknown number, or a list of them. Undefined if the others differ in form. */
function inForm(made: readonly Value[], why: Cause): Value | undefined {
  const last = made.at(-1);
  if (!last || !areAlike(made)) return undefined;
  if (last.kind === 'float' || (last.kind === 'unknown' && last.type === 'float'))
    return { kind: 'unknown', cause: why, type: 'float' };
  // A NumPy scalar.
  if (
    last.kind === 'tensor' &&
    last.library === 'numpy' &&
    last.node.dtype === 'float64' &&
    last.node.shape?.length === 0
  )
    return { kind: 'unknown', cause: why, type: 'float' };
  if (last.kind !== 'list' && last.kind !== 'tuple') return undefined;
  const items = last.items.map((item) => inForm([item], why));
  return items.every((item) => item !== undefined) ? { kind: last.kind, items } : undefined;
}

/** Whether all lists among the elements have the same length. */
const areAlike = (made: readonly Value[]): boolean => {
  const lengths = made.map((one) => (one.kind === 'list' || one.kind === 'tuple' ? one.items.length : -1));
  return lengths.every((length) => length === lengths[0]);
};

/** Each element is made when it is asked for; what the first `for` walks over is evaluated at once. */
function* generatorExpression(m: Machine, node: tree.ElementComprehension, frame: Frame): Run<Value> {
  const [first] = node.generators;
  const source = first ? yield* evaluate(m, first.iter, frame) : none;
  const yields = newYields();
  const { steps } = m;
  function* body(): Run<undefined> {
    const open = yield* generated(m, node.generators, { ...frame, yields }, function* (inner) {
      if (steps - m.steps - yields.away.steps > longest.steps) yields.unsure ??= tooLong(m);
      else yield* given(m, inner, yield* evaluate(m, node.elt, inner));
    }, source); // prettier-ignore
    if (open) yields.unsure ??= causeOf(m, open);
    return undefined;
  }
  return generatorOf(m, yields, body());
}

function* comprehension(m: Machine, node: tree.ElementComprehension, frame: Frame): Run<Value> {
  const out: Value[] = [];
  const { steps } = m;
  const nodes = m.graph.nodes.length;
  const long = (): boolean => steps - m.steps > longest.steps || m.graph.nodes.length - nodes > longest.nodes;
  let rest: Value | 'unlike' | undefined;
  const open = yield* generated(m, node.generators, frame, function* (inner) {
    if (!rest && long()) rest = inForm(out, tooLong(m)) ?? 'unlike';
    out.push(rest && rest !== 'unlike' ? rest : yield* evaluate(m, node.elt, inner));
  });
  if (open) return open;
  return node.nodeType === 'SetComp' ? setOf(out) : list(out);
}

function* dictComprehension(m: Machine, node: tree.DictComprehension, frame: Frame): Run<Value> {
  const dict: DictValue = { kind: 'dict', entries: new Map() };
  let odd: Value | undefined;
  const open = yield* generated(m, node.generators, frame, function* (inner) {
    const [key, value] = [yield* evaluate(m, node.key, inner), yield* evaluate(m, node.value, inner)];
    if (key.kind === 'unknown') odd = key;
    else dict.entries.set(needKey(key), [key, value]);
  });
  return open ?? odd ?? dict;
}

export function* makeFunction(
  m: Machine,
  name: string,
  parameters: tree.Arguments,
  body: FunctionValue['body'],
  frame: Frame,
): Run<FunctionValue> {
  const defaults: Value[] = [];
  for (const node of parameters.defaults) defaults.push(yield* evaluate(m, node, frame));
  const keywordDefaults = new Map<string, Value>();
  for (const [i, node] of parameters.kw_defaults.entries())
    if (node) keywordDefaults.set(parameters.kwonlyargs[i]?.arg ?? '', yield* evaluate(m, node, frame));
  return {
    kind: 'function',
    name,
    qualifiedName: frame.running ? `${frame.running.qualifiedName}.<locals>.${name}` : name,
    parameters,
    body,
    defaults,
    keywordDefaults,
    closure: frame,
    source: frame.source,
    isGenerator: Array.isArray(body) && yields(body),
    attributes: new Map(),
  };
}

/** Whether a function's own body yields. */
function yields(body: readonly tree.Statement[]): boolean {
  const inside = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some(inside);
    const { nodeType } = value as { nodeType?: string };
    if (nodeType === 'Yield' || nodeType === 'YieldFrom') return true;
    if (nodeType === 'FunctionDef' || nodeType === 'Lambda' || nodeType === 'ClassDef') return false;
    return Object.values(value).some(inside);
  };
  return body.some(inside);
}

/** `yield value` stops the body; `yield from` walks over another, and is what that returned. */
function* yieldOf(m: Machine, node: tree.OtherExpression, frame: Frame): Run<Value> {
  const { value } = node as { value?: tree.Expression };
  const found = value ? yield* evaluate(m, value, frame) : none;
  if (node.nodeType !== 'YieldFrom') return yield* given(m, frame, found);
  const walker = yield* iterator(m, found);
  let sent: Value = none;
  for (;;) {
    const { item, isSure }: Turn = walker
      ? yield* turnOf(m, walker, walker.send?.(sent) ?? walker.next())
      : { item: undefined, isSure: false };
    if (!isSure && frame.yields) frame.yields.unsure ??= walker?.lost ?? causeOf(m, found);
    if (!item || !isSure) return walker?.result ?? none;
    sent = yield* given(m, frame, item);
  }
}

function* formattedText(m: Machine, node: tree.JoinedStr, frame: Frame): Run<Value> {
  const parts: Value[] = [];
  for (const part of node.values) parts.push(yield* formattedPart(m, part, frame));
  const texts = parts.map((part) => (part.kind === 'str' ? part.value : undefined));
  if (texts.every((text) => text !== undefined)) return str(texts.join(''));
  const open = parts.find((part) => part.kind !== 'str') as Value;
  return { kind: 'unknown', cause: causeOf(m, open), type: 'str', parts };
}

function* formattedPart(m: Machine, part: tree.Expression, frame: Frame): Run<Value> {
  if (part.nodeType !== 'FormattedValue') return yield* evaluate(m, part, frame);
  const value = yield* evaluate(m, part.value, frame);
  const specification = part.format_spec ? yield* evaluate(m, part.format_spec, frame) : str('');
  const spec = specification.kind === 'str' ? specification.value : undefined;
  at(m, frame.source, part.value);
  if (spec === undefined) return { kind: 'unknown', cause: causeOf(m, value), type: 'str' };
  const plain = value.kind === 'tensor' ? yield* m.evaluator.number(m, value) : value;
  const text =
    spec === '' || part.conversion !== -1
      ? yield* m.evaluator.text(m, value, part.conversion === 114)
      : formatted(plain, spec);
  if (text === undefined) return value.kind === 'tensor' ? asShown(m, value) : value;
  return str(part.conversion !== -1 && spec !== '' ? (formatted(str(text), spec) ?? text) : text);
}
