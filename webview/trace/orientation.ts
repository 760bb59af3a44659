import {
  asColumns,
  columnsShape,
  hasColumns,
  isTransposedInColumns,
  type Plan,
  type Step,
  plainText,
  type Sentence,
  type Tile,
} from '../../engine/index';
import type { ReadTile, TraceHandle } from './trace-handle';
import { labelAt } from './labels';
import type { Cell } from './steps';

/*
 * Orientation: whether tokens are the rows of matrices or their columns. It is display only. Indices, shapes and labels of a trace are
 * always those of rows; these functions convert them for drawing, writing and speaking.
 */

const orientedTraces = new WeakMap<TraceHandle, TraceHandle>();

/** The trace as it is shown. With tokens as columns, the plan's symbols, formulas, shapes and words are those of columns. Cached for each trace. */
export function oriented(trace: TraceHandle, columns: boolean): TraceHandle {
  if (!columns) return trace;
  const known = orientedTraces.get(trace) ?? { ...trace, plan: asColumns(trace.plan) };
  orientedTraces.set(trace, known);
  return known;
}

/** Whether a step's matrix is drawn transposed. */
export const isTransposed = (plan: Plan, step: Pick<Step, 'id'>): boolean =>
  hasColumns(plan) && isTransposedInColumns(step);

/** A step's shape as it is drawn. */
export const shownShape = (plan: Plan, step: Pick<Step, 'id' | 'shape'>): readonly number[] =>
  hasColumns(plan) ? columnsShape(step) : step.shape;

/** A sentence as text, for tokens as rows or columns. */
export const shownText = (plan: Plan, sentence: Sentence): string => plainText(sentence, hasColumns(plan));

/** The names of a cell's row and column as they are drawn. */
export function shownNames(plan: Plan, step: Step, [row, column]: Cell): readonly [row: string, column: string] {
  const own = [labelAt(step.rowLabels, row), labelAt(step.columnLabels, column)] as const;
  return isTransposed(plan, step) ? [own[1], own[0]] : own;
}

/** A step as it is drawn: shape, labels and tiles are transposed if the matrix is drawn transposed. For pictures that ignore orientation. */
export function drawnStep(plan: Plan, step: Step, read: ReadTile): { readonly step: Step; readonly read: ReadTile } {
  if (!isTransposed(plan, step)) return { step, read };
  const { rowLabels, columnLabels } = step;
  return {
    step: { ...step, shape: columnsShape(step), rowLabels: columnLabels, columnLabels: rowLabels },
    async read({ rows, columns, ...request }) {
      const asked = { ...request, ...(columns ? { rows: columns } : {}), ...(rows ? { columns: rows } : {}) };
      return transposedTile(await read(asked));
    },
  };
}

const transposedTile = (tile: Tile): Tile => ({
  ...tile,
  row: tile.column,
  column: tile.row,
  height: tile.width,
  width: tile.height,
  min: transposedValues(tile.min, tile),
  max: transposedValues(tile.max, tile),
  mean: transposedValues(tile.mean, tile),
  nan: Uint32Array.from(transposedValues(tile.nan, tile)),
  masked: Uint32Array.from(transposedValues(tile.masked, tile)),
});

/** Row-major values of height×width as those of width×height. */
function transposedValues(
  values: ArrayLike<number>,
  { height, width }: { readonly height: number; readonly width: number },
): Float64Array {
  const turned = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) turned[(i % width) * height + Math.floor(i / width)] = values[i] ?? NaN;
  return turned;
}
