import { valuesOf } from './hash';
import { log } from './math';
import type { Step } from './plan';
import { explainAttention } from './run';
import { encodeMatrix, type AttentionSpec, type SpecNumber } from './spec';
import { sizeOf } from './tensor';
import type { AttentionTrace } from './trace';

/** Population variance (NumPy's `var()`), of the finite values. */
export function variance(values: Float64Array): number {
  const finite = values.filter((x) => Number.isFinite(x));
  const mean = finite.reduce((sum, x) => sum + x, 0) / finite.length;
  return finite.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / finite.length;
}

const find = (trace: AttentionTrace, id: string): Step | undefined => trace.plan.steps.find((s) => s.id === id);

const allOf = (trace: AttentionTrace, id: string): Float64Array | undefined => {
  const step = find(trace, id);
  return step && valuesOf(trace, step);
};

export interface ScoreVariance {
  readonly query: number;
  readonly key: number;
  readonly scores: number;
  readonly scaled: number;
  /** d_k: the variance of a sum of d_k products of independent unit-variance numbers (Vaswani et al. 2017, footnote 4). */
  readonly predictedForUnitVariance: number;
  /** d_k·var(Q)·var(K): the same for the variances that Q and K have. */
  readonly predicted: number;
}

/** Variance of the scores before and after scaling, against what theory predicts; undefined without Q and K. */
export function scoreVariance(trace: AttentionTrace): ScoreVariance | undefined {
  const scoresStep = find(trace, 'scores');
  const [qId, kId] = scoresStep?.operands ?? [];
  const [q, k] = [qId, kId].map((id) => (id === undefined ? undefined : allOf(trace, id)));
  const [scores, scaled] = [allOf(trace, 'scores'), allOf(trace, 'scaled')];
  if (!q || !k || !scores || !scaled || qId === undefined) return undefined;
  const dK = find(trace, qId)?.shape.at(-1) ?? 0;
  const [query, key] = [variance(q), variance(k)];
  return {
    query,
    key,
    scores: variance(scores),
    scaled: variance(scaled),
    predictedForUnitVariance: dK,
    predicted: dK * query * key,
  };
}

export interface RowSharpness {
  readonly head: number;
  readonly row: number;
  /** −Σ p·log p in nats: 0 when one key has all the weight, log m when all are equal. */
  readonly entropy: number;
  readonly largest: number;
  readonly largestAt: number;
  /** √Σ J², J the row's softmax Jacobian: 0 when saturated, so that no gradient passes. */
  readonly jacobianNorm: number;
}

/** Entropy, largest weight and Jacobian norm of every row of the weights. */
export function rowSharpness(trace: AttentionTrace): RowSharpness[] {
  const step = find(trace, 'weights');
  if (!step) return [];
  const values = valuesOf(trace, step);
  const [n, m] = [step.shape.at(-2) ?? 0, step.shape.at(-1) ?? 0];
  return Array.from({ length: values.length / m }, (_, i) => {
    const p = values.subarray(i * m, (i + 1) * m);
    return { head: Math.floor(i / n), row: i % n, ...sharpness(p) };
  });
}

function sharpness(p: Float64Array): Omit<RowSharpness, 'head' | 'row'> {
  let [entropy, largestAt, squares, cubes] = [0, 0, 0, 0];
  p.forEach((x, j) => {
    if (x > 0) entropy -= x * log(x);
    if (x > (p[largestAt] as number)) largestAt = j;
    squares += x * x;
    cubes += x * x * x;
  });
  // Σ_ij (p_i δ_ij − p_i p_j)² = Σ p² − 2 Σ p³ + (Σ p²)²
  const norm = Math.sqrt(Math.max(0, squares - 2 * cubes + squares * squares));
  return { entropy, largest: p[largestAt] ?? NaN, largestAt, jacobianNorm: norm };
}

/** The softmax Jacobian of one row of weights, m×m: p_i(1 − p_i) on the diagonal, −p_i·p_j elsewhere. */
export function softmaxJacobian(p: ArrayLike<number>): Float64Array {
  const m = p.length;
  const out = new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    const pi = p[i] as number;
    for (let j = 0; j < m; j++) out[i * m + j] = i === j ? pi * (1 - pi) : -pi * (p[j] as number);
  }
  return out;
}

export interface Property {
  readonly id: 'rows-sum-to-1' | 'scores-symmetric' | 'weights-symmetric' | 'causal' | 'permutation-equivariant';
  readonly holds: boolean;
  /** Largest deviation from the property, in the units of the values. */
  readonly deviation: number;
  readonly words: string;
}

/** Which properties hold for these numbers, each with how far they are from it. */
export function properties(trace: AttentionTrace): Property[] {
  const weights = find(trace, 'weights');
  if (!weights) return [];
  const found = [rowsSumToOne(trace, weights)];
  const square = weights.shape.at(-1) === weights.shape.at(-2);
  if (square && find(trace, 'scores')) found.push(symmetric(trace, 'scores'));
  if (square) found.push(symmetric(trace, 'weights'), causal(trace, weights));
  const permuted = permutation(trace);
  if (permuted) found.push(permuted);
  return found;
}

const tolerance = (trace: AttentionTrace): number => (trace.spec.dtype === 'float32' ? 1e-5 : 1e-12);

function rowsSumToOne(trace: AttentionTrace, weights: Step): Property {
  const values = valuesOf(trace, weights);
  const m = weights.shape.at(-1) ?? 1;
  let deviation = 0;
  for (let start = 0; start < values.length; start += m) {
    const sum = values.subarray(start, start + m).reduce((a, b) => a + b, 0);
    deviation = larger(deviation, Math.abs(sum - 1));
  }
  const holds = deviation <= m * tolerance(trace);
  const words = holds ? 'Each row of weights sums to 1.' : 'Some row of weights does not sum to 1.';
  return { id: 'rows-sum-to-1', holds, deviation, words };
}

