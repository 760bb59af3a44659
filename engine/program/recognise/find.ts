/**
 * Attention in a program's graph, found by data flow and never by names: a product of two tensors, softmax of it, and a sum of a third with the
 * weights that result (Vaswani et al. 2017, equation 1). What stands between them (scale, bias, mask, dropout) and around them (projections, heads,
 * W_O) is told by what it does.
 */
import { finish, type Paced } from '../../text';
import type { Graph, Node } from '../tensor';
import { isAdditive } from './additive';
import type { Attention, PartName } from './attention';
import { isTooLarge } from './effort';
import { comesFrom, consumersOf, isLeaf, isScalar, isTurned, passes, throughMoves } from './flow';
import { listProduct, listSum, loopProduct, loopSum, type ListProduct } from './loops';
import { softmaxSites, type SoftmaxSite } from './softmax';

export type { Attention, PartName } from './attention';

/** All attentions in the order in which they were computed. */
export const findAttention = (graph: Graph, weightsAlone = false): readonly Attention[] =>
  finish(findingAttention(graph, weightsAlone));

/** The same with a place to stop after each softmax. `weightsAlone`: softmax of any product of two tensors is one, also where nothing is summed by it. */
export function* findingAttention(graph: Graph, weightsAlone = false): Paced<readonly Attention[]> {
  const consumers = consumersOf(graph);
  yield;
  const found: Attention[] = [];
  const all = softmaxSites(graph);
  const again = new Map(all.map((site) => [throughMoves(site.input), site.weights]));
  for (const site of lastOfEach(all)) {
    const attention = attentionAt(site, consumers, again, weightsAlone);
    if (attention) found.push(attention);
    yield;
  }
  const samples = found.filter(isSample);
  const sampled = new Set(samples.map(placeOf));
  const sites = new Set(samples.map(siteOf));
  const named = new Map(found.flatMap((one) => (isSized(one) ? [] : [[placeOf(one), one] as const])));
  const large = new Map(
    found.flatMap((one) =>
      !isSample(one) && isSized(one) && sites.has(siteOf(one)) && isTooLarge(one) ? [[siteOf(one), one] as const] : [],
    ),
  );
  return found.flatMap((one) => {
    if (!isSample(one)) return !isSized(one) && sampled.has(placeOf(one)) ? [] : [one];
    const [byNames, own] = [named.get(placeOf(one)), large.get(siteOf(one))];
    return [{ ...one, ...(byNames && { named: byNames }), ...(own && { own }) }];
  });
}

/** The last one that is the code's own; of those that stand in the last one where there is no other. */
export const lastOf = (all: readonly Attention[]): Attention | undefined =>
  all.findLast((one) => !isSample(one) && isSized(one)) ?? all.findLast(isSample) ?? all.at(-1);

/** What is shown of an attention: one that stands in for it where its own sizes are too large. */
export const shownOf = (one: Attention, all: readonly Attention[]): Attention =>
  (isSample(one) ? undefined : all.findLast(({ own }) => own && siteOf(own) === siteOf(one) && isTooLarge(one))) ?? one;

/** Whether its sizes and numbers stand in for what no call gives. */
export const isSample = ({ site: { weights } }: Attention): boolean => weights.sample === true;

const isSized = ({ site: { weights } }: Attention): boolean => weights.shape?.every((dim) => typeof dim === 'number') ?? false; // prettier-ignore

/** What was read by names alone, and then with sizes, is one. */
const placeOf = ({ site: { weights } }: Attention): string =>
  [weights.range, ...weights.stack.slice(1)].map(({ start, end }) => `${start}-${end}`).join();

/** Of what one place computes by the same calls, in loops: more than a deep model has layers are not told apart. */
const mostAlike = 64;

function lastOfEach(sites: readonly SoftmaxSite[]): readonly SoftmaxSite[] {
  const times = new Map<string, number>();
  const kept: SoftmaxSite[] = [];
  for (const site of [...sites].reverse()) {
    const { range, stack } = site.weights;
    const key = [range, ...stack].map(({ start, end }) => `${start}-${end}`).join();
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    if (count <= mostAlike) kept.push(site);
  }
  return kept.reverse();
}

/** Whatever led there. */
const siteOf = ({ site: { weights } }: Attention): string => `${weights.range.start}-${weights.range.end}`;

type Consumers = ReadonlyMap<Node, readonly Node[]>;

