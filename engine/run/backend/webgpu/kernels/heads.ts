import { sizeOf } from '../../../../math';
import { gridParameters, groupIndex, workgroupSize, uint32s, type Kernel } from '../kernel';

/*
 * Moving heads: columns cut into heads and back, heads repeated. One thread a value of the result; bits are copied, so that
 * all is exact, NaN too. Bounds: fewer than 2³² values.
 */

/** `from`: WGSL for the index in the operand of value i of the result. */
const gather = (parameters: string, from: string): string => /* wgsl */ `
struct Params { length: u32, ${parameters} }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  result[i] = a[${from}];
}
`;

const groupsOf = (length: number): number => Math.ceil(length / workgroupSize);

/** a: …×n×(h·d), out: …×h×n×d. */
export const splitHeads: Kernel<'splitHeads'> = {
  shader: gather(
    'h: u32, n: u32, d: u32',
    `((i / (params.d * params.n * params.h) * params.n + i / params.d % params.n) * params.h
    + i / (params.d * params.n) % params.h) * params.d + i % params.d`,
  ),
  reads: [0],
  dispatch: ({ heads }, _, shape) => {
    const length = sizeOf(shape);
    return { params: uint32s(length, heads, shape.at(-2) ?? 0, shape.at(-1) ?? 0), groups: groupsOf(length) };
  },
};

/** a: …×h×n×d, out: …×n×(h·d). */
export const concatHeads: Kernel<'concatHeads'> = {
  shader: gather(
    'h: u32, n: u32, d: u32',
    `((i / (params.d * params.h * params.n) * params.h + i / params.d % params.h) * params.n
    + i / (params.d * params.h) % params.n) * params.d + i % params.d`,
  ),
  reads: [0],
  dispatch: (_, [a = []], shape) => {
    const length = sizeOf(shape);
    return { params: uint32s(length, a.at(-3) ?? 1, a.at(-2) ?? 0, a.at(-1) ?? 0), groups: groupsOf(length) };
  },
};

/** a: …×g×n×d, out: …×(g·times)×n×d, each head `times` times in a row; `size` is n·d. */
export const repeatHeads: Kernel<'repeatHeads'> = {
  shader: gather('times: u32, size: u32', 'i / (params.size * params.times) * params.size + i % params.size'),
  reads: [0],
  dispatch: ({ times }, _, shape) => {
    const length = sizeOf(shape);
    return { params: uint32s(length, times, sizeOf(shape.slice(-2))), groups: groupsOf(length) };
  },
};
