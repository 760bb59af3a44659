/**
 * The nearest standard attention (Vaswani et al. 2017, equation 1) to one that a program computes: from the same queries, keys and values and with the
 * same keys hidden, scaled by √d_k, softmax over keys, heads joined in order. As a spec, with each step compared number by number.
 */
import type { Paced } from '../../text';
import { planOf } from '../../plan';
import { runReferencePaced, valuesOf as traceValues } from '../../run';
import { encodeNumber, matrixDefaults, type AttentionSpec, type SpecHeads, type SpecMatrix } from '../../spec';
import { type Node, type Dense, isKnownShape, type DType } from '../tensor';
import { numbersOf, type Source } from '../explain';
import { isAdditive, isScalar, passes, throughMoves, type Attention } from '../recognise';
import { arranged, productOf } from './stacks';

/** In the order in which they are computed: QKᵀ; which keys are hidden; the visible scores as softmax takes them; its weights; the weights as they are used; their sum of V; the heads joined. */
export type StageName = 'scores' | 'hidden' | 'scaled' | 'weights' | 'used' | 'attended' | 'joined';

export interface Difference {
  readonly stage: StageName;
  /** The expression of the program. */
  readonly node: Node;
  /** The largest difference of two numbers: the program's and the standard's at that cell. Of hidden keys: how many differ. */
  readonly most: number;
  readonly own: number;
  readonly standard: number;
}

export interface Nearest {
  readonly spec: AttentionSpec;
  /** The stages that both have and that agree, in order. */
  readonly agree: readonly { readonly stage: StageName; readonly node: Node }[];
  /** The first that does not. */
  readonly first?: Difference;
  /** All that do not, in order. */
  readonly differing: readonly Difference[];
  /** Whether the last stage agrees: then a step differs on the way, and the result does not. */
  readonly sameResult: boolean;
}

/** Scores below this are hidden keys: BERT adds −10000 to them, others `-1e9` or −∞. Such a key’s weight is 0 in every number type beside one that is seen. */
export const hiddenBelow = -1000;

/** Of the largest number of a stage: a product by 1/√d and a quotient by √d round apart. 2⁻⁴⁸, 2⁻¹⁹, 2⁻⁷, 2⁻⁴. */
const allowed: Readonly<Partial<Record<DType, number>>> = { float64: 3.6e-15, float32: 1.9e-6, float16: 0.0078, bfloat16: 0.0625 }; // prettier-ignore

/** Queries, keys and values, matrix by matrix: `lead` says how many inputs and heads. */
export interface Parts {
  /** What queries and keys are, as the rows and the columns of the scores. */
  readonly sides: readonly [queries: Node, keys: Node];
  readonly lead: readonly number[];
  readonly n: number;
  readonly m: number;
  readonly d: number;
  /** What queries and keys were multiplied with before they met, as `nn.MultiheadAttention` has it; `q` and `k` are without it. */
  readonly folded: number;
  readonly q: Float64Array;
  readonly k: Float64Array;
  readonly v: Values | undefined;
}

export interface Values {
  readonly data: Float64Array;
  readonly width: number;
  /** The weighted sum, with the letters of its axes, and the weights that it takes. */
  readonly sum: Node;
  readonly out: readonly string[];
  readonly wanted: readonly string[];
  readonly used: Node;
  readonly usedLetters: readonly string[];
}

interface Stage {
  readonly stage: StageName;
  readonly node: Node;
  readonly own: ArrayLike<number>;
  readonly standard: ArrayLike<number>;
}

