import { releaseWebGpu, requestWebGpu } from '../../engine/run/backend/webgpu/index';
import type { Result } from '../../engine/index';
import { runParity, type KernelReport } from '../engine/webgpu-parity';
import { runPlans, type PlanReport } from '../engine/webgpu-plans';

/** What the page found; plain JSON. */
export interface PageReport {
  readonly device: string;
  /** The problem's code when software adapters are not allowed, as in the product. */
  readonly strict: string;
  readonly kernels: readonly KernelReport[];
  readonly plans: readonly PlanReport[];
}

/** Bundled, and run in Chromium: the same cases as in Node. */
async function report(): Promise<Result<PageReport>> {
  const strict = await requestWebGpu(navigator.gpu, { allowSoftware: false });
  if (strict.ok) releaseWebGpu(strict.value);
  const opened = await requestWebGpu(navigator.gpu, { allowSoftware: true });
  if (!opened.ok) return opened;
  const device = opened.value;
  const [kernels, plans] = [await runParity(device), await runPlans(device)];
  releaseWebGpu(device);
  const code = strict.ok ? 'none' : (strict.problems[0]?.code ?? '');
  return { ok: true, value: { device: device.name, strict: code, kernels, plans } };
}

Object.assign(globalThis, { report });
