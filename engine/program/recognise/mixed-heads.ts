/** A layer over the heads of scores or of weights, as in talking-heads attention (Shazeer et al. 2020, section 3) and re-attention (Zhou et al. 2021, equation 3): rows stay rows of queries. */
import type { Node } from '../tensor';
import { isLeaf, throughMoves } from './flow';

const isLearnt = (node: Node | undefined): boolean => node !== undefined && isLeaf(throughMoves(node));

/** The tensor whose heads `node` mixes; undefined where it does not. */
export function mixedBy(node: Node): Node | undefined {
  const [of, by] = node.operands;
  // A convolution over queries and keys too is a sum of such products, each of a part.
  if (node.operation === 'einsum')
    return of && of.operation !== 'slice' && isLearnt(by) && isOverHeads(node.attributes.equation ?? '')
      ? of
      : undefined;
  const [to, from] = node.operation === 'permute' ? [node.attributes.axes, withoutBias(of)] : [];
  const [turned, weight] = from?.operation === 'matmul' && from.via === 'F.linear' ? from.operands : [];
  const axes = turned?.operation === 'permute' ? turned.attributes.axes : undefined;
  if (!to || !axes || !isLearnt(weight) || weight?.shape?.length !== 2) return undefined;
  // One axis of heads goes last, and back to where it was.
  const heads = axes.at(-1) ?? 0;
  const isBack = to.length === axes.length && to.every((axis, i) => axes[axis] === i);
  return isBack && heads <= axes.length - 3 ? turned?.operands[0] : undefined;
}

const withoutBias = (node: Node | undefined): Node | undefined =>
  node?.operation === 'add' && isLearnt(node.operands[1]) ? node.operands[0] : node;

/** `b h i j, h g -> b g i j`: what is summed stands before queries and keys, which stay last. */
function isOverHeads(equation: string): boolean {
  const [inputs = '', output = ''] = equation.split('->');
  const [scores = '', weight = ''] = inputs.split(',');
  const [summed, ...more] = [...scores].filter((letter) => !output.includes(letter));
  return (
    summed !== undefined &&
    more.length === 0 &&
    weight.length === 2 &&
    weight.includes(summed) &&
    scores.length > 2 &&
    scores.slice(-2) === output.slice(-2)
  );
}

/** The nodes that mix the heads of `node`, among those that read it. */
export function mixingOf(node: Node, consumers: ReadonlyMap<Node, readonly Node[]>): readonly Node[] {
  let ends: readonly Node[] = [node];
  const found: Node[] = [];
  for (let turn = 0; turn < 4; turn++) {
    ends = ends.flatMap((end) => consumers.get(end) ?? []).slice(0, 64);
    found.push(...ends.filter((end) => mixedBy(end) === node));
  }
  return found;
}
