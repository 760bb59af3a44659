import { formatShape, sizeOf, type DType, type Tensor } from '../math/tensor';

/**
 * A call of an operation: what a backend is asked to do. Operations know nothing of attention.
 * Shapes: leading dimensions (batch, head) are equal in all operands; rows and columns come last.
 */
export type OperationCall = SourceCall | BackendCall;

/** Values that come from the spec or a generator: produced by the engine itself, never by a backend. */
export type SourceCall =
  /** Values given in the spec at this path. */
  | { readonly op: 'given'; readonly path: string }
  /** Token ids, n×1; with `rows`, n×2: beside each id the row of the table that belongs to it, numbered by first appearance. */
  | { readonly op: 'tokens'; readonly rows: boolean }
  /** Standard normal draws from the spec's generator, each divided by `divideBy`. */
  | { readonly op: 'random'; readonly divideBy: number; readonly divideByLatex: string }
  /** Vaswani et al. 2017, section 3.5 (interleaved), or tensor2tensor's layout (concatenated). */
  | { readonly op: 'sinusoidal'; readonly layout: 'interleaved' | 'concatenated' }
  /** cos (row 2p) and sin (row 2p + 1) of position p times each pair's frequency: what RoPE rotates by. 2n×d/2. */
  | { readonly op: 'rotations' }
  /** −slope·|i − j| for each head, slope 2^(−8·head/h), heads from 1 (Press et al. 2022). h×n×m. */
  | { readonly op: 'alibi' }
  /** 1 where hidden: column − row > `after`, or row − column > `before`, or column ≥ `visible`. */
  | { readonly op: 'patternMask'; readonly after: number; readonly before: number; readonly visible: number }
  /** A boolean mask of the spec as 1 (hidden) and 0. */
  | { readonly op: 'givenMask'; readonly path: string; readonly hiddenIs: 0 | 1 };

/** What a backend must be able to do. Adding one here is a compile error in every backend that lacks its kernel. */
export type BackendCall =
  /** Rows of a table (v×d) picked by one column of ids (n×c) → n×d. Operands: table, ids. */
  | { readonly op: 'lookup'; readonly column: number }
  /** a + b; b has a's shape, or a's last dimensions and serves every leading one (a bias row 1×d serves every row). */
  | { readonly op: 'add' }
  /** a·b, or a·bᵀ: (…×n×k)·(…×k×m) → …×n×m, or one b for all; leading ones of b are kept. Summed in index order. */
  | { readonly op: 'matmul'; readonly transposeB: boolean }
  /** Every value divided by one number. */
  | { readonly op: 'divide'; readonly by: number }
  /** cap·tanh(x/cap). */
  | { readonly op: 'softcap'; readonly cap: number }
  /** …×n×(h·d) → …×h×n×d: columns cut into heads. */
  | { readonly op: 'splitHeads'; readonly heads: number }
  /** …×h×n×d → …×n×(h·d): heads side by side. */
  | { readonly op: 'concatHeads' }
  /** …×g×n×d → …×(g·times)×n×d, each head repeated in place (torch.repeat_interleave). */
  | { readonly op: 'repeatHeads'; readonly times: number }
  /** Pairs of columns rotated by position: (2i, 2i+1) or (i, i + d/2). Operands: values …×n×d, rotations 2n×d/2. */
  | { readonly op: 'rope'; readonly layout: 'interleaved' | 'half' }
  /** Values where the mask (second operand) is 0, `fill` where it is 1. */
  | { readonly op: 'mask'; readonly fill: number }
  /**
   * exp(x − max) / Σ exp(x − max) over each row. The optional second operand is the mask, as data, for backends
   * that need not honour infinities. A row with nothing but −inf gives NaN, as NumPy and PyTorch do, or 0 on `emptyRow: 'zero'`.
   */
  | { readonly op: 'softmax'; readonly emptyRow: 'nan' | 'zero' }
  /** The operand unchanged: a stage of the road that is switched off. */
  | { readonly op: 'identity' };

export type SourceName = SourceCall['op'];
export type OperationName = BackendCall['op'];
export type CallOf<O extends OperationCall['op']> = Extract<OperationCall, { op: O }>;

