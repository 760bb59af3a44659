import { add as addDim, formatDim, multiply, same, type Dim, type Shape } from './dims';
import type { Library } from './dtypes';
import { Raised } from './errors';

/** `(2, 3)`, as Python writes a shape. */
export const tupleText = (shape: Shape): string =>
  `(${shape.map(formatDim).join(', ')}${shape.length === 1 ? ',' : ''})`;
/** `(2,3)`, as NumPy's broadcasting writes one. */
export const compactText = (shape: Shape): string =>
  `(${shape.map(formatDim).join(',')}${shape.length === 1 ? ',' : ''})`;
export const listText = (shape: Shape): string => `[${shape.map(formatDim).join(', ')}]`;

/** One of two sizes that broadcast, or undefined where they do not. Names that may be equal are taken to be. */
function meet(a: Dim, b: Dim): Dim | undefined {
  if (a === 1) return b;
  if (b === 1) return a;
  if (same(a, b) === false) return undefined;
  return typeof a === 'number' ? a : typeof b === 'number' ? b : a;
}

export function broadcast(library: Library, shapes: readonly Shape[]): Shape {
  return shapes.reduce((a, b) => broadcastPair(library, a, b));
}

function broadcastPair(library: Library, a: Shape, b: Shape): Shape {
  const length = Math.max(a.length, b.length);
  const out = new Array<Dim>(length);
  for (let i = length - 1; i >= 0; i--) {
    const [x, y] = [a[a.length - length + i] ?? 1, b[b.length - length + i] ?? 1];
    const dim = meet(x, y);
    if (dim === undefined) throw unequalSizes(library, a, b, i, x, y);
    out[i] = dim;
  }
  return out;
}

const unequalSizes = (library: Library, a: Shape, b: Shape, i: number, x: Dim, y: Dim): Raised =>
  library === 'numpy'
    ? new Raised(
        'ValueError',
        `operands could not be broadcast together with shapes ${compactText(a)} ${compactText(b)} `,
      )
    : new Raised(
        'RuntimeError',
        `The size of tensor a (${formatDim(x)}) must match the size of tensor b (${formatDim(y)}) at non-singleton dimension ${i}`,
      );

/** `a @ b`: (…, n, k)·(…, k, m), vectors as in NumPy and PyTorch. */
export function matmulShape(library: Library, a: Shape, b: Shape): Shape {
  if (a.length === 0 || b.length === 0) throw scalarMatmul(library, a, b);
  const left: Shape = a.length === 1 ? [1, ...a] : a;
  const right: Shape = b.length === 1 ? [...b, 1] : b;
  const [k, l] = [left.at(-1) as Dim, right.at(-2) as Dim];
  if (same(k, l) === false) throw unequalMatmul(library, a, b, k, l);
  const batch = broadcast(library, [left.slice(0, -2), right.slice(0, -2)]);
  return [...batch, ...(a.length === 1 ? [] : left.slice(-2, -1)), ...(b.length === 1 ? [] : right.slice(-1))];
}

const scalarMatmul = (library: Library, a: Shape, b: Shape): Raised =>
  library === 'torch'
    ? new Raised(
        'RuntimeError',
        `both arguments to matmul need to be at least 1D, but they are ${a.length}D and ${b.length}D`,
      )
    : new Raised(
        'ValueError',
        `matmul: Input operand ${a.length === 0 ? 0 : 1} does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)`,
      );

function unequalMatmul(library: Library, a: Shape, b: Shape, k: Dim, l: Dim): Raised {
  const [x, y] = [formatDim(k), formatDim(l)];
  if (library === 'numpy')
    return new Raised(
      'ValueError',
      `matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size ${y} is different from ${x})`,
    );
  if (a.length === 1 && b.length === 1)
    return new Raised(
      'RuntimeError',
      `inconsistent tensor size, expected tensor [${x}] and src [${y}] to have the same number of elements, but got ${x} and ${y} elements respectively`,
    );
  if (b.length === 1 && a.length === 2)
    return new Raised(
      'RuntimeError',
      `size mismatch, got input (${formatDim(a[0] as Dim)}), mat (${a.map(formatDim).join('x')}), vec (${y})`,
    );
  if (b.length <= 2) {
    const rows = a.slice(0, -1).reduce<Dim>(multiply, 1);
    const text = `${formatDim(rows)}x${x} and ${[...b, ...(b.length === 1 ? [1] : [])].map(formatDim).join('x')}`;
    return new Raised('RuntimeError', `mat1 and mat2 shapes cannot be multiplied (${text})`);
  }
  const batch = broadcast(library, [a.slice(0, -2), b.slice(0, -2)]).reduce<Dim>(multiply, 1);
  const expected = listText([batch, k]);
  return new Raised(
    'RuntimeError',
    `Expected size for first two dimensions of batch2 tensor to be: ${expected} but got: ${listText([batch, l])}.`,
  );
}

/** Axis `axis` of `rank`, counted from the front. */
export function axisOf(library: Library, axis: number, rank: number): number {
  const limit = Math.max(rank, library === 'torch' ? 1 : 0);
  if (axis >= -limit && axis < limit) return axis < 0 ? axis + limit : axis;
  throw library === 'numpy'
    ? new Raised('AxisError', `axis ${axis} is out of bounds for array of dimension ${rank}`)
    : new Raised(
        'IndexError',
        `Dimension out of range (expected to be in range of [${-limit}, ${limit - 1}], but got ${axis})`,
      );
}

/** What is left of a shape when `axes` are reduced. */
export const reduced = (shape: Shape, axes: readonly number[], keepdims: boolean): Shape =>
  shape.flatMap((dim, i) => (axes.includes(i) ? (keepdims ? [1] : []) : [dim]));

export function concatShape(library: Library, shapes: readonly Shape[], axis: number): Shape {
  const [first, ...rest] = shapes as [Shape, ...Shape[]];
  const other = rest.findIndex(({ length }) => length !== first.length);
  if (other >= 0) throw unequalConcat(library, first, rest[other] as Shape, axis, 0, other + 1);
  return first.map((dim, i) => {
    if (i === axis) return rest.reduce<Dim>((sum, shape) => addDim(sum, shape[i] as Dim), dim);
    for (const [n, shape] of rest.entries()) {
      if (same(dim, shape[i] as Dim) === false) throw unequalConcat(library, first, shape, axis, i, n + 1);
    }
    return dim;
  });
}

function unequalConcat(library: Library, a: Shape, b: Shape, axis: number, i: number, n: number): Raised {
  if (a.length !== b.length)
    return library === 'torch'
      ? new Raised('RuntimeError', `Tensors must have same number of dimensions: got ${a.length} and ${b.length}`)
      : new Raised(
          'ValueError',
          `all the input array dimensions except for the concatenation axis must match exactly, but along dimension 0, the array at index 0 has ${a.length} dimension(s) and the array at index ${n} has ${b.length} dimension(s)`,
        );
  const [x, y] = [formatDim(a[i] as Dim), formatDim(b[i] as Dim)];
  return library === 'torch'
    ? new Raised(
        'RuntimeError',
        `Sizes of tensors must match except in dimension ${axis}. Expected size ${x} but got size ${y} for tensor number ${n} in the list.`,
      )
    : new Raised(
        'ValueError',
        `all the input array dimensions except for the concatenation axis must match exactly, but along dimension ${i}, the array at index 0 has size ${x} and the array at index ${n} has size ${y}`,
      );
}
