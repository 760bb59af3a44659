import { log } from '../math';
import type { Step } from '../plan';
import type { AttentionTrace } from '../trace';
import { costs, type Costs } from './costs';
import { allOf, find } from './find';
import { maskedAfter, type MaskedAfter } from './masking';
import { meetingAt, type Meeting } from './meeting';
import { overflow, type Overflow } from './overflow';
import { propertyOf, type Property } from './properties';
import { scaleEffect, widthSweep, type ScalePoint, type WidthPoint } from './scale';
import { sharpness, type RowSharpness } from './sharpness';
import { scoreVariance, type ScoreVariance } from './variance';

/** One reason that stands beside a step, with the user's own numbers. */
export type Insight =
  | { readonly kind: 'meeting'; readonly meeting: Meeting }
  | { readonly kind: 'variance'; readonly variance: ScoreVariance }
  /** What the user's scores become under divisors around the one in use (`divideBy`). */
  | { readonly kind: 'scale'; readonly points: readonly ScalePoint[]; readonly divideBy: number; readonly keys: number }
  | { readonly kind: 'widths'; readonly points: readonly WidthPoint[]; readonly tokens: number }
  | { readonly kind: 'maskedAfter'; readonly after: MaskedAfter; readonly row: string }
  | { readonly kind: 'sharpness'; readonly row: RowSharpness; readonly most: number; readonly keys: number }
  | { readonly kind: 'overflow'; readonly overflow: Overflow; readonly dtype: 'float32' | 'float64' }
  | { readonly kind: 'property'; readonly property: Property }
  | {
      readonly kind: 'heads';
      readonly heads: number;
      readonly kvHeads: number;
      readonly width: number;
      readonly joined: number;
    }
  | { readonly kind: 'cross'; readonly queries: number; readonly keys: number }
  | { readonly kind: 'costs'; readonly costs: Costs; readonly tokens: number; readonly width: number };

/** Values of a step beyond this are not gone through for a reason: 2^22 doubles, 32 MB. */
const mostValues = 1 << 22;

/**
 * The reasons that belong to a step, for a cell of it (`index` as in `trace.value`). Steps without any give an empty list, as
 * do traces whose matrices are larger than 2^22 numbers.
 */
export function insightsAt(trace: AttentionTrace, stepId: string, index: readonly number[]): Insight[] {
  const step = find(trace, stepId);
  if (!step) return [];
  const largest = trace.plan.steps.reduce(
    (most, s) =>
      Math.max(
        most,
        s.shape.reduce((a, b) => a * b, 1),
      ),
    0,
  );
  if (largest > mostValues) return [];
  return [...(cellReasons[stepId]?.(trace, step, index) ?? []), ...stepReasonsOf(trace, step)].filter(isFound);
}

const isFound = (insight: Insight | undefined): insight is Insight => insight !== undefined;

/** What a trace says of its steps, whatever the cell: a reader who walks over cells has it computed once. */
const known = new WeakMap<AttentionTrace, Map<string, (Insight | undefined)[]>>();

function stepReasonsOf(trace: AttentionTrace, step: Step): (Insight | undefined)[] {
  const steps = known.get(trace) ?? new Map<string, (Insight | undefined)[]>();
  known.set(trace, steps);
  const about = stepReasons[step.id] ?? (/^[qkv]/.test(step.id) ? aboutLanes : undefined);
  const found = steps.get(step.id) ?? about?.(trace, step) ?? [];
  steps.set(step.id, found);
  return found;
}

/** Reasons that are about the cell. */
const cellReasons: Readonly<
  Record<string, (trace: AttentionTrace, step: Step, index: readonly number[]) => (Insight | undefined)[]>
> = {
  scores: (trace, _, index) => {
    const meeting = meetingAt(trace, index);
    return [meeting && { kind: 'meeting', meeting }];
  },
  weights: (trace, step, index) => [sharpnessAt(trace, step, index)],
};

type About = (trace: AttentionTrace, step: Step) => (Insight | undefined)[];

