import { exp, tanh } from '../../math/math';
import type { CallOf, Kernels } from '../../plan/operations';
import { allocate, type Tensor } from '../../math/tensor';

/**
 * The fixed-order reference: every sum in index order, every operation rounded to the dtype. Whatever is shown as a
 * digit, hashed, exported or graded comes from here.
 */
export const referenceKernels: Kernels = {
  lookup: (call, [table, ids], shape, dtype) => lookup(call, need(table), need(ids), allocate(dtype, shape)),
  add: (_, [a, b], shape, dtype) => add(need(a), need(b), allocate(dtype, shape)),
  matmul: (call, [a, b], shape, dtype) => matmul(call, need(a), need(b), allocate(dtype, shape)),
  divide: (call, [a], shape, dtype) => divide(call, need(a), allocate(dtype, shape)),
  softcap: (call, [a], shape, dtype) => softcap(call, need(a), allocate(dtype, shape)),
  splitHeads: (call, [a], shape, dtype) => splitHeads(call, need(a), allocate(dtype, shape)),
  concatHeads: (_, [a], shape, dtype) => concatHeads(need(a), allocate(dtype, shape)),
  repeatHeads: (call, [a], shape, dtype) => repeatHeads(call, need(a), allocate(dtype, shape)),
  rope: (call, [a, rotations], shape, dtype) => rope(call, need(a), need(rotations), allocate(dtype, shape)),
  mask: (call, [a, hidden], shape, dtype) => mask(call, need(a), need(hidden), allocate(dtype, shape)),
  softmax: (call, [a], shape, dtype) => softmax(call, need(a), allocate(dtype, shape)),
  identity: (_, [a]) => need(a),
};

function need(t: Tensor | undefined): Tensor {
  if (!t) throw new Error('reference backend: an operand is missing');
  return t;
}

const rounding = (t: Tensor): ((x: number) => number) => (t.dtype === 'float32' ? Math.fround : (x) => x);

// table: v×d, ids: n×c, out: n×d
function lookup({ column }: CallOf<'lookup'>, table: Tensor, ids: Tensor, out: Tensor): Tensor {
  const [n, d] = [out.shape[0] ?? 0, table.shape[1] ?? 0];
  const columns = ids.shape[1] ?? 1;
  for (let i = 0; i < n; i++) {
    const row = ids.data[i * columns + column] as number;
    out.data.set(table.data.subarray(row * d, (row + 1) * d), i * d);
  }
  return out;
}

// b has a's shape, or its last dimensions (a row 1×d serves every row): repeated from its start
function add(a: Tensor, b: Tensor, out: Tensor): Tensor {
  const n = b.data.length;
  for (let i = 0; i < out.data.length; i++) out.data[i] = (a.data[i] as number) + (b.data[i % n] as number);
  return out;
}

// cap·tanh(x/cap), each operation rounded
function softcap({ cap }: CallOf<'softcap'>, a: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  const by = round(cap);
  for (let i = 0; i < out.data.length; i++) out.data[i] = round(tanh(round((a.data[i] as number) / by))) * by;
  return out;
}

// a: …×n×(h·d), out: …×h×n×d
function splitHeads({ heads }: CallOf<'splitHeads'>, a: Tensor, out: Tensor): Tensor {
  const [n, d] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  for (let i = 0; i < out.data.length; i++) out.data[i] = a.data[joined(i, heads, n, d)] as number;
  return out;
}

// a: …×h×n×d, out: …×n×(h·d)
function concatHeads(a: Tensor, out: Tensor): Tensor {
  const [h, n, d] = [a.shape.at(-3) ?? 1, a.shape.at(-2) ?? 0, a.shape.at(-1) ?? 0];
  for (let i = 0; i < a.data.length; i++) out.data[joined(i, h, n, d)] = a.data[i] as number;
  return out;
}

/** Where element i of …×h×n×d stands in …×n×(h·d). */
function joined(i: number, h: number, n: number, d: number): number {
  const column = i % d;
  const row = Math.floor(i / d) % n;
  const head = Math.floor(i / (d * n)) % h;
  const batch = Math.floor(i / (d * n * h));
  return ((batch * n + row) * h + head) * d + column;
}

// a: …×g×n×d, out: …×(g·times)×n×d
function repeatHeads({ times }: CallOf<'repeatHeads'>, a: Tensor, out: Tensor): Tensor {
  const size = (a.shape.at(-2) ?? 0) * (a.shape.at(-1) ?? 0);
  for (let head = 0; head * size < out.data.length; head++) {
    const from = Math.floor(head / times) * size;
    out.data.set(a.data.subarray(from, from + size), head * size);
  }
  return out;
}

// a: …×n×d; rotations: 2n×d/2, cosines in even rows, sines in odd ones
function rope({ layout }: CallOf<'rope'>, a: Tensor, rotations: Tensor, out: Tensor): Tensor {
  const [n, d] = [a.shape.at(-2) ?? 0, a.shape.at(-1) ?? 0];
  const round = rounding(a);
  for (let i = 0; i < a.data.length; i++) {
    const { partner, pair, sign } = rotationOf(layout, i % d, d);
    const row = Math.floor(i / d) % n;
    const cosine = rotations.data[2 * row * (d / 2) + pair] as number;
    const sine = rotations.data[(2 * row + 1) * (d / 2) + pair] as number;
    const other = a.data[i - (i % d) + partner] as number;
    out.data[i] = round((a.data[i] as number) * cosine) + sign * round(other * sine);
  }
  return out;
}

