import {
  fail,
  holdWebGpu,
  measureCrossover,
  ok,
  readHeldTile,
  releaseWebGpu,
  requestWebGpu,
  runWasm,
  sourceValues,
  t,
  traceOf,
  wasmKernels,
  type AttentionSpec,
  type GpuHeld,
  type Plan,
  type Problem,
  type Result,
  type Tensor,
  type Tile,
  type TileRequest,
  type WebGpuDevice,
} from '../../engine/index';
import type { GpuValues, PreviewRequest, RanBy } from './remote';

/*
 * A preview, in its worker. Values that WebGPU computed stay on the GPU and are read back on demand; if the GPU is lost, WebAssembly computes them
 * again. The device and its compiled kernels are kept for the next preview.
 */

export interface Preview {
  /** Rejected if the values are lost on the GPU and WebAssembly cannot compute them either. */
  read(step: string, request: TileRequest | undefined): Promise<Tile>;
  /** Values `from` (inclusive) to `to` (exclusive) of a step. */
  values(step: string, from: number, to: number): Promise<Float32Array>;
  ran(): RanBy;
  release(): void;
}

interface Input {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly sources: ReadonlyMap<string, Tensor>;
  readonly wish: PreviewRequest;
}

/** Computes a preview with WebGPU or, if that is missing, not allowed or slower, with WebAssembly. */
export async function previewOf(spec: AttentionSpec, plan: Plan, wish: PreviewRequest): Promise<Result<Preview>> {
  const input = { spec, plan, sources: sourceValues(spec, plan), wish };
  const { gpu, wasm } = wish;
  const onGpu = gpu === 'never' ? undefined : await holdOnGpu(input);
  if (onGpu?.ok && onGpu.value) return ok(gpuPreview(input, onGpu.value));
  const problem = onGpu && !onGpu.ok ? onGpu.problems[0] : undefined;
  if (!wasm)
    return fail(
      problem ?? { code: 'no-preview', message: t('neither WebGPU nor WebAssembly is allowed by the settings') },
    );
  const onWasm = wasmPreview(input, problem);
  // If both fail, the GPU's problem is the more informative one.
  return onWasm.ok || !problem ? onWasm : fail(problem);
}

// --- WebGPU ------------------------------------------------------------------------------

let device: WebGpuDevice | undefined;
/** Multiply-adds from which this machine's GPU is faster, if measured. */
let crossover: number | undefined;

async function openDevice(allowSoftware: boolean): Promise<Result<WebGpuDevice>> {
  if (device && !device.state.loss && (allowSoftware || !device.software)) return ok(device);
  if (device && !device.state.loss) releaseWebGpu(device);
  const opened = await requestWebGpu(navigator.gpu, { allowSoftware });
  device = opened.ok ? opened.value : undefined;
  return opened;
}

/** Holds the values on the GPU. Undefined if WebAssembly is faster, which is not a problem. */
async function holdOnGpu({ plan, sources, wish }: Input): Promise<Result<GpuHeld | undefined>> {
  crossover ??= wish.crossover;
  const slower = (): boolean => wish.gpu === 'hardware' && crossover !== undefined && plan.multiplyAdds < crossover;
  if (slower()) return ok(undefined);
  const opened = await openDevice(wish.gpu === 'any');
  if (!opened.ok) return opened;
  if (wish.gpu === 'hardware' && wish.wasm && crossover === undefined) {
    const own = wasmKernels();
    const measured =
      own.build === 'plain' ? undefined : await measureCrossover(opened.value, own, () => performance.now());
    if (measured && !measured.ok) return measured;
    crossover = measured?.value;
    if (slower()) return ok(undefined);
  }
  return holdWebGpu(opened.value, plan, sources);
}

function gpuPreview(input: Input, held: GpuHeld): Preview {
  let other: Preview | undefined;
  /** Replaces the GPU's values by WebAssembly's, after the GPU failed. */
  const fallBackToWebAssembly = (problems: readonly Problem[]): Preview => {
    const made = wasmPreview(input, problems[0]);
    if (!made.ok) throw new Error(problems[0]?.message ?? '');
    held.release();
    return (other = made.value);
  };
  return {
    async read(step, request) {
      if (other) return other.read(step, request);
      const tile = await readHeldTile(input.plan, input.sources, held, step, request);
      return tile.ok ? tile.value : (other ?? fallBackToWebAssembly(tile.problems)).read(step, request);
    },
    async values(step, from, to) {
      if (other) return other.values(step, from, to);
      const part = await held.read(step, [from, to]);
      return part.ok ? part.value : (other ?? fallBackToWebAssembly(part.problems)).values(step, from, to);
    },
    ran: () => other?.ran() ?? { by: 'WebGPU', ...(crossover !== undefined && { crossover }) },
    release: () => (other ?? held).release(),
  };
}

// --- WebAssembly -----------------------------------------------------------------------

/** Fails without WebAssembly: plain JavaScript would take as long as the exact computation. */
function wasmPreview({ spec, plan, sources }: Input, noGpu: Problem | undefined): Result<Preview> {
  const own = wasmKernels();
  if (own.build === 'plain') return fail({ code: 'no-wasm', message: t('WebAssembly is missing or refused') });
  const found = runWasm(plan, sources, own);
  if (!found.ok) return found;
  let values: GpuValues = found.value;
  const trace = traceOf(spec, plan, tensorsOf(plan, sources, values), []);
  const ran: RanBy = { by: 'WASM', ...(noGpu && { noGpu }), ...(crossover !== undefined && { crossover }) };
  return ok({
    read: async (step, request) => trace.read(step, request),
    values: async (step, from, to) => (values.get(step) ?? new Float32Array()).slice(from, to),
    ran: () => ran,
    release: () => (values = new Map()),
  });
}

function tensorsOf(plan: Plan, sources: ReadonlyMap<string, Tensor>, values: GpuValues): Map<string, Tensor> {
  const tensors = new Map(sources);
  for (const { id, shape } of plan.steps) {
    const data = values.get(id);
    if (data) tensors.set(id, { dtype: 'float32', shape, data });
  }
  return tensors;
}
