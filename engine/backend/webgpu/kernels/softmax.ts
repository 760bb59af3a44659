import { sizeOf } from '../../../tensor';
import { gridParameters, groupIndex, words, type Kernel } from '../kernel';

/** Threads that share a row. */
const lanes = 128;

/**
 * exp(x − max) / Σ exp(x − max) over each row. a, out: …×m, `rows` rows. One workgroup a row.
 *
 * WGSL need not honour infinities or NaN, so cells are told apart by their bits, with integer arithmetic: −∞ (what the
 * mask kernel writes into hidden cells) has weight 0 exactly; a row of nothing but −∞ is NaN or 0, as the call says; one with a
 * NaN or +∞ is NaN. So the mask itself, the optional second operand, is not read: a fill of −1e9 is a number like any
 * other, as in the reference.
 *
 * exp is our own: the built-in may be 3 + 2|x| ulp off. Bounds: rows ≤ 65,535², rows·m < 2³².
 * Error ≤ (m + 8)·ε·weight + 2⁻¹²⁵ against the reference in float32: 2 ε each exponential, (m − 1)·ε/2 each side's sum,
 * 2.5 ε the quotient; exponentials under 2⁻¹²⁶ become 0.
 */
export const softmax: Kernel<'softmax'> = {
  shader: /* wgsl */ `
struct Params { rows: u32, m: u32, empty: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

const LOWEST = -0x1.fffffep+127f;
const MINUS_INFINITY = 0xff800000u;
const NAN = 0x7fc00000u;
const VISIBLE = 1u;
const SPOILED = 2u;
var<workgroup> partial: array<f32, ${lanes}>;
var<workgroup> seen: atomic<u32>;

fn kindOf(bits: u32) -> u32 {
  if (bits == MINUS_INFINITY) { return 0u; }
  return select(VISIBLE, SPOILED, (bits & 0x7f800000u) == 0x7f800000u);
}

// e^(x − top) for x ≤ top. x − top = n·ln 2 + r with |r| ≤ ln(2)/2; Taylor to r⁷ leaves 6e-9 (relative). ln 2 comes in two
// parts, n times the first being exact. Halves first: x − top itself may overflow.
fn expBelow(value: f32, top: f32) -> f32 {
  if (0.5 * value - 0.5 * top < -52.0) { return 0.0; }
  let x = value - top;
  let n = round(x * 1.44269504f);
  if (n < -126.0) { return 0.0; }
  let r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  var p = 1.0f / 5040.0f;
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * bitcast<f32>(u32(i32(n) + 127) << 23u);
}

fn reduceMax(lane: u32) -> f32 {
  for (var half = ${lanes / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { partial[lane] = max(partial[lane], partial[lane + half]); }
  }
  workgroupBarrier();
  return partial[0];
}

fn reduceSum(lane: u32) -> f32 {
  for (var half = ${lanes / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { partial[lane] += partial[lane + half]; }
  }
  workgroupBarrier();
  return partial[0];
}

@compute @workgroup_size(${lanes})
fn main(${gridParameters}) {
  let row = ${groupIndex};
  if (row >= params.rows) { return; }
  let start = row * params.m;
  let end = start + params.m;

  // Pass 1: the largest visible value.
  var top = LOWEST;
  var kinds = 0u;
  for (var i = start + lane; i < end; i += ${lanes}u) {
    let kind = kindOf(a[i]);
    kinds |= kind;
    if (kind == VISIBLE) { top = max(top, bitcast<f32>(a[i])); }
  }
  atomicOr(&seen, kinds);
  partial[lane] = top;
  top = reduceMax(lane);
  let kindsOfRow = atomicLoad(&seen);
  let special = kindsOfRow != VISIBLE;
  let instead = select(NAN, params.empty, kindsOfRow == 0u);
  workgroupBarrier();

  // Pass 2: exponentials, kept in the result, and their sum.
  var sum = 0.0;
  for (var i = start + lane; i < end; i += ${lanes}u) {
    var e = 0.0;
    if (kindOf(a[i]) == VISIBLE) { e = expBelow(bitcast<f32>(a[i]), top); }
    result[i] = bitcast<u32>(e);
    sum += e;
  }
  partial[lane] = sum;
  sum = reduceSum(lane);

  // Pass 3: weights. Each thread reads only what it wrote itself.
  for (var i = start + lane; i < end; i += ${lanes}u) {
    let weight = bitcast<f32>(result[i]) / sum;
    result[i] = select(bitcast<u32>(weight), instead, special);
  }
}
`,
  reads: [0],
  dispatch: ({ emptyRow }, _, shape) => {
    const m = shape.at(-1) ?? 0;
    const rows = m === 0 ? 0 : sizeOf(shape) / m;
    return { params: words(rows, m, emptyRow === 'zero' ? 0 : 0x7fc00000), groups: rows };
  },
};
