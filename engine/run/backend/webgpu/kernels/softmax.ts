import { sizeOf } from '../../../../math';
import { gridParameters, groupIndex, uint32s, type Launch, type MultiLaunchKernel } from '../kernel';
import { exponential } from './exponential';

type Shape = readonly number[];

const threads = 64;

/** Parts of a row, each one thread's: cells that lie this many apart, so that neighbours read neighbours. */
const partsOf = (m: number): number => Math.max(1, Math.min(64, Math.ceil(m / 64)));

/**
 * exp(x − max) / Σ exp(x − max) over each row. a, out: any shape, rows of m.
 *
 * Two launches without workgroup memory or barriers: the largest value and the sum of exponentials of each part of a row, into
 * 16 bytes for 64 cells; then the weights, each thread putting its row's parts together once more. A workgroup for a row, with
 * its reductions in workgroup memory, took 20 times as long on SwiftShader.
 *
 * Cells with the bits of −∞ are hidden: they count as 0 and never enter arithmetic, which WGSL allows to disregard
 * infinities and NaN. What a row without a visible key becomes is told by bits too; a row of nothing but −∞ is NaN or 0, as the call says;
 * one with a NaN or +∞ is NaN. So the mask itself, the optional second operand, is not read: a fill of −1e9 is a number like any
 * other, as in the reference.
 *
 * Bounds: rows·m < 2³². Error ≤ (m + 8)·ε·weight + 2⁻¹²⁵ against the reference in float32: 2 ε each exponential, (m − 1)·ε/2 each
 * side's sum, 2.5 ε the quotient; exponentials under 2⁻¹²⁶ become 0.
 */
export const softmax: MultiLaunchKernel<'softmax'> = {
  reads: [0],
  launches: ({ emptyRow }, _, shape) => ({
    list: softmaxLaunches(emptyRow, shape, 0),
    scratch: scratchOf(shape),
  }),
};

/** float32 that pass from the first launch to the second. */
export const scratchOf = (shape: Shape): number => 4 * rowsOf(shape) * partsOf(shape.at(-1) ?? 0);

const rowsOf = (shape: Shape): number => (shape.at(-1) === 0 ? 0 : sizeOf(shape.slice(0, -1)));

/** Of operand 0, or of the result itself, in its place. */
export function softmaxLaunches(emptyRow: 'nan' | 'zero', shape: Shape, of: 0 | 'result'): readonly Launch[] {
  const m = shape.at(-1) ?? 0;
  const [rows, parts] = [rowsOf(shape), partsOf(m)];
  const params = uint32s(rows, m, parts, emptyRow === 'zero' ? 0 : 0x7fc00000);
  const groups = Math.ceil((rows * parts) / threads);
  const second = of === 'result' ? 'softmax weights, in place' : 'softmax weights';
  return [
    { shader: { name: 'softmax parts', code: partsCode }, params, groups, binds: [of, 'scratch'] },
    {
      shader: { name: second, code: weightsCode(of === 'result') },
      params,
      groups,
      binds: of === 'result' ? ['scratch', 'result'] : ['scratch', 'result', of],
    },
  ];
}

const common = /* wgsl */ `
struct Params { rows: u32, m: u32, parts: u32, empty: u32 }
@group(0) @binding(0) var<uniform> params: Params;
const MINUS_INFINITY = 0xff800000u;
const NAN = 0x7fc00000u;
const VISIBLE = 1u;
const SPOILED = 2u;
${exponential}
fn exponentials(bits: vec4u, top: f32) -> vec4f {
  return select(expBelow(bitcast<vec4f>(bits), top), vec4f(), bits == vec4u(MINUS_INFINITY));
}
`;

/** WGSL: four cells of a part of a row from 'column' on; those past its end are −∞. */
const fourOf = (source: string): string => /* wgsl */ `
fn four(row: u32, column: u32) -> vec4u {
  let start = row * params.m;
  let last = start + params.m - 1u;
  let at = start + column + params.parts * vec4u(0u, 1u, 2u, 3u);
  let bits = vec4u(${source}[at.x], ${source}[min(at.y, last)], ${source}[min(at.z, last)], ${source}[min(at.w, last)]);
  return select(bits, vec4u(MINUS_INFINITY), at > vec4u(last));
}
`;

const main = (body: string): string => /* wgsl */ `
@compute @workgroup_size(${threads})
fn main(${gridParameters}) {
  let index = (${groupIndex}) * ${threads}u + lane;
  if (index >= params.rows * params.parts) { return; }
  let row = index / params.parts;
  let first = index % params.parts;
  let step = 4u * params.parts;
  ${body}
}
`;

/** Largest value, sum of exponentials below it, kinds of cells as bits. */
const partsCode = /* wgsl */ `
${common}
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4u>;
${fourOf('a')}
${main(`
  var top = vec4f(LOWEST);
  var kinds = 0u;
  for (var column = first; column < params.m; column += step) {
    let bits = four(row, column);
    let hides = bits == vec4u(MINUS_INFINITY);
    let odd = (bits & vec4u(0x7f800000u)) == vec4u(0x7f800000u);
    kinds |= select(0u, VISIBLE, any(!odd)) | select(0u, SPOILED, any(odd & !hides));
    top = max(top, select(bitcast<vec4f>(bits), vec4f(LOWEST), odd));
  }
  let largest = max(max(top.x, top.y), max(top.z, top.w));
  var sum = vec4f();
  for (var column = first; column < params.m; column += step) { sum += exponentials(four(row, column), largest); }
  let total = sum.x + sum.y + sum.z + sum.w;
  found[index] = vec4u(bitcast<u32>(largest), bitcast<u32>(total), kinds, 0u);`)}`;

const weightsCode = (inPlace: boolean): string => /* wgsl */ `
${common}
@group(0) @binding(1) var<storage, read> found: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;
${inPlace ? '' : '@group(0) @binding(3) var<storage, read> a: array<u32>;'}
${fourOf(inPlace ? 'result' : 'a')}
${main(`
  let start = row * params.parts;
  var top = LOWEST;
  var kinds = 0u;
  for (var p = 0u; p < params.parts; p++) {
    let part = found[start + p];
    top = max(top, bitcast<f32>(part.x));
    kinds |= part.z;
  }
  var sum = 0.0f;
  for (var p = 0u; p < params.parts; p++) {
    let part = bitcast<vec2f>(found[start + p].xy);
    sum += part.y * expBelow(vec4f(part.x), top).x;
  }
  let instead = select(NAN, params.empty, kinds == 0u);
  let end = (row + 1u) * params.m;
  for (var column = first; column < params.m; column += step) {
    let weights = bitcast<vec4u>(exponentials(four(row, column), top) / sum);
    let bits = select(vec4u(instead), weights, kinds == VISIBLE);
    let at = row * params.m + column;
    result[at] = bits.x;
    if (at + params.parts < end) { result[at + params.parts] = bits.y; }
    if (at + 2u * params.parts < end) { result[at + 2u * params.parts] = bits.z; }
    if (at + 3u * params.parts < end) { result[at + 3u * params.parts] = bits.w; }
  }`)}`;
