/** One run of a function or class with stand-ins for its arguments, and what is left of it where it does not end well: nothing. */
import { type Paced, type TextRange, t } from '../../text';
import { seedTorch, createStream } from '../../random';
import {
  hasArraysOnly,
  exceptionOf,
  exceptionText,
  fieldsNeeded,
  linearized,
  attribute,
  call,
  watched,
  takeOver,
  neededOf,
  neededToMake,
  setKey,
  type Readings,
} from '../evaluate';
import {
  at,
  look,
  note,
  PythonError,
  Stopped,
  type Machine,
  bool,
  int,
  none,
  type Frame,
  str,
  tuple,
  type ClassValue,
  type FunctionValue,
  type Run,
  type Value,
} from '../machine';
import {
  arranged,
  isInOrder,
  isOwn,
  findingAttention,
  unfollowed,
  unfollowedIn,
  noProduct,
  averagesIn,
  type Attention,
} from '../recognise';
import { Raised, type Graph, type Library, isKnownShape } from '../tensor';
import { textOf, type Arg, type Statement } from '../syntax';
import type { Setting } from './branches';
import { namesHeads, namesWidth, settingNamed, sizeNamed, usual, namesMask } from './sizes';
import {
  fillParameters,
  isTensorMember,
  namesNumber,
  shapeBeside,
  sizeOf,
  valueFor,
  type Choice,
  type Maker,
} from './values';

/** The seed of numbers that stand in. */
export const sampleSeed = 0;

/** Python's steps for one attempt. */
const attemptSteps = 30_000;
/** Numbers drawn for one attempt: of a layer as wide as in a real model the shape is enough. */
const attemptDraws = 200_000;

export interface Root {
  readonly value: FunctionValue | ClassValue;
  /** What is called of a class once it is made. */
  readonly method?: FunctionValue;
  readonly range: TextRange;
  readonly text: string;
}

export interface Failed {
  readonly text: string;
  readonly range: TextRange;
  readonly made: Maker['made'];
  readonly asked: Maker['asked'];
  readonly masks: boolean;
  /** A size of 0 came of the sizes that stand in. */
  readonly empty?: boolean;
  /** It came to its end, without attention: other sizes will hardly bring one. */
  readonly ran?: boolean;
  /** No other size changes it. */
  readonly lasts?: boolean;
  /** It was stopped for its steps. */
  readonly endless?: boolean;
}

/** Attention that one run computed and that can be explained. */
export interface Worked {
  readonly attentions: readonly Attention[];
}

/** Steps that are left for attempts, of which one alone takes at most `attemptSteps`. */
export interface Budget {
  steps: number;
}

/** Python's steps for all attempts of a program. */
export const newBudget = (): Budget => ({ steps: 60_000 });

/** Runs it; for shapes alone it is enough that Python comes to the end, and nothing is drawn. */
export function* attempt(
  m: Machine,
  readings: Readings,
  root: Root,
  choice: Choice,
  budget: Budget,
  shapesOnly = false,
): Run<Failed | Worked> {
  const maker = makerFor(m, readings, root, choice);
  const steps = Math.min(attemptSteps, budget.steps);
  const mark = marked(m, steps, choice, shapesOnly);
  m.raisedInSample.length = 0;
  // No line calls it: the place of the call is none of the text's.
  m.here = { start: root.range.start, end: root.range.start };
  let found: Omit<Failed, 'made' | 'asked'> | Worked | undefined;
  try {
    const { undo } = yield* watched(m, () => running(m, readings, root, maker));
    undo();
    found = shapesOnly ? { attentions: [] } : yield* judged(m, root, mark.nodes, maker);
  } catch (error) {
    if (error instanceof Stopped)
      found = { text: t('it takes more steps than are followed'), range: m.here, masks: false, endless: true }; // prettier-ignore
    else if (error instanceof Raised || error instanceof PythonError) {
      const range = error.range ?? m.here;
      const { name } = exceptionOf(m, error).of;
      const text = exceptionText(exceptionOf(m, error));
      found = { text, range, masks: false, lasts: lasting.has(name) || lacksMember.test(text) };
    } else throw error;
  } finally {
    budget.steps -= steps - Math.max(0, m.steps);
    const worked = found !== undefined && 'attentions' in found;
    // What came to its end has shapes that fit each other, also where no attention is among them.
    const ended = worked || (found !== undefined && 'ran' in found && found.ran === true);
    restored(m, mark, {
      nodes: worked && !shapesOnly,
      shapes: worked && !shapesOnly ? 'all' : ended ? 'missing' : 'none',
    });
  }
  if ('attentions' in found && !shapesOnly)
    for (const { kind, text, range } of m.raisedInSample) note(m, kind, text, range);
  return 'attentions' in found ? found : { ...found, made: maker.made, asked: maker.asked };
}

