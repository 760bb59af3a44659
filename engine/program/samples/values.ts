/** Values that stand in for arguments: of the kind that their use, their annotation and their names say, with sizes by name and numbers from a seed. */
import {
  addNode,
  raise,
  type Machine,
  newTensor,
  overwrite,
  bool,
  builtin,
  int,
  none,
  str,
  tuple,
  type ClassValue,
  type Run,
  type StandIn,
  type Value,
} from '../machine';
import { fillTorchNormal } from '../../random';
import { cos, sin, rotationDivisor } from '../../math';
import {
  count,
  dimWith,
  formatDim,
  isKnownShape,
  type Dim,
  type Shape,
  rounding,
  type DType,
  type Library,
} from '../tensor';
import { makeClass } from '../evaluate';
import type { Settings } from './branches';
import {
  namesContext,
  namesIds,
  namesLengths,
  namesPositions,
  namesBias,
  namesMask,
  namesWeight,
  otherSize,
  settingNamed,
  sizeNamed,
  usual,
} from './sizes';

/** What one attempt takes for what the names leave open. */
export interface Choice {
  /** Sizes by name, where another than the usual one is tried. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Of tensors by the parameter's name: how many axes, and the last one's size. */
  readonly forms: Readonly<Record<string, Form>>;
  /** Keywords for a constructor that hands on whatever it takes: names of sizes. */
  readonly extra?: readonly string[];
  /** The number type of tensors, where layers have another than usual. */
  readonly dtype?: DType;
  /** Queries and keys have one length, as have all texts. */
  readonly even?: boolean;
  /** Methods that are called first, in this order: they set what the method that is run reads. */
  readonly before?: readonly string[];
  /** What switches are to be on a way that is not taken otherwise. */
  readonly settings?: Settings;
  /** Which way conditions on switches go, by the statement. */
  readonly forced?: ReadonlyMap<object, boolean>;
}

export interface Form {
  readonly rank?: number;
  readonly last?: number;
  /** The size of the axis before the last: how many tokens a table of positions is for. */
  readonly tokens?: number;
  readonly ids?: boolean;
  readonly mask?: MaskKind;
  /** The first axis, where more inputs than the usual one are taken together. */
  readonly inputs?: number;
  /** The second axis: a picture's channels. */
  readonly channels?: number;
  /** A tensor where its use made it a number; two sizes where one was thought of. */
  readonly is?: 'tensor' | 'pair';
  /** Tokens before inputs: `src_len = encoder_outputs.shape[0]`. */
  readonly tokensFirst?: boolean;
  /** So many tensors in place of one: `q, k, v = inputs`. */
  readonly parts?: number;
}

/** What a mask says: 1 where a key is seen, as truth or as a number; 1 where it is hidden; −∞ where it is hidden; all seen. */
export const maskKinds = ['visible', 'hidden', 'additive', 'whole', 'all', 'none hidden', 'ones'] as const;
export type MaskKind = (typeof maskKinds)[number];

export interface Maker {
  readonly m: Machine;
  readonly choice: Choice;
  readonly library: Library;
  /** The number type of tensors that are no ids. */
  readonly float: DType;
  /** Whether the code has heads, of which a width is a multiple then. */
  readonly heads: boolean;
  /** Axes of tensors of which nothing says how many they have. */
  readonly rank: number;
  readonly width: number;
  /** A function, whose arguments are as wide as the first of them. */
  readonly isFunction: boolean;
  /** Names of the module that it stands in. */
  readonly names: Map<string, Value>;
  /** Tensors that were made, by their parameters. */
  readonly made: Map<
    string,
    { readonly shape: readonly number[]; readonly open: boolean; readonly mask: boolean; readonly ids?: true }
  >;
  /** Names of sizes that were asked for. */
  readonly asked: Map<string, number>;
}

export interface Asked {
  readonly name: string;
  readonly learnt: Value | undefined;
  /** What the parameter is annotated with. */
  readonly annotation: string;
  readonly constructor: boolean;
  /** Of keys and values whose own shape nothing says: that of the queries beside them. */
  readonly beside?: Shape;
}

const standInOf = (value: Value | undefined): StandIn | undefined =>
  value?.kind === 'unknown' ? value.standIn : undefined;

