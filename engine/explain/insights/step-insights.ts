import { namesApart } from '../../text';
import { log, sizeOf, type Precision } from '../../math';
import type { Plan, Step } from '../../plan';
import { outputHeads, valueHeads } from '../../spec';
import type { AttentionTrace } from '../../run';
import { costs, type Costs } from './costs';
import { decoded, type Decoded } from './decode';
import { findStep } from './trace-values';
import { maskedAfterSoftmaxParts, type MaskedAfterSoftmax } from './masking';
import { scoreGeometryAt, type ScoreGeometry } from './score-geometry';
import { overflowParts, type Overflow } from './overflow';
import { runToEnd, type Parts } from './parts';
import { propertyParts, type Property } from './properties';
import { sampledRows, scaleEffectParts, widthSweepParts, type ScalePoint, type WidthPoint } from './scale';
import { sharpness, type RowSharpness } from './sharpness';
import { scoreVarianceParts, type ScoreVariance } from './variance';

/** An insight that is shown beside a step, with the numbers of the trace. */
export type Insight =
  | { readonly kind: 'meeting'; readonly meeting: ScoreGeometry }
  | { readonly kind: 'variance'; readonly variance: ScoreVariance }
  /** Sharpness of softmax for divisors around the one in use (`divideBy`): means over `taken` evenly spaced rows of `rows`. */
  | {
      readonly kind: 'scale';
      readonly points: readonly ScalePoint[];
      readonly divideBy: number;
      readonly keys: number;
      readonly rows: number;
      readonly taken: number;
    }
  | { readonly kind: 'widths'; readonly points: readonly WidthPoint[]; readonly tokens: number }
  | { readonly kind: 'maskedAfter'; readonly after: MaskedAfterSoftmax; readonly row: string }
  /** `keys`: those that the row sees, of which the largest entropy is `most`. */
  | { readonly kind: 'sharpness'; readonly row: RowSharpness; readonly most: number; readonly keys: number }
  | { readonly kind: 'overflow'; readonly overflow: Overflow; readonly dtype: Precision }
  | { readonly kind: 'property'; readonly property: Property }
  | {
      readonly kind: 'heads';
      readonly heads: number;
      readonly kvHeads: number;
      readonly width: number;
      readonly joined: number;
    }
  | { readonly kind: 'cross'; readonly queries: number; readonly keys: number }
  | { readonly kind: 'costs'; readonly costs: Costs; readonly tokens: number; readonly width: number }
  | { readonly kind: 'decoded'; readonly decoded: Decoded }
  /** Ends a list that is still incomplete: ask again for the others. */
  | { readonly kind: 'more' };

/** Plans with a larger step get no insights: 2^22 doubles are 32 MB. */
const mostValues = 1 << 22;

/**
 * The insights that belong to a step, for one of its cells (`index` as in `trace.value`). Empty for steps without any and for traces with a
 * matrix of more than 2^22 numbers.
 */
export const insightsAt = (trace: AttentionTrace, stepId: string, index: readonly number[]): Insight[] => [
  ...insightsOfCell(trace, stepId, index),
  ...runToEnd(insightsInParts(trace, stepId)),
];

/** Insights that differ from cell to cell. */
export function insightsOfCell(trace: AttentionTrace, stepId: string, index: readonly number[]): Insight[] {
  const step = findStep(trace, stepId);
  if (!step || insightsOfPlan(trace, stepId)) return [];
  return (cellInsights[stepId]?.(trace, step, index) ?? []).filter(isFound);
}

/** The other insights, as pausable work: yields those found so far, returns all. */
export function* insightsInParts(
  trace: AttentionTrace,
  stepId: string,
): Generator<readonly Insight[], readonly Insight[]> {
  const planned = insightsOfPlan(trace, stepId);
  const step = findStep(trace, stepId);
  return planned ?? (step ? yield* stepInsightsOf(trace, step) : []);
}

type Planned = Pick<AttentionTrace, 'spec' | 'plan'>;

