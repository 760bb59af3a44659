/** Softmax, as a function and written out, exp(x − max)/Σ or exp(x − log Σ), over whichever axis, or over a whole matrix. */
import { sameNode, type Graph, type Node } from '../tensor';
import { passes, throughMoves } from './flow';

export interface SoftmaxSite {
  /** What it gives. */
  readonly weights: Node;
  /** What it was taken of. */
  readonly input: Node;
  /** The axes over which its numbers sum to 1; undefined where that does not follow. */
  readonly axes: readonly number[] | undefined;
  readonly form: 'function' | 'written out';
}

/** In the order in which they were computed. */
export const softmaxSites = ({ nodes }: Graph): SoftmaxSite[] => nodes.flatMap((node) => siteAt(node) ?? []);

function siteAt(node: Node): SoftmaxSite | undefined {
  const [input] = node.operands;
  if (!input) return undefined;
  if (node.operation === 'softmax') return { weights: node, input, axes: axesOf(node), form: 'function' };
  return node.operation === 'divide' || node.operation === 'multiply' ? writtenOut(node) : byLogarithm(node);
}

const axesOf = ({ attributes: { axis, axes } }: Node): readonly number[] | undefined =>
  axes ?? (axis === undefined ? undefined : [axis]);

/** exp(x) / Σ exp(x) or exp(x) · (Σ exp(x))⁻¹, with whatever views between; the sum may be of exponentials that were computed anew. */
function writtenOut(node: Node): SoftmaxSite | undefined {
  const [left, right] = node.operands;
  if (!left || !right) return undefined;
  if (node.operation === 'divide') return shareOf(node, left, right);
  const [a, b] = [inverted(left), inverted(right)];
  return (b && shareOf(node, left, b)) ?? (a && shareOf(node, right, a));
}

/** x of x⁻¹ and of 1/x, as frameworks have a division that is made of a product. */
function inverted(node: Node): Node | undefined {
  const { operation, operands } = throughMoves(node);
  const [left, right] = operands;
  const is = (of: Node | undefined, number: number): boolean => of?.value?.data.length === 1 && of.value.data[0] === number; // prettier-ignore
  if (operation === 'reciprocal' || (operation === 'power' && is(right, -1))) return left;
  return operation === 'divide' && is(left, 1) ? right : undefined;
}

function shareOf(node: Node, above: Node, under: Node): SoftmaxSite | undefined {
  const exponential = throughMoves(above);
  const input = exponentOf(exponential);
  const sum = throughMoves(under);
  if (!input || sum.operation !== 'sum' || !sum.operands[0]) return undefined;
  if (!sameNode(throughMoves(sum.operands[0]), exponential)) return undefined;
  return { weights: node, input: beforeShift(input), axes: axesOf(sum), form: 'written out' };
}

/** exp(x − log Σ exp(x)), and exp of log_softmax. */
function byLogarithm(node: Node): SoftmaxSite | undefined {
  const logarithm = exponentOf(node);
  const [left, right] = logarithm?.operands ?? [];
  if (!logarithm || !left) return undefined;
  const site = (input: Node, by: Node): SoftmaxSite => ({
    weights: node,
    input,
    axes: axesOf(by),
    form: 'written out',
  });
  if (logarithm.operation === 'log_softmax') return site(left, logarithm);
  const sum = logarithm.operation === 'subtract' && right ? summedIn(throughMoves(right)) : undefined;
  return sum && sameNode(base(sum.of), base(left)) ? site(beforeShift(left), sum.by) : undefined;
}

/** Of log Σ exp(x), and of max + log Σ exp(x − max): x, and what sums. */
function summedIn(node: Node): { readonly of: Node; readonly by: Node } | undefined {
  const [of, other] = node.operands;
  if (node.operation === 'add' && of && other) return shiftedBack(of, other) ?? shiftedBack(other, of);
  if (node.operation === 'logsumexp') return of && { of, by: node };
  const by = node.operation === 'log' && of ? throughMoves(of) : undefined;
  const exponentials = by?.operation === 'sum' ? by.operands[0] : undefined;
  const exponent = exponentials && exponentOf(throughMoves(exponentials));
  return by && exponent && { of: exponent, by };
}

function shiftedBack(sum: Node, most: Node): ReturnType<typeof summedIn> {
  const inner = throughMoves(sum).operation === 'log' ? summedIn(throughMoves(sum)) : undefined;
  const [left, right] = inner?.of.operands ?? [];
  const isShifted = inner && left && right && beforeShift(inner.of) === left;
  return isShifted && sameNode(throughMoves(right), throughMoves(most)) ? { of: left, by: inner.by } : undefined;
}

/** `np.exp(x)`, `e ** x`. */
function exponentOf({ operation, operands }: Node): Node | undefined {
  if (operation === 'exp') return operands[0];
  const [base, exponent] = operands;
  const known = base?.value?.data;
  const isE = known?.length === 1 && Math.abs((known[0] as number) - Math.E) < 1e-6;
  return operation === 'power' && isE ? exponent : undefined;
}

/** x − max x is x as far as softmax goes; e to the power of integers converts them first. */
function beforeShift(node: Node): Node {
  const shifted = node.operation === 'cast' && node.operands[0] ? node.operands[0] : node;
  const [left, right] = shifted.operands;
  const minus = shifted.operation === 'add' && right ? throughMoves(right) : undefined;
  const taken = minus?.operation === 'negative' ? minus.operands[0] : shifted.operation === 'subtract' ? right : undefined; // prettier-ignore
  if (!left || !taken) return node;
  const most = throughMoves(taken);
  if (most.operation !== 'max' && most.operation !== 'amax') return node;
  const of = most.operands[0];
  return of && sameNode(base(of), base(left)) ? left : node;
}

const base = (node: Node): Node => (passes(node) ? throughMoves(node) : node);
