import { compareWithTrace, holdWebGpu, runWebGpu, type WebGpuDevice } from '../../engine/run/backend/webgpu/index';
import { saturate } from '../../engine/run/backend/webgpu/kernel';
import {
  encodeMatrix,
  isSource,
  matrixDefaults,
  planOf,
  runReference,
  sourceValues,
  textDefaults,
  type AttentionSpec,
  type Plan,
  type Result,
  type SpecMatrix,
  type Tensor,
} from '../../engine/index';
import { coveringSpecs } from './covering-specs';
import { compareCase, reference } from './webgpu-parity';

/** What a whole plan on the GPU came to. Plain JSON: it crosses from a page to the test. */
export interface PlanReport {
  readonly name: string;
  readonly steps: number;
  /** Largest error of a step, as a share of its bound, starting from the GPU's own operands. */
  readonly worst: { readonly ratio: number; readonly text: string };
  /** The largest difference from the float32 trace over all steps, and the step. */
  readonly difference: { readonly value: number; readonly step: string };
  readonly failures: readonly string[];
}

const sixty = Array.from({ length: 60 }, (_, i) => `word${i % 37}`).join(' ');
const text = (value: string): AttentionSpec['start'] => ({ from: 'text', text: value, tokenizer: 'words' });
const catSpec: AttentionSpec = { ...textDefaults, dtype: 'float32', start: text('The cat sat on the mat') };
const sixtySpec: AttentionSpec = { ...textDefaults, dtype: 'float32', start: text(sixty) };

/** Numbers that are not round, in a fixed pattern. */
const matrix = (rows: number, columns: number, shift: number): SpecMatrix =>
  encodeMatrix(
    [rows, columns],
    Float64Array.from({ length: rows * columns }, (_, i) => (((i + shift) * 37) % 101) / 50 - 1),
  );
const cross: AttentionSpec = {
  ...matrixDefaults,
  dtype: 'float32',
  start: { from: 'qkv', q: matrix(5, 7, 1), k: matrix(9, 7, 2), v: matrix(9, 3, 3) },
};
const queryFiveSeesNothing = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, () => (i === 4 ? 1 : 0)));

/** Plans by name: every variant that has operations of its own, and the masks. */
export const planSpecs: Readonly<Record<string, AttentionSpec>> = {
  'text, 6 tokens': catSpec,
  'text, 6 tokens, causal': { ...catSpec, mask: 'causal' },
  'text, 6 tokens, float64': { ...catSpec, dtype: 'float64' },
  'text, 60 tokens': sixtySpec,
  'text, 60 tokens, causal, fill −1e9': { ...sixtySpec, mask: 'causal', maskFill: -1e9 },
  'text, 60 tokens, 4 heads, 2 for keys, rotary halves, W_O and biases': {
    ...sixtySpec,
    heads: 4,
    kvHeads: 2,
    positions: 'rope-half',
    mask: 'causal',
    projections: { from: 'random', dK: 8, dV: 6, bias: true },
    outputProjection: { from: 'random', bias: true },
  },
  'text, 60 tokens, rotary pairs, X·Wᵀ, softcap': {
    ...sixtySpec, positions: 'rope-interleaved', convention: 'XWT', softcap: 2,
  }, // prettier-ignore
  'text, 60 tokens, 3 heads, ALiBi, window': {
    ...sixtySpec,
    heads: 3,
    positions: 'alibi',
    mask: { kind: 'window', size: 5, causal: true },
  },
  'X, unscaled': { ...matrixDefaults, dtype: 'float32', scale: 'none', start: { from: 'x', x: matrix(17, 5, 0) } },
  'Q 5×7, K 9×7, V 9×3': cross,
  'Q 5×7, K 9×7, V 9×3, causal at the end': { ...cross, mask: { kind: 'causal', alignment: 'end' } },
  'a row without visible keys, NaN to the output': {
    ...catSpec, mask: { kind: 'boolean', values: queryFiveSeesNothing, trueMeans: 'hidden' },
  }, // prettier-ignore
  'a row without visible keys, 2 heads, zero': {
    ...catSpec, heads: 2, fullyMasked: 'zero', mask: { kind: 'boolean', values: queryFiveSeesNothing, trueMeans: 'hidden' },
  }, // prettier-ignore
  'lowest float64 as fill': { ...catSpec, dtype: 'float64', mask: 'causal', maskFill: 'min' },
  'two sinks, one of −∞, a row without visible keys': {
    ...catSpec, heads: 2, fullyMasked: 'zero', sink: { from: 'given', logits: ['-inf', 0.5] }, mask: { kind: 'boolean', values: queryFiveSeesNothing, trueMeans: 'hidden' },
  }, // prettier-ignore
  'softmax plus one, causal': { ...catSpec, mask: 'causal', sink: { from: 'one' } },
  // Every field beside every other.
  ...Object.fromEntries(coveringSpecs.map(({ name, spec }) => [name, spec])),
};