/** A step's insights if the plan alone gives them (possibly none); undefined if values have to be read. */
export function insightsOfPlan(of: Planned, stepId: string): Insight[] | undefined {
  const step = of.plan.steps.find(({ id }) => id === stepId);
  // Insights about scale, variance and heads assume the steps of a spec; a program may do anything.
  if (!step || of.spec.start.from === 'program' || largestOf(of.plan) > mostValues) return [];
  const orderAlone = stepId === 'x' || stepId === 'positions';
  if (orderAlone && of.plan.multiplyAdds > mostRecomputed) return [];
  if (Object.hasOwn(stepInsights, stepId)) return undefined;
  if (['headOutputs', 'concat', 'wo'].includes(stepId)) return [headsOf(of)].filter(isFound);
  return /^[qkv]/.test(stepId) ? aboutBranches(of, step).filter(isFound) : [];
}

/** Whether a step's insights differ from cell to cell. */
export const insightsVary = (stepId: string): boolean => Object.hasOwn(cellInsights, stepId);

const largestOf = (plan: Plan): number => plan.steps.reduce((most, { shape }) => Math.max(most, sizeOf(shape)), 0);

const isFound = (insight: Insight | undefined): insight is Insight => insight !== undefined;

/** Cache of the insights that do not depend on the cell. */
const stepInsightCache = new WeakMap<AttentionTrace, Map<string, readonly Insight[]>>();

function* stepInsightsOf(trace: AttentionTrace, step: Step): Generator<readonly Insight[], readonly Insight[]> {
  const steps = stepInsightCache.get(trace) ?? new Map<string, readonly Insight[]>();
  stepInsightCache.set(trace, steps);
  const before = steps.get(step.id);
  if (before) return before;
  const found: Insight[] = [];
  for (const reason of stepInsights[step.id]?.(trace, step) ?? []) {
    let part = reason.next();
    for (; !part.done; part = reason.next()) yield found;
    if (part.value) found.push(part.value);
  }
  steps.set(step.id, found);
  return found;
}

type OptionalInsights = (Insight | undefined)[];

/** Insights about the selected cell, by step. */
const cellInsights: Readonly<
  Record<string, (trace: AttentionTrace, step: Step, index: readonly number[]) => (Insight | undefined)[]>
> = {
  scores: (trace, _, index) => {
    const meeting = scoreGeometryAt(trace, index);
    return [meeting && { kind: 'meeting', meeting }];
  },
  weights: (trace, step, index) => [isShared(trace) ? sharpnessAt(trace, step, index) : undefined],
};

/** Whether a softmax shares out each query's attention: what is said of it holds of nothing else. */
const isShared = ({ spec }: AttentionTrace): boolean => spec.weighting === undefined;

/** Insights about a step, in the order in which they are shown. */
type StepInsights = (trace: AttentionTrace, step: Step) => readonly Parts<Insight | undefined>[];

const stepInsights: Readonly<Record<string, StepInsights>> = {
  positions: (trace) => [propertyAt(trace, 'permutation-equivariant')],
  x: (trace) => [propertyAt(trace, 'permutation-equivariant')],
  scores: (trace, { call }) =>
    call.op === 'additiveScores' ? [] : [varianceOf(trace), propertyAt(trace, 'scores-symmetric')],
  scaled: (trace, step) => [
    varianceOf(trace),
    ...(isShared(trace) && !trace.spec.scoring ? [scaleOf(trace, step), widthsOf(step)] : []),
  ],
  masked: (trace, step) => [maskedAt(trace, step)],
  weights: (trace) => [
    decodedOf(trace),
    ...(isShared(trace) ? [overflowOf(trace)] : []),
    propertyAt(trace, 'weights-symmetric'),
    propertyAt(trace, 'causal'),
  ],
  output: (trace, step) => [
    decodedOf(trace),
    withoutPause(() => costsOf(trace, step)),
    propertyAt(trace, 'permutation-equivariant'),
    withoutPause(() => (step.call.op === 'concatHeads' ? headsOf(trace) : undefined)),
  ],
};

/** The full pass is computed anew: done only up to as many multiply-adds as other insights that do. */
function* decodedOf(trace: AttentionTrace): Parts<Insight | undefined> {
  if (!trace.spec.decode || trace.plan.multiplyAdds > mostRecomputed) return undefined;
  yield;
  const found = decoded(trace);
  return found && { kind: 'decoded', decoded: found };
}