/** Undefined where nothing can stand in. */
export function valueFor(maker: Maker, asked: Asked): Value | undefined {
  const { name, learnt, annotation, constructor, beside } = asked;
  const of = standInOf(learnt);
  const { is, parts } = maker.choice.forms[name] ?? {};
  if (parts !== undefined)
    return tuple(Array.from({ length: parts }, (_, i) => tensorFor(maker, `${name}[${i}]`, undefined)));
  if (is === 'tensor') return tensorFor(maker, name, of, beside);
  if (is === 'pair') return tuple([int(sizeOf(maker, name)), int(sizeOf(maker, name))]);
  if (is === undefined && constructor && isPair(of))
    return tuple([int(pairedSize(maker, name)), int(pairedSize(maker, name))]);
  if (of?.isCalled && namesLayer(name)) return handsOn(maker, name);
  if (drawsNumbers(of)) return maker.m.library(maker.m, 'np.random') ?? { kind: 'module', name: 'np.random' };
  const isObject = of !== undefined && hasParts(maker.m, of);
  // What is called, and a text, are no tensors, and nothing else says what they give.
  if (learnt?.kind === 'unknown' && !constructor && !of?.tensor && (of?.isCalled || namesText.test(name)))
    return learnt;
  // `forward(self, x, H, W)`: the tokens are a picture's places.
  if (!constructor && !of?.tensor && /^(?:h|w|height|width)$/i.test(name)) return int(sizeOf(maker, name));
  if (namesMask(name) && !isObject && !constructor) return maskFor(maker, name, of);
  if (/^freqs_(complex|cis)$/.test(name) && !constructor) return turns(maker);
  if (/^freqs?_cos$/.test(name)) return rotation(maker, cos, true);
  if (/^freqs?_sin$/.test(name)) return rotation(maker, sin, true);
  // Lengths of texts, a cache: code that takes them says what it does without them.
  if (settingNamed(name)?.kind === 'none') return none;
  if (!constructor && of && namesLengths(name)) return lengthsFor(maker, name, of);
  if (constructor && of && namesPositions(name) && !of.isSize && !of.isCalled)
    return drawn(maker, name, openShape(maker, name, { rank: 3 }, false), maker.float);
  // `np.power(base, …)` of an entry of a configuration is a number still.
  const number = constructor ? settingNamed(name) : undefined;
  if (number?.kind === 'float' || number?.kind === 'int') return number;
  // `np.sqrt(d_model)` takes numbers and arrays: by its name it is a number.
  if (of?.tensor && !of.tensor.node.shape && (constructor || namesNumber.test(name)) && sizeNamed(name) !== undefined) return int(sizeOf(maker, name)); // prettier-ignore
  if (of?.tensor && !of.isSize) return tensorFor(maker, name, of, beside);
  if (!constructor && !/^(?:cos|sin)/.test(name) && /\b(?:Tensor|Array|ndarray|FloatTensor)\b/.test(annotation))
    return tensorFor(maker, name, of, beside);
  const setting = settingNamed(name);
  if (setting) return setting;
  if (isObject || /config|^(cfg|args|params|hparams|opt)$/i.test(name)) return objectFor(maker, name, of, annotation);
  if (annotation === 'int' || (of?.isSize && !of.tensor && (constructor || sizeNamed(name) !== undefined))) return int(sizeOf(maker, name)); // prettier-ignore
  if (annotation === 'float') return { kind: 'float', value: 0.5 };
  if (annotation === 'bool') return bool(false);
  if (annotation === 'str') return undefined;
  if (/^position_embeddings$|^(cos_sin|rotary)$/.test(name)) return tuple([rotation(maker, cos), rotation(maker, sin)]);
  if (/^cos/.test(name) && !constructor) return rotation(maker, cos);
  if (/^sin/.test(name) && !constructor) return rotation(maker, sin);
  if (!constructor && (of?.tensor || of?.parts.size || !/(size|dim|heads?|len)$/.test(name)))
    return tensorFor(maker, name, of, beside);
  return sizeNamed(name) === undefined && !(of?.isSize ?? false) ? undefined : int(sizeOf(maker, name));
}

