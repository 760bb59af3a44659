import { t, type Step } from '../../engine/index';
import { exactNumber, formatNumber, type NumberFormat, type Palette } from '../draw';
import { labelAt } from '../trace';
import type { HeatmapOptions, HeatmapView, Highlight } from './types';
import type { Blocks } from './blocks';
import { regimeOf, type CellSize, type Regime } from './geometry';
import type { Fonts } from './measure';
import { columnsOf, rowsOf, type Summary } from './summary';

/** The elements of one heatmap. */
export interface Parts {
  readonly root: HTMLElement;
  readonly frame: HTMLElement;
  readonly columnStrip: HTMLElement;
  readonly rowStrip: HTMLElement;
  readonly viewport: HTMLElement;
  readonly content: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly grid: HTMLElement;
  readonly marks: HTMLElement;
  readonly foot: HTMLElement;
  /** The note on what a tile pools. */
  readonly note: HTMLElement;
  readonly tip: HTMLElement;
}

/** A row and a column as displayed; a transposed heatmap's differ from the step's own. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Which labels are shown, and how. */
export interface LabelPlan {
  /** Width of the row labels, height of the column labels. */
  readonly left: number;
  readonly top: number;
  /** Column labels are vertical if cells are narrower than words. */
  readonly upright: boolean;
  /** Strides of labelled rows and columns. */
  readonly everyRow: number;
  readonly everyColumn: number;
}

/** The picture of a viewport while it is being refined. */
export interface RefinedPicture {
  readonly blocks: Blocks;
  /** 1 for each block that has its own value, 0 for one that shows the value of a coarser block. */
  readonly sharp: Uint8Array;
  /** Whether its sharp cells are exact. */
  readonly digits: boolean;
  done: boolean;
}

/** What does not change while a heatmap lives. */
export interface Fixed {
  readonly options: HeatmapOptions;
  readonly parts: Parts;
  readonly rows: number;
  readonly columns: number;
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
}

/** How numbers and cells look. Changes with the theme and with the values that are shown. */
export interface Appearance {
  summary: Summary;
  format: NumberFormat;
  palette: Palette;
  fonts: Fonts;
  /** From this cell width on, cells hold a number in the smallest font. */
  numberWidth: number;
  /** From this cell width on, cells hold a number in the largest font, with space around it. */
  comfortable: number;
}

/** Sizes and positions, in CSS pixels. Changes with the window, zooming and scrolling. */
export interface Layout {
  /** The cell size at which the whole matrix fits. */
  fit: CellSize;
  cell: CellSize;
  /** The smallest cell size that zooming reaches. */
  smallest: number;
  labels: LabelPlan;
  /** The size of the viewport without its scrollbars. */
  window: { readonly width: number; readonly height: number };
  /** The cell size was chosen by the reader (zoom) or by another heatmap (follow): a new fit does not undo it. */
  chosen: boolean;
  /** The view of the heatmap that this one follows. */
  followed: Partial<HeatmapView>;
  /** The scroll position, written by scroll events. It is kept here because reading it from the element forces a layout. */
  scroll: { left: number; top: number };
}

/** What has been read of the matrix. */
export interface Loaded {
  /** The blocks that are drawn. */
  blocks: Blocks | undefined;
  /** A coarser picture of the window and its surroundings, drawn until `fine` replaces it. */
  coarse: Blocks | undefined;
  fine: RefinedPicture | undefined;
  /** All cells, of a matrix that is small enough to have every cell in the DOM. */
  values: Blocks | undefined;
  /** The key of the request under way. */
  reading: string | undefined;
  /** The key of the request that `blocks` answered; they can be coarser than requested. */
  answered: string | undefined;
  /** The blocks had cells that were not computed yet: they are read again. */
  stale: boolean;
}

/** What the reader points at. */
export interface Interaction {
  highlight: Highlight;
  hover: Place | undefined;
  pointer: { readonly clientX: number; readonly clientY: number } | undefined;
  /** The cell that Tab reaches. */
  focus: Place;
}

/** Everything about one heatmap. Only the functions of this folder read and change it. */
export interface State extends Fixed, Appearance, Layout, Loaded, Interaction {
  readonly cells: Map<number, HTMLElement>;
  readonly rowNodes: Map<number, HTMLElement>;
  /** False once the heatmap was destroyed. */
  alive: boolean;
}

/** Up to this many rows and columns every cell is in the DOM, for screen readers and tests. */
const wholeGrid = 40;

export const isWhole = (rows: number, columns: number): boolean => rows <= wholeGrid && columns <= wholeGrid;

/** A preview's digits are not exact, so its cells stay plain at every size. */
export function regime({ cell, numberWidth, options }: State): Regime {
  const own = regimeOf(cell, numberWidth);
  return own === 'numbers' && options.preview ? 'cells' : own;
}

/** The regime that can be drawn now: numbers require exact values. */
export const drawnRegime = (state: State): Regime =>
  regime(state) === 'numbers' && state.blocks?.float32 ? 'cells' : regime(state);

/** The step's own indices of a displayed cell; `toPlace` is the inverse. */
export const toStep = ({ options }: State, { row, column }: Place): [number, number] =>
  options.transposed ? [column, row] : [row, column];
export const toPlace = ({ options }: State, [row, column]: readonly [number, number]): Place =>
  options.transposed ? { row: column, column: row } : { row, column };

export function displayed(
  step: Step,
  transposed: boolean,
): Pick<State, 'rows' | 'columns' | 'rowLabels' | 'columnLabels'> {
  const own = { rows: rowsOf(step), columns: columnsOf(step) };
  const { rowLabels, columnLabels } = step;
  return transposed
    ? { rows: own.columns, columns: own.rows, rowLabels: columnLabels, columnLabels: rowLabels }
    : { ...own, rowLabels, columnLabels };
}

/** The accessible name of a cell: `row cat, column sat, 2.12`. */
export function spoken(state: State, at: Place, value: number, hidden: boolean): string {
  if (state.options.preview) return t('{0}, value not computed exactly yet', place(state, at));
  const number = formatNumber(value, state.format);
  return hidden ? t('{0}, {1}, hidden', place(state, at), number) : `${place(state, at)}, ${number}`;
}

const place = (state: State, at: Place): string =>
  t('row {0}, column {1}', labelAt(state.rowLabels, at.row), labelAt(state.columnLabels, at.column));

/** A number with all its digits. */
export function exact({ options }: State, value: number, hidden: boolean): string {
  const number = exactNumber(value, options.dtype);
  return hidden ? t('{0} (hidden)', number) : number;
}

/** The matrix's name in a heading: `Kᵀ`. */
export const symbolOf = (step: Step, transposed = false): string => step.symbol + (transposed ? 'ᵀ' : '');
