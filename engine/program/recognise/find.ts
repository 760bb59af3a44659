/**
 * Attention in a program's graph, found by data flow and never by names: a product of two tensors, softmax of it, and a sum of a third with the
 * weights that result (Vaswani et al. 2017, equation 1). What stands between them (scale, bias, mask, dropout) and around them (projections, heads,
 * W_O) is told by what it does.
 */
import { finish, type Paced, t, type TextRange } from '../../text';
import type { Graph, Node } from '../tensor';
import { isAdditive } from './additive';
import type { Attention, PartName } from './attention';
import { isTooLarge } from './effort';
import { consumersOf, isLeaf, isScalar, isTurned, throughMoves } from './flow';
import type { ListProduct } from './loops';
import { softmaxSites, type SoftmaxSite } from './softmax';
import { type After, type Again, type Consumers, joined, weightedSum } from './after-softmax';
import {
  type Before,
  beforeSoftmax,
  comesFromScores,
  hasProduct,
  isDotRow,
  isPairwise,
  isSummed,
} from './before-softmax';
import { projectedOf, meetsItself, projectionOf } from './projections';

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
  return withSamples(found);
}

/** Scores of queries and keys that weigh a sum of values by something else than softmax. */
export interface Meeting {
  readonly scores: Node;
  readonly weights: Node;
  readonly q: Node;
  readonly k: Node;
  readonly v: Node;
  readonly sum: Node;
}

/** Products of two tensors that weigh the sum of a third; `scoresOf` says of a node whether it makes weights, and of which scores. */
export function* averagesBy(graph: Graph, scoresOf: (node: Node) => Node | undefined): Paced<readonly Meeting[]> {
  const candidates = graph.nodes.flatMap((weights) => {
    const scores = scoresOf(weights);
    const before = scores && beforeSoftmax(scores);
    return before?.left && before.right && !isAdditive(before.scores) ? [{ scores: scores as Node, weights, q: before.left, k: before.right }] : [];
  }); // prettier-ignore
  if (candidates.length === 0) return [];
  const consumers = consumersOf(graph);
  yield;
  return candidates.flatMap((one) => {
    const after = weightedSum(one.weights, consumers, new Map());
    return after && !after.list && after.keys === 'rows' ? [{ ...one, v: after.v, sum: after.output }] : [];
  });
}

/** Softmax whose result weighs a sum, but whose scores are no product: an average by a mask alone, or by numbers that are learned as they are. */
export function* averagesIn(graph: Graph, inFunctions = false): Paced<readonly Node[]> {
  const consumers = consumersOf(graph);
  const found: Node[] = [];
  for (const { input, weights, axes } of softmaxSites(graph)) {
    yield;
    // In a function it may be what an argument is that nobody gives.
    if (
      (inFunctions || weights.stack.length === 0) &&
      !beforeSoftmax(input, axes) &&
      weightedSum(weights, consumers, new Map(), true)
    )
      found.push(weights);
  }
  return found;
}

/** The first softmax of what comes from a product of two tensors by a way that is not followed. */
export const unfollowedIn = (graph: Graph): Node | undefined =>
  softmaxSites(graph).find(({ input, axes }) => !beforeSoftmax(input, axes) && comesFromScores(input))?.weights;

/** Why an average by other weights is no attention here. */
export const noProduct = (): string => t('these weights come from no product of queries and keys');

/** Why such weights are no attention here. */
export const unfollowed = (): string =>
  t('what stands between a product of two tensors and these weights is not followed');

/**
 * What was found, each attention once: one that was read by names alone gives way to its sample, which keeps it as `named`; one that is too large to be
 * shown stays, and is `own` of the sample that is shown in its place.
 */