/** A layer that is given as an argument: it hands on what it is given, as a projection, a norm or a feed-forward keeps the width; ids it embeds. */
const handsOn = (maker: Maker, name: string): Value =>
  builtin(name, function* ({ positional: [x] }): Run<Value> {
    yield;
    const shape = x?.kind === 'tensor' && x.node.dtype === 'int64' ? x.node.shape : undefined;
    return shape && isKnownShape(shape) ? drawn(maker, name, [...shape, maker.width], maker.float) : (x ?? none);
  });

const namesLayer = (name: string): boolean =>
  /(?:^|[._])(?:[qkvo]|w_?[qkvo]|emb\w*|wte|wpe|query|key|value|out|proj\w*|norm\w*|ln\w*|drop\w*|ffn?|feed_?forward|mlp|fn|sublayer|layer|module|act\w*)\d*(?:_|$)/.test(
    name.toLowerCase(),
  );

const namesText =
  /^(?:text|sentence|prompt|string|word|tokenizer|path|file_?(?:name|path)|url)s?$|data_?(?:set|loader)s?$|^(?:train|val|test)?_?loader$/;

/** A generator of random numbers that is handed on: `rng.normal(0, 0.02, size=(d, d))`. */
const drawsNumbers = (of: StandIn | undefined): boolean =>
  of !== undefined && !of.tensor && /^(?:rng|rs|random_state|generator)$/.test(of.name) && [...of.parts.keys()].some((part) => /^(?:normal|uniform|randn|rand|standard_normal|random)$/.test(part)); // prettier-ignore

/** What is a size also where a function takes it. */
export const namesNumber = /^(?:d|n|num|dim)_|(?:dim|size|heads?)$/;

/** The shape of the keys or the queries, where a parameter is the values or the keys beside them. */
export function shapeBeside(name: string, args: ReadonlyMap<string, Value> | undefined): Shape | undefined {
  const isValue = /^(?:v|values?)$/i.test(name);
  if (!args || !(isValue || /^(?:k|keys?)$/i.test(name))) return undefined;
  const others = [...(isValue ? [/^(?:k|keys?)$/i] : []), /^(?:q|query|queries)$/i];
  const shapes = others.flatMap((other) =>
    [...args].flatMap(([one, value]) => (other.test(one) ? [standInOf(value)?.tensor?.node.shape] : [])),
  );
  return shapes.reduce((found, shape) => (found && completed(found, shape)) ?? shape, undefined);
}

/** `_, S, _, _ = keys.shape` beside `B, L, H, D = queries.shape`: what has no name is as large as beside it. */
const completed = (shape: Shape, beside: Shape | undefined): Shape =>
  beside?.length !== shape.length
    ? shape
    : shape.map((dim, i) => (/\.shape\[\d+\]$/.test(formatDim(dim)) ? (beside[i] as Dim) : dim));

/** A constructor's argument that is taken apart by numbers: height and width of a window or a picture. */
const isPair = (of: StandIn | undefined): boolean => of?.isSequence === true && !of.tensor && !of.shapeOf;

/** Small: the tokens of a window are as many as its height times its width. */
function pairedSize(maker: Maker, name: string): number {
  const size = maker.choice.sizes[name] ?? usual.heads;
  maker.asked.set(name, size);
  return size;
}

const tensorMembers = /^(shape|device|dtype|is_cuda|requires_grad|\[.*\]|data|mT)$/;

/** Whether something has attributes that no tensor has. */
const hasParts = (m: Machine, { parts }: StandIn): boolean =>
  [...parts.keys()].some((name) => !isTensorMember(m, name));

export const isTensorMember = (m: Machine, name: string): boolean =>
  tensorMembers.test(name) || m.library(m, `Tensor.${name}`) !== undefined;

export function sizeOf(maker: Maker, name: string): number {
  const own =
    maker.choice.sizes[name] ?? (maker.choice.even && sizeNamed(name) === usual.keys ? usual.queries : undefined);
  const short = name.slice(name.lastIndexOf('.') + 1);
  const output = /^(d_out|out_dim|dim_out|out_features|output_dim)$/.test(short) && !maker.heads;
  const size = own ?? (output ? usual.head : (sizeNamed(name) ?? otherSize));
  maker.asked.set(name, size);
  return size;
}

