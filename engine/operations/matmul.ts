import { allocate, formatShape, sizeOf, type Tensor } from '../math';
import { formula, part, product as productOf } from './formula';
import { first, need, rank, second, shapeAt, type CodeLine, type Operation, type Shape } from './operation';

/** a·b, or a·bᵀ: (…×n×k)·(…×k×m) → …×n×m, or one b for all; leading ones of b are kept. Summed in index order. */
export interface MatMul {
  readonly op: 'matmul';
  readonly transposeB: boolean;
}

function shapeOf(call: MatMul, operands: readonly Shape[]): Shape {
  const [a, b] = [shapeAt(operands, 0), shapeAt(operands, 1)];
  const [k, bk, m] = [a.at(-1), b.at(call.transposeB ? -1 : -2), b.at(call.transposeB ? -2 : -1)];
  const [lead, bLead] = [a.slice(0, -2), b.slice(0, -2)];
  const serves = sizeOf(bLead) === 1 || bLead.join('×') === lead.join('×');
  if (k !== bk || m === undefined || !serves) throw new Error(`matmul: ${formatShape(a)} by ${formatShape(b)}`);
  return [...(bLead.length > lead.length ? bLead : lead), a.at(-2) ?? 0, m];
}

/** `exchange` is the method that exchanges two dimensions. */
const product =
  (exchange: string) =>
  ({ transposeB }: MatMul, line: CodeLine): string => {
    const turned = !transposeB ? '' : rank(line.shapes[1]) === 2 ? '.T' : `.${exchange}(-2, -1)`;
    return `${first(line)} @ ${second(line)}${turned}`;
  };

// a: …×n×k, b: …×k×m (or …×m×k when transposed), out: …×n×m
function kernel(call: MatMul, a: Tensor, b: Tensor, out: Tensor): Tensor {
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

export const matmul: Operation<MatMul, 'kernel'> = {
  shape: shapeOf,
  work: (_, operands, result) => sizeOf(result) * (shapeAt(operands, 0).at(-1) ?? 0),
  kernel: (call, [a, b], shape, dtype) => kernel(call, need(a), need(b), allocate(dtype, shape)),
  // a: rows × all k; b: all k × columns, or columns × all k when transposed
  gpu: 'kernel',
  part: ({ transposeB }, part) => {
    const { rows, columns } = part.at;
    const all = [0, part.sizesOf(0)[1]] as const;
    const b = transposeB ? { rows: columns, columns: all } : { rows: all, columns };
    return part.run([part.operand(0, { rows, columns: all }), part.operand(1, b)]);
  },
  made: ({ transposeB }, cell, cells) => ({ ...cell, kind: 'products', ...cells.products(transposeB, cell) }),
  nextCell: 'mixed',
  picture: 'product',
  formula: ({ transposeB }, result, [a, b]) => formula`${result} = ${productOf(part(a), part(b), transposeB)}`,
  step: 'by role',
  numpy: product('swapaxes'),
  torch: product('transpose'),
};
