/** What queries, keys and values were projected from and with: x·W (+ b). */
import { sameNode, type Node } from '../tensor';
import type { PartName } from './attention';
import { comesFrom, isLeaf, isScalar, passes, throughMoves } from './flow';

/** Queries and keys of the same tokens. */
export function meetsItself(q: Node, k: Node): boolean {
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
export function projectionOf(node: Node, isShared: (node: Node) => boolean = () => false): Projection | undefined {
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

export function productWithLeaf({ operation, operands }: Node): { x: Node; w: Node } | undefined {
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

/** W·X with tokens as columns: what all three are multiplied with is X, though it stands where a weight does in X·W. Three parts of one weight are three. */
function inColumns<P extends readonly (Projection | undefined)[]>(all: P): P {
  const [first] = all;
  const isX = first && all.every((one) => one && sameNode(one.w, first.w) && isWeight(one.x));
  const sameX = first && all.every((one) => one && sameNode(one.x, first.x));
  return isX && !sameX ? (all.map((one) => one && { ...one, x: one.w, w: one.x }) as unknown as P) : all;
}

interface Projected {
  readonly parts: Partial<Record<PartName, Node>>;
  readonly starts: readonly Node[];
  readonly layers: ReadonlyMap<PartName, Node>;
}

/** Q, K and V with what they were projected from and with. */
export function projectedOf({ q, k, v }: { q: Node; k: Node; v: Node | undefined }): Projected {
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

/** A projection's result; of one that makes Q, K and V together, the part that is this one's alone, with no more axes than a step can have. */
function partOf(node: Node, result: Node, others: readonly Node[]): Node {
  if (others.filter((other) => comesFrom(other, result)).length < 2) return result;
  let at = node;
  while (
    passes(at) &&
    at.operands[0] &&
    (at.operands[0].shape?.length ?? 0) <= 4 &&
    others.every((other) => other === node || !comesFrom(other, at.operands[0] as Node))
  )
    at = at.operands[0];
  return at;
}
