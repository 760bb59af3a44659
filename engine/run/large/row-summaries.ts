import type { PooledAttentionResult } from '../backend/wasm/index';
import type { Tensor } from '../../math';
import { matrixShape } from '../tile';
import { fusedRunner } from './fused-kernel';
import type { FusedChunk, FusedInputs } from './fused-chunk';
import { blockOf, type BlockContext } from './blocks';
import { rescaleToRow } from './rescale';
import { visibleKeys } from './pattern-mask';
import { sliceRectangle, heightOf, widthOf, type Rectangle } from './rectangle';
import type { FusedPath } from './fused-path';
import { heldTensor, type OverviewContext } from './overview-context';

/**
 * For each computed row of a fused path: its largest score, the sum of its exponentials and its output, in float32. Any rectangle of the
 * weights can be computed from these and the rectangle's own scores.
 */
export interface RowSummaries {
  /** The inputs of the fused kernel, here or in a helper. */
  readonly inputs: FusedInputs;
  /** Computes some rows. The result holds views of the kernels' memory, valid until the next call. */
  compute(part: FusedChunk): PooledAttentionResult;
  /** Stores the summaries of computed rows. */
  store(part: FusedChunk, found: PooledAttentionResult): void;
  weights(leading: readonly number[], at: Rectangle): Tensor;
  output(leading: readonly number[], at: Rectangle): Tensor;
  bytes(): number;
}

interface Rows {
  readonly maxima: Float32Array;
  readonly sums: Float32Array;
  readonly output: Float32Array;
  readonly computed: Uint8Array;
}

export function createRowSummaries(context: OverviewContext, path: FusedPath): RowSummaries {
  const all = new Map<string, Rows>();
  const { scale, mask } = path;
  const [q, k, v] = [heldTensor(context, path.q), heldTensor(context, path.k), heldTensor(context, path.v)];
  const inputs: FusedInputs = { q, k, v, scale, mask };
  const compute = fusedRunner(inputs, context.wasm);
  const [n, dv] = [matrixShape(path.weights.shape)[0], matrixShape(path.v.shape)[1]];
  const rowsOf = (leading: readonly number[]): Rows => {
    const found = all.get(leading.join()) ?? {
      maxima: new Float32Array(n),
      sums: new Float32Array(n),
      output: new Float32Array(n * dv),
      computed: new Uint8Array(n),
    };
    all.set(leading.join(), found);
    return found;
  };
  const store: RowSummaries['store'] = ({ leading, rows }, found) => {
    const kept = rowsOf(leading);
    kept.maxima.set(found.rowMaxima, rows[0]);
    kept.sums.set(found.rowSums, rows[0]);
    kept.output.set(found.output, rows[0] * dv);
    kept.computed.fill(1, ...rows);
  };
  const completeRows = (leading: readonly number[], [start, end]: readonly [number, number]): Rows => {
    const kept = rowsOf(leading);
    const first = kept.computed.subarray(0, end).indexOf(0, start);
    const last = kept.computed.subarray(0, end).lastIndexOf(0);
    const part = { leading, rows: [first, last + 1] } as const;
    if (first >= 0) store(part, compute(part));
    return kept;
  };
  return {
    inputs,
    compute,
    store,
    weights: (leading, at) => weightsIn(context.blocks, path, { leading, at, kept: completeRows(leading, at.rows) }),
    output: (leading, at) =>
      sliceRectangle({ dtype: 'float32', shape: [n, dv], data: completeRows(leading, at.rows).output }, [], at),
    bytes: () => [...all.values()].reduce((sum, { output }) => sum + output.byteLength + 9 * n, 0),
  };
}

interface WeightsRequest {
  readonly leading: readonly number[];
  readonly at: Rectangle;
  readonly kept: Rows;
}

/** The weights exp(score − top) / sum of a rectangle: a softmax over the rectangle alone, rescaled row by row (`rescaleToRow`). */
function weightsIn(
  { kernels, ...blocks }: BlockContext,
  path: FusedPath,
  { leading, at, kept }: WeightsRequest,
): Tensor {
  const scores = path.unmasked.at(-1)?.step;
  if (!scores) throw new Error('a path without scores');
  const { shape, data } = blockOf({ ...blocks, kernels }, scores, leading, at);
  const scaled = Float32Array.from(data as Float32Array);
  for (let i = 0; i < scaled.length; i++) scaled[i] = (scaled[i] as number) * path.scale;
  const width = widthOf(at);
  for (let y = 0; y < heightOf(at); y++) {
    const [low, high] = visibleColumns(path, at, y);
    scaled.fill(-Infinity, y * width, y * width + low);
    scaled.fill(-Infinity, y * width + high, (y + 1) * width);
  }
  const operand: Tensor = { dtype: 'float32', shape, data: scaled };
  const shares = kernels.softmax({ op: 'softmax', emptyRow: 'zero' }, [operand], shape, 'float32');
  for (let y = 0; y < heightOf(at); y++) {
    const row = at.rows[0] + y;
    const [from, to] = [y * width, (y + 1) * width];
    // A fully masked row is NaN throughout.
    if (Number.isNaN(kept.sums[row])) shares.data.fill(NaN, from, to);
    else
      rescaleToRow(scaled, shares.data, [from, to], { top: kept.maxima[row] as number, sum: kept.sums[row] as number });
  }
  return shares;
}

/** The columns of row y of a rectangle that its query sees, as a half-open range relative to the rectangle. */
function visibleColumns({ mask }: FusedPath, { rows, columns }: Rectangle, y: number): readonly [number, number] {
  const [low, high] = visibleKeys(mask, rows[0] + y, columns[1]);
  const within = (column: number): number => Math.min(columns[1], Math.max(columns[0], column)) - columns[0];
  return [within(low), within(high)];
}
