import type { Slice, Step } from '../../engine/index';
import {
  columnsOf,
  createHeatmap,
  formatFor,
  make,
  numberCellWidths,
  readFonts,
  rowsOf,
  summarise,
  type Heatmap,
  type HeatmapOptions,
  type NumberWidths,
  type Summary,
} from '../heatmap';
import { symbolNodes } from '../draw';
import { isTransposed, leadingIndex, sliceRequest, type ReadTile, type TraceHandle } from '../trace';

export interface StepViewOptions {
  /** Digits after the decimal point. */
  readonly digits: number;
  /** Available width in CSS pixels. */
  readonly width: number;
  /** The batch and head to show of steps with several matrices. */
  readonly slice: Slice;
  /** [row, column] of the selected cell of the result. */
  readonly selected?: readonly [row: number, column: number];
  /**
   * Called when a cell of the result or of an operand was clicked or chosen with Enter, or a cell of the result was reached with the arrow keys.
   */
  readonly onSelect: (stepId: string, row: number, column: number) => void;
}

/** What every kind of picture is made from. */
export interface Context {
  readonly step: Step;
  readonly operands: readonly Operand[];
  readonly trace: TraceHandle;
  readonly options: StepViewOptions;
  /** To be called when a cell of the result was chosen within the picture. */
  readonly choose: (row: number, column: number) => void;
}

/** A matrix with what has been read of it before drawing. */
export interface Operand {
  readonly step: Step;
  readonly read: ReadTile;
  readonly summary: Summary;
  /** Widths of a cell that shows a number. */
  readonly numbers: NumberWidths;
}

/** The most that a matrix is high below another one: where cells are pixels it leaves room for the inspector at the foot of a narrow panel. */
export const highest = (most: number, { step }: Operand): number =>
  rowsOf(step) > 40 ? Math.min(most, 0.36 * innerHeight) : most;

/** The picture of a step: a group of heatmaps. */
export interface Scene {
  readonly element: HTMLElement;
  readonly heatmaps: readonly Heatmap[];
  /** Marks a cell of the result and the cells that it was computed from. */
  readonly select: (row: number, column: number) => void;
  /** Updates colours outside the heatmaps after a change of theme. */
  readonly recolour?: () => void;
}

/** Below this width, in CSS pixels, matrices are stacked vertically. */
export const narrowWidth = 560;

export async function operandOf(trace: TraceHandle, step: Step, { digits, slice }: StepViewOptions): Promise<Operand> {
  const lead = sliceRequest(leadingIndex(trace, step, slice));
  const read: ReadTile = (request) => trace.read(step.id, { ...request, ...lead });
  const summary = await summarise(step, read);
  return { step, read, summary, numbers: numberCellWidths(summary, formatFor(step, summary, digits), readFonts()) };
}

export function heatmapOf(context: Context, { step, read }: Operand, more: Partial<HeatmapOptions> = {}): Heatmap {
  const { trace, options } = context;
  const isResult = step.id === context.step.id;
  const turned = isTransposed(trace.plan, step);
  const transposed = more.transposed ?? turned;
  const heatmap = createHeatmap({
    step,
    read,
    digits: options.digits,
    dtype: trace.spec.dtype,
    preview: trace.preview ?? false,
    ...(trace.overview && { growth: trace.overview }),
    ...(isResult
      ? { onSelect: context.choose, onFocus: context.choose }
      : { onSelect: (r, c) => options.onSelect(step.id, r, c) }),
    ...more,
    transposed,
    name: step.symbol + (transposed === turned ? '' : 'ᵀ'),
  });
  if (isResult) heatmap.element.dataset['result'] = '';
  return heatmap;
}

/** A matrix's name and shape: `Kᵀ 8×6`. If tokens are drawn as columns, it is K that is drawn transposed. */
export function caption({ trace }: Context, step: Step, drawnTransposed?: boolean): HTMLElement {
  const turned = isTransposed(trace.plan, step);
  const transposed = (drawnTransposed ?? turned) !== turned;
  const shape =
    (drawnTransposed ?? turned) ? `${columnsOf(step)}×${rowsOf(step)}` : `${rowsOf(step)}×${columnsOf(step)}`;
  const symbol = make(
    'var',
    { class: `role-${step.role}` },
    ...symbolNodes(step.symbol),
    transposed ? make('sup', { text: '⊤' }) : undefined,
  );
  return make('div', { class: 'matrix-name' }, symbol, ' ', make('span', { class: 'matrix-shape', text: shape }));
}

/** Cell widths that suit the numbers of several matrices. */
export const widestOf = (of: readonly Operand[]): NumberWidths => ({
  comfortable: Math.max(...of.map((o) => o.numbers.comfortable)),
  least: Math.max(...of.map((o) => o.numbers.least)),
  widest: of.flatMap((o) => o.numbers.widest),
});
