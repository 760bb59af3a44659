import type { CellExplanation, CellValue } from './explanation';
import { formatShape, type DType, type Tensor } from '../math';
import type { Expression, Symbol } from './formula';
import type { PartRule } from './part';
import type { BranchStep } from './step';

/*
 * What an operation is, said in one place: an operation without one of these parts does not compile. Operations know nothing of attention.
 * Shapes: leading dimensions (batch, head) are equal in all operands; rows and columns come last.
 */

export type Shape = readonly number[];

/** Rounds a number. `half`: to float16 or bfloat16, what code computes in several operations and so rounds in between; left out where the dtype is neither. */
export type Round = (x: number) => number;

/** Where a preview on a GPU computes it: by a kernel of its own, not at all (the operand under another name), or by the reference. */
export type OnGpu = 'kernel' | 'view' | 'reference';

/**
 * What a step's picture shows: the result alone, a product with its operands where row and column meet, a sum, a look-up, a row that becomes a
 * softmax, or the operand and then the result.
 */
export type Picture<C> = 'result' | 'product' | 'sum' | 'lookup' | 'softmax' | FromTo<C>;

export interface FromTo<C> {
  /** What stands between; `number` writes a number as the page does. */
  readonly sign: (call: C, number: (x: number) => string) => string;
  /** Whose colours both have: those of both together, or the operand's where the result has numbers far beyond them. */
  readonly colours: 'both' | 'operand';
}

export interface Operation<C, G extends OnGpu = OnGpu> {
  /** Shape of the result; throws when operands do not fit, since the plan has checked them. */
  readonly shape: (call: C, operands: readonly Shape[]) => Shape;
  /** Multiply-adds (or, for element-wise work, elements touched). */
  readonly work: (call: C, operands: readonly Shape[], result: Shape) => number;
  /** The reference: in fixed order, each operation rounded to the dtype. Whatever is shown as a digit comes from here. */
  readonly kernel: (call: C, operands: readonly Tensor[], shape: Shape, dtype: DType, half?: Round) => Tensor;
  readonly gpu: G;
  /** What a rectangle of its result is computed from, where a step is too large to be held. */
  readonly part: PartRule<C>;
  /** What made a cell. */
  readonly made: (call: C, cell: CellValue, cells: Cells) => CellExplanation;
  /** Where a cell of the first operand goes: to the same place, to another, or nowhere, where it is mixed with others. */
  readonly nextCell: 'same place' | 'mixed' | ((call: C, index: Shape, from: Shape, to: Shape) => Shape);
  readonly picture: Picture<C>;
  /** What a step of it says where its planner has nothing better to say: `S = QKᵀ`. */
  readonly formula: (call: C, result: Symbol, operands: readonly Symbol[]) => Expression;
  /** How it reads in a branch; or the words of each step that uses it stand in `plan/words/`, since it has a part of its own there. */
  readonly step: BranchStep<C> | 'by role';
  /** The operation in Python: an expression, or whole lines where they assign `line.name` themselves. */
  readonly numpy: (call: C, line: CodeLine) => string;
  readonly torch: (call: C, line: CodeLine) => string;
}

/** The operands of a step, to say what made one of its cells. */
export interface Cells {
  /** Of the step. */
  readonly shape: Shape;
  /** How many operands there are: some may be left out. */
  readonly count: number;
  readonly operandShape: (operand: number) => Shape;
  readonly read: (operand: number, index: Shape) => CellValue;
  /** Of an operand that serves more than its own shape: a bias row for every row, a mask for every head. */
  readonly served: (operand: number, index: Shape) => CellValue;
  /** A number in the dtype that a step computes in: float32 where its result is rounded further, to float16 or bfloat16. */
  readonly round: (x: number) => number;
  /** What a cell of a product, and of a softmax, is the sum of and divided by. */
  /** The same where code has several operations for one step: rounded to float16 or bfloat16 after each. */
  readonly half?: Round;
  readonly products: (transposeB: boolean, cell: CellValue) => Omit<Made<'products'>, keyof CellValue | 'kind'>;
  readonly softmax: (cell: CellValue) => Omit<Made<'softmax'>, keyof CellValue | 'kind' | 'zeroed'>;
}