/** What softmax gives of a tensor, by that tensor: weights that are taken through softmax again are weights still. */
type Again = ReadonlyMap<Node, Node>;

function attentionAt(
  site: SoftmaxSite,
  consumers: Consumers,
  again: Again,
  weightsAlone = false,
): Attention | undefined {
  const before = beforeSoftmax(site.input);
  if (!before) return undefined;
  const after = weightedSum(site.weights, consumers, again);
  const { scores, left, right } = before;
  // A layer of weights and softmax over it, as a classifier has it, is no attention.
  if (isAdditive(scores) && !after) return undefined;
  if (before.list) return ofLists(site, before, before.list, after, consumers);
  if (!left || !right) return loop(site, before, after, consumers);
  const pairwise = before.byLoop || isTurned(left) || isTurned(right) || isPairwise(scores) || isDotRow(scores);
  if (!pairwise && !(after && !isLeaf(throughMoves(left)) && !isLeaf(throughMoves(right)))) return undefined;
  const keys = after?.keys ?? keysBeside(scores, left, right);
  const [q, k] = keys === 'rows' ? [left, right] : [right, left];
  // Without V it is one where a query meets keys of its own tokens, or some keys are hidden: not any two tables that are compared.
  if (!after && !weightsAlone && !meetsItself(q, k) && !before.masked) return undefined;
  return completed(site, { scores, q, k, v: after?.v }, keys, after, before, consumers);
}

interface Before {
  readonly scores: Node;
  /** Absent where a loop wrote the scores one by one. */
  readonly left?: Node;
  readonly right?: Node;
  /** A loop wrote the products of left's rows with right's. */
  readonly byLoop?: boolean;
  /** A list of products of one query with keys of their own. */
  readonly list?: ListProduct;
  readonly scaled?: Node;
  readonly masked?: Node;
  readonly mask?: Node;
}

/** Back from softmax over mask, bias and scale to the product of Q and K. */
function beforeSoftmax(input: Node): Before | undefined {
  let found: Pick<Before, 'scaled' | 'masked' | 'mask'> = {};
  let at = input;
  for (let turn = 0; turn < 64; turn++) {
    if (isAdditive(at)) return { scores: at, ...found };
    const [left, right] = factorsOf(at);
    if (left && right) return { scores: at, left, right, ...found };
    if (isWrittenByLoop(at)) {
      const rows = loopProduct(at);
      return { scores: at, ...(rows && { ...rows, byLoop: true }), ...found };
    }
    const list = listProduct(at);
    if (list) return { scores: at, list, ...found };
    const stage = stageOf(at);
    if (!stage) return undefined;
    if (stage.is === 'scale' && !found.scaled) found = { ...found, scaled: at };
    if (stage.is === 'mask' && !found.masked)
      found = { ...found, masked: at, ...(stage.other ? { mask: stage.other } : {}) };
    at = stage.from;
  }
  return undefined;
}

interface Stage {
  readonly is: 'pass' | 'scale' | 'mask';
  readonly from: Node;
  readonly other?: Node;
}

const elementwise = new Set(['tanh', 'clip', 'softcap', 'negative', 'relu', 'leaky_relu']);

/** One step back towards the scores. */
function stageOf(node: Node): Stage | undefined {
  const [a, b, c] = node.operands;
  if (!a) return undefined;
  if (passes(node) || elementwise.has(node.operation)) return { is: 'pass', from: a };
  if (node.operation === 'either' && b) return { is: 'pass', from: hasProduct(a) ? a : b };
  if (node.operation === 'write' && b) return hasProduct(a) ? { is: 'mask', from: a, other: b } : undefined;
  if (!b) return undefined;
  if (node.operation === 'where' && c) {
    const [from, fill] = hasProduct(b) ? [b, c] : [c, b];
    return hasProduct(from) && !hasProduct(fill) ? { is: 'mask', from, other: a } : undefined;
  }
  return twoSided(node, a, b);
}

function twoSided({ operation }: Node, a: Node, b: Node): Stage | undefined {
  const [from, other] = hasProduct(a) ? [a, b] : [b, a];
  if (!hasProduct(from)) return undefined;
  if (operation === 'divide' && from === a) return { is: 'scale', from, other };
  if (operation === 'multiply')
    return { is: isScalar(other) || other.shape === undefined ? 'scale' : 'mask', from, other };
  const masks = operation === 'add' || operation === 'subtract' || operation === 'maximum' || operation === 'minimum';
  return masks ? { is: isScalar(other) ? 'pass' : 'mask', from, other } : undefined;
}

