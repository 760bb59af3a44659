import { sizeOf } from '../../../../math';
import { gridParameters, groupIndex, indices } from '../kernel';
import { productHeader, type Then } from './matmul-result';

/** Rows and columns of the result of a workgroup, and how many values along k it holds at once. */
const [tile, deep] = [64, 16];
/** Rows and columns of one thread. */
const own = 4;
const threads = (tile / own) * (tile / own);
/** vec4 from one value along k to the next in workgroup memory: one more than needed, so that threads do not meet in one bank. */
const stride = tile / 4 + 1;

const each = (write: (i: number) => string, count = 4): string => indices(count).map(write).join('');

/** Workgroups for a result of this shape. */
export function tiledGroups(shape: readonly number[]): number {
  const [n, m] = [shape.at(-2) ?? 0, shape.at(-1) ?? 0];
  return sizeOf(shape.slice(0, -2)) * Math.ceil(n / tile) * Math.ceil(m / tile);
}

/**
 * `matmul` for a graphics card: a workgroup computes 64×64 values, 4×4 a thread, from 16 values along k at a time, which its threads put into
 * workgroup memory together: each value is read from storage 64 times less often. Every sum runs in index order. On SwiftShader, which has no such
 * memory, it takes three to eight times as long as the other shader.
 */
export const tiledShader = (transposeB: boolean, then: Then): string => /* wgsl */ `${productHeader(then, 'u32', 'f32')}
var<workgroup> left: array<vec4u, ${deep * stride}>;
var<workgroup> right: array<vec4f, ${deep * stride}>;
${then.nan ? `var<workgroup> spoiled: array<atomic<u32>, ${tile}>;` : ''}

fn leftAt(row: u32, t: u32, start: u32) -> u32 {
  if (row >= params.n || t >= params.k) { return 0u; }
  return a[(start + row) * params.k + t];
}

fn rightAt(t: u32, column: u32, start: u32) -> f32 {
  if (column >= params.m || t >= params.k) { return 0.0f; }
  return b[start + ${transposeB ? 'column * params.k + t' : 't * params.m + column'}];
}

@compute @workgroup_size(${threads})
fn main(${gridParameters}) {
  let across = (params.m + ${tile - 1}u) / ${tile}u;
  let down = (params.n + ${tile - 1}u) / ${tile}u;
  let index = ${groupIndex};
  if (index >= params.batches * across * down) { return; }
  let batch = index / (across * down);
  let top = index / across % down * ${tile}u;
  let first = index % across * ${tile}u;
  let starts = vec2u(batch * params.n, batch * params.bBatch);
  let down4 = lane / ${tile / own}u;
  let across4 = lane % ${tile / own}u;
  ${then.nan ? `if (lane < ${tile}u) { atomicStore(&spoiled[lane], 0u); }` : ''}${each((i) => `
  var sums${i} = vec4f();`)}
  for (var begin = 0u; begin < params.k; begin += ${deep}u) {
    // Neighbours in a workgroup read neighbours in storage.
    {
      let t = lane % ${deep}u;
      let row = top + lane / ${deep}u * 4u;
      let bits = vec4u(${each((i) => `${i ? ', ' : ''}leftAt(row + ${i}u, begin + t, starts.x)`)});
      left[t * ${stride}u + lane / ${deep}u] = bits;${then.nan ? each((i) => `
      if ((bits[${i}] & 0x7fffffffu) > 0x7f800000u) { atomicStore(&spoiled[lane / ${deep}u * 4u + ${i}u], 1u); }`) : ''}
    }
    {
      let t = ${transposeB ? `lane % ${deep}u` : `lane / ${tile / 4}u`};
      let column = ${transposeB ? `lane / ${deep}u` : `lane % ${tile / 4}u`};
      right[t * ${stride}u + column] = vec4f(${each((i) => `${i ? ', ' : ''}rightAt(begin + t, first + column * 4u + ${i}u, starts.y)`)});
    }
    workgroupBarrier();
    for (var t = 0u; t < ${deep}u; t++) {
      let x = bitcast<vec4f>(left[t * ${stride}u + down4]);
      let y = right[t * ${stride}u + across4];${each((i) => `
      sums${i} += x[${i}] * y;`)}
    }
    workgroupBarrier();
  }${each((i) => `
  {
    let row = top + down4 * 4u + ${i}u;
    let column = first + across4 * 4u;
    let at = (starts.x + row) * params.m + column;
    let nan = ${then.nan ? `atomicLoad(&spoiled[down4 * 4u + ${i}u]) != 0u` : 'false'};${each((j) => `
    if (row < params.n && column + ${j}u < params.m) { put(at + ${j}u, sums${i}[${j}], nan); }`)}
  }`)}
}
`; // prettier-ignore
