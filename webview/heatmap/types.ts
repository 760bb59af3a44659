import type { DType, Step, Tile, TileRequest } from '../../engine/index';
import type { Range } from '../draw';
import type { OverviewControl } from '../trace';

/** Cells to light up: the row and column another cell came from, and the selected cell. */
export interface Highlight {
  readonly row?: number;
  readonly column?: number;
  readonly cell?: readonly [number, number];
}

/** What of a matrix is on screen, in CSS pixels: shared by the matrices of one product so that they stay aligned. */
export interface HeatmapView {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly scrollLeft: number;
  readonly scrollTop: number;
  /** Width of the row labels, height of the column labels. */
  readonly labelLeft: number;
  readonly labelTop: number;
  /** How much of the cells is in view. */
  readonly windowWidth: number;
  readonly windowHeight: number;
}

/** Of cells that hold any number of a matrix, in CSS pixels. */
export interface NumberWidths {
  readonly comfortable: number;
  readonly least: number;
  /** The numbers that decide the size of all, so that matrices of one picture write alike. */
  readonly widest: readonly string[];
}

export interface HeatmapOptions {
  readonly step: Step;
  readonly read: (request: TileRequest) => Promise<Tile>;
  /** Digits after the decimal point inside cells. */
  readonly digits: number;
  /** Of the numbers, for those that are written in full; float64 unless given. */
  readonly dtype?: DType;
  /** Drawn transposed (Kᵀ above S): the display only; indices given to callbacks stay the step's own. */
  readonly transposed?: boolean;
  /** What screen readers call it: `Kᵀ`; the step's symbol unless given. */
  readonly name?: string;
  readonly showRowLabels?: boolean;
  readonly showColumnLabels?: boolean;
  /** Fixed cell size in CSS pixels, so that matrices of one product line up; otherwise chosen to fit. */
  readonly cellWidth?: number;
  readonly cellHeight?: number;
  /** Room for the whole heatmap with its labels, in CSS pixels; otherwise the width of its parent, and 640. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Widths of cells with numbers at the least, so that matrices with shorter numbers get the same cells. */
  readonly numberWidths?: NumberWidths;
  /** Scrolls with another heatmap, whose scrollbars serve both. */
  readonly follower?: boolean;
  /** Colours of a range other than the matrix's own, so that before and after compare. */
  readonly range?: Range;
  /** Values are a float32 preview: colours only, no digit is shown. */
  readonly preview?: boolean;
  /** The computation of a picture that grows: it can be ended, and go on. */
  readonly growth?: OverviewControl;
  /** Colour bar and zoom below the cells; `bar` leaves the zoom to a linked heatmap. Both unless given. */
  readonly showFoot?: boolean | 'bar';
  readonly onSelect?: (row: number, column: number) => void;
  /** The keyboard's cell moved. */
  readonly onFocus?: (row: number, column: number) => void;
  /** The reader zoomed or scrolled, or the cells were fitted anew. */
  readonly onView?: (view: HeatmapView) => void;
}

export interface Heatmap {
  readonly element: HTMLElement;
  /** Fulfilled when the first picture is painted. */
  readonly drawn: Promise<void>;
  highlight(highlight: Highlight): void;
  /** Follow another heatmap's cells, scroll position, labels and window, as far as given; does not call `onView`. */
  follow(view: Partial<HeatmapView>): void;
  /** Re-read colours from the theme and redraw. */
  redraw(): void;
  destroy(): void;
}
