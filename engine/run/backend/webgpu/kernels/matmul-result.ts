/** What becomes of a product's sums: further words of the parameters, a binding, and WGSL for the bits of `x` at `at` of the result. */
export interface Then {
  readonly params: string;
  readonly binding: string;
  readonly bits: string;
  /** Whether a NaN in a row of a is looked for. */
  readonly nan: boolean;
}

export const plain: Then = { params: '', binding: '', bits: 'bitcast<u32>(x)', nan: true };

export const scaled: Then = { params: ', by: f32', binding: '', bits: 'bitcast<u32>(x / params.by)', nan: false };

/**
 * hidden: the result's shape or its last dimensions, 1 where `fill` stands in place of the quotient. Bits are moved and not computed
 * with, as in `mask`.
 */
export const masked: Then = {
  params: ', by: f32, fill: u32, period: u32',
  binding: '@group(0) @binding(3) var<storage, read> hidden: array<f32>;',
  bits: 'select(bitcast<u32>(x / params.by), params.fill, hidden[at % params.period] == 1.0)',
  nan: false,
};

/** WGSL: parameters, bindings and `put` of a product whose operands are arrays of these types. */
export const productHeader = (then: Then, a: string, b: string): string => /* wgsl */ `
struct Params { batches: u32, n: u32, m: u32, k: u32, bBatch: u32${then.params} }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<${a}>;
@group(0) @binding(2) var<storage, read> b: array<${b}>;
${then.binding}
@group(0) @binding(${then.binding ? 4 : 3}) var<storage, read_write> result: array<u32>;

fn put(at: u32, x: f32, nan: bool) { result[at] = select(${then.bits}, 0x7fc00000u, nan); }
`;