/** Whether a product of two tensors is not far behind. */
function hasProduct(node: Node): boolean {
  let budget = 48;
  const visit = (at: Node): boolean => {
    if (budget-- < 0) return false;
    if (factorsOf(at).length === 2 || isAdditive(at)) return true;
    const through =
      passes(at) ||
      elementwise.has(at.operation) ||
      ['divide', 'multiply', 'add', 'subtract', 'where', 'write', 'either', 'maximum', 'minimum'].includes(
        at.operation,
      );
    return through && at.operands.some(visit);
  };
  return visit(node);
}

/** The two tensors of a product; none for a layer's x·Wᵀ, which is no meeting of tokens. */
function factorsOf({ operation, operands, via }: Node): readonly Node[] {
  if (operation !== 'matmul' && operation !== 'einsum') return [];
  return operands.length === 2 && via !== 'F.linear' ? operands : [];
}

/** einsum over the last letters of both, with rows of either kept. */
function isPairwise({ operation, attributes: { equation } }: Node): boolean {
  if (operation !== 'einsum' || equation === undefined) return false;
  const [inputs = '', output = ''] = equation.split('->');
  const [a = '', b = ''] = inputs.split(',');
  const own = (of: string, other: string): boolean => [...of].some((l) => !other.includes(l) && output.includes(l));
  return own(a, b) && own(b, a);
}

/** One query, a vector, with all keys. */
const isDotRow = ({ operands }: Node): boolean => operands.some(({ shape }) => shape?.length === 1);

interface After {
  readonly output: Node;
  readonly v: Node;
  /** A list of vectors is summed, of which `v` is the first. */
  readonly list?: ListProduct;
  readonly keys: 'rows' | 'columns';
  /** Between the weights and the product: dropout, a cast. */
  readonly used: Node;
}

/** On from the weights to their product with V. */
function weightedSum(weights: Node, consumers: Consumers, again: Again): After | undefined {
  const pending: { node: Node; turned: boolean }[] = [{ node: weights, turned: false }];
  const seen = new Set<Node>();
  for (let at = pending.shift(); at; at = pending.shift()) {
    const second = again.get(at.node);
    if (second && !seen.has(second)) {
      seen.add(second);
      pending.push({ node: second, turned: at.turned });
    }
    for (const next of consumers.get(at.node) ?? []) {
      if (seen.has(next)) continue;
      const [left, right] = factorsOf(next);
      if (left && right) {
        const first = left === at.node;
        const vector = (first ? right : left).shape?.length === 1 && weights.shape?.length !== 1;
        if (vector) continue;
        return { output: next, v: first ? right : left, keys: keysOf(next, first, at.turned), used: at.node };
      }
      if (!goesOn(next, at.node)) continue;
      seen.add(next);
      pending.push({
        node: next,
        turned: at.turned !== (next.operation === 'permute' && isTurned(next) !== isTurned(at.node)),
      });
    }
  }
  return sumByLoop(weights, consumers);
}

/** `context += weights[i] * x_i`: the sum after the last row. */
function sumByLoop(weights: Node, consumers: Consumers): After | undefined {
  const pending = [weights];
  for (let at = pending.pop(), seen = 0; at && seen < mostFollowed; at = pending.pop(), seen++)
    for (const next of consumers.get(at) ?? []) {
      const sum = next.operation === 'add' ? loopSum(next) : undefined;
      if (sum && throughMoves(sum.left) === throughMoves(weights))
        return { output: next, v: sum.right, keys: 'rows', used: sum.left };
      const list = next.operation === 'add' && !sum ? listSum(next) : undefined;
      if (list && throughMoves(list.left) === throughMoves(weights))
        return { output: next, v: list.rows[0] as Node, list, keys: 'rows', used: list.left };
      if (passes(next) || next.operation === 'multiply' || next.operation === 'add') pending.push(next);
    }
  return undefined;
}

/** Nodes that are looked at on the way from the weights to the end of a sum by loops. */
const mostFollowed = 4096;

/** In W·V the keys are the columns of the weights; in V·W they are rows. */
function keysOf(product: Node, first: boolean, turned: boolean): 'rows' | 'columns' {
  if (product.operation === 'einsum') return 'rows';
  return first !== turned ? 'rows' : 'columns';
}