/** Undefined where there is none: no product of queries and keys, weights that are turned, more than inputs and heads beside them, or numbers that cannot be had. */
export function* nearestStandard(attention: Attention, source: Source): Paced<Nearest | undefined> {
  const own = yield* partsOf(attention, source);
  const { site, parts, heads } = attention;
  const input = own && (yield* denseOf(source, site.input));
  const weights = own && (yield* denseOf(source, site.weights));
  if (!own || !input || !weights) return undefined;
  const cells = own.lead.reduce((a, b) => a * b, own.n * own.m);
  if (input.data.length !== cells || weights.data.length !== cells) return undefined;
  const used = own.v && (yield* cellsOf(source, own.v.used, own.v.usedLetters, [...own.v.wanted.slice(0, -2), 'query', 'key'], [...own.lead, own.n, own.m])); // prettier-ignore
  const hidden = hiddenKeys(input.data, weights.data, used);
  const many = heads ?? 1;
  const bias = yield* biasOf(attention, source, own, input, many);
  const spec = specOf(own, many, bias ?? maskOf(hidden, own, many), site.weights.dtype);
  const plan = spec && planOf(spec);
  const tolerance = allowed[site.weights.dtype] ?? 0;
  const trace = spec && plan?.ok ? yield* runReferencePaced(spec, plan.value) : undefined;
  if (!spec || !trace?.ok) return undefined;
  const standard = (...ids: readonly string[]): ArrayLike<number> => {
    const step = ids.flatMap((id) => trace.value.plan.steps.find((one) => one.id === id) ?? [])[0];
    return step ? traceValues(trace.value, step) : [];
  };
  const scores = parts.scores && (yield* denseOf(source, parts.scores));
  const sum = own.v && (yield* cellsOf(source, own.v.sum, own.v.out, own.v.wanted, [...own.lead, own.n, own.v.width]));
  const joined = yield* joinedHeads(attention, source, own);
  const scaled = parts.scaled && (yield* denseOf(source, parts.scaled));
  const scaledHere = scaled !== undefined && parts.scaled !== undefined && differs(scaled.data, standard('scaled'), tolerance); // prettier-ignore
  const at = {
    scores: parts.scores ?? site.input,
    scaled: scaledHere ? parts.scaled : site.input,
    used: own.v?.used ?? site.weights,
  };
  const stages: readonly Stage[] = [
    { stage: 'scores', node: at.scores, own: scores?.data.map((x) => x / own.folded) ?? [], standard: standard('scores') },
    { stage: 'hidden', node: parts.masked ?? at.used, own: input.data.map(isHidden), standard: hidden },
    { stage: 'scaled', node: at.scaled, own: shown(input.data, hidden), standard: shown(standard('masked', 'scaled', 'scores'), hidden) },
    { stage: 'weights', node: site.weights, own: weights.data, standard: standard('weights') },
    { stage: 'used', node: at.used, own: used ?? [], standard: standard('weights') },
    { stage: 'attended', node: own.v?.sum ?? at.used, own: sum ?? [], standard: standard('headOutputs', 'output') },
    { stage: 'joined', node: joined?.node ?? at.used, own: joined?.data ?? [], standard: standard('output') },
  ]; // prettier-ignore
  return { spec, ...verdict(stages, tolerance) };
}

function verdict(stages: readonly Stage[], tolerance: number): Omit<Nearest, 'spec'> {
  const both = stages.filter(({ own, standard }) => own.length > 0 && own.length === standard.length);
  const all = both.map((stage) => ({
    stage,
    difference: differenceOf(stage, tolerance),
  }));
  const first = all.find(({ difference }) => difference);
  const differing = all.flatMap(({ difference }) => difference ?? []);
  const agree = all.slice(0, first ? all.indexOf(first) : all.length).map(({ stage: { stage, node } }) => ({ stage, node })); // prettier-ignore
  const sameResult = all.length > 0 && all.at(-1)?.difference === undefined;
  return {
    agree,
    ...(first?.difference && { first: first.difference }),
    differing,
    sameResult,
  };
}

