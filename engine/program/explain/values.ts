/** Numbers of a program's nodes: its own where they are known, and from a seed where only their shape is. */
import type { Paced } from '../../text';
import { createStream, type RandomStream } from '../../random/index';
import {
  type Node,
  count,
  NotComputed,
  type Dense,
  isKnownShape,
  isFloat,
  rounding,
  Raised,
  valuesOf,
  workOf,
  type Allowance,
  operations,
  type Operation,
  type OperationName,
} from '../tensor';

export interface Numbers {
  readonly dense: Dense;
  /** Not the code's own. */
  readonly standIn: boolean;
}

export interface Source {
  readonly known: Map<Node, Numbers | undefined>;
  readonly allowance: Allowance;
  readonly stream: RandomStream;
  /** Nodes whose stand-ins are drawn, whatever they follow from. */
  readonly edge: ReadonlySet<Node>;
  /** Nodes whose numbers would take more than is allowed. */
  readonly tooMuch: Set<Node>;
  readonly written: Written;
}

/**
 * Numbers that the document writes for what its program draws without a seed, in row-major order; undefined, or missing at the end,
 * where it leaves one out.
 */
export type Written = ReadonlyMap<Node, readonly (number | undefined)[]>;

export function newSource(
  seed: number,
  allowance: Allowance,
  edge: ReadonlySet<Node> = new Set(),
  written: Written = new Map(),
): Source {
  const made = createStream({ generator: 'numpy.RandomState', seed });
  if (!made.ok) throw new Error(`no stream for seed ${seed}`);
  return { known: new Map(), allowance, stream: made.value, edge, tooMuch: new Set(), written };
}

/** Of what is known in shape only: the largest node for which more would be drawn and computed than is allowed; undefined where all of it fits. */
export function tooLarge(of: Node, edge: ReadonlySet<Node>, { work, numbers }: Allowance): Node | undefined {
  const seen = new Set<Node>([of]);
  let [largest, most, sum, effort] = [of, 0, 0, 0];
  for (const node of seen) {
    if (!node.why) continue;
    if (!edge.has(node)) for (const operand of node.operands) seen.add(operand);
    const size = node.shape && isKnownShape(node.shape) ? count(node.shape) : 0;
    // What is too large by itself is not drawn at all.
    if (size === 0 || size > numbers) continue;
    sum += size;
    effort += edge.has(node) ? size : workOf(node);
    if (size > most) [largest, most] = [node, size];
  }
  return sum > numbers || effort > work ? largest : undefined;
}

/** The numbers of a node; undefined where not even stand-ins can be had: its shape is not known, or it takes too much. */
export function* numbersOf(source: Source, node: Node): Paced<Numbers | undefined> {
  const pending = [node];
  for (let at = pending.at(-1); at; at = pending.at(-1)) {
    const missing =
      at.why && !source.known.has(at) && !source.edge.has(at)
        ? at.operands.filter((operand) => !source.known.has(operand))
        : [];
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
  if (!shape || !isKnownShape(shape)) return undefined;
  try {
    const own = yield* valuesOf(node, source.allowance);
    if (own) return { dense: own, standIn: node.sample === true };
    const printed = source.written.get(node);
    if (node.operands.length > 0 && printed && isWhole(printed, shape)) return asPrinted(node, shape, printed);
    return (yield* followed(source, node, shape)) ?? withWritten(source, node, yield* drawn(source, node, shape));
  } catch (error) {
    if (error instanceof NotComputed) source.tooMuch.add(node);
    if (error instanceof NotComputed || error instanceof Raised) return undefined;
    throw error;
  }
}

const isWhole = (written: readonly (number | undefined)[], shape: readonly number[]): written is readonly number[] =>
  written.length === count(shape) && !written.includes(undefined);

/** What was printed of a result that does not follow from the code takes its place. */
function asPrinted({ dtype }: Node, shape: readonly number[], printed: readonly number[]): Numbers {
  return { dense: { dtype, shape, data: Float64Array.from(printed, rounding[dtype]) }, standIn: false };
}

/** What is written takes the place of what was drawn. */
function withWritten({ written }: Source, node: Node, { dense, standIn }: Numbers): Numbers {
  const own = written.get(node);
  if (!own) return { dense, standIn };
  const round = rounding[dense.dtype];
  const data = Float64Array.from(dense.data, (x, i) => (own[i] === undefined ? x : round(own[i])));
  return { dense: { ...dense, data }, standIn: data.some((_, i) => own[i] === undefined) };
}

/** Computed from operands of which some stand in, or are only written. */
function* followed(source: Source, node: Node, shape: readonly number[]): Paced<Numbers | undefined> {
  const operation = (operations as Readonly<Record<string, Operation>>)[node.operation as OperationName];
  if (source.edge.has(node)) return undefined;
  const operands = node.operands.map((operand) => source.known.get(operand));
  if (!operation || operands.length === 0 || operands.some((operand) => !operand)) return undefined;
  if (node.operands.some((operand) => !operand.shape)) return undefined;
  const { dtype, attributes } = node;
  const dense = operands.map((operand) => (operand as Numbers).dense);
  // What is not known of known operands has a cause of its own, such as a draw.
  const isOwn = !node.operands.some(({ why }) => why);
  if (!hasAll(node.operation, attributes)) return undefined;
  spend(source, workOf(node), count(shape));
  return {
    dense: { dtype, shape, data: yield* operation.kernel(dense, { shape, dtype, attributes }) },
    standIn: isOwn || operands.some((operand) => operand?.standIn),
  };
}

/** Asked before anything is drawn or computed. */
function spend({ allowance }: Source, work: number, numbers: number): void {
  if (work > allowance.work || numbers > allowance.numbers) throw new NotComputed(`${Math.round(work)} operations`);
  allowance.work -= work;
  allowance.numbers -= numbers;
}

/** Nodes that are known in shape only may lack what their kernel is to be told. */
const hasAll = (operation: string, attributes: Node['attributes']): boolean =>
  operation !== 'strided' && operation !== 'write' ? true : attributes.strides !== undefined;

/** From the seed: small whole numbers for ids, ones for conditions, and of a matrix of weights what keeps sums at the size of one. */
function* drawn(source: Source, { dtype, attributes }: Node, shape: readonly number[]): Paced<Numbers> {
  const size = count(shape);
  spend(source, size, size);
  const round = rounding[dtype];
  const isWeight = /^(init|torch\.empty)/.test(attributes.origin ?? '') && shape.length > 1;
  const by = isWeight ? Math.sqrt(shape.at(-1) ?? 1) : 1;
  const data = new Float64Array(size);
  for (let from = 0; from < size; from += drawnAtOnce) {
    const part = data.subarray(from, from + drawnAtOnce);
    if (isFloat(dtype)) part.set(source.stream.normal(part.length).map((x) => round(x / by)));
    else part.forEach((_, i) => (part[i] = dtype === 'bool' ? 1 : (from + i) % 4));
    yield;
  }
  return { dense: { dtype, shape, data }, standIn: true };
}

/** Numbers in one part: less than a millisecond. An even number, since they are drawn in pairs. */
const drawnAtOnce = 8192;
