import { log } from '../math';
import { runToEnd, type Parts } from './insights/parts';
import type { Step } from '../plan';
import { matrixShape, type AttentionTrace } from '../run';

/** The entropy of a row of weights in nats: 0 where one key has all the weight, log k where k keys share it evenly. */
export interface RowEntropy {
  readonly row: number;
  readonly entropy: number;
}

export interface ExtremeRows {
  readonly highest: RowEntropy;
  readonly lowest: RowEntropy;
}

type Slice = { readonly batch?: number; readonly head?: number };

/** Number of rows at each end that float32 entropies preselect; exact weights then decide among them. */
const candidates = 8;

/** Larger matrices are not read exactly: that would take minutes. */
const mostCells = 1 << 29;

/** Cells read in one part. */
const goCells = 1 << 18;

/**
 * The rows of a matrix of weights with the lowest and highest entropy, computed from exact weights; of equal rows the first. Left out are
 * rows that see fewer than two keys and rows with NaN. Undefined where no row is left or where it would take minutes. Where the weights are
 * not held in memory, entropies in float32 preselect eight rows at each end.
 */
export function* extremeRowsInParts(
  trace: AttentionTrace,
  step: Step,
  slice: Slice = {},
): Parts<ExtremeRows | undefined> {
  const rough = trace.entropies?.(step.id, slice);
  const among = rough ? outermost(yield* rough) : undefined;
  const [rows, columns] = matrixShape(step.shape);
  if (!among && rows * columns > mostCells) return undefined;
  const height = among ? 1 : Math.max(1, Math.floor(goCells / columns));
  let found: ExtremeRows | undefined;
  for (const first of among ?? starts(rows, height)) {
    const part = [first, Math.min(rows, first + height)] as const;
    const { max, nan, masked } = trace.read(step.id, { ...slice, rows: part });
    for (let i = 0; i < part[1] - first; i++) {
      const at = [i * columns, (i + 1) * columns] as const;
      const entropy = entropyOf(max.subarray(...at), nan.subarray(...at), masked.subarray(...at));
      if (entropy !== undefined) found = wider(found, { row: first + i, entropy });
    }
    yield;
  }
  return found;
}

export const extremeRows = (trace: AttentionTrace, step: Step, slice: Slice = {}): ExtremeRows | undefined =>
  runToEnd(extremeRowsInParts(trace, step, slice));

const starts = (rows: number, height: number): number[] =>
  Array.from({ length: Math.ceil(rows / height) }, (_, i) => i * height);

function wider(found: ExtremeRows | undefined, here: RowEntropy): ExtremeRows {
  if (!found) return { highest: here, lowest: here };
  return {
    highest: here.entropy > found.highest.entropy ? here : found.highest,
    lowest: here.entropy < found.lowest.entropy ? here : found.lowest,
  };
}

/** −Σ w·log w in index order; undefined for a row that sees fewer than two keys. */
function entropyOf(weights: Float64Array, nan: Uint32Array, masked: Uint32Array): number | undefined {
  let [entropy, seen] = [0, 0];
  for (let j = 0; j < weights.length; j++) {
    if (nan[j]) return undefined;
    if (!masked[j]) seen++;
    const w = weights[j] as number;
    if (w > 0) entropy -= w * log(w);
  }
  return seen > 1 ? entropy : undefined;
}

/** The rows with the lowest and the highest entropies, in row order. */
function outermost(entropies: Float64Array): number[] {
  const rows = Array.from(entropies.keys()).filter((row) => !Number.isNaN(entropies[row]));
  rows.sort((a, b) => (entropies[a] as number) - (entropies[b] as number) || a - b);
  return [...new Set([...rows.slice(0, candidates), ...rows.slice(-candidates)])].sort((a, b) => a - b);
}
