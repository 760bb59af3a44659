/**
 * The operations that a graph is made of, each with its shape rule and its kernel. What Python calls (`engine/program/libraries/`) comes to
 * these; the function of the same name in NumPy or PyTorch says what each does.
 */
import type { Attributes } from './graph';
import { count } from './dense';
import type { Dim, Shape } from './dims';
import { isFloat, rounding, type Library } from './dtypes';
import { arithmetic, comparing, divide, floating, sameType, testing, type Binary, type Unary } from './elementwise';
import * as moves from './kernels/moves';
import * as products from './kernels/products';
import { filled, mapRows, needed, reduce, reductions, rowMaps, sorted, spread, type Kernel } from './kernels';
import { broadcast, concatShape, matmulShape, reduced } from './shapes';

export interface Operation {
  /** The result's shape, or Python's refusal (`Raised`). */
  readonly shape: (shapes: readonly Shape[], attributes: Attributes, library: Library) => Shape;
  readonly kernel: Kernel;
  /** Multiply-adds and the like for each element of the result, about. */
  readonly cost?: (shapes: readonly Shape[]) => Dim;
  /** Moves cells and computes nothing. */
  readonly moves?: boolean;
}

const own = (shapes: readonly Shape[]): Shape => needed(shapes[0], 'an operand');
const told = (_: readonly Shape[], { shape }: Attributes): Shape => needed(shape, 'shape');
const together = (shapes: readonly Shape[], _: Attributes, library: Library): Shape => broadcast(library, shapes);

const unary = (f: Unary, cost = 8): Operation => ({
  shape: own,
  kernel: ([operand], { shape, dtype, attributes }) => {
    const { data } = needed(operand, 'an operand');
    const round = isFloat(dtype) ? rounding[dtype] : (x: number): number => x;
    return filled(count(shape), dtype, (i) => f(data[i] as number, attributes, round), cost);
  },
});

const divisions = new Set<Binary>([arithmetic.floor_divide, arithmetic.remainder]);

const binary = (f: Binary, cost = 2): Operation => ({
  shape: together,
  kernel: function* ([a, b], { shape, dtype }) {
    const [x, y] = [yield* spread(needed(a, 'a'), shape), yield* spread(needed(b, 'b'), shape)];
    // NumPy's whole numbers divided by 0 are 0; PyTorch refused before.
    const whole = divisions.has(f) && !isFloat(dtype);
    const of: Binary = whole ? (p, q) => (q === 0 ? 0 : f(p, q)) : f;
    return yield* filled(x.length, dtype, (i) => of(x[i] as number, y[i] as number), cost);
  },
});

const where: Operation = {
  shape: together,
  kernel: function* ([condition, a, b], { shape, dtype }) {
    const test = yield* spread(needed(condition, 'a condition'), shape);
    const [x, y] = [yield* spread(needed(a, 'a'), shape), yield* spread(needed(b, 'b'), shape)];
    return yield* filled(test.length, dtype, (i) => (test[i] !== 0 ? x[i] : y[i]) as number);
  },
};

const move = (kernel: Kernel, shape: Operation['shape'] = told): Operation => ({ shape, kernel, moves: true });

const reduction = (of: (typeof reductions)[keyof typeof reductions]): Operation => ({
  shape: (shapes, { axes, keepdims }) => reduced(own(shapes), needed(axes, 'axes'), keepdims ?? false),
  kernel: reduce(of),
});

const all = <T, K extends string>(table: Readonly<Record<K, T>>, make: (of: T) => Operation): Record<K, Operation> =>
  Object.fromEntries(Object.entries(table).map(([name, of]) => [name, make(of as T)])) as Record<K, Operation>;

export const operations = {
  ...all(sameType, (f: Unary) => unary(f, 2)),
  ...all(floating, (f: Unary) => unary(f)),
  ...all(testing, (f: Unary) => unary(f, 2)),
  ...all(arithmetic, (f: Binary) => binary(f)),
  ...all(comparing, (f: Binary) => binary(f)),
  divide: binary(divide),
  where,
  ...all(reductions, reduction),
  ...all(rowMaps, (make: (typeof rowMaps)[keyof typeof rowMaps]): Operation => ({ shape: own, kernel: mapRows(make) })),
  matmul: {
    shape: ([a, b], _, library) => matmulShape(library, a ?? [], b ?? []),
    kernel: products.matmul,
    cost: ([a]) => a?.at(-1) ?? 1,
  } as Operation,
  einsum: { shape: told, kernel: products.einsum } as Operation,
  sort: { shape: told, kernel: sorted(false) } as Operation,
  argsort: { shape: told, kernel: sorted(true) } as Operation,
  cast: { shape: own, kernel: moves.cast } as Operation,
  permute: move(moves.permute, (shapes, { axes }) => needed(axes, 'axes').map((axis) => own(shapes)[axis] as Dim)),
  reshape: move(moves.reshape),
  expand: move(moves.expand),
  slice: move(moves.slice),
  strided: move(moves.strided),
  write: move(moves.write, own),
  concat: move(moves.concat, (shapes, { axis }, library) => concatShape(library, shapes, needed(axis, 'axis'))),
  tril: move(moves.tril, own),
  triu: move(moves.triu, own),
  diagonal: move(moves.diagonal),
  diagonal_matrix: move(moves.diagonalMatrix),
  flip: move(moves.flip, own),
  roll: move(moves.roll, own),
  tile: move(moves.tile),
  repeat_interleave: move(moves.repeatInterleave),
  pad: move(moves.pad),
  pick: move(moves.pick),
  put: move(moves.put, own),
  gather: move(moves.gather, (shapes) => needed(shapes[1], 'an index')),
  scatter: move(moves.scatter, own),
  nonzero: move(moves.nonzero),
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** One element of the result for each of the operands. */
export const isElementwise = (operation: string): boolean =>
  operation === 'divide' ||
  operation === 'where' ||
  [sameType, floating, testing, arithmetic, comparing].some((table) => Object.hasOwn(table, operation));
