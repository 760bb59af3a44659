import { sizeOf } from '../../../../math';
import {
  indices,
  floatBits,
  gridParameters,
  groupIndex,
  saturate,
  uint32s,
  type Kernel,
  type Launch,
  type Target,
} from '../kernel';
import { masked, plain, productHeader, scaled, type Then } from './matmul-result';
import { tiledGroups, tiledShader } from './matmul-tiled';

type Shape = readonly number[];

/** Rows and columns of the result that one thread computes. */
const tile = 8;
const threads = 64;

const each = (write: (i: number) => string, count = tile): string => indices(count).map(write).join('');

/**
 * a·b or a·bᵀ. a: batches×n×k; b: batches×k×m (or batches×m×k when transposed), or one matrix for all batches; out: batches×n×m.
 *
 * A thread holds 8×8 sums in registers and reads its operands straight from storage, four along k at a time: 64 multiply-adds
 * for 16 values. No workgroup memory and no barrier: on SwiftShader 16×16 threads with tiles of 64×16 in workgroup memory took
 * three to eight times as long. Beyond the edges the last row or column is read again and nothing is written.
 * Rows that are whole vec4 are read as such; other sizes are read value by value. A graphics card has a shader of its own (`matmul-tiled.ts`). In
 * both every sum runs in index order, as the reference's does; only fused multiply-adds can make a difference.
 *
 * Bounds: each operand < 2³² values. Error ≤ k·ε·Σ|aᵢbᵢ| against the reference in float32.
 * A row of a with a NaN gives a row of NaN, told by its bits, since WGSL need not honour NaN in arithmetic: fully masked
 * rows of weights are NaN. (b holds none: sources are finite.)
 */
export const matmul: Kernel<'matmul'> = {
  shader: ({ transposeB }, [a = []], shape, { tiled }) => {
    if (tiled)
      return { name: `matmul${transposeB ? ', b transposed' : ''}, tiled`, code: tiledShader(transposeB, plain) };
    const [k, m] = [a.at(-1) ?? 0, shape.at(-1) ?? 0];
    const whole = k % 4 === 0 && (transposeB || m % 4 === 0);
    const name = `matmul${transposeB ? ', b transposed' : ''}${whole ? ', vec4' : ''}`;
    return { name, code: shaderOf({ transposeB, whole, then: plain }) };
  },
  reads: [0, 1],
  dispatch: (_, [a = [], b = []], shape, { tiled }) => ({
    params: uint32s(...sizesOf(a, b, shape)),
    groups: tiled ? tiledGroups(shape) : groupsOf(shape),
  }),
};

const sizesOf = (a: Shape, b: Shape, shape: Shape): readonly number[] => {
  const [n, m, k] = [shape.at(-2) ?? 0, shape.at(-1) ?? 0, a.at(-1) ?? 0];
  return [sizeOf(shape.slice(0, -2)), n, m, k, sizeOf(b) === k * m ? 0 : k * m];
};

function groupsOf(shape: Shape): number {
  const [n, m] = [shape.at(-2) ?? 0, shape.at(-1) ?? 0];
  return Math.ceil((sizeOf(shape.slice(0, -2)) * Math.ceil(n / tile) * Math.ceil(m / tile)) / threads);
}

/**
 * a·bᵀ / by, hidden cells filled: scores, their scale and their mask in one launch. Errors as of matmul and divide, one after
 * the other. a, b: finite.
 */
export function scaledProduct(
  { by, fill }: { readonly by: number; readonly fill: number },
  [a, b, hidden]: readonly [a: Shape, b: Shape, hidden: Shape | undefined],
  shape: Shape,
  { tiled }: Target,
): Launch {
  const whole = (a.at(-1) ?? 0) % 4 === 0;
  const then = hidden ? masked : scaled;
  const name = `scaled product${hidden ? ', masked' : ''}${tiled ? ', tiled' : whole ? ', vec4' : ''}`;
  const more = hidden ? [floatBits(saturate(fill)), sizeOf(hidden)] : [];
  return {
    shader: { name, code: tiled ? tiledShader(true, then) : shaderOf({ transposeB: true, whole, then }) },
    params: uint32s(...sizesOf(a, b, shape), floatBits(by), ...more),
    groups: tiled ? tiledGroups(shape) : groupsOf(shape),
    binds: [0, 1, ...(hidden ? [3] : []), 'result'],
  };
}

interface Variant {
  readonly transposeB: boolean;
  /** Rows of the operands are whole vec4. */
  readonly whole: boolean;
  readonly then: Then;
}

