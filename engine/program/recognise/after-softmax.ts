/** On from the weights to their sum of values, over heads side by side, to W_O. */
import { comparing, count, isKnownShape, testing, type Dim, type Node, type Shape } from '../tensor';
import type { PartName } from './attention';
import { comesFrom, isLeaf, isTurned, passes, throughMoves } from './flow';
import { listSum, loopSum, type ListProduct } from './loops';
import { factorsOf } from './before-softmax';
import { mixingOf } from './mixed-heads';
import { productWithLeaf } from './projections';

export type Consumers = ReadonlyMap<Node, readonly Node[]>;

/** What softmax gives of a tensor, by that tensor: weights that are taken through softmax again are weights still. */
export type Again = ReadonlyMap<Node, Node>;

export interface After {
  readonly output: Node;
  readonly v: Node;
  /** A list of vectors is summed, of which `v` is the first. */
  readonly list?: ListProduct;
  readonly keys: 'rows' | 'columns';
  /** Between the weights and the product: dropout, a cast. */
  readonly used: Node;
}

/** On from the weights to their product with V. `ofNumbers`: V may be one number for each key. */
export function weightedSum(weights: Node, consumers: Consumers, again: Again, ofNumbers = false): After | undefined {
  const pending: At[] = [{ node: weights, turned: false, axes: weights.shape?.map((_, i) => i) }];
  const seen = new Set<Node>();
  for (let at = pending.shift(); at; at = pending.shift()) {
    const second = again.get(at.node);
    if (second && !seen.has(second)) {
      seen.add(second);
      pending.push({ ...at, node: second });
    }
    for (const mixing of mixingOf(at.node, consumers))
      if (!seen.has(mixing)) {
        seen.add(mixing);
        pending.push({ ...at, node: mixing });
      }
    for (const next of consumers.get(at.node) ?? []) {
      if (seen.has(next)) continue;
      const [left, right] = factorsOf(next);
      if (left && right) {
        const first = left === at.node;
        const vector = (first ? right : left).shape?.length === 1 && weights.shape?.length !== 1;
        if (vector && !ofNumbers) continue;
        return { output: next, v: first ? right : left, keys: keysOf(next, first, at.turned), used: at.node };
      }
      const sum = sumOfProducts(next, at, weights, consumers);
      if (sum) return sum;
      if (!goesOn(next, at.node)) continue;
      seen.add(next);
      pending.push({
        node: next,
        turned: at.turned !== (next.operation === 'permute' && isTurned(next) !== isTurned(at.node)),
        axes: at.axes && axesAfter(next, at.node, at.axes),
      });
    }
  }
  return sumByLoop(weights, consumers);
}

/** A tensor on the way from the weights. */
interface At {
  readonly node: Node;
  readonly turned: boolean;
  /** Which axis of the weights each of its axes is, none for one that was put in; absent where that is not followed. */
  readonly axes: readonly (number | undefined)[] | undefined;
}

/** `(w[:, :, None] * v).sum(1)`: one weight for all features of a key, and a sum over the keys, as Bahdanau attention is often written. */
function sumOfProducts(product: Node, { node, axes }: At, weights: Node, consumers: Consumers): After | undefined {
  const v = product.operands.find((operand) => operand !== node);
  const rank = product.shape?.length ?? 0;
  if (product.operation !== 'multiply' || !v?.shape || !node.shape || !axes || comesFrom(v, weights)) return undefined;
  // A mask behind the softmax, and the sum of what it leaves.
  if (consumers.get(product)?.some((next) => isByItsSum(next, product))) return undefined;
  const sizeAt = (shape: Shape, axis: number): Dim => shape[shape.length - rank + axis] ?? 1;
  const [own, values, all] = [node.shape, v.shape, weights.shape?.length ?? 0];
  const fromEnd = (axis: number): number | undefined => {
    const of = axes[axis - rank + own.length];
    return of === undefined ? undefined : of - all;
  };
  // Each query weighs the same values; weights of two axes may be of one query for each input.
  const isShared = (axis: number): boolean =>
    all < 3 || fromEnd(axis) !== -2 || sizeAt(own, axis) === 1 || sizeAt(values, axis) === 1;
  for (const sum of consumers.get(product) ?? []) {
    const [axis, ...more] = sum.attributes.axes ?? [];
    if (sum.operation !== 'sum' || axis === undefined || more.length > 0 || axis < rank - 2) continue;
    const at = fromEnd(axis);
    const features = axis === rank - 1 ? rank - 2 : rank - 1;
    // Features are an axis that was put into the weights, or the 1 of a column of them.
    const isPutIn = fromEnd(features) === undefined || (at === -2 && fromEnd(features) === -1);
    if (sizeAt(own, features) !== 1 || !isPutIn || sizeAt(values, axis) === 1 || (at !== -1 && at !== -2)) continue;
    if (at === -1 && !product.shape?.every((_, one) => isShared(one))) continue;
    return { output: sum, v, keys: at === -1 ? 'rows' : 'columns', used: node };
  }
  return undefined;
}

