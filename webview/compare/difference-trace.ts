import { traceOf, t, type Step, type TileRequest } from '../../engine/index';
import { differenceOf, type Readable } from './compare-steps';
import type { TraceHandle } from '../trace';

/** A trace handle and step that a picture draws as a signed matrix of differences. */
export interface DifferencePicture {
  readonly trace: TraceHandle;
  readonly step: Step;
}

/** Makes the picture of current − pinned for a step, with diverging colours around zero. */
export function differencePicture(now: TraceHandle, then: Readable, step: Step): DifferencePicture {
  const { hiddenBy: _, ...rest } = step;
  const shown: Step = {
    ...rest,
    kind: 'signed',
    symbol: `Δ${step.symbol}`,
    call: { op: 'identity' },
    operands: [],
    words: { ...step.words, name: t('{0}, current − pinned', step.words.name) },
  };
  const matrices = new Map<string, Promise<ReturnType<typeof matrixTrace>>>();
  const read = async (id: string, request: TileRequest = {}): ReturnType<TraceHandle['read']> => {
    if (id !== step.id) return now.read(id, request);
    const lead = leadOf(step, request);
    const key = lead.join();
    const matrix = matrices.get(key) ?? differenceOf(now, then, step, lead).then((d) => matrixTrace(now, shown, d));
    matrices.set(key, matrix);
    return (await matrix).read(id, request);
  };
  const steps = now.plan.steps.map((s) => (s.id === step.id ? shown : s));
  return { trace: { ...now, plan: { ...now.plan, steps }, read }, step: shown };
}

function leadOf({ shape }: Step, { batch = 0, head = 0 }: TileRequest): readonly number[] {
  return shape.length > 3 ? [batch, head] : shape.length > 2 ? [head] : [];
}

/** Tiles of one matrix. Hidden cells are treated like others, without hatching. */
function matrixTrace(
  { spec, plan }: TraceHandle,
  shown: Step,
  data: Float64Array,
): Pick<ReturnType<typeof traceOf>, 'read'> {
  const shape = [shown.shape.at(-2) ?? 1, shown.shape.at(-1) ?? 1];
  return traceOf(
    spec,
    { ...plan, steps: [{ ...shown, shape }] },
    new Map([[shown.id, { dtype: 'float64', shape, data }]]),
    [],
  );
}
