// The probe of peak.ts without its compiler: for threads and pages.
const steps = 20_000;

/** 10⁹ multiply-adds a second, the best of a few tries of about a tenth of a millisecond. */
export function peakProbe(module: Uint8Array<ArrayBuffer>): () => number {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), {});
  const run = exports['peak'] as (steps: number, x: number, y: number) => number;
  const once = (): number => {
    const start = performance.now();
    if (!(run(steps, 0.5, 0.25) > 0)) throw new Error('the peak probe is wrong');
    return (48 * steps) / (performance.now() - start) / 1e6;
  };
  // Until V8 has compiled it anew.
  for (const until = performance.now() + 200; performance.now() < until;) once();
  return () => Math.max(...Array.from({ length: 20 }, once));
}
