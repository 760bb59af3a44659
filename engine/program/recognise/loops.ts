/**
 * Products that a program makes one number at a time: `scores[i, j] = torch.dot(x_i, x_j)` in a loop over tokens, and `context += weights[i] * x_i`.
 * Each is one product of matrices; that the numbers are the same is checked where its step is made.
 */
import type { Node } from '../tensor';
import { isLeaf, passes, throughMoves } from './flow';

export interface LoopProduct {
  /** Rows of queries, n×d, or one query, d. */
  readonly left: Node;
  /** Rows of keys, m×d; of a sum the rows that are added, m×d. */
  readonly right: Node;
}

/** Most cells of a tensor that a loop may write for it to be read as a product. */
const mostCells = 4096;

/** The rows whose products a loop has written into every cell of a tensor of one or two axes. */
export function loopProduct(node: Node): LoopProduct | undefined {
  const shape = sizesOf(node);
  if (node.operation !== 'write' || !shape || shape.length > 2 || shape.length === 0) return undefined;
  const cells = cellsOf(node, product(shape));
  if (!cells) return undefined;
  return shape.length === 1 ? ofOneQuery(cells) : ofQueries(cells, shape[1] as number);
}

type Pair = readonly [Node, Node];

/** The two vectors of each cell, in row-major order; undefined where a cell has none. */
function cellsOf(last: Node, size: number): readonly Pair[] | undefined {
  const cells = new Array<Pair | undefined>(size);
  let [at, missing]: [Node | undefined, number] = [last, size];
  for (let writes = 0; at?.operation === 'write' && writes < mostCells && missing > 0; writes++) {
    const write: Node = at;
    const [before, value] = write.operands;
    const { offset, shape } = write.attributes;
    const pair = value && vectorsOf(value);
    if (!pair || shape?.length !== 0 || offset === undefined || offset >= size) return undefined;
    if (!cells[offset]) missing--;
    cells[offset] ??= pair;
    at = before;
  }
  return missing === 0 ? (cells as Pair[]) : undefined;
}

/** The two vectors of a dot product. */
function vectorsOf(value: Node): Pair | undefined {
  const { operation, operands } = throughCasts(value);
  const [a, b] = operands;
  return operation === 'matmul' && a?.shape?.length === 1 && b?.shape?.length === 1 ? [a, b] : undefined;
}

/** The two readings of a list of pairs: the query is first in each, or second. */
const bothWays = (pairs: readonly Pair[]): readonly (readonly Pair[])[] => [
  pairs,
  pairs.map(([a, b]) => [b, a] as const),
];

/** The result for the first of the two readings that has one. */
function eitherWay<Found>(
  pairs: readonly Pair[],
  fit: (pairs: readonly Pair[]) => Found | undefined,
): Found | undefined {
  for (const way of bothWays(pairs)) {
    const found = fit(way);
    if (found !== undefined) return found;
  }
  return undefined;
}

const ofQueries = (cells: readonly Pair[], width: number): LoopProduct | undefined =>
  eitherWay(cells, (pairs) => {
    const rows = pairs.map(([q, k]) => [rowOf(q), rowOf(k)] as const);
    const [query, key] = [rows[0]?.[0]?.of, rows[0]?.[1]?.of];
    const fits = rows.every(
      ([q, k], at) =>
        q && k && q.of === query && k.of === key && q.row === Math.floor(at / width) && k.row === at % width,
    );
    const isWhole = query && key && rowsOf(query) * width === pairs.length && rowsOf(key) === width;
    return fits && isWhole ? { left: query, right: key } : undefined;
  });

const ofOneQuery = (cells: readonly Pair[]): LoopProduct | undefined =>
  eitherWay(cells, (pairs) => {
    const [query, first] = pairs[0] ?? [];
    const key = first && rowOf(first)?.of;
    const fits = pairs.every(([q, k], at) => {
      const row = rowOf(k);
      return query && isSameVector(q, query) && row && row.of === key && row.row === at;
    });
    return fits && query && key && rowsOf(key) === pairs.length ? { left: query, right: key } : undefined;
  });

/** The terms of `0 + t_1 + t_2 + …`, in order; undefined if a term cannot be read, or the sum does not begin with zero. */
function termsOf<Term>(node: Node, most: number, read: (term: Node) => Term | undefined): readonly Term[] | undefined {
  const terms: Term[] = [];
  let at = node;
  while (at.operation === 'add' && terms.length <= most) {
    const [before, term] = at.operands;
    const found = term?.operation === 'multiply' ? read(term) : undefined;
    if (!before || found === undefined) return undefined;
    terms.push(found);
    at = before;
  }
  return terms.length >= 2 && isZero(at) ? terms.reverse() : undefined;
}

/** The weights and the rows of a sum that a loop adds up, each row times its weight, in the order of rows. */
export function loopSum(node: Node): LoopProduct | undefined {
  const terms = termsOf(node, mostCells, weighted);
  const [first] = terms ?? [];
  if (!terms || !first) return undefined;
  const [left, right] = [elementOf(first[0])?.of, rowOf(first[1])?.of];
  const fits = terms.every(([weight, row], i) => {
    const [w, r] = [elementOf(weight), rowOf(row)];
    return w && r && w.of === left && r.of === right && w.row === i && r.row === i;
  });
  const complete = left && right && rowsOf(right) === terms.length && product(sizesOf(left) ?? []) === terms.length;
  return fits && complete ? { left, right } : undefined;
}

