import asc from 'assemblyscript/asc';

export { peakProbe } from './peak-probe';

// Twelve independent chains: a latency of 4 cycles on 2 units needs at least 8. The factors are arguments, because V8 loads a literal again at every
// use. Without fused multiply-add each step is the previous value times x, plus y. With x·y in every chain a compiler could compute the product once.
const names = [...'abcdefghijkl'];
const source = `
export function peak(steps: u32, p: f32, q: f32): f32 {
  const x = f32x4.splat(p), y = f32x4.splat(q);
  let ${names.map((name, i) => `${name} = f32x4.splat(${i})`).join(', ')};
  for (; steps; steps--) {
    ${names.map((name) => `${name} = ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(x, y, ${name}) : f32x4.add(f32x4.mul(${name}, x), y);`).join('\n    ')}
  }
  return f32x4.extract_lane(${names.reduce((sum, name) => `f32x4.add(${sum}, ${name})`)}, 0);
}`;

/** A WebAssembly module that only multiplies and adds, four lanes at a time: with fused multiply-add, or with a product and a sum. */
export async function peakModule(fused: boolean): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array | undefined;
  const features = ['--enable', 'simd', ...(fused ? ['--enable', 'relaxed-simd'] : [])];
  const options = ['peak.ts', '--outFile', 'peak.wasm', '--runtime', 'stub', '-O3', '--noAssert'];
  const { error } = await asc.main([...options, ...features], {
    readFile: (name: string) => (name === 'peak.ts' ? source : null),
    writeFile: (_: string, content: string | Uint8Array) => {
      if (typeof content !== 'string') bytes = content;
    },
    listFiles: () => [],
  });
  if (error || !bytes) throw new Error(`peak: ${error?.message ?? 'no output'}`);
  return Uint8Array.from(bytes);
}
