import type { Paced } from '../../../text';
import { count, stridesOf, type Dense } from '../dense';
import { accumulator, rounding } from '../dtypes';
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
      for (let column = 0; column < m; column++) {
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
  const round = rounding[accumulator(dtype)];
  const out = new Float64Array(count(shape));
  const width = count(inner);
  let done = 0;
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let j = 0; j < width; j++) {
      let product = 1;
      for (let n = 0; n < operands.length; n++) {
        const place = (outerPlaces[n]?.[i] as number) + (innerPlaces[n]?.[j] as number);
        product = round(product * (operands[n]?.data[place] as number));
      }
      sum = round(sum + product);
    }
    out[i] = rounding[dtype](sum);
    done += width * operands.length + 1;
    if (done > part) {
      done = 0;
      yield;
    }
  }
  return out;
};

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
