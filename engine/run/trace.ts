import type { Problem } from '../text';
import type { AttentionSpec } from '../spec';
import type { Plan, Step } from '../plan';
import type { Tensor } from '../math';
import type { Overview } from './large/overview-types';
import { matrixShape, readTile, type Cells, type Tile, type TileRequest } from './tile';

/** The result of running a plan: the plan and the values of its steps. Views read tiles and never hold a step's array. */
export interface AttentionTrace {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** A part of a step. Throws on an unknown step or a range outside of it, which is our bug, not the user's. */
  read(step: string, request?: TileRequest): Tile;
  /** One cell. `index` is [row, column] or [batch, head, row, column]. */
  value(step: string, index: readonly number[]): number;
  /** What the user should know about the values: fully masked rows, and where NaN or infinities appeared. */
  readonly problems: readonly Problem[];
  /**
   * Only for a trace with deferred steps: their pooled float32 overviews, which then answer requests for `pixels`. The caller has to
   * call `advance` on it until it is complete.
   */
  readonly overview?: () => Overview;
  /** Entropies of the rows of deferred weights, in float32, as a generator; undefined where they cannot be computed quickly. */
  readonly entropies?: (
    step: string,
    slice: { readonly batch?: number; readonly head?: number },
  ) => Generator<void, Float64Array> | undefined;
}

/** A trace whose values are all held in memory. */
export function traceOf(
  spec: AttentionSpec,
  plan: Plan,
  values: ReadonlyMap<string, Tensor>,
  problems: readonly Problem[],
): AttentionTrace {
  const get = (id: string): { step: Step; tensor: Tensor } => {
    const step = plan.steps.find((s) => s.id === id);
    const tensor = values.get(id);
    if (!step || !tensor) throw new Error(`no step ${id}`);
    return { step, tensor };
  };
  return {
    spec,
    plan,
    problems,
    read(id, request = {}) {
      const { step, tensor } = get(id);
      const hidden = step.hiddenBy === undefined ? undefined : values.get(step.hiddenBy);
      const leading = leadingIndex(tensor.shape, request);
      return readTile(tensor.shape, request, (rows, columns) => {
        const cells = { values: cellsOf(tensor, leading, rows[0], columns[0]) };
        return hidden ? { ...cells, hidden: cellsOf(hidden, leading, rows[0], columns[0]) } : cells;
      });
    },
    value(id, index) {
      const { tensor } = get(id);
      return tensor.data[offsetOf(tensor.shape, index)] as number;
    },
  };
}

/** An index of as many dimensions as the shape: leading ones that are missing are 0. */
export const fullIndex = (shape: readonly number[], index: readonly number[]): readonly number[] => [
  ...shape.slice(index.length).map(() => 0),
  ...index,
];

/** Row-major offset of an index; leading dimensions that are missing count as 0. */
export function offsetOf(shape: readonly number[], index: readonly number[]): number {
  const leading = shape.length - index.length;
  return shape.reduce((offset, size, d) => {
    const i = d < leading ? 0 : (index[d - leading] ?? 0);
    if (!(i >= 0 && i < size)) throw new Error(`index ${index.join(',')} is outside of ${shape.join('×')}`);
    return offset * size + i;
  }, 0);
}

/** The leading index (everything before row and column) of a request into a tensor of that shape; empty for a matrix. */
export function leadingIndex(shape: readonly number[], { batch = 0, head = 0 }: TileRequest): readonly number[] {
  const leading = shape.slice(0, -2);
  return leading.length === 2 ? [batch, head] : leading.map(() => head);
}

/** A view of the matrix of a tensor at a leading index, starting at a cell. Dimensions of size 1 and missing leading ones are broadcast. */
export function cellsOf({ shape, data }: Tensor, leading: readonly number[], row: number, column: number): Cells {
  const [rows, columns] = matrixShape(shape);
  const own = broadcastIndex(shape, leading);
  const start =
    offsetOf(shape, [...own, ...shape.slice(own.length).map(() => 0)]) + (rows === 1 ? 0 : row * columns) + column;
  return { data, start, stride: rows === 1 ? 0 : columns };
}

/** A leading index after broadcasting to a tensor of that shape, as in NumPy: 0 where its size is 1, cut to its dimensions. */
export const broadcastIndex = (shape: readonly number[], leading: readonly number[]): readonly number[] => {
  const count = Math.max(0, shape.length - 2);
  return count === 0 ? [] : leading.slice(-count).map((i, d) => (shape[d] === 1 ? 0 : i));
};
