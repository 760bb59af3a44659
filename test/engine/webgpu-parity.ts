import { referenceKernels, rotationOf } from '../../engine/run/backend/reference';
import type { WebGpuDevice } from '../../engine/run/backend/webgpu/index';
import type { GpuStep } from '../../engine/run/backend/webgpu/steps';
import { runSteps } from '../../engine/run/backend/webgpu/run';
import { operations, type BackendCall, type OperationName, type Tensor } from '../../engine/index';
import { casesOf, type Case } from './webgpu-cases';

/** What the parity of one kernel came to. Plain JSON: it crosses from a page to the test. */
export interface KernelReport {
  readonly op: string;
  readonly cases: number;
  readonly values: number;
  /** The largest error as a share of its bound (0 where every bit is equal), and where it is. */
  readonly worst: { readonly ratio: number; readonly text: string };
  /** The first failures: case, index, expected, actual, bound; or the Problem that came instead of values. */
  readonly failures: readonly string[];
}

const epsilon = 2 ** -23;
/** WGSL may take denormals for 0, in operands as in results. */
const flush = 2 ** -126;

type Kernel = (call: BackendCall, operands: readonly Tensor[], shape: readonly number[], dtype: 'float32') => Tensor;

/** What the reference backend gives for a call, in float32. */
export const reference = (call: BackendCall, operands: readonly Tensor[]): Tensor =>
  (referenceKernels[call.op] as Kernel)(call, operands, shapeOf(call, operands), 'float32');

const shapeOf = (call: BackendCall, operands: readonly Tensor[]): readonly number[] =>
  operations[call.op].shape(
    call as never,
    operands.map((t) => t.shape),
  );

/**
 * Runs the cases (or one in `every`) of each operation of the table; an operation that they do not know is reported with
 * 0 cases.
 */
export async function runParity(device: WebGpuDevice, every = 1): Promise<KernelReport[]> {
  const reports: KernelReport[] = [];
  for (const op of Object.keys(operations)) reports.push(await kernelReport(device, op as OperationName, every));
  return reports;
}

async function kernelReport(device: WebGpuDevice, op: OperationName, every: number): Promise<KernelReport> {
  const known: Partial<typeof casesOf> = casesOf;
  const cases = (known[op]?.() ?? []).filter((c, i) => c.call.op === op && i % every === 0);
  let values = 0;
  let worst = { ratio: 0, text: 'every bit equal' };
  const failures: string[] = [];
  for (const c of cases) {
    const result = await runCase(device, c);
    values += result.values;
    if (result.worst.ratio > worst.ratio) worst = result.worst;
    if (result.failure) failures.push(`${c.name}: ${result.failure}`);
  }
  return { op, cases: cases.length, values, worst, failures: failures.slice(0, 5) };
}

interface CaseResult {
  readonly values: number;
  readonly worst: { readonly ratio: number; readonly text: string };
  readonly failure?: string;
}

const none = { ratio: 0, text: '' };
const stepFor = (id: string, t: Pick<Tensor, 'shape'>, call: GpuStep['call'], operands: readonly string[] = []): GpuStep => ({
  id, symbol: id, call, operands, shape: t.shape, rowLabels: [],
}); // prettier-ignore

/**
 * The case as steps: its operands, what the first one passes on its way, the call itself. The reference starts from what the
 * GPU made of the first operand, so that each kernel answers for its own error alone.
 */
async function runCase(device: WebGpuDevice, c: Case): Promise<CaseResult> {
  const steps: GpuStep[] = [];
  const sources = new Map<string, Tensor>();
  const give = (value: Tensor): string => {
    const id = `source${steps.length}`;
    steps.push(stepFor(id, value, { op: 'given', path: '' }));
    sources.set(id, value);
    return id;
  };
  const [first = '', ...others] = c.operands.map(give);
  let passed = first;
  for (const { call, more } of c.prelude ?? []) {
    const operands = [passed, ...more.map(give)];
    passed = `step${steps.length}`;
    steps.push(stepFor(passed, { shape: c.operands[0]?.shape ?? [] }, call, operands));
  }
  const shape = shapeOf(c.call, c.operands);
  steps.push(stepFor('result', { shape }, c.call, [passed, ...others]));
  const ran = await runSteps(device, steps, sources, { steps: [passed, 'result'] });
  if (!ran.ok) return { values: 0, worst: none, failure: JSON.stringify(ran.problems) };
  const operands = c.operands.map((t, i) => (i === 0 ? { ...t, data: ran.value.get(passed) ?? t.data } : t));
  return compareCase(c.call, operands, reference(c.call, operands), ran.value.get('result'));
}

