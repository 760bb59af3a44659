/** Where PyTorch keeps a tensor's numbers in memory: what `view` can share, and whether that is known at all. */
import {
  Raised,
  arithmetic,
  comparing,
  floating,
  isKnownShape,
  type Node,
  sameType,
  stridesOf,
  testing,
} from '../tensor';
import type { Root, TensorValue } from './values';

/**
 * Whether a storage lies row by row, for certain. An elementwise result keeps the order of a transposed operand, and what libraries compute inside
 * (`scaled_dot_product_attention`, `einsum`), what a caller passes and what is cloned may lie in any order: nothing is known of these.
 */
export const isPlain = ({ inOrder, node }: Root): boolean => inOrder === true || liesPlain(node, { left: 256 });

const cellwise: ReadonlySet<string> = new Set([
  ...[arithmetic, comparing, floating, sameType, testing].flatMap((of) => Object.keys(of)),
  'cast', 'divide', 'where', 'softmax', 'log_softmax', 'concat', 'sum', 'mean', 'max', 'min', 'tril', 'triu', 'reshape', 'expand',
]); // prettier-ignore

function liesPlain({ operation, operands, attributes, range, via, shape }: Node, budget: { left: number }): boolean {
  if (budget.left-- <= 0) return false;
  if (operands.length === 0)
    return attributes.standsIn !== true && (operation === 'constant' || operation === 'draw' || /^(?:torch|init)\./.test(attributes.origin ?? '')); // prettier-ignore
  // What is written into a storage lies as it lay.
  if (operation === 'write') return operands[0] !== undefined && liesPlain(operands[0], budget);
  if (operation === 'matmul') {
    const [a = 0, b = 0] = operands.map((operand) => operand.shape?.length);
    const isInside = operands.some((of) => of.via !== via && of.range.start === range.start && of.range.end === range.end); // prettier-ignore
    // PyTorch turns a matrix times a batch around.
    return !isInside && Math.min(a, b) > 1 && (a > 2 || b === 2) && shape !== undefined;
  }
  return cellwise.has(operation) && operands.every((of) => (of.shape?.length ?? 2) < 2 || liesPlain(of, budget));
}

/** Strides with which the same storage has another shape, or undefined where it must be copied (NumPy's `_attempt_nocopy_reshape`). */
export function stridesFor(
  from: readonly number[],
  strides: readonly number[],
  to: readonly number[],
): number[] | undefined {
  if (from.includes(0)) return stridesOf(to);
  const axes = from.flatMap((dim, i) => (dim === 1 ? [] : [{ dim, stride: strides[i] as number }]));
  const out = new Array<number>(to.length).fill(1);
  let [old, next] = [0, 0];
  while (next < to.length) {
    if (to[next] === 1) {
      next++;
      continue;
    }
    // The fewest axes on both sides with the same number of elements.
    let [oldEnd, nextEnd] = [old + 1, next + 1];
    let [oldCount, nextCount] = [axes[old]?.dim ?? 1, to[next] as number];
    while (oldCount !== nextCount) {
      if (oldCount < nextCount) oldCount *= axes[oldEnd++]?.dim ?? NaN;
      else nextCount *= to[nextEnd++] ?? NaN;
      if (Number.isNaN(oldCount) || Number.isNaN(nextCount)) return undefined;
    }
    for (let i = old; i < oldEnd - 1; i++)
      if (axes[i]?.stride !== (axes[i + 1]?.stride ?? 0) * (axes[i + 1]?.dim ?? 0)) return undefined;
    let stride = axes[oldEnd - 1]?.stride ?? 1;
    for (let i = nextEnd - 1; i >= next; i--) {
      out[i] = stride;
      stride *= to[i] as number;
    }
    [old, next] = [oldEnd, nextEnd];
  }
  return out;
}

/** PyTorch refuses to write over a part of what it reads. */
export function refuseOverlap(target: TensorValue, other: TensorValue): void {
  if (target.library !== 'torch' || target.root !== other.root) return;
  const [a, b] = [extentOf(target), extentOf(other)];
  if (!a || !b || a[0] >= b[1] || b[0] >= a[1]) return;
  if (a[0] === b[0] && a[1] === b[1] && String(target.strides) === String(other.strides)) return;
  throw new Raised('RuntimeError', 'unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.'); // prettier-ignore
}

/** Where a tensor without gaps begins and ends in its storage. */
function extentOf({ offset, strides, node: { shape } }: TensorValue): readonly [number, number] | undefined {
  if (!strides || !shape || !isKnownShape(shape)) return undefined;
  const axes = strides.map((stride, i) => [stride, shape[i] ?? 1] as const).filter(([, size]) => size !== 1);
  let cells = 1;
  for (const [stride, size] of axes.sort(([a], [b]) => a - b)) {
    if (stride !== cells) return undefined;
    cells *= size;
  }
  return cells === 0 ? undefined : [offset, offset + cells];
}
