import type { CallOf, OperationName } from '../../plan/operations';
import type { Step } from '../../plan/plan';
import type { Token } from '../../text/token';
import type { AttentionSpec } from '../../spec/spec';

/** What a line of the program may refer to. */
export interface Line {
  readonly spec: AttentionSpec;
  readonly step: Step;
  readonly tokens: readonly Token[];
  /** The variable that the line assigns. */
  readonly name: string;
  /** Variables of the operands, in order, with the shapes they have. */
  readonly operands: readonly string[];
  readonly shapes: readonly (readonly number[])[];
}

type Expressions<C extends { op: string }> = {
  readonly [O in C['op']]: (call: Extract<C, { op: O }>, line: Line) => string;
};

/** How one library writes each operation: an expression, or whole lines where they assign `line.name` themselves. */
export type Dialect = {
  readonly name: 'NumPy' | 'PyTorch';
  /** `dtype = np.float64` */
  readonly dtype: (dtype: AttentionSpec['dtype']) => string;
  /** How many digits are printed. */
  readonly print: (digits: number) => string;
  /** An array of the dtype from nested lists. */
  readonly array: (list: string) => string;
  /** An array of truth values from an array of numbers of whatever kind. */
  readonly integers: (list: string) => string;
  /** A float64 NumPy array or PyTorch tensor, made by the generator's own library, as an array of the dtype. */
  readonly from: (values: string, library: 'numpy' | 'torch') => string;
  /** Functions of NumPy or PyTorch with the same name and meaning: `np`, `torch`. */
  readonly module: string;
  readonly operations: Expressions<{ [O in OperationName]: CallOf<O> }[OperationName]>;
};

/** `-inf` with the module that has it. */
export const fillOf = (fill: number, inf: string): string =>
  fill === -Infinity ? `-${inf}` : fill === Infinity ? inf : String(fill).replace('e+', 'e');

/** `math.sqrt(8)` where the number is the root of a whole number. */
export function numberOrRoot(by: number): string {
  const square = Math.round(by * by);
  return Math.sqrt(square) === by && !Number.isInteger(by) ? `math.sqrt(${square})` : String(by).replace('e+', 'e');
}

export const first = ({ operands }: Line): string => operands[0] ?? '';
export const second = ({ operands }: Line): string => operands[1] ?? '';

/** Operations that both libraries write alike; `exchange` is the method that exchanges two dimensions. */
export const alike = (
  exchange: string,
): Pick<Dialect['operations'], 'lookup' | 'add' | 'matmul' | 'divide' | 'splitHeads' | 'concatHeads' | 'identity'> => ({
  lookup: (call, line) => lookedUp(call, line.operands, line.shapes[1]?.[1] ?? 1),
  add: (_, line) => `${first(line)} + ${second(line)}`,
  matmul: ({ transposeB }, line) =>
    `${first(line)} @ ${second(line)}${!transposeB ? '' : rank(line.shapes[1]) === 2 ? '.T' : `.${exchange}(-2, -1)`}`,
  divide: ({ by }, line) => `${first(line)} / ${numberOrRoot(by)}`,
  splitHeads: (_, line) => `${first(line)}.reshape(${splitShape(line)}).${exchange}(-3, -2)`,
  concatHeads: (_, line) => `${first(line)}.${exchange}(-3, -2).reshape(${tuple(line.step.shape)})`,
  identity: (_, line) => first(line),
});

/** …×n×h×d, before the heads are moved in front of the rows. */
function splitShape({ step }: Line): string {
  const [h = 1, n = 1, d = 1] = step.shape.slice(-3);
  return tuple([...step.shape.slice(0, -3), n, h, d]);
}

const rank = (shape: readonly number[] | undefined): number => shape?.length ?? 0;
export const tuple = (shape: readonly number[]): string => shape.join(', ');

/** The ids, or the column of them that says which row of the table is meant. */
const lookedUp = ({ column }: CallOf<'lookup'>, [table, ids]: readonly string[], columns: number): string =>
  `${table}[${ids}${columns > 1 ? `[:, ${column}]` : ''}]`;

/** In parentheses where a method would otherwise apply to the last term alone. */
export const grouped = (values: string): string => (values.includes(' / ') ? `(${values})` : values);
