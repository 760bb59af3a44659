import type { CallOf, Kernels } from '../../plan/operations';
import type { Step } from '../../plan/plan';
import type { Tensor } from '../../math/tensor';
import { matrixOf } from '../tile';
import { enlarge } from './enlarge';
import type { Rectangle } from './rectangle';

/**
 * What stays of each row whose softmax was computed once: its largest operand and the weight of that one, in float32. Any rectangle of the
 * weights follows from these and the rectangle's own operands.
 */
export interface Tops {
  /** Whole rows from `first` on: what the softmax took, and what it made of it. */
  keep(step: Step, lead: readonly number[], first: number, operand: Tensor, weights: Tensor): void;
  /** The same where it is known of whole rows: their largest operands, and the sums of exp(operand − largest). */
  put(step: Step, lead: readonly number[], first: number, tops: Float32Array, sums: Float32Array): void;
  has(step: Step, lead: readonly number[], rows: Rectangle['rows']): boolean;
  /** The weights of a rectangle of rows that are there, from its operands. */
  weights(kernels: Kernels, step: Step, lead: readonly number[], at: Rectangle, operand: Tensor): Tensor;
  bytes(): number;
}

interface Rows {
  readonly tops: Float32Array;
  readonly shares: Float32Array;
  readonly there: Uint8Array;
}

export function createTops(): Tops {
  const all = new Map<string, Rows>();
  const rowsOf = ({ id, shape }: Step, lead: readonly number[]): Rows => {
    const key = `${id} ${lead.join()}`;
    const n = matrixOf(shape)[0];
    const rows = all.get(key) ?? {
      tops: new Float32Array(n),
      shares: new Float32Array(n),
      there: new Uint8Array(n),
    };
    all.set(key, rows);
    return rows;
  };
  return {
    keep(step, lead, first, operand, weights) {
      const rows = rowsOf(step, lead);
      const [height, width] = matrixOf(operand.shape);
      for (let y = 0; y < height; y++) {
        const best = largestOf(operand.data as Float32Array, y * width, (y + 1) * width);
        rows.tops[first + y] = operand.data[best] as number;
        rows.shares[first + y] = weights.data[best] as number;
        rows.there[first + y] = 1;
      }
    },
    put(step, lead, first, tops, sums) {
      const rows = rowsOf(step, lead);
      rows.tops.set(tops, first);
      rows.shares.set(
        sums.map((sum) => 1 / sum),
        first,
      );
      rows.there.fill(1, first, first + tops.length);
    },
    has: (step, lead, [start, end]) => !rowsOf(step, lead).there.subarray(start, end).includes(0),
    weights: (kernels, step, lead, at, operand) => weightsIn(kernels, rowsOf(step, lead), at.rows[0], operand),
    bytes: () => [...all.values()].reduce((sum, { there }) => sum + 9 * there.length, 0),
  };
}

/** Of rows from `first` on: those of a softmax over the rectangle alone, made larger to what they are in whole rows. */
function weightsIn(kernels: Kernels, { tops, shares }: Rows, first: number, operand: Tensor): Tensor {
  const call: CallOf<'softmax'> = { op: 'softmax', emptyRow: 'zero' };
  const found = kernels.softmax(call, [operand], operand.shape, 'float32');
  const [height, width] = matrixOf(operand.shape);
  for (let y = 0; y < height; y++) {
    const [top, share] = [tops[first + y] as number, shares[first + y] as number];
    const of = [y * width, (y + 1) * width] as const;
    if (Number.isNaN(share)) found.data.fill(share, ...of);
    else enlarge(operand.data, found.data, of, { top, sum: 1 / share });
  }
  return found;
}

function largestOf(values: Float32Array, start: number, end: number): number {
  let best = start;
  let top = values[start] as number;
  for (let i = start + 1; i < end; i++) {
    const value = values[i] as number;
    if (value > top) [top, best] = [value, i];
  }
  return best;
}
