import { sizeOf } from '../../../../math';
import { gridParameters, groupIndex, workgroupSize, uint32s, type Kernel } from '../kernel';

/**
 * Rotary positions (Su et al. 2021): column j of d turns with its partner, x·cos − y·sin for the first of a pair,
 * y·cos + x·sin for the second. a, out: …×n×d; rotations: 2n×r/2, cosines in even rows, sines in odd ones, for all or for each input
 * of a batch, whose `span` values they turn. Pairs of the first r columns are (2i, 2i + 1), or (i, i + r/2) when `halves` is 1; others stay. One thread a value.
 * Bounds: fewer than 2³² values. Error ≤ 2·ε·(|x·cos| + |y·sin|): a sum of two products.
 */
export const rope: Kernel<'rope'> = {
  shader: /* wgsl */ `
struct Params { length: u32, n: u32, d: u32, halves: u32, span: u32, half: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> rotations: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  let half = params.half;
  let row = i / params.span * params.n + i / params.d % params.n;
  let column = i % params.d;
  if (column >= 2u * half) {
    result[i] = a[i];
    return;
  }
  var isFirst = column % 2u == 0u;
  var step = 1u;
  var pair = column / 2u;
  if (params.halves == 1u) {
    isFirst = column < half;
    step = half;
    pair = column % half;
  }
  let partner = a[select(i - step, i + step, isFirst)];
  let cosine = rotations[2u * row * half + pair];
  let sine = rotations[(2u * row + 1u) * half + pair];
  result[i] = a[i] * cosine + select(1.0f, -1.0f, isFirst) * partner * sine;
}
`,
  reads: [0, 1],
  dispatch: ({ layout }, [, rotations], shape) => {
    const length = sizeOf(shape);
    const inputs = sizeOf(rotations?.slice(0, -2) ?? []);
    const halves = layout === 'half' ? 1 : 0;
    return {
      params: uint32s(length, shape.at(-2) ?? 0, shape.at(-1) ?? 0, halves, length / inputs, rotations?.at(-1) ?? 0),
      groups: Math.ceil(length / workgroupSize),
    };
  },
};
