/**
 * Attention whose weights have queries and keys on other axes than the last two (`ibhd,jbhd->ijbh`), or more axes than a step has, as the same
 * computation with heads first: each product by matrices, and what lies between on the axes in that order. The numbers are the code's own at other
 * places, which is checked where the steps are compared with the program.
 */
import { type Attributes, type Graph, type Node, count, isKnownShape } from '../tensor';
import type { Attention, PartName } from './attention';

type Shape = readonly number[];

const shapeOf = ({ shape }: Node): Shape | undefined => (shape && isKnownShape(shape) ? shape : undefined);

export interface Arranged {
  readonly attention: Attention;
  /** The program's graph with the nodes that stand in for those of the code. */
  readonly graph: Graph;
  /** The node of the code that one stands for. */
  readonly originals: ReadonlyMap<Node, Node>;
  /** What has to have the same numbers: the weighted sum by these nodes, and by the code. */
  readonly sums: readonly (readonly [here: Node, own: Node])[];
  /** Those of the code's nodes whose cells stand at other places here. */
  readonly moved: ReadonlySet<Node>;
}

/** Which axes of the weights count what. */
interface Axes {
  readonly lead: readonly number[];
  readonly queries: readonly number[];
  readonly keys: readonly number[];
}

/** No way to put this attention's axes in order. */
class NotArranged extends Error {}

interface Work {
  readonly from: number;
  readonly nodes: Node[];
  readonly originals: Map<Node, Node>;
  readonly scores: Node;
  /** Of the scores as the code has them. */
  readonly sizes: Shape;
  readonly axes: Axes;
  readonly made: Map<Node, Node>;
  /** Nodes of the code with the axes of the scores. */
  readonly grid: Set<Node>;
  readonly sides: Partial<Record<'q' | 'k' | 'v' | 'sum', Node>>;
  /** The weighted sum with the code's axes, and the code's own. */
  readonly sums: [here: Node, own: Node][];
}

/** Whether a step can show the weights as they are. */
export const isInOrder = ({ apart, site: { weights } }: Attention): boolean =>
  apart === undefined && (weights.shape?.length ?? 0) <= 4;

/** Undefined where something on the way is no product, no elementwise operation and no softmax over the keys. */
export function arranged(graph: Graph, attention: Attention): Arranged | undefined {
  const { parts, site, last, apart } = attention;
  const { scores } = parts;
  const sizes = scores && shapeOf(scores);
  if (!scores || !sizes) return undefined;
  const rank = sizes.length;
  const [queries, keys] = apart ?? (attention.keys === 'rows' ? [[rank - 2], [rank - 1]] : [[rank - 1], [rank - 2]]);
  const lead = sizes.map((_, i) => i).filter((i) => !queries.includes(i) && !keys.includes(i));
  const work: Work = {
    from: graph.nodes.length, nodes: [], originals: new Map(), scores, sizes, axes: { lead, queries, keys }, made: new Map(), grid: new Set([scores]), sides: {}, sums: [],
  }; // prettier-ignore
  try {
    const end = remade(work, last);
    const weights = remade(work, site.weights);
    const { q, k, v, sum } = work.sides;
    if (!q || !k || !v || !sum) return undefined;
    const inner = innerParts(attention, work, { q, k, v });
    // What a step cannot show ends with the weighted sum.
    const isShown = (end.shape?.length ?? 9) <= 4;
    const { apart: _, ...rest } = attention;
    return {
      graph: { nodes: [...graph.nodes, ...work.nodes] },
      originals: work.originals,
      sums: work.sums,
      moved: work.grid,
      attention: {
        ...rest,
        ...inner,
        ...(!isShown && { parts: { ...inner.parts, output: sum } }),
        site: {
          ...site,
          weights,
          input: work.made.get(site.input) ?? site.input,
          axes: site.axes?.map((axis) => placeOf(work, axis)),
        },
        keys: 'rows',
        last: isShown ? end : sum,
        heads: lead.length > 1 ? orderedShape(work).at(-3) : 1,
      },
    };
  } catch (error) {
    if (error instanceof NotArranged) return undefined;
    throw error;
  }
}

