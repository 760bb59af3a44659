import {
  areIndices,
  displayed,
  labelWidth,
  make,
  oncePerFrame,
  place,
  planLabels,
  readFonts,
  widestLabel,
  type Heatmap,
  type HeatmapOptions,
  type HeatmapView,
  type NumberWidths,
} from '../heatmap';
import { caption, heatmapOf, highest, narrowWidth, widestOf, type Context, type Operand, type Scene } from './figure';

/** A matrix product's picture: one operand to the left, one above, and the result where their rows and columns cross. */
export interface MatmulFigure {
  readonly left: Operand;
  readonly above: Operand;
  readonly result: Operand;
  /** Which of them are drawn transposed, so that their rows become columns. */
  readonly transposed: { readonly left: boolean; readonly above: boolean; readonly result: boolean };
  /** Marks the cells in the left and upper matrices that a cell of the result is computed from. */
  readonly mark: (row: number, column: number, left: Heatmap, above: Heatmap) => void;
}

/** A matrix with its shape and labels as drawn. */
interface Figure {
  readonly operand: Operand;
  readonly transposed: boolean;
  readonly rows: number;
  readonly columns: number;
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
}

function figureOf({ transposed, ...meeting }: MatmulFigure, part: 'left' | 'above' | 'result'): Figure {
  const operand = meeting[part];
  return { operand, transposed: transposed[part], ...displayed(operand.step, transposed[part]) };
}

type Figures = Readonly<Record<'left' | 'above' | 'result', Figure>>;

const gap = 36;
/** Above this number of rows the left matrix has no row labels: those of the result serve both. */
const manyRows = 40;
const widthWithoutNumbers = 24;
const tallestAbove = 340;

/** Draws the operands to the left and above, and the result where they cross. All three scroll and zoom together. */
export function matmulScene(context: Context, meeting: MatmulFigure): Scene {
  const figures = {
    left: figureOf(meeting, 'left'),
    above: figureOf(meeting, 'above'),
    result: figureOf(meeting, 'result'),
  };
  const wide = context.options.width >= narrowWidth;
  const sizes = wide ? wideSizes(context, figures) : narrowSizes(context, figures);
  const maps = mapsOf(context, meeting, sizes, {
    result: (view) => shared(view),
    above: ({ scrollLeft }) => scrolled({ scrollLeft }),
    left: ({ scrollTop }) => (wide ? scrolled({ scrollTop }) : undefined),
  });
  const element = arrange(context, meeting, maps, wide);
  const { ask: connect } = oncePerFrame(() => connectors(element, wide));
  const leftTop = wide ? labelsAbove(figures.left, sizes.left) : 0;
  const shared = (view: HeatmapView): void => {
    const { scrollLeft, cellWidth, labelLeft, windowWidth } = view;
    maps.above.follow({ scrollLeft, cellWidth, labelLeft, windowWidth });
    const { scrollTop, cellHeight, windowHeight } = view;
    const labelTop = Math.max(view.labelTop, leftTop);
    element.style.setProperty('--rise', `${labelTop - view.labelTop}px`);
    if (wide) maps.left.follow({ scrollTop, cellHeight, labelTop, windowHeight });
    connect();
  };
  const scrolled = (view: Partial<HeatmapView>): void => {
    maps.result.follow(view);
    connect();
  };
  const heatmaps = [maps.left, maps.above, maps.result];
  void Promise.all(heatmaps.map((h) => h.drawn)).then(connect);
  return {
    element,
    heatmaps,
    select(row, column) {
      maps.result.highlight({ cell: [row, column] });
      meeting.mark(row, column, maps.left, maps.above);
      connect();
    },
  };
}

/** Called when a matrix was scrolled or zoomed. */
type OnView = Readonly<Record<'left' | 'above' | 'result', (view: HeatmapView) => void>>;