/** Work that does not pause. */
function* withoutPause(reason: () => Insight | undefined): Parts<Insight | undefined> {
  yield;
  return reason();
}

function* widthsOf({ shape }: Step): Parts<Insight> {
  const tokens = shape.at(-2) ?? 1;
  const points = yield* widthSweepParts(tokens);
  return { kind: 'widths', points, tokens: Math.max(2, Math.min(64, tokens)) };
}

function* varianceOf(trace: AttentionTrace): Parts<Insight | undefined> {
  const found = yield* scoreVarianceParts(trace);
  return found && { kind: 'variance', variance: found };
}

function* maskedAt(trace: AttentionTrace, { shape, rowLabels }: Step): Parts<Insight | undefined> {
  const after = yield* maskedAfterSoftmaxParts(trace);
  const at = (after?.row ?? 0) % (shape.at(-2) ?? 1);
  return after && { kind: 'maskedAfter', after, row: namesApart(rowLabels)[at] ?? String(at) };
}

function* overflowOf(trace: AttentionTrace): Parts<Insight | undefined> {
  const found = yield* overflowParts(trace);
  return found && { kind: 'overflow', overflow: found, dtype: trace.spec.dtype };
}

function costsOf(trace: AttentionTrace, { shape }: Step): Insight | undefined {
  const found = costs(trace);
  const [tokens = 0, width = 0] = shape.slice(-2);
  return found && { kind: 'costs', costs: found, tokens, width };
}

/** Insights about Q, K, V and their heads. */
const aboutBranches = (of: Planned, { id }: Step): OptionalInsights => [
  /^[kv]/.test(id) ? crossOf(of) : undefined,
  id.length > 1 ? headsOf(of) : undefined,
];

function crossOf({ plan }: Planned): Insight | undefined {
  const context = plan.steps.find(({ id }) => id === 'context');
  if (plan.steps.some(({ id }) => id === 'valueSource')) return undefined;
  return context && { kind: 'cross', queries: plan.tokens.length, keys: context.shape.at(-2) ?? 0 };
}

function headsOf({ spec, plan }: Planned): Insight | undefined {
  const [heads, kvHeads] = [outputHeads(spec), valueHeads(spec)];
  const step = plan.steps.find(({ id }) => id === 'headOutputs');
  if (!step || heads < 2) return undefined;
  const width = step.shape.at(-1) ?? 0;
  return { kind: 'heads', heads, kvHeads, width, joined: heads * width };
}

/** Reversing the tokens computes everything again: done only up to this many multiply-adds, some milliseconds. */
const mostRecomputed = 1 << 24;

function* propertyAt(trace: AttentionTrace, id: Property['id']): Parts<Insight | undefined> {
  if (id === 'permutation-equivariant' && trace.plan.multiplyAdds > mostRecomputed) return undefined;
  const property = yield* propertyParts(trace, id);
  return property && { kind: 'property', property };
}

function* scaleOf(trace: AttentionTrace, { call, shape }: Step): Parts<Insight | undefined> {
  const divideBy = call.op === 'divide' ? call.by : 1;
  const points = yield* scaleEffectParts(trace, divisorsAround(divideBy));
  const keys = shape.at(-1) ?? 1;
  const rows = sizeOf(shape) / keys;
  return points.length ? { kind: 'scale', points, divideBy, keys, rows, taken: sampledRows(rows, keys) } : undefined;
}

/** 41 divisors from 1/64 of the one in use to 64 times it, evenly spaced on a logarithmic scale; the middle one is exact. */
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
  const [batch, head] = [index.at(-4) ?? 0, index.at(-3) ?? 0];
  const lead = index.slice(0, -2);
  const matrix = lead.reduce((at, i, d) => at * (shape.at(d - lead.length - 2) ?? 1) + i, 0);
  const row = index.at(-2) ?? 0;
  if (row >= n || m === 0) return undefined;
  // At level 0 a block is one cell, and its minimum is the cell.
  const { min, masked } = trace.read('weights', { batch, head, rows: [row, row + 1] });
  const keys = masked.filter((hidden) => !hidden).length;
  return { kind: 'sharpness', row: { head: matrix, row, ...sharpness(min) }, most: log(keys), keys };
}
