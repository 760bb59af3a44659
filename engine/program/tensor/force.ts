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

/**
 * The values that `node` has with these values of some nodes; undefined where it does not depend on them, or on something else that is not
 * known. `otherwise`: nodes that are computed from their operands in another way.
 */
export function* valuesWith(
  node: Node,
  others: ReadonlyMap<Node, Dense>,
  allowance: Allowance,
  otherwise: ReadonlyMap<Node, (operand: Dense) => Dense> = new Map(),
): Paced<Dense | undefined> {
  const made = new Map(others);
  const same = new Set<Node>();
  const isDone = (one: Node): boolean => made.has(one) || same.has(one);
  const pending = [node];
  for (let at = pending.at(-1); at; at = pending.at(-1)) {
    const missing = isDone(at) ? [] : at.operands.filter((one) => !isDone(one));
    pending.push(...missing);
    if (missing.length > 0) continue;
    pending.pop();
    if (isDone(at)) continue;
    // A reason of its own: dropout, a size that is not known.
    if (at.why && !at.operands.some(({ why }) => why === at.why) && at.operands.length > 0) return undefined;
    const own = otherwise.get(at);
    if (!own && !at.operands.some((one) => made.has(one))) {
      same.add(at);
      continue;
    }
    const operands: Dense[] = [];
    for (const one of at.operands) {
      const values = made.get(one) ?? (yield* valuesOf(one, allowance));
      if (!values) return undefined;
      operands.push(values);
    }
    made.set(at, own && operands[0] ? own(operands[0]) : yield* computed(at, allowance, operands));
  }
  return made.get(node);
}

function* computed(
  node: Node,
  allowance: Allowance,
  operands: readonly Dense[] = node.operands.map(({ value }) => value as Dense),
): Paced<Dense> {
  const operation = operationOf(node);
  const { shape, fill } = node;
  if (fill && shape && isKnownShape(shape)) return { dtype: node.dtype, shape, data: yield* fill() };
  if (!operation || !shape || !isKnownShape(shape)) throw new Error(`no values for ${node.operation}`);
  const work = workOf(node);
  if (work > allowance.work || count(shape) > allowance.numbers)
    throw new NotComputed(`${Math.round(work)} operations`);
  allowance.work -= work;
  allowance.numbers -= operation.moves && node.operation === 'reshape' ? 0 : count(shape);
  const { dtype, attributes } = node;
  return { dtype, shape, data: yield* operation.kernel(operands, { shape, dtype, attributes }) };
}
