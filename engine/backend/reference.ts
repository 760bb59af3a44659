import { exp } from '../math';
import type { CallOf, Kernels } from '../operations';
import { allocate, type Tensor } from '../tensor';

/**
 * The fixed-order reference: every sum in index order, every operation rounded to the dtype. Whatever is shown as a
 * digit, hashed, exported or graded comes from here.
 */
export const referenceKernels: Kernels = {
  lookup: (_, [table, ids], shape, dtype) => lookup(need(table), need(ids), allocate(dtype, shape)),
  add: (_, [a, b], shape, dtype) => add(need(a), need(b), allocate(dtype, shape)),
  matmul: (call, [a, b], shape, dtype) => matmul(call, need(a), need(b), allocate(dtype, shape)),
  divide: (call, [a], shape, dtype) => divide(call, need(a), allocate(dtype, shape)),
  mask: (call, [a, hidden], shape, dtype) => mask(call, need(a), need(hidden), allocate(dtype, shape)),
  softmax: (_, [a], shape, dtype) => softmax(need(a), allocate(dtype, shape)),
  identity: (_, [a]) => need(a),
};

function need(t: Tensor | undefined): Tensor {
  if (!t) throw new Error('reference backend: an operand is missing');
  return t;
}

const rounding = (t: Tensor): ((x: number) => number) => (t.dtype === 'float32' ? Math.fround : (x) => x);

// table: v×d, ids: n×1, out: n×d
function lookup(table: Tensor, ids: Tensor, out: Tensor): Tensor {
  const d = table.shape[1] ?? 0;
  ids.data.forEach((id, i) => out.data.set(table.data.subarray(id * d, (id + 1) * d), i * d));
  return out;
}

function add(a: Tensor, b: Tensor, out: Tensor): Tensor {
  for (let i = 0; i < out.data.length; i++) out.data[i] = (a.data[i] as number) + (b.data[i] as number);
  return out;
}

// a: …×n×k, b: …×k×m (or …×m×k when transposed), out: …×n×m
function matmul(call: CallOf<'matmul'>, a: Tensor, b: Tensor, out: Tensor): Tensor {
  const k = a.shape.at(-1) ?? 0;
  const n = out.shape.at(-2) ?? 0;
  const m = out.shape.at(-1) ?? 0;
  const batches = n * m === 0 ? 0 : out.data.length / (n * m);
  const sharedB = b.data.length === k * m;
  const product = a.dtype === 'float32' ? dot32 : dot64;
  for (let batch = 0; batch < batches; batch++) {
    const bStart = sharedB ? 0 : batch * k * m;
    for (let i = 0; i < n; i++) {
      const aStart = (batch * n + i) * k;
      for (let j = 0; j < m; j++) {
        const bj = call.transposeB ? bStart + j * k : bStart + j;
        out.data[(batch * n + i) * m + j] = product(a.data, aStart, b.data, bj, call.transposeB ? 1 : m, k);
      }
    }
  }
  return out;
}

type Values = Tensor['data'];

function dot64(a: Values, aStart: number, b: Values, bStart: number, bStep: number, k: number): number {
  let sum = 0;
  for (let t = 0; t < k; t++) sum += (a[aStart + t] as number) * (b[bStart + t * bStep] as number);
  return sum;
}

// The product of two float32 is exact in float64, so fround(a·b) is the float32 product; likewise the sum.
function dot32(a: Values, aStart: number, b: Values, bStart: number, bStep: number, k: number): number {
  let sum = 0;
  for (let t = 0; t < k; t++) {
    const p = Math.fround((a[aStart + t] as number) * (b[bStart + t * bStep] as number));
    sum = Math.fround(sum + p);
  }
  return sum;
}

function divide(call: CallOf<'divide'>, a: Tensor, out: Tensor): Tensor {
  const by = rounding(a)(call.by);
  for (let i = 0; i < out.data.length; i++) out.data[i] = (a.data[i] as number) / by;
  return out;
}

function mask(call: CallOf<'mask'>, a: Tensor, hidden: Tensor, out: Tensor): Tensor {
  for (let i = 0; i < out.data.length; i++) out.data[i] = hidden.data[i] === 1 ? call.fill : (a.data[i] as number);
  return out;
}

// pass 1: the row's maximum; pass 2: exp(x − max) and its sum; pass 3: divide.
function softmax(a: Tensor, out: Tensor): Tensor {
  const m = a.shape.at(-1) ?? 0;
  for (let start = 0; start < a.data.length; start += m) softmaxRow(a, out, start, m);
  return out;
}

function softmaxRow(a: Tensor, out: Tensor, start: number, m: number): void {
  const { exponentials, sum } = softmaxParts(a, start, m);
  const data = out.data;
  for (let j = 0; j < m; j++) data[start + j] = (exponentials[j] as number) / sum;
}

export interface SoftmaxParts {
  /** The row's maximum; NaN when the row holds a NaN. */
  readonly max: number;
  /** exp(x − max), rounded to the dtype. */
  readonly exponentials: Float64Array;
  /** Their sum in index order, rounded to the dtype at every addition. */
  readonly sum: number;
}

/** The numbers on the way to one row of a softmax: `m` values of `a` from offset `start`. */
export function softmaxParts(a: Tensor, start: number, m: number): SoftmaxParts {
  const round = rounding(a);
  let max = -Infinity;
  for (let j = 0; j < m; j++) {
    const x = a.data[start + j] as number;
    if (x > max || Number.isNaN(x)) max = x;
    if (Number.isNaN(x)) break;
  }
  const exponentials = new Float64Array(m);
  let sum = 0;
  for (let j = 0; j < m; j++) {
    const e = round(exp(round((a.data[start + j] as number) - max)));
    exponentials[j] = e;
    sum = round(sum + e);
  }
  return { max, exponentials, sum };
}
