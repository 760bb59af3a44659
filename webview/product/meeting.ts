import { make, place, px } from '../heatmap/dom';
import { areIndices } from '../heatmap/measure';
import { columnsOf, rowsOf } from '../heatmap/summary';
import type { Heatmap, HeatmapOptions, HeatmapView } from '../heatmap-types';
import { caption, heatmapOf, narrow, type Context, type Operand, type Scene } from './figure';

/** Three matrices that meet: one to the left, one above, the result where their rows and columns cross. */
export interface Meeting {
  readonly left: Operand;
  readonly above: Operand;
  readonly result: Operand;
  /** The matrix above is drawn transposed: its own rows become columns. */
  readonly transposed: boolean;
  /** Marks in the matrices left and above for a cell of the result. */
  readonly mark: (row: number, column: number, left: Heatmap, above: Heatmap) => void;
}

const gap = 36;
const nameWidth = 44;
const plainWidth = 24;
const tallestAbove = 340;

/** Left operand left, right operand above, result where they meet, all scrolling and zooming as one. */
export function meetingScene(context: Context, meeting: Meeting): Scene {
  const { left, above, result, transposed } = meeting;
  const wide = context.options.width >= narrow;
  const sizes = wide ? wideSizes(context, meeting) : narrowSizes(context, meeting);
  const maps = {
    result: heatmapOf(context, result, { ...sizes.result, onView: (view) => shared(view) }),
    above: heatmapOf(context, above, {
      ...sizes.above,
      transposed,
      follower: true,
      showFoot: false,
      showColumnLabels: false,
      onView: ({ scrollLeft }) => scrolled({ scrollLeft }),
    }),
    left: heatmapOf(context, left, {
      ...sizes.left,
      follower: true,
      showFoot: false,
      onView: ({ scrollTop }) => (wide ? scrolled({ scrollTop }) : undefined),
    }),
  };
  const element = arrange(meeting, maps, wide);
  const connect = (): void => connectors(element, wide);
  const shared = (view: HeatmapView): void => {
    const { scrollLeft, cellWidth, labelLeft, windowWidth } = view;
    maps.above.follow({ scrollLeft, cellWidth, labelLeft, windowWidth });
    const { scrollTop, cellHeight, labelTop, windowHeight } = view;
    if (wide) maps.left.follow({ scrollTop, cellHeight, labelTop, windowHeight });
    requestAnimationFrame(connect);
  };
  const scrolled = (view: Partial<HeatmapView>): void => {
    maps.result.follow(view);
    requestAnimationFrame(connect);
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

interface Sizes {
  readonly left: Partial<HeatmapOptions>;
  readonly above: Partial<HeatmapOptions>;
  readonly result: Partial<HeatmapOptions>;
}

const labelRoom = (labels: readonly string[]): number =>
  Math.min(104, 8 * labels.reduce((most, l) => Math.max(most, l.length), 1)) + 10;

/** Numbers everywhere if there is room, else in the result first, else plain cells: the result takes what the left one leaves. */
function wideSizes({ options }: Context, { left, above, result, transposed }: Meeting): Sizes {
  const [n, k] = [columnsOf(result.step), columnsOf(left.step)];
  const width = Math.max(result.numberWidth, above.numberWidth);
  const room = options.width - gap - nameWidth - labelRoom(left.step.rowLabels) - labelRoom(result.step.rowLabels);
  const numbers = k * left.numberWidth + n * width <= room;
  const beside = numbers ? room - n * width : Math.max(k * 10, room - n * width);
  const most = numbers ? Math.max(left.numberWidth, 44) : plainWidth;
  const cellWidth = Math.min(most, beside / k, n * width + k * 10 <= room || numbers ? Infinity : (0.34 * room) / k);
  const used = numbers ? k * whole(cellWidth) : Math.min(k * cellWidth, 0.4 * options.width);
  return {
    left: {
      cellWidth: whole(cellWidth),
      maxWidth: used + labelRoom(left.step.rowLabels) + 1,
      showColumnLabels: hasNames(left.step.columnLabels),
    },
    above: aboveSizes(above, transposed, n * width <= room - used),
    result: { numberWidth: width, maxWidth: room - used + labelRoom(result.step.rowLabels), maxHeight: 560 },
  };
}

function narrowSizes({ options }: Context, { left, above, result, transposed }: Meeting): Sizes {
  const width = Math.max(result.numberWidth, above.numberWidth);
  const room = options.width - labelRoom(result.step.rowLabels);
  return {
    left: { maxWidth: options.width, maxHeight: 360, showColumnLabels: hasNames(left.step.columnLabels) },
    above: { ...aboveSizes(above, transposed, columnsOf(result.step) * width <= room) },
    result: { numberWidth: width, maxWidth: options.width, maxHeight: 480 },
  };
}

const whole = (width: number): number => (width >= 8 ? Math.floor(width) : width);
const hasNames = (labels: readonly string[]): boolean => !areIndices(labels);

/** Columns come from the result; rows are tall enough for numbers if there is room for all of them. */
function aboveSizes(above: Operand, transposed: boolean, numbers: boolean): Partial<HeatmapOptions> {
  const rows = transposed ? columnsOf(above.step) : rowsOf(above.step);
  const labels = transposed ? above.step.columnLabels : above.step.rowLabels;
  const line = numbers && rows * 20 <= tallestAbove ? 20 : Math.min(16, tallestAbove / rows);
  return { cellHeight: whole(line), maxHeight: tallestAbove + 1, maxWidth: 10000, showRowLabels: hasNames(labels) };
}

type Maps = Readonly<Record<'left' | 'above' | 'result', Heatmap>>;

function arrange({ left, above, result, transposed }: Meeting, maps: Maps, wide: boolean): HTMLElement {
  const names = {
    left: caption(left.step),
    above: caption(above.step, transposed),
    result: caption(result.step),
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

/** Dotted lines from the marked row and column to the result; none where a mark is scrolled out of sight. */
function connectors(element: HTMLElement, wide: boolean): void {
  const [across, down] = element.querySelectorAll<HTMLElement>('.meeting-line');
  if (!across || !down) return;
  across.hidden = down.hidden = true;
  if (!wide || !element.isConnected) return;
  const origin = element.getBoundingClientRect();
  const box = (selector: string): DOMRect | undefined => element.querySelector(selector)?.getBoundingClientRect();
  const [row, from, to] = [
    box('.meeting-left .heatmap-mark'),
    box('.meeting-left .heatmap-viewport'),
    box('.meeting-result .heatmap-strip.rows .lit'),
  ];
  if (row && from && to && row.top < from.bottom && row.bottom > from.top) {
    const left = from.right + 4 - origin.left;
    across.hidden = false;
    place(across, {
      left,
      top: row.top + row.height / 2 - origin.top,
      width: Math.max(0, textLeft(to) - 6 - origin.left - left),
      height: 0,
    });
  }
  const [column, above, head] = [
    box('.meeting-above .heatmap-mark'),
    box('.meeting-above .heatmap-viewport'),
    box('.meeting-result .heatmap-strip.columns'),
  ];
  if (column && above && head && column.left < above.right && column.right > above.left) {
    const top = above.bottom + 4 - origin.top;
    down.hidden = false;
    place(down, {
      left: column.left + column.width / 2 - origin.left,
      top,
      width: 0,
      height: Math.max(0, head.top - origin.top - top + 2),
    });
    down.style.width = px(0);
  }
}

/** Row labels are set flush right in their strip, so the text begins where a range over it does. */
const textLeft = (label: DOMRect): number => label.right - Math.min(label.width, 60);
