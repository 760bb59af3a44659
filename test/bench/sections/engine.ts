import { explainAttention, matrixDefaults, type AttentionSpec } from '../../../engine';
import { difference } from '../check';
import { measure, type Contender, type Measured } from '../measure';
import { peer, type Place } from '../peers';
import type { Form, Section } from './index';

export const engine: Section = {
  name: 'engine',
  words: 'attention over n tokens, d = 64, float64, all steps kept; against ml-matrix and plain loops',
  run,
};

const d = 64;

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const library = await peer<MlMatrix>(place, 'ml-matrix');
  for (const n of short ? [20, 200] : [20, 200, 512]) {
    const contenders = contendersOf(inputsOf(n), library);
    // Counts two products of n·n·d multiply-adds each, and not the softmax.
    yield measure({ name: `n = ${n}`, amount: (2 * n * n * d) / 1e9, unit: 'GFMA', inputs: 1, contenders }, effort);
  }
}

interface Matrix {
  mmul(other: Matrix): Matrix;
  transpose(): Matrix;
  div(by: number): Matrix;
  to1DArray(): number[];
  get(row: number, column: number): number;
  set(row: number, column: number, value: number): Matrix;
  readonly rows: number;
  readonly columns: number;
}
interface MlMatrix {
  readonly Matrix: new (rows: readonly (readonly number[])[]) => Matrix;
}

interface Inputs {
  readonly q: number[][];
  readonly k: number[][];
  readonly v: number[][];
}

function inputsOf(n: number): Inputs {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (4 * state) / 0x100000000 - 2;
  };
  const matrix = (): number[][] => Array.from({ length: n }, () => Array.from({ length: d }, next));
  return { q: matrix(), k: matrix(), v: matrix() };
}

function contendersOf(inputs: Inputs, { Matrix }: MlMatrix): Contender[] {
  const n = inputs.q.length;
  const spec: AttentionSpec = { ...matrixDefaults, dtype: 'float64', start: { from: 'qkv', ...inputs } };
  const matrices = { q: new Matrix(inputs.q), k: new Matrix(inputs.k), v: new Matrix(inputs.v) };
  const arrays = { q: flat(inputs.q), k: flat(inputs.k), v: flat(inputs.v) };
  const expected = loops(arrays, n);
  // Tolerance for different orders of summation: values are below 3 and sums have at most 512 terms.
  const near = (values: ArrayLike<number>): string | undefined => difference(values, expected, () => 1e-12);
  return [
    {
      name: 'ours: plan, every step, checks',
      run: () => explainAttention(spec),
      check: (result) => {
        const trace = result as ReturnType<typeof explainAttention>;
        return trace.ok ? near(trace.value.read('output').mean) : JSON.stringify(trace.problems);
      },
    },
    {
      name: 'ml-matrix',
      run: () => library(matrices, n),
      check: (result) => near((result as Matrix).to1DArray()),
    },
    { name: 'plain loops', run: () => loops(arrays, n), check: (result) => near(result as Float64Array) },
  ];
}

const flat = (rows: readonly (readonly number[])[]): Float64Array => Float64Array.from(rows.flat());

function library({ q, k, v }: { q: Matrix; k: Matrix; v: Matrix }, n: number): Matrix {
  const weights = q.mmul(k.transpose()).div(Math.sqrt(d));
  for (let i = 0; i < n; i++) {
    let most = -Infinity;
    let sum = 0;
    for (let j = 0; j < n; j++) most = Math.max(most, weights.get(i, j));
    for (let j = 0; j < n; j++) sum += Math.exp(weights.get(i, j) - most);
    for (let j = 0; j < n; j++) weights.set(i, j, Math.exp(weights.get(i, j) - most) / sum);
  }
  return weights.mmul(v);
}

/** softmax(QKᵀ/√d)·V (Vaswani et al. 2017, equation 1), written plainly on typed arrays. */
function loops({ q, k, v }: { q: Float64Array; k: Float64Array; v: Float64Array }, n: number): Float64Array {
  const weights = product(q, transposed(k, n), n, d, n);
  for (let i = 0; i < n; i++) softmax(weights.subarray(i * n, (i + 1) * n));
  return product(weights, v, n, n, d);
}

function softmax(row: Float64Array): void {
  let most = -Infinity;
  let sum = 0;
  for (let j = 0; j < row.length; j++) most = Math.max(most, (row[j] = (row[j] as number) / Math.sqrt(d)));
  for (let j = 0; j < row.length; j++) sum += row[j] = Math.exp((row[j] as number) - most);
  for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) / sum;
}

function transposed(a: Float64Array, rows: number): Float64Array {
  const out = new Float64Array(a.length);
  const columns = a.length / rows;
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j] as number;
  return out;
}

// a: n×m, b: m×p, out: n×p
function product(a: Float64Array, b: Float64Array, n: number, m: number, p: number): Float64Array {
  const out = new Float64Array(n * p);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < p; j++) {
      let sum = 0;
      for (let k = 0; k < m; k++) sum += (a[i * m + k] as number) * (b[k * p + j] as number);
      out[i * p + j] = sum;
    }
  }
  return out;
}
