/** Scores that are no product of queries and keys but v · tanh(W_q q + W_k k) (Bahdanau et al. 2015, appendix A.1.2). */
import type { Node, Shape } from '../tensor';
import { isLeaf, passes, throughMoves } from './flow';

const bends = new Set(['tanh', 'relu', 'leaky_relu', 'sigmoid', 'gelu']);

/** Whether a node is a layer's own vector times what a query and a key give together, or a sum of one number of each. */
export function isAdditive(node: Node): boolean {
  if (isSumOfNumbers(node)) return true;
  const [x, y] = factorsOf(node).map(throughMoves);
  if (!x || !y) return false;
  const bent = isLeaf(y) ? x : isLeaf(x) ? y : undefined;
  return bent !== undefined && bends.has(bent.operation) && (isPairOf(bent.operands[0]) || isOfBoth(bent.operands[0]));
}

/** a₁·q + a₂·k for every pair: the scores of graph attention (Veličković et al. 2018, equation 3). */
function isSumOfNumbers({ operation, operands: [a, b] }: Node): boolean {
  if (operation !== 'add' || !a?.shape || !b?.shape) return false;
  const meet = (x: Shape, y: Shape): boolean => x.at(-1) === 1 && y.at(-2) === 1 && x.at(-2) !== 1 && y.at(-1) !== 1;
  return (meet(a.shape, b.shape) || meet(b.shape, a.shape)) && [a, b].every((one) => isWeighed(throughMoves(one)));
}

/** Features of a token times a vector that was learned. */
function isWeighed(node: Node): boolean {
  const [x, y] = factorsOf(node).map(throughMoves);
  return x !== undefined && y !== undefined && isLeaf(x) !== isLeaf(y);
}

/** What a product multiplies, also where it is written as a sum of the products of cells. */
function factorsOf({ operation, operands }: Node): readonly Node[] {
  const [a] = operands;
  if (operation === 'sum') return a?.operation === 'multiply' ? a.operands : [];
  return operation === 'matmul' || operation === 'einsum' ? operands : [];
}

/**
 * The tokens and the vector of a layer with one output: that vector is a query that was learned (Yang et al. 2016, equation 6). None where a query and a
 * key were added before it. `overTokens`: each token's scores are columns of the softmax, so that a layer may have learned several (Lin et al. 2017, equation 6).
 */
export function learnedQuery(
  { operation, operands: [x, w] }: Node,
  overTokens = false,
): readonly [tokens: Node, query: Node] | undefined {
  if (operation !== 'matmul' || !x || w?.shape?.length !== 2 || !isLeaf(throughMoves(w))) return undefined;
  if (w.shape[1] !== 1 && !(overTokens && bends.has(throughMoves(x).operation))) return undefined;
  const bent = throughMoves(x);
  const sum = bends.has(bent.operation) && bent.operands[0] ? throughMoves(bent.operands[0]) : undefined;
  const joins = sum?.operation === 'add' && sum.operands.every((one) => !isLeaf(throughMoves(one)));
  return joins ? undefined : [x, w];
}

/** A layer over a query and a key side by side, W [q; k], which is W_q q + W_k k. */
function isOfBoth(node: Node | undefined): boolean {
  let at = node && throughMoves(node);
  const [sum, bias] = at?.operands ?? [];
  if (at?.operation === 'add' && bias && isLeaf(throughMoves(bias))) at = sum && throughMoves(sum);
  const joined = at?.operation === 'matmul' ? at.operands.map(throughMoves).find(({ operation }) => operation === 'concat') : undefined; // prettier-ignore
  return joined?.operands.length === 2 && joined.operands.some(isRepeated);
}

/** Whether a tensor stands several times, as a query does beside each of its keys. The two ways of an LSTM do not. */
function isRepeated(node: Node): boolean {
  let at = node;
  while (!repeats(at) && passes(at) && at.operands[0]) at = at.operands[0];
  return repeats(at);
}

const repeats = ({ operation, operands: [first, ...more] }: Node): boolean =>
  /^(?:expand|tile|repeat_interleave)$/.test(operation) ||
  (operation === 'concat' &&
    more.length > 0 &&
    more.every((one) => first && throughMoves(one) === throughMoves(first)));

/** A sum of two tensors that are both computed, each repeated over the other's tokens. */
function isPairOf(node: Node | undefined): boolean {
  const sum = node && throughMoves(node);
  const [a, b] = sum?.operands ?? [];
  if (sum?.operation !== 'add' || !a || !b || isLeaf(throughMoves(a)) || isLeaf(throughMoves(b))) return false;
  const [rows, columns] = [a.shape, b.shape];
  return rows !== undefined && columns !== undefined && rows.some((dim, i) => dim !== columns.at(i - rows.length));
}
