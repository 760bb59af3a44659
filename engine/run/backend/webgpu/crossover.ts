import { ok, type Result } from '../../../text';
import type { Tensor } from '../../../math';
import type { WasmKernels } from '../wasm/index';
import type { WebGpuDevice } from './device';
import type { GpuStep } from './steps';
import { runSteps } from './run';

/** Sides of the two square products that are timed: the small one measures the round trip, the large one the rate. */
const [small, large] = [16, 384];

/**
 * The number of multiply-adds from which the GPU is faster than `kernels`; infinite if it never is. Takes some milliseconds: a small
 * product measures the round trip to the GPU, a large one both rates. `now` returns milliseconds. Problems as of a run.
 */
export async function measureCrossover(
  device: WebGpuDevice,
  kernels: WasmKernels,
  now: () => number,
): Promise<Result<number>> {
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
  const [roundTrip, gpu] = [await onGpu(small), await onGpu(large)];
  if (!roundTrip.ok) return roundTrip;
  if (!gpu.ok) return gpu;
  return ok(
    crossoverOf({ roundTrip: roundTrip.value, gpu: gpu.value, cpu: onCpu(kernels, now), work: large * large * large }),
  );
}

/** Solves roundTrip + w/gpuRate = w/cpuRate for w. Times in milliseconds: the round trip, and those of the GPU and CPU for `work` multiply-adds. */
export function crossoverOf(times: { roundTrip: number; gpu: number; cpu: number; work: number }): number {
  const { roundTrip, gpu, cpu, work } = times;
  const gained = (cpu - Math.max(0, gpu - roundTrip)) / work;
  return gained > 0 ? roundTrip / gained : Infinity;
}

function onCpu(kernels: WasmKernels, now: () => number): number {
  const a = valuesOf(large).data as Float32Array;
  let best = Infinity;
  for (let i = 0; i < 4; i++) {
    const begin = now();
    kernels.matmul({ a, b: a, n: large, k: large, m: large });
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