/** Projections stay where a step can show what they start from; else it starts with Q, K and V. */
function innerParts(
  { parts, starts, layers }: Attention,
  { made }: Work,
  sides: { readonly q: Node; readonly k: Node; readonly v: Node },
): Pick<Attention, 'parts' | 'starts' | 'layers'> {
  const renewed = Object.fromEntries(
    Object.entries(parts).map(([name, node]) => [name, made.get(node) ?? node]),
  ) as Partial<Record<PartName, Node>>;
  const shows = starts.every(({ shape }) => (shape?.length ?? 9) <= 4);
  const own = (name: 'q' | 'k' | 'v'): Node => {
    const node = renewed[name];
    return node && shows && (node.shape?.length ?? 9) <= 4 ? node : sides[name];
  };
  const all = { ...renewed, q: own('q'), k: own('k'), v: own('v') };
  const moved = new Map([...layers].map(([name, node]) => [name, made.get(node) ?? node] as const));
  if (shows) return { parts: all, starts, layers: moved };
  const { x: _x, context: _c, wq: _wq, wk: _wk, wv: _wv, bq: _bq, bk: _bk, bv: _bv, ...core } = all;
  return { parts: core, starts: [all.q, all.k, all.v], layers: new Map([...moved].filter(([name]) => name === 'wo' || name === 'bo')) }; // prettier-ignore
}

const product = (sizes: Shape, axes: readonly number[]): number => axes.reduce((all, axis) => all * (sizes[axis] ?? 1), 1); // prettier-ignore

/** Batch (all of it), heads. */
function leadOf({ sizes, axes: { lead } }: Work): readonly number[] {
  const heads = lead.at(-1);
  if (lead.length < 3 || heads === undefined) return lead.map((axis) => sizes[axis] as number);
  return [product(sizes, lead.slice(0, -1)), sizes[heads] as number];
}

const orderedShape = (work: Work): readonly number[] => [
  ...leadOf(work),
  product(work.sizes, work.axes.queries),
  product(work.sizes, work.axes.keys),
];

function add(
  work: Work,
  original: Node,
  operation: string,
  operands: readonly Node[],
  attributes: Attributes,
  shape: Shape,
  stands = true,
): Node {
  const { dtype, range, stack, via, assumes, sample } = original;
  const why = operands.find((operand) => operand.why)?.why ?? (operands.length > 0 ? undefined : original.why);
  const node: Node = {
    id: work.from + work.nodes.length, operation, operands, attributes, shape, dtype: operation === 'matmul' || operation === original.operation ? dtype : (operands[0]?.dtype ?? dtype),
    range, stack, ...(via !== undefined && { via }), ...(why && { why }), ...(assumes && { assumes }), ...(sample && { sample }),
  }; // prettier-ignore
  work.nodes.push(node);
  if (stands) work.originals.set(node, original);
  return node;
}

const reshaped = (work: Work, node: Node, shape: Shape): Node =>
  shapeOf(node)?.join() === shape.join() ? node : add(work, node, 'reshape', [node], { shape }, shape, false);

function permuted(work: Work, node: Node, axes: readonly number[]): Node {
  const shape = shapeOf(node) as Shape;
  if (axes.every((axis, i) => axis === i)) return node;
  return add(work, node, 'permute', [node], { axes }, axes.map((axis) => shape[axis] as number), false); // prettier-ignore
}

const expanded = (work: Work, node: Node, shape: Shape): Node =>
  shapeOf(node)?.join() === shape.join() ? node : add(work, node, 'expand', [node], { shape }, shape, false);

