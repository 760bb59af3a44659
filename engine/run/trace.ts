import type { Problem } from '../text/problems';
import type { AttentionSpec } from '../spec/spec';
import type { Plan, Step } from '../plan/plan';
import type { Tensor } from '../math/tensor';
import type { Overview } from './large/picture';
import { matrixOf, readTile, type Cells, type Tile, type TileRequest } from './tile';

/** What happened: the plan and its values. Views read tiles and never hold a step's array. */
export interface AttentionTrace {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** Throws on an unknown step or a range outside of it (our bug, not a user's). */
  read(step: string, request?: TileRequest): Tile;
  /** One cell; `index` is [row, column] or [batch, head, row, column]. */
  value(step: string, index: readonly number[]): number;
  /** What a person should know: a fully masked row, NaN or infinities that appeared, and where. */
  readonly problems: readonly Problem[];
  /**
   * Of a trace with steps that are not held: their pictures in float32, for requests for `pixels`, once these have been begun. To be
   * advanced by whoever shows them.
   */
  readonly overview?: () => Overview;
  /** Entropies of the rows of weights that are not held, in float32, some rows at a time; undefined where these are not quick to have. */
  readonly entropies?: (
    step: string,
    slice: { readonly batch?: number; readonly head?: number },
  ) => Generator<void, Float64Array> | undefined;
}

/** A trace over values that are held in memory. */
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
      const lead = leadOf(tensor.shape, request);
      return readTile(tensor.shape, request, (rows, columns) => {
        const cells = { values: cellsOf(tensor, lead, rows[0], columns[0]) };
        return hidden ? { ...cells, hidden: cellsOf(hidden, lead, rows[0], columns[0]) } : cells;
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
  const lead = shape.length - index.length;
  return shape.reduce((offset, size, d) => {
    const i = d < lead ? 0 : (index[d - lead] ?? 0);
    if (!(i >= 0 && i < size)) throw new Error(`index ${index.join(',')} is outside of ${shape.join('×')}`);
    return offset * size + i;
  }, 0);
}

/** The leading part of an index, by batch and head, into a step of that shape. A matrix has none. */
export function leadOf(shape: readonly number[], { batch = 0, head = 0 }: TileRequest): readonly number[] {
  const lead = shape.slice(0, -2);
  return lead.length === 2 ? [batch, head] : lead.map(() => head);
}

/** The matrix of a tensor that serves `lead`, from a cell on. A size of 1 serves all of that dimension, leading ones that are missing serve all. */
export function cellsOf({ shape, data }: Tensor, lead: readonly number[], row: number, column: number): Cells {
  const [rows, columns] = matrixOf(shape);
  const own = servedLead(shape, lead);
  const start =
    offsetOf(shape, [...own, ...shape.slice(own.length).map(() => 0)]) + (rows === 1 ? 0 : row * columns) + column;
  return { data, start, stride: rows === 1 ? 0 : columns };
}

/** `lead` as it counts in a tensor of that shape. */
export const servedLead = (shape: readonly number[], lead: readonly number[]): readonly number[] => {
  const count = Math.max(0, shape.length - 2);
  return count === 0 ? [] : lead.slice(-count).map((i, d) => (shape[d] === 1 ? 0 : i));
};
