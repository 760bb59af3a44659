import type { Plan } from '../../../plan';
import { ok, type Result } from '../../../text';
import { alignedRange, matrixShape, readTile, type Tile, type TileRequest } from '../../tile';
import type { Tensor } from '../../../math';
import { cellsOf, leadingIndex, offsetOf } from '../../trace';
import type { GpuHeld } from './run';

/**
 * A tile of a step that is on the GPU. Only the rows of the tile are copied back; source steps are read from `sources`. Problems as of a
 * run. Throws on an unknown step or a range outside of it (our bug).
 */
export async function readHeldTile(
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  held: GpuHeld,
  id: string,
  request: TileRequest = {},
): Promise<Result<Tile>> {
  const step = plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`no step ${id}`);
  const { shape } = step;
  const leading = leadingIndex(shape, request);
  const hidden = step.hiddenBy === undefined ? undefined : sources.get(step.hiddenBy);
  const source = sources.get(id);
  const tileOf = (cells: (row: number, column: number) => ReturnType<typeof cellsOf>): Tile =>
    readTile(shape, request, ([row], [column]) => ({
      values: cells(row, column),
      ...(hidden && { hidden: cellsOf(hidden, leading, row, column) }),
    }));
  if (source) return ok(tileOf((row, column) => cellsOf(source, leading, row, column)));
  const [rows, columns] = matrixShape(shape);
  const block = 1 << (request.level ?? 0);
  const [top, end] = alignedRange(request.rows, rows, block);
  const bottom = Math.min(rows, top + Math.ceil((end - top) / block) * block);
  const matrix = offsetOf(shape, [...leading, 0, 0]);
  const part = await held.read(id, [matrix + top * columns, matrix + bottom * columns]);
  if (!part.ok) return part;
  const data = part.value;
  return ok(tileOf((row, column) => ({ data, start: (row - top) * columns + column, stride: columns })));
}