/** The node that takes the place of one that follows from the scores; any other stays. */
function remade(work: Work, node: Node): Node {
  const known = work.made.get(node);
  if (known) return known;
  if (node.id < work.scores.id) return node;
  const result = node === work.scores ? scoresOf(work) : follows(work, node) ? next(work, node) : node;
  work.made.set(node, result);
  return result;
}

function follows({ scores }: Work, node: Node): boolean {
  const seen = new Set<Node>([node]);
  for (const at of seen) {
    if (at === scores) return true;
    if (at.id > scores.id) for (const operand of at.operands) seen.add(operand);
  }
  return false;
}

/** On the grid: elementwise, softmax, a sum that keeps its axis; then the weighted sum; then as the code goes on. */
function next(work: Work, node: Node): Node {
  const isProduct = node.operation === 'matmul' || node.operation === 'einsum';
  // Weights that a product takes turned have their own order of axes.
  const sides = node.operands.map((operand) => (isProduct ? unturned(operand).base : operand));
  const operands = sides.map((operand) => remade(work, operand));
  const onGrid = sides.map((operand) => work.grid.has(operand));
  if (!onGrid.includes(true)) return add(work, node, node.operation, node.operands.map((operand) => remade(work, operand)), node.attributes, shapeOf(node) ?? refuse()); // prettier-ignore
  if (isProduct) return weightedSum(work, node, onGrid[0] === true);
  if (!isGrid(work, node)) refuse();
  work.grid.add(node);
  const aligned = operands.map((operand, i) => (onGrid[i] ? operand : alongGrid(work, operand)));
  return add(work, node, node.operation, aligned, attributesOf(work, node), inOrder(work, shapeOf(node) as Shape));
}

/** What is turned, and its axes in the order of what it gives. */
function unturned(node: Node): { readonly base: Node; readonly axes: readonly number[] } {
  const [from] = node.operands;
  const { axes } = node.attributes;
  const all = (node.shape ?? []).map((_, i) => i);
  if (node.operation !== 'permute' || !from || !axes) return { base: node, axes: all };
  const inner = unturned(from);
  return { base: inner.base, axes: all.map((i) => inner.axes[axes[i] as number] as number) };
}

const refuse = (): never => {
  throw new NotArranged();
};

/** As many axes as the scores, each of their size or 1. */
const isGrid = ({ sizes }: Work, node: Node): boolean => {
  const shape = shapeOf(node);
  return shape?.length === sizes.length && shape.every((size, i) => size === sizes[i] || size === 1);
};

/** The sizes of something on the grid once its axes are in order. */
function inOrder(work: Work, shape: Shape): Shape {
  const { lead, queries, keys } = work.axes;
  const of = (axes: readonly number[]): number => {
    const ones = axes.every((axis) => shape[axis] === 1);
    if (!ones && axes.some((axis) => shape[axis] !== work.sizes[axis])) refuse();
    return ones ? 1 : product(shape, axes);
  };
  const heads = lead.at(-1);
  const first = lead.length < 3 || heads === undefined ? lead.map((axis) => shape[axis] as number) : [of(lead.slice(0, -1)), shape[heads] as number]; // prettier-ignore
  return [...first, of(queries), of(keys)];
}

const keepsPlaces = new Set(['tril', 'triu', 'write', 'concat', 'slice', 'pick', 'put', 'gather', 'scatter', 'cumsum', 'sort', 'argsort', 'reshape', 'permute', 'expand']); // prettier-ignore

function attributesOf(work: Work, node: Node): Attributes {
  const { operation, attributes, operands } = node;
  // Dropout that is passed by, a view of the same sizes.
  const shape = shapeOf(node);
  if (operation === 'reshape' && shape?.join() === shapeOf(operands[0] as Node)?.join())
    return { ...attributes, shape: inOrder(work, shape as Shape) };
  if (keepsPlaces.has(operation)) refuse();
  if (attributes.axis !== undefined) return { ...attributes, axis: placeOf(work, attributes.axis) };
  if (attributes.axes === undefined) return attributes;
  return attributes.keepdims ? { ...attributes, axes: attributes.axes.map((axis) => placeOf(work, axis)) } : refuse();
}

