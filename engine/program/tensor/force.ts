/** A node's values: computed from its leaves when they are looked at, kept while there is room. */
import type { Paced } from '../../text';
import type { Node } from './graph';
import { count, NotComputed, type Dense } from './dense';
import { isKnownShape } from './dims';
import { operations, type Operation, type OperationName } from './operations';

/** What computing may take: counted work and kept numbers, for one program. */
export interface Allowance {
  work: number;
  numbers: number;
}

/** About a second of work, and 128 MB. */
export const newAllowance = (): Allowance => ({ work: 3e8, numbers: 16e6 });

const operationOf = ({ operation }: Node): Operation | undefined =>
  operation in operations ? (operations as Record<string, Operation>)[operation as OperationName] : undefined;

/** Multiply-adds and the like of one node. */
export function workOf(node: Node): number {
  const cost = operationOf(node)?.cost?.(node.operands.map(({ shape }) => shape ?? [])) ?? 1;
  return count(node.shape as readonly number[]) * (typeof cost === 'number' ? cost : 1) + 1;
}

/**
 * The values of `node`. Undefined where it is known in shape only; `NotComputed` where they would take too much, `Raised` where Python
 * refuses (an index out of range).
 */
export function* valuesOf(node: Node, allowance: Allowance): Paced<Dense | undefined> {
  if (node.value) return node.value;
  if (node.why || !node.shape || !isKnownShape(node.shape)) return undefined;
  const pending = [node];
  for (let at = pending.at(-1); at; at = pending.at(-1)) {
    const missing = at.value ? [] : at.operands.filter(({ value }) => !value);
    if (missing.length > 0) pending.push(...missing);
    else {
      pending.pop();
      at.value ??= yield* computed(at, allowance);
    }
  }
  return node.value;
}

function* computed(node: Node, allowance: Allowance): Paced<Dense> {
  const operation = operationOf(node);
  const { shape, fill } = node;
  if (fill && shape && isKnownShape(shape)) return { dtype: node.dtype, shape, data: yield* fill() };
  if (!operation || !shape || !isKnownShape(shape)) throw new Error(`no values for ${node.operation}`);
  const work = workOf(node);
  if (work > allowance.work || count(shape) > allowance.numbers)
    throw new NotComputed(`${Math.round(work)} operations`);
  allowance.work -= work;
  allowance.numbers -= operation.moves && node.operation === 'reshape' ? 0 : count(shape);
  const operands = node.operands.map(({ value }) => value as Dense);
  const { dtype, attributes } = node;
  return { dtype, shape, data: yield* operation.kernel(operands, { shape, dtype, attributes }) };
}