function differenceOf({ stage, node, own, standard }: Stage, tolerance: number): Difference | undefined {
  let [at, most, largest] = [-1, 0, 1];
  for (let i = 0; i < own.length; i++) {
    const [a, b] = [own[i] as number, standard[i] as number];
    if (Math.abs(b) !== Infinity) largest = Math.max(largest, Math.abs(b) || 0);
    // A query that sees no key has no weights in standard attention: there is nothing to compare.
    if (a === b || Number.isNaN(b)) continue;
    const difference = Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
    if (difference > most) [at, most] = [i, difference];
  }
  if (at < 0 || most <= tolerance * largest) return undefined;
  return {
    stage,
    node,
    most,
    own: own[at] as number,
    standard: standard[at] as number,
  };
}

/** Whether any number of two of one size differs by more than is allowed; hidden ones are passed by. */
const differs = (own: Float64Array, standard: ArrayLike<number>, tolerance: number): boolean =>
  own.length !== standard.length ||
  own.some((x, i) => x > hiddenBelow && Math.abs(x - (standard[i] as number)) > tolerance * Math.max(1, Math.abs(x)));

// --- the program's numbers ----------------------------------------------------------

export const denseOf = function* (source: Source, node: Node): Paced<Dense | undefined> {
  return (yield* numbersOf(source, node))?.dense;
};

export function* cellsOf(
  source: Source,
  node: Node,
  letters: readonly string[],
  wanted: readonly string[],
  sizes: readonly number[],
): Paced<Float64Array | undefined> {
  const dense = yield* denseOf(source, node);
  return dense && arranged(dense, letters, wanted, sizes);
}

/** By the letters of the two products. */
export function* partsOf({ parts, keys, apart }: Attention, source: Source): Paced<Parts | undefined> {
  const { scores } = parts;
  const product = scores && productOf(scores);
  if (keys !== 'rows' || apart || !product || !scores?.shape || !isKnownShape(scores.shape)) return undefined;
  // A score that a layer gives is none of a query and a key.
  if (isAdditive(scores) || scores.via === 'F.linear') return undefined;
  const { out } = product;
  const [i = '', j = ''] = out.slice(-2);
  // An equation may name the keys first: `khd,qhd->hqk`.
  const isTurned = !product.left.includes(i);
  const [left, right] = isTurned ? [product.right, product.left] : [product.left, product.right];
  const shared = left.filter((letter) => right.includes(letter) && !out.includes(letter));
  const [c] = shared;
  if (c === undefined || shared.length > 1 || !left.includes(i) || right.includes(i) || left.includes(j) || out.length > 4) return undefined; // prettier-ignore
  const [lead, leadLetters] = [scores.shape.slice(0, -2), out.slice(0, -2)];
  const [n = 0, m = 0] = scores.shape.slice(-2);
  const [first, second] = isTurned ? [scores.operands[1], scores.operands[0]] : scores.operands;
  const d = first?.shape?.[left.indexOf(c)];
  if (!first || !second || typeof d !== 'number') return undefined;
  const q = yield* cellsOf(source, first, left, [...leadLetters, i, c], [...lead, n, d]);
  const k = yield* cellsOf(source, second, right, [...leadLetters, j, c], [...lead, m, d]);
  const [ofQ, ofK] = [yield* factorBehind(source, first), yield* factorBehind(source, second)];
  if (!q || !k || ofQ === undefined || ofK === undefined) return undefined;
  const v = yield* valuesIn(parts, source, lead, n, m);
  return {
    sides: [first, second],
    lead,
    n,
    m,
    d,
    folded: ofQ * ofK,
    q: q.map((x) => x / ofQ),
    k: k.map((x) => x / ofK),
    v,
  };
}

/** Nodes that are looked at for the number by which a query was multiplied. */
const mostBehind = 128;

/**
 * The one number by which all of a query was multiplied before it met the keys; 1 where there is none, or where only a term of it was, undefined where
 * there are several.
 */
function* factorBehind(source: Source, node: Node, known = new Map<Node, number | undefined>()): Paced<number | undefined> {
  if (known.has(node)) return known.get(node);
  const [a, b] = node.operands;
  if (!a || known.size >= mostBehind) return 1;
  known.set(node, 1);
  const factor = yield* factorAt(source, node, a, b, known);
  known.set(node, factor);
  return factor;
} // prettier-ignore