/** Where the axis of queries or keys is once axes are in order. */
function placeOf({ axes }: Work, axis: number): number {
  const fromEnd = axes.queries.join() === String(axis) ? 2 : axes.keys.join() === String(axis) ? 1 : refuse();
  return Math.min(axes.lead.length, 2) + 2 - fromEnd;
}

/** A mask, a scale or a bias beside the scores, with its axes in order. */
function alongGrid(work: Work, node: Node): Node {
  const { sizes, axes } = work;
  const shape = shapeOf(node) ?? refuse();
  if (count(shape) === 1) return shape.length <= 4 ? node : reshaped(work, node, [1, 1]);
  if (shape.length > sizes.length) refuse();
  const full = [...new Array<number>(sizes.length - shape.length).fill(1), ...shape];
  const order = [...axes.lead, ...axes.queries, ...axes.keys];
  const one = (group: readonly number[]): boolean => group.every((axis) => full[axis] === 1);
  // Axes that are joined have to be there all, or none.
  const groups = [...(axes.lead.length > 2 ? [axes.lead.slice(0, -1)] : []), axes.queries, axes.keys];
  const wide = full.map((size, axis) => groups.some((group) => group.includes(axis) && !one(group)) ? (sizes[axis] as number) : size); // prettier-ignore
  const spread = expanded(work, reshaped(work, node, full), wide);
  return reshaped(work, permuted(work, spread, order), inOrder(work, wide));
}

// --- products ---------------------------------------------------------------------

interface Side {
  readonly node: Node;
  /** A letter for each axis. */
  readonly letters: string;
}

/** The letters of a product of two: an einsum's own, of matrices by place. */
function lettersOf(node: Node): { readonly a: Side; readonly b: Side; readonly output: string } {
  const [a, b] = node.operands;
  if (!a || !b) return refuse();
  const [rankA, rankB] = [shapeOf(a)?.length ?? 0, shapeOf(b)?.length ?? 0];
  if (node.operation === 'einsum') {
    const [inputs = '', output = ''] = (node.attributes.equation ?? '').split('->');
    const [first = '', second = '', third] = inputs.split(',');
    const plain = [first, second, output].every((letters) => new Set(letters).size === letters.length);
    return plain && third === undefined && first.length === rankA && second.length === rankB
      ? { a: { node: a, letters: first }, b: { node: b, letters: second }, output }
      : refuse();
  }
  const lead = 'abcdefghij'.slice(0, Math.max(rankA, rankB) - 2);
  if (rankA < 2 || rankB < 2) return refuse();
  const of = (rank: number): string => lead.slice(lead.length - (rank - 2));
  return { a: { node: a, letters: `${of(rankA)}xz` }, b: { node: b, letters: `${of(rankB)}zy` }, output: `${lead}xy` };
}

/** A side of a product with the axes `lead`, `rows` and `summed`, each joined; repeated over those that it lacks. */
function sideOf(
  work: Work,
  { node, letters }: Side,
  groups: readonly string[],
  size: ReadonlyMap<string, number>,
): Node {
  const order = groups.join('');
  if ([...letters].some((letter) => !order.includes(letter))) refuse();
  const present = [...order].filter((letter) => letters.includes(letter));
  const turned = permuted(work, node, present.map((letter) => letters.indexOf(letter))); // prettier-ignore
  const own = shapeOf(turned) as Shape;
  const ones = [...order].map((letter) => (letters.includes(letter) ? (own[present.indexOf(letter)] as number) : 1));
  const wide = [...order].map((letter) => size.get(letter) ?? 1);
  const joined = groups.map((group) => [...group].reduce((all, letter) => all * (size.get(letter) ?? 1), 1));
  return reshaped(work, expanded(work, reshaped(work, turned, ones), wide), joined);
}