function shaderOf({ transposeB, whole, then }: Variant): string {
  const step = whole ? 4 : 1;
  return /* wgsl */ `${productHeader(then, whole ? 'vec4u' : 'u32', whole ? 'vec4f' : 'f32')}
fn store(at: u32, column: u32, sums: vec4f, worst: u32) {
  let nan = worst > 0x7f800000u;${each((j) => `
  if (column + ${j}u < params.m) { put(at + ${j}u, sums[${j}], nan); }`, 4)}
}

fn storeRow(batch: u32, row: u32, column: u32, left: vec4f, right: vec4f, worst: u32) {
  if (row >= params.n) { return; }
  let at = (batch * params.n + row) * params.m + column;
  store(at, column, left, worst);
  store(at + 4u, column + 4u, right, worst);
}

@compute @workgroup_size(${threads})
fn main(${gridParameters}) {
  let across = (params.m + ${tile - 1}u) / ${tile}u;
  let down = (params.n + ${tile - 1}u) / ${tile}u;
  let index = (${groupIndex}) * ${threads}u + lane;
  if (index >= params.batches * across * down) { return; }
  let batch = index / (across * down);
  let row = index / across % down * ${tile}u;
  let column = index % across * ${tile}u;
  let start = batch * params.n;${each((i) => `
  var a${i} = (start + min(row + ${i}u, params.n - 1u)) * params.k / ${step}u;
  var left${i} = vec4f();
  var right${i} = vec4f();
  var worst${i} = ${whole ? 'vec4u()' : '0u'};`)}
${transposeB ? columnStarts(step) : rowStarts(whole)}
  for (var t = 0u; t < params.k; t += ${step}u) {${each((i) => `
    let bits${i} = a[a${i}];
    a${i}++;${then.nan ? `
    worst${i} = max(worst${i}, bits${i} & ${whole ? 'vec4u(0x7fffffffu)' : '0x7fffffffu'});` : ''}
    let x${i} = bitcast<${whole ? 'vec4f' : 'f32'}>(bits${i});`)}
${whole ? wholeStep(transposeB) : singleStep(transposeB)}
  }${each((i) => `
  storeRow(batch, row + ${i}u, column, left${i}, right${i}, ${whole ? `max(max(worst${i}.x, worst${i}.y), max(worst${i}.z, worst${i}.w))` : `worst${i}`});`)}
}
`; // prettier-ignore
}

/** Where each column's values begin: they lie one after the other along k. */
const columnStarts = (step: number): string =>
  each((j) => `
  var b${j} = (batch * params.bBatch + min(column + ${j}u, params.m - 1u) * params.k) / ${step}u;`); // prettier-ignore

/** Where the columns of row 0 of b are: two vec4, or eight values. */
const rowStarts = (whole: boolean): string =>
  whole
    ? each((j) => `
  var b${j} = batch * params.bBatch / 4u + min(column / 4u + ${j}u, params.m / 4u - 1u);`, 2)
    : each((j) => `
  var b${j} = batch * params.bBatch + min(column + ${j}u, params.m - 1u);`); // prettier-ignore

const sum = (i: number, x: string): string => `
    left${i} += ${x} * yLeft;
    right${i} += ${x} * yRight;`;

/** Four steps along k. */
function wholeStep(transposeB: boolean): string {
  const read = transposeB ? each((j) => `
    let c${j} = b[b${j}];
    b${j}++;`) : ''; // prettier-ignore
  const columns = (from: number, t: number): string =>
    `vec4f(${[0, 1, 2, 3].map((j) => `c${from + j}[${t}]`).join(', ')})`;
  const rows = (t: number): string =>
    transposeB
      ? `let yLeft = ${columns(0, t)};
    let yRight = ${columns(4, t)};`
      : `let yLeft = b[b0];
    let yRight = b[b1];
    b0 += params.m / 4u;
    b1 += params.m / 4u;`;
  return read + each((t) => `
    {
    ${rows(t)}${each((i) => sum(i, `x${i}[${t}]`))}
    }`, 4); // prettier-ignore
}

function singleStep(transposeB: boolean): string {
  const four = (from: number): string => [0, 1, 2, 3].map((j) => `b[b${from + j}]`).join(', ');
  return `
    let yLeft = vec4f(${four(0)});
    let yRight = vec4f(${four(4)});${each((i) => sum(i, `x${i}`))}${each((j) => `
    b${j} += ${transposeB ? '1u' : 'params.m'};`)}`; // prettier-ignore
}