function withSamples(found: readonly Attention[]): readonly Attention[] {
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

/** An attention that was read by names alone, and then with sizes, has the same place: the first call differs. */
const placeOf = ({ site: { weights } }: Attention): string => rangesText([weights.range, ...weights.stack.slice(1)]);

const rangesText = (ranges: readonly TextRange[]): string => ranges.map(({ start, end }) => `${start}-${end}`).join();

/** Of what one place computes by the same calls, in loops: more than a deep model has layers are not told apart. */
const mostAlike = 64;

function lastOfEach(sites: readonly SoftmaxSite[]): readonly SoftmaxSite[] {
  const times = new Map<string, number>();
  const kept: SoftmaxSite[] = [];
  for (const site of [...sites].reverse()) {
    const { range, stack } = site.weights;
    const key = rangesText([range, ...stack]);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    if (count <= mostAlike) kept.push(site);
  }
  return kept.reverse();
}

/** Its expression, whatever calls led there. */
const siteOf = ({ site: { weights } }: Attention): string => rangesText([weights.range]);

function attentionAt(
  site: SoftmaxSite,
  consumers: Consumers,
  again: Again,
  weightsAlone = false,
): Attention | undefined {
  const before = beforeSoftmax(site.input, site.axes);
  if (!before) return undefined;
  const after = weightedSum(site.weights, consumers, again);
  const { scores, left, right } = before;
  // A layer of weights and softmax over it, as a classifier has it, is no attention; one number for each query and key is.
  const overOne = site.axes?.some((axis) => site.weights.shape?.[axis] === 1);
  const isOneNumber = isAdditive(scores) && scores.operation !== 'add' && scores.shape?.at(-1) === 1 && !overOne;
  if ((isAdditive(scores) || before.learned) && !after && !isOneNumber) return undefined;
  if (before.list) return ofLists(site, before, before.list, after, consumers);
  if (!left || !right) return ofLoop(site, before, after, consumers);
  const pairwise =
    before.byLoop ||
    before.learned ||
    isTurned(left) ||
    isTurned(right) ||
    isPairwise(scores) ||
    isSummed(scores) ||
    isDotRow(scores);
  if (!pairwise && !(after && !isLeaf(throughMoves(left)) && !isLeaf(throughMoves(right)))) return undefined;
  const keys = after?.keys ?? keysBeside(left, right);
  // A vector that meets all tokens is the query, on whichever side it stands.
  const isVector = right.shape?.length === 1 && left.shape?.length !== 1;
  const isQueryRight = before.learned || keys === 'columns' || isVector || isColumn(scores, site.weights);
  const [q, k] = isQueryRight ? [right, left] : [left, right];
  // Without V it is one where a query meets keys of its own tokens, or some keys are hidden: not any two tables that are compared.
  if (!after && !weightsAlone && !meetsItself(q, k) && !hidesKeys(before)) return undefined;
  return completed(site, { scores, q, k, v: after?.v }, keys, after, before, consumers);
}

/** `bmm(keys, query.unsqueeze(2)).squeeze(2)`: a column of scores, one for each key, that lies in a row behind it. */
function isColumn({ shape: [...sizes] = [] }: Node, weights: Node): boolean {
  const [rows, columns] = sizes.slice(-2);
  return columns === 1 && rows !== 1 && weights.shape?.length === sizes.length - 1 && weights.shape.at(-1) === rows;
}

/** Whether a mask stands before the softmax. What is added along one axis and hides nothing is the bias of a layer: `W @ X + b`, as a classifier has it. */
function hidesKeys({ masked, mask }: Before): boolean {
  if (!masked) return false;
  const at = mask && masked.operation === 'add' ? throughScalars(mask) : undefined;
  if (!at || !isLeaf(at) || (at.shape ?? [1, 1]).filter((size) => size !== 1).length > 1) return true;
  return at.value?.data.some((x) => x <= hiding) ?? false;
}

/** What is added to a score and leaves nothing of its weight. */
const hiding = -1e4;

function throughScalars(node: Node): Node {
  const at = throughMoves(node);
  const [a, b] = at.operands;
  if ((at.operation !== 'multiply' && at.operation !== 'divide') || !a || !b) return at;
  return isScalar(b) ? throughScalars(a) : isScalar(a) ? throughScalars(b) : at;
}

/** Without a product with V: the vector of two is the query. */
const keysBeside = (left: Node, right: Node): 'rows' | 'columns' =>
  right.shape?.length === 1 && left.shape?.length !== 1 ? 'columns' : 'rows';

/** Steps between the scores and softmax. */
const stagesOf = ({ scaled, masked, mask }: Before): Partial<Record<PartName, Node>> => ({
  ...(scaled && { scaled }),
  ...(masked && { masked }),
  ...(mask && { mask }),
});

/** Scores that a loop computed: the walk starts at them. */
function ofLoop(site: SoftmaxSite, before: Before, after: After | undefined, consumers: Consumers): Attention {
  const { scores } = before;
  const v = after && projectionOf(after.v);
  const parts: Partial<Record<PartName, Node>> = {
    scores,
    ...stagesOf(before),
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
  before: Before,
  { left, rows }: ListProduct,
  after: After | undefined,
  consumers: Consumers,
): Attention | undefined {
  if (!after) return undefined;
  const end = joined(after.output, consumers);
  return {
    site, parts: { q: left, scores: before.scores, ...stagesOf(before), weights: site.weights, ...end.parts }, starts: [...new Set([left, ...rows, ...(after.list?.rows ?? [throughMoves(after.v)])])],
    layers: new Map(), keys: 'rows', normalised: isNormalised(site, 'rows'), last: end.last, heads: 1,
  }; // prettier-ignore
}

/** Attention with its parts around it: projections, heads side by side, W_O. */
function completed(
  site: SoftmaxSite,
  core: { scores: Node; q: Node; k: Node; v: Node | undefined },
  keys: 'rows' | 'columns',
  after: After | undefined,
  before: Before,
  consumers: Consumers,
): Attention {
  const { parts: projected, starts, layers: known } = projectedOf(core);
  const layers = new Map(known);
  const end = after ? joined(after.output, consumers) : undefined;
  const parts: Partial<Record<PartName, Node>> = {
    ...projected,
    scores: core.scores,
    ...stagesOf(before),
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
    heads: apart ? undefined : headsOf(core.scores, starts),
    ...(apart && { apart }),
  };
}

/** Whether softmax runs over the keys; undefined where its axes are not known. */
function isNormalised({ axes, weights }: SoftmaxSite, keys: 'rows' | 'columns'): boolean | undefined {
  const rank = weights.shape?.length;
  if (!axes || rank === undefined) return undefined;
  const wanted = keys === 'rows' || rank === 1 ? rank - 1 : rank - 2;
  return axes.length === 1 && axes[0] === wanted;
}

/** Which axes of the scores count queries and which keys, where these are not the last two: by the letters of an einsum, as long as its axes keep their order up to the softmax. */
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

/** The size before rows and columns; a batch of matrices has no heads of its own. Where all began as matrices, that size was cut from their features. */
function headsOf({ shape }: Node, starts: readonly Node[] = []): number | undefined {
  const isCut = starts.length > 0 && starts.every((from) => from.shape?.length === 2);
  const size = shape && shape.length > (isCut ? 2 : 3) ? shape.at(-3) : 1;
  return typeof size === 'number' ? size : undefined;
}