/** What Python raises whatever sizes there are. */
const lasting = new Set(['NameError', 'UnboundLocalError', 'ImportError', 'ModuleNotFoundError', 'SyntaxError']);

/** An object of a class without an attribute that its code asks for; one of a number or of None may be another thing in the next run. */
const lacksMember = /^AttributeError: '(?!int|float|bool|str|tuple|list|dict|NoneType)\w+' object has no attribute/;

function makerFor(m: Machine, readings: Readings, root: Root, choice: Choice): Maker {
  const names = root.text.match(/\b[A-Za-z_]\w*\b/g) ?? [];
  const library = libraryFor(m, root);
  const constructor = root.value.kind === 'class' ? root.value.attributes.get('__init__') : undefined;
  const fields = root.value.kind === 'class' ? fieldsNeeded(root.value) : [];
  const parameters =
    constructor?.kind === 'function' && root.value.kind === 'class'
      ? neededToMake(root.value, constructor).map(({ arg }) => arg)
      : fields;
  const shapes = [root.method, root.value].flatMap((of) =>
    of?.kind === 'function'
      ? [...(readings.get(of)?.args.values() ?? [])].map((value) => (value.kind === 'unknown' ? value.standIn?.tensor?.node.shape : undefined)) // prettier-ignore
      : [],
  );
  const known = shapes.find((shape) => shape !== undefined)?.length;
  const input = parameters.find((name) => sizeNamed(name) === usual.input);
  const sizes = parameters.filter((name) => sizeNamed(name) !== undefined && !namesHeads(name));
  const only = sizes.find(namesWidth) ?? sizes[0];
  const heads = names.some(namesHeads);
  const width = choice.sizes[input ?? ''] ?? (input ? usual.input : root.value.kind === 'class' ? (only !== undefined ? (sizeNamed(only) ?? usual.width) : usual.width) : usual.head); // prettier-ignore
  return {
    m, choice, library, heads, width, isFunction: root.value.kind !== 'class',
    float: choice.dtype ?? (library === 'torch' ? m.floats : isJax(m, root.text) ? 'float32' : 'float64'),
    rank: known ?? (root.value.kind === 'class' ? 3 : 2),
    made: new Map(), asked: new Map(), names: moduleOf(m, root).names,
  }; // prettier-ignore
}

/** Flax, MLX and Equinox call their layers `nn` too. */
const isJax = (m: Machine, text: string): boolean =>
  /\b(?:jnp|jax|nn|mx|eqx)\b/.test(text) && !m.modules.has('torch.nn') && [...m.modules.keys()].some((name) => /^(?:jax|flax|mlx|equinox)\b/.test(name)); // prettier-ignore

function libraryFor(m: Machine, { value, text }: Root): Library {
  if (isJax(m, text)) return 'numpy';
  // `layers` is a word of NumPy's programs too.
  if (hasArraysOnly(m)) return 'numpy';
  // A layer of PyTorch or Keras may use NumPy for its numbers.
  if (value.kind === 'class' && linearized(value).some(({ own }) => own)) return 'torch';
  return /\b(?:torch|nn|F|tf|keras|layers)\b/.test(text) || !/\b(?:np|numpy)\b/.test(text) ? 'torch' : 'numpy';
}