function goesOn(next: Node, from: Node): boolean {
  if (passes(next) || next.operation === 'nan_to_num' || next.operation === 'either') return true;
  const binary = next.operation === 'multiply' || next.operation === 'divide' || next.operation === 'where';
  return (
    binary &&
    next.operands.includes(from) &&
    next.operands.every((operand) => operand === from || !comesFrom(operand, from))
  );
}

/** Without a product with V: the vector of two is the query. */
const keysBeside = (_: Node, left: Node, right: Node): 'rows' | 'columns' =>
  right.shape?.length === 1 && left.shape?.length !== 1 ? 'columns' : 'rows';

/** Queries and keys of the same tokens. */
function meetsItself(q: Node, k: Node): boolean {
  const [a, b] = [throughMoves(q), throughMoves(k)];
  return a === b || (projectionOf(a) !== undefined && projectionOf(a)?.x === projectionOf(b)?.x);
}

interface Projection {
  /** What it gives: with its bias, where it has one. */
  readonly result: Node;
  readonly x: Node;
  readonly w: Node;
  readonly b?: Node;
}

/** What stands between a projection and the scores besides moves: norms of queries and keys, rotations, a cache before the new keys. */
const besideProjection = new Set(['add', 'multiply', 'divide', 'subtract', 'negative', 'concat', 'layer_norm', 'rms_norm', 'einsum']); // prettier-ignore

/**
 * x·W (+ b) behind a tensor, over heads, scale, norms of heads, rotations and a cache; not over `isShared`: what is joined before queries and keys
 * part (a class token before the patches) makes X.
 */
function projectionOf(node: Node, isShared: (node: Node) => boolean = () => false): Projection | undefined {
  const seen = new Set<Node>();
  const pending = [node];
  for (let at = pending.pop(); at && seen.size < 128; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const [a, b] = at.operands;
    if (!a) continue;
    const product = productWithLeaf(at);
    if (product) return { result: at, ...product };
    if (at.operation === 'add' && b && isLeaf(throughMoves(b))) {
      const inner = productWithLeaf(a);
      if (inner) return { result: at, ...inner, b };
    }
    const through =
      passes(at) || (b && isScalar(b))
        ? [a]
        : besideProjection.has(at.operation) && !(at.operation === 'concat' && isShared(at))
          ? at.operands
          : [];
    // The first operand first: x of x·cos(…), then what it is multiplied with.
    pending.push(...[...through].reverse());
  }
  return undefined;
}

function productWithLeaf({ operation, operands }: Node): { x: Node; w: Node } | undefined {
  const [a, b] = operands;
  if ((operation !== 'matmul' && operation !== 'einsum') || !a || !b) return undefined;
  if (isWeight(b)) return { x: a, w: b };
  return isWeight(a) ? { x: b, w: a } : undefined;
}

/** Numbers that no token made: a parameter, or a draw times its standard deviation. */
function isWeight(node: Node): boolean {
  const at = throughMoves(node);
  const [a, b] = at.operands;
  if (!a) return true;
  const isScaled = (at.operation === 'multiply' || at.operation === 'divide') && b !== undefined;
  return isScaled && ((isScalar(b) && isWeight(a)) || (at.operation === 'multiply' && isScalar(a) && isWeight(b)));
}

/** Scores that a loop computed: the walk starts at them. */
function loop(site: SoftmaxSite, before: Before, after: After | undefined, consumers: Consumers): Attention {
  const { scores, scaled, masked, mask } = before;
  const v = after && projectionOf(after.v);
  const parts: Partial<Record<PartName, Node>> = {
    scores,
    ...(scaled && { scaled }),
    ...(masked && { masked }),
    ...(mask && { mask }),
    ...(after && { v: v?.result ?? throughMoves(after.v) }),
    weights: site.weights,
  };
  const end = after && joined(after.output, consumers);
  const keys = after?.keys ?? 'rows';
  const starts = [scores, ...(after ? [throughMoves(v?.x ?? after.v)] : [])];
  return {
    site, parts: { ...parts, ...end?.parts }, starts, layers: new Map(), keys, normalised: isNormalised(site, keys),
    last: end?.last ?? site.weights, heads: headsOf(scores),
  }; // prettier-ignore
}

