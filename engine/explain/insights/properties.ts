import { namesApart, say, type Sentence } from '../../text';
import { valuesOf, explainAttention, type AttentionTrace } from '../../run';
import type { Precision } from '../../math';
import type { Step } from '../../plan';
import { encodeMatrix, type AttentionSpec, type SpecNumber } from '../../spec';
import { findStep, rowBlocks } from './trace-values';
import { runToEnd, type Parts } from './parts';

export interface Property {
  readonly id: 'rows-sum-to-1' | 'scores-symmetric' | 'weights-symmetric' | 'causal' | 'permutation-equivariant';
  readonly holds: boolean;
  /** Largest deviation from the property, in the units of the values. */
  readonly deviation: number;
  readonly words: Sentence;
  /** For the property of reversed tokens: some rows of the output with the tokens in order and reversed. */
  readonly rows?: readonly ReversedRow[];
}

export interface ReversedRow {
  readonly label: string;
  /** Index of the row with the tokens in order, and with the tokens reversed. */
  readonly from: number;
  readonly to: number;
  /** The row's first columns, at most three, with the tokens in order and reversed. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The properties of this trace's matrices, each with its deviation. */
export const properties = (trace: AttentionTrace): Property[] =>
  (Object.keys(checks) as Property['id'][]).flatMap((id) => propertyOf(trace, id) ?? []);

/** One property; undefined where it has no meaning: without weights, for matrices that are not square, without embeddings. */
export const propertyOf = (trace: AttentionTrace, id: Property['id']): Property | undefined =>
  runToEnd(propertyParts(trace, id));

/** The same as pausable work, except that the reversed tokens are computed without a pause. */
export function* propertyParts(trace: AttentionTrace, id: Property['id']): Parts<Property | undefined> {
  const weights = findStep(trace, 'weights');
  return weights && (yield* checks[id](trace, weights));
}

const isSquare = ({ shape }: Step): boolean => shape.at(-1) === shape.at(-2);

type Check = (trace: AttentionTrace, weights: Step) => Parts<Property | undefined>;

const checks: { readonly [I in Property['id']]: Check } = {
  'rows-sum-to-1': rowsSumToOne,
  'scores-symmetric': (trace) => symmetric(trace, 'scores'),
  'weights-symmetric': (trace) => symmetric(trace, 'weights'),
  causal,
  *'permutation-equivariant'(trace) {
    yield;
    return permutation(trace);
  },
};

const tolerances: { readonly [P in Precision]: number } = {
  float64: 1e-12,
  float32: 1e-5,
  float16: 2e-3,
  bfloat16: 1.6e-2,
};

export const tolerance = ({ spec }: AttentionTrace): number => tolerances[spec.dtype];

function* rowsSumToOne(trace: AttentionTrace, weights: Step): Parts<Property> {
  const m = weights.shape.at(-1) ?? 1;
  let deviation = 0;
  yield* rowBlocks(trace, weights, (rows) => {
    for (let start = 0; start < rows.length; start += m) {
      const sum = rows.subarray(start, start + m).reduce((a, b) => a + b, 0);
      deviation = largerOrNaN(deviation, Math.abs(sum - 1));
    }
  });
  const holds = deviation <= m * tolerance(trace);
  const words = holds
    ? say('Each [row|column] of weights sums to 1.')
    : say('Some [row|column] of weights does not sum to 1.');
  return { id: 'rows-sum-to-1', holds, deviation, words };
}

/** The larger number; NaN if either is NaN, so that NaN never satisfies a property. */
export const largerOrNaN = (a: number, b: number): number => (b > a || Number.isNaN(b) ? b : a);

function symmetryWords(id: 'scores' | 'weights', holds: boolean): Sentence {
  if (id === 'scores')
    return holds ? say('[{Q}{Kᵀ}|{Kᵀ}{Q}] is symmetric.') : say('[{Q}{Kᵀ}|{Kᵀ}{Q}] is not symmetric.');
  return holds ? say('The weights are symmetric.') : say('The weights are not symmetric.');
}

function* symmetric(trace: AttentionTrace, id: 'scores' | 'weights'): Parts<Property | undefined> {
  const step = findStep(trace, id);
  if (!step || !isSquare(step)) return undefined;
  let [deviation, size] = [0, 0];
  for (const { batch, head } of slicesOf(step)) {
    for (const [rows, columns] of blocksBelowDiagonal(step.shape.at(-1) ?? 0)) {
      // At level 0 a block is one cell, and its minimum is the cell.
      const own = trace.read(id, { batch, head, rows, columns }).min;
      const mirror = trace.read(id, { batch, head, rows: columns, columns: rows }).min;
      const [height, width] = [rows[1] - rows[0], columns[1] - columns[0]];
      for (let i = 0; i < height; i++) {
        for (let j = 0; j < width; j++) {
          const [x, y] = [own[i * width + j] as number, mirror[j * height + i] as number];
          if (x !== y) deviation = largerOrNaN(deviation, Math.abs(x - y));
          size = largerOrNaN(size, largerOrNaN(Math.abs(x), Math.abs(y)));
        }
      }
      yield;
    }
  }
  const holds = deviation <= tolerance(trace) * size;
  return { id: `${id}-symmetric`, holds, deviation, words: symmetryWords(id, holds) };
}

type Span = readonly [number, number];

/** Blocks of 128×128 cells that cover the diagonal and everything below it in an n×n matrix. */
function* blocksBelowDiagonal(n: number): Generator<readonly [rows: Span, columns: Span]> {
  const side = 128;
  for (let row = 0; row < n; row += side)
    for (let column = 0; column <= row; column += side)
      yield [
        [row, Math.min(n, row + side)],
        [column, Math.min(n, column + side)],
      ];
}

/** Indices of every matrix of a step. */
function slicesOf({ shape }: Step): { readonly batch: number; readonly head: number }[] {
  const heads = shape.at(-3) ?? 1;
  const batches = shape.at(-4) ?? 1;
  return Array.from({ length: batches * heads }, (_, at) => ({ batch: Math.floor(at / heads), head: at % heads }));
}

function* causal(trace: AttentionTrace, weights: Step): Parts<Property | undefined> {
  if (!isSquare(weights)) return undefined;
  const n = weights.shape.at(-1) ?? 1;
  let deviation = 0;
  yield* rowBlocks(trace, weights, (rows, at) => {
    const first = (at / n) % n;
    for (let i = 0; i * n < rows.length; i++)
      for (let j = first + i + 1; j < n; j++) deviation = largerOrNaN(deviation, Math.abs(rows[i * n + j] as number));
  });
  const holds = deviation === 0;
  return {
    id: 'causal',
    holds,
    deviation,
    words: holds ? say('No token attends to a later one.') : say('Tokens attend to later ones.'),
  };
}

/** Reverses the tokens, computes again, and compares the output with the reversed output. */
function permutation(trace: AttentionTrace): Property | undefined {
  const rows = findStep(trace, 'output')?.shape.at(-2) ?? 0;
  const spec = permutedSpec(
    trace,
    Array.from({ length: rows }, (_, i) => rows - 1 - i),
  );
  const again = spec && explainAttention(spec);
  const output = findStep(trace, 'output');
  if (!again?.ok || !output) return undefined;
  const [was, is] = [valuesOf(trace, output), valuesOf(again.value, output)];
  const d = output.shape.at(-1) ?? 1;
  const n = output.shape.at(-2) ?? 1;
  let [deviation, size] = [0, 0];
  was.forEach((x, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    deviation = largerOrNaN(deviation, Math.abs(x - (is[(n - 1 - i) * d + j] as number)));
    size = largerOrNaN(size, Math.abs(x));
  });
  const holds = deviation <= 1000 * tolerance(trace) * size;
  const words = holds
    ? say('Reversing the tokens only reverses the [rows|columns] of the output: order does not matter to it.')
    : say('Reversing the tokens changes the output’s [rows|columns]: order matters.');
  return { id: 'permutation-equivariant', holds, deviation, words, rows: reversedRows(output, was, is) };
}

/** The first three rows of the output, each with its values before and after the tokens were reversed. */
function reversedRows({ shape, rowLabels }: Step, was: Float64Array, is: Float64Array): ReversedRow[] {
  const [n, d] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const columns = (values: Float64Array, row: number): number[] => [
    ...values.subarray(row * d, row * d + Math.min(3, d)),
  ];
  return Array.from({ length: Math.min(3, n) }, (_, from) => {
    const to = n - 1 - from;
    return {
      label: namesApart(rowLabels)[from] ?? String(from),
      from,
      to,
      before: columns(was, from),
      after: columns(is, to),
    };
  });
}

/**
 * A spec whose embeddings are permuted, row i being the previous row `order[i]`, and whose parameters are those of the trace. Undefined
 * when the trace does not start from embeddings, or has a context or an input of the values.
 */
export function permutedSpec(trace: AttentionTrace, order: readonly number[]): AttentionSpec | undefined {
  const { spec } = trace;
  const before = findStep(trace, 'embedding') ?? findStep(trace, 'given') ?? findStep(trace, 'x');
  if (
    spec.decode ||
    !before ||
    before.shape.length !== 2 ||
    findStep(trace, 'context') ||
    findStep(trace, 'valueSource')
  )
    return undefined;
  const rows = rowsOf(trace, before);
  const x = rows && order.map((i) => rows[i] ?? []);
  const [wq, wk, wv, wo] = ['wq', 'wk', 'wv', 'wo'].map((id) => rowsOf(trace, findStep(trace, id)));
  const [bq, bk, bv, bo] = ['bq', 'bk', 'bv', 'bo'].map((id) => rowsOf(trace, findStep(trace, id))?.[0]);
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
  const rows = rowsOf(trace, findStep(trace, 'positions'));
  return rows ? { learned: rows } : 'none';
};

function rowsOf(trace: AttentionTrace, step: Step | undefined): SpecNumber[][] | undefined {
  return step && encodeMatrix([step.shape[0] ?? 0, step.shape[1] ?? 0], valuesOf(trace, step));
}
