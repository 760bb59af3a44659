import { isWholeKind, limitWithoutOutliers, type Step, type Tile } from '../../engine/index';
import type { ReadTile } from '../trace';
import { formatOf, scales, type NumberFormat, type Range } from '../draw';
import { levelOf } from './geometry';

/** What must be known of a whole matrix before it can be coloured or formatted. */
export interface Summary extends Range {
  /** Whether every visible value has been read and is an integer. */
  readonly integers: boolean;
  readonly nan: boolean;
  readonly masked: boolean;
  /** Set if it comes from float32: it determines colours; only the colour bar shows its limits, rounded and with ≈. */
  readonly float32?: true;
}

const readWhole = 4096;
/** Default height of a picture in CSS pixels. */
export const defaultHeight = 640;

/** What of a step its picture is drawn from. */
export type Drawn = Pick<Step, 'kind' | 'shape' | 'call'>;

export const rowsOf = (step: Drawn): number => step.shape.at(-2) ?? 1;
export const columnsOf = (step: Drawn): number => step.shape.at(-1) ?? 1;

/** Finite limits of the visible cells. Large matrices are read as the same blocks as a picture of them, so that one pass serves both. */
export async function summarise(step: Drawn, read: ReadTile): Promise<Summary> {
  const [rows, columns] = [rowsOf(step), columnsOf(step)];
  const level = rows * columns <= readWhole ? 0 : Math.max(1, levelOf(defaultHeight / Math.max(rows, columns)));
  const tile = await read({ level, pixels: true });
  const summary = known.get(tile) ?? summaryOf(tile, step);
  // A tile that is incomplete is summarized again next time.
  if (!tile.pending) known.set(tile, summary);
  return summary;
}

/** Cache by tile: everything that shows a step's numbers asks for the summary of the same tile. */
const known = new WeakMap<Tile, Summary>();

function summaryOf(tile: Tile, step: Drawn): Summary {
  let [min, max] = [Infinity, -Infinity];
  let [integers, nan, masked] = [tile.level === 0, false, false];
  const magnitudes = new Float64Array(scales[step.kind].outliers ? tile.min.length : 0);
  let seen = 0;
  for (let i = 0; i < tile.min.length; i++) {
    nan ||= (tile.nan[i] ?? 0) > 0;
    const hidden = (tile.masked[i] ?? 0) > 0;
    masked ||= hidden;
    if (hidden && tile.level === 0) continue;
    const [low, high] = [tile.min[i] as number, tile.max[i] as number];
    // The minimum of a partly hidden block may be the fill; then only its maximum is a score.
    const lowCounts = Number.isFinite(low) && !(hidden && isFill(low, step));
    const highCounts = Number.isFinite(high) && !(hidden && isFill(high, step));
    if (lowCounts) min = Math.min(min, low);
    if (highCounts) max = Math.max(max, high);
    const magnitude = Math.max(lowCounts ? Math.abs(low) : -1, highCounts ? Math.abs(high) : -1);
    if (magnitude >= 0) magnitudes[seen++] = magnitude;
    integers &&= !Number.isFinite(low) || Number.isInteger(low);
  }
  if (min > max) [min, max] = max === -Infinity ? [0, 0] : [max, max];
  const colourLimit = limitWithoutOutliers(magnitudes.subarray(0, Math.min(seen, magnitudes.length)));
  return {
    min,
    max,
    ...(colourLimit !== undefined && { colourLimit }),
    integers,
    nan,
    masked,
    ...(tile.float32 && { float32: true }),
  };
}

/** Whether a value is a mask's fill. Pooled tiles do not tell which cells are hidden, but a finite fill such as −1e9 is known. */
const isFill = (value: number, { call }: Drawn): boolean =>
  call.op === 'mask' && (value === call.fill || value === Math.fround(call.fill));

/** The number format of a step, used wherever its numbers are shown. */
export const formatFor = (step: Drawn, { min, max, integers }: Summary, digits: number): NumberFormat =>
  formatOf({
    magnitude: Math.max(Math.abs(min), Math.abs(max)),
    digits,
    integers: integers || isWholeKind[step.kind],
    weights: scales[step.kind].shares,
    keys: columnsOf(step),
  });
