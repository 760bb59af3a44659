import { createStream } from '../../random';
import type { Step } from '../../plan';
import { sizeOf } from '../../math';
import type { AttentionTrace } from '../../run';
import { allValuesInParts, findStep, rowsAt } from './trace-values';
import { runToEnd, type Parts } from './parts';
import { sharpnessOfLogits } from './sharpness';
import { variance } from './variance';

/** How sharp softmax is at one scale: means over many rows. */
export interface Sharpness {
  /** In nats; log m when every one of m keys has the same weight. */
  readonly entropy: number;
  readonly largest: number;
  /** Norm of the softmax Jacobian, the factor by which softmax scales gradients. */
  readonly jacobianNorm: number;
}

export interface ScalePoint extends Sharpness {
  readonly divideBy: number;
}

/**
 * The sharpness of softmax over the trace's own scores (before scaling and masking) for each divisor: the effect of the scale alone. Means
 * over a sample of `rowsTaken` rows. Empty if the trace has no scores.
 */
export const scaleEffect = (trace: AttentionTrace, divisors: readonly number[]): ScalePoint[] =>
  runToEnd(scaleEffectParts(trace, divisors));

/** The same as pausable work. */
export function* scaleEffectParts(trace: AttentionTrace, divisors: readonly number[]): Parts<ScalePoint[]> {
  const step = findStep(trace, 'scores');
  const m = step?.shape.at(-1) ?? 0;
  if (!step || m === 0) return [];
  const scores = yield* sampledRowsOf(trace, step);
  const points: ScalePoint[] = [];
  for (const divideBy of divisors) points.push({ divideBy, ...(yield* meanSharpness(scores, m, divideBy)) });
  return points;
}

/** The sampled rows of a step, concatenated. */
function* sampledRowsOf(trace: AttentionTrace, step: Step): Parts<Float64Array> {
  const m = step.shape.at(-1) ?? 0;
  const rows = sizeOf(step.shape) / m;
  const every = strideOf(rows, m);
  if (every === 1) return (yield* allValuesInParts(trace, step.id)) ?? new Float64Array(0);
  const out = new Float64Array(sampledRows(rows, m) * m);
  for (let i = 0; i * m < out.length; i++) {
    out.set(rowsAt(trace, step, firstOf(every) + i * every, 1), i * m);
    yield;
  }
  return out;
}

/** Sample size in cells: some 10 ms of exponentials and logarithms a divisor, less than a second for a sweep of 41. */
const mostCells = 1 << 17;

const strideOf = (rows: number, m: number): number => Math.min(rows, Math.max(1, Math.ceil((rows * m) / mostCells)));

/** How many of `rows` rows with m scores are sampled, evenly spaced: all up to 2^17 cells, 65 of 2,000 rows of 2,000. */
export function sampledRows(rows: number, m: number): number {
  const every = strideOf(rows, m);
  return Math.ceil((rows - firstOf(every)) / every);
}

/** The middle of the first interval. */
const firstOf = (every: number): number => Math.floor((every - 1) / 2);

/** Cells between two pauses: about a millisecond of exponentials and logarithms. */
const pauseAfter = 1 << 13;

/** Means over the rows of `values`, each of `m` logits divided by `divideBy`. */
function* meanSharpness(values: Float64Array, m: number, divideBy: number): Parts<Sharpness> {
  let [entropy, largest, jacobianNorm, cells] = [0, 0, 0, 0];
  for (let start = 0; start < values.length; start += m) {
    const row = sharpnessOfLogits(values.subarray(start, start + m), divideBy);
    entropy += row.entropy;
    largest += row.largest;
    jacobianNorm += row.jacobianNorm;
    cells += m;
    if (cells < pauseAfter) continue;
    cells = 0;
    yield;
  }
  const count = values.length / m;
  return { entropy: entropy / count, largest: largest / count, jacobianNorm: jacobianNorm / count };
}

export interface WidthPoint {
  readonly dK: number;
  /** Variance of QKᵀ; theory: d_k (Vaswani et al. 2017, footnote 4). */
  readonly variance: number;
  readonly unscaled: Sharpness;
  /** After division by √d_k. */
  readonly scaled: Sharpness;
}

/** Widths of a sweep: 1, 2, 4, … 1024. */
const widths = Array.from({ length: 11 }, (_, i) => 1 << i);

/** Cache by number of tokens: the sweep draws its own numbers, so it does not depend on the trace. */
const sweepCache = new Map<number, readonly WidthPoint[]>();

/**
 * The variance of scores, and softmax with and without √d_k, at d_k from 1 to 1024. Queries and keys have unit variance and are drawn by
 * NumPy's `default_rng(0)`, `tokens` (2 to 64) of each; each width takes the first d_k columns of the same draws.
 */
export const widthSweep = (tokens: number): readonly WidthPoint[] => runToEnd(widthSweepParts(tokens));

/** The same as pausable work. */
export function* widthSweepParts(tokens: number): Parts<readonly WidthPoint[]> {
  const n = Math.max(2, Math.min(64, tokens));
  const points = sweepCache.get(n) ?? (yield* sweep(n));
  sweepCache.set(n, points);
  return points;
}

function* sweep(n: number): Parts<readonly WidthPoint[]> {
  const most = widths.at(-1) ?? 1;
  const stream = createStream({ generator: 'numpy.default_rng', seed: 0 });
  if (!stream.ok) return [];
  const q = stream.value.normal(n * most);
  yield;
  const k = stream.value.normal(n * most);
  const scores = new Float64Array(n * n);
  const points: WidthPoint[] = [];
  let from = 0;
  for (const dK of widths) {
    yield;
    addProducts(scores, q, k, { n, width: most, from, to: dK });
    from = dK;
    const unscaled = yield* meanSharpness(scores, n, 1);
    const scaled = yield* meanSharpness(scores, n, Math.sqrt(dK));
    points.push({ dK, variance: variance(scores), unscaled, scaled });
  }
  return points;
}

interface Columns {
  readonly n: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

/** scores[i, j] += Σ q[i, t]·k[j, t] over columns `from` to `to`; q and k are n×width. */
function addProducts(scores: Float64Array, q: Float64Array, k: Float64Array, { n, width, from, to }: Columns): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = scores[i * n + j] as number;
      for (let t = from; t < to; t++) sum += (q[i * width + t] as number) * (k[j * width + t] as number);
      scores[i * n + j] = sum;
    }
  }
}