/** A configuration: whatever is asked of it by name. */
function objectFor(maker: Maker, name: string, of: StandIn | undefined, annotation: string): Value {
  const parts = new Map<string, Value>();
  const usually = settingsMeant(maker, of, annotation)?.attributes;
  const part = (key: string): Value => {
    const known = parts.get(key) ?? switched(maker, key);
    if (known) return known;
    const learnt = of?.parts.get(key);
    const used = standInOf(learnt);
    const sized = used?.isSize === true || sizeNamed(key) !== undefined;
    const open = !settingNamed(key) && !sized && !used?.parts.size && !used?.tensor && !used?.isCalled;
    const value = open ? plainNumber(usually?.get(key)) : valueFor(maker, { name: key, learnt, annotation: '', constructor: true }); // prettier-ignore
    parts.set(key, value ?? none);
    return value ?? none;
  };
  const keyed = (otherwise: boolean) =>
    builtin('get', function* ({ positional: [, key, instead] }): Run<Value> {
      if (key?.kind !== 'str') return raise('KeyError', 'a key that is no text');
      return otherwise && instead && !of?.parts.has(key.value) ? instead : part(key.value);
    });
  const members: readonly (readonly [string, Value])[] = [
    ['__getattr__', keyed(false)],
    ['__getitem__', keyed(false)],
    ['get', keyed(true)],
    // `'dropout' in config`: it has what sizes something; for the rest the code says what holds without it.
    [
      '__contains__',
      builtin('__contains__', function* ({ positional: [, key] }): Run<Value> {
        yield;
        return bool(key?.kind === 'str' && sizeNamed(key.value) !== undefined);
      }),
    ],
  ];
  const made: ClassValue = makeClass(name, [], new Map(members));
  return { kind: 'instance', of: made, attributes: new Map() };
}

