import { fail, ok, type Problem, type Result } from '../../../text';

export interface WebGpuDevice {
  readonly gpu: GPUDevice;
  /** Vendor and architecture as the browser tells them, for people: `nvidia ampere`, `google swiftshader`. */
  readonly name: string;
  readonly software: boolean;
  /** The largest buffer that a kernel can bind. */
  readonly maxBufferBytes: number;
  /** Workgroups of a dispatch, in each dimension. */
  readonly maxGroups: number;
  /** By the shader's name; compiled once for a device, for as many runs as it serves. */
  readonly pipelines: Map<string, Promise<Result<GPUComputePipeline>>>;
  /** Fulfilled, once, when the device is lost; stays pending after `releaseWebGpu`. */
  readonly lost: Promise<Problem>;
  readonly state: DeviceState;
}

export interface DeviceState {
  /** Why nothing runs on this device any more. */
  loss?: Problem;
  released: boolean;
}

export interface WebGpuRequest {
  /** Whether a software adapter will do: for tests. It is slower than our own CPU paths. */
  readonly allowSoftware: boolean;
}

/**
 * A device of `navigator.gpu`, which is undefined where the page has no WebGPU. Problems: `no-webgpu`, `no-adapter`,
 * `software-adapter`, `device-refused`.
 */
export async function requestWebGpu(gpu: GPU | undefined, request: WebGpuRequest): Promise<Result<WebGpuDevice>> {
  if (!gpu) return fail({ code: 'no-webgpu', message: 'no WebGPU here (navigator.gpu is missing)' });
  const adapter = await attempt(() => gpu.requestAdapter());
  if ('error' in adapter) return fail(noAdapter(`: ${adapter.error}`));
  if (!adapter.value) return fail(noAdapter(''));
  const name = nameOf(adapter.value.info);
  const software = isSoftware(adapter.value);
  if (software && !request.allowSoftware) return fail(softwareAdapter(name));
  return openDevice(adapter.value, name, software);
}

const noAdapter = (reason: string): Problem => ({
  code: 'no-adapter',
  message: `WebGPU found no adapter${reason}`,
  hint: 'A graphics driver is missing, blocked or switched off.',
});

const softwareAdapter = (name: string): Problem => ({
  code: 'software-adapter',
  message: `the only WebGPU adapter is software: ${name}`,
  hint: 'It would be slower than the CPU path.',
});

async function openDevice(adapter: GPUAdapter, name: string, software: boolean): Promise<Result<WebGpuDevice>> {
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  // The defaults of the standard stop at 128 MB a binding; ask for what the adapter has.
  const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize };
  const opened = await attempt(() => adapter.requestDevice({ requiredLimits }));
  if ('error' in opened) {
    return fail({ code: 'device-refused', message: `${name} gave no WebGPU device: ${opened.error}` });
  }
  const gpu = opened.value;
  const state: DeviceState = { released: false };
  return ok({
    gpu,
    name,
    software,
    maxBufferBytes: Math.min(gpu.limits.maxBufferSize, gpu.limits.maxStorageBufferBindingSize),
    maxGroups: gpu.limits.maxComputeWorkgroupsPerDimension,
    pipelines: new Map(),
    lost: watchLoss(gpu, name, state),
    state,
  });
}

function watchLoss(gpu: GPUDevice, name: string, state: DeviceState): Promise<Problem> {
  return new Promise((resolve) => {
    void gpu.lost.then(({ reason, message }) => {
      state.loss ??= { code: 'device-lost', message: `${name} was lost (${reason}): ${message}` };
      if (!state.released) resolve(state.loss);
    });
  });
}

/** Gives the device back, with everything on it. Runs in progress end with `device-lost`. */
export function releaseWebGpu(device: WebGpuDevice): void {
  device.state.released = true;
  device.state.loss ??= { code: 'device-lost', message: `${device.name} was released` };
  device.gpu.destroy();
}

// SwiftShader (Chromium), llvmpipe and lavapipe (Mesa), WARP (“Microsoft Basic Render Driver”, Windows).
const softwareNames = /swiftshader|llvmpipe|lavapipe|\bwarp\b|basic render|\bsoftware\b/i;

function isSoftware(adapter: GPUAdapter): boolean {
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  // Older browsers have the flag on the adapter itself.
  const older = (adapter as { readonly isFallbackAdapter?: boolean }).isFallbackAdapter;
  if (isFallbackAdapter || older) return true;
  return softwareNames.test([vendor, architecture, device, description].join(' '));
}

/** Browsers leave out what would identify a person, so any of it may be empty. */
function nameOf({ vendor, architecture, description }: GPUAdapterInfo): string {
  return [vendor, architecture].filter(Boolean).join(' ') || description || 'unnamed adapter';
}

export type Attempt<T> = { readonly value: T } | { readonly error: string };

/** For calls that the environment, not we, may make fail. */
export async function attempt<T>(call: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
