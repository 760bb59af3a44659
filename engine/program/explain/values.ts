/** Numbers of a program's nodes: its own where they are known, and from a seed where only their shape is. */
import type { Paced } from '../../text/pace';
import { createStream, type RandomStream } from '../../random/index';
import type { Node } from '../graph';
import { count, NotComputed, type Dense } from '../tensor/dense';
import { isKnownShape } from '../tensor/dims';
import { isFloat, rounding } from '../tensor/dtypes';
import { Raised } from '../tensor/errors';
import { valuesOf, type Allowance } from '../tensor/force';
import { operations, type Operation, type OperationName } from '../tensor/operations';

export interface Numbers {
  readonly dense: Dense;
  /** Not the code's own. */
  readonly standIn: boolean;
}

export interface Source {
  readonly known: Map<Node, Numbers | undefined>;
  readonly allowance: Allowance;
  readonly stream: RandomStream;
}

export function newSource(seed: number, allowance: Allowance): Source {
  const made = createStream({ generator: 'numpy.RandomState', seed });
  if (!made.ok) throw new Error(`no stream for seed ${seed}`);
  return { known: new Map(), allowance, stream: made.value };
}

/** The numbers of a node; undefined where not even stand-ins can be had: its shape is not known, or it takes too much. */
export function* numbersOf(source: Source, node: Node): Paced<Numbers | undefined> {
  const pending = [node];
  for (let at = pending.at(-1); at; at = pending.at(-1)) {
    const missing = at.why && !source.known.has(at) ? at.operands.filter((operand) => !source.known.has(operand)) : [];
    if (missing.length > 0) {
      pending.push(...missing);
      continue;
    }
    pending.pop();
    if (!source.known.has(at)) source.known.set(at, yield* found(source, at));
  }
  return source.known.get(node);
}

function* found(source: Source, node: Node): Paced<Numbers | undefined> {
  const { shape } = node;
  if (!shape || !isKnownShape(shape) || count(shape) > source.allowance.numbers) return undefined;
  try {
    const own = yield* valuesOf(node, source.allowance);
    if (own) return { dense: own, standIn: node.sample === true };
    return (yield* followed(source, node, shape)) ?? drawn(source, node, shape);
  } catch (error) {
    if (error instanceof NotComputed || error instanceof Raised) return undefined;
    throw error;
  }
}

/** Computed from operands of which some stand in. */
function* followed(source: Source, node: Node, shape: readonly number[]): Paced<Numbers | undefined> {
  const operation = (operations as Readonly<Record<string, Operation>>)[node.operation as OperationName];
  const operands = node.operands.map((operand) => source.known.get(operand));
  if (!operation || operands.length === 0 || operands.some((operand) => !operand)) return undefined;
  if (node.operands.some((operand) => !operand.shape)) return undefined;
  const { dtype, attributes } = node;
  const dense = operands.map((operand) => (operand as Numbers).dense);
  if (!hasAll(node.operation, attributes)) return undefined;
  return { dense: { dtype, shape, data: yield* operation.kernel(dense, { shape, dtype, attributes }) }, standIn: true };
}

/** Nodes that are known in shape only may lack what their kernel is to be told. */
const hasAll = (operation: string, attributes: Node['attributes']): boolean =>
  operation !== 'strided' && operation !== 'write' ? true : attributes.strides !== undefined;

/** From the seed: small whole numbers for ids, ones for conditions, and of a matrix of weights what keeps sums at the size of one. */
function drawn({ stream }: Source, { dtype, attributes }: Node, shape: readonly number[]): Numbers {
  const size = count(shape);
  const round = rounding[dtype];
  const isWeight = /^(init|torch\.empty)/.test(attributes.origin ?? '') && shape.length > 1;
  const by = isWeight ? Math.sqrt(shape.at(-1) ?? 1) : 1;
  const data = isFloat(dtype)
    ? stream.normal(size).map((x) => round(x / by))
    : new Float64Array(size).fill(dtype === 'bool' ? 1 : 0).map((x, i) => (dtype === 'bool' ? x : i % 4));
  return { dense: { dtype, shape, data }, standIn: true };
}