function* running(m: Machine, readings: Readings, { value, method }: Root, maker: Maker): Run<Value> {
  sizesOfModule(maker);
  const torchStream = seedTorch(sampleSeed);
  const numpyStream = createStream({ generator: 'numpy.RandomState', seed: sampleSeed });
  Object.assign(m.streams, {
    torch: torchStream.ok ? torchStream.value : undefined,
    numpy: numpyStream.ok ? numpyStream.value : undefined,
  });
  if (value.kind === 'function') return yield* called(m, readings, value, [], maker);
  const start = yield* attribute(m, value, '__init__');
  const keywords =
    start?.kind === 'function'
      ? yield* argumentsFor(readings, start, 1, maker, neededToMake(value, start))
      : fieldsFor(readings, value, maker);
  for (const name of maker.choice.extra ?? []) if (!keywords.has(name)) keywords.set(name, settingNamed(name) ?? int(sizeOf(maker, name))); // prettier-ignore
  const made = yield* call(m, value, { positional: [], keywords });
  fillParameters(maker, made);
  for (const name of maker.choice.before ?? []) {
    const first = methodNamed(value, name);
    if (first) yield* called(m, readings, first, [made], maker);
  }
  return method ? yield* called(m, readings, method, [made], maker) : made;
}

/** `vocab_size = len(chars)` of a text that is not read: a size that the module would say stands in as an argument's does. */
function sizesOfModule(maker: Maker): void {
  const { m, names } = maker;
  for (const [name, value] of names)
    if (value.kind === 'unknown' && namesNumber.test(name) && sizeNamed(name) !== undefined) setKey(m, names, name, int(sizeOf(maker, name))); // prettier-ignore
}

/** The module in which a function or a class stands. */
function moduleOf(m: Machine, { value, method }: Root): Frame {
  const own =
    value.kind === 'function'
      ? value
      : (method ?? [...value.attributes.values()].find(({ kind }) => kind === 'function'));
  return own?.kind === 'function' ? own.closure.globals : m.globals;
}

/** A method of a class, its own or one of its bases'. */
export function methodNamed({ attributes, bases }: ClassValue, name: string): FunctionValue | undefined {
  const own = attributes.get(name);
  if (own) return own.kind === 'function' ? own : undefined;
  for (const base of bases) {
    const found = methodNamed(base, name);
    if (found) return found;
  }
  return undefined;
}

/** Of a class whose fields are what its constructor takes. */
const fieldsFor = (readings: Readings, of: ClassValue, maker: Maker): Map<string, Value> =>
  new Map(
    fieldsNeeded(of).flatMap((name) => {
      const learnt = readings.get(of)?.args.get(name);
      const value = valueFor(maker, { name, learnt, annotation: '', constructor: true }) ?? learnt;
      return value ? [[name, value]] : [];
    }),
  );

function* called(m: Machine, readings: Readings, of: FunctionValue, first: readonly Value[], maker: Maker): Run<Value> {
  const keywords = yield* argumentsFor(readings, of, first.length, maker);
  const [self] = first;
  // A layer of Keras makes its weights before its first call.
  const prepared = self?.kind === 'instance' && of.name === 'call' ? methodNamed(self.of, '_prepared') : undefined;
  if (prepared)
    yield* call(m, prepared, { positional: [...first, tuple([...keywords.values()])], keywords: new Map() });
  return yield* call(m, of, { positional: first, keywords });
}

function* argumentsFor(
  readings: Readings,
  of: FunctionValue,
  from: number,
  maker: Maker,
  needed = neededOf(of, from),
  isPart = false,
): Run<Map<string, Value>> {
  const { here } = maker.m;
  const reading = readings.get(of);
  const found = switchedFor(maker, of, from);
  for (const parameter of needed) {
    if (found.has(parameter.arg)) continue;
    at(maker.m, parameter.source, parameter);
    const learnt = reading?.args.get(parameter.arg);
    const annotation = parameter.annotation ? textOf(parameter.source, parameter.annotation) : '';
    const layer = isPart ? undefined : layerMeant(maker.m, of, parameter, learnt);
    if (layer) {
      found.set(parameter.arg, yield* layerOf(readings, layer, maker));
      continue;
    }
    const beside = shapeBeside(parameter.arg, reading?.args);
    const own = of.name === '__init__' ? undefined : tensorMeant(of, parameter);
    if (own) {
      const data = valueFor(maker, { name: parameter.arg, learnt: undefined, annotation: 'ndarray', constructor: false }); // prettier-ignore
      found.set(parameter.arg, yield* call(maker.m, own, { positional: data ? [data] : [], keywords: new Map() }));
      continue;
    }
    if (makesOwnMask(maker.m, of, parameter.arg)) {
      found.set(parameter.arg, none);
      continue;
    }
    const value = valueFor(maker, { name: parameter.arg, learnt, annotation, constructor: of.name === '__init__', ...(beside && { beside }) }); // prettier-ignore
    const open: Value = learnt ?? { kind: 'unknown', cause: { text: t('{0} is given by no call here', parameter.arg), range: maker.m.here } }; // prettier-ignore
    found.set(parameter.arg, value ?? open);
  }
  maker.m.here = here;
  return found;
}

