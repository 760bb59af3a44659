import type { Step } from '../../engine/index';
import {
  columnsOf,
  make,
  planLabels,
  readFonts,
  rowsOf,
  type Heatmap,
  type HeatmapOptions,
  type HeatmapView,
} from '../heatmap';
import { shownShape } from '../trace';
import type { Range } from '../draw';
import { caption, heatmapOf, highest, narrowWidth, widestOf, type Context, type Operand, type Scene } from './figure';

/** Matrices of one shape with signs between them: scores → weights, E + P = X. */
export interface Sequence {
  readonly items: readonly Operand[];
  /** The sign after each matrix but the last: `+`, `=`, `÷ √8`. */
  readonly signs: readonly string[];
  /** A common range, so that all of them have the same colours. */
  readonly range?: Range;
  /** The range of each, where not all have one. */
  readonly ranges?: readonly Range[];
  /** Width in CSS pixels below which a heatmap is drawn under the one before it rather than beside it. */
  readonly leastWidth?: number;
}

/** Width of the gap between two matrices, which contains the sign, in CSS pixels. */
const gapWidth = ({ signs }: Sequence): number => 40 + 7 * Math.max(0, ...signs.map((s) => s.length));

/** Draws matrices side by side if their numbers fit or they are about square, else stacked. They scroll and zoom together. */
export function sequenceScene(context: Context, sequence: Sequence): Scene {
  const { items } = sequence;
  const stacked = isStacked(context, sequence);
  const room = context.options.width;
  const maxWidth = stacked ? room : (room - gapWidth(sequence) * (items.length - 1)) / items.length;
  const numberWidths = widestOf(items);
  const heatmaps: Heatmap[] = [];
  const linked = (from: number) => (view: HeatmapView) => {
    const { cellWidth, cellHeight, scrollLeft, scrollTop } = view;
    heatmaps.forEach((h, i) => i !== from && h.follow({ cellWidth, cellHeight, scrollLeft, scrollTop }));
  };
  items.forEach((item, i) => {
    const more: Partial<HeatmapOptions> = {
      maxWidth,
      numberWidths,
      onView: linked(i),
      ...(stacked ? { maxHeight: highest(420, item) } : {}),
      ...rangeAt(sequence, i),
      // The last one's zoom control serves all. In a stack with common colours its colour bar does too.
      ...(i < items.length - 1 ? { showFoot: stacked && sequence.range ? false : 'bar' } : {}),
    };
    heatmaps.push(heatmapOf(context, item, more));
  });
  const parts = items.flatMap((item, i) => {
    const figure = make('div', { class: 'matrix' }, caption(context, item.step), heatmaps[i]?.element);
    const sign = sequence.signs[i];
    return sign === undefined ? [figure] : [figure, make('div', { class: 'sign', text: sign })];
  });
  return {
    element: make('div', { class: stacked ? 'sequence stacked' : 'sequence' }, ...parts),
    heatmaps,
    select: (row, column) => heatmaps.forEach((h, i) => h.highlight({ cell: broadcastCell(items[i], row, column) })),
  };
}

function rangeAt({ range, ranges }: Sequence, i: number): { readonly range?: Range } {
  const own = ranges?.[i] ?? range;
  return own ? { range: own } : {};
}

/** The cell of an operand that is broadcast: a bias row is added to every row. */
const broadcastCell = (item: Operand | undefined, row: number, column: number): [number, number] =>
  item ? [Math.min(row, rowsOf(item.step) - 1), Math.min(column, columnsOf(item.step) - 1)] : [row, column];

/** Below this width, in CSS pixels, a heatmap says little, and its colour bar would be wider. */
const minHeatmapWidth = 170;

/** Width of the row labels in CSS pixels if the matrix is drawn with cells that fit into `room`. */
function labelRoom({ rowLabels, columnLabels, shape }: Step, room: number): number {
  const cell = room / Math.max(shape.at(-1) ?? 1, shape.at(-2) ?? 1);
  const labelled = { options: {}, rowLabels, columnLabels, fonts: readFonts(), followed: {} };
  return planLabels(labelled, { width: cell, height: cell }).left;
}

function isStacked({ options, trace }: Context, sequence: Sequence): boolean {
  const { items, leastWidth = minHeatmapWidth } = sequence;
  const first = items[0]?.step;
  if (!first || items.length === 1) return true;
  const [rows = 1, columns = 1] = shownShape(trace.plan, first).slice(-2);
  const labels = 60;
  const room = (options.width - gapWidth(sequence) * (items.length - 1)) / items.length;
  const each = room - labels;
  const { least: widest } = widestOf(items);
  if (options.width < narrowWidth || room - labelRoom(first, room) < leastWidth) return true;
  if (columns * widest <= each) return false;
  if (columns * widest <= options.width - labels && rows * items.length <= 30) return true;
  return columns > 1.5 * rows;
}
