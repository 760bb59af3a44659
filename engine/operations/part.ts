import type { Rectangle, DType, Tensor } from '../math';

/** A rectangle of the matrix of a step at `lead` that is wanted, and what it can be computed from: of large inputs no step is held whole. */
export interface Part {
  readonly at: Rectangle;
  /** The leading indices (batch, head). */
  readonly lead: readonly number[];
  readonly dtype: DType;
  /** Of the step. */
  readonly shape: readonly number[];
  /** How many operands there are. */
  readonly count: number;
  /** Rows and columns of an operand. */
  readonly sizesOf: (operand: number) => readonly [rows: number, columns: number];
  /**
   * A rectangle of an operand's matrix that serves the one at `lead`, as a matrix; without `at` the one that is wanted. Of an operand
   * with one row that serves every row it is that row.
   */
  readonly operand: (operand: number, at?: Rectangle, lead?: readonly number[]) => Tensor;
  /** The operation's kernel on matrices; the result has as many cells as `at`. */
  readonly run: (operands: readonly Tensor[], at?: Rectangle) => Tensor;
  /** The same on whole rows, of which the wanted columns are cut out. */
  readonly runOnRows: (operands: readonly Tensor[]) => Tensor;
  /** The wanted cells from whole rows of the step, which are kept for a while. */
  readonly fromRows: () => Tensor;
  /** The columns that the wanted rows see together, where an operand is a mask by rule. */
  readonly seen: (operand: number) => readonly [number, number] | undefined;
}

/**
 * What a rectangle of a result needs of the operands. Cell for cell it has the bits that the kernel gives for the whole step: sums have the same
 * terms in the same order.
 * - `cell by cell`: the cells in the same place; a second operand serves: a bias row every row, a mask every head.
 * - `row by row`: whole rows of every operand.
 */
export type PartRule<C> = 'cell by cell' | 'row by row' | ((call: C, part: Part) => Tensor);

/** Whole rows of an operand. */
export const rowsOf = (part: Part, operand: number, rows: Rectangle['rows'] = part.at.rows): Tensor =>
  part.operand(operand, { rows, columns: [0, part.sizesOf(operand)[1]] });

/** Of what only programs do: their steps are held whole (`programLimit`), and no part of one is ever asked for. */
export const heldWhole = (): never => {
  throw new Error('a step of a program is held whole');
};
