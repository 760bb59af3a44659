import type { Step, Tile, TileRequest } from '../engine/index';

/** Cells to light up: the row and column another cell came from, and the selected cell. */
export interface Highlight {
  readonly row?: number;
  readonly column?: number;
  readonly cell?: readonly [number, number];
}

export interface HeatmapOptions {
  readonly step: Step;
  readonly read: (request: TileRequest) => Promise<Tile>;
  /** Digits after the decimal point inside cells. */
  readonly digits: number;
  /** Drawn transposed (Kᵀ above S): the display only; indices given to callbacks stay the step's own. */
  readonly transposed?: boolean;
  readonly showRowLabels?: boolean;
  readonly showColumnLabels?: boolean;
  /** Fixed cell size in CSS pixels, so that matrices of one product line up; otherwise chosen to fit. */
  readonly cellWidth?: number;
  readonly cellHeight?: number;
  readonly onSelect?: (row: number, column: number) => void;
}

export interface Heatmap {
  readonly element: HTMLElement;
  highlight(highlight: Highlight): void;
  /** Re-read colours from the theme and redraw. */
  redraw(): void;
  destroy(): void;
}
