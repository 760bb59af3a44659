import { relaxed, simd128 } from './bytes';

/** Which machine code runs: relaxed SIMD (fused multiply-add), SIMD, or plain JavaScript where WebAssembly is refused. */
export type Build = 'relaxed' | 'simd128' | 'plain';

type Pointers = readonly [q: number, k: number, v: number, out: number, weights: number];
type Sizes = readonly [n: number, m: number, d: number, dv: number];
type Seen = readonly [first: number, before: number, after: number, visible: number];
type SurveyTail = readonly [...Seen, level: number, tallies: number, tops: number, sums: number, work: number];

/** Functions of assembly/kernels.as; pointers and counts are unsigned 32-bit. */
export interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  base(): number;
  matmulWork(n: number, k: number, m: number): number;
  matmul(a: number, b: number, c: number, n: number, k: number, m: number, transposed: number, work: number): void;
  softmax(x: number, out: number, n: number, m: number, scale: number, mask: number, fill: number): void;
  attentionWork(m: number, d: number, dv: number): number;
  attention(...operands: [...Pointers, ...Sizes, scale: number, mask: number, fill: number, work: number]): void;
  pool(data: number, wide: number, rows: number, count: number, level: number, tally: number): void;
  surveyWork(m: number, d: number, dv: number): number;
  survey(
    ...operands: [q: number, k: number, v: number, out: number, ...Sizes, scale: number, slope: number, ...SurveyTail]
  ): void;
}

/** The part of the WebAssembly API that is used. The engine is compiled without DOM and Node types, and a page's CSP may refuse WebAssembly. */
interface WebAssemblyLike {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

// (func (result v128)) with one instruction of the feature: i8x16.popcnt, i8x16.relaxed_swizzle
const probes = {
  simd128: [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ],
  relaxed: [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15,
    253, 128, 2, 11,
  ],
};

const webAssembly = (): WebAssemblyLike | undefined => (globalThis as { WebAssembly?: WebAssemblyLike }).WebAssembly;

/** The builds that this host supports, fastest first; always ends with 'plain'. */
export function supportedBuilds(): readonly Build[] {
  const wasm = webAssembly();
  const simd = (['relaxed', 'simd128'] as const).filter((build) => wasm?.validate(Uint8Array.from(probes[build])));
  return [...simd, 'plain'];
}

/** A new instance with its own memory; undefined where WebAssembly is missing, refused (CSP) or lacks the feature. */
export function instantiate(build: 'relaxed' | 'simd128'): Exports | undefined {
  const wasm = webAssembly();
  if (!wasm) return undefined;
  try {
    const module = new wasm.Module(bytesOf(build === 'relaxed' ? relaxed : simd128));
    return new wasm.Instance(module, { env: { abort } }).exports as Exports;
  } catch {
    return undefined;
  }
}

function abort(): never {
  throw new Error('wasm: abort');
}

/**
 * Decodes hexadecimal. Base64 would be shorter, but the package is compressed, and equal bytes look different in base64, so that it
 * compresses worse. Decodes four bytes at a time: this runs once, in unoptimised code, where the number of iterations is the cost.
 */
function bytesOf(hex: string): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(Math.ceil(hex.length / 8) * 4));
  for (let i = 0; i < hex.length; i += 8) bytes.setUint32(i / 2, parseInt(hex.slice(i, i + 8).padEnd(8, '0'), 16));
  return new Uint8Array(bytes.buffer, 0, hex.length / 2);
}