/** `if attn_mask is None: attn_mask = CausalMask(B, L)`, and then `attn_mask.mask`: an object of which no call says what it is, made by the code itself. */
function makesOwnMask(m: Machine, of: FunctionValue, name: string): boolean {
  if (!namesMask(name)) return false;
  const text = bodyText(of);
  const asked = [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, part = '']) => part);
  return asked.some((part) => !isTensorMember(m, part)) && new RegExp(`\\b${name}\\s+is\\s+None\\b`).test(text);
}

/**
 * The layer whose object an argument is: the class that annotates it; where it is called, the one of its name (`rope`, of a class RoPE), the program's
 * one attention of several heads for `self_attn`, and a table of embeddings where its size is asked for.
 */
function layerMeant(
  m: Machine,
  of: FunctionValue,
  { arg, annotation }: Arg,
  learnt: Value | undefined,
): ClassValue | undefined {
  const { names } = of.closure.globals;
  const own = (name: string): ClassValue | undefined => {
    const value = names.get(name);
    return value?.kind === 'class' && (value.own ?? !bases.has(value.name)) && value.name !== of.owner?.name && (methodNamed(value, 'forward') ?? methodNamed(value, '__call__')) ? value : undefined; // prettier-ignore
  };
  const said = annotation ? textOf(of.source, annotation).match(/\w+/g) : null;
  const annotated = said?.map(own).find(Boolean);
  const stand = learnt?.kind === 'unknown' ? learnt.standIn : undefined;
  // `self_attn` may be handed on to a wrapper that calls it.
  const isAttention =
    of.name === '__init__' && /(?:^|_)(?:attn|attention)$/i.test(arg) && !stand?.tensor && !stand?.isSize;
  if (annotated || !(stand?.isCalled || isAttention)) return annotated;
  const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
  const only = (fits: (name: string) => boolean): ClassValue | undefined => {
    const found = [...new Set([...names.keys()].flatMap((name) => (fits(plain(name)) && own(name)) || []))];
    return found.length === 1 ? found[0] : undefined;
  };
  const named = only((name) => name === plain(arg));
  if (named) return named;
  if (/attn|attention/i.test(arg)) return only((name) => /multi.*attention/.test(name)) ?? only((name) => name.includes('attention')); // prettier-ignore
  const table = /emb/i.test(arg) && ['weight', 'embedding_dim', 'num_embeddings'].some((part) => stand?.parts.has(part)); // prettier-ignore
  const embedding = table ? m.library(m, 'nn.Embedding') : undefined;
  return embedding?.kind === 'class' ? embedding : undefined;
}

/** Classes of libraries that every layer is of. */
const bases = new Set('Module Layer Model Sequential ModuleList Tensor Parameter'.split(' '));

