import type { Paced } from '../../../text';
import { count, stridesOf, type Dense } from '../dense';
import { accumulator, rounding, type DType } from '../dtypes';
import { broadcastStrides, needed, part, walked, type Kernel } from './support';

/** (…, n, k)·(…, k, m) in index order; each product and each sum rounded to the type in which sums are added up. */
export const matmul: Kernel = function* ([a, b], { shape, dtype }) {
  const [left, right] = [matrix(needed(a, 'a'), true), matrix(needed(b, 'b'), false)];
  const [n, k, m] = [left.shape.at(-2) as number, left.shape.at(-1) as number, right.shape.at(-1) as number];
  const batch = shape.slice(0, shape.length - (a?.shape.length === 1 ? 0 : 1) - (b?.shape.length === 1 ? 0 : 1));
  const out = new Float64Array(count(shape));
  const leftStarts = yield* walked(batch, broadcastStrides(left.shape.slice(0, -2), batch));
  const rightStarts = yield* walked(batch, broadcastStrides(right.shape.slice(0, -2), batch));
  const round = rounding[dtype];
  const single = accumulator(dtype) === 'float32';
  const columns = yield* transposed(right, k, m);
  let done = 0;
  for (let i = 0; i < leftStarts.length; i++) {
    for (let row = 0; row < n; row++) {
      const x = ((leftStarts[i] as number) * n + row) * k;
      const beside = single ? m - (m % together) : 0;
      for (let column = 0; column < beside; column += together)
        dots32(
          left.data,
          x,
          columns,
          ((rightStarts[i] as number) * m + column) * k,
          k,
          out,
          (i * n + row) * m + column,
        );
      if (dtype !== 'float32') for (let at = (i * n + row) * m, end = at + beside; at < end; at++) out[at] = round(out[at] as number); // prettier-ignore
      for (let column = beside; column < m; column++) {
        const y = ((rightStarts[i] as number) * m + column) * k;
        const sum = single ? dot32(left.data, x, columns, y, k) : dot64(left.data, x, columns, y, k);
        out[(i * n + row) * m + column] = round(sum);
      }
      done += k * m;
      if (done > part * 4) {
        done = 0;
        yield;
      }
    }
  }
  return out;
};

const matrix = ({ data, shape, dtype }: Dense, isLeft: boolean): Dense => ({
  data,
  dtype,
  shape: shape.length > 1 ? shape : isLeft ? [1, ...shape] : [...shape, 1],
});

/** Each k×m matrix as m rows of k, so that a product runs along both. */
function* transposed({ data }: Dense, k: number, m: number): Paced<Float64Array> {
  const out = new Float64Array(data.length);
  let done = 0;
  for (let start = 0; start < data.length; start += k * m) {
    for (let j = 0; j < m; j++) {
      for (let l = 0; l < k; l++) out[start + j * k + l] = data[start + l * m + j] as number;
      done += k;
      if (done > part * 4) {
        done = 0;
        yield;
      }
    }
  }
  return out;
}

/** Four columns at once, which lie behind one another. */
function dots32(
  a: Float64Array,
  x: number,
  b: Float64Array,
  y: number,
  k: number,
  out: Float64Array,
  at: number,
): void {
  const round = Math.fround;
  const [y1, y2, y3] = [y + k, y + 2 * k, y + 3 * k];
  let [w0, w1, w2, w3] = [0, 0, 0, 0];
  for (let l = 0; l < k; l++) {
    const left = a[x + l] as number;
    w0 = round(w0 + round(left * (b[y + l] as number)));
    w1 = round(w1 + round(left * (b[y1 + l] as number)));
    w2 = round(w2 + round(left * (b[y2 + l] as number)));
    w3 = round(w3 + round(left * (b[y3 + l] as number)));
  }
  out[at] = w0;
  out[at + 1] = w1;
  out[at + 2] = w2;
  out[at + 3] = w3;
}

function dot32(a: Float64Array, x: number, b: Float64Array, y: number, k: number): number {
  let sum = 0;
  for (let l = 0; l < k; l++) sum = Math.fround(sum + Math.fround((a[x + l] as number) * (b[y + l] as number)));
  return sum;
}

function dot64(a: Float64Array, x: number, b: Float64Array, y: number, k: number): number {
  let sum = 0;
  for (let l = 0; l < k; l++) sum += (a[x + l] as number) * (b[y + l] as number);
  return sum;
}