function* factorAt(
  source: Source,
  node: Node,
  a: Node,
  b: Node | undefined,
  known: Map<Node, number | undefined>,
): Paced<number | undefined> {
  const { operation, operands } = node;
  if (passes(node) || operation === 'negative' || operation === 'mean') return yield* factorBehind(source, a, known);
  const isProduct = operation === 'multiply' || operation === 'divide';
  if (!isProduct && operation !== 'add' && operation !== 'subtract' && operation !== 'concat') return 1;
  // `scale * q` as `q * scale`.
  const [by, of] = operation === 'multiply' && isScalar(a) && b && !isScalar(b) ? [a, b] : [b, a];
  const value = isProduct && by && isScalar(by) ? (yield* denseOf(source, by))?.data[0] : undefined;
  if (value !== undefined && value !== 0) {
    const inner = yield* factorBehind(source, of, known);
    return inner === 1 ? (operation === 'divide' ? 1 / value : value) : undefined;
  }
  const all: (number | undefined)[] = [];
  for (const operand of operands) all.push(yield* factorBehind(source, operand, known));
  if (all.includes(undefined)) return undefined;
  if (!isProduct) return all.every((one) => one === all[0]) ? all[0] : 1;
  const found = all.filter((one) => one !== 1);
  return found.length > 1 ? undefined : operation === 'divide' && all[1] !== 1 ? 1 : (found[0] ?? 1);
}

/** V, from the sum that it is a factor of. */
function* valuesIn(
  parts: Attention['parts'],
  source: Source,
  lead: readonly number[],
  n: number,
  m: number,
): Paced<Values | undefined> {
  const sum = parts.attended ?? (parts.output && throughMoves(parts.output));
  const product = sum && productOf(sum);
  const [used, values] = sum?.operands ?? [];
  if (!sum?.shape || !isKnownShape(sum.shape) || !product || !used || !values) return undefined;
  const { left, right, out } = product;
  const [j] = left.filter((letter) => right.includes(letter) && !out.includes(letter));
  const [e] = right.filter((letter) => !left.includes(letter));
  const leadLetters = left.slice(0, -2);
  const i = left.at(-2);
  if (j === undefined || e === undefined || i === undefined || left.at(-1) !== j || leadLetters.length !== lead.length) return undefined; // prettier-ignore
  const width = sum.shape[out.indexOf(e)] ?? 0;
  const data = yield* cellsOf(source, values, right, [...leadLetters, j, e], [...lead, m, width]);
  // An equation may have these letters for something else: `bijk,bikl->bijl`.
  const named = (letters: readonly string[]): string[] => letters.map((one) => (one === i ? 'query' : one === j ? 'key' : one)); // prettier-ignore
  const fits = sum.shape[out.indexOf(i)] === n;
  return data && fits ? { data, width, sum, out: named(out), wanted: [...leadLetters, 'query', e], used, usedLetters: named(left) } : undefined; // prettier-ignore
}

/** The heads beside each other, as W_O takes them or the program gives them; inputs first. */
export function* joinedHeads(
  { parts, heads = 1 }: Attention,
  source: Source,
  own: Parts,
): Paced<{ node: Node; data: Float64Array } | undefined> {
  const { output, wo } = parts;
  if (heads < 2 || !own.v || !output) return undefined;
  const product = output.operation === 'add' ? output.operands[0] : output;
  const node = wo ? product?.operands[0] : output;
  const dense = node && (yield* denseOf(source, node));
  const [inputs, width] = [own.lead.slice(0, -1).reduce((a, b) => a * b, 1), heads * own.v.width];
  const shape = dense?.shape.filter((size, i) => size !== 1 || i >= dense.shape.length - 2) ?? [];
  const wanted = inputs > 1 ? [inputs, own.n, width] : [own.n, width];
  return node && dense && shape.join() === wanted.join() ? { node, data: dense.data } : undefined;
}

