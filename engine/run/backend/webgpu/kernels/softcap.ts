import { sizeOf } from '../../../../math';
import { floatBits, gridParameters, groupIndex, workgroupSize, uint32s, type Kernel } from '../kernel';

/**
 * cap·tanh(a/cap). a, out: any shape, `length` values; cap: one float32. One thread a value.
 * tanh is our own, E/(E + 2) with E = e^2|x| − 1: WGSL allows the built-in an absolute error. Bounds: length < 2³².
 * Error ≤ 10·ε·|value|: 2.5 ε each quotient, 4 ε for E, where its two parts nearly cancel, the rest roundings.
 */
export const softcap: Kernel<'softcap'> = {
  shader: /* wgsl */ `
struct Params { length: u32, cap: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

// e^x − 1 for 0 ≤ x ≤ 20. x = n·ln 2 + r with |r| ≤ ln(2)/2; e^r − 1 by Taylor to r⁷; then 2ⁿ(e^r − 1) + (2ⁿ − 1).
fn expMinusOne(x: f32) -> f32 {
  let n = round(x * 1.44269504f);
  let r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  var p = 1.0f / 5040.0f;
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r * r + r;
  let power = bitcast<f32>(u32(i32(n) + 127) << 23u);
  return power * p + (power - 1.0f);
}

@compute @workgroup_size(${workgroupSize})
fn main(${gridParameters}) {
  let i = (${groupIndex}) * ${workgroupSize}u + lane;
  if (i >= params.length) { return; }
  let x = a[i] / params.cap;
  // Beyond 10 tanh is 1 in float32.
  let e = expMinusOne(2.0f * min(abs(x), 10.0f));
  result[i] = sign(x) * (e / (e + 2.0f)) * params.cap;
}
`,
  reads: [0],
  dispatch: ({ cap }, _, shape) => {
    const length = sizeOf(shape);
    return { params: uint32s(length, floatBits(cap)), groups: Math.ceil(length / workgroupSize) };
  },
};