/** Every value against its bound; NaN and infinities must be the same ones. */
export function compareCase(
  call: BackendCall,
  operands: readonly Tensor[],
  expected: Tensor,
  actual: Float32Array | undefined,
): CaseResult {
  if (actual?.length !== expected.data.length) {
    return { values: 0, worst: none, failure: `${actual?.length} values, expected ${expected.data.length}` };
  }
  const bound = boundsOf(call, operands, expected);
  let worst = none;
  for (let i = 0; i < actual.length; i++) {
    const [x, y] = [actual[i] as number, expected.data[i] as number];
    if (Object.is(x, y)) continue;
    const limit = bound(i);
    if (Number.isNaN(limit))
      return { values: i, worst, failure: `value ${i} of ${expected.shape.join('×')} has no bound` };
    const error = Math.abs(x - y);
    const ratio = error <= limit ? error / limit : limit > 0 && Number.isFinite(error) ? error / limit : Infinity;
    const text = `value ${i} of ${expected.shape.join('×')}: ${x}, expected ${y}, bound ${limit}`;
    if (ratio > worst.ratio) worst = { ratio, text };
  }
  const failure = worst.ratio > 1 ? { failure: worst.text } : {};
  return { values: actual.length, worst, ...failure };
}

type Bound = (i: number) => number;

/**
 * |error| against the reference in float32.
 * - lookup, mask, identity, and what only moves heads: 0, every bit.
 * - add: ε|x|, one unit in the last place (WGSL rounds correctly, but need not round to nearest).
 * - divide: 3ε|x| (WGSL: 2.5 ulp, and the reference half of one).
 * - matmul: c·k·ε·Σ|terms| with c = 1: k·ε/2 each side, in whatever order.
 * - softmax: (m + 8)·ε·weight; softcap: 10·ε·|x|, as their kernels' headers count it.
 * - rope: 2·ε·(|x·cos| + |y·sin|).
 * Each with what flushing denormals may cost.
 */
function boundsOf(call: BackendCall, [a, b]: readonly Tensor[], expected: Tensor): Bound {
  const size = (i: number): number => Math.abs(expected.data[i] as number);
  switch (call.op) {
    case 'add':
      return (i) => epsilon * size(i) + 2 * flush;
    case 'divide':
      return (i) => 3 * epsilon * size(i) + flush * (1 + 1 / Math.abs(call.by));
    case 'softmax':
      return (i) => ((expected.shape.at(-1) ?? 1) + 8) * epsilon * size(i) + 2 * flush;
    case 'softcap':
      return (i) => 10 * epsilon * size(i) + flush * (2 + call.cap);
    case 'rope':
      return a && b ? ropeBound(call.layout, a, b) : () => 0;
    case 'matmul':
      return a && b ? productBound(call.transposeB, a, b, expected) : () => 0;
    default:
      return () => 0;
  }
}

/** Rotations: a row of cosines and one of sines for each row of an input, as many numbers as there are pairs. Columns beyond the pairs stay. */
function ropeBound(layout: 'interleaved' | 'half', a: Tensor, rotations: Tensor): Bound {
  const [n, d] = [a.shape.at(-2) ?? 1, a.shape.at(-1) ?? 1];
  const pairs = rotations.shape.at(-1) ?? 0;
  const span = a.data.length / rotations.shape.slice(0, -2).reduce((x, y) => x * y, 1);
  return (i) => {
    const column = i % d;
    if (column >= 2 * pairs) return 0;
    const { partner, pair } = rotationOf(layout, column, 2 * pairs);
    const row = Math.floor(i / span) * n + (Math.floor(i / d) % n);
    const cosine = rotations.data[2 * row * pairs + pair] as number;
    const sine = rotations.data[(2 * row + 1) * pairs + pair] as number;
    const [x, y] = [a.data[i] as number, a.data[i - column + partner] as number];
    return 2 * epsilon * (Math.abs(x * cosine) + Math.abs(y * sine)) + 6 * flush;
  };
}

function productBound(transposeB: boolean, a: Tensor, b: Tensor, expected: Tensor): Bound {
  const k = a.shape.at(-1) ?? 0;
  const [n, m] = [expected.shape.at(-2) ?? 1, expected.shape.at(-1) ?? 1];
  return (i) => {
    const [row, column, batch] = [Math.floor(i / m), i % m, Math.floor(i / (n * m))];
    const start = b.data.length === k * m ? 0 : batch * k * m;
    let [terms, flushed] = [0, 0];
    for (let t = 0; t < k; t++) {
      const x = Math.abs(a.data[row * k + t] as number);
      const y = Math.abs(b.data[start + (transposeB ? column * k + t : t * m + column)] as number);
      terms += x * y;
      flushed += flush * (x + y + 2);
    }
    return k * epsilon * terms + flushed;
  };
}
