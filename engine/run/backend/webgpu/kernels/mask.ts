import { sizeOf } from '../../../../math';
import { floatBits, gridParameters, groupIndex, workgroupSize, saturate, uint32s, type Kernel } from '../kernel';

/**
 * a where hidden is not 1, fill where it is. a, out: any shape, `length` values; hidden: the same, or the last dimensions of it,
 * `period` values, from its start again and again. One thread a value.
 * Bounds: length < 2³². WGSL need not honour infinities, so values and fill are moved as bits and never computed with:
 * −∞ is written exactly. A finite fill beyond float32 (the lowest float64) becomes the lowest float32, not −∞.
 */
export const mask: Kernel<'mask'> = {
  shader: /* wgsl */ `
struct Params { length: u32, fill: u32, period: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> hidden: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  result[i] = select(a[i], params.fill, hidden[i % params.period] == 1.0);
}
`,
  reads: [0, 1],
  dispatch: ({ fill }, [, hidden = []], shape) => {
    const length = sizeOf(shape);
    return {
      params: uint32s(length, floatBits(saturate(fill)), sizeOf(hidden)),
      groups: Math.ceil(length / workgroupSize),
    };
  },
};