const stepReasons: Readonly<Record<string, About>> = {
  positions: (trace) => [propertyAt(trace, 'permutation-equivariant')],
  x: (trace) => [propertyAt(trace, 'permutation-equivariant')],
  scores: (trace) => {
    const spread = scoreVariance(trace);
    return [spread && { kind: 'variance', variance: spread }, propertyAt(trace, 'scores-symmetric')];
  },
  scaled: (trace, step) => {
    const spread = scoreVariance(trace);
    const tokens = step.shape.at(-2) ?? 1;
    return [
      spread && { kind: 'variance', variance: spread },
      scaleOf(trace, step),
      { kind: 'widths', points: widthSweep(tokens), tokens: Math.max(2, Math.min(64, tokens)) },
    ];
  },
  masked: (trace, step) => {
    const after = maskedAfter(trace);
    const rows = step.shape.at(-2) ?? 1;
    const row = after && (step.rowLabels[after.row % rows] ?? String(after.row % rows));
    return [after && row !== undefined ? { kind: 'maskedAfter', after, row } : undefined];
  },
  weights: (trace) => {
    const found = overflow(trace);
    return [
      found && { kind: 'overflow', overflow: found, dtype: trace.spec.dtype },
      propertyAt(trace, 'weights-symmetric'),
      propertyAt(trace, 'causal'),
    ];
  },
  headOutputs: aboutHeads,
  concat: aboutHeads,
  wo: aboutHeads,
  output: (trace, step) => {
    const found = costs(trace);
    const [tokens = 0, width = 0] = step.shape.slice(-2);
    return [
      found && { kind: 'costs', costs: found, tokens, width },
      propertyAt(trace, 'permutation-equivariant'),
      ...(step.call.op === 'concatHeads' ? aboutHeads(trace) : []),
    ];
  },
};

/** Q, K, V and their heads. */
const aboutLanes: About = (trace, step) => {
  const context = find(trace, 'context');
  const crossed = context && {
    kind: 'cross' as const,
    queries: trace.plan.tokens.length,
    keys: context.shape.at(-2) ?? 0,
  };
  return [/^[kv]/.test(step.id) ? crossed : undefined, ...(step.id.length > 1 ? aboutHeads(trace) : [])];
};

function aboutHeads(trace: AttentionTrace): (Insight | undefined)[] {
  const { heads, kvHeads = heads } = trace.spec;
  const step = find(trace, 'headOutputs');
  if (!step || heads < 2) return [];
  const width = step.shape.at(-1) ?? 0;
  return [{ kind: 'heads', heads, kvHeads, width, joined: heads * width }];
}

/** Reversing the tokens means to compute all again: for what takes some milliseconds. */
const mostAgain = 1 << 24;

function propertyAt(trace: AttentionTrace, id: Property['id']): Insight | undefined {
  if (id === 'permutation-equivariant' && trace.plan.multiplyAdds > mostAgain) return undefined;
  const property = propertyOf(trace, id);
  return property && { kind: 'property', property };
}

function scaleOf(trace: AttentionTrace, { call, shape }: Step): Insight | undefined {
  const divideBy = call.op === 'divide' ? call.by : 1;
  const points = scaleEffect(trace, divisorsAround(divideBy));
  return points.length ? { kind: 'scale', points, divideBy, keys: shape.at(-1) ?? 1 } : undefined;
}

/** 41 divisors from a 64th of the one in use to 64 times it, evenly spaced in the logarithm; the middle one is exact. */
function divisorsAround(divideBy: number): number[] {
  const powers = [1];
  for (let i = 1; i <= 20; i++) powers.push((powers[i - 1] as number) * stepOf64);
  return [
    ...powers
      .slice(1)
      .reverse()
      .map((p) => divideBy / p),
    ...powers.map((p) => divideBy * p),
  ];
}

/** 64^(1/20) */
const stepOf64 = 1.2311444133449163;

function sharpnessAt(trace: AttentionTrace, { shape }: Step, index: readonly number[]): Insight | undefined {
  const [n, m] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const lead = index.slice(0, -2);
  const matrix = lead.reduce((at, i, d) => at * (shape.at(d - lead.length - 2) ?? 1) + i, 0);
  const row = index.at(-2) ?? 0;
  const start = (matrix * n + row) * m;
  const p = allOf(trace, 'weights')?.subarray(start, start + m);
  if (!p?.length) return undefined;
  return { kind: 'sharpness', row: { head: matrix, row, ...sharpness(p) }, most: log(m), keys: m };
}
