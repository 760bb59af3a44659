import { finish, type Paced } from '../../text/pace';
import { t } from '../../text/l10n';
import type { Problem, TextRange } from '../../text/problems';
import { readNestedPaced } from '../nested';
import { scannerOf } from '../scanner';
import type { Arguments } from './arguments';
import { builtin, isBuiltin } from './builtins';
import { operand, operate, mapped, settled, type Budget, type Place } from './arithmetic';
import { converted } from './constructors';
import { draw, seeded, type Stream } from './draws';
import { attributeOf, callMethod } from './methods';
import { isTypeName, knownConstant, knownFunction } from './modules';
import { item } from './shapes';
import { dotted, type Call, type Node } from './tree';
import {
  arrayOf,
  cast,
  describe,
  isFloat,
  isRefusal,
  refuse,
  scalar,
  type ArrayValue,
  type SequenceValue,
  type Value,
} from './values';

/** What an entry of a program does when it is needed. */
export type Work =
  | { readonly kind: 'value'; readonly node: Node }
  /** One of the targets of `Q, K = f`. */
  | { readonly kind: 'item'; readonly of: number; readonly index: number; readonly count: number }
  | { readonly kind: 'augmented'; readonly target: number; readonly operator: string; readonly node: Node }
  /** `mask[mask == 1] = -np.inf` */
  | { readonly kind: 'masked'; readonly target: number; readonly index: Node; readonly node: Node }
  | { readonly kind: 'seed'; readonly of: Stream['of']; readonly node: Call }
  | { readonly kind: 'draw'; readonly node: Call; readonly method: string; readonly before: number }
  /** A literal that was read elsewhere: printed under its name. */
  | { readonly kind: 'matrix'; readonly value: ArrayValue }
  | { readonly kind: 'lost'; readonly problem: Problem };

export interface Entry {
  readonly work: Work;
  /** Entries before this one that it needs. */
  readonly needs: readonly number[];
  /** The statement that it stands in, and the name that it was first given. */
  readonly statement: TextRange;
  readonly nameRange?: TextRange;
  result?: Outcome;
}

export interface Outcome {
  readonly value?: Value;
  readonly stream?: Stream;
  readonly problem?: Problem;
}

/** What is computed from. */
export interface Context {
  readonly text: string;
  readonly entries: readonly Entry[];
  /** Whole names of modules by the name that the program gives them. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly budget: Budget;
}

/**
 * The outcome of an entry. Everything that it needs is computed before it, in the order of the program and without
 * recursion from entry to entry; each entry once.
 */
export const outcomeOf = (context: Context, index: number): Outcome => finish(computing(context, index));

/** The same, with places to stop after each entry and in its products. */
export function* computing(context: Context, index: number): Paced<Outcome> {
  const needed = new Set<number>();
  const open = [index];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entry = context.entries[at];
    if (!entry || entry.result || needed.has(at)) continue;
    needed.add(at);
    for (const need of entry.needs) open.push(need);
  }
  for (const at of [...needed].sort((a, b) => a - b)) {
    const entry = context.entries[at];
    if (entry) entry.result = yield* compute(context, entry);
    yield;
  }
  return context.entries[index]?.result ?? {};
}

function* compute(context: Context, entry: Entry): Paced<Outcome> {
  context.budget.unfilled.length = 0;
  try {
    return yield* perform(context, entry);
  } catch (error) {
    if (isRefusal(error)) return { problem: error.refused };
    throw error;
  }
}

function* perform(context: Context, { work, statement }: Entry): Paced<Outcome> {
  const at: Place = { ...statement, budget: context.budget };
  switch (work.kind) {
    case 'value':
      return { value: yield* evaluate(context, work.node) };
    case 'matrix':
      return { value: work.value };
    case 'lost':
      return { problem: work.problem };
    case 'item':
      return { value: unpacked(valueOf(context, work.of), work.index, work.count, at) };
    case 'augmented':
      return { value: yield* augmented(valueOf(context, work.target), work, yield* evaluate(context, work.node), at) };
    case 'masked':
      return { value: yield* masked(context, work, at) };
    case 'seed':
      return { stream: seeded(work.of, yield* argumentsOf(context, work.node)) };
    case 'draw': {
      const { stream, problem } = resultOf(context, work.before);
      if (!stream) throw { refused: problem } as unknown as Error;
      const drawn = draw(stream, work.method, yield* argumentsOf(context, work.node));
      return { value: yield* settled(drawn, at), stream };
    }
  }
}

function resultOf(context: Context, index: number): Outcome {
  const result = context.entries[index]?.result;
  if (!result) throw new Error(`entry ${index} is needed before it is computed`);
  return result;
}

function valueOf(context: Context, index: number): Value {
  const { value, problem } = resultOf(context, index);
  if (value) return value;
  throw { refused: problem ?? { code: 'expression', message: t('a generator is no matrix') } } as unknown as Error;
}

