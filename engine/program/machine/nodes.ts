/** Nodes of the graph, made at the place that is looked at: operations with shapes by their rules, leaves, and values when they are looked at. */
import { t } from '../../text';
import {
  nodeLimit,
  type Attributes,
  type Cause,
  type Node,
  NotComputed,
  type Dense,
  isKnownShape,
  type Shape,
  type DType,
  type Library,
  valuesOf,
  operations,
  type Operation,
  type OperationName,
} from '../tensor';
import type { Run } from './values';
import { denseOf, keptFor, nextKey } from './kept';
import { type Machine, Stopped, cause } from './machine';

interface NodeParts {
  readonly operands?: readonly Node[];
  readonly attributes?: Attributes;
  readonly shape: Shape | undefined;
  readonly dtype: DType;
  readonly why?: Cause | undefined;
  readonly assumes?: Cause | undefined;
  readonly value?: Dense;
  readonly fill?: Node['fill'];
  readonly typeOpen?: boolean;
}

/** The parts of the machine that making a node needs. Formulas, which have no machine, are translated to a graph too (`engine/formula/`). */
export type NodeMaker = Pick<Machine, 'graph' | 'here' | 'stack' | 'via' | 'sampling'> & Partial<Pick<Machine, 'kept'>>;

/** Adds a node to the graph, at the current place in the code. */
export function addNode(m: NodeMaker, operation: string, parts: NodeParts): Node {
  if (m.graph.nodes.length >= nodeLimit) throw new Stopped();
  const { operands = [], attributes = {}, shape, dtype, value, fill } = parts;
  const why = parts.why ?? operands.find((operand) => operand.why)?.why;
  const assumes = parts.assumes ?? operands.find((operand) => operand.assumes)?.assumes;
  // A cast beside it was made to fit.
  const alike = operation === 'cast' ? [] : operands.filter((one) => one.dtype === dtype && one.operation !== 'cast');
  const typeOpen = parts.typeOpen ?? (alike.length > 0 && alike.every((operand) => operand.typeOpen));
  const node: Node = {
    id: m.graph.nodes.length,
    operation,
    operands,
    attributes,
    shape,
    dtype,
    range: m.here,
    stack: m.stack,
    ...(m.via === undefined ? {} : { via: m.via }),
    ...(why ? { why } : {}),
    ...(assumes ? { assumes } : {}),
    ...(typeOpen ? { typeOpen } : {}),
    ...(m.sampling ? { sample: true as const } : {}),
    ...(value ? { value } : {}),
    ...(fill ? { fill } : {}),
  };
  m.graph.nodes.push(node);
  return node;
}

const notKnownSize = (m: Pick<Machine, 'here'>, node: Pick<Node, 'shape'>): Cause =>
  cause(m, node.shape ? t('its sizes are known by name only') : t('its shape is not known'));

/** An operation of the table: its shape by its rule, known where its operands are. */
export function operate(
  m: NodeMaker,
  name: OperationName,
  operands: readonly Node[],
  attributes: Attributes,
  dtype: DType,
  library: Library,
): Node {
  const shapes = operands.map(({ shape }) => shape);
  const known = shapes.every((shape) => shape !== undefined);
  const rule: Operation['shape'] = operations[name].shape;
  const shape = known ? rule(shapes, attributes, library) : undefined;
  const sized = shape !== undefined && isKnownShape(shape);
  const why = operands.find((operand) => operand.why)?.why ?? (sized ? undefined : notKnownSize(m, { shape }));
  return addNode(m, name, { operands, attributes, shape, dtype, why });
}

/** A leaf with values. */
export const constant = (
  m: NodeMaker,
  shape: readonly number[],
  dtype: DType,
  data: Float64Array,
  origin?: string,
): Node =>
  addNode(m, 'constant', {
    shape,
    dtype,
    value: { shape, dtype, data },
    ...(origin === undefined ? {} : { attributes: { origin } }),
  });

/** A leaf of which only the shape is known, unless a notebook printed it. */
export function input(
  m: NodeMaker,
  shape: Shape | undefined,
  dtype: DType,
  why: Cause,
  origin = '',
  typeOpen = false,
): Node {
  const { kept } = m;
  if (!kept || !shape || m.sampling)
    return addNode(m, 'input', { shape, dtype, why, attributes: { origin }, typeOpen });
  const key = nextKey(kept, m.here.start, origin);
  const found = keptFor(kept, key, shape);
  const node = addNode(m, found ? 'draw' : 'input', {
    shape,
    dtype,
    attributes: { origin },
    typeOpen,
    ...(found ? { value: denseOf(found, dtype), assumes: cause(m, asPrinted()) } : { why }),
  });
  kept.keys.set(node, key);
  if (found) kept.used.set(node, found);
  return node;
}

export const asPrinted = (): string => t('its numbers are those that the notebook printed, rounded as it printed them');

/** Values, if they are known and not too much; a reason otherwise. */
export function* look(m: Machine, node: Node): Run<Dense | Cause> {
  try {
    return (yield* valuesOf(node, m.allowance)) ?? node.why ?? notKnownSize(m, node);
  } catch (error) {
    if (error instanceof NotComputed) return cause(m, t('too much to compute here: {0}', error.message));
    throw error;
  }
}
