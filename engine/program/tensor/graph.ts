/**
 * What a program computed, as a graph: each operation on tensors is a node with its operands, attributes, shape, number type and place in
 * the text. It is purely functional: an assignment into a slice is a node too (`write`), whose result is the tensor from then on. A node's
 * values follow from its leaves, and are computed when they are looked at (`tensor/force.ts`).
 */
import type { Paced, TextRange } from '../../text';
import type { Dense } from './dense';
import type { Shape } from './dims';
import type { DType } from './dtypes';

/** Why something is not known: the first cause, where it stands. */
export interface Cause {
  readonly text: string;
  readonly range: TextRange;
}

/** What an operation is told besides its operands: plain data. */
export interface Attributes {
  readonly axis?: number;
  readonly axes?: readonly number[];
  readonly keepdims?: boolean;
  /** Of the result, where the operands do not say it. */
  readonly shape?: Shape;
  readonly starts?: readonly number[];
  readonly steps?: readonly number[];
  readonly offset?: number;
  readonly strides?: readonly number[];
  /** Which diagonal. */
  readonly k?: number;
  readonly lower?: boolean;
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
  readonly equation?: string;
  readonly eps?: number;
  readonly correction?: number;
  readonly approximate?: string;
  readonly repeats?: readonly number[];
  readonly descending?: boolean;
  /** What made a leaf: the function that drew or filled it. */
  readonly origin?: string;
  /** A leaf that is an argument which no call gives. */
  readonly standsIn?: true;
}

export interface Node {
  readonly id: number;
  readonly operation: string;
  readonly operands: readonly Node[];
  readonly attributes: Attributes;
  /** Undefined: even the number of axes is not known. */
  readonly shape: Shape | undefined;
  readonly dtype: DType;
  /** The expression, in the text that was asked about. */
  readonly range: TextRange;
  /** The calls that led there, outermost first. */
  readonly stack: readonly TextRange[];
  /** The library's function of which it is a part: `torch.nn.functional.scaled_dot_product_attention`. */
  readonly via?: string;
  /** Known in shape only, and why. */
  readonly why?: Cause;
  /** Values under an assumption: dropout that is passed by. */
  readonly assumes?: Cause;
  /** Made of what is not known, whose number type is taken to be the usual one: it is shown nowhere. */
  readonly typeOpen?: true;
  /** From a run with sizes and numbers that stand in for arguments that no call gives. */
  readonly sample?: true;
  /** Kept values; a leaf always has them, or `fill`, unless `why` says why not. */
  value?: Dense;
  /** Of a large leaf: what makes its values when they are looked at. */
  readonly fill?: () => Paced<Float64Array>;
}

export interface Graph {
  readonly nodes: Node[];
}

/** Nodes that are kept: a program without end stops long before. */
export const nodeLimit = 200_000;

/** Whether two nodes compute the same from the same, such as `np.exp(x)` written twice. */
export function sameNode(a: Node, b: Node, depth = 8): boolean {
  if (a === b) return true;
  if (depth === 0 || a.operands.length === 0 || a.operation !== b.operation || a.operands.length !== b.operands.length)
    return false;
  if (JSON.stringify(a.attributes) !== JSON.stringify(b.attributes)) return false;
  return a.operands.every((operand, i) => sameNode(operand, b.operands[i] as Node, depth - 1));
}
