import { sizeOf } from '../../../../math';
import { gridParameters, groupIndex, workgroupSize, uint32s, type Kernel } from '../kernel';

/**
 * a + b. a, out: any shape, `length` values; b: the same, or the last dimensions of it, `period` values, from its start
 * again and again. One thread a value.
 * Bounds: length < 2³². Error: one rounding; denormals may become 0 (WGSL allows it). NaN in, NaN out, told by its bits.
 */
export const add: Kernel<'add'> = {
  shader: /* wgsl */ `
struct Params { length: u32, period: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

fn isNan(bits: u32) -> bool { return (bits & 0x7fffffffu) > 0x7f800000u; }

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  let x = a[i];
  let y = b[i % params.period];
  let sum = bitcast<u32>(bitcast<f32>(x) + bitcast<f32>(y));
  result[i] = select(sum, 0x7fc00000u, isNan(x) || isNan(y));
}
`,
  reads: [0, 1],
  dispatch: (_, [, b = []], shape) => {
    const length = sizeOf(shape);
    return { params: uint32s(length, sizeOf(b)), groups: Math.ceil(length / workgroupSize) };
  },
};
