import type { Precision, Step, Tile, TileRequest } from '../../engine/index';
import type { Range } from '../draw';
import type { OverviewControl } from '../trace';

/** Cells to highlight: the row and column that another cell came from, and the selected cell. */
export interface Highlight {
  readonly row?: number;
  readonly column?: number;
  readonly cell?: readonly [number, number];
}

/** The viewport of a heatmap in CSS pixels, shared by the matrices of a product so that they stay aligned. */
export interface HeatmapView {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly scrollLeft: number;
  readonly scrollTop: number;
  /** Width of the row labels, height of the column labels. */
  readonly labelLeft: number;
  readonly labelTop: number;
  /** Size of the visible area of the cells. */
  readonly windowWidth: number;
  readonly windowHeight: number;
}

/** Widths of cells that can show any number of a matrix, in CSS pixels. */
export interface NumberWidths {
  readonly comfortable: number;
  readonly least: number;
  /** The numbers that determine the font size, shared so that matrices of one picture look alike. */
  readonly widest: readonly string[];
}

export interface HeatmapOptions {
  readonly step: Step;
  readonly read: (request: TileRequest) => Promise<Tile>;
  /** Digits after the decimal point inside cells. */
  readonly digits: number;
  /** dtype of the numbers, for those that are written with all digits; default float64. */
  readonly dtype?: Precision;
  /** Drawn transposed (Kᵀ above S). Display only: callbacks get the step's own indices. */
  readonly transposed?: boolean;
  /** Accessible name: `Kᵀ`; default the step's symbol. */
  readonly name?: string;
  readonly showRowLabels?: boolean;
  readonly showColumnLabels?: boolean;
  /** Fixed cell size in CSS pixels, so that matrices of one product align; default: chosen to fit. */
  readonly cellWidth?: number;
  readonly cellHeight?: number;
  /** Largest size of the whole heatmap with labels, in CSS pixels; default: the parent's width, and 640. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Minimum widths of cells with numbers, so that matrices with shorter numbers get equal cells. */
  readonly numberWidths?: NumberWidths;
  /** Whether it scrolls with another heatmap, whose scrollbars serve both. */
  readonly follower?: boolean;
  /** Range of the colours instead of the matrix's own, so that before and after are comparable. */
  readonly range?: Range;
  /** Whether values are a float32 preview, which is shown as colours without digits. */
  readonly preview?: boolean;
  /** Stops and resumes the computation of a picture. */
  readonly growth?: OverviewControl;
  /** Whether colour bar and zoom buttons are below the cells (default true); `bar` leaves zooming to a linked heatmap. */
  readonly showFoot?: boolean | 'bar';
  readonly onSelect?: (row: number, column: number) => void;
  /** Called when the focused cell changes. */
  readonly onFocus?: (row: number, column: number) => void;
  /** Called after zooming, scrolling or a new fit. */
  readonly onView?: (view: HeatmapView) => void;
}

export interface Heatmap {
  readonly element: HTMLElement;
  /** Resolves when the first picture is painted. */
  readonly drawn: Promise<void>;
  highlight(highlight: Highlight): void;
  /** Adopts another heatmap's cells, scroll position, labels and viewport, as far as given; does not call `onView`. */
  follow(view: Partial<HeatmapView>): void;
  /** Re-read colours from the theme and redraw. */
  redraw(): void;
  destroy(): void;
}