/** Makes the three heatmaps. The other two follow the result's scroll position and zoom. */
function mapsOf(
  context: Context,
  { left, above, result, transposed }: MatmulFigure,
  sizes: Sizes,
  onView: OnView,
): Maps {
  const follower = { follower: true, showFoot: false };
  return {
    result: heatmapOf(context, result, { ...sizes.result, transposed: transposed.result, onView: onView.result }),
    above: heatmapOf(context, above, {
      ...sizes.above,
      ...follower,
      showColumnLabels: false,
      transposed: transposed.above,
      onView: onView.above,
    }),
    left: heatmapOf(context, left, { ...sizes.left, ...follower, transposed: transposed.left, onView: onView.left }),
  };
}

interface Sizes {
  readonly left: Partial<HeatmapOptions>;
  readonly above: Partial<HeatmapOptions>;
  readonly result: Partial<HeatmapOptions>;
}

/** Width of the row labels in CSS pixels. In long matrices they also contain the index. */
function labelRoom(labels: readonly string[]): number {
  const fonts = readFonts();
  const index = labels.length > manyRows && hasNames(labels) ? labelWidth(`${labels.length} `, fonts) : 0;
  return Math.ceil(Math.min(104, widestLabel(labels, fonts) + index)) + 10;
}

/** Height of the column labels of the left matrix, in CSS pixels. */
function labelsAbove({ rowLabels, columnLabels }: Figure, options: Partial<HeatmapOptions>): number {
  const cell = { width: options.cellWidth ?? widthWithoutNumbers, height: widthWithoutNumbers };
  return planLabels({ options, rowLabels, columnLabels, fonts: readFonts(), followed: {} }, cell).top;
}

/** Sizes for the layout with all three matrices. The result gets the width that the left matrix leaves. */
function wideSizes({ options }: Context, { left, above, result }: Figures): Sizes {
  const [n, k] = [result.columns, left.columns];
  const numbers = widestOf([result.operand, above.operand]);
  const own = left.rows <= manyRows;
  const labels = { left: own ? labelRoom(left.rowLabels) : 0, result: labelRoom(result.rowLabels) };
  const name = 28 + 7 * `${result.rows}×${n}`.length;
  const room = options.width - gap - name - labels.left - labels.result;
  const cellWidth = leftCellWidth(left.operand.numbers, k, n * numbers.comfortable, n * numbers.least, room);
  const used = k * cellWidth;
  return {
    left: {
      cellWidth,
      maxWidth: used + labels.left + 1,
      showRowLabels: own,
      showColumnLabels: hasNames(left.columnLabels),
    },
    above: { ...aboveSizes(above, n * numbers.least <= room - used), numberWidths: numbers },
    result: { numberWidths: numbers, maxWidth: room - used + labels.result, maxHeight: 560 },
  };
}

/**
 * Cell width of the left matrix. If all fit, all matrices show numbers, at a comfortable or else the least width; else only the result, or none.
 */
function leftCellWidth(own: NumberWidths, k: number, comfortable: number, least: number, room: number): number {
  if (k * own.comfortable + comfortable <= room) return Math.min(52, whole((room - comfortable) / k));
  if (k * own.least + least <= room) return Math.min(own.comfortable, whole((room - least) / k));
  if (k * own.least <= 0.15 * room) return own.least;
  const fits = k * 10 + least <= room;
  return whole(Math.min(widthWithoutNumbers, (fits ? room - least : 0.34 * room) / k));
}

function narrowSizes({ options }: Context, { left, above, result }: Figures): Sizes {
  const numbers = widestOf([result.operand, above.operand]);
  const room = options.width - labelRoom(result.rowLabels);
  return {
    left: { maxWidth: options.width, maxHeight: 360, showColumnLabels: hasNames(left.columnLabels) },
    above: { ...aboveSizes(above, result.columns * numbers.least <= room), numberWidths: numbers },
    result: { numberWidths: numbers, maxWidth: options.width, maxHeight: highest(480, result.operand) },
  };
}

const whole = (width: number): number => (width >= 8 ? Math.floor(width) : width);
const hasNames = (labels: readonly string[]): boolean => !areIndices(labels);