/** One query with lists of keys and values: the walk starts at these vectors. */
function ofLists(
  site: SoftmaxSite,
  { scores, scaled, masked, mask }: Before,
  { left, rows }: ListProduct,
  after: After | undefined,
  consumers: Consumers,
): Attention | undefined {
  if (!after) return undefined;
  const end = joined(after.output, consumers);
  const stages = { ...(scaled && { scaled }), ...(masked && { masked }), ...(mask && { mask }) };
  return {
    site, parts: { q: left, scores, ...stages, weights: site.weights, ...end.parts }, starts: [...new Set([left, ...rows, ...(after.list?.rows ?? [throughMoves(after.v)])])],
    layers: new Map(), keys: 'rows', normalised: isNormalised(site, 'rows'), last: end.last, heads: 1,
  }; // prettier-ignore
}

/** Cell after cell, or row after row, each from a product of vectors. */
function isWrittenByLoop(node: Node): boolean {
  let [at, writes]: [Node | undefined, number] = [node, 0];
  for (; at?.operation === 'write' && writes < 4096; writes++) {
    const [before, value]: readonly (Node | undefined)[] = at.operands;
    const [left, right] = value ? factorsOf(throughScale(value)) : [];
    if (!left || !right || (left.shape?.length ?? 0) + (right.shape?.length ?? 0) > 3) return false;
    at = before;
  }
  return writes > 0;
}

function throughScale(node: Node): Node {
  const [a, b] = node.operands;
  if (passes(node) && a) return throughScale(a);
  return a &&
    b &&
    isScalar(b) &&
    (node.operation === 'divide' || node.operation === 'multiply') &&
    !isLeaf(a) &&
    factorsOf(node).length === 0
    ? throughScale(a)
    : node;
}

function completed(
  site: SoftmaxSite,
  core: { scores: Node; q: Node; k: Node; v: Node | undefined },
  keys: 'rows' | 'columns',
  after: After | undefined,
  before: Before,
  consumers: Consumers,
): Attention {
  const { parts: lanes, starts, layers: known } = lanesOf(core);
  const layers = new Map(known);
  const end = after ? joined(after.output, consumers) : undefined;
  const parts: Partial<Record<PartName, Node>> = {
    ...lanes,
    scores: core.scores,
    ...(before.scaled && { scaled: before.scaled }),
    ...(before.masked && { masked: before.masked }),
    ...(before.mask && { mask: before.mask }),
    weights: site.weights,
    ...end?.parts,
  };
  const last = end?.last ?? site.weights;
  const apart = axesApart(site, core.scores);
  if (parts.wo && end) layers.set('wo', end.last).set('bo', end.last);
  return {
    site,
    parts,
    starts,
    layers,
    keys,
    normalised: isNormalised(site, keys),
    last,
    heads: apart ? undefined : headsOf(core.scores),
    ...(apart && { apart }),
  };
}

/** W·X with tokens as columns: what all three are multiplied with is X, though it stands where a weight does in X·W. */
function inColumns<P extends readonly (Projection | undefined)[]>(all: P): P {
  const [first] = all;
  const isX = first && all.every((one) => one && throughMoves(one.w) === throughMoves(first.w) && isWeight(one.x));
  const sameX = all.every((one) => one?.x === first?.x);
  return isX && !sameX ? (all.map((one) => one && { ...one, x: one.w, w: one.x }) as unknown as P) : all;
}

interface Lanes {
  readonly parts: Partial<Record<PartName, Node>>;
  readonly starts: readonly Node[];
  readonly layers: ReadonlyMap<PartName, Node>;
}

/** Q, K and V with what they were projected from and with. */
function lanesOf({ q, k, v }: { q: Node; k: Node; v: Node | undefined }): Lanes {
  const isShared = (node: Node): boolean => comesFrom(q, node) && comesFrom(k, node);
  const [ofQ, ofK, ofV] = inColumns([
    projectionOf(q, isShared),
    projectionOf(k, isShared),
    v && projectionOf(v, isShared),
  ]);
  const parts: Partial<Record<PartName, Node>> = {};
  const layers = new Map<PartName, Node>();
  const starts = new Set<Node>();
  const own = (name: 'q' | 'k' | 'v', node: Node, of: Projection | undefined, others: readonly Node[]): void => {
    starts.add(throughMoves(of?.x ?? node));
    parts[name] = of ? partOf(node, of.result, others) : throughMoves(node);
    if (!of) return;
    parts[`w${name}`] = throughMoves(of.w);
    if (of.b) parts[`b${name}`] = throughMoves(of.b);
    layers.set(`w${name}`, of.result).set(`b${name}`, of.result);
  };
  const nodes = [q, k, ...(v ? [v] : [])];
  own('q', q, ofQ, nodes);
  own('k', k, ofK, nodes);
  if (v) own('v', v, ofV, nodes);
  const context = ofK && throughMoves(ofK.x);
  if (ofQ) parts.x = throughMoves(ofQ.x);
  if (context && context !== parts.x) parts.context = context;
  if (!ofQ && starts.size === 1) return { parts: { x: throughMoves(q) }, starts: [...starts], layers };
  return { parts, starts: [...starts], layers };
}