// --- which keys are hidden ----------------------------------------------------------

const isHidden = (score: number): number => Number(score <= hiddenBelow);

/** Hidden before the softmax, or what it gave was set to zero after it. */
const hiddenKeys = (input: Float64Array, weights: Float64Array, used: Float64Array | undefined): Float64Array =>
  input.map((x, i) => Number(x <= hiddenBelow || (used?.[i] === 0 && weights[i] !== 0)));

const shown = (scores: ArrayLike<number>, hidden: Float64Array): Float64Array =>
  Float64Array.from(scores, (x, i) => (hidden[i] === 1 ? 0 : x));

export function maskOf(hidden: Float64Array, { lead, n, m }: Parts, heads: number): AttentionSpec['mask'] {
  if (!hidden.includes(1)) return 'none';
  const causal = hidden.every((x, i) => x === Number(i % m > Math.floor(i / m) % n));
  return causal
    ? 'causal'
    : {
        kind: 'boolean',
        values: stacked(hidden, [...axesOf(lead, heads), n, m]),
        trueMeans: 'hidden',
      };
}

/** What is added to the scores besides hiding keys: distances, positions. Undefined where nothing is. */
function* biasOf(
  { parts: { masked, mask } }: Attention,
  source: Source,
  { lead, n, m }: Parts,
  input: Dense,
  heads: number,
): Paced<AttentionSpec['mask'] | undefined> {
  if (masked?.operation !== 'add' || !mask) return undefined;
  const added = yield* denseOf(source, mask);
  if (!added || added.data.every((x) => x === 0 || x <= hiddenBelow)) return undefined;
  const sizes = [...lead, n, m];
  const letters = sizes.map((_, i) => `axis${i}`);
  const data = arranged(added, letters.slice(sizes.length - added.shape.length), letters, sizes);
  const values = data?.map((x, i) => (isHidden(input.data[i] ?? 0) ? -Infinity : x));
  return values && { kind: 'additive', values: stacked(values, [...axesOf(lead, heads), n, m]) };
}

// --- the spec -----------------------------------------------------------------------

/** Inputs and heads: where the code has inputs and no heads, one head in each. Queries, keys, values and masks alike. */
const axesOf = (lead: readonly number[], heads: number): readonly number[] =>
  lead.length === 1 && heads <= 1 ? [...lead, 1] : lead;

/** Of one input and one head a matrix; heads are a stack, and inputs a stack of those. */
export function specOf(
  { lead, n, m, d, q, k, v }: Parts,
  heads: number,
  mask: AttentionSpec['mask'],
  dtype: DType,
): AttentionSpec | undefined {
  if (dtype !== 'float32' && dtype !== 'float64') return undefined;
  const inHeads = axesOf(lead, heads);
  const of = (data: Float64Array, rows: number, columns: number): SpecHeads => stacked(data, [...inHeads, rows, columns]); // prettier-ignore
  const start = {
    from: 'qkv',
    q: of(q, n, d),
    k: of(k, m, d),
    ...(v && { v: of(v.data, m, v.width) }),
  } as const;
  return {
    ...matrixDefaults,
    dtype,
    start,
    heads: inHeads.at(-1) ?? 1,
    scale: 'sqrt_d_k',
    mask,
  };
}

function stacked(data: ArrayLike<number>, shape: readonly number[]): SpecHeads {
  const [first = 1, ...rest] = shape;
  if (shape.length === 1) return Array.from({ length: first }, (_, i) => encodeNumber(data[i] as number)) as unknown as SpecMatrix; // prettier-ignore
  const size = rest.reduce((a, b) => a * b, 1);
  return Array.from({ length: first }, (_, i) => stacked(Array.from({ length: size }, (_, j) => data[i * size + j] as number), rest)) as unknown as SpecHeads; // prettier-ignore
}
