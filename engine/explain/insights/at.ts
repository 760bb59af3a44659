import { log, sizeOf } from '../../math';
import type { Plan, Step } from '../../plan';
import type { AttentionTrace } from '../../run';
import { costs, type Costs } from './costs';
import { find } from './find';
import { maskedAfterParts, type MaskedAfter } from './masking';
import { meetingAt, type Meeting } from './meeting';
import { overflowParts, type Overflow } from './overflow';
import { atOnce, type Parts } from './parts';
import { propertyParts, type Property } from './properties';
import { rowsTaken, scaleEffectParts, widthSweepParts, type ScalePoint, type WidthPoint } from './scale';
import { sharpness, type RowSharpness } from './sharpness';
import { scoreVarianceParts, type ScoreVariance } from './variance';

/** One reason that stands beside a step, with the user's own numbers. */
export type Insight =
  | { readonly kind: 'meeting'; readonly meeting: Meeting }
  | { readonly kind: 'variance'; readonly variance: ScoreVariance }
  /** What the user's scores become under divisors around the one in use (`divideBy`): means over `taken` of the `rows`, evenly spaced. */
  | {
      readonly kind: 'scale';
      readonly points: readonly ScalePoint[];
      readonly divideBy: number;
      readonly keys: number;
      readonly rows: number;
      readonly taken: number;
    }
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
  | { readonly kind: 'costs'; readonly costs: Costs; readonly tokens: number; readonly width: number }
  /** The last of a list to which others will be added: who asks again gets them. */
  | { readonly kind: 'more' };

/** Values of a step beyond this are not gone through for a reason: 2^22 doubles, 32 MB. */
const mostValues = 1 << 22;

/**
 * The reasons that belong to a step, for a cell of it (`index` as in `trace.value`). Steps without any give an empty list, as
 * do traces whose matrices are larger than 2^22 numbers.
 */
export const insightsAt = (trace: AttentionTrace, stepId: string, index: readonly number[]): Insight[] => [
  ...insightsOfCell(trace, stepId, index),
  ...atOnce(insightsInParts(trace, stepId)),
];

/** Those that differ from cell to cell. */
export function insightsOfCell(trace: AttentionTrace, stepId: string, index: readonly number[]): Insight[] {
  const step = find(trace, stepId);
  if (!step || insightsOfPlan(trace, stepId)) return [];
  return (cellReasons[stepId]?.(trace, step, index) ?? []).filter(isFound);
}

/** The others, a part at a time: what was found so far, and in the end all. */
export function* insightsInParts(
  trace: AttentionTrace,
  stepId: string,
): Generator<readonly Insight[], readonly Insight[]> {
  const planned = insightsOfPlan(trace, stepId);
  const step = find(trace, stepId);
  return planned ?? (step ? yield* stepReasonsOf(trace, step) : []);
}

type Planned = Pick<AttentionTrace, 'spec' | 'plan'>;

/** The reasons of a step for which no number is looked at, none among them; undefined where numbers are. */
export function insightsOfPlan(of: Planned, stepId: string): Insight[] | undefined {
  const step = of.plan.steps.find(({ id }) => id === stepId);
  // What is said of scale, variance and heads is of the steps of a spec, not of whatever code does.
  if (!step || of.spec.start.from === 'program' || largestOf(of.plan) > mostValues) return [];
  const orderAlone = stepId === 'x' || stepId === 'positions';
  if (orderAlone && of.plan.multiplyAdds > mostAgain) return [];
  if (Object.hasOwn(stepReasons, stepId)) return undefined;
  if (['headOutputs', 'concat', 'wo'].includes(stepId)) return [headsOf(of)].filter(isFound);
  return /^[qkv]/.test(stepId) ? aboutBranches(of, step).filter(isFound) : [];
}

/** Whether a step's reasons differ from cell to cell. */
export const insightsVary = (stepId: string): boolean => Object.hasOwn(cellReasons, stepId);

const largestOf = (plan: Plan): number => plan.steps.reduce((most, { shape }) => Math.max(most, sizeOf(shape)), 0);

const isFound = (insight: Insight | undefined): insight is Insight => insight !== undefined;

/** What a trace says of its steps, whatever the cell: a reader who walks over cells has it computed once. */
const known = new WeakMap<AttentionTrace, Map<string, readonly Insight[]>>();

