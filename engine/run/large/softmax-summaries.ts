import type { CallOf, Kernels, Step } from '../../plan';
import type { Tensor } from '../../math';
import { matrixShape } from '../tile';
import { rescaleToRow } from './rescale';
import type { Rectangle } from './rectangle';

/**
 * For each row whose softmax was computed: its largest score and the weight of that score, in float32. Any rectangle of the weights can
 * be computed from these and the rectangle's own scores.
 */
export interface SoftmaxSummaries {
  /** Stores the summaries of whole rows from `first` on, from the softmax's operand and result. */
  store(step: Step, leading: readonly number[], first: number, operand: Tensor, weights: Tensor): void;
  /** The same, from each row's largest score and its sum of exp(score − largest). */
  storeSums(step: Step, leading: readonly number[], first: number, maxima: Float32Array, sums: Float32Array): void;
  /** Whether all these rows are stored. */
  has(step: Step, leading: readonly number[], rows: Rectangle['rows']): boolean;
  /** The weights of a rectangle of stored rows, from the scores of that rectangle. */
  weights(kernels: Kernels, step: Step, leading: readonly number[], at: Rectangle, operand: Tensor): Tensor;
  bytes(): number;
}

interface Rows {
  readonly maxima: Float32Array;
  readonly topWeights: Float32Array;
  readonly computed: Uint8Array;
}

export function createSoftmaxSummaries(): SoftmaxSummaries {
  const all = new Map<string, Rows>();
  const rowsOf = ({ id, shape }: Step, leading: readonly number[]): Rows => {
    const key = `${id} ${leading.join()}`;
    const n = matrixShape(shape)[0];
    const rows = all.get(key) ?? {
      maxima: new Float32Array(n),
      topWeights: new Float32Array(n),
      computed: new Uint8Array(n),
    };
    all.set(key, rows);
    return rows;
  };
  return {
    store(step, leading, first, operand, weights) {
      const rows = rowsOf(step, leading);
      const [height, width] = matrixShape(operand.shape);
      for (let y = 0; y < height; y++) {
        const best = largestAt(operand.data as Float32Array, y * width, (y + 1) * width);
        rows.maxima[first + y] = operand.data[best] as number;
        rows.topWeights[first + y] = weights.data[best] as number;
        rows.computed[first + y] = 1;
      }
    },
    storeSums(step, leading, first, maxima, sums) {
      const rows = rowsOf(step, leading);
      rows.maxima.set(maxima, first);
      rows.topWeights.set(
        sums.map((sum) => 1 / sum),
        first,
      );
      rows.computed.fill(1, first, first + maxima.length);
    },
    has: (step, leading, [start, end]) => !rowsOf(step, leading).computed.subarray(start, end).includes(0),
    weights: (kernels, step, leading, at, operand) => weightsIn(kernels, rowsOf(step, leading), at.rows[0], operand),
    bytes: () => [...all.values()].reduce((sum, { computed }) => sum + 9 * computed.length, 0),
  };
}

/** A softmax over the rectangle alone, rescaled to the weights of whole rows (`rescaleToRow`). */
function weightsIn(kernels: Kernels, { maxima, topWeights }: Rows, first: number, operand: Tensor): Tensor {
  const call: CallOf<'softmax'> = { op: 'softmax', emptyRow: 'zero' };
  const found = kernels.softmax(call, [operand], operand.shape, 'float32');
  const [height, width] = matrixShape(operand.shape);
  for (let y = 0; y < height; y++) {
    const [top, share] = [maxima[first + y] as number, topWeights[first + y] as number];
    const of = [y * width, (y + 1) * width] as const;
    if (Number.isNaN(share)) found.data.fill(share, ...of);
    else rescaleToRow(operand.data, found.data, of, { top, sum: 1 / share });
  }
  return found;
}

function largestAt(values: Float32Array, start: number, end: number): number {
  let best = start;
  let top = values[start] as number;
  for (let i = start + 1; i < end; i++) {
    const value = values[i] as number;
    if (value > top) [top, best] = [value, i];
  }
  return best;
}
