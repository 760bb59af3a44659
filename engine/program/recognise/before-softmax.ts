/** Back from a softmax over mask, bias and scale to the scores: the product of queries and keys. */
import type { Node } from '../tensor';
import { isAdditive, learnedQuery } from './additive';
import { isLeaf, isScalar, isTurned, passes, throughMoves } from './flow';
import { mixedBy } from './mixed-heads';
import { listProduct, loopProduct, type ListProduct } from './loops';

export interface Before {
  readonly scores: Node;
  /** Absent where a loop wrote the scores one by one. */
  readonly left?: Node;
  readonly right?: Node;
  /** A loop wrote the products of left's rows with right's. */
  readonly byLoop?: boolean;
  /** The right one is a query that a layer learned, for all tokens on the left. */
  readonly learned?: boolean;
  /** A list of products of one query with keys of their own. */
  readonly list?: ListProduct;
  readonly scaled?: Node;
  readonly masked?: Node;
  readonly mask?: Node;
}

/** Back from softmax over mask, bias and scale to the product of Q and K. `axes`: over which the softmax goes. */
export function beforeSoftmax(input: Node, axes: readonly number[] = []): Before | undefined {
  const ofColumns = axes.length === 1 && axes[0] === (input.shape?.length ?? 0) - 2;
  let found: Pick<Before, 'scaled' | 'masked' | 'mask'> = {};
  let at = input;
  let bent = false;
  for (let turn = 0; turn < 64; turn++) {
    if (isAdditive(at)) return { scores: at, ...found };
    const [tokens, query] = learnedQuery(at, ofColumns !== (isTurned(input) !== isTurned(at))) ?? [];
    if (tokens && query) {
      // The bias of that layer is the same for all tokens.
      const { masked, mask, ...others } = found;
      const isBias = masked?.operation === 'add' && mask?.shape?.length === 1 && isLeaf(throughMoves(mask));
      return { scores: at, left: tokens, right: query, learned: true, ...(isBias ? others : found) };
    }
    const mixed = mixedScores(at);
    if (mixed) {
      at = mixed;
      continue;
    }
    const [left, right] = meetingOf(at);
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
    // What is added below a tanh is a bias: a mask would not come through it.
    bent ||= /^(?:tanh|(?:leaky_)?relu)$/.test(at.operation);
    if (stage.is === 'mask' && !found.masked && !(bent && at.operation === 'add'))
      found = { ...found, masked: at, ...(stage.other ? { mask: stage.other } : {}) };
    at = stage.from;
  }
  return undefined;
}

/** Scores whose heads a layer mixes, where they are scores before it. */
function mixedScores(node: Node): Node | undefined {
  const of = mixedBy(node);
  return of && hasProduct(of) ? of : undefined;
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
  if (node.operation === 'concat') return besideScores(node);
  if (node.operation === 'where' && c) {
    const [from, fill] = hasProduct(b) ? [b, c] : [c, b];
    return hasProduct(from) && !hasProduct(fill) ? { is: 'mask', from, other: a } : undefined;
  }
  return twoSided(node, a, b);
}

/** Learned sinks beside the scores, one more number for each query (OpenAI 2025, gpt-oss; Xiao et al. 2024). */
function besideScores({ operands, shape, attributes: { axis } }: Node): Stage | undefined {
  const [from, ...more] = operands.filter(hasProduct);
  return from && more.length === 0 && shape && (axis === -1 || axis === shape.length - 1) ? { is: 'pass', from } : undefined; // prettier-ignore
}

function twoSided({ operation }: Node, a: Node, b: Node): Stage | undefined {
  // Of two products the one of queries and keys: the other is a bias, of positions or of one side alone.
  const [first, second] = [bestBehind(a), bestBehind(b)];
  const [from, other] = first > 0 && first >= second ? [a, b] : [b, a];
  if (!hasProduct(from)) return undefined;
  if ((operation === 'divide' || operation === 'floor_divide') && from === a) return { is: 'scale', from, other };
  if (operation === 'multiply') return { is: hidesKeys(other) ? 'mask' : 'scale', from, other };
  const masks = operation === 'add' || operation === 'subtract' || operation === 'maximum' || operation === 'minimum';
  return masks ? { is: isScalar(other) ? 'pass' : 'mask', from, other } : undefined;
}