function unpacked(value: Value, index: number, count: number, at: Place): Value {
  const size = value.kind === 'sequence' ? value.items.length : value.kind === 'array' ? value.shape[0] : undefined;
  if (size !== count) refuse(at, t('{0} is not {1} values', describe(value), count));
  return value.kind === 'sequence' ? (value.items[index] as Value) : item(value as ArrayValue, index, at);
}

/** `a += b` keeps the array's dtype and shape, as NumPy and PyTorch write into it. */
function* augmented(target: Value, { operator }: { operator: string }, by: Value, at: Place): Paced<Value> {
  const result = yield* settled(operate(operator, target, by, at), at);
  if (target.kind !== 'array' || result.kind !== 'array') return result;
  if (result.shape.join() !== target.shape.join())
    return refuse(at, t('{0}= of {1} does not fit into {2}', operator, describe(by), describe(target)));
  if (result.dtype === target.dtype) return result;
  if (!isFloat(result.dtype) || !isFloat(target.dtype))
    return refuse(at, t('{0}= would make {1} of {2}', operator, result.dtype, target.dtype));
  return cast(result, target.dtype, at);
}

function* masked(context: Context, work: Extract<Work, { kind: 'masked' }>, at: Place): Paced<Value> {
  const target = valueOf(context, work.target);
  const index = yield* evaluate(context, work.index);
  const value = operand(yield* evaluate(context, work.node), at);
  if (target.kind !== 'array' || target.library === 'list')
    return refuse(at, t('{0} is not changed in place here', describe(target)));
  if (target.library === 'tensorflow' || target.library === 'jax')
    return refuse(at, t('these tensors cannot be changed'));
  const fits = index.kind === 'array' && index.dtype === 'bool' && index.shape.join() === target.shape.join();
  if (!fits || value.kind === 'array')
    return refuse(at, t('only a mask of truth values, and one number, is assigned by index here'));
  const fill =
    cast(arrayOf(target.library, 'float64', [], Float64Array.of(value.value)), target.dtype, at).values[0] ?? NaN;
  return { ...target, values: target.values.map((x, i) => (index.values[i] ? fill : x)) };
}

const place = (context: Context, { start, end }: TextRange): Place => ({ start, end, budget: context.budget });

/** An expression's value. Recursion is bounded by the parser's depth. */
function* evaluate(context: Context, node: Node): Paced<Value> {
  const at = place(context, node);
  switch (node.kind) {
    case 'number':
      return scalar(node.value, node.whole ? 'int' : 'float');
    case 'string':
      return { kind: 'word', text: node.text };
    case 'literal':
      return yield* literal(context, at);
    case 'list':
    case 'tuple':
      return { kind: 'sequence', items: yield* evaluateAll(context, node.items) };
    case 'unary':
      return yield* settled(signed(node.operator, yield* evaluate(context, node.of), at), at);
    case 'binary':
      return yield* binary(context, node, at);
    case 'subscript':
      return subscript(yield* evaluate(context, node.of), yield* evaluate(context, node.index), at);
    case 'call':
      return yield* settled(yield* call(context, node, at), at);
    case 'name':
    case 'attribute':
      return yield* named(context, node, at);
    case 'other':
      return refuse(node, t('{0} is not computed', node.what));
  }
}

function* evaluateAll(context: Context, nodes: readonly Node[]): Paced<Value[]> {
  const values: Value[] = [];
  for (const node of nodes) values.push(yield* evaluate(context, node));
  return values;
}

function* binary(context: Context, node: Extract<Node, { kind: 'binary' }>, at: Place): Paced<Value> {
  const left = yield* evaluate(context, node.left);
  return yield* settled(operate(node.operator, left, yield* evaluate(context, node.right), at), at);
}

/** Nested brackets of numbers: a Python list, or digits as they are printed. */
function* literal({ text }: Context, at: Place): Paced<Value> {
  const s = scannerOf(text, at.start, at.end);
  const { problems, shape, values, commas, numbers } = yield* readNestedPaced(s);
  const [problem] = problems;
  if (problem) throw { refused: problem } as unknown as Error;
  const dtype = /[.eE]/.test(text.slice(at.start, at.end)) ? 'float64' : 'int64';
  at.budget.left -= values.length;
  return arrayOf(commas || numbers < 2 ? 'list' : 'printed', dtype, shape, values);
}

function signed(operator: string, value: Value, at: Place): Value {
  if (operator === 'not') return refuse(at, t('not is not computed'));
  const x = operand(value, at);
  if (x.kind === 'scalar') {
    if (operator === '~') return refuse(at, t('~ of a number is not computed'));
    return scalar(
      operator === '-' ? -x.value + (x.type === 'float' ? 0 : 0) : x.value,
      x.type === 'bool' ? 'int' : x.type,
    );
  }
  if (x.library === 'list')
    return refuse(at, t('{0} on a Python list is no arithmetic', operator), t('Make it an array: np.array(…).'));
  if (operator === '+') return x;
  if ((operator === '~') !== (x.dtype === 'bool'))
    return refuse(at, t('{0} of {1} is not computed', operator, x.dtype));
  return mapped(x, x.dtype, operator === '~' ? (v) => 1 - v : (v) => (isFloat(x.dtype) ? -v : 0 - v), at);
}

