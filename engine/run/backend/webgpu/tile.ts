import type { Plan } from '../../../plan/plan';
import { ok, type Result } from '../../../text/problems';
import { aligned, matrixOf, readTile, type Tile, type TileRequest } from '../../tile';
import type { Tensor } from '../../../math/tensor';
import { cellsOf, leadOf, offsetOf } from '../../trace';
import type { GpuHeld } from './run';

/**
 * A tile of a step that is on the GPU: only its rows are read back. Sources are read where they are. Problems as of a run; throws
 * on an unknown step or a range outside of it (our bug).
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
  const lead = leadOf(shape, request);
  const hidden = step.hiddenBy === undefined ? undefined : sources.get(step.hiddenBy);
  const source = sources.get(id);
  const tileOf = (cells: (row: number, column: number) => ReturnType<typeof cellsOf>): Tile =>
    readTile(shape, request, ([row], [column]) => ({
      values: cells(row, column),
      ...(hidden && { hidden: cellsOf(hidden, lead, row, column) }),
    }));
  if (source) return ok(tileOf((row, column) => cellsOf(source, lead, row, column)));
  const [rows, columns] = matrixOf(shape);
  const block = 1 << (request.level ?? 0);
  const [top, end] = aligned(request.rows, rows, block);
  const bottom = Math.min(rows, top + Math.ceil((end - top) / block) * block);
  const matrix = offsetOf(shape, [...lead, 0, 0]);
  const part = await held.read(id, [matrix + top * columns, matrix + bottom * columns]);
  if (!part.ok) return part;
  const data = part.value;
  return ok(tileOf((row, column) => ({ data, start: (row - top) * columns + column, stride: columns })));
}