export const isSource = (call: OperationCall): call is SourceCall => !(call.op in operations);

type Shape = readonly number[];
interface Operation<C> {
  /** Shape of the result; throws when operands do not fit, since the plan has checked them. */
  readonly shape: (call: C, operands: readonly Shape[]) => Shape;
  /** Multiply-adds (or, for element-wise work, elements touched). */
  readonly work: (call: C, operands: readonly Shape[], result: Shape) => number;
}

const first = (operands: readonly Shape[]): Shape => operand(operands, 0);

function operand(operands: readonly Shape[], i: number): Shape {
  const shape = operands[i];
  if (!shape) throw new Error(`operand ${i} is missing`);
  return shape;
}

/** The first operand's shape, once the second is known to serve all of it. */
function servedShape(operands: readonly Shape[]): Shape {
  const [a, b] = [operand(operands, 0), operand(operands, 1)];
  const serves = b.length <= a.length && b.every((size, i) => size === 1 || size === a[a.length - b.length + i]);
  if (!serves) throw new Error(`shapes differ: ${formatShape(a)} and ${formatShape(b)}`);
  return a;
}

function matmulShape(call: CallOf<'matmul'>, operands: readonly Shape[]): Shape {
  const [a, b] = [operand(operands, 0), operand(operands, 1)];
  const [k, bk, m] = [a.at(-1), b.at(call.transposeB ? -1 : -2), b.at(call.transposeB ? -2 : -1)];
  const [lead, bLead] = [a.slice(0, -2), b.slice(0, -2)];
  const serves = sizeOf(bLead) === 1 || bLead.join('×') === lead.join('×');
  if (k !== bk || m === undefined || !serves) throw new Error(`matmul: ${formatShape(a)} by ${formatShape(b)}`);
  return [...(bLead.length > lead.length ? bLead : lead), a.at(-2) ?? 0, m];
}

const split = (shape: Shape, heads: number): Shape => [
  ...shape.slice(0, -2),
  heads,
  shape.at(-2) ?? 0,
  (shape.at(-1) ?? 0) / heads,
];

const join = (shape: Shape): Shape => [
  ...shape.slice(0, -3),
  shape.at(-2) ?? 0,
  (shape.at(-3) ?? 1) * (shape.at(-1) ?? 0),
];

const elements = (_: unknown, __: readonly Shape[], result: Shape): number => sizeOf(result);

/** One row an operation: its shape rule and its work. Kernels are in `backend/`, what made a cell in `cell.ts`; both are typed by this table. */
export const operations: { readonly [O in OperationName]: Operation<CallOf<O>> } = {
  lookup: {
    shape: (_, [table = [], ids = []]) => [ids[0] ?? 0, table[1] ?? 0],
    work: elements,
  },
  add: { shape: (_, operands) => servedShape(operands), work: elements },
  matmul: { shape: matmulShape, work: (_, operands, result) => sizeOf(result) * (first(operands).at(-1) ?? 0) },
  divide: { shape: (_, operands) => first(operands), work: elements },
  softcap: { shape: (_, operands) => first(operands), work: elements },
  splitHeads: { shape: ({ heads }, operands) => split(first(operands), heads), work: elements },
  concatHeads: { shape: (_, operands) => join(first(operands)), work: elements },
  repeatHeads: {
    shape: ({ times }, operands) => {
      const shape = first(operands);
      return [...shape.slice(0, -3), (shape.at(-3) ?? 1) * times, ...shape.slice(-2)];
    },
    work: elements,
  },
  rope: { shape: (_, operands) => first(operands), work: elements },
  mask: { shape: (_, operands) => servedShape(operands), work: elements },
  softmax: { shape: (_, operands) => first(operands), work: elements },
  identity: { shape: (_, operands) => first(operands), work: () => 0 },
};

/** Kernels of a synchronous backend: operands in, a new tensor of `shape` and `dtype` out. */
export type Kernels = {
  readonly [O in OperationName]: (call: CallOf<O>, operands: readonly Tensor[], shape: Shape, dtype: DType) => Tensor;
};
