/** Ways through a graph: what passes a tensor on, what moves its cells, and where it comes from. */
import { type Graph, type Node, operations, type OperationName } from '../tensor';

/** Who reads each node. */
export function consumersOf({ nodes }: Graph): ReadonlyMap<Node, readonly Node[]> {
  const found = new Map<Node, Node[]>();
  for (const node of nodes)
    for (const operand of new Set(node.operands)) {
      const own = found.get(operand);
      if (own) own.push(node);
      else found.set(operand, [node]);
    }
  return found;
}

export const isMove = ({ operation }: Node): boolean =>
  operation in operations && operations[operation as OperationName].moves === true && operation !== 'concat';

/** The same numbers, or all of them at other places: casts, views, dropout that is passed by. */
export const passes = (node: Node): boolean =>
  node.operation === 'cast' ||
  (isMove(node) && node.operands.length === 1) ||
  (node.operation === 'input' && node.operands.length === 1);

/** Back over what moves cells and changes none. */
export function throughMoves(node: Node): Node {
  let at = node;
  while (passes(at) && at.operands[0]) at = at.operands[0];
  return at;
}

/** One number for all cells, as far as its shape says. */
export const isScalar = ({ shape }: Node): boolean => shape?.every((dim) => dim === 1) ?? false;

export const isLeaf = ({ operands }: Node): boolean => operands.length === 0;

/** Whether the last two axes change places on the way back to where the numbers come from. */
export function isTurned(node: Node): boolean {
  let turned = false;
  for (let at = node; passes(at) && at.operands[0]; at = at.operands[0]) {
    const { axes } = at.attributes;
    if (at.operation === 'permute' && axes && axes.length > 1 && (axes.at(-1) ?? 0) < (axes.at(-2) ?? 0))
      turned = !turned;
  }
  return turned;
}

/** Whether `node` is computed from `source`. */
export function comesFrom(node: Node, source: Node): boolean {
  const seen = new Set<Node>();
  const pending = [node];
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (at === source) return true;
    if (at.id < source.id || seen.has(at)) continue;
    seen.add(at);
    pending.push(...at.operands);
  }
  return false;
}

/** Whether all that a tensor is computed from stands in the code: no argument that no call gives, and nothing that is drawn. */
export function isOwn(node: Node): boolean {
  const seen = new Set<Node>([node]);
  for (const at of seen) {
    if (at.attributes.standsIn || (isLeaf(at) && at.why)) return false;
    if (seen.size > mostFollowed) return false;
    for (const operand of at.operands) seen.add(operand);
  }
  return true;
}

/** Nodes that a tensor is followed back to. */
const mostFollowed = 4096;