export async function runPlans(device: WebGpuDevice): Promise<PlanReport[]> {
  const reports: PlanReport[] = [];
  for (const [name, spec] of Object.entries(planSpecs)) reports.push(await planReport(device, name, spec));
  return reports;
}

async function planReport(device: WebGpuDevice, name: string, spec: AttentionSpec): Promise<PlanReport> {
  const none = { name, steps: 0, worst: { ratio: 0, text: '' }, difference: { value: Infinity, step: '' } };
  const plan = planOf(spec);
  if (!plan.ok) return { ...none, failures: [JSON.stringify(plan.problems)] };
  const sources = sourceValues(spec, plan.value);
  const ran = await runWebGpu(device, plan.value, sources);
  const trace = runReference(spec, plan.value);
  if (!ran.ok || !trace.ok) return { ...none, failures: [JSON.stringify(ran.ok ? trace : ran)] };
  const { worst, failures } = checkSteps(plan.value, sources, ran.value);
  const { value, step } = compareWithTrace(plan.value, trace.value, ran.value);
  const held = await readHeld(device, plan.value, sources);
  if (!held.ok) return { ...none, failures: [JSON.stringify(held)] };
  const inOne = compareWithTrace(plan.value, trace.value, held.value);
  return {
    name,
    steps: held.value.size,
    worst,
    difference: inOne.value > value ? inOne : { value, step },
    failures,
  };
}

/** Every step read one by one from what is held: weights and output come from one launch where they can, scores only then. */
async function readHeld(
  device: WebGpuDevice,
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
): Promise<Result<Map<string, Float32Array>>> {
  const held = await holdWebGpu(device, plan, sources, { fuseFrom: 0 });
  if (!held.ok) return held;
  const values = new Map<string, Float32Array>();
  for (const { id, call } of [...plan.steps].reverse()) {
    if (isSource(call)) continue;
    const part = await held.value.read(id);
    if (!part.ok) return part;
    values.set(id, part.value);
  }
  held.value.release();
  return { ok: true, value: values };
}

/** Each step against the reference on the operands that the GPU itself had. */
export function checkSteps(
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  values: ReadonlyMap<string, Float32Array>,
): Pick<PlanReport, 'worst' | 'failures'> {
  const float32 = new Map<string, Tensor>();
  let worst = { ratio: 0, text: 'every bit equal' };
  const failures: string[] = [];
  for (const { id, call, operands, shape } of plan.steps) {
    const data = values.get(id) ?? Float32Array.from(sources.get(id)?.data ?? []);
    float32.set(id, { dtype: 'float32', shape, data });
    if (isSource(call)) continue;
    const tensors = operands.map((operand) => float32.get(operand)).filter((t) => t !== undefined);
    const exact = call.op === 'mask' ? { ...call, fill: saturate(call.fill) } : call;
    const result = compareCase(exact, tensors, reference(exact, tensors), values.get(id));
    if (result.worst.ratio > worst.ratio) worst = { ...result.worst, text: `${id}: ${result.worst.text}` };
    if (result.failure) failures.push(`${id}: ${result.failure}`);
  }
  return { worst, failures };
}
