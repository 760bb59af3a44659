/** Scores that are no product of queries and keys but v · tanh(W_q q + W_k k) (Bahdanau et al. 2015, appendix A.1.2). */
import type { Node } from '../tensor';
import { isLeaf, throughMoves } from './flow';

const bends = new Set(['tanh', 'relu', 'leaky_relu', 'sigmoid', 'gelu']);

/** Whether a node is a layer's own vector times what a query and a key give together. */
export function isAdditive(node: Node): boolean {
  const [a, b] = node.operands;
  if (!a) return false;
  const inner = node.operation === 'sum' && a.operation === 'multiply' ? a.operands : [a, b];
  if (inner === undefined || (inner !== a.operands && node.operation !== 'matmul' && node.operation !== 'einsum'))
    return false;
  const [x, y] = inner.map((one) => one && throughMoves(one));
  if (!x || !y) return false;
  const bent = isLeaf(y) ? x : isLeaf(x) ? y : undefined;
  return bent !== undefined && bends.has(bent.operation) && (isPairOf(bent.operands[0]) || isOfBoth(bent.operands[0]));
}

/** A layer over a query and a key side by side, W [q; k], which is W_q q + W_k k. */
function isOfBoth(node: Node | undefined): boolean {
  let at = node && throughMoves(node);
  const [sum, bias] = at?.operands ?? [];
  if (at?.operation === 'add' && bias && isLeaf(throughMoves(bias))) at = sum && throughMoves(sum);
  const joined = at?.operation === 'matmul' ? at.operands.map(throughMoves).find(({ operation }) => operation === 'concat') : undefined; // prettier-ignore
  return joined?.operands.length === 2;
}

/** A sum of two tensors that are both computed, each repeated over the other's tokens. */
function isPairOf(node: Node | undefined): boolean {
  const sum = node && throughMoves(node);
  const [a, b] = sum?.operands ?? [];
  if (sum?.operation !== 'add' || !a || !b || isLeaf(throughMoves(a)) || isLeaf(throughMoves(b))) return false;
  const [rows, columns] = [a.shape, b.shape];
  return rows !== undefined && columns !== undefined && rows.some((dim, i) => dim !== columns.at(i - rows.length));
}