/** The program's own class of tensors, `Tensor(array)` with products of its own, where that is what an argument is annotated with. */
function tensorMeant(of: FunctionValue, { annotation }: Arg): ClassValue | undefined {
  const said = annotation ? of.closure.globals.names.get(textOf(of.source, annotation).replace(/^['"]|['"]$/g, '')) : undefined; // prettier-ignore
  return said?.kind === 'class' && said.own && methodNamed(said, '__matmul__') ? said : undefined;
}

/** An object of a layer that is an argument itself: what it takes stands in too. */
function* layerOf(readings: Readings, of: ClassValue, maker: Maker): Run<Value> {
  const start = methodNamed(of, '__init__');
  const keywords = start
    ? yield* argumentsFor(readings, start, 1, maker, neededToMake(of, start), true)
    : new Map<string, Value>();
  const made = yield* call(maker.m, of, { positional: [], keywords });
  fillParameters(maker, made);
  return made;
}

/** Arguments that a way through the code asks for: a switch that is on, a mask that is given. */
function switchedFor(maker: Maker, of: FunctionValue, from: number): Map<string, Value> {
  const { settings } = maker.choice;
  const found = new Map<string, Value>();
  for (const [parameter, usually] of settings ? parametersOf(of, from) : []) {
    const setting = settings?.get(parameter.arg);
    if (setting === undefined) continue;
    at(maker.m, of.source, parameter);
    const value = switchedTo(maker, of, parameter, setting, usually);
    if (value) found.set(parameter.arg, value);
  }
  return found;
}

/** With their defaults. */
export function parametersOf(
  { parameters, defaults, keywordDefaults }: FunctionValue,
  from: number,
): readonly (readonly [Arg, Value | undefined])[] {
  const plain = [...parameters.posonlyargs, ...parameters.args];
  return [
    ...plain.map((arg, i) => [arg, defaults[i - plain.length + defaults.length]] as const).slice(from),
    ...parameters.kwonlyargs.map((arg) => [arg, keywordDefaults.get(arg.arg)] as const),
  ];
}

function switchedTo(
  maker: Maker,
  of: FunctionValue,
  { arg, annotation }: Arg,
  setting: Setting,
  usually: Value | undefined,
): Value | undefined {
  if (typeof setting === 'object' && 'number' in setting) return usually?.kind === 'int' || usually?.kind === 'float' ? { kind: usually.kind, value: setting.number } : undefined; // prettier-ignore
  if (typeof setting === 'object') return 'text' in setting ? str(setting.text) : undefined;
  if (setting === 'none' || (setting === false && usually?.kind === 'none')) return none;
  if (typeof setting === 'boolean' && (!usually || usually.kind === 'bool')) return usually ? bool(setting) : undefined;
  if (setting === false || usually?.kind !== 'none') return undefined;
  const says = annotation ? textOf(of.source, annotation) : '';
  if (/\bbool\b/.test(says)) return bool(true);
  const value = valueFor(maker, {
    name: arg,
    learnt: undefined,
    annotation: says,
    constructor: of.name === '__init__',
  });
  return value?.kind === 'none' ? undefined : value;
}

/** The text of a method's body. */
export const bodyText = ({ body, source }: FunctionValue): string =>
  Array.isArray(body) ? (body as readonly Statement[]).map((one) => textOf(source, one)).join('\n') : '';

// --- what came of it --------------------------------------------------------------

export const touches = (a: TextRange, b: TextRange): boolean => a.start < b.end && b.start < a.end;

/** Whether an attention is computed in a piece of text, or called from there. */
export const isIn = ({ site: { weights } }: Attention, range: TextRange): boolean =>
  touches(weights.range, range) || weights.stack.some((one) => touches(one, range));

export const hasShape = ({ site: { weights } }: Attention): boolean =>
  weights.shape !== undefined && isKnownShape(weights.shape);

export const fiveAxes = (): string => t('it has more than four axes');

/** Why weights that were computed are no attention here; undefined where there are none. */
function* otherWeights(graph: Graph): Paced<{ readonly text: string; readonly range: TextRange } | undefined> {
  const open = unfollowedIn(graph);
  if (open) return { text: unfollowed(), range: open.range };
  const [average] = yield* averagesIn(graph, true);
  return average && { text: noProduct(), range: average.range };
}

/** Attention with a shape, whose mask hides what a mask is to hide. */
function* judged(m: Machine, root: Root, from: number, maker: Maker): Run<Omit<Failed, 'made' | 'asked'> | Worked> {
  const graph = { nodes: m.graph.nodes.slice(from) };
  const all = yield* findingAttention(graph);
  const found = all.filter((attention) => isIn(attention, root.range) && hasShape(attention));
  const [first] = found;
  if (!first) {
    // What a layer holds before it is filled is no reason.
    const filled = graph.nodes.find((node) => node.why && node.operands.length > 0);
    const why = all[0]?.site.weights.why ?? filled?.why ?? (yield* otherWeights(graph));
    return {
      text: why?.text ?? t('no attention is computed'),
      range: why?.range ?? root.range,
      masks: false,
      ran: true,
    };
  }
  if ([first.site.weights, first.parts.q, first.parts.k].some((node) => node?.shape?.includes(0))) return { text: t('a size of 0 comes of the sizes that stand in'), range: first.site.weights.range, masks: false, empty: true }; // prettier-ignore
  if (!isInOrder(first) && !arranged(m.graph, first)) return { text: fiveAxes(), range: first.site.weights.range, masks: false }; // prettier-ignore
  // `cos[position_ids]` of ids of a batch, where code puts the batch's axis before it itself.
  const ids = [...maker.made].some(([name, made]) => made.ids && made.shape.length > 1 && !maker.choice.forms[name]?.rank); // prettier-ignore
  if (ids && (first.site.weights.shape?.length ?? 0) > 4) return { text: fiveAxes(), range: first.site.weights.range, masks: false }; // prettier-ignore
  const weights = yield* look(m, first.site.weights);
  const worked: Worked = { attentions: found };
  if (!('data' in weights)) return worked;
  const { data, shape } = weights;
  const columns = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  const { mask: own } = first.parts;
  // A mask that the code itself makes hides what it hides.
  if (data.some((x) => Number.isNaN(x)) && !(own && isOwn(own))) return { text: t('a mask that hides all keys of a query: its weights are no numbers'), range: first.site.weights.range, masks: true }; // prettier-ignore
  const hides = [...maker.made].some(([name, { mask }]) => mask && !/src|source|padding|memory/.test(name));
  const last = [...maker.made].some(([name, { mask }]) => mask && ['all', 'ones', 'none hidden'].includes(maker.choice.forms[name]?.mask ?? '')); // prettier-ignore
  const causal = data.every((x, i) => i % columns <= Math.floor(i / columns) % rows || x === 0);
  const masked = first.parts.masked !== undefined || first.parts.mask !== undefined;
  if (hides && !last && masked && !causal) return { text: t('what the mask hides is not clear'), range: first.site.weights.range, masks: true }; // prettier-ignore
  return worked;
}

interface Mark {
  readonly nodes: number;
  readonly bindings: number;
  readonly own: number;
  readonly outputs: number;
  readonly rest: Pick<Machine, 'steps' | 'draws' | 'floats' | 'here' | 'unknowns' | 'sampling' | 'forced'>;
  readonly streams: Machine['streams'];
}

function marked(m: Machine, mostSteps: number, { forced }: Choice, shapesOnly: boolean): Mark {
  const { steps, draws, floats, here, unknowns, sampling } = m;
  const mark = {
    nodes: m.graph.nodes.length, bindings: m.sampleBindings.length, own: m.bindings.length, outputs: m.outputs.length,
    rest: { steps, draws, floats, here, unknowns, sampling, forced: m.forced }, streams: { ...m.streams },
  }; // prettier-ignore
  Object.assign(m, {
    sampling: true,
    sampleSeen: m.seen && new Map(),
    steps: mostSteps,
    draws: shapesOnly ? 0 : Math.min(draws, attemptDraws),
    forced,
    stack: [],
    depth: 0,
    via: undefined,
  });
  return mark;
}

/** As it was before; what was computed stays where it was of use. */
function restored(m: Machine, mark: Mark, keeps: { nodes: boolean; shapes: 'all' | 'missing' | 'none' }): void {
  if (keeps.shapes !== 'none' && m.sampleSeen) takeOver(m, m.sampleSeen, keeps.shapes === 'missing');
  m.sampleSeen = undefined;
  if (!keeps.nodes) {
    m.graph.nodes.length = mark.nodes;
    m.sampleBindings.length = mark.bindings;
  }
  m.bindings.length = mark.own;
  m.outputs.length = mark.outputs;
  Object.assign(m, mark.rest, { stack: [], depth: 0, via: undefined, journal: undefined, unsureLoop: undefined });
  Object.assign(
    m.streams,
    { torch: undefined, numpy: undefined, behindDropout: undefined, lost: undefined },
    mark.streams,
  );
}