const sizesOf = (sides: readonly Side[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const { node, letters } of sides)
    (shapeOf(node) ?? refuse()).forEach((size, i) => found.set(letters[i] ?? '', Math.max(size, found.get(letters[i] ?? '') ?? 1))); // prettier-ignore
  return found;
};

/** Letters of the leading axes as a step has them: batch, heads. */
const leadGroups = (letters: string): readonly string[] =>
  letters.length > 2 ? [letters.slice(0, -1), letters.slice(-1)] : [...letters];

function scoresOf(work: Work): Node {
  const { scores, axes } = work;
  const { a: first, b: second, output } = lettersOf(scores);
  // With keys as rows they are the first factor.
  const isFirst = [...axes.keys].some((axis) => first.letters.includes(output[axis] ?? ''));
  const [a, b] = isFirst ? [second, first] : [first, second];
  const at = (list: readonly number[]): string => list.map((axis) => output[axis]).join('');
  const [lead, queries, keys] = [at(axes.lead), at(axes.queries), at(axes.keys)];
  const summed = [...a.letters].filter((letter) => b.letters.includes(letter) && !output.includes(letter)).join('');
  const size = sizesOf([a, b]);
  const isWhole = [a, b].every(({ letters }) => [...letters].every((letter) => output.includes(letter) || letter === summed)); // prettier-ignore
  if (summed.length !== 1 || !isWhole || [...keys].some((letter) => a.letters.includes(letter))) return refuse();
  const groups = leadGroups(lead);
  work.sides.q = sideOf(work, a, [...groups, queries, summed], size);
  work.sides.k = sideOf(work, b, [...groups, keys, summed], size);
  const { q, k } = work.sides;
  const turned = permuted(work, k, [...groups.map((_, i) => i), groups.length + 1, groups.length]);
  return add(work, scores, 'matmul', [q, turned], {}, orderedShape(work));
}

/** Weights times V, and back to the axes that the code goes on with. */
function weightedSum(work: Work, node: Node, first: boolean): Node {
  const { a, b, output } = lettersOf(node);
  const [taken, values] = first ? [a, b] : [b, a];
  const { axes } = work;
  const { base, axes: places } = unturned(taken.node);
  const weights = { node: base, letters: places.map((_, i) => taken.letters[places.indexOf(i)]).join('') };
  if (!isGrid(work, weights.node) || (shapeOf(weights.node) ?? []).join() !== work.sizes.join()) return refuse();
  const at = (list: readonly number[]): string => list.map((axis) => weights.letters[axis]).join('');
  const [lead, queries, keys] = [at(axes.lead), at(axes.queries), at(axes.keys)];
  const own = [...values.letters].filter((letter) => !weights.letters.includes(letter)).join('');
  const isWhole = [...lead, ...queries, ...own].every((letter) => output.includes(letter)) && ![...keys].some((letter) => output.includes(letter)); // prettier-ignore
  if (!isWhole || output.length !== lead.length + queries.length + own.length || own === '') return refuse();
  const size = sizesOf([weights, values]);
  const groups = leadGroups(lead);
  if ([...queries].some((letter) => values.letters.includes(letter))) return refuse();
  const v = sideOf(work, values, [...groups, keys, own], size);
  work.sides.v = v;
  const w = remade(work, weights.node);
  const shape = [...leadOf(work), product(work.sizes, axes.queries), [...own].reduce((all, letter) => all * (size.get(letter) ?? 1), 1)]; // prettier-ignore
  const result = add(work, node, 'matmul', [w, v], {}, shape, false);
  const order = lead + queries + own;
  const apart = reshaped(work, result, [...order].map((letter) => size.get(letter) ?? 1)); // prettier-ignore
  const back = permuted(work, apart, [...output].map((letter) => order.indexOf(letter))); // prettier-ignore
  work.originals.set(back, node);
  work.sides.sum = result;
  work.sums.push([back, node]);
  return back;
}