/** A projection's result; of one that makes Q, K and V together, the part that is this one's alone. */
function partOf(node: Node, result: Node, others: readonly Node[]): Node {
  if (others.filter((other) => comesFrom(other, result)).length < 2) return result;
  let at = node;
  while (
    passes(at) &&
    at.operands[0] &&
    others.every((other) => other === node || !comesFrom(other, at.operands[0] as Node))
  )
    at = at.operands[0];
  return at;
}

interface End {
  readonly last: Node;
  readonly parts: Partial<Record<PartName, Node>>;
}

/** Heads side by side, and W_O. */
function joined(output: Node, consumers: Consumers): End {
  let last = output;
  for (let turn = 0; turn < 16; turn++) {
    const next = (consumers.get(last) ?? []).filter((node) => node.stack.length > 0 || node.range.end > 0);
    const [only] = next;
    if (!only) break;
    const product = next
      .map((node) => ({ node, of: productWithLeaf(node) }))
      .find(({ node, of }) => of && node.operands[0] === last);
    if (product?.of) return withOutput(output, product.node, product.of.w, consumers);
    const move = next.find((node) => passes(node));
    if (!move) break;
    last = move;
  }
  return { last, parts: { output: last } };
}

function withOutput(attended: Node, product: Node, w: Node, consumers: Consumers): End {
  const biased = (consumers.get(product) ?? []).find(
    ({ operation, operands }) =>
      operation === 'add' &&
      operands[0] === product &&
      operands[1] &&
      isLeaf(throughMoves(operands[1])) &&
      operands[1].shape?.length === 1,
  );
  const bias = biased?.operands[1];
  const last = biased ?? product;
  return { last, parts: { attended, wo: throughMoves(w), ...(bias && { bo: throughMoves(bias) }), output: last } };
}

function isNormalised({ axes, weights }: SoftmaxSite, keys: 'rows' | 'columns'): boolean | undefined {
  const rank = weights.shape?.length;
  if (!axes || rank === undefined) return undefined;
  const wanted = keys === 'rows' || rank === 1 ? rank - 1 : rank - 2;
  return axes.length === 1 && axes[0] === wanted;
}

/** By the letters of an einsum, as long as its axes keep their order up to the softmax. */
function axesApart({ input }: SoftmaxSite, scores: Node): Attention['apart'] {
  const { operation, attributes: { equation = '' }, shape } = scores; // prettier-ignore
  const [inputs = '', output = ''] = equation.split('->');
  const [a = '', b = ''] = inputs.split(',');
  if (operation !== 'einsum' || output.length !== shape?.length) return undefined;
  for (let at = input; at !== scores && at.operands[0]; at = at.operands.find(hasProduct) ?? at.operands[0])
    if (at.operation === 'permute' || at.operation === 'reshape') return undefined;
  const own = (of: string, other: string): readonly number[] =>
    [...output].flatMap((letter, i) => (of.includes(letter) && !other.includes(letter) ? [i] : []));
  const [queries, keys] = [own(a, b), own(b, a)];
  const [row, column] = [output.length - 2, output.length - 1];
  // Letters of one side alone are rows or columns: before them, in order, they are heads that share the other side.
  const isLast = (queries.includes(row) && keys.join() === String(column)) || (keys.includes(row) && queries.join() === String(column)); // prettier-ignore
  return queries.length === 0 || keys.length === 0 || isLast ? undefined : [queries, keys];
}

/** The size before rows and columns; a batch of matrices has no heads of its own. */
function headsOf({ shape }: Node): number | undefined {
  const size = shape && shape.length > 3 ? shape.at(-3) : 1;
  return typeof size === 'number' ? size : undefined;
}
