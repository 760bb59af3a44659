/* A matrix drawn as coloured cells with its labels, scrollbars, colour bar and tooltip, of any size. */

export { blockAt, cellsIn, type Blocks } from './blocks';
export { unitBar } from './colour-bar';
export { make, oncePerFrame, place, px } from './dom';
export { focusedIn, giveFocus } from './footer';
export { createHeatmap, createThumbnail, type Thumbnail } from './heatmap';
export { planLabels } from './labels';
export { areIndices, labelWidth, numberCellWidths, readFonts, widestLabel } from './measure';
export { displayed } from './state';
export { columnsOf, formatFor, rowsOf, summarise, type Drawn, type Summary } from './summary';
export { theme } from './theme';
export { readSmall } from './thumbnail';
export { besideBar, endsOf, outlierEnds, outlierWidth, ticksOf, valueAlong, type BarInput } from './ticks';
export type { Heatmap, HeatmapOptions, HeatmapView, NumberWidths } from './types';
