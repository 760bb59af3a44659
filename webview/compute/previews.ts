import { heldLimit, isSource, t, type Plan, type Problem, type Step } from '../../engine/index';
import { recallCrossover, rememberCrossover } from './crossover';
import { Stopped, type Difference, type Previewed, type PreviewRequest, type Remote } from './remote';
import type { ComputeReport } from '../trace';
import { startWorker, type BackendSetting, type Run } from './job';

/* Previews in float32: when there is one, who computes it, and how far it is from the exact values. */

/**
 * Multiply-adds from which on a GPU, or WebAssembly where there is none, draws a preview while the exact values are computed. A constant
 * of the design: it does not depend on the hardware, so everyone sees the same kind of picture for the same input.
 */
const gpuBorder = 1 << 24;

/** `cpu` never asks for a GPU, `webgpu` always does, on a software adapter too. */
export const wantsGpu = (plan: Plan, backend: BackendSetting): boolean =>
  backend === 'webgpu' || (backend === 'auto' && plan.multiplyAdds >= gpuBorder);

/** Of a plan whose n×m steps are not held, the overview is the preview. */
export const wantsPreview = (plan: Plan, backend: BackendSetting): boolean =>
  plan.bytes <= heldLimit && (wantsGpu(plan, backend) || plan.multiplyAdds >= gpuBorder);

function previewRequest(plan: Plan, backend: BackendSetting): PreviewRequest {
  const crossover = recallCrossover();
  return {
    gpu: backend === 'cpu' ? 'never' : backend === 'webgpu' ? 'any' : 'hardware',
    wasm: plan.multiplyAdds >= gpuBorder,
    ...(crossover !== undefined && { crossover }),
  };
}

export interface Found {
  readonly remote: Remote;
  readonly computed: Previewed;
}
export type Preview = Found | { readonly remote?: never; readonly problem: Problem };

/** Why there was no GPU, in two words; the problem's message has the rest. */
const reasons: Readonly<Record<string, string>> = {
  'no-webgpu': t('no WebGPU'),
  'no-adapter': t('no adapter'),
  'software-adapter': t('software adapter'),
  'device-refused': t('device refused'),
  'device-lost': t('device lost'),
  'out-of-memory': t('out of memory'),
  'non-finite-input': t('NaN or infinity in the input'),
};

/** Computes with WebGPU or WebAssembly in a worker of its own, so that the page and the exact computation go on. */
export async function startPreview(run: Run): Promise<Preview> {
  const remote = previewWorker(run);
  try {
    const result = await remote.preview(run.spec, previewRequest(run.plan, run.backend));
    if (result.ok) {
      rememberCrossover(result.value.crossover);
      return { remote, computed: result.value };
    }
    remote.stop();
    return { problem: result.problems[0] ?? { code: 'gpu-error', message: t('no reason given') } };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { problem: { code: 'gpu-error', message: error instanceof Error ? error.message : String(error) } };
  }
}

function previewWorker(run: Run): Remote {
  const { job, idle } = run;
  const rested = idle.worker;
  if (!rested) return startWorker(run, false);
  idle.worker = undefined;
  job.remotes.push(rested);
  return rested;
}

/** A job that was stopped has ended its workers; another may have left one to rest meanwhile. */
function letRest({ job, idle }: Run, remote: Remote): void {
  if (job.stopped) return;
  job.remotes.splice(job.remotes.indexOf(remote), 1);
  if (idle.worker) remote.stop();
  else idle.worker = remote;
}

export type ComparePart = (step: Step, from: number, values: Float32Array) => Promise<number>;

/** Values that are compared at a time: 4 MB. */
const comparedAtOnce = 1 << 20;

/** All steps of a preview, part by part: no more of it is ever in the page than one of them. */
async function compareAll({ plan }: Run, preview: Remote, compare: ComparePart): Promise<Difference> {
  let worst: Difference = { value: 0, step: '' };
  for (const step of plan.steps) {
    if (isSource(step.call)) continue;
    const columns = step.shape.at(-1) ?? 1;
    const size = step.shape.reduce((a, b) => a * b, 1);
    const part = Math.max(1, Math.floor(comparedAtOnce / columns)) * columns;
    for (let from = 0; from < size; from += part) {
      const value = await compare(step, from, await preview.values(step.id, from, Math.min(from + part, size)));
      if (worst.step === '' || value > worst.value) worst = { value, step: step.id };
    }
  }
  return worst;
}

export async function reportWithPreview(
  run: Run,
  report: ComputeReport,
  previewing: Promise<Preview>,
  compare: ComparePart,
): Promise<void> {
  const { backend, events } = run;
  const preview = await previewing;
  if (!preview.remote) return events.onReport({ ...report, ...fallbackFor(backend, preview.problem) });
  const difference = await compareAll(run, preview.remote, compare);
  const { by, noGpu } = await preview.remote.releasePreview();
  letRest(run, preview.remote);
  events.onReport({ ...report, ...fallbackFor(backend, noGpu), ran: `${by} + CPU`, difference });
}

/** Nobody asked for a GPU: then none is missed. */
const fallbackFor = (
  backend: BackendSetting,
  because: Problem | undefined,
): Pick<ComputeReport, 'fallback' | 'fallbackDetail'> => (backend !== 'cpu' && because ? fallbackOf(because) : {});

const fallbackOf = ({ code, message }: Problem): Pick<ComputeReport, 'fallback' | 'fallbackDetail'> => ({
  fallback: reasons[code] ?? message,
  fallbackDetail: message,
});