export type Made<K extends CellExplanation['kind']> = Extract<CellExplanation, { readonly kind: K }>;

/** What a line of a program refers to. */
export interface CodeLine {
  /** The variable that the line assigns. */
  readonly name: string;
  /** Variables of the operands, in order, with the shapes they have. */
  readonly operands: readonly string[];
  readonly shapes: readonly Shape[];
  /** Of the result. */
  readonly shape: Shape;
  /** An expression rounded to float16 or bfloat16, where the dtype is one of them. */
  readonly half?: (code: string) => string;
}

// --- shapes -----------------------------------------------------------------------

export const firstShape = (_: unknown, operands: readonly Shape[]): Shape => shapeAt(operands, 0);

export function shapeAt(operands: readonly Shape[], i: number): Shape {
  const shape = operands[i];
  if (!shape) throw new Error(`operand ${i} is missing`);
  return shape;
}

/** The first operand's shape, once the second is known to serve all of it. */
export function servedShape(_: unknown, operands: readonly Shape[]): Shape {
  const [a, b] = [shapeAt(operands, 0), shapeAt(operands, 1)];
  const serves = b.length <= a.length && b.every((size, i) => size === 1 || size === a[a.length - b.length + i]);
  if (!serves) throw new Error(`shapes differ: ${formatShape(a)} and ${formatShape(b)}`);
  return a;
}

/** An element-wise operation touches each element once. */
export const elements = (_: unknown, __: readonly Shape[], result: Shape): number =>
  result.reduce((product, size) => product * size, 1);

// --- kernels ----------------------------------------------------------------------

export function need(t: Tensor | undefined): Tensor {
  if (!t) throw new Error('reference backend: an operand is missing');
  return t;
}

export const rounding = (t: Tensor): Round => (t.dtype === 'float32' ? Math.fround : (x) => x);

// --- code -------------------------------------------------------------------------

/** An expression that is rounded in between: see `Round`. */
export const inHalf = ({ half }: CodeLine, code: string): string => half?.(code) ?? code;
export const first = ({ operands }: CodeLine): string => operands[0] ?? '';
export const second = ({ operands }: CodeLine): string => operands[1] ?? '';
export const tuple = (shape: Shape): string => shape.join(', ');
export const rank = (shape: Shape | undefined): number => shape?.length ?? 0;

/** `-inf` with the module that has it. */
export const fillOf = (fill: number, inf: string): string =>
  fill === -Infinity ? `-${inf}` : fill === Infinity ? inf : String(fill).replace('e+', 'e');

/** `math.sqrt(8)` where the number is the root of a whole number. */
export function numberOrRoot(by: number): string {
  const square = Math.round(by * by);
  return Math.sqrt(square) === by && !Number.isInteger(by) ? `math.sqrt(${square})` : String(by).replace('e+', 'e');
}

/** From here on a number is more than arrays of float32 and Python's own numbers agree on: see below. */
const wide = 1 << 16;

/**
 * A number beside an array in NumPy. Before NumPy 2 a whole number from 65,536 on, or one beyond float32, makes float64 of an array of float32
 * (numpy.org, NEP 50); as `dtype(…)` it is rounded once, as here, and the array keeps its precision.
 */
export const numpyScalar = (x: number): string => (Math.abs(x) < wide ? numberOrRoot(x) : `dtype(${numberOrRoot(x)})`);

/** A number beside a tensor in PyTorch, which takes whole numbers below 2⁶³ only: larger ones are written as floats. */
export function torchScalar(x: number): string {
  const written = numberOrRoot(x);
  return Math.abs(x) >= wide && /^-?\d+$/.test(written) ? `${written}.0` : written;
}