/** Sizes of the upper matrix. The result decides the cell width; rows are high enough for numbers if all of them fit. */
function aboveSizes({ rows, rowLabels }: Figure, numbers: boolean): Partial<HeatmapOptions> {
  const line = numbers && rows * 20 <= tallestAbove ? 20 : Math.min(16, tallestAbove / rows);
  return { cellHeight: whole(line), maxHeight: tallestAbove + 1, maxWidth: 10000, showRowLabels: hasNames(rowLabels) };
}

type Maps = Readonly<Record<'left' | 'above' | 'result', Heatmap>>;

function arrange(context: Context, meeting: MatmulFigure, maps: Maps, wide: boolean): HTMLElement {
  const { left, above, result, transposed } = meeting;
  const names = {
    left: caption(context, left.step, transposed.left),
    above: caption(context, above.step, transposed.above),
    result: caption(context, result.step, transposed.result),
  };
  const cell = (area: string, ...children: Node[]): HTMLElement =>
    make('div', { class: `meeting-${area}` }, ...children);
  const lines = ['across', 'down'].map((way) =>
    make('div', { class: `meeting-line ${way}`, attributes: { 'aria-hidden': 'true' } }),
  );
  lines[0]?.style.setProperty('--role', `var(--role-${left.step.role})`);
  lines[1]?.style.setProperty('--role', `var(--role-${above.step.role})`);
  const parts = wide
    ? [
        cell('corner', names.above, names.left),
        cell('above', maps.above.element),
        cell('left', maps.left.element),
        cell('result', maps.result.element),
        cell('name', names.result),
      ]
    : [
        cell('result', names.result, maps.result.element),
        cell('above', names.above, maps.above.element),
        cell('left', names.left, maps.left.element),
      ];
  return make('div', { class: wide ? 'meeting wide' : 'meeting' }, ...parts, ...lines);
}

/** Draws dotted lines from the marked row and column to the result. A line is omitted if its mark is scrolled out of view. */
function connectors(element: HTMLElement, wide: boolean): void {
  const [across, down] = element.querySelectorAll<HTMLElement>('.meeting-line');
  if (!across || !down) return;
  across.hidden = down.hidden = true;
  if (!wide || !element.isConnected) return;
  const origin = element.getBoundingClientRect();
  const box = (selector: string): DOMRect | undefined => element.querySelector(selector)?.getBoundingClientRect();
  const left = box('.meeting-left .heatmap-viewport');
  const row = box('.meeting-left .heatmap-mark.row');
  const label = element.querySelector('.meeting-result .heatmap-strip.rows > .lit');
  if (left && row && label && row.top < left.bottom && row.bottom > left.top) {
    draw(across, origin, { x: left.right + 4, y: midpoint(row.top, row.bottom) }, { x: textLeft(label) - 5 });
  }
  const above = box('.meeting-above .heatmap-viewport');
  const column = box('.meeting-above :is(.heatmap-mark.column, .heatmap-mark.cell)');
  const head = element.querySelector('.meeting-result .heatmap-strip.columns > .lit')?.getBoundingClientRect();
  if (above && column && head && column.left < above.right && column.right > above.left) {
    draw(down, origin, { x: midpoint(column.left, column.right), y: above.bottom + 4 }, { y: head.top - 1 });
  }
}

const midpoint = (a: number, b: number): number => (a + b) / 2;

/** Draws a horizontal or vertical line from a point to an x or a y. */
function draw(
  line: HTMLElement,
  origin: DOMRect,
  from: { readonly x: number; readonly y: number },
  to: { readonly x?: number; readonly y?: number },
): void {
  line.hidden = false;
  const [width, height] = [Math.max(0, (to.x ?? from.x) - from.x), Math.max(0, (to.y ?? from.y) - from.y)];
  place(line, { left: from.x - origin.left, top: from.y - origin.top, width, height });
}

/** Where a label's text begins: the label's own box spans the whole strip. */
function textLeft(label: Element): number {
  const range = document.createRange();
  range.selectNodeContents(label);
  return Math.max(range.getBoundingClientRect().left, label.getBoundingClientRect().left);
}
