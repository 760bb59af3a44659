/* Comparing two traces: the pinned explanation with the present one, or edited values with unedited ones. */

export { eachRowChunk, type Readable } from './compare-steps';
export { createComparing, type Comparing } from './compare-views';
export type { DifferencePicture } from './difference-trace';
export type { ToolsActions } from './toolbar';
