/** Which cells stand where after moves: the kernels of views, transposes, joins and writes, run on cells' places in place of numbers. */
import { finish } from '../../../text';
import { type Dense, isKnownShape, type Node, operations, type Operation, type OperationName } from '../../tensor';
import { passes } from '../../recognise';

const mostNodes = 512;

/** What moves cells and joins those of several tensors. */
export const movesOrJoins = (node: Node): boolean =>
  passes(node) || ['concat', 'stack', 'write'].includes(node.operation);

/**
 * The cells of a node as its operands have them; undefined where one of them is not known. `known`: cells of some nodes, and the memory of this walk.
 * `isFollowed`: what is walked through. `beside`: of a node that computes, what stands for its cells.
 */
export function movedCells(
  node: Node,
  known: Map<Node, Dense | undefined>,
  isFollowed: (node: Node) => boolean = movesOrJoins,
  beside: (node: Node, from: readonly Dense[]) => Dense | undefined = () => undefined,
): Dense | undefined {
  if (known.has(node)) return known.get(node);
  known.set(node, undefined);
  const { operation, operands, shape, attributes } = node;
  if (known.size > mostNodes || !shape || !isKnownShape(shape) || operands.length === 0 || !isFollowed(node)) return undefined; // prettier-ignore
  const from = operands.flatMap((one) => movedCells(one, known, isFollowed, beside) ?? []);
  const kernel = (operations as Readonly<Record<string, Operation>>)[operation as OperationName]?.kernel;
  const isKept = operation === 'cast' || operation === 'input';
  const moved =
    beside(node, from) ??
    (from.length < operands.length
      ? undefined
      : isKept
        ? from[0]
        : kernel && { dtype: 'float64' as const, shape, data: finish(kernel(from, { shape, dtype: 'float64', attributes })) }); // prettier-ignore
  known.set(node, moved);
  return moved;
}
