import type { Problem } from './problems';
import type { AttentionSpec } from './spec';
import type { Plan, Step } from './plan';
import type { Tensor } from './tensor';

/** What part of a step to read, and how finely. Rows and columns are half-open ranges of cells of level 0. */
export interface TileRequest {
  readonly batch?: number;
  readonly head?: number;
  readonly rows?: readonly [number, number];
  readonly columns?: readonly [number, number];
  /** 0: the cells themselves. k: blocks of 2ᵏ×2ᵏ cells, aligned to multiples of 2ᵏ. */
  readonly level?: number;
}

/**
 * A read part of a step: `height`×`width` blocks, row-major. At level 0 a block is one cell and minimum, maximum and mean are
 * its value. Minimum, maximum and mean go over the finite values of a block, NaN when it has none.
 */
export interface Tile {
  readonly level: number;
  /** First row and column, in cells of level 0. */
  readonly row: number;
  readonly column: number;
  readonly height: number;
  readonly width: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** How many cells of each block are NaN. */
  readonly nan: Uint32Array;
  /** How many cells of each block are hidden by the mask. */
  readonly masked: Uint32Array;
}

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
      return readTile(tensor, hidden, request);
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

const finest = (range: readonly [number, number] | undefined, size: number, block: number): [number, number] => {
  const [start, end] = range ?? [0, size];
  if (start < 0 || end > size || start > end) throw new Error(`range ${start}…${end} is outside of 0…${size}`);
  return [Math.floor(start / block) * block, end];
};

function readTile(tensor: Tensor, hidden: Tensor | undefined, request: TileRequest): Tile {
  const [rows, columns] = [tensor.shape.at(-2) ?? 1, tensor.shape.at(-1) ?? 1];
  const level = request.level ?? 0;
  const block = 1 << level;
  const [r0, r1] = finest(request.rows, rows, block);
  const [c0, c1] = finest(request.columns, columns, block);
  const tile = emptyTile(level, r0, c0, Math.ceil((r1 - r0) / block), Math.ceil((c1 - c0) / block));
  const base = matrixOffset(tensor, request);
  for (let by = 0; by < tile.height; by++) {
    for (let bx = 0; bx < tile.width; bx++) {
      const [y, x] = [r0 + by * block, c0 + bx * block];
      const bounds = [y, Math.min(y + block, rows), x, Math.min(x + block, columns)] as const;
      poolBlock(tile, by * tile.width + bx, tensor, hidden, base, columns, bounds);
    }
  }
  return tile;
}

function emptyTile(level: number, row: number, column: number, height: number, width: number): Tile {
  const n = height * width;
  const [min, max, mean] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  return { level, row, column, height, width, min, max, mean, nan: new Uint32Array(n), masked: new Uint32Array(n) };
}

/** Offset of the matrix that batch and head choose. */
function matrixOffset(tensor: Tensor, { batch = 0, head = 0 }: TileRequest): number {
  const lead = tensor.shape.slice(0, -2);
  const index = lead.length === 2 ? [batch, head] : lead.length === 1 ? [head] : [];
  return offsetOf(tensor.shape, [...index, ...tensor.shape.slice(lead.length).map(() => 0)]);
}

function poolBlock(
  tile: Tile,
  at: number,
  tensor: Tensor,
  hidden: Tensor | undefined,
  base: number,
  columns: number,
  [y0, y1, x0, x1]: readonly [number, number, number, number],
): void {
  let [min, max, sum, finite] = [Infinity, -Infinity, 0, 0];
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const v = tensor.data[base + y * columns + x] as number;
      if (hidden?.data[hiddenOffset(hidden, base, y * columns + x)] === 1) tile.masked[at] = (tile.masked[at] ?? 0) + 1;
      if (Number.isNaN(v)) tile.nan[at] = (tile.nan[at] ?? 0) + 1;
      else if (tile.level === 0 || Number.isFinite(v)) {
        if (v < min) min = v;
        if (v > max) max = v;
        sum += v;
        finite++;
      }
    }
  }
  tile.min[at] = finite ? min : NaN;
  tile.max[at] = finite ? max : NaN;
  tile.mean[at] = finite ? sum / finite : NaN;
}

/** A mask of one matrix serves every batch and head. */
const hiddenOffset = (hidden: Tensor, base: number, offset: number): number => (base + offset) % hidden.data.length;
