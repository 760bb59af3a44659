import { log } from '../math';
import { atOnce, type Parts } from './insights/parts';
import type { Step } from '../plan';
import { matrixShape, type AttentionTrace } from '../run';

/** How spread out a row of weights is, in nats: 0 where one key has all of it, log k where k keys share it evenly. */
export interface RowEntropy {
  readonly row: number;
  readonly entropy: number;
}

export interface ExtremeRows {
  readonly highest: RowEntropy;
  readonly lowest: RowEntropy;
}

type Slice = { readonly batch?: number; readonly head?: number };

/** Rows that float32 finds the most and the least spread out: among these the exact weights decide. */
const candidates = 8;

/** More cells than these are not gone through exactly: that would take minutes. */
const mostCells = 1 << 29;

/** Cells that are read at once. */
const goCells = 1 << 18;

/**
 * Where a matrix of weights is most and least spread out, by its exact weights; of equal rows the first. Rows that see fewer than two
 * keys have no choice and are left out, as are those with NaN. Undefined where no row is left, or where all this would take minutes. Of weights that are not held, float32
 * chooses the eight rows on either side that are looked at exactly.
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
  atOnce(extremeRowsInParts(trace, step, slice));

const starts = (rows: number, height: number): number[] =>
  Array.from({ length: Math.ceil(rows / height) }, (_, i) => i * height);

function wider(found: ExtremeRows | undefined, here: RowEntropy): ExtremeRows {
  if (!found) return { highest: here, lowest: here };
  return {
    highest: here.entropy > found.highest.entropy ? here : found.highest,
    lowest: here.entropy < found.lowest.entropy ? here : found.lowest,
  };
}

/** −Σ w·log w in index order; undefined of a row that leaves no choice. */
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

/** The rows at both ends of the order, in the order of rows. */
function outermost(entropies: Float64Array): number[] {
  const rows = Array.from(entropies.keys()).filter((row) => !Number.isNaN(entropies[row]));
  rows.sort((a, b) => (entropies[a] as number) - (entropies[b] as number) || a - b);
  return [...new Set([...rows.slice(0, candidates), ...rows.slice(-candidates)])].sort((a, b) => a - b);
}