function subscript(value: Value, index: Value, at: Place): Value {
  const indices = index.kind === 'sequence' ? index.items : [index];
  let found = value;
  for (const one of indices) {
    if (one.kind !== 'scalar' || one.type !== 'int') return refuse(at, t('only whole numbers in [ ] are computed'));
    if (found.kind === 'sequence') found = found.items.at(one.value) ?? refuse(at, t('[{0}] is outside', one.value));
    else if (found.kind === 'array') found = item(found, one.value, at);
    else return refuse(at, t('{0} has no [{1}]', describe(found), one.value));
  }
  return found.kind === 'array' && found.library === 'list' && found.shape.length === 0 ? listNumber(found) : found;
}

const listNumber = ({ values, dtype }: ArrayValue): Value => scalar(values[0] ?? NaN, isFloat(dtype) ? 'float' : 'int');

/** The whole name of a function or a constant of a module; undefined where a value stands at its root. */
export function wholeName(node: Node, aliases: ReadonlyMap<string, string>): string | undefined {
  const path = dotted(node);
  if (path === undefined) return undefined;
  for (let at = node; at.kind === 'attribute' || at.kind === 'name'; at = at.of) {
    if (at.entry !== undefined) return undefined;
    if (at.kind === 'name') break;
  }
  const dot = path.indexOf('.');
  const root = dot < 0 ? path : path.slice(0, dot);
  return (aliases.get(root) ?? root) + (dot < 0 ? '' : path.slice(dot));
}

function* named(context: Context, node: Extract<Node, { kind: 'name' | 'attribute' }>, at: Place): Paced<Value> {
  if (node.entry !== undefined) return valueOf(context, node.entry);
  const name = wholeName(node, context.aliases);
  if (name === undefined) {
    const of = node.kind === 'attribute' ? yield* evaluate(context, node.of) : undefined;
    if (of?.kind === 'array') return yield* settled(attributeOf(of, node.name, at), at);
    return refuse(at, t('.{0} is not computed', node.name));
  }
  if (name === 'True' || name === 'False') return scalar(name === 'True' ? 1 : 0, 'bool');
  const constant = knownConstant(name);
  if (constant !== undefined) return scalar(constant, 'float');
  if (name === 'None' || name === 'numpy.newaxis') return { kind: 'word', text: 'None' };
  if (['float', 'int', 'bool'].includes(name) || isTypeName(name)) return { kind: 'word', text: name };
  return refuse(
    at,
    t('{0} is not defined above', dotted(node) ?? name),
    t('Select the lines that assign it as well, or run the code, print the matrix and select what is printed.'),
  );
}

function* argumentsOf(context: Context, node: Call): Paced<Arguments> {
  const positional: Value[] = [];
  const given = new Map<string, Value>();
  for (const { keyword, value } of node.args) {
    const of = isIgnored(keyword) ? ({ kind: 'word', text: 'None' } as const) : yield* evaluate(context, value);
    if (keyword === undefined) positional.push(of);
    else given.set(keyword, of);
  }
  const name = dotted(node.of) ?? (node.of.kind === 'attribute' ? node.of.name : t('the call'));
  return { at: place(context, node), name, positional, named: given, taken: 0 };
}

const isIgnored = (keyword: string | undefined): boolean => keyword === 'device' || keyword === 'requires_grad';

function* call(context: Context, node: Call, at: Place): Paced<Value> {
  if (node.entry !== undefined) return valueOf(context, node.entry);
  const name = wholeName(node.of, context.aliases);
  const written = dotted(node.of) ?? '…';
  if (name !== undefined) {
    const known = knownFunction(name);
    if (known) return known.make(yield* argumentsOf(context, node), known.library);
    if (isBuiltin(name)) return builtin(name, yield* argumentsOf(context, node));
    return refuse(at, t('{0}(…) is not computed', written));
  }
  if (node.of.kind !== 'attribute' || node.of.entry !== undefined) return refuse(at, t('{0}(…) is not run', written));
  const of = yield* evaluate(context, node.of.of);
  if (of.kind !== 'array') return refuse(at, t('.{0}(…) of {1} is not computed', node.of.name, describe(of)));
  return callMethod(of, node.of.name, yield* argumentsOf(context, node));
}

/** Nested sequences as one list of numbers: `[[1, float('inf')]]`. */
export function listOf(value: SequenceValue, at: Place): ArrayValue {
  const args: Arguments = { at, name: t('a list'), positional: [], named: new Map(), taken: 0 };
  return { ...converted(value, 'numpy', undefined, args), library: 'list' };
}