/** The axes of `next`, made of `from` by what keeps its numbers or joins others to them. */
function axesAfter(next: Node, { shape: before }: Node, axes: NonNullable<At['axes']>): At['axes'] {
  const { shape, operation, attributes } = next;
  if (!shape || !before) return undefined;
  if (operation === 'permute') return attributes.axes?.map((axis) => axes[axis]);
  if (operation !== 'reshape') return shape.length < before.length ? undefined : [...Array<undefined>(shape.length - before.length).fill(undefined), ...axes]; // prettier-ignore
  const kept = before.flatMap((size, i) => (size === 1 ? [] : [i]));
  let at = 0;
  const made = shape.map((size) => (size === 1 ? undefined : axes[kept[at++] ?? -1]));
  const isSame = shape.filter((size) => size !== 1).join() === kept.map((i) => before[i]).join();
  return isSame ? made : undefined;
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
  if (product.operation === 'einsum') {
    const [inputs = '', output = ''] = (product.attributes.equation ?? '').split('->');
    const own = inputs.split(',')[first ? 0 : 1] ?? '';
    const isLast = !output.includes(own.at(-1) ?? '') || output.includes(own.at(-2) ?? '');
    return isLast !== turned ? 'rows' : 'columns';
  }
  return first !== turned ? 'rows' : 'columns';
}

function goesOn(next: Node, from: Node): boolean {
  if (passes(next) || next.operation === 'either' || isByItsSum(next, from) || mendedOf(next) === from) return true;
  if (next.operation === 'add') return isMask(next, from);
  const binary = next.operation === 'multiply' || next.operation === 'divide' || next.operation === 'where';
  return (
    binary &&
    next.operands.includes(from) &&
    next.operands.every((operand) => operand === from || !comesFrom(operand, from))
  );
}

/** Weights to which a triangle is added: a mask that comes too late. */
function isMask({ operands }: Node, from: Node): boolean {
  const other = operands.find((operand) => operand !== from);
  const seen = new Set<Node>(other ? [other] : []);
  for (const at of seen) {
    if (at.operation === 'triu' || at.operation === 'tril') return true;
    if (seen.size < 16) for (const operand of at.operands) seen.add(operand);
  }
  return false;
}

/** Weights that are divided by what is left of them, once keys are hidden. */
function isByItsSum({ operation, operands: [of, by] }: Node, from: Node): boolean {
  let sum = by && throughMoves(by);
  // `.clamp(min=1e-9)`, `+ 1e-9`: no division by 0.
  while (sum && /^(?:clip|add|maximum)$/.test(sum.operation) && sum.operands[0]) sum = throughMoves(sum.operands[0]);
  return operation === 'divide' && of === from && sum?.operation === 'sum' && sum.operands[0] === from;
}

/** Of a tensor of which some cells are replaced for what they are themselves (`nan_to_num`, `masked_fill(isnan(w), 0)`, `where(w < least, 0, w)`): that tensor. */
export function mendedOf({ operation, operands: [condition, a, b] }: Node): Node | undefined {
  const [of] = condition?.operands ?? [];
  if (operation !== 'where' || !of || !a || !b || (a === of) === (b === of)) return undefined;
  return cellwise.has(condition?.operation ?? '') && !comesFrom(a === of ? b : a, of) ? of : undefined;
}

/** Tests of each cell alone. */
const cellwise: ReadonlySet<string> = new Set([...Object.keys(testing), ...Object.keys(comparing)]);

interface End {
  readonly last: Node;
  readonly parts: Partial<Record<PartName, Node>>;
}

/** Heads side by side, and W_O. */
export function joined(output: Node, consumers: Consumers): End {
  let [last, whole] = [output, output];
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
    if (!isPart(move, output)) whole = move;
  }
  return { last: whole, parts: { output: whole } };
}

/** One sequence of a batch, one row: it is looked at, and is not the output. */
const isPart = ({ shape }: Node, { shape: all }: Node): boolean =>
  shape !== undefined && all !== undefined && isKnownShape(shape) && isKnownShape(all) && count(shape) < count(all);

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
  const sum = biased ?? product;
  // A layer in half precision is computed in float32, and rounded at its end.
  const last = (consumers.get(sum) ?? []).find(({ operation, via }) => operation === 'cast' && via === sum.via) ?? sum;
  return { last, parts: { attended, wo: throughMoves(w), ...(bias && { bo: throughMoves(bias) }), output: last } };
}