/** The program's own class of settings that an argument is: the one that annotates it, else the only one that has all that is asked of it. */
function settingsMeant({ names }: Maker, of: StandIn | undefined, annotation: string): ClassValue | undefined {
  const said = names.get(annotation.replace(/^['"]|['"]$/g, ''));
  if (said?.kind === 'class') return said;
  const fits = [...names.values()].filter((one): one is ClassValue => one.kind === 'class' && one.fields !== undefined && [...(of?.parts.keys() ?? [])].every((key) => one.attributes.has(key))); // prettier-ignore
  return fits.length === 1 ? fits[0] : undefined;
}

/** A share, a factor or a word has no size that would have to stand in. */
const plainNumber = (value: Value | undefined): Value =>
  value && ['int', 'float', 'bool', 'str'].includes(value.kind) ? value : none;

/** An entry that a way through the code asks for. */
function switched({ choice: { settings } }: Maker, key: string): Value | undefined {
  const setting = settings?.get(key);
  if (typeof setting === 'boolean') return bool(setting);
  if (typeof setting === 'object') return 'text' in setting ? str(setting.text) : undefined;
  return setting === 'none' ? none : undefined;
}

// --- tensors ----------------------------------------------------------------------

export function tensorFor(maker: Maker, name: string, of: StandIn | undefined, beside?: Shape): Value {
  const form = maker.choice.forms[name] ?? {};
  const own = of?.tensor?.node.shape;
  const learnt = form.rank === undefined ? (own ? completed(own, beside) : beside) : undefined;
  const ids = form.ids ?? (namesIds(name) && !learnt?.[2]);
  const sizes = learnt
    ? learntShape(maker, learnt, form)
    : openShape(maker, name, ids ? { rank: 2, ...form } : form, ids);
  const usually = withTokens(withChannels(sizes, form), ids ? undefined : form.tokens);
  const [first, second, ...rest] = usually;
  const shape = form.tokensFirst && rest.length > 0 ? [second as number, first as number, ...rest] : usually;
  maker.made.set(name, { shape, open: learnt === undefined, mask: false, ...(ids && { ids }) });
  return drawn(maker, name, shape, ids ? 'int64' : maker.float);
}

/** The last axis of the first tensor among the arguments that is no weight, mask or bias. */
const firstWidth = ({ made }: Maker): number | undefined =>
  [...made].find(([of, { mask }]) => !(mask || namesWeight(of) || namesBias(of)))?.[1].shape.at(-1);

function widthOf(maker: Maker): number {
  const first = [...maker.made].find(([of, { mask, shape, ids }]) => !(mask || ids || shape.length < 2 || shape.length > 3 || namesWeight(of) || namesBias(of)))?.[1]; // prettier-ignore
  return (maker.isFunction ? first?.shape.at(-1) : undefined) ?? maker.width;
}

/** As wide as what it is multiplied by, which stands before it among the arguments. */
function weightShape(maker: Maker, last: number | undefined): readonly number[] {
  const width = firstWidth(maker) ?? maker.width;
  return [width, last ?? width];
}

const withTokens = (shape: readonly number[], tokens: number | undefined): readonly number[] =>
  tokens === undefined || shape.length < 2 ? shape : [...shape.slice(0, -2), tokens, shape.at(-1) as number];

/** Sizes by the names that the code gives them; what it calls `_` by its place. */
function learntShape(maker: Maker, shape: Shape, { last }: Form): readonly number[] {
  const sizes = shape.map((dim, i) => dimWith(dim, (name) => placed(maker, name, i - shape.length, shape.length)));
  return last === undefined ? sizes : [...sizes.slice(0, -1), last];
}

function placed(maker: Maker, name: string, fromEnd: number, rank: number): number {
  // `N` is of sequences where three axes are unpacked, and of tokens where two are.
  if (/^n$/i.test(name) && rank > 2 && fromEnd === -rank && !maker.choice.sizes[name]) return usual.batch;
  if (!/\.shape\[|^\?|^\[/.test(name)) return sizeOf(maker, name);
  const own = maker.choice.sizes[name];
  if (own !== undefined) return own;
  if (fromEnd === -1) return rank > 3 ? usual.head : widthOf(maker);
  if (fromEnd === -2) return usual.queries;
  return fromEnd === -rank ? usual.batch : usual.heads;
}

const withChannels = (shape: readonly number[], { inputs, channels }: Form): readonly number[] =>
  shape.length < 3 ? shape : [inputs ?? (shape[0] as number), channels ?? (shape[1] as number), ...shape.slice(2)];

function openShape(maker: Maker, name: string, form: Form, ids: boolean): readonly number[] {
  const { rank = maker.rank, last } = form;
  if (form.rank === undefined && !ids && namesWeight(name)) return weightShape(maker, last);
  if (form.rank === undefined && !ids && namesBias(name)) return weightShape(maker, last).slice(1);
  const length = namesContext(name) && !maker.choice.even ? usual.keys : usual.queries;
  const inner = ids ? [last ?? length] : [length, last ?? (rank > 3 ? usual.head : widthOf(maker))];
  if (rank < inner.length) return inner.slice(inner.length - rank);
  const lead = [usual.batch, usual.heads].slice(0, rank - inner.length);
  return [...lead, ...inner];
}

/** How many tokens each text has: all of them. */
function lengthsFor(maker: Maker, name: string, of: StandIn): Value {
  const { m, library } = maker;
  const learnt = of.tensor?.node.shape;
  const shape = learnt ? learntShape(maker, learnt, {}) : [usual.batch];
  const tokens = namesContext(name) && !maker.choice.even ? usual.keys : usual.queries;
  return leaf(m, library, name, shape, 'int64', new Float64Array(count(shape)).fill(tokens));
}

/** Numbers from the machine's own streams, as `torch.randn` and `np.random.randn` draw them; small whole numbers for ids. */
function drawn({ m, library }: Maker, name: string, shape: readonly number[], dtype: DType): Value {
  const size = count(shape);
  const stream = library === 'torch' ? m.streams.torch : undefined;
  const normal = (): Float64Array =>
    stream
      ? fillTorchNormal(stream, 'float32', new Float64Array(size), 0, 1)
      : (m.streams.numpy?.normal(size) ?? new Float64Array(size));
  const data = dtype === 'int64' ? Float64Array.from({ length: size }, (_, i) => i % 4) : normal();
  return leaf(m, library, name, shape, dtype, data);
}

/** Parameters that a layer leaves as they lay in memory, `nn.Parameter(torch.empty(…))`, have numbers that stand in: a checkpoint would fill them. */
export function fillParameters(maker: Maker, value: Value, seen = new Set<Value>()): void {
  if (seen.has(value)) return;
  seen.add(value);
  if (value.kind === 'list' || value.kind === 'tuple')
    for (const item of value.items) fillParameters(maker, item, seen);
  if (value.kind === 'dict') for (const [, item] of value.entries.values()) fillParameters(maker, item, seen);
  if (value.kind === 'instance') for (const part of value.attributes.values()) fillParameters(maker, part, seen);
  if (value.kind !== 'tensor' || !value.parameter || !value.root.unfilled) return;
  const { shape, dtype } = value.node;
  if (!shape || !isKnownShape(shape)) return;
  const filled = drawn(maker, 'parameter', shape, dtype);
  if (filled.kind === 'tensor') overwrite(maker.m, value, filled.node);
}

function leaf(
  m: Machine,
  library: Library,
  origin: string,
  shape: readonly number[],
  dtype: DType,
  data: Float64Array,
): Value {
  const round = rounding[dtype];
  const value = { shape, dtype, data: data.map((x) => round(x)) };
  return newTensor(library, addNode(m, 'constant', { shape, dtype, attributes: { origin, standsIn: true }, value }));
}

/** A causal mask; all seen where it is another's or a padding's. */
function maskFor(maker: Maker, name: string, of: StandIn | undefined): Value {
  const { m, library } = maker;
  const form = maker.choice.forms[name] ?? {};
  const kind = form.mask ?? (/src|source|padding|memory/.test(name) ? 'all' : 'visible');
  const learnt = form.rank === undefined ? of?.tensor?.node.shape : undefined;
  const rank = form.rank ?? 2;
  const square: readonly number[] = rank === 0 ? [1, 1] : [usual.queries, usual.queries];
  const shape = learnt ? learntShape(maker, learnt, {}) : rank < 0 ? [usual.batch, 1, 1, usual.queries] : rank === 1 ? [usual.batch, usual.queries] : [...new Array<number>(Math.max(0, rank - 2)).fill(1), ...square]; // prettier-ignore
  maker.made.set(name, { shape, open: learnt === undefined, mask: true });
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const seen = (i: number): boolean => i % columns <= Math.floor(i / columns) % rows || rows === 1;
  const cell: Record<MaskKind, (i: number) => number> = {
    visible: (i) => Number(seen(i)), whole: (i) => Number(seen(i)), hidden: (i) => Number(!seen(i)), additive: (i) => (seen(i) ? 0 : -Infinity),
    all: () => 1, ones: () => 1, 'none hidden': () => 0,
  }; // prettier-ignore
  const dtype = kind === 'additive' ? 'float32' : kind === 'whole' || kind === 'ones' ? 'int64' : 'bool';
  return leaf(
    m,
    library,
    name,
    shape,
    dtype,
    Float64Array.from({ length: count(shape) }, (_, i) => cell[kind](i)),
  );
}

/** cos or sin of position × frequency, each frequency twice (Su et al. 2021, in halves), or once and without a batch, as Llama's code has it. */
function rotation(maker: Maker, of: (x: number) => number, once = false): Value {
  const { m, library } = maker;
  const d = sizeOf(maker, 'head_dim');
  const half = Math.floor(d / 2);
  const columns = once ? half : d;
  const shape = once ? [usual.queries, columns] : [usual.batch, usual.queries, columns];
  const data = Float64Array.from({ length: count(shape) }, (_, i) => {
    const position = Math.floor(i / columns) % usual.queries;
    return of(position / rotationDivisor((i % columns) % half, d));
  });
  return leaf(m, library, 'rotation', shape, 'float32', data);
}

/** cos + i·sin of position × frequency, as complex numbers (Su et al. 2021, equation 13). */
function turns(maker: Maker): Value | undefined {
  const { m } = maker;
  const of = m.library(m, 'torch.ComplexTensor');
  if (of?.kind !== 'class') return undefined;
  // Where a part of a head alone is turned, its own width (DeepSeek-AI 2024, equation 14).
  const part = [...maker.asked.keys()].find((name) => /rope\w*dim/.test(name));
  const d = sizeOf(maker, part ?? 'head_dim');
  const shape = [usual.queries, Math.floor(d / 2), 2];
  const data = Float64Array.from({ length: count(shape) }, (_, i) => {
    const angle = Math.floor(i / d) / rotationDivisor(Math.floor(i / 2) % Math.floor(d / 2), d);
    return i % 2 === 0 ? cos(angle) : sin(angle);
  });
  const parts = leaf(m, maker.library, 'rotation', shape, 'float32', data);
  return { kind: 'instance', of, attributes: new Map([['_parts', parts]]) };
}
