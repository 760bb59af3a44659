// The probe of peak.ts without its compiler: for threads and pages.

const manySteps = 20_000;

/** 10⁹ multiply-adds a second, the best of a few tries of about a tenth of a millisecond, or of more `steps` where the clock's are coarse. */
export function peakProbe(module: Uint8Array<ArrayBuffer>, steps = manySteps): () => number {
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

/** The same over `milliseconds` on end: what a thread gets of a machine that others use too. */
export function sustained(once: () => number, milliseconds: number): number {
  const rates: number[] = [];
  const begin = performance.now();
  while (performance.now() - begin < milliseconds) rates.push(once());
  // Every run is as much work.
  return rates.length / (performance.now() - begin);
}
