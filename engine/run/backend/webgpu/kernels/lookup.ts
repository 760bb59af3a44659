import { sizeOf } from '../../../../math';
import { gridParameters, groupIndex, workgroupSize, uint32s, type Kernel } from '../kernel';

/**
 * Rows of a table. table: v×d, ids: n×c (in the call's column whole numbers 0 … v−1 as float32, so v ≤ 2²⁴), out: n×d. One
 * thread a value.
 * Bounds: n·d < 2³². Copies bits: exact, whatever they are.
 */
export const lookup: Kernel<'lookup'> = {
  shader: /* wgsl */ `
struct Params { length: u32, d: u32, columns: u32, column: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> table: array<u32>;
@group(0) @binding(2) var<storage, read> ids: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  let id = u32(ids[(i / params.d) * params.columns + params.column]);
  result[i] = table[id * params.d + i % params.d];
}
`,
  reads: [0, 1],
  dispatch: ({ column }, [, ids], shape) => {
    const length = sizeOf(shape);
    return {
      params: uint32s(length, shape.at(-1) ?? 1, ids?.at(-1) ?? 1, column),
      groups: Math.ceil(length / workgroupSize),
    };
  },
};