function* stepReasonsOf(trace: AttentionTrace, step: Step): Generator<readonly Insight[], readonly Insight[]> {
  const steps = known.get(trace) ?? new Map<string, readonly Insight[]>();
  known.set(trace, steps);
  const before = steps.get(step.id);
  if (before) return before;
  const found: Insight[] = [];
  for (const reason of stepReasons[step.id]?.(trace, step) ?? []) {
    let part = reason.next();
    for (; !part.done; part = reason.next()) yield found;
    if (part.value) found.push(part.value);
  }
  steps.set(step.id, found);
  return found;
}

type Found = (Insight | undefined)[];

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

/** In the order in which they are shown. */
type About = (trace: AttentionTrace, step: Step) => readonly Parts<Insight | undefined>[];

const stepReasons: Readonly<Record<string, About>> = {
  positions: (trace) => [propertyAt(trace, 'permutation-equivariant')],
  x: (trace) => [propertyAt(trace, 'permutation-equivariant')],
  scores: (trace) => [varianceOf(trace), propertyAt(trace, 'scores-symmetric')],
  scaled: (trace, step) => [varianceOf(trace), scaleOf(trace, step), widthsOf(step)],
  masked: (trace, step) => [maskedAt(trace, step)],
  weights: (trace) => [overflowOf(trace), propertyAt(trace, 'weights-symmetric'), propertyAt(trace, 'causal')],
  output: (trace, step) => [
    whole(() => costsOf(trace, step)),
    propertyAt(trace, 'permutation-equivariant'),
    whole(() => (step.call.op === 'concatHeads' ? headsOf(trace) : undefined)),
  ],
};

/** In one part. */
function* whole(reason: () => Insight | undefined): Parts<Insight | undefined> {
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
  const after = yield* maskedAfterParts(trace);
  const at = (after?.row ?? 0) % (shape.at(-2) ?? 1);
  return after && { kind: 'maskedAfter', after, row: rowLabels[at] ?? String(at) };
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

/** Q, K, V and their heads. */
const aboutBranches = (of: Planned, { id }: Step): Found => [
  /^[kv]/.test(id) ? crossOf(of) : undefined,
  id.length > 1 ? headsOf(of) : undefined,
];

function crossOf({ plan }: Planned): Insight | undefined {
  const context = plan.steps.find(({ id }) => id === 'context');
  return context && { kind: 'cross', queries: plan.tokens.length, keys: context.shape.at(-2) ?? 0 };
}

function headsOf({ spec, plan }: Planned): Insight | undefined {
  const { heads, kvHeads = heads } = spec;
  const step = plan.steps.find(({ id }) => id === 'headOutputs');
  if (!step || heads < 2) return undefined;
  const width = step.shape.at(-1) ?? 0;
  return { kind: 'heads', heads, kvHeads, width, joined: heads * width };
}

/** Reversing the tokens means to compute all again: for what takes some milliseconds. */
const mostAgain = 1 << 24;

function* propertyAt(trace: AttentionTrace, id: Property['id']): Parts<Insight | undefined> {
  if (id === 'permutation-equivariant' && trace.plan.multiplyAdds > mostAgain) return undefined;
  const property = yield* propertyParts(trace, id);
  return property && { kind: 'property', property };
}

function* scaleOf(trace: AttentionTrace, { call, shape }: Step): Parts<Insight | undefined> {
  const divideBy = call.op === 'divide' ? call.by : 1;
  const points = yield* scaleEffectParts(trace, divisorsAround(divideBy));
  const keys = shape.at(-1) ?? 1;
  const rows = sizeOf(shape) / keys;
  return points.length ? { kind: 'scale', points, divideBy, keys, rows, taken: rowsTaken(rows, keys) } : undefined;
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
  const [batch, head] = [index.at(-4) ?? 0, index.at(-3) ?? 0];
  const lead = index.slice(0, -2);
  const matrix = lead.reduce((at, i, d) => at * (shape.at(d - lead.length - 2) ?? 1) + i, 0);
  const row = index.at(-2) ?? 0;
  if (row >= n || m === 0) return undefined;
  // The minimum of a block of one cell is the cell.
  const { min } = trace.read('weights', { batch, head, rows: [row, row + 1] });
  return { kind: 'sharpness', row: { head: matrix, row, ...sharpness(min) }, most: log(m), keys: m };
}
