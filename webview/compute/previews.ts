import {
  heldLimit,
  isHalf,
  isSource,
  t,
  type AttentionSpec,
  type Plan,
  type Problem,
  type Step,
} from '../../engine/index';
import { recallCrossover, rememberCrossover } from './crossover';
import { Stopped, type Difference, type Previewed, type PreviewRequest, type Remote } from './remote';
import type { ComputeReport } from '../trace';
import { startWorker, type BackendSetting, type Run } from './job';

/* float32 previews: whether there is one, who computes it, and how far it is from the exact values. */

/**
 * Number of multiply-adds from which a preview is drawn while the exact values are computed. A fixed constant, independent of the hardware, so that
 * everyone sees the same kind of picture for the same input.
 */
const previewThreshold = 1 << 24;

/** `cpu` never uses a GPU, `webgpu` always does, even a software adapter. */
export const wantsGpu = (plan: Plan, backend: BackendSetting): boolean =>
  backend === 'webgpu' || (backend === 'auto' && plan.multiplyAdds >= previewThreshold);

/** Previews do not round to float16 or bfloat16: such a spec is computed by the CPU alone, and the badge says so. */
const noHalf = ({ dtype }: AttentionSpec): Problem => ({
  code: 'half',
  message: t('{0} is computed by the CPU only', dtype),
});

/** A plan whose n×m steps are not held in memory has no preview: it has an overview. */
export const wantsPreview = (plan: Plan, backend: BackendSetting): boolean =>
  plan.bytes <= heldLimit && (wantsGpu(plan, backend) || plan.multiplyAdds >= previewThreshold);

function previewRequest(plan: Plan, backend: BackendSetting): PreviewRequest {
  const crossover = recallCrossover();
  return {
    gpu: backend === 'cpu' ? 'never' : backend === 'webgpu' ? 'any' : 'hardware',
    wasm: plan.multiplyAdds >= previewThreshold,
    ...(crossover !== undefined && { crossover }),
  };
}

export interface Found {
  readonly remote: Remote;
  readonly computed: Previewed;
}
export type Preview = Found | { readonly remote?: never; readonly problem: Problem };

/** Short reasons for having no GPU, by problem code. The problem's message has the details. */
const reasons: Readonly<Record<string, string>> = {
  'no-webgpu': t('no WebGPU'),
  'no-adapter': t('no adapter'),
  'software-adapter': t('software adapter'),
  'device-refused': t('device refused'),
  'device-lost': t('device lost'),
  'out-of-memory': t('out of memory'),
  'non-finite-input': t('NaN or infinity in the input'),
};

/** Starts a preview in a worker of its own, in parallel with the exact computation. */
export async function startPreview(run: Run): Promise<Preview> {
  if (isHalf(run.spec.dtype)) return { problem: noHalf(run.spec) };
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
  const kept = idle.worker;
  if (!kept) return startWorker(run, false);
  idle.worker = undefined;
  job.remotes.push(kept);
  return kept;
}

/** Keeps a preview's worker for the next preview, unless the job was stopped, which ends its workers, or another is kept already. */
function keepIdle({ job, idle }: Run, remote: Remote): void {
  if (job.stopped) return;
  job.remotes.splice(job.remotes.indexOf(remote), 1);
  if (idle.worker) remote.stop();
  else idle.worker = remote;
}

export type ComparePart = (step: Step, from: number, values: Float32Array) => Promise<number>;

/** Values per chunk of a comparison: 4 MB. */
const valuesPerChunk = 1 << 20;

/** Compares all steps of a preview in chunks, so that the page never holds more than one of them. */
async function compareAll({ plan }: Run, preview: Remote, compare: ComparePart): Promise<Difference> {
  let worst: Difference = { value: 0, step: '' };
  for (const step of plan.steps) {
    if (isSource(step.call)) continue;
    const columns = step.shape.at(-1) ?? 1;
    const size = step.shape.reduce((a, b) => a * b, 1);
    const part = Math.max(1, Math.floor(valuesPerChunk / columns)) * columns;
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
  keepIdle(run, preview.remote);
  events.onReport({ ...report, ...fallbackFor(backend, noGpu), ran: `${by} + CPU`, difference });
}

/** Without a requested GPU there is no fallback to report. */
const fallbackFor = (
  backend: BackendSetting,
  because: Problem | undefined,
): Pick<ComputeReport, 'fallback' | 'fallbackDetail'> => (backend !== 'cpu' && because ? fallbackOf(because) : {});

const fallbackOf = ({ code, message }: Problem): Pick<ComputeReport, 'fallback' | 'fallbackDetail'> => ({
  fallback: reasons[code] ?? message,
  fallbackDetail: message,
});
