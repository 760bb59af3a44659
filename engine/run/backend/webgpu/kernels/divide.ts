import { sizeOf } from '../../../../math';
import { floatBits, gridParameters, groupIndex, workgroupSize, uint32s, type Kernel } from '../kernel';

/**
 * a / by. a, out: any shape, `length` values; by: one float32. One thread a value.
 * Bounds: length < 2³². Error: WGSL gives a quotient 2.5 ulp while |by| is in 2⁻¹²⁶ … 2¹²⁶.
 */
export const divide: Kernel<'divide'> = {
  shader: /* wgsl */ `
struct Params { length: u32, by: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  result[i] = a[i] / params.by;
}
`,
  reads: [0],
  dispatch: ({ by }, _, shape) => {
    const length = sizeOf(shape);
    return { params: uint32s(length, floatBits(by)), groups: Math.ceil(length / workgroupSize) };
  },
};