/** NaN wins, so that a property never holds because of one. */
const larger = (a: number, b: number): number => (b > a || Number.isNaN(b) ? b : a);

function symmetric(trace: AttentionTrace, id: 'scores' | 'weights'): Property {
  const step = find(trace, id) as Step;
  const values = valuesOf(trace, step);
  const n = step.shape.at(-1) ?? 1;
  let [deviation, size] = [0, 0];
  values.forEach((x, at) => {
    const [i, j] = [Math.floor(at / n) % n, at % n];
    const mirror = values[at + (j - i) * n + (i - j)] as number;
    deviation = larger(deviation, x === mirror ? 0 : Math.abs(x - mirror));
    size = larger(size, Math.abs(x));
  });
  const holds = deviation <= tolerance(trace) * size;
  const name = id === 'scores' ? 'QKᵀ' : 'The weights';
  const verb = id === 'scores' ? 'is' : 'are';
  return { id: `${id}-symmetric`, holds, deviation, words: `${name} ${verb} ${holds ? '' : 'not '}symmetric.` };
}

function causal(trace: AttentionTrace, weights: Step): Property {
  const n = weights.shape.at(-1) ?? 1;
  let deviation = 0;
  valuesOf(trace, weights).forEach((x, at) => {
    if (at % n > Math.floor(at / n) % n) deviation = larger(deviation, Math.abs(x));
  });
  const holds = deviation === 0;
  return {
    id: 'causal',
    holds,
    deviation,
    words: holds ? 'No token attends to a later one.' : 'Tokens attend to later ones.',
  };
}

/** Reverses the tokens, computes again, and compares the output with the reversed output. */
function permutation(trace: AttentionTrace): Property | undefined {
  const spec = reversedSpec(trace);
  const again = spec && explainAttention(spec);
  const output = find(trace, 'output');
  if (!again?.ok || !output) return undefined;
  const [was, is] = [valuesOf(trace, output), valuesOf(again.value, output)];
  const d = output.shape.at(-1) ?? 1;
  const n = output.shape.at(-2) ?? 1;
  let [deviation, size] = [0, 0];
  was.forEach((x, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    deviation = larger(deviation, Math.abs(x - (is[(n - 1 - i) * d + j] as number)));
    size = larger(size, Math.abs(x));
  });
  const holds = deviation <= 1000 * tolerance(trace) * size;
  const words = holds
    ? 'Reversing the tokens only reverses the rows of the output: order does not matter to it.'
    : 'Reversing the tokens changes the output’s rows: order matters.';
  return { id: 'permutation-equivariant', holds, deviation, words };
}

/** The same attention with its rows of embeddings reversed and every parameter as it is; undefined when not from embeddings. */
function reversedSpec(trace: AttentionTrace): AttentionSpec | undefined {
  const { spec } = trace;
  const before = find(trace, 'embedding') ?? find(trace, 'given') ?? find(trace, 'x');
  if (!before || before.shape.length !== 2 || find(trace, 'context')) return undefined;
  const x = rowsOf(trace, before)?.reverse();
  const [wq, wk, wv, wo] = ['wq', 'wk', 'wv', 'wo'].map((id) => rowsOf(trace, find(trace, id)));
  const [bq, bk, bv, bo] = ['bq', 'bk', 'bv', 'bo'].map((id) => rowsOf(trace, find(trace, id))?.[0]);
  if (!x) return undefined;
  const positions = spec.positions === 'learned-random' ? learned(trace) : spec.positions;
  const biases = { ...(bq && { bq }), ...(bk && { bk }), ...(bv && { bv }) };
  return {
    ...spec,
    start: { from: 'x', x },
    positions,
    projections: wq && wk && wv ? { from: 'given', wq, wk, wv, ...biases } : { from: 'none' },
    ...(wo && { outputProjection: { from: 'given', wo, ...(bo && { bo }) } }),
  };
}

const learned = (trace: AttentionTrace): AttentionSpec['positions'] => {
  const rows = rowsOf(trace, find(trace, 'positions'));
  return rows ? { learned: rows } : 'none';
};

function rowsOf(trace: AttentionTrace, step: Step | undefined): SpecNumber[][] | undefined {
  return step && encodeMatrix([step.shape[0] ?? 0, step.shape[1] ?? 0], valuesOf(trace, step));
}

export interface Costs {
  /** Numbers that training would learn: weights and biases of this attention. */
  readonly parameters: number;
  readonly multiplyAdds: number;
  /** One fully connected layer from all tokens' inputs to all tokens' outputs: (n·d)·(n·d_out) weights. */
  readonly fullyConnectedParameters: number;
  readonly fullyConnectedMultiplyAdds: number;
}

/** Parameters and multiply-adds of this attention and of a fully connected layer over the same tokens; undefined without X and output. */
export function costs(trace: AttentionTrace): Costs | undefined {
  const [x, output] = [find(trace, 'x'), find(trace, 'output')];
  if (!x || !output) return undefined;
  const isParameter = (id: string): boolean => /^[wb][qkvo]$/.test(id);
  const parameters = trace.plan.steps.reduce((sum, s) => sum + (isParameter(s.id) ? sizeOf(s.shape) : 0), 0);
  const dense = sizeOf(x.shape) * sizeOf(output.shape);
  const { multiplyAdds } = trace.plan;
  return { parameters, multiplyAdds, fullyConnectedParameters: dense, fullyConnectedMultiplyAdds: dense };
}