/** Column j of d turns with its partner: x·cos ∓ y·sin for the first of a pair, y·cos + x·sin for the second. */
export function rotationOf(
  layout: 'interleaved' | 'half',
  j: number,
  d: number,
): { partner: number; pair: number; sign: 1 | -1 } {
  if (layout === 'interleaved') return { partner: j ^ 1, pair: j >> 1, sign: j % 2 === 0 ? -1 : 1 };
  const half = d / 2;
  return j < half ? { partner: j + half, pair: j, sign: -1 } : { partner: j - half, pair: j - half, sign: 1 };
}

// a: …×n×k, b: …×k×m (or …×m×k when transposed), out: …×n×m
function matmul(call: CallOf<'matmul'>, a: Tensor, b: Tensor, out: Tensor): Tensor {
  const k = a.shape.at(-1) ?? 0;
  const n = out.shape.at(-2) ?? 0;
  const m = out.shape.at(-1) ?? 0;
  const batches = n * m === 0 ? 0 : out.data.length / (n * m);
  const sharedB = b.data.length === k * m;
  const wide = a.dtype === 'float64';
  const rowOf = call.transposeB ? (wide ? dots64 : dots32) : wide ? sums64 : sums32;
  for (let row = 0; row < batches * n; row++) {
    const bStart = sharedB ? 0 : Math.floor(row / n) * k * m;
    rowOf(a.data, row * k, b.data, bStart, out.data, row * m, k, m);
  }
  return out;
}

/** One row of a product: `k` values of a from `aStart`, `m` results from `outStart`. */
type Row = (
  a: Values,
  aStart: number,
  b: Values,
  bStart: number,
  out: Values,
  outStart: number,
  k: number,
  m: number,
) => void;
type Values = Tensor['data'];

// b: m×k, a dot product for each of its rows
const dots64: Row = (a, aStart, b, bStart, out, outStart, k, m) => {
  for (let j = 0; j < m; j++) {
    const row = bStart + j * k;
    let sum = 0;
    for (let t = 0; t < k; t++) sum += (a[aStart + t] as number) * (b[row + t] as number);
    out[outStart + j] = sum;
  }
};

// The product of two float32 is exact in float64, so fround(a·b) is the float32 product; likewise the sum. Two rows at once, since
// each sum waits for its last term; of 64-bit numbers memory is what takes the time.
const dots32: Row = (a, aStart, b, bStart, out, outStart, k, m) => {
  let j = 0;
  for (; j + 2 <= m; j += 2) {
    let [at, under] = [bStart + j * k, bStart + (j + 1) * k];
    let [sum, next] = [0, 0];
    for (let t = aStart; t < aStart + k; t++, at++, under++) {
      const x = a[t] as number;
      sum = Math.fround(sum + Math.fround(x * (b[at] as number)));
      next = Math.fround(next + Math.fround(x * (b[under] as number)));
    }
    out[outStart + j] = sum;
    out[outStart + j + 1] = next;
  }
  if (j === m) return;
  const row = bStart + j * k;
  let sum = 0;
  for (let t = 0; t < k; t++) sum = Math.fround(sum + Math.fround((a[aStart + t] as number) * (b[row + t] as number)));
  out[outStart + j] = sum;
};

// b: k×m, read row by row; each sum has its terms in index order all the same. out holds zeros.
const sums64: Row = (a, aStart, b, bStart, out, outStart, k, m) => {
  for (let t = 0; t < k; t++) {
    const [x, row] = [a[aStart + t] as number, bStart + t * m];
    for (let j = 0; j < m; j++) out[outStart + j] = (out[outStart + j] as number) + x * (b[row + j] as number);
  }
};

// Storing in out rounds the sum.
const sums32: Row = (a, aStart, b, bStart, out, outStart, k, m) => {
  for (let t = 0; t < k; t++) {
    const [x, row] = [a[aStart + t] as number, bStart + t * m];
    for (let j = 0; j < m; j++)
      out[outStart + j] = (out[outStart + j] as number) + Math.fround(x * (b[row + j] as number));
  }
};

function divide(call: CallOf<'divide'>, a: Tensor, out: Tensor): Tensor {
  const by = rounding(a)(call.by);
  for (let i = 0; i < out.data.length; i++) out.data[i] = (a.data[i] as number) / by;
  return out;
}

// a mask of one matrix serves every head and batch
function mask(call: CallOf<'mask'>, a: Tensor, hidden: Tensor, out: Tensor): Tensor {
  const n = hidden.data.length;
  for (let i = 0; i < out.data.length; i++) out.data[i] = hidden.data[i % n] === 1 ? call.fill : (a.data[i] as number);
  return out;
}

// pass 1: the row's maximum; pass 2: exp(x − max) and its sum; pass 3: divide.
function softmax({ emptyRow }: CallOf<'softmax'>, a: Tensor, out: Tensor): Tensor {
  const m = a.shape.at(-1) ?? 0;
  for (let start = 0; start < a.data.length; start += m) {
    const { max, exponentials, sum } = softmaxParts(a, start, m);
    const empty = max === -Infinity && emptyRow === 'zero';
    for (let j = 0; j < m; j++) out.data[start + j] = empty ? 0 : (exponentials[j] as number) / sum;
  }
  return out;
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