/** An einsum over letters: `bhid,bhjd->bhij`, ellipses already named. The letters that are summed over run in order of appearance. */
export const einsum: Kernel = function* (operands, { attributes, shape, dtype }) {
  const [inputs, output] = lettersOf(needed(attributes.equation, 'equation'));
  const sizes = new Map<string, number>();
  operands.forEach((operand, n) =>
    operand.shape.forEach((dim, i) => {
      const letter = inputs[n]?.[i] as string;
      sizes.set(letter, Math.max(dim, sizes.get(letter) ?? 1));
    }),
  );
  const summed = [...sizes.keys()].filter((letter) => !output.includes(letter));
  const inner = summed.map((letter) => sizes.get(letter) as number);
  const outerPlaces: Int32Array[] = [];
  const innerPlaces: Int32Array[] = [];
  for (const [n, operand] of operands.entries()) {
    const strideOf = (letter: string): number => strideAlong(operand, inputs[n] ?? '', letter);
    outerPlaces.push(yield* walked(shape, [...output].map(strideOf)));
    innerPlaces.push(yield* walked(inner, summed.map(strideOf)));
  }
  const round = rounding[dtype];
  const out = new Float64Array(count(shape));
  const width = count(inner);
  const sums = sumsOfProducts(operands, outerPlaces, innerPlaces, accumulator(dtype), out);
  for (let [i, done] = [0, 0]; i < out.length; i += together) {
    sums(i, width);
    for (let j = i; j < i + together && j < out.length; j++) out[j] = round(out[j] as number);
    done += together * (width * operands.length + 1);
    if (done > part) {
      done = 0;
      yield;
    }
  }
  return out;
};

type Places = readonly Int32Array[];

/** Sums that are added up side by side: each waits for its last addition, which takes several times as long as to begin another. */
const together = 4;

/** Makes `together` numbers of the result, from the i-th on. Two operands, which is nearly every einsum, have loops of their own. */
function sumsOfProducts(
  operands: readonly Dense[],
  outer: Places,
  inner: Places,
  type: DType,
  out: Float64Array,
): (i: number, width: number) => void {
  const round = rounding[type];
  const [a, b, ...more] = operands.map(({ data }) => data);
  const [[p, q], [s, t]] = [outer, inner];
  const one = (i: number, width: number): void => {
    let sum = 0;
    for (let j = 0; j < width; j++) {
      let product = 1;
      for (let n = 0; n < operands.length; n++) {
        const place = (outer[n]?.[i] as number) + (inner[n]?.[j] as number);
        product = round(product * (operands[n]?.data[place] as number));
      }
      sum = round(sum + product);
    }
    out[i] = sum;
  };
  const each = (i: number, width: number): void => {
    for (let j = i; j < i + together && j < out.length; j++) one(j, width);
  };
  if (!a || !b || !p || !q || !s || !t || more.length > 0 || type !== 'float32') return each;
  return (i, width) => (i + together > out.length ? each(i, width) : four32([a, p, s], [b, q, t], out, i, width));
}

type Placed = readonly [data: Float64Array, outer: Int32Array, inner: Int32Array];

/** Four sums of float32, each in its own order. */
function four32([a, p, s]: Placed, [b, q, t]: Placed, out: Float64Array, i: number, width: number): void {
  const round = Math.fround;
  const [x0, x1, x2, x3] = [p[i] as number, p[i + 1] as number, p[i + 2] as number, p[i + 3] as number];
  const [y0, y1, y2, y3] = [q[i] as number, q[i + 1] as number, q[i + 2] as number, q[i + 3] as number];
  let [w0, w1, w2, w3] = [0, 0, 0, 0];
  for (let j = 0; j < width; j++) {
    const [x, y] = [s[j] as number, t[j] as number];
    w0 = round(w0 + round(round(a[x0 + x] as number) * (b[y0 + y] as number)));
    w1 = round(w1 + round(round(a[x1 + x] as number) * (b[y1 + y] as number)));
    w2 = round(w2 + round(round(a[x2 + x] as number) * (b[y2 + y] as number)));
    w3 = round(w3 + round(round(a[x3 + x] as number) * (b[y3 + y] as number)));
  }
  out[i] = w0;
  out[i + 1] = w1;
  out[i + 2] = w2;
  out[i + 3] = w3;
}

export function lettersOf(equation: string): readonly [readonly string[], string] {
  const [left = '', output = ''] = equation.split('->');
  return [left.split(','), output];
}

/** A letter that stands twice in one operand runs along its diagonal. */
function strideAlong({ shape }: Dense, letters: string, letter: string): number {
  const strides = stridesOf(shape);
  let sum = 0;
  [...letters].forEach((l, i) => {
    if (l === letter && shape[i] !== 1) sum += strides[i] as number;
  });
  return sum;
}