/** A factor for each head or query, such as a learned temperature, hides no key: it says the same of all of them. One for each input may be padding. */
function hidesKeys(factor: Node): boolean {
  if (isScalar(factor) || factor.shape === undefined) return false;
  const sizes = factor.shape;
  return sizes.at(-1) !== 1 || sizes.slice(0, -3).some((size) => size !== 1);
}

/** Whether a product of two tensors is not far behind. */
export const hasProduct = (node: Node): boolean => bestBehind(node) > 0;

/** How much a sum's operand looks like scores, by the best product behind it: 3 of two tensors that are computed, 2 of rows with rows, 1 of others, 0 without. */
function bestBehind(node: Node): number {
  let budget = 48;
  const visit = (at: Node): number => {
    if (budget-- < 0) return 0;
    const mixed = mixedBy(at);
    if (mixed) {
      const behind = visit(mixed);
      if (behind > 0) return behind;
    }
    const [left, right] = meetingOf(at);
    if (learnedQuery(at, true)) return 1;
    if (isAdditive(at)) return 3;
    if (left && right) return [left, right].every((one) => !isLeaf(throughMoves(one))) ? 3 : isTurned(left) || isTurned(right) ? 2 : 1; // prettier-ignore
    const through =
      passes(at) ||
      elementwise.has(at.operation) ||
      [
        'divide',
        'floor_divide',
        'multiply',
        'add',
        'subtract',
        'where',
        'write',
        'either',
        'maximum',
        'minimum',
      ].includes(at.operation);
    return through ? Math.max(0, ...at.operands.map(visit)) : 0;
  };
  return visit(node);
}

/** Whether a product of rows with rows lies behind a node, whatever stands between: numbers put beside the scores, for one. */
export function comesFromScores(node: Node): boolean {
  const seen = new Set<Node>([node]);
  for (const at of seen) {
    const [left, right] = factorsOf(at);
    if (left && right && (isTurned(left) || isTurned(right) || isPairwise(at))) return true;
    if (isSummed(at)) return true;
    if (seen.size < 48) for (const operand of at.operands) seen.add(operand);
  }
  return false;
}

/** The two tensors of a product; none for a layer's x·Wᵀ, or a part of a convolution, which are no meeting of tokens. */
export function factorsOf({ operation, operands, via }: Node): readonly Node[] {
  if (operation !== 'matmul' && operation !== 'einsum') return [];
  const by = operands[1]?.shape?.length === 2 ? throughMoves(operands[1]) : undefined;
  if (operation === 'einsum' && by && isLeaf(by) && (by.shape?.length ?? 0) > 3) return [];
  return operands.length === 2 && via !== 'F.linear' ? operands : [];
}

/** The two tensors of a product, also where it is written as products of features that are summed. */
const meetingOf = (node: Node): readonly Node[] =>
  isSummed(node) ? (node.operands[0]?.operands ?? []) : factorsOf(node);

/** `(q * k).sum(-1)`, where one has a single token or each is repeated over the other's: dot products of queries with keys (Luong et al. 2015, equation 8). */
export function isSummed({ operation, operands: [product], attributes: { axes } }: Node): boolean {
  const [axis, ...more] = axes ?? [];
  const [a, b] = product?.operation === 'multiply' ? product.operands.map(({ shape }) => shape) : [];
  const rank = product?.shape?.length ?? 0;
  if (operation !== 'sum' || !a || !b || rank < 2 || axis !== rank - 1 || more.length > 0) return false;
  // A vector that all tokens are weighed with is a layer's.
  if (a.length < 2 || b.length < 2 || a.at(-1) === 1 || a.at(-1) !== b.at(-1)) return false;
  const sizes = [a, b].map((shape) => [...new Array<number>(rank - shape.length).fill(1), ...shape].slice(0, -1));
  return sizes[0]?.some((size, i) => size !== sizes[1]?.[i]) ?? false;
}

/** einsum over the last letters of both, with rows of either kept. */
export function isPairwise({ operation, attributes: { equation } }: Node): boolean {
  if (operation !== 'einsum' || equation === undefined) return false;
  const [inputs = '', output = ''] = equation.split('->');
  const [a = '', b = ''] = inputs.split(',');
  const own = (of: string, other: string): boolean => [...of].some((l) => !other.includes(l) && output.includes(l));
  return own(a, b) && own(b, a);
}

/** One query, a vector, with all keys. */
export const isDotRow = ({ operands }: Node): boolean => operands.some(({ shape }) => shape?.length === 1);

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
