// Runs the probe of peak.ts without the AssemblyScript compiler, so that threads and pages can use it.

const manySteps = 20_000;

/** Returns a probe of the rate in 10⁹ multiply-adds a second: the best of 20 runs of about 0.1 ms. Where the clock is coarse, pass more `steps`. */
export function peakProbe(module: Uint8Array<ArrayBuffer>, steps = manySteps): () => number {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), {});
  const run = exports['peak'] as (steps: number, x: number, y: number) => number;
  const once = (): number => {
    const start = performance.now();
    if (!(run(steps, 0.5, 0.25) > 0)) throw new Error('the peak probe is wrong');
    return (48 * steps) / (performance.now() - start) / 1e6;
  };
  // Warm-up, until V8 has replaced the code by its optimized version.
  for (const until = performance.now() + 200; performance.now() < until;) once();
  return () => Math.max(...Array.from({ length: 20 }, once));
}

/** Probe runs per millisecond, sustained for `milliseconds`: the share of a busy machine that this thread gets. */
export function sustained(once: () => number, milliseconds: number): number {
  const rates: number[] = [];
  const begin = performance.now();
  while (performance.now() - begin < milliseconds) rates.push(once());
  // All runs do the same amount of work, so their number is the measure.
  return rates.length / (performance.now() - begin);
}
