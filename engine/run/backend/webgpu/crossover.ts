import { ok, type Result } from '../../../text/problems';
import type { Tensor } from '../../../math/tensor';
import type { Kernels } from '../wasm/index';
import type { WebGpuDevice } from './device';
import type { GpuStep } from './prepare';
import { runSteps } from './run';

/** Sides of the two squares that are multiplied: one that costs little but the way there and back, one that is work. */
const [small, large] = [16, 384];

/**
 * Multiply-adds from which the GPU is ahead of `own`; infinite where it never is. Measured in some milliseconds: a product that is
 * too small to take time gives the way to the GPU and back, a larger one both rates. `now` gives milliseconds. Problems as of a run.
 */
export async function measureCrossover(device: WebGpuDevice, own: Kernels, now: () => number): Promise<Result<number>> {
  const onGpu = async (side: number): Promise<Result<number>> => {
    const { steps, sources } = squareOf(side);
    let best = Infinity;
    for (let i = 0; i < 4; i++) {
      const begin = now();
      const ran = await runSteps(device, steps, sources);
      if (!ran.ok) return ran;
      if (i > 0) best = Math.min(best, now() - begin); // the first one compiles
    }
    return ok(best);
  };
  const [way, gpu] = [await onGpu(small), await onGpu(large)];
  if (!way.ok) return way;
  if (!gpu.ok) return gpu;
  return ok(crossoverOf({ way: way.value, gpu: gpu.value, cpu: onCpu(own, now), work: large * large * large }));
}

/** Where way + work/gpuRate meets work/cpuRate. Milliseconds: the way alone, the GPU's and the processor's for `work`. */
export function crossoverOf(times: { way: number; gpu: number; cpu: number; work: number }): number {
  const { way, gpu, cpu, work } = times;
  const gained = (cpu - Math.max(0, gpu - way)) / work;
  return gained > 0 ? way / gained : Infinity;
}

function onCpu(own: Kernels, now: () => number): number {
  const a = valuesOf(large).data as Float32Array;
  let best = Infinity;
  for (let i = 0; i < 4; i++) {
    const begin = now();
    own.matmul({ a, b: a, n: large, k: large, m: large });
    best = Math.min(best, now() - begin);
  }
  return best;
}

function valuesOf(side: number): Tensor {
  const data = Float32Array.from({ length: side * side }, (_, i) => ((i * 37) % 101) / 50 - 1);
  return { dtype: 'float32', shape: [side, side], data };
}

function squareOf(side: number): { steps: readonly GpuStep[]; sources: ReadonlyMap<string, Tensor> } {
  const shape = [side, side];
  const step = { symbol: 'a', shape, rowLabels: [] };
  return {
    sources: new Map([['a', valuesOf(side)]]),
    steps: [
      { ...step, id: 'a', call: { op: 'given', path: '' }, operands: [] },
      { ...step, id: 'product', call: { op: 'matmul', transposeB: false }, operands: ['a', 'a'] },
    ],
  };
}
