import { sizeOf } from '../../../tensor';
import { gridParameters, groupIndex, words, type Kernel } from '../kernel';

/** Rows and columns of the result that one workgroup computes. */
const block = 64;
/** How far along k a tile reaches. */
const depth = 16;
/** Leading dimension of the tiles: one more than `block`, so that threads storing down a column hit different banks. */
const stride = block + 1;

/**
 * a·b or a·bᵀ. a: batches×n×k; b: batches×k×m (or batches×m×k when transposed), or one matrix for all batches; out: batches×n×m.
 *
 * 16×16 threads hold 4×4 sums each, 16 rows and columns apart so that neighbours read and write neighbours. Tiles of
 * a (64×16) and b (16×64) pass through workgroup memory, 8 KB, zeros beyond the edges. Every sum runs in index order, as
 * the reference's does; only fused multiply-adds can make a difference.
 *
 * Bounds: each operand < 2³² values. Error ≤ k·ε·Σ|aᵢbᵢ| against the reference in float32.
 * A row of a with a NaN gives a row of NaN, told by its bits, since WGSL need not honour NaN in arithmetic: fully masked
 * rows of weights are NaN. (b holds none: sources are finite.)
 */
export const matmul: Kernel<'matmul'> = {
  shader: /* wgsl */ `
struct Params { batches: u32, n: u32, m: u32, k: u32, bBatch: u32, transposeB: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

const STRIDE = ${stride}u;
var<workgroup> aTile: array<f32, ${depth * stride}>; // [k][row]
var<workgroup> bTile: array<f32, ${depth * stride}>; // [k][column]

var<workgroup> nanRows: array<atomic<u32>, ${block}>;

fn storeA(start: u32, row: u32, at: u32, tileRow: u32, tileK: u32) {
  var bits = 0u;
  if (row < params.n && at < params.k) { bits = a[start + row * params.k + at]; }
  if ((bits & 0x7fffffffu) > 0x7f800000u) { atomicStore(&nanRows[tileRow], 1u); }
  aTile[tileK * STRIDE + tileRow] = bitcast<f32>(bits);
}

fn storeB(start: u32, column: u32, at: u32, tileColumn: u32, tileK: u32) {
  var x = 0.0;
  if (column < params.m && at < params.k) {
    if (params.transposeB == 1u) { x = b[start + column * params.k + at]; } else { x = b[start + at * params.m + column]; }
  }
  bTile[tileK * STRIDE + tileColumn] = x;
}

// Neighbouring threads read neighbouring values: along k where rows lie along k, along the columns otherwise.
fn loadTiles(aStart: u32, bStart: u32, firstRow: u32, firstColumn: u32, t0: u32, lane: u32) {
  for (var i = lane; i < ${block * depth}u; i += 256u) {
    let alongK = vec2u(i / ${depth}u, i % ${depth}u);
    let across = vec2u(i % ${block}u, i / ${block}u);
    storeA(aStart, firstRow + alongK.x, t0 + alongK.y, alongK.x, alongK.y);
    let at = select(across, alongK, params.transposeB == 1u);
    storeB(bStart, firstColumn + at.x, t0 + at.y, at.x, at.y);
  }
}

fn writeRow(batch: u32, firstRow: u32, tileRow: u32, column: u32, sums: vec4f) {
  let row = firstRow + tileRow;
  if (row >= params.n) { return; }
  let nan = atomicLoad(&nanRows[tileRow]) == 1u;
  for (var j = 0u; j < 4u; j++) {
    let c = column + j * 16u;
    let bits = select(bitcast<u32>(sums[j]), 0x7fc00000u, nan);
    if (c < params.m) { result[(batch * params.n + row) * params.m + c] = bits; }
  }
}

@compute @workgroup_size(256)
fn main(${gridParameters}) {
  let across = (params.m + ${block - 1}u) / ${block}u;
  let down = (params.n + ${block - 1}u) / ${block}u;
  let index = ${groupIndex};
  let batch = index / (across * down);
  if (batch >= params.batches) { return; }
  let firstRow = index / across % down * ${block}u;
  let firstColumn = index % across * ${block}u;
  let x = lane % 16u;
  let y = lane / 16u;
  var sum0 = vec4f();
  var sum1 = vec4f();
  var sum2 = vec4f();
  var sum3 = vec4f();
  for (var t0 = 0u; t0 < params.k; t0 += ${depth}u) {
    loadTiles(batch * params.n * params.k, batch * params.bBatch, firstRow, firstColumn, t0, lane);
    workgroupBarrier();
    for (var t = 0u; t < ${depth}u; t++) {
      let p = t * STRIDE + y;
      let q = t * STRIDE + x;
      let columns = vec4f(bTile[q], bTile[q + 16u], bTile[q + 32u], bTile[q + 48u]);
      sum0 += aTile[p] * columns;
      sum1 += aTile[p + 16u] * columns;
      sum2 += aTile[p + 32u] * columns;
      sum3 += aTile[p + 48u] * columns;
    }
    workgroupBarrier();
  }
  writeRow(batch, firstRow, y, firstColumn + x, sum0);
  writeRow(batch, firstRow, y + 16u, firstColumn + x, sum1);
  writeRow(batch, firstRow, y + 32u, firstColumn + x, sum2);
  writeRow(batch, firstRow, y + 48u, firstColumn + x, sum3);
}
`,
  reads: [0, 1],
  dispatch: ({ transposeB }, [a = [], b = []], shape) => {
    const [n, m, k] = [shape.at(-2) ?? 0, shape.at(-1) ?? 0, a.at(-1) ?? 0];
    const batches = sizeOf(shape.slice(0, -2));
    const bBatch = sizeOf(b) === k * m ? 0 : k * m;
    const groups = batches * Math.ceil(n / block) * Math.ceil(m / block);
    return { params: words(batches, n, m, k, bBatch, transposeB ? 1 : 0), groups };
  },
};