/** A number times a vector, in either order. */
function weighted({ operands: [a, b] }: Node): Pair | undefined {
  if (a?.shape?.length === 0 && b?.shape?.length === 1) return [a, b];
  return b?.shape?.length === 0 && a?.shape?.length === 1 ? [b, a] : undefined;
}

const isZero = (node: Node): boolean =>
  isLeaf(node) && (/zeros/.test(node.attributes.origin ?? '') || (node.value?.data.every((x) => x === 0) ?? false));

interface Row {
  readonly of: Node;
  readonly row: number;
}

/** `x[i]` of a matrix. */
function rowOf(vector: Node): Row | undefined {
  const slice = throughReshapes(vector);
  const [of] = slice.operands;
  const from = of && sizesOf(of);
  const { starts, shape } = slice.attributes;
  if (slice.operation !== 'slice' || !of || from?.length !== 2 || !starts || !shape) return undefined;
  return shape[0] === 1 && starts[1] === 0 && shape[1] === from[1] ? { of, row: starts[0] as number } : undefined;
}

/** `w[i]` of a vector. */
function elementOf(scalar: Node): Row | undefined {
  const slice = throughReshapes(scalar);
  const [of] = slice.operands;
  const { starts, shape } = slice.attributes;
  const fits = slice.operation === 'slice' && of?.shape?.length === 1 && starts?.length === 1 && shape?.[0] === 1;
  return fits && of ? { of, row: starts[0] as number } : undefined;
}

function throughReshapes(node: Node): Node {
  let at = node;
  while ((at.operation === 'reshape' || at.operation === 'cast') && at.operands[0]) at = at.operands[0];
  return at;
}

function throughCasts(node: Node): Node {
  let at = node;
  while (passes(at) && at.operation !== 'slice' && at.operands[0]) at = at.operands[0];
  return at;
}

/** Whether two nodes are the same row of the same matrix: `inputs[1]` is a new node in each turn of a loop. */
function isSameVector(a: Node, b: Node): boolean {
  if (a === b) return true;
  const [one, other] = [rowOf(a), rowOf(b)];
  return one && other ? one.of === other.of && one.row === other.row : throughMoves(a) === b;
}

const sizesOf = ({ shape }: Node): readonly number[] | undefined =>
  shape?.every((dim) => typeof dim === 'number') ? (shape as readonly number[]) : undefined;

const rowsOf = (node: Node): number => sizesOf(node)?.[0] ?? 0;

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

/** One query with a list of keys, or weights with a list of values. The vectors of the list are separate tensors, not rows of one matrix. */
export interface ListProduct {
  /** The query, or the weights of a sum. */
  readonly left: Node;
  readonly rows: readonly Node[];
  /** What computes the first number. */
  readonly first: Node;
}

/** Most vectors of a list that are shown one by one. */
const mostListed = 64;

/** `[np.dot(key.T, query) for key in keys]`, as an array. */
export function listProduct(node: Node): ListProduct | undefined {
  if (node.operation !== 'concat' || node.operands.length < 2 || node.operands.length > mostListed) return undefined;
  const pairs = node.operands.flatMap((one) => [factorsOfScalar(one)].flatMap((pair) => (pair ? [pair] : [])));
  if (pairs.length !== node.operands.length) return undefined;
  const first = throughReshapes(node.operands[0] as Node);
  return eitherWay(pairs, (all) => {
    const left = (all[0] as Pair)[0];
    const rows = all.map(([, row]) => row);
    const fits = all.every(([query]) => isSameVector(query, left)) && new Set(rows).size === rows.length;
    return fits ? { left, rows, first } : undefined;
  });
}

/** The two vectors whose dot product is this number; each may be a row or a column. */
function factorsOfScalar(node: Node): Pair | undefined {
  if (product(sizesOf(node) ?? [0]) !== 1) return undefined;
  const { operation, operands } = throughReshapes(node);
  const [a, b] = operands.map(vectorBehind);
  return operation === 'matmul' && a && b ? [a, b] : undefined;
}

/** The vector before it was transposed or got an axis of size 1; undefined if it is no vector. */
function vectorBehind(node: Node): Node | undefined {
  const size = product(sizesOf(node) ?? []);
  const isVector = (of: Node): boolean => size > 1 && (sizesOf(of)?.filter((one) => one !== 1).length ?? 0) === 1;
  let at = node;
  while (['reshape', 'permute', 'cast'].includes(at.operation) && at.operands[0] && isVector(at.operands[0])) at = at.operands[0]; // prettier-ignore
  return isVector(at) ? at : undefined;
}

/** `sum(weights[i] * values[i] for i in range(n))`. */
export function listSum(node: Node): ListProduct | undefined {
  const terms = termsOf(node, mostListed, weightedListed);
  const left = terms?.[0]?.weight.of;
  if (!terms || !left) return undefined;
  const fits = terms.every(({ weight: { of, row } }, i) => of === left && row === i);
  const isComplete = sizesOf(left)?.join() === String(terms.length);
  return fits && isComplete ? { left, rows: terms.map(({ row }) => row), first: node } : undefined;
}

/** An element of the weights times a vector that is a tensor of its own, in either order. */
function weightedListed({ operands: [a, b] }: Node): { readonly weight: Row; readonly row: Node } | undefined {
  if (!a || !b) return undefined;
  const ofFirst = elementOf(a);
  const weight = ofFirst ?? elementOf(b);
  const row = vectorBehind(ofFirst ? b : a);
  return weight && row ? { weight, row } : undefined;
}
